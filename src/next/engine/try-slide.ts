import type { TextEdit } from "../../text/index.ts";

/**
 * Returns the insertion or deletion of `text` that begins at `start` and has the same effect as
 * `part`, which only inserts or only deletes; `undefined` where there is none.
 *
 * `x` inserted behind the `x` of `axb` could also be inserted before it: the texts do not show
 * which.
 */
export function trySlide(text: string, part: TextEdit, start: number): TextEdit | undefined {
  const length = part.end - part.start;
  const forward = start >= part.start;
  if (length === 0) {
    const passed = text.slice(Math.min(start, part.start), Math.max(start, part.start));
    const whole = forward ? part.text + passed : passed + part.text;
    if (forward ? !whole.startsWith(passed) : !whole.endsWith(passed)) return undefined;
    const inserted = forward ? whole.slice(passed.length) : whole.slice(0, part.text.length);
    return { start, end: start, text: inserted };
  }
  const [near, far] = forward ? [part.start, start] : [start, part.start];
  const isSame = text.slice(near, far) === text.slice(near + length, far + length);
  return isSame && far + length <= text.length ? { start, end: start + length, text: "" } : undefined;
}
