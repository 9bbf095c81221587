/**
 * The name that `written` was most likely meant to be, the first of equally near ones, or
 * `undefined` when none is near.
 *
 * Case and signs do not count; a third of the letters may be wrong, at most three.
 */
export function tryNearestName(written: string, names: Iterable<string>): string | undefined {
  const bare = bareName(written);
  let nearest: string | undefined;
  let least = Math.min(3, Math.floor(bare.length / 3)) + 1;
  for (const name of names) {
    const distance = editDistance(bare, bareName(name));
    if (distance >= least) continue;
    nearest = name;
    least = distance;
  }
  return nearest;
}

function bareName(name: string): string {
  const bare = name.toLowerCase().replace(/[^a-z0-9]/g, "");
  return bare === "" ? name : bare;
}

/**
 * How many letters must be put in, taken out, changed, or swapped with their neighbour. A swap is
 * one step, as it is one slip: by the Levenshtein distance `modle` is as far from `model` as
 * `mod`.
 *
 * Source: optimal string alignment, after Damerau 1964.
 */
function editDistance(one: string, other: string): number {
  // A name this long is no slip of one of ours.
  if (Math.abs(one.length - other.length) > 3) return Number.POSITIVE_INFINITY;
  let beforeLast: number[] = [];
  let last = Array.from({ length: other.length + 1 }, (_, j) => j);
  for (let i = 1; i <= one.length; i++) {
    const row = [i];
    for (let j = 1; j <= other.length; j++) {
      const change = last[j - 1]! + (one[i - 1] === other[j - 1] ? 0 : 1);
      const swapped = i > 1 && j > 1 && one[i - 1] === other[j - 2] && one[i - 2] === other[j - 1];
      const swap = swapped ? beforeLast[j - 2]! + 1 : Number.POSITIVE_INFINITY;
      row.push(Math.min(last[j]! + 1, row[j - 1]! + 1, change, swap));
    }
    beforeLast = last;
    last = row;
  }
  return last[other.length]!;
}
