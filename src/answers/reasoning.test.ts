import fc from "fast-check";
import { expect, test } from "vitest";
import { ReasoningRows, readReasoning, withoutReasoning } from "./reasoning.ts";

test("withoutReasoning returns the answer without its reasoning", () => {
  expect(withoutReasoning("\n<think>\na\n</think>\n\n```\nx\n```")).toBe("```\nx\n```");
  expect(withoutReasoning("<think>\na")).toBe("");
  expect(withoutReasoning("x <think>a</think>")).toBe("x <think>a</think>");
  expect(withoutReasoning("a\r\n</think>\r\n\r\n```\nx")).toBe("```\nx");
});

test.each([
  ["```html\n<p>\n</think>\n```"],
  ["```ts\nconst open = 1;\nconst end = '</reasoning>\n```"],
  ["~~~\na\n  b </thought>\n~~~\n"],
  ["a\n```\n</thinking>\n```"],
])("row 51: the end of thoughts in a fence is code: %j", (answer) => expect(withoutReasoning(answer)).toBe(answer));

test("row 51: a draft in a fence belongs to reasoning without an opening tag", () => {
  expect(withoutReasoning("So:\n```\na\n```\n</think>\n```\nb\n```")).toBe("```\nb\n```");
});

test.each([
  ["in a row of its own", "<think>\na\n</think>\n\n  b", "  b"],
  ["in the row of the text", "<think>a</think>  b", "b"],
  ["twice", "<think>a</think>\n\n<thought>b\n</thought>\n  c", "  c"],
  ["without an opening tag", "a\n</think>\n  b", "  b"],
])("the indentation behind reasoning is kept: %s", (_, answer, text) => {
  expect(withoutReasoning(answer)).toBe(text);
});

const anyAnswer = fc
  .array(fc.constantFrom("<think>", "</think>", "<thought>", "</thought>", "<p>", "a", "  ", "\n", "\n\n", "\r\n"), {
    maxLength: 14,
  })
  .map((units) => units.join(""));

test("law: rows and the whole answer have the same reasoning", () => {
  let interesting = 0;
  fc.assert(
    fc.property(anyAnswer, (answer) => {
      const reasoning = new ReasoningRows();
      const rows = answer.split("\n").flatMap((row) => reasoning.take(row) ?? []);
      const { length, open } = readReasoning(answer);
      expect([reasoning.hasBegun, reasoning.isOpen]).toEqual([length > 0, open !== undefined]);
      const left = open === undefined ? answer.slice(length) : "";
      expect(rows.join("\n").trim()).toBe(left.trim());
      if (length > 0 && left.trim() !== "") interesting += 1;
    }),
    { numRuns: 1000 },
  );
  expect(interesting).toBeGreaterThan(30);
});
