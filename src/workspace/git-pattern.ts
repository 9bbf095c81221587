import { nameOf } from "./workspace-path.ts";

/**
 * One pattern of `.gitignore`, matched the way git matches it.
 *
 * This is not the `ignore` package, because that one answers for a path together with the folders
 * above it, which mixes up the rules of nested files, and because it differs from git in a run of
 * stars after a letter or before a quoted slash. Source: gitignore(5), and git's `wildmatch.c` and
 * `dir.c` for what the manual page leaves open. Like git, it matches bytes of UTF-8: `?` is one
 * byte, so two of them match an `é`.
 */
export interface GitPattern {
  /** Whether the pattern begins with `!`, which includes again what earlier patterns exclude. */
  readonly negated: boolean;
  /** Whether the pattern ends with `/` and therefore matches folders only. */
  readonly foldersOnly: boolean;
  /**
   * Whether the path itself matches; it is relative to the pattern's folder. Folders above it are
   * not considered.
   */
  matches(path: GitPath): boolean;
}

/** A path as patterns are compared with it; many patterns are compared with one path. */
export interface GitPath {
  /** The path and its last name: a character for each byte, folded where case is ignored. */
  readonly path: string;
  readonly name: string;
}

/** The path to be compared with patterns of the same options. */
export function gitPathOf(path: string, { ignoreCase }: GitPatternOptions): GitPath {
  const bytes = toByteString(path);
  const folded = ignoreCase ? foldCase(bytes) : bytes;
  return { path: folded, name: nameOf(folded) };
}

/**
 * How names are compared. `ignoreCase` folds `A` to `Z` and no other letters, as git does under
 * `core.ignorecase`.
 */
export interface GitPatternOptions {
  readonly ignoreCase: boolean;
}

/**
 * Parses one line of an ignore file, without its line end. Returns `undefined` for blank lines,
 * comments, and `/` or `!` alone; an invalid pattern matches nothing.
 */
export function tryParseGitPattern(line: string, { ignoreCase }: GitPatternOptions): GitPattern | undefined {
  if (line.startsWith("#")) return undefined;
  let pattern = trimSpaces(line);
  const negated = pattern.startsWith("!");
  if (negated) pattern = pattern.slice(1);
  const foldersOnly = pattern.endsWith("/");
  if (foldersOnly) pattern = pattern.slice(0, -1);
  if (pattern === "") return undefined;
  return { negated, foldersOnly, matches: matcherOf(toByteString(pattern), ignoreCase) };
}

/** Removes trailing spaces (no other blanks), except those that a backslash quotes. */
function trimSpaces(line: string): string {
  let end = 0;
  for (let i = 0; i < line.length; i += 1) {
    if (line[i] === "\\") {
      i += 1;
      // A trailing backslash quotes nothing; git then keeps the whole line.
      if (i >= line.length) return line;
      end = i + 1;
    } else if (line[i] !== " ") end = i + 1;
  }
  return line.slice(0, end);
}

/**
 * Encodes `text` with one character for each byte of its UTF-8, so that lengths and ranges count
 * bytes.
 */
function toByteString(text: string): string {
  for (let i = 0; i < text.length; i += 1) {
    if (text.charCodeAt(i) >= 0x80)
      return Array.from(encoder.encode(text), (byte) => String.fromCharCode(byte)).join("");
  }
  return text;
}

const encoder = new TextEncoder();

function matcherOf(pattern: string, ignoreCase: boolean): GitPattern["matches"] {
  const fold = ignoreCase ? foldCase : (text: string) => text;
  if (pattern.includes("/")) {
    const anchored = pattern.startsWith("/") ? pattern.slice(1) : pattern;
    const plain = plainLength(anchored);
    const start = fold(anchored.slice(0, plain));
    const glob = compile(anchored.slice(plain), ignoreCase);
    return ({ path }) => path.startsWith(start) && globMatches(glob, path, plain);
  }
  // A pattern without a slash is matched against the last name of the path.
  const plain = plainLength(pattern);
  if (plain === pattern.length) {
    const whole = fold(pattern);
    return ({ name }) => name === whole;
  }
  if (pattern.startsWith("*") && plainLength(pattern.slice(1)) === pattern.length - 1) {
    const end = fold(pattern.slice(1));
    return ({ name }) => name.endsWith(end);
  }
  const glob = compile(pattern, ignoreCase);
  return ({ name }) => globMatches(glob, name, 0);
}

function foldCase(text: string): string {
  return text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
}

/** The number of characters before the first special character of `pattern`. */
function plainLength(pattern: string): number {
  const special = pattern.search(/[*?[\\]/);
  return special < 0 ? pattern.length : special;
}

// A glob is a list of steps: a byte to match, one of these constants, or `firstSet - n` for the set
// with number n.
const anyByte = -1;
const withinName = -2;
const acrossFolders = -3;
const wholeFolders = -4;
const never = -5;
const firstSet = -6;

interface Glob {
  readonly steps: readonly number[];
  /** For each set of bytes, a table with 1 at each member. */
  readonly sets: readonly Uint8Array[];
}

const slash = 0x2f;

function compile(pattern: string, ignoreCase: boolean): Glob {
  const steps: number[] = [];
  const sets: Uint8Array[] = [];
  let at = 0;
  while (at < pattern.length) {
    const start = at;
    const char = pattern[at]!;
    at += 1;
    if (char === "?") steps.push(anyByte);
    else if (char === "\\") {
      // Git does not fold a quoted letter, so `\A` matches nothing when case is ignored.
      steps.push(at < pattern.length ? pattern.charCodeAt(at) : never);
      at += 1;
    } else if (char === "*") {
      while (pattern[at] === "*") at += 1;
      const fillsFolders = at - start > 1 && (start === 0 || pattern[start - 1] === "/");
      if (fillsFolders && pattern[at] === "/") {
        steps.push(wholeFolders);
        at += 1;
      } else if (fillsFolders && (at === pattern.length || pattern.startsWith("\\/", at))) steps.push(acrossFolders);
      else steps.push(withinName);
    } else if (char === "[") {
      const set = readSet(pattern, at, ignoreCase);
      if (set === undefined) return { steps: [never], sets: [] };
      steps.push(firstSet - sets.length);
      sets.push(set.bytes);
      at = set.end;
    } else steps.push((ignoreCase ? foldCase(char) : char).charCodeAt(0));
  }
  return { steps, sets };
}

/**
 * Whether `glob` matches all of `text` from index `start`.
 *
 * Each of the two kinds of star needs only its last position for backtracking, because the earliest
 * match of what is between two stars leaves the later star the most room. The time is therefore at
 * most the product of both lengths, also for a hostile pattern.
 */
function globMatches({ steps, sets }: Glob, text: string, start: number): boolean {
  let step = 0;
  let at = start;
  let nameStep = -1;
  let nameAt = 0;
  let deepStep = -1;
  let deepAt = 0;
  let deepWhole = false;
  for (;;) {
    if (step < steps.length) {
      const wanted = steps[step]!;
      if (wanted === withinName) {
        step += 1;
        nameStep = step;
        nameAt = at;
        continue;
      }
      if (wanted === acrossFolders || wanted === wholeFolders) {
        step += 1;
        deepStep = step;
        deepAt = at;
        deepWhole = wanted === wholeFolders;
        nameStep = -1;
        continue;
      }
      if (at < text.length && takes(wanted, text.charCodeAt(at), sets)) {
        step += 1;
        at += 1;
        continue;
      }
    } else if (at === text.length) return true;

    if (nameStep >= 0 && nameAt < text.length && text.charCodeAt(nameAt) !== slash) {
      nameAt += 1;
      at = nameAt;
      step = nameStep;
    } else if (deepStep >= 0) {
      const next = deepWhole ? text.indexOf("/", deepAt) : deepAt;
      if (next < 0 || next >= text.length) return false;
      deepAt = next + 1;
      at = deepAt;
      step = deepStep;
      nameStep = -1;
    } else return false;
  }
}

function takes(wanted: number, byte: number, sets: readonly Uint8Array[]): boolean {
  if (wanted >= 0) return wanted === byte;
  if (wanted === anyByte) return byte !== slash;
  return wanted <= firstSet && sets[firstSet - wanted]![byte] === 1;
}

/**
 * Reads a set such as `[!a-z[:digit:]]`; `start` is the index after its bracket. Returns
 * `undefined` when the set has no end or names an unknown class.
 */
function readSet(
  pattern: string,
  start: number,
  ignoreCase: boolean,
): { readonly bytes: Uint8Array; readonly end: number } | undefined {
  const bytes = new Uint8Array(256);
  const upperOnly = (byte: number) => ignoreCase && byte >= 0x61 && byte <= 0x7a;
  const addRange = (low: number, high: number) => {
    for (let byte = 0; byte < 256; byte += 1) {
      if (byte >= low && byte <= high) bytes[byte] = 1;
      else if (upperOnly(byte) && byte - 0x20 >= low && byte - 0x20 <= high) bytes[byte] = 1;
    }
  };
  let at = start;
  const negated = pattern[at] === "!" || pattern[at] === "^";
  if (negated) at += 1;
  // The byte that a following `-` makes the start of a range. A bracket directly at the start is an
  // ordinary member, hence `do`.
  let previous: number | undefined;
  do {
    let char = pattern[at];
    if (char === undefined) return undefined;
    if (char === "-" && previous !== undefined && at + 1 < pattern.length && pattern[at + 1] !== "]") {
      at += 1;
      if (pattern[at] === "\\") at += 1;
      char = pattern[at];
      if (char === undefined) return undefined;
      addRange(previous, char.charCodeAt(0));
      previous = undefined;
    } else if (char === "[" && pattern[at + 1] === ":") {
      const close = pattern.indexOf("]", at + 2);
      if (close < 0) return undefined;
      if (close > at + 2 && pattern[close - 1] === ":") {
        const members = posixClasses[pattern.slice(at + 2, close - 1)];
        if (members === undefined) return undefined;
        for (let byte = 0; byte < 128; byte += 1) {
          const text = String.fromCharCode(byte);
          if (members.test(text) || (members === posixClasses["upper"] && upperOnly(byte))) bytes[byte] = 1;
        }
        previous = undefined;
        at = close;
      } else {
        bytes[0x5b] = 1;
        previous = 0x5b;
      }
    } else {
      if (char === "\\") {
        at += 1;
        char = pattern[at];
        if (char === undefined) return undefined;
      }
      previous = char.charCodeAt(0);
      bytes[previous] = 1;
    }
    at += 1;
  } while (pattern[at] !== "]");
  if (negated) for (let byte = 0; byte < 256; byte += 1) bytes[byte] = 1 - bytes[byte]!;
  bytes[slash] = 0;
  return { bytes, end: at + 1 };
}

const posixClasses: Readonly<Record<string, RegExp>> = {
  __proto__: null as never,
  alnum: /[0-9A-Za-z]/,
  alpha: /[A-Za-z]/,
  blank: /[ \t]/,
  cntrl: /\p{Cc}/u,
  digit: /[0-9]/,
  graph: /[!-~]/,
  lower: /[a-z]/,
  print: /[ -~]/,
  punct: /[!-/:-@[-`{-~]/,
  space: /[ \t\n\r]/,
  upper: /[A-Z]/,
  xdigit: /[0-9A-Fa-f]/,
};
