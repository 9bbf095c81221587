import { expect, test } from "vitest";
import { Edit } from "../../../text/index.ts";
import { keepImportsSorted } from "./sorted-imports.ts";

/** The text with each `[old→new]` replaced, and its import lists kept sorted. */
function renamed(marked: string): string {
  const edits: { start: number; end: number; text: string }[] = [];
  let text = "";
  for (const [index, part] of marked.split(/\[([^\]]*)\]/).entries()) {
    const [old, to] = index % 2 === 0 ? [part] : (part.split("→") as [string, string]);
    if (to !== undefined) edits.push({ start: text.length, end: text.length + old!.length, text: to });
    text += old;
  }
  return Edit.of(keepImportsSorted(text, edits)).apply(text);
}

test.each([
  [
    "a sorted list",
    "import { [formatMoney→showMoney], type Money } from 'm';",
    "import { type Money, showMoney } from 'm';",
  ],
  ["an order that stays", "import { a, [b→c], d } from 'm';", "import { a, c, d } from 'm';"],
  ["a list in another order", "import { d, [b→c], a } from 'm';", "import { d, c, a } from 'm';"],
  ["the order of character codes", "import { B, a, [c→A] } from 'm';", "import { A, B, a } from 'm';"],
  ["two names of a list", "import { [a→y], [b→x], c } from 'm';", "import { c, x, y } from 'm';"],
  ["a default import", "import d, { [a→c], b } from 'm';", "import d, { b, c } from 'm';"],
  ["types alone", "import type { [a→c], b } from 'm';", "import type { b, c } from 'm';"],
  ["an alias, by the imported name", "import { [a→c] as z, b } from 'm';", "import { b, c as z } from 'm';"],
  ["a name that becomes an alias", "import { [→c as ]a, b } from 'm';", "import { b, c as a } from 'm';"],
  ["several lines", "import {\n  [a→c],\n  b,\n} from 'm';\n[a→c]();", "import {\n  b,\n  c,\n} from 'm';\nc();"],
  [
    "another list of the text",
    "import { [a→c], b } from 'm';\nimport { [a→c], 0 } from 'n';",
    "import { b, c } from 'm';\nimport { c, 0 } from 'n';",
  ],
  ["a comment", "import { [a→c], /* this */ b } from 'm';", "import { c, /* this */ b } from 'm';"],
  ["a name that is there", "import { [a→c], b, c } from 'm';", "import { c, b, c } from 'm';"],
  ["a removed specifier", "import { [a, →]b, c } from 'm';", "import { b, c } from 'm';"],
  ["a re-export", "export { [a→c], b } from 'm';", "export { b, c } from 'm';"],
  ["an export", "export { [a→c], b };", "export { c, b };"],
  ["a pattern", "const { [a→c], b } = m;", "const { c, b } = m;"],
  [
    "a list of many lines",
    `import {\n[a→z],\n${"b,\n".repeat(1)}${[..."cdefghijklmnopqrstuv"].map((x) => `${x},\n`).join("")}} from 'm';`,
    `import {\nz,\nb,\n${[..."cdefghijklmnopqrstuv"].map((x) => `${x},\n`).join("")}} from 'm';`,
  ],
])("%s", (_, marked, expected) => {
  expect(renamed(marked)).toBe(expected);
});
