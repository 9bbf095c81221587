import { choosePlaces } from "./places.ts";
import type { RowCollector } from "./row-collector.ts";
import { shuffle } from "./seeded-random.ts";

/** Lines of one file that become places before the next file's turn. */
const placesPerFile = 5;

/**
 * Collects rows from files as they are: one file after the other is taken out of what is learnt,
 * and its places become rows.
 *
 * All of `files` (text by path) must be learnt, and are again afterwards. Stops at `rows` more
 * rows, or when every file has had its turn.
 */
export function collectStatic(
  collector: RowCollector,
  files: ReadonlyMap<string, string>,
  { rows, random }: { readonly rows: number; readonly random: () => number },
): void {
  const end = collector.rowCount + rows;
  for (const [path, text] of shuffle([...files], random)) {
    if (collector.rowCount >= end) return;
    collector.forget(path);
    collector.collect(choosePlaces({ path, text, count: placesPerFile }, random));
    collector.learn(path, text);
  }
}
