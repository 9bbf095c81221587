/** Numbers from 0 to 1, 1 excluded, the same for the same seed: the generator "mulberry32". */
export function seededRandom(seed: number): () => number {
  let state = seed | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** One of `items`, each as likely as the others. */
export function pick<Item>(items: readonly Item[], random: () => number): Item {
  return items[Math.floor(random() * items.length)]!;
}

/** Puts `items` into a random order, in place. Source: Fisher and Yates. */
export function shuffle<Items extends unknown[] | Uint32Array>(items: Items, random: () => number): Items {
  for (let i = items.length - 1; i > 0; i--) {
    const j = Math.floor(random() * (i + 1));
    const item = items[i];
    items[i] = items[j];
    items[j] = item;
  }
  return items;
}
