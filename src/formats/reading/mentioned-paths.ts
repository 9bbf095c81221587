import { fencedCodeOf, tryReadCodeFence } from "./code-fence.ts";
import { pathsInRow, tryReadFenceInfoPath, tryReadPathRow } from "./path-row.ts";

/**
 * The texts of an answer that may be paths, each once: in the info of a fence, in a row of its own,
 * or in words. Rows of code and rows of more than 300 UTF-16 code units contain none.
 */
export function mentionedPaths(answer: string): readonly string[] {
  const code = fencedCodeOf(answer);
  const isCode = (i: number) => code.some(({ row, lines }) => row <= i && i < row + lines.length);
  const rows = answer.split(/\r?\n/).filter((row, i) => row.length <= 300 && !isCode(i));
  const paths = rows.flatMap((row) => {
    const fence = tryReadCodeFence(row);
    const path = fence === undefined ? tryReadPathRow(row, []) : tryReadFenceInfoPath(fence.info, []);
    const words = [...row.split(/\s+/).map(plain), ...pathsInRow(plain(row))];
    return [...(path === undefined ? [] : [path]), ...words.filter((word) => /[.][\p{L}\p{N}_]+$/u.test(word))];
  });
  return [...new Set(paths)];
}

/** `words` without quotes, brackets and punctuation around them. */
function plain(words: string): string {
  const last = [...words.matchAll(/[\p{L}\p{N}_]/gu)].at(-1);
  const end = last === undefined ? 0 : last.index + last[0].length;
  return words.slice(0, end).replace(/^[^\p{L}\p{N}_.@/~]+/u, "");
}
