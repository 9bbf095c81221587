import { tryParseGitPattern } from "./git-pattern.ts";

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
 * Returns `undefined` when its braces have more than 256 alternatives.
 *
 * The matcher is that of ignore files, because its time is at most the product of both lengths: an
 * untrusted workspace may contain patterns, and the regular expressions of glob libraries can take
 * far longer.
 */
export function tryParsePathGlob(text: string, options: PathGlobOptions): PathGlob | undefined {
  const alternatives = expandBraces(text);
  if (alternatives === undefined) return undefined;
  const patterns = alternatives.flatMap((pattern) => tryParseGitPattern(`/${pattern}`, options) ?? []);
  return { matches: (path) => patterns.some((pattern) => pattern.matches(path)) };
}

/** The most alternatives that the braces of a glob may expand to. */
const maxAlternatives = 256;

/**
 * The texts that a glob with braces expands to, or `undefined` when there are too many. Unclosed
 * braces are text.
 */
function expandBraces(text: string): readonly string[] | undefined {
  let done: string[] = [];
  let open = [text];
  while (open.length > 0) {
    const next: string[] = [];
    for (const pattern of open) {
      const group = firstInnermostGroup(pattern);
      if (group === undefined) done = [...done, pattern];
      else {
        const [before, behind] = [pattern.slice(0, group.start), pattern.slice(group.end)];
        const parts = pattern.slice(group.start + 1, group.end - 1).split(",");
        next.push(...parts.map((part) => before + part + behind));
      }
    }
    if (done.length + next.length > maxAlternatives) return undefined;
    open = next;
  }
  return done;
}

/** The range of the first braces that contain no others, both braces included. */
function firstInnermostGroup(pattern: string): { readonly start: number; readonly end: number } | undefined {
  let start = -1;
  for (let at = 0; at < pattern.length; at++) {
    if (pattern[at] === "{") start = at;
    else if (pattern[at] === "}" && start >= 0) return { start, end: at + 1 };
  }
  return undefined;
}
