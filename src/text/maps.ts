/** Adds a value to the group of `key`, which begins with it where there is none. */
export function addToGroup<Key, Value>(groups: Map<Key, Value[]>, key: Key, value: Value): void {
  const group = groups.get(key);
  if (group === undefined) groups.set(key, [value]);
  else group.push(value);
}

/**
 * Groups items by a key, both in the order in which they come first: `Map.groupBy`, which Node 20
 * lacks.
 */
export function groupBy<Item, Key>(items: Iterable<Item>, keyOf: (item: Item) => Key): Map<Key, Item[]> {
  const groups = new Map<Key, Item[]>();
  for (const item of items) addToGroup(groups, keyOf(item), item);
  return groups;
}

/**
 * Returns the value of `key`; where there is none, the one that `make` returns, which is set. The
 * value `undefined` counts as none. It is `getOrInsertComputed`, which Node 20 lacks.
 */
export function getOrInsert<Key, Value>(
  map: { get(key: Key): Value | undefined; set(key: Key, value: Value): unknown },
  key: Key,
  make: () => Value,
): Value {
  const known = map.get(key);
  if (known !== undefined) return known;
  const made = make();
  map.set(key, made);
  return made;
}

/** Counts how often each item occurs; items are compared as `Map` keys are. */
export function countsOf<Item>(items: Iterable<Item>): Map<Item, number> {
  const counts = new Map<Item, number>();
  for (const item of items) counts.set(item, (counts.get(item) ?? 0) + 1);
  return counts;
}

/**
 * Returns the items that two lists have in common, each as often as both contain it, in the order
 * of the second. Items are compared as `Map` keys are.
 */
export function sharedItems<T>(one: readonly T[], other: readonly T[]): readonly T[] {
  const left = countsOf(one);
  return other.filter((item) => {
    const count = left.get(item) ?? 0;
    if (count > 0) left.set(item, count - 1);
    return count > 0;
  });
}
