import { codePointName } from "../../text/index.ts";
import { tryResolvePath } from "../../workspace/index.ts";

/**
 * Normalizes a path to the form in which the files of a request are named: from the root, with `/`,
 * without `.` and `..`. White space around it is removed.
 *
 * Returns `undefined` for an invalid one: empty, absolute, leading out of the root or into a `.git`
 * folder, or with control characters.
 */
export function normalizedPath(path: string): string | undefined {
  const spelled = path.trim().replaceAll("\\", "/");
  if (isAbsolute(spelled) || controlCharacter.test(spelled)) return undefined;
  const resolved = tryResolvePath("", spelled);
  const isGit = resolved?.split("/").some((name) => name.toLowerCase() === ".git");
  return resolved === "" || isGit ? undefined : resolved;
}

/** Control characters, line breaks of all kinds, and those that change the direction of text. */
const controlCharacter = /[\p{Cc}\p{Zl}\p{Zp}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/u;

/**
 * Restores the backslashes of a path that JSON has read as escapes, as in `"a\test.ts"`;
 * `undefined` for a path without such characters. Of several escapes of one character, such as `\t`
 * and `\u0009`, the short one is assumed.
 */
export function tryRestoreBackslashes(path: string): string | undefined {
  const restored = path.replace(/[\b\t\n\f\r]/g, (character) => `\\${letters[character]!}`);
  return restored === path ? undefined : restored;
}

const letters: Readonly<Record<string, string>> = { "\b": "b", "\t": "t", "\n": "n", "\f": "f", "\r": "r" };

/** Explains in a sentence why {@link normalizedPath} returns `undefined`. */
export function unsafePathMessage(path: string): string {
  const [found] = controlCharacter.exec(path.trim()) ?? [];
  if (found === undefined) return `${path} leads out of the root, or to where nothing may be written.`;
  return `The path ${JSON.stringify(path)} has a control character (${codePointName(found)}). Write the path on one row, without it.`;
}

/**
 * Whether a row reads like the rest of `path` after a line break: one word with an extension or a
 * folder, where `path` has no extension yet.
 */
export function continuesPath(path: string, row: string): boolean {
  const isWhole = /[^/\\]\.[a-z]\w{0,11}$/i.test(path.trim());
  return !isWhole && /^[\w@.-]+$/.test(row.replace(/[/\\]/g, ".").trim()) && /\w[/\\.]\w/.test(row);
}

/**
 * Finds the only one of `known` that another spelling of its path can mean; `undefined` where none
 * or several are possible, or the path contains `..` or control characters. Of several known paths
 * at the end of the given one, the longest counts.
 *
 * An `a/` or `b/` at the start, as in diffs, and everything before the root in an absolute path may
 * be superfluous. With `isLoose` also folders before a relative path, and folders may be missing.
 */
export function suffixMatch(
  path: string,
  known: readonly string[],
  { isLoose }: { readonly isLoose: boolean },
): string | undefined {
  const spelled = path.trim().replaceAll("\\", "/");
  if (controlCharacter.test(spelled)) return undefined;
  const isOutside = isAbsolute(spelled);
  const parts = spelled.split("/").filter((part) => part !== "" && part !== ".");
  if (parts.length === 0 || parts.includes("..")) return undefined;
  const normal = parts.join("/");
  const marked = /^[ab]\/(.+)$/.exec(normal)?.[1];
  if (!isOutside && marked !== undefined && known.includes(marked)) return marked;
  // Of two known paths at the end of a longer one, the longer is meant.
  if (isOutside || isLoose) {
    const [longest] = known.filter((one) => `/${normal}`.endsWith(`/${one}`)).sort((a, b) => b.length - a.length);
    if (longest !== undefined) return longest;
  }
  const longer = isLoose && !isOutside ? known.filter((one) => one.endsWith(`/${normal}`)) : [];
  return longer.length === 1 ? longer[0] : undefined;
}

/**
 * The one of `known` that shares the most pairs of letters with `path`, in the whole path and in
 * the name; `undefined` where none is similar.
 */
export function nearestPath(path: string, known: readonly string[]): string | undefined {
  let best: { readonly path: string; readonly score: number } | undefined;
  for (const one of known) {
    const score = lettersAlike(path, one) + lettersAlike(nameOf(path), nameOf(one));
    if (score > (best?.score ?? 0.5)) best = { path: one, score };
  }
  return best?.path;
}

function isAbsolute(path: string): boolean {
  return /^(?:\/|~|[a-z]:|file:)/i.test(path);
}

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}

/**
 * The share of letter pairs that two texts have in common, from 0 to 1. Source: the Sørensen-Dice
 * coefficient.
 */
function lettersAlike(a: string, b: string): number {
  if (a.length < 2 || b.length < 2) return a === b ? 1 : 0;
  const pairs = new Map<string, number>();
  for (let i = 0; i + 2 <= a.length; i++) {
    const pair = a.slice(i, i + 2);
    pairs.set(pair, (pairs.get(pair) ?? 0) + 1);
  }
  let shared = 0;
  for (let i = 0; i + 2 <= b.length; i++) {
    const left = pairs.get(b.slice(i, i + 2)) ?? 0;
    if (left > 0) {
      shared++;
      pairs.set(b.slice(i, i + 2), left - 1);
    }
  }
  return (2 * shared) / (a.length + b.length - 2);
}
