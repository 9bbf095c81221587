/** Whether a value, such as one read from JSON, is an object and no list. */
export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/**
 * The most levels that the objects and lists of a JSON text may nest. Its readers are recursive.
 */
export const maxJsonNesting = 500;

/** Strings and comments, also without their ends, and brackets. */
const mark = /"(?:[^"\\\r\n]|\\[^\r\n])*"?|\/\/[^\r\n]*|\/\*[\s\S]*?(?:\*\/|$)|[[\]{}]/g;

/**
 * Returns the offset, in UTF-16 units, of the first bracket of a JSON text that is nested more than
 * `levels` levels deep; `undefined` where none is. Comments are skipped. A closing bracket counts
 * only where it closes the innermost one that is open, as in parsers that continue after errors.
 */
export function deepPlaceInJson(text: string, levels = maxJsonNesting): number | undefined {
  const open: string[] = [];
  for (const { 0: found, index } of text.matchAll(mark)) {
    if (found === "[" || found === "{") open.push(found);
    else if ((found === "]" && open.at(-1) === "[") || (found === "}" && open.at(-1) === "{")) open.pop();
    if (open.length > levels) return index;
  }
  return undefined;
}

/**
 * `value` as JSON in ASCII: other characters are escaped. Read as `latin1`, a large text takes a
 * third of the processor time and half the memory of one with a single character beyond that.
 */
export function asciiJson(value: unknown): string {
  return JSON.stringify(value).replace(
    /[\u0080-\uffff]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}
