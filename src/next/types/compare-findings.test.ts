import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { TypeFinding } from "../../codebase/index.ts";
import { minimalEdit } from "../../text/index.ts";
import { compareFindings, editedLines } from "./compare-findings.ts";

/** A text with complaints: `«word»code` is one about a word, whose message is the word. */
function complaints(marked: string): { readonly text: string; readonly findings: readonly TypeFinding[] } {
  const findings: TypeFinding[] = [];
  const text = marked
    .replaceAll("¶", "\n")
    .split(/(«[^»]*»\d+)/)
    .reduce((read, part) => {
      const [, word, code] = /^«([^»]*)»(\d+)$/.exec(part) ?? [];
      if (word === undefined || code === undefined) return read + part;
      findings.push({ path: "a.ts", start: read.length, end: read.length + word.length, code, message: word });
      return read + word;
    }, "");
  return { text, findings };
}

/** What came and what went, as `+ word -word`. */
function compared(marked: string): string {
  const [before, after] = marked.split(" => ").map(complaints) as [
    ReturnType<typeof complaints>,
    ReturnType<typeof complaints>,
  ];
  const edit = minimalEdit(before.text, after.text);
  const lines = editedLines(before.text, edit, after.text);
  const { fresh, gone } = compareFindings(before.findings, after.findings, { edit, lines });
  return [...fresh.map(({ message }) => `+${message}`), ...gone.map(({ message }) => `-${message}`)].join(" ");
}

describe("what came and what went", () => {
  const cases: readonly (readonly [name: string, marked: string, said: string])[] = [
    ["nothing", "a «b»1 c => a «b»1 c", ""],
    ["a complaint moves with its line", "x¶«b»1 => new¶x¶«b»1", ""],
    ["a line moves with its complaint", "x¶y¶«b»1 => «b»1¶x¶y", ""],
    ["one comes", "a b => a «c»1", "+c"],
    ["one goes", "a «b»1 => a c", "-b"],
    ["a second of the same comes", "«b»1¶x => «b»1¶«b»1¶x", "+b"],
    ["in the edited line it says something else", "f(«a»1) => f(«b»1, c)", ""],
    ["elsewhere it says something else of the same place", "x¶f(«a»1) => y¶f(«a»1)", ""],
    ["another code in the edited line is another complaint", "f(«a»1) => f(«b»2)", "+b -a"],
    ["a library that is not there is not counted", "a => «import»7016 a", ""],
    ["nor what it would have told", "«import»7016¶f(x) => «import»7016¶f(«x»7006)", ""],
    ["without one missing, that counts", "f(x) => f(«x»7006)", "+x"],
  ];
  test.each(cases)("%s", (_, marked, said) => {
    expect(compared(marked)).toBe(said);
  });

  test("a module that is not found is a library, unless it is told by its place", () => {
    const missing = (name: string): TypeFinding => ({
      ...{ path: "a.ts", start: 0, end: 1, code: "2307" },
      message: `Cannot find module '${name}' or its corresponding type declarations.`,
    });
    expect(compareFindings([], [missing("zod"), missing("./row.ts"), missing("../row.ts")]).fresh).toHaveLength(2);
  });
});

test("law: of the same complaints none is fresh and none is gone, and counts add up", () => {
  const word = fc.constantFrom("a", "«b»1", "«c»1", "«b»2", "¶");
  const text = fc.array(word, { maxLength: 8 }).map((words) => words.join(" "));
  fc.assert(
    fc.property(text, text, (one, other) => {
      const before = complaints(one);
      const after = complaints(other);
      expect(compareFindings(before.findings, before.findings)).toEqual({ fresh: [], gone: [] });
      const edit = minimalEdit(before.text, after.text);
      const { fresh, gone } = compareFindings(before.findings, after.findings, { edit });
      expect(before.findings.length - gone.length).toBe(after.findings.length - fresh.length);
    }),
  );
});
