import { expect, test } from "vitest";
import { Edit } from "../../text/index.ts";
import { AutoClosed } from "./auto-closed.ts";

/**
 * Each step is the text after one change: `«»` around what was put in, `|` where the cursor is
 * afterwards. Between two steps the text changes only there. Answers the text that counts as closed
 * by the editor, right of the cursor.
 */
function check(...steps: string[]): string {
  let text = steps[0]!.replace(/«.*»|\|/gs, "");
  let closed = AutoClosed.none;
  let cursor = 0;
  for (const step of steps) {
    cursor = step.replace(/[«»]/g, "").indexOf("|");
    const marked = step.replace("|", "");
    const after = marked.replace(/[«»]/g, "");
    const start = marked.indexOf("«");
    const inserted = /«(.*)»/s.exec(marked)?.[1] ?? "";
    const end = text.length - (after.length - start - inserted.length);
    const edit = Edit.replace({ start, end }, inserted);
    expect(edit.apply(text)).toBe(after);
    closed = closed.apply(edit);
    text = after;
  }
  const range = closed.rangeAt(cursor);
  return range === undefined ? "" : text.slice(range.start, range.end);
}

test.each<[what: string, steps: string[], closed: string]>([
  ["a bracket", ["f«(|)»"], ")"],
  ["text typed into it", ["f«(|)»", "f(«a|»)", "f(a«b|»)"], ")"],
  ["a bracket in a bracket", ["f«(|)»", "f(«[|]»)", "f([«a|»])"], "])"],
  ["a quote in a bracket", ["f«(|)»", 'f(«"|"»)'], '")'],
  ["two at once", ["x = «({|})»"], "})"],
  ["a block over lines", ["«{|}»", "{«\n  |\n»}"], ""],
  ["its last line", ["«{\n\n|}»"], "}"],
  ["typed over", ["f«(|)»", "f(«)|»"], ""],
  ["removed", ["f«(|)»", "f(«|»"], ""],
  ["text before it", ["f«()|»", "«gg|»f()", "ggf(«|»)"], ")"],
  ["closed by the person", ["f«(|»", "f(«)»|"], ""],
  ["other text with brackets", ["«f(a)|»"], ""],
  ["only closers", ["«)|»"], ""],
  ["two pairs beside each other", ["«()()|»"], ""],
])("closing characters that the editor inserted: %s", (_, steps, closed) => {
  expect(check(...steps)).toBe(closed);
});

test("remembers a limited number of closing characters", () => {
  let closed = AutoClosed.none;
  for (let count = 0; count < 1_000; count += 1) closed = closed.apply(Edit.insert(0, "()"));
  expect(closed.rangeAt(1)).toBeUndefined();
  expect(closed.rangeAt(1_999)).toEqual({ start: 1_999, end: 2_000 });
});
