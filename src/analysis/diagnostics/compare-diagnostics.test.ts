import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { minimalEdit } from "../../text/index.ts";
import { compareDiagnostics, editedLines, newDiagnostics } from "./compare-diagnostics.ts";
import type { Diagnostic } from "./type-checker.ts";

/**
 * Diagnostics as `KEY message`, separated by commas; `-` is none, and the key `_` does not count.
 */
const cases: readonly (readonly [before: string, now: string, fresh: string])[] = [
  ["-", "a x", "a x"],
  ["a x", "a x", "-"],
  ["a x", "a y", "-"],
  ["a x", "-", "-"],
  ["a x", "a x, a y", "a y"],
  ["a x", "a y, a x", "a y"],
  ["a x", "a y, a z", "a y, a z"],
  ["a x", "a x, a x", "a x"],
  ["a x", "b x", "b x"],
  ["a x, a y", "a y, a z, a x, b y", "a z, b y"],
  ["a x, a y, a y", "a y", "-"],
  ["_ x", "_ x, _ y", "-"],
];

const read = (notation: string) =>
  notation
    .split(", ")
    .filter((one) => one !== "-")
    .map((one) => ({ message: one.slice(2), one }));

const keyOf = ({ one }: { readonly one: string }) => (one[0] === "_" ? undefined : one[0]);

test.each(cases)("newDiagnostics from %s to %s", (before, now, fresh) => {
  const found = newDiagnostics(read(before), read(now), keyOf).map(({ one }) => one);
  expect(found.join(", ") || "-").toBe(fresh);
});

test("law: newDiagnostics finds some where a key has more diagnostics than before, and none elsewhere", () => {
  const list = fc.array(fc.constantFrom("a x", "a y", "a z", "b x", "b y"), { maxLength: 8 });
  fc.assert(
    fc.property(list, list, (before, after) => {
      const [old, now] = [before, after].map((all) => read(all.join(", ") || "-"));
      const fresh = newDiagnostics(old!, now!, keyOf).map(({ one }) => one[0]);
      const times = (all: readonly string[], key: string) => all.filter((one) => one.startsWith(key)).length;
      const grown = ["a", "b"].filter((key) => times(after, key) > times(before, key));
      expect([...new Set(fresh)].sort()).toEqual(grown);
      for (const key of grown)
        expect(fresh.filter((one) => one === key).length).toBeGreaterThanOrEqual(
          times(after, key) - times(before, key),
        );
    }),
  );
});

/** Reads a text with diagnostics: `«word»code` is one at a word, whose message is the word. */
function readDiagnostics(marked: string): { readonly text: string; readonly diagnostics: readonly Diagnostic[] } {
  const diagnostics: Diagnostic[] = [];
  const text = marked
    .replaceAll("¶", "\n")
    .split(/(«[^»]*»\d+)/)
    .reduce((read, part) => {
      const [, word, code] = /^«([^»]*)»(\d+)$/.exec(part) ?? [];
      if (word === undefined || code === undefined) return read + part;
      diagnostics.push({ path: "a.ts", start: read.length, end: read.length + word.length, code, message: word });
      return read + word;
    }, "");
  return { text, diagnostics };
}

/** Returns the new and the gone diagnostics as `+word -word`. */
function compared(marked: string): string {
  const [before, after] = marked.split(" => ").map(readDiagnostics) as [
    ReturnType<typeof readDiagnostics>,
    ReturnType<typeof readDiagnostics>,
  ];
  const edit = minimalEdit(before.text, after.text);
  const lines = editedLines(before.text, edit, after.text);
  const { fresh, gone } = compareDiagnostics(before.diagnostics, after.diagnostics, { edit, lines });
  return [...fresh.map(({ message }) => `+${message}`), ...gone.map(({ message }) => `-${message}`)].join(" ");
}

describe("comparing diagnostics before and after an edit", () => {
  const cases: readonly (readonly [name: string, marked: string, expected: string])[] = [
    ["an equal diagnostic is paired", "a «b»1 c => a «b»1 c", ""],
    ["a diagnostic that moves with its line is paired", "x¶«b»1 => new¶x¶«b»1", ""],
    ["a diagnostic on a moved line is paired", "x¶y¶«b»1 => «b»1¶x¶y", ""],
    ["a new diagnostic is reported", "a b => a «c»1", "+c"],
    ["a gone diagnostic is reported", "a «b»1 => a c", "-b"],
    ["a second equal diagnostic is new", "«b»1¶x => «b»1¶«b»1¶x", "+b"],
    ["a diagnostic with another message in the edited line is paired", "f(«a»1) => f(«b»1, c)", ""],
    ["a diagnostic with another message at the same place is paired", "x¶f(«a»1) => y¶f(«a»1)", ""],
    ["a diagnostic with another code in the edited line is new", "f(«a»1) => f(«b»2)", "+b -a"],
    ["a missing library is left out", "a => «import»7016 a", ""],
    [
      "a type that cannot be inferred is left out while a library is missing",
      "«import»7016¶f(x) => «import»7016¶f(«x»7006)",
      "",
    ],
    ["a type that cannot be inferred counts without a missing library", "f(x) => f(«x»7006)", "+x"],
  ];
  test.each(cases)("comparing diagnostics: %s", (_, marked, expected) => {
    expect(compared(marked)).toBe(expected);
  });

  test("a module that is not found is a library unless its name is no package name", () => {
    const missing = (name: string): Diagnostic => ({
      ...{ path: "a.ts", start: 0, end: 1, code: "2307" },
      message: `Cannot find module '${name}' or its corresponding type declarations.`,
    });
    const names = ["zod", "@scope/zod/sub", "node:fs", "./row.ts", "../row.ts", "@/row", "#row"];
    const found = compareDiagnostics([], names.map(missing)).fresh.map(({ message }) => message.split("'")[1]);
    expect(found).toEqual(["./row.ts", "../row.ts", "@/row", "#row"]);
  });
});

test("law: equal diagnostics give neither new nor gone ones, and counts add up", () => {
  const word = fc.constantFrom("a", "«b»1", "«c»1", "«b»2", "¶");
  const text = fc.array(word, { maxLength: 8 }).map((words) => words.join(" "));
  fc.assert(
    fc.property(text, text, (one, other) => {
      const before = readDiagnostics(one);
      const after = readDiagnostics(other);
      expect(compareDiagnostics(before.diagnostics, before.diagnostics)).toEqual({ fresh: [], gone: [] });
      const edit = minimalEdit(before.text, after.text);
      const { fresh, gone } = compareDiagnostics(before.diagnostics, after.diagnostics, { edit });
      expect(before.diagnostics.length - gone.length).toBe(after.diagnostics.length - fresh.length);
    }),
  );
});
