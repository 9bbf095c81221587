import { type CodeIndex, type OpenFile, SimilarSnippets } from "../../src/context/index.ts";
import { wordLines } from "../../src/context/worded-lines.ts";
import { comparePaths, folderDistance, folderOf } from "../../src/workspace/index.ts";
import type { CompletionCase } from "../complete/load-cases.ts";

/** Texts that were chosen to be shown, and how many lines they have. */
export interface Chosen {
  readonly texts: readonly string[];
  readonly lines: number;
}

/**
 * The 20 files that are nearest to a file in the tree, as if they were open; the same language
 * family is not required.
 */
export function nearestTabs(index: CodeIndex, path: string): OpenFile[] {
  const folder = folderOf(path);
  return [...index.paths]
    .filter((one) => /\.[cm]?[jt]sx?$/.test(one))
    .map((one) => ({ one, distance: folderDistance(folderOf(one), folder) }))
    .sort((a, b) => a.distance - b.distance || comparePaths(a.one, b.one))
    .slice(0, 20)
    .map(({ one }) => ({ path: one, language: index.file(one)!.language, text: index.text(one)! }));
}

/**
 * What Copilot would take: the best 60-line window of each of 20 open files by plain Jaccard, the
 * best four.
 */
export function jaccardOfTabs(index: CodeIndex, one: CompletionCase): Chosen {
  const found = new SimilarSnippets({ mode: "plain-jaccard" }).find(one.prefix, nearestTabs(index, one.file));
  return {
    texts: found.map(({ text }) => text),
    lines: found.reduce((sum, { lines }) => sum + lines.end - lines.start, 0),
  };
}

/**
 * The twelve best 20-line windows of the whole repository by BM25, for the words of the 20
 * lines before.
 */
export function plainBm25(index: CodeIndex, one: CompletionCase): Chosen {
  const before = one.prefix.split("\n").slice(-20).join("\n");
  const words = new Set(wordLines(before, index.words, { kind: "identifiers", knownOnly: true }).words);
  const query = Array.from(words, (word) => ({ word, weight: 1 }));
  const chosen: ReturnType<CodeIndex["search"]> = [];
  for (const window of index.search(query, { limit: 100 })) {
    const overlaps = chosen.some(
      ({ file, lines }) => file === window.file && lines.start < window.lines.end && window.lines.start < lines.end,
    );
    if (!overlaps && chosen.length < 12) chosen.push(window);
  }
  return {
    texts: chosen.map(({ file, lines }) =>
      file.text.slice(file.lines.offsets[lines.start], file.lines.offsets[lines.end]),
    ),
    lines: chosen.reduce((sum, { lines }) => sum + lines.end - lines.start, 0),
  };
}
