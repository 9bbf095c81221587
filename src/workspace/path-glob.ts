import { gitPathOf, tryParseGitPattern } from "./git-pattern.ts";

/** A glob pattern of a setting, with the syntax of VS Code's globs. */
export interface PathGlob {
  /** Whether the glob matches the whole path, which is relative to the workspace's root. */
  matches(path: string): boolean;
}

/** How names are compared. `ignoreCase` folds `A` to `Z`. */
export interface PathGlobOptions {
  readonly ignoreCase: boolean;
}

/** Whether `text` contains a special character of globs: `*`, `?`, `[` or `{`. */
export function isGlob(text: string): boolean {
  return /[*?[{]/.test(text);
}

/**
 * Parses a glob: `*` and `?` within a name, `**` across folders, `{a,b}`, `[a-z]` and `[!a-z]`. It
 * matches from the workspace's root; a glob for a name in any folder begins with `**` and a slash.
 * Returns `undefined` where {@link tryPathGlobIssue} reports that the glob is too large.
 *
 * The matcher is that of ignore files, because its time is at most the product of both lengths: an
 * untrusted workspace may contain patterns, and the regular expressions of glob libraries can take
 * far longer.
 */
export function tryParsePathGlob(text: string, options: PathGlobOptions): PathGlob | undefined {
  const expansion = expandBraces(text);
  if (expansion.kind !== "expanded") return undefined;
  const patterns = expansion.texts.flatMap((pattern) => tryParseGitPattern(`/${pattern}`, options) ?? []);
  return {
    matches(path) {
      const compared = gitPathOf(path, options);
      return patterns.some((pattern) => pattern.matches(compared));
    },
  };
}

/**
 * Why a glob is too large to be used, with the limit and what to write instead, for people: more
 * than 4,096 UTF-16 units, or braces with more than 256 alternatives. `undefined` when it can be
 * used.
 */
export function tryPathGlobIssue(text: string): string | undefined {
  switch (expandBraces(text).kind) {
    case "too-long":
      return `A pattern has at most ${maxLength.toLocaleString("en")} characters: write several patterns.`;
    case "too-many":
      return `The braces of a pattern have at most ${maxAlternatives} alternatives in all: write several patterns.`;
    case "expanded":
      return undefined;
  }
}

/** The most alternatives that the braces of a glob may expand to. */
const maxAlternatives = 256;
/** The most UTF-16 code units of a glob, which is as long as a path may be on Linux. */
const maxLength = 4_096;

type Expansion =
  | { readonly kind: "expanded"; readonly texts: readonly string[] }
  | { readonly kind: "too-long" | "too-many" };

/** Braces that are being read. */
interface OpenGroup {
  /** The alternatives before the last comma. */
  readonly done: string[];
  /** What the current alternative expands to, each without {@link end}. */
  starts: readonly string[];
  /** The text with which all expansions of the current alternative end. */
  end: string;
}

/**
 * The texts that a glob with braces expands to. Unclosed braces are text, and so are commas outside
 * of braces.
 *
 * Each character is read once, and the alternatives are counted while they are made.
 */
function expandBraces(text: string): Expansion {
  if (text.length > maxLength) return { kind: "too-long" };
  const closed = closedBraces(text);
  const groups: OpenGroup[] = [{ done: [], starts: [""], end: "" }];
  let written = 0;
  for (let at = 0; at < text.length; at += 1) {
    const group = groups.at(-1)!;
    if (!closed.has(at) && (text[at] !== "," || groups.length === 1)) continue;
    group.end += text.slice(written, at);
    written = at + 1;
    if (text[at] === "{") {
      groups.push({ done: [], starts: [""], end: "" });
      continue;
    }
    group.done.push(...expansionsOf(group));
    if (group.done.length > maxAlternatives) return { kind: "too-many" };
    if (text[at] === ",") Object.assign(group, { starts: [""], end: "" });
    else {
      groups.pop();
      const outer = groups.at(-1)!;
      if (outer.starts.length * group.done.length > maxAlternatives) return { kind: "too-many" };
      if (group.done.length === 1) outer.end += group.done[0]!;
      else {
        outer.starts = expansionsOf(outer).flatMap((start) => group.done.map((end) => start + end));
        outer.end = "";
      }
    }
  }
  const [whole] = groups;
  whole!.end += text.slice(written);
  return { kind: "expanded", texts: expansionsOf(whole!) };
}

function expansionsOf({ starts, end }: OpenGroup): readonly string[] {
  return starts.map((start) => start + end);
}

/** The offsets of the opening and closing braces that belong together. */
function closedBraces(text: string): ReadonlySet<number> {
  const closed = new Set<number>();
  const open: number[] = [];
  for (let at = 0; at < text.length; at += 1) {
    if (text[at] === "{") open.push(at);
    else if (text[at] === "}" && open.length > 0) closed.add(open.pop()!).add(at);
  }
  return closed;
}
