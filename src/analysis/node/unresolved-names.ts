/**
 * Whether TypeScript would need too much time for the errors of a text, since the text uses many
 * names that nothing declares.
 *
 * At each such use the checker measures the distance to the names of every scope around it, in
 * order to suggest one: 10,000 of either take some 15 seconds, and the time grows with the square
 * of the text. Declared are names after a keyword. Undeclared are names that the text only reads,
 * alone and after `=`, `+`, `&` or `return`; the {@link maxKnown} most frequent of them may be
 * words of the language or global. So the count is too low rather than too high.
 */
export function hasManyUnresolvedNames(text: string): boolean {
  if (text.length < minCharacters) return false;
  const declared = new Set<string>();
  /** By name, how often it is read; 0 for a name that is not only read. */
  const reads = new Map<string, number>();
  for (const { groups } of text.matchAll(names)) {
    const { name = "", keyword, read } = groups ?? {};
    if (keyword !== undefined) declared.add(name);
    const known = reads.get(name);
    reads.set(name, read === undefined || known === 0 ? 0 : (known ?? 0) + 1);
  }
  const counts = [...reads.values()].sort((a, b) => b - a).slice(maxKnown);
  return counts.reduce((sum, count) => sum + count, 0) * declared.size > maxComparisons;
}

/** Names with what is before them, without members. */
const names =
  /(?:(?<keyword>\b(?:const|let|var|function|class|interface|type|enum|namespace) +)|(?<read>(?:[=+&]|\breturn) *(?=[\p{ID_Continue}$]+(?![\p{ID_Continue}$]| *[.(:]))))?(?<![.#\p{ID_Continue}$])(?<name>[\p{ID_Start}$_][\p{ID_Continue}$]*)/gu;

/** Words of the language after an operator, and global names that a text reads often. */
const maxKnown = 40;

/** The most comparisons of two names; so many take about a second. */
const maxComparisons = 10_000_000;

/** In UTF-16 units; a shorter text has too few names. */
const minCharacters = 20_000;
