/**
 * Returns the items that two lists have in common, each as often as both contain it, in the order
 * of the second. Items are compared as `Map` keys are.
 */
export function sharedItems<T>(one: readonly T[], other: readonly T[]): readonly T[] {
  const left = new Map<T, number>();
  for (const item of one) left.set(item, (left.get(item) ?? 0) + 1);
  return other.filter((item) => {
    const count = left.get(item) ?? 0;
    if (count > 0) left.set(item, count - 1);
    return count > 0;
  });
}
