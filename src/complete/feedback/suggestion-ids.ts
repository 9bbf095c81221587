/**
 * Returns new ids for suggestions: `ghost-1`, `ghost-2` and so on. A host passes one source to all
 * of its engines, so that an id names one suggestion in all of them.
 */
export function suggestionIds(prefix: string): () => string {
  let count = 0;
  return () => `${prefix}-${++count}`;
}
