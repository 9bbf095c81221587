import { countsOf } from "../../text/index.ts";

/**
 * Returns the diagnostics of a later state that an earlier one did not have, where diagnostics are
 * matched by key: what stays the same while lines move and messages name types that change, such as
 * block and code. A diagnostic without a key is ignored. Where a key has no more diagnostics than
 * before, none of them is new. Where it has more, those with a message that it had before are not
 * new, and all others are, since which of them are older is unknown.
 */
export function newDiagnostics<T extends { readonly message: string }>(
  before: readonly T[],
  after: readonly T[],
  keyBefore: (one: T) => string | undefined,
  keyAfter = keyBefore,
): readonly T[] {
  const keyed = (all: readonly T[], keyOf: (one: T) => string | undefined) =>
    all.flatMap((one) => {
      const key = keyOf(one);
      return key === undefined ? [] : [{ key, one, words: `${key}\n${one.message}` }];
    });
  const [old, now] = [keyed(before, keyBefore), keyed(after, keyAfter)];
  const more = countsOf(now.map(({ key }) => key));
  for (const { key } of old) more.set(key, (more.get(key) ?? 0) - 1);
  const known = countsOf(old.map(({ words }) => words));
  const isKnown = (words: string) => {
    const times = known.get(words) ?? 0;
    known.set(words, times - 1);
    return times > 0;
  };
  return now.filter(({ key, words }) => !isKnown(words) && more.get(key)! > 0).map(({ one }) => one);
}
