/**
 * Finds all places where the items of `run` are consecutive in `items`; returns the index of the
 * first item of each, ascending. Places may overlap. Linear time.
 *
 * Source: Knuth, Morris and Pratt, "Fast Pattern Matching in Strings", 1977.
 */
export function findRun(run: readonly string[], items: readonly string[]): number[] {
  const found: number[] = [];
  if (run.length === 0 || run.length > items.length) return found;
  // For each item of the run, the length of the longest prefix that also ends there.
  const borders = new Int32Array(run.length);
  for (let i = 1, border = 0; i < run.length; i++) {
    while (border > 0 && run[i] !== run[border]) border = borders[border - 1]!;
    if (run[i] === run[border]) border++;
    borders[i] = border;
  }
  for (let i = 0, matched = 0; i < items.length; i++) {
    while (matched > 0 && items[i] !== run[matched]) matched = borders[matched - 1]!;
    if (items[i] === run[matched]) matched++;
    if (matched === run.length) {
      found.push(i + 1 - matched);
      matched = borders[matched - 1]!;
    }
  }
  return found;
}
