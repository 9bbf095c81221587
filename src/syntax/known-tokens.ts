import { addToGroup, countsOf, escapedPattern, getOrInsert } from "../text/index.ts";
import { more, type TokenFormat, type TokenRun, tokenFormats } from "./token-formats.ts";

/** Whether a text contains a token of one of the {@link tokenFormats}. */
export function holdsToken(text: string): boolean {
  anyPrefix.lastIndex = 0;
  for (let found = anyPrefix.exec(text); found !== null; found = anyPrefix.exec(text)) {
    if (isTokenAt(text, found.index, found[0])) return true;
    anyPrefix.lastIndex = found.index + 1;
  }
  return text.length >= shortestInner && inner.some((format) => holdsInnerToken(text, format));
}

/** Whether a text begins with a token of a format that has a prefix. */
export function startsWithToken(text: string): boolean {
  const prefix = prefixAtStart.exec(text)?.[0];
  return prefix !== undefined && isTokenAt(text, 0, prefix);
}

/** A format that begins with a fixed text. */
interface PrefixedFormat {
  readonly prefix: string;
  readonly format: TokenFormat;
}

/** A format that begins with a run. */
interface InnerFormat {
  readonly minLength: number;
  /** The longest fixed text. */
  readonly mark: string;
  readonly pattern: RegExp;
  readonly format: TokenFormat;
}

const inner = tokenFormats.flatMap(innerFormat);
const shortestInner = Math.min(...inner.map(({ minLength }) => minLength));

/**
 * The formats by the shortest of the prefixes that begin alike, such as `sk-` for `sk-proj-`.
 * Sorted, each prefix follows those that it begins with.
 */
const byPrefix = new Map<string, PrefixedFormat[]>();
let shortest = "";
for (const one of tokenFormats.flatMap(prefixedFormat).sort((a, b) => (a.prefix < b.prefix ? -1 : 1))) {
  if (shortest === "" || !one.prefix.startsWith(shortest)) {
    shortest = one.prefix;
    byPrefix.set(shortest, []);
  }
  byPrefix.get(shortest)!.push(one);
}

/** Patterns of the keys of {@link byPrefix}: most texts match none. */
const keys = alternativesOf([...byPrefix.keys()]);
const anyPrefix = new RegExp(`\\b${keys}`, "g");
const prefixAtStart = new RegExp(`^${keys}`);

/** A pattern of texts in which each character is tested once, however many texts begin with it. */
function alternativesOf(texts: readonly string[]): string {
  if (texts.length === 1) return escapedPattern(texts[0]!);
  const byFirst = new Map<string, string[]>();
  for (const text of texts) addToGroup(byFirst, text.charAt(0), text.slice(1));
  const alternatives = [...byFirst].map(([first, rests]) => escapedPattern(first) + alternativesOf(rests));
  return alternatives.length === 1 ? alternatives[0]! : `(?:${alternatives.join("|")})`;
}

function prefixedFormat(format: TokenFormat): readonly PrefixedFormat[] {
  const [prefix] = format.parts;
  return typeof prefix === "string" ? [{ prefix, format }] : [];
}

/** Patterns of what follows a prefix, made when first needed: all at once would slow each start. */
const rests = new Map<TokenFormat, RegExp>();

function restOf(format: TokenFormat): RegExp {
  return getOrInsert(rests, format, () => new RegExp(sourceOf(format.parts.slice(1)), "y"));
}

function innerFormat(format: TokenFormat): readonly InnerFormat[] {
  if (typeof format.parts[0] === "string") return [];
  const marks = format.parts.filter((part) => typeof part === "string");
  return [
    {
      minLength: format.parts.reduce((sum, part) => sum + (typeof part === "string" ? part.length : part[1]), 0),
      mark: marks.reduce((longest, mark) => (mark.length > longest.length ? mark : longest)),
      pattern: new RegExp(`(?<![A-Za-z0-9_])${sourceOf(format.parts)}`, "g"),
      format,
    },
  ];
}

/** The pattern of parts of a token, and of the end of a last run that has a maximum. */
function sourceOf(parts: readonly (string | TokenRun)[]): string {
  const last = parts.at(-1)!;
  const isOpen = typeof last !== "string" && last[2] === more;
  const end = isOpen ? "" : `(?![A-Za-z0-9_]${typeof last === "string" ? "" : `|[${last[0]}]`})`;
  return parts.map((part) => (typeof part === "string" ? escapedPattern(part) : runSource(part))).join("") + end;
}

function runSource([alphabet, min, max = min]: TokenRun): string {
  return `[${alphabet}]{${min},${max}}`;
}

/** Whether a token begins at `start` with a prefix that begins with a key of {@link byPrefix}. */
function isTokenAt(text: string, start: number, key: string): boolean {
  for (const { prefix, format } of byPrefix.get(key)!) {
    if (!text.startsWith(prefix, start)) continue;
    const rest = restOf(format);
    rest.lastIndex = start + prefix.length;
    if (rest.test(text) && isToken(text.slice(start, rest.lastIndex), prefix.length, format)) return true;
  }
  return false;
}

function holdsInnerToken(text: string, { minLength, mark, pattern, format }: InnerFormat): boolean {
  if (text.length < minLength || !text.includes(mark)) return false;
  pattern.lastIndex = 0;
  for (let found = pattern.exec(text); found !== null; found = pattern.exec(text)) {
    if (isToken(found[0], 0, format)) return true;
  }
  return false;
}

/** Whether what has the form of a token also has the characters of one behind its prefix. */
function isToken(found: string, prefixLength: number, { mayLackDigits, random }: TokenFormat): boolean {
  if (mayLackDigits) return true;
  const body = found.slice(prefixLength);
  return /[0-9]/.test(body) && (!random || switchesOf(body) >= body.length / 8);
}

/**
 * The number of neighbours of different kinds: upper case, lower case, digit. `Ab` counts as the
 * beginning of a word.
 */
export function switchesOf(value: string): number {
  let switches = 0;
  let before = "";
  for (const char of value) {
    const kind =
      char >= "0" && char <= "9" ? "0" : char >= "a" && char <= "z" ? "a" : char >= "A" && char <= "Z" ? "A" : "-";
    if (before !== "" && kind !== before && !(before === "A" && kind === "a") && kind !== "-" && before !== "-")
      switches += 1;
    before = kind;
  }
  return switches;
}

/** The Shannon entropy of the characters, in bits per character. */
export function entropyOf(value: string): number {
  let bits = 0;
  for (const count of countsOf(value).values()) bits -= (count / value.length) * Math.log2(count / value.length);
  return bits;
}
