import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { CodeBlock } from "../graph/code-block.ts";
import { OverlayCheck } from "./overlay-check.ts";
import type { FileDiagnostic, OverlayTypeChecker } from "./type-checker.ts";

/** A checker of one file. Each `!CODE` in the text is an error. */
class MarkChecker implements OverlayTypeChecker {
  text: string;
  readonly log: string[] = [];

  constructor(text: string) {
    this.text = text;
  }

  async update(texts: ReadonlyMap<string, string | undefined>): Promise<void> {
    this.text = texts.get("a.ts")!;
    this.log.push(this.text);
  }

  async errorsOf(): Promise<readonly FileDiagnostic[]> {
    return errorsIn(this.text);
  }
}

function errorsIn(text: string): readonly FileDiagnostic[] {
  return [...text.matchAll(/!(\w+)/g)].map(({ 0: message, 1: code, index }) => ({
    ...{ path: "a.ts", start: index, end: index + message.length, code: code!, message: message + index },
  }));
}

/** Each line is a block, whose name is its first word. */
function blocksOf(path: string, text: string): readonly CodeBlock[] {
  return [...text.matchAll(/(\w+)[^\n]*/g)].map(({ 0: line, 1: name, index }) => {
    const range = { start: index, end: index + line.length };
    return { path, kind: "function", name, range, ownRange: range } as unknown as CodeBlock;
  });
}

function open(before: string, after: string, isApplied = false) {
  const checker = new MarkChecker(isApplied ? after : before);
  const check = new OverlayCheck({
    ...{ checker, blocksOf, isApplied, before: errorsIn(before), changed: new Map([["a.ts", { before, after }]]) },
    textOf: () => undefined,
    treeOf: () => undefined,
  });
  return {
    checker,
    check,
    print: (all: readonly FileDiagnostic[]) => all.map((one) => check.keyOf(one)!.replace("\n", " ")),
  };
}

/** Texts are lines, separated by `/`; an error is its block and code. */
test.each<[what: string, before: string, after: string, further: string, first: string[], then: string[]]>([
  ["an error of the change", "f/g", "f !1/g", "f/g", ["a.ts|function:f 1"], []],
  ["an older error is not new where its line moved", "f !1/g", "x/f !1/g", "x/f !1/g !2", [], ["a.ts|function:g 2"]],
  [
    "a block that a repair renamed keeps its name of before",
    "f/g",
    "f !1/g",
    "h !1/g",
    ["a.ts|function:f 1"],
    ["a.ts|function:f 1"],
  ],
  [
    "a block behind a new one keeps its name",
    "f/g",
    "f/g !1",
    "new/f/g !1",
    ["a.ts|function:g 1"],
    ["a.ts|function:g 1"],
  ],
  [
    "an older error in a block that the change renamed is not new",
    "f !1/g",
    "h !1/g",
    "h !1/g !1",
    [],
    ["a.ts|function:g 1"],
  ],
  ["an error outside of all blocks counts by its file", "f", "!1/f", "!1/f", ["a.ts 1"], ["a.ts 1"]],
  ["a missing type of a library does not count", "f/g", "f !7016/g", "f !2580/g", [], []],
])("an overlay check finds the new errors, and restores the texts: %s", async (_, ...texts) => {
  const [before, after, further, first, then] = texts;
  const lines = (text: string) => text.replaceAll("/", "\n");
  const { checker, check, print } = open(lines(before), lines(after));
  expect(print(await check.start())).toEqual(first);
  expect(print(await check.update(new Map([["a.ts", lines(further)]])))).toEqual(then);
  expect(print(await check.start())).toEqual(first);
  await check.restore();
  expect(checker.text).toBe(lines(before));
});

test("a change that the checker has already is checked without an update, and stays", async () => {
  const { checker, check, print } = open("f", "f !1", true);
  expect(print(await check.start())).toEqual(["a.ts|function:f 1"]);
  await check.restore();
  expect(checker.log).toEqual([]);
  expect(print(await check.update(new Map([["a.ts", "f"]])))).toEqual([]);
  await check.restore();
  expect(checker.log).toEqual(["f", "f !1"]);
});

/** Reads a text with diagnostics: `«word»code` is one at a word, whose message is the word. */
function readDiagnostics(marked: string): { readonly text: string; readonly diagnostics: readonly FileDiagnostic[] } {
  const diagnostics: FileDiagnostic[] = [];
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

function difference(before: readonly FileDiagnostic[], after: readonly FileDiagnostic[]) {
  const checker = new MarkChecker("");
  const request = {
    checker,
    before,
    changed: new Map(),
    textOf: () => "",
    blocksOf: () => [],
    treeOf: () => undefined,
  };
  return new OverlayCheck(request).compare(after);
}

/** Returns the new and the gone diagnostics as `+word -word`. */
function compared(marked: string): string {
  const [before, after] = marked.split(" => ").map(readDiagnostics) as [
    ReturnType<typeof readDiagnostics>,
    ReturnType<typeof readDiagnostics>,
  ];
  const { fresh, gone } = difference(before.diagnostics, after.diagnostics);
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
    const missing = (name: string): FileDiagnostic => ({
      ...{ path: "a.ts", start: 0, end: 1, code: "2307" },
      message: `Cannot find module '${name}' or its corresponding type declarations.`,
    });
    const names = ["zod", "@scope/zod/sub", "node:fs", "./row.ts", "../row.ts", "@/row", "#row"];
    const found = difference([], names.map(missing)).fresh.map(({ message }) => message.split("'")[1]);
    expect(found).toEqual(["./row.ts", "../row.ts", "@/row", "#row"]);
  });
});

test("law: equal diagnostics give neither new nor gone ones, and reversing swaps the two", () => {
  const word = fc.constantFrom("a", "«b»1", "«c»1", "«b»2", "¶");
  const text = fc.array(word, { maxLength: 8 }).map((words) => words.join(" "));
  fc.assert(
    fc.property(text, text, (one, other) => {
      const [before, after] = [readDiagnostics(one).diagnostics, readDiagnostics(other).diagnostics];
      expect(difference(before, before)).toEqual({ fresh: [], gone: [] });
      const { fresh, gone } = difference(before, after);
      expect(difference(after, before)).toEqual({ fresh: gone, gone: fresh });
    }),
  );
});
