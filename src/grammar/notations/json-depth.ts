/** How deep the objects and lists of a grammar in JSON may nest. */
export const maxNesting = 1_000;

/** Whether the objects and lists of a value of JSON nest deeper than `levels`. */
export function isDeeperThan(value: unknown, levels: number): boolean {
  let level: unknown[] = [value];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > levels) return true;
    level = level.flatMap((each) => (typeof each === "object" && each !== null ? Object.values(each) : []));
  }
  return false;
}
