/** The numbers of common items at both ends of two sequences; none is counted twice. */
export interface SharedEnds {
  readonly front: number;
  readonly back: number;
}

/**
 * Returns the number of items, or UTF-16 units, that two sequences have in common at the start, and
 * the number that the rests have in common at the end.
 */
export function sameEnds<T>(one: ArrayLike<T>, other: ArrayLike<T>): SharedEnds {
  const most = Math.min(one.length, other.length);
  let front = 0;
  while (front < most && one[front] === other[front]) front++;
  let back = 0;
  while (back < most - front && one[one.length - 1 - back] === other[other.length - 1 - back]) back++;
  return { front, back };
}
