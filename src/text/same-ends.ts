/** How many items two sequences share at their ends; none is counted twice. */
export interface SharedEnds {
  readonly front: number;
  readonly back: number;
}

/**
 * How many items, or UTF-16 units, two sequences have in common in front, and how many of the rest
 * at the end.
 */
export function sameEnds<T>(one: ArrayLike<T>, other: ArrayLike<T>): SharedEnds {
  const most = Math.min(one.length, other.length);
  let front = 0;
  while (front < most && one[front] === other[front]) front++;
  let back = 0;
  while (back < most - front && one[one.length - 1 - back] === other[other.length - 1 - back]) back++;
  return { front, back };
}
