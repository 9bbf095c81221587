import { type HunkRow, readHunkRow } from "../placing/hunk-rows.ts";
import { isElision } from "./is-elision.ts";
import { tryReadPathRow } from "./path-row.ts";
import { isProseFile, readsAsWords } from "./reads-as-words.ts";

/** A diff without the rows `---`, `+++` and `@@`: the path above it and its hunks. */
export interface BareDiff {
  readonly path: string | undefined;
  /** The index of its first row among the given rows. */
  readonly start: number;
  readonly hunks: readonly (readonly HunkRow[])[];
}

/** The code of a fence that may be a diff. */
export interface FencedRows {
  readonly rows: readonly string[];
  /** The text after the marks of the fence. */
  readonly info: string;
  /** The path above the fence. */
  readonly path: string | undefined;
}

/**
 * Reads a fence as a diff of bare rows, as earlier versions of GitHub Copilot request it: below its
 * path, `-` before deleted lines, `+` before new ones, and the others as they are. `undefined` for
 * anything else.
 *
 * A fence with another language than `diff`, `patch` or `udiff` gives `undefined`. One without a
 * language must have a path and rows of both kinds, and its file must be neither prose nor a list.
 * Where `path` is absent, the first row may be the path; that of a declared diff may be missing.
 */
export function tryReadBareDiff({ rows, info, path }: FencedRows): BareDiff | undefined {
  const isDeclared = /^(?:diff|patch|udiff)\b/i.test(info);
  if (!isDeclared && info !== "") return undefined;
  const inside = path === undefined ? tryReadPathRow(rows[0] ?? "", []) : undefined;
  const start = inside === undefined ? 0 : 1;
  const named = path ?? inside;
  if (rows.some((row) => /^(?:@@|\*\*\* |<{5,}|diff --git )/.test(row))) return undefined;
  const code = rows.slice(start);
  const has = (mark: string) => code.some((row) => row.startsWith(mark));
  const isDiff = isDeclared ? has("-") || has("+") : named !== undefined && mayBeDiffOf(named) && has("-") && has("+");
  return isDiff ? { path: named, start, hunks: hunksOf(code, named) } : undefined;
}

/**
 * Reads an answer without any fence as diffs of bare rows: each path alone in its row, with its
 * diff directly below. Returns them in order, with the index of the first row of each as `start`;
 * empty where there are none.
 */
export function readBareDiffs(rows: readonly string[]): readonly BareDiff[] {
  const heads = rows.flatMap((row, i) => (tryReadPathRow(row, []) === undefined ? [] : [i]));
  return heads.flatMap((at, k) => {
    const path = tryReadPathRow(rows[at]!, [])!;
    const all = rows.slice(at + 1, heads[k + 1]);
    const prose = all.findIndex((row, i) => i > 0 && all[i - 1]!.trim() === "" && readsAsWords(row));
    const code = prose < 0 ? all : all.slice(0, prose);
    const isDirect = code[0] !== undefined && code[0].trim() !== "";
    const found = isDirect ? tryReadBareDiff({ rows: code, info: "", path }) : undefined;
    return found === undefined ? [] : [{ ...found, start: at + 1 }];
  });
}

function mayBeDiffOf(path: string): boolean {
  return !isProseFile(path) && !/\.(?:ya?ml|diff|patch|rej|txt|csv)$/i.test(path);
}

/** The hunks between elision rows. */
function hunksOf(rows: readonly string[], path: string | undefined): readonly (readonly HunkRow[])[] {
  const staying = rows.filter((row) => row.trim() !== "" && !/^[-+]/.test(row));
  // Where all context lines begin with a blank, the blank is their mark.
  const isMarked = staying.length > 0 && staying.every((row) => row.startsWith(" "));
  const hunks: HunkRow[][] = [[]];
  for (const row of rows) {
    const { mark, text } = readHunkRow(row);
    if (mark === " " && isElision(row, path)) hunks.push([]);
    else hunks.at(-1)!.push(mark === " " && !isMarked ? { mark, text: row } : { mark, text });
  }
  return hunks.map(withoutBlankEnds).filter((hunk) => hunk.some(({ mark }) => mark !== " "));
}

function withoutBlankEnds(rows: readonly HunkRow[]): readonly HunkRow[] {
  const isFilled = ({ mark, text }: HunkRow) => mark !== " " || text.trim() !== "";
  return rows.slice(Math.max(0, rows.findIndex(isFilled)), rows.findLastIndex(isFilled) + 1);
}
