/** How often each token occurs. */
export type TokenBag = ReadonlyMap<string, number>;

/** Counts tokens. */
export function tokenBag(tokens: readonly string[]): TokenBag {
  const bag = new Map<string, number>();
  for (const token of tokens) bag.set(token, (bag.get(token) ?? 0) + 1);
  return bag;
}

/**
 * How alike two bags are: 0 for nothing in common, 1 for the same.
 *
 * Source: the coefficient of Sørensen and Dice, over multisets.
 */
export function likeness(one: TokenBag, other: TokenBag): number {
  let shared = 0;
  let total = 0;
  for (const [token, count] of one) {
    total += count;
    shared += Math.min(count, other.get(token) ?? 0);
  }
  for (const count of other.values()) total += count;
  return total === 0 ? 1 : (2 * shared) / total;
}
