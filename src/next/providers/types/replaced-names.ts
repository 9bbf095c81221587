import { detectLineEnding } from "../../../text/index.ts";
import type { NextEditContext } from "../next-edit-provider.ts";
import { editedFiles } from "../rename/edited-files.ts";
import { wordChanges } from "../rename/word-changes.ts";

/**
 * Returns the names that recent edits replaced by others without any other change beside them: old
 * names to new ones, the latest where several were written.
 *
 * An edit of a single word is a rename however different the names are; a commit shows only the end
 * result, which is weaker evidence.
 */
export function replacedNames(context: NextEditContext): ReadonlyMap<string, string> {
  const names = new Map<string, string>();
  for (const { text, edits } of editedFiles(context)) {
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
