import fc from "fast-check";
import { expect, test } from "vitest";
import { languageById, Structure } from "../../../syntax/index.ts";
import { readEdit } from "../../../text/edit.laws.ts";
import { repairedBrackets } from "./repair-brackets.ts";

const language = languageById("typescript")!;

/** An edit in the notation `a[old|new]b`, and the repairs of its new text, the likeliest first. */
test.each<[string, string, readonly string[]]>([
  ["no repair for balanced brackets", "[f(a)|g(a)];", []],
  ["no repair for brackets that both texts lack", "f([a, b|b, a]);", []],
  ["a closing bracket before punctuation", "[f(a);|f(a, b;]", ["f(a, b);", "f(a, b;)", "f(a, b;\n)"]],
  ["a closing bracket before a block", "[if (a) {|if (f(a) {]\n}", ["if (f(a)) {", "if (f(a) {)", "if (f(a) {\n)"]],
  ["the end of an open block", "[|if (a) {\n  b();\n]", ["if (a) {\n  b();\n}\n", "if (a) {\n  b();}\n"]],
  [
    "the end of a block with its indentation",
    "  [|if (a) {\n    b();]",
    ["if (a) {\n    b();\n  }", "if (a) {\n    b();}"],
  ],
  ["two closing brackets at once", "[|f(g(a;\n]", ["f(g(a));\n", "f(g(a;))\n", "f(g(a;\n))\n"]],
  ["a removed closing bracket", "f([a)|b];", ["b)"]],
  ["a closing bracket on removed lines", "if (a) {\n  b();\n[  c();\n  }\n|]d();\n", ["  }\n"]],
  ["a closing bracket on removed lines, with its punctuation", "f(() => {\n[  a();\n});\n|]b();\n", ["});\n", "})\n"]],
  ["two closing brackets on removed lines", "{\n{\n[  a();\n  }\n}\n|]b();\n", ["  }\n}\n", "}}\n"]],
  ["a closing bracket that shared its removed line", "{\n[  a(); }\n|]b();\n", ["  }\n"]],
  ["a closing bracket with the text's line endings", "{\r\n[  a();\r\n}\r\n|]b();\r\n", ["}\r\n"]],
  ["a closing bracket at the end of a file", "{\n  a();[\n  b();\n}|]", ["\n}"]],
  ["a closing bracket on changed lines", "{\n[  a();\n}|  b();]\nc();\n", ["  b();\n}", "  b()};", "  b();}"]],
  ["the removal of an extra closing bracket", "[f(a);|f(b));]", ["f(b);"]],
  ["the removal of an extra bracket with its line", "if (a) {\n[  b();\n|  c();\n}\n]}", ["  c();\n", "  c();\n\n"]],
  ["the removal of the partner of a removed opening bracket", "[f(a)|a)]", ["a"]],
  ["no repair for one bracket more and another less", "[f(a)|f[a)]", []],
  ["no repair for more than three brackets", "[|f(g(h(i(]", []],
  ["no repair for a bracket in a string", '[a|"("]', []],
])("repairs of brackets: %s", (_, notation, expected) => {
  const { text, edit } = readEdit(notation);
  const repaired = repairedBrackets(text, edit.edits[0]!, language);
  expect(repaired.map((one) => one.text)).toEqual(expected);
});

test("law: a repair leaves as many brackets open as before and keeps the edit's other text", () => {
  const source = fc.string({ unit: fc.constantFrom("a", "(", ")", "{", "}", ";", "\n", "\r\n", " "), maxLength: 12 });
  const lines = source.map((text) => `${text}\n`);
  const balance = (text: string) =>
    ["()", "{}"].map(([open, close]) => {
      const { unmatched } = Structure.of(text, language);
      return unmatched.filter((one) => one.text === open).length - unmatched.filter((one) => one.text === close).length;
    });
  const count = (text: string, sign: string) => text.split(sign).length - 1;
  const endsLine = (text: string) => text.endsWith("\n");
  let ofLines = 0;
  fc.assert(
    fc.property(fc.oneof(source, lines, lines), fc.oneof(source, lines, lines, fc.constant("")), (before, after) => {
      for (const { text } of repairedBrackets(before, { start: 0, end: before.length, text: after }, language)) {
        expect(balance(text)).toEqual(balance(before));
        expect(text.replace(/[(){};\s]/g, "")).toBe(after.replace(/[(){};\s]/g, ""));
        // A bracket on a line of its own gets the punctuation back that followed it.
        expect(count(text, ";")).toBeGreaterThanOrEqual(count(after, ";"));
        expect(count(text, ";")).toBeLessThanOrEqual(count(after, ";") + count(before, ";"));
        const isOfLines = endsLine(before) && (after === "" || endsLine(after)) && text !== "";
        ofLines += isOfLines ? 1 : 0;
        expect(isOfLines ? endsLine(text) : true).toBe(true);
      }
    }),
  );
  expect(ofLines).toBeGreaterThan(10);
});
