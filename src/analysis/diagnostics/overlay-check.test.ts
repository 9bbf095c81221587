import { expect, test } from "vitest";
import type { CodeBlock } from "../graph/code-block.ts";
import { OverlayCheck } from "./overlay-check.ts";
import type { Diagnostic, OverlayTypeChecker } from "./type-checker.ts";

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

  async errorsOf(): Promise<readonly Diagnostic[]> {
    return errorsIn(this.text);
  }
}

function errorsIn(text: string): readonly Diagnostic[] {
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
    print: (all: readonly Diagnostic[]) => all.map((one) => check.keyOf(one)!.replace("\n", " ")),
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
