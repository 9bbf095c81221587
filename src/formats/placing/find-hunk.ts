import { diffSequences, type SequenceChange } from "../../text/index.ts";
import { type BlockPlace, type BlockPlaces, differences, findBlock, straightened } from "./find-block.ts";
import { tryHunkIndent, tryWrittenIndent } from "./hunk-indent.ts";
import { type HunkRow, newLines, oldLines } from "./hunk-rows.ts";
import { hasWords, type LineKey, withFoldedBlanks, withPlainTypography } from "./line-keys.ts";
import type { WorkingText } from "./working-text.ts";

/**
 * Searches the lines of a hunk as {@link findBlock} does, and then also with context lines that
 * have one or two blanks more or less indentation than in the file.
 *
 * Such a row may have lost its mark, so that its first blank was read as one, or have the mark
 * twice. `tryHunkIndent` chooses the indentation of new lines beside such rows. Returns `undefined`
 * where nothing matches.
 */
export function findHunk(rows: readonly HunkRow[], text: WorkingText): BlockPlaces | undefined {
  const found = findBlock(oldLines(rows), newLines(rows), text);
  if (found !== undefined && !found.normalizations.includes("indentation")) return found;
  return findLoosely(rows, text) ?? found;
}

const looseKey: LineKey = (line) => withFoldedBlanks(withPlainTypography(line));

function findLoosely(rows: readonly HunkRow[], text: WorkingText): BlockPlaces | undefined {
  const [search, replace] = [oldLines(rows), newLines(rows)];
  if (!search.some((line) => line.trim() !== "")) return undefined;
  const inRows = text
    .by(looseKey)
    .find(search.map(looseKey))
    .map((start): BlockPlace => {
      const lines = search.map((_, i) => start + i);
      return { start, end: start + search.length, lines, indent: (indent) => indent };
    });
  const [first] = inRows;
  if (first === undefined) return undefined;
  const read = straightened(search, replace, first, text);
  const changes = changesIn(rows, read);
  const placesBy = (rule: typeof tryHunkIndent) =>
    inRows.flatMap((place) => {
      const found = rule({ ...read, changes, start: place.start }, text);
      return found === undefined ? [] : [{ ...place, ...found }];
    });
  // Lines without a word, such as a lone brace, are distinguished by their indentation only.
  const isWordless = !search.some((line) => hasWords(line));
  const regular = isWordless ? [] : placesBy(tryHunkIndent);
  const places = regular.length > 0 ? regular : placesBy(tryWrittenIndent);
  if (places.length === 0) return undefined;
  return { places, ...read, changes, normalizations: differences(search, places[0]!, text) };
}

/**
 * The changes according to the marks of the rows, without lines that are removed and added again.
 */
function changesIn(
  rows: readonly HunkRow[],
  { search, replace }: Pick<BlockPlaces, "search" | "replace">,
): readonly SequenceChange[] {
  const changes: SequenceChange[] = [];
  let [before, after] = [0, 0];
  for (let i = 0; i < rows.length; ) {
    const stays = rows[i]!.mark === " ";
    const [beforeStart, afterStart] = [before, after];
    for (; i < rows.length && (rows[i]!.mark === " ") === stays; i++) {
      if (rows[i]!.mark !== "+") before++;
      if (rows[i]!.mark !== "-") after++;
    }
    if (stays) continue;
    for (const change of diffSequences(search.slice(beforeStart, before), replace.slice(afterStart, after))) {
      changes.push({
        beforeStart: beforeStart + change.beforeStart,
        beforeEnd: beforeStart + change.beforeEnd,
        afterStart: afterStart + change.afterStart,
        afterEnd: afterStart + change.afterEnd,
      });
    }
  }
  return changes;
}
