import { detectLineEnding } from "../../text/index.ts";
import { editedFiles } from "../names/edited-files.ts";
import { wordChanges } from "../names/word-changes.ts";
import type { Moment } from "../next-edit-source.ts";

/**
 * Names that the last edits wrote in the place of others, and changed nothing else beside them: old names to new ones, the latest where several came.
 *
 * Whoever edits that word alone calls the same thing otherwise, however little the names are alike; a commit, which shows only what came of it, tells less.
 */
export function replacedNames(moment: Moment): ReadonlyMap<string, string> {
  const names = new Map<string, string>();
  for (const { text, edits } of editedFiles(moment)) {
    const lineBreak = detectLineEnding(text) ?? "\n";
    for (const edit of edits) {
      const { replaced, isWhole } = wordChanges(edit, lineBreak);
      if (!isWhole) continue;
      const pairs = new Map(replaced.map(({ before, after }) => [before.word, after.word]));
      const [pair] = pairs;
      if (pairs.size === 1 && pair !== undefined && !names.has(pair[0])) names.set(...pair);
    }
  }
  return names;
}
