/**
 * Where the items of `run` stand one after the other in `items`: the index of the first of each such stretch, ascending;
 * stretches may overlap. Time is linear.
 *
 * Source: Knuth, Morris and Pratt, "Fast Pattern Matching in Strings", 1977.
 */
export function findRun(run: readonly string[], items: readonly string[]): number[] {
  const found: number[] = [];
  if (run.length === 0 || run.length > items.length) return found;
  // For each item of the run, how many of the first ones also end there.
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
