import fc from "fast-check";
import { expect, test } from "vitest";
import { languageById, Structure } from "../syntax/index.ts";
import { readEdit } from "../text/edit.laws.ts";
import { mendedBrackets } from "./mend-brackets.ts";

const language = languageById("typescript")!;

/** An edit in the notation `a[old|new]b`, and what its new text may have meant, the likeliest first. */
test.each<[string, string, readonly string[]]>([
  ["brackets that are as they were", "[f(a)|g(a)];", []],
  ["brackets that both texts lack", "f([a, b|b, a]);", []],
  ["a closer in front of a sign", "[f(a);|f(a, b;]", ["f(a, b);", "f(a, b;)", "f(a, b;\n)"]],
  ["a closer in front of a block", "[if (a) {|if (f(a) {]\n}", ["if (f(a)) {", "if (f(a) {)", "if (f(a) {\n)"]],
  ["a block that is not closed", "[|if (a) {\n  b();\n]", ["if (a) {\n  b();\n}\n", "if (a) {\n  b();}\n"]],
  ["its own indentation", "  [|if (a) {\n    b();]", ["if (a) {\n    b();\n  }", "if (a) {\n    b();}"]],
  ["two at once", "[|f(g(a;\n]", ["f(g(a));\n", "f(g(a;))\n", "f(g(a;\n))\n"]],
  ["a closer that was there", "f([a)|b];", ["b)"]],
  ["lines that go, with a closer", "if (a) {\n  b();\n[  c();\n  }\n|]d();\n", ["  }\n"]],
  ["with one, and its sign", "f(() => {\n[  a();\n});\n|]b();\n", ["});\n", "})\n"]],
  ["with two", "{\n{\n[  a();\n  }\n}\n|]b();\n", ["  }\n}\n", "}}\n"]],
  ["with other code on its line", "{\n[  a(); }\n|]b();\n", ["  }\n"]],
  ["other line endings", "{\r\n[  a();\r\n}\r\n|]b();\r\n", ["}\r\n"]],
  ["at the end of a file", "{\n  a();[\n  b();\n}|]", ["\n}"]],
  ["lines that change, with a closer", "{\n[  a();\n}|  b();]\nc();\n", ["  b();\n}", "  b()};", "  b();}"]],
  ["one too many", "[f(a);|f(b));]", ["f(b);"]],
  ["one on a line of its own", "if (a) {\n[  b();\n|  c();\n}\n]}", ["  c();\n", "  c();\n\n"]],
  ["an opener that went", "[f(a)|a)]", ["a"]],
  ["of two kinds, one more and one less", "[f(a)|f[a)]", []],
  ["more than three", "[|f(g(h(i(]", []],
  ["in a string", '[a|"("]', []],
])("%s", (_, notation, expected) => {
  const { text, edit } = readEdit(notation);
  const mended = mendedBrackets(text, edit.edits[0]!, language);
  expect(mended.map((one) => one.text)).toEqual(expected);
});

test("what is mended leaves as many brackets open as were, and its own lines", () => {
  const source = fc.string({ unit: fc.constantFrom("a", "(", ")", "{", "}", ";", "\n", "\r\n", " "), maxLength: 12 });
  const balance = (text: string) =>
    ["()", "{}"].map(([open, close]) => {
      const { unmatched } = Structure.of(text, language);
      return unmatched.filter((one) => one.text === open).length - unmatched.filter((one) => one.text === close).length;
    });
  const count = (text: string, sign: string) => text.split(sign).length - 1;
  const endsLine = (text: string) => text.endsWith("\n");
  fc.assert(
    fc.property(source, fc.oneof(source, fc.constant("")), (before, after) => {
      for (const { text } of mendedBrackets(before, { start: 0, end: before.length, text: after }, language)) {
        expect(balance(text)).toEqual(balance(before));
        expect(text.replace(/[(){};\s]/g, "")).toBe(after.replace(/[(){};\s]/g, ""));
        // With a line of its own a bracket gets the sign back that stood there.
        expect(count(text, ";")).toBeGreaterThanOrEqual(count(after, ";"));
        expect(count(text, ";")).toBeLessThanOrEqual(count(after, ";") + count(before, ";"));
        if (endsLine(before) && (after === "" || endsLine(after)) && text !== "") expect(text).toSatisfy(endsLine);
      }
    }),
  );
});
