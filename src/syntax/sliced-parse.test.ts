import { afterAll, expect, test } from "vitest";
import { readGrammar } from "./node/index.ts";
import { TooLongTexts } from "./sliced-parse.ts";
import { createSyntax } from "./syntax.ts";

let yields = 0;
let clockMs = 0;
let isAfterYield = false;
const shared = createSyntax({
  readGrammar,
  thread: {
    givesUp: true,
    nowMs: () => {
      isAfterYield = false;
      clockMs += 0.05;
      return clockMs;
    },
    cpuMs: () => 0,
    yieldThread: async () => {
      isAfterYield = true;
      yields += 1;
    },
  },
});
const alone = createSyntax({ readGrammar });
afterAll(() => {
  shared[Symbol.dispose]();
  alone[Symbol.dispose]();
});

test.each([
  ["json", `[${'{"a": [1, 2, null]},'.repeat(10_000)}0]`],
  ["python", "def f(a):\n    return a + 1\n".repeat(6_000)],
  ["go", `package a\n${"func f(a int) int { return a }\n".repeat(6_000)}`],
  ["rust", `${"fn f(a: i32) -> i32 { a }\n".repeat(6_000)}fn (`],
])("row 14: a long text of %s parsed in slices gives the tree that it gives at once", async (language, text) => {
  yields = 0;
  const tree = (await shared.parse({ language, text }))!;
  // The caller's work on the tree begins in a turn of its own.
  expect(isAfterYield).toBe(true);
  const whole = (await alone.parse({ language, text }))!;
  expect(tree.toString()).toBe(whole.toString());
  expect(yields).toBeGreaterThan(0);
  tree[Symbol.dispose]();
  whole[Symbol.dispose]();
});

test.each([
  ["usual steps", 0.04, 20],
  ["slow steps", 1, 50],
  ["slower steps", 10, 80],
  ["very slow steps", 100, 400],
])("row 14: slices of a text with %s stay short, however many it has", async (_, stepMs, mostMs) => {
  let [nowMs, startMs, longestMs] = [0, 0, 0];
  const endSlice = async () => {
    longestMs = Math.max(longestMs, nowMs - startMs);
    startMs = nowMs;
  };
  const syntax = createSyntax({
    readGrammar,
    thread: {
      ...{ givesUp: false, cpuMs: () => nowMs, nowMs: () => (nowMs += stepMs) },
      yieldThread: endSlice,
    },
  });
  const tree = await syntax.parse({ language: "json", text: `[${"[1, 2, 3], ".repeat(30_000)}0]` });
  await endSlice();
  expect(tree?.hasError).toBe(false);
  expect(longestMs).toBeLessThanOrEqual(mostMs);
  tree?.[Symbol.dispose]();
  syntax[Symbol.dispose]();
});

test("a text that takes too long to parse has no tree, and its next states are skipped", async () => {
  const text = `x = ${"[1, 2, 3], ".repeat(120_000)}`;
  yields = 0;
  expect(await shared.parse({ language: "java", text })).toBeUndefined();
  const tried = yields;
  expect(tried).toBeGreaterThan(20);
  expect(await shared.parse({ language: "java", text: `${text} y` })).toBeUndefined();
  expect(yields).toBe(tried);
  expect(shared.openTrees).toBe(0);
});

test("a broken text has the same errors however fast the clock of its thread is", async () => {
  const text = "int f(int a) { return a + ; }\nint g = = (a b) [1];\n".repeat(3_000);
  const found = await Promise.all(
    [0, 1, 20].map(async (stepMs) => {
      let nowMs = 0;
      const thread = {
        givesUp: false,
        cpuMs: () => 0,
        nowMs: () => (nowMs += stepMs),
        yieldThread: async () => undefined,
      };
      using syntax = createSyntax({ readGrammar, thread });
      return (await syntax.syntaxErrors({ uri: "a.c", language: "c", text })).map(
        ({ start, end }) => `${start}-${end}`,
      );
    }),
  );
  expect(found[0]!.length).toBeGreaterThan(500);
  expect(found[1]).toEqual(found[0]);
  expect(found[2]).toEqual(found[0]);
});

const rows = '{"id": 1, "tags": ["a"]},\n'.repeat(38_000);
const javaMap = `x = {\n${'  key: { a: 1, b: "text" },\n'.repeat(60_000)}}\n`;

test.each([
  ["ordinary", "json", `[${rows}0]`, true, 15_001, 20_000],
  ["ordinary, with spaces behind", "json", `[${rows}0]${" ".repeat(99_000)}`, true, 15_001, 20_000],
  // The clock is read once more for each slice.
  ["one error", "java", javaMap, false, 15_000, 15_050],
])("row 14: a text that is %s is given up where no steps are left to balance its tree", async (...row) => {
  const [, language, text, hasTree, least, most] = row;
  let steps = 0;
  const nowMs = () => {
    steps += 1;
    return 0;
  };
  const thread = { givesUp: true, cpuMs: () => 0, nowMs, yieldThread: async () => undefined };
  const syntax = createSyntax({ readGrammar, thread });
  const tree = await syntax.parse({ language, text });
  expect(tree !== undefined).toBe(hasTree);
  expect(steps).toBeGreaterThanOrEqual(least);
  expect(steps).toBeLessThanOrEqual(most);
  tree?.[Symbol.dispose]();
  syntax[Symbol.dispose]();
});

test("tryParse returns no tree for a text that takes long", async () => {
  await shared.load("json");
  expect(shared.tryParse({ language: "json", text: `[${"[1, 2, 3], ".repeat(200_000)}0]` })).toBeUndefined();
  const tree = shared.tryParse({ language: "json", text: "[1]" });
  expect(tree?.hasError).toBe(false);
  tree?.[Symbol.dispose]();
});

test.each([
  ["the same", "go", "a".repeat(900), true],
  ["a little longer", "go", "a".repeat(1_000), true],
  ["much longer", "go", "a".repeat(6_000), false],
  ["of another language", "java", "a".repeat(900), false],
  ["edited at its beginning", "go", `b${"a".repeat(900)}`, true],
  ["edited at its end", "go", `${"a".repeat(900)}b`, true],
  ["another text", "go", "b".repeat(900), false],
])("row 14: a text is remembered as too long where it is %s", (_, language, text, isHeld) => {
  const texts = new TooLongTexts();
  texts.add("go", "a".repeat(900));
  expect(texts.holds(language, text)).toBe(isHeld);
});

test("a text that took too long is tried again after some skips", () => {
  const texts = new TooLongTexts();
  texts.add("go", "abc");
  const held = Array.from({ length: 40 }, () => texts.holds("go", "abc"));
  expect(held.lastIndexOf(true)).toBe(29);
});

test("a text with slow parser steps has no tree on a shared thread", async () => {
  for (const givesUp of [true, false]) {
    let nowMs = 0;
    const slow = createSyntax({
      readGrammar,
      thread: { givesUp, nowMs: () => (nowMs += 100), cpuMs: () => 0, yieldThread: async () => undefined },
    });
    const text = `[${"[1, 2, 3], ".repeat(10_000)}0]`;
    const tree = await slow.parse({ language: "json", text });
    expect(tree === undefined).toBe(givesUp);
    slow[Symbol.dispose]();
  }
});

test.each([
  ["usual steps has a tree", 0.3, true],
  ["slow steps has none after 150 ms", 3, false],
])("row 14: a text that is parsed at once in %s", async (_, eightStepsMs, hasTree) => {
  const text = `[${"[1, 2, 3], ".repeat(5_000)}0]`;
  for (const givesUp of [true, false]) {
    let [cpuMs, calls] = [0, 0];
    const thread = {
      ...{ givesUp, nowMs: () => 0, yieldThread: async () => undefined },
      cpuMs: () => {
        calls += 1;
        cpuMs += eightStepsMs;
        return cpuMs;
      },
    };
    const syntax = createSyntax({ readGrammar, thread });
    await syntax.load("json");
    const tree = syntax.tryParse({ language: "json", text });
    expect(tree !== undefined).toBe(hasTree || !givesUp);
    tree?.[Symbol.dispose]();
    expect(cpuMs).toBeLessThan(160);
    // What took too long is not tried again for the next key.
    const tried = calls;
    syntax.tryParse({ language: "json", text: `${text} ` })?.[Symbol.dispose]();
    expect(calls === tried).toBe(!hasTree || !givesUp);
    syntax[Symbol.dispose]();
  }
});

test("row 14: a text that takes too long in slices is skipped in its next states", async () => {
  const text = `[${"[1, 2, 3], ".repeat(120_000)}0]`;
  await shared.load("json");
  yields = 0;
  expect(await shared.tryParseInSlices({ language: "json", text })).toBeUndefined();
  const tried = yields;
  expect(tried).toBeGreaterThan(2);
  expect(await shared.tryParseInSlices({ language: "json", text: `${text} ` })).toBeUndefined();
  expect(yields).toBe(tried);
});

test("no text is given up where givesUp is false", async () => {
  const patient = createSyntax({
    readGrammar,
    thread: { givesUp: false, nowMs: () => 0, cpuMs: () => 0, yieldThread: async () => undefined },
  });
  const text = `[${"[1, 2, 3], ".repeat(200_000)}0]`;
  const tree = await patient.parse({ language: "json", text });
  expect(tree?.hasError).toBe(false);
  tree?.[Symbol.dispose]();
  const other = patient.tryParse({ language: "json", text });
  expect(other?.hasError).toBe(false);
  patient[Symbol.dispose]();
});
