import { asObject, type JsonObject } from "./json-texts.ts";

/**
 * Returns the targets of an entry of `exports` or `imports` of a `package.json`: those of all
 * conditions in their order, with `*` replaced. Empty where no entry matches.
 *
 * No condition is preferred, because they depend on the program that runs the code.
 *
 * Source: Node.js, [packages](https://nodejs.org/api/packages.html#subpath-patterns).
 */
export function entryTargets(entries: unknown, key: string): string[] {
  const object = asObject(entries);
  const keys = object === undefined ? [] : Object.keys(object);
  if (object === undefined || !keys.some((one) => /^[.#]/.test(one))) return key === "." ? leavesOf(entries) : [];
  if (key in object && !key.includes("*")) return leavesOf(object[key]);
  return patternTargets(object, key, leavesOf);
}

/**
 * Returns the targets of a key among patterns with one `*`. The pattern with the longest prefix
 * counts, as in `exports` and in the `paths` of a compiler. Empty where none matches.
 */
export function patternTargets(
  patterns: JsonObject,
  key: string,
  targetsOf: (value: unknown) => readonly string[],
): string[] {
  let best: { readonly start: string; readonly filled: string; readonly value: unknown } | undefined;
  for (const [pattern, value] of Object.entries(patterns)) {
    const [start, end, ...more] = pattern.split("*");
    if (start === undefined || end === undefined || more.length > 0) continue;
    if (!key.startsWith(start) || !key.endsWith(end) || key.length < start.length + end.length) continue;
    if (best !== undefined && best.start.length >= start.length) continue;
    best = { start, filled: key.slice(start.length, key.length - end.length), value };
  }
  if (best === undefined) return [];
  const { filled, value } = best;
  return targetsOf(value).map((target) => target.replaceAll("*", () => filled));
}

/** All strings inside a value. */
function leavesOf(value: unknown): string[] {
  if (typeof value === "string") return [value];
  if (Array.isArray(value)) return value.flatMap(leavesOf);
  return Object.values(asObject(value) ?? {}).flatMap(leavesOf);
}
