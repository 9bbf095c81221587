/**
 * A path as the files of a request are named: from the root, with `/`, without `.` and `..`.
 *
 * Answers `undefined` for one that is no such path: it is absolute, leads out of the root, into a `.git` folder, or holds
 * control characters.
 */
export function normalizedPath(path: string): string | undefined {
  const spelled = path.trim().replaceAll("\\", "/");
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what must not be there
  if (isAbsolute(spelled) || /[\u0000-\u001f\u007f]/.test(spelled)) return undefined;
  const parts: string[] = [];
  for (const part of spelled.split("/")) {
    if (part === "" || part === ".") continue;
    if (part === ".." && parts.pop() === undefined) return undefined;
    if (part !== "..") parts.push(part);
  }
  const isGit = parts.some((part) => part.toLowerCase() === ".git");
  return parts.length === 0 || isGit ? undefined : parts.join("/");
}

/**
 * The one of `known` that another spelling of its path means, if one alone can be meant.
 *
 * An `a/` or `b/` in front, as in diffs, and everything in front of the root in an absolute path may be too much. With
 * `isLoose` also a folder in front of a relative path, and folders may be missing.
 */
export function suffixMatch(
  path: string,
  known: readonly string[],
  { isLoose }: { readonly isLoose: boolean },
): string | undefined {
  const spelled = path.trim().replaceAll("\\", "/");
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

/** The one of `known` that looks most like `path`, if any does. */
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

/** How many of their pairs of letters two texts share, from 0 to 1. Source: the coefficient of Sørensen and Dice. */
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
