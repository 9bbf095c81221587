import { describe, expect, test } from "vitest";
import { runSteps } from "../../async/index.ts";
import type { CodeBlock } from "../graph/code-block.ts";
import type { CodeToken } from "./code-tokens.ts";
import { BlockNode, pairSiblings } from "./pair-blocks.ts";

/** How often the tokens of blocks were read, which is a step of comparing them. */
let steps = 0;

class CountedNode extends BlockNode {
  override get meaning(): readonly string[] {
    steps += 1;
    return super.meaning;
  }
}

/** Statements of a file in their order, each with its text. */
function statements(texts: readonly string[]): BlockNode[] {
  let at = 0;
  return texts.map((text, index) => {
    const tokens = text.split(" ").map((word): CodeToken => {
      const start = at;
      at += word.length + 1;
      return { start, end: at - 1, text: word, startsLine: false, isIdle: false };
    });
    const range = { start: tokens[0]!.start, end: tokens.at(-1)!.end };
    const name = index === 0 ? texts[0]! : `${text}#${index}`;
    const block: CodeBlock = {
      ...{ path: "a.py", kind: "statement", name, simpleName: "", range, ownRange: range, signature: [range] },
      isExported: false,
    };
    return new CountedNode(block, undefined, tokens);
  });
}

function stepsFor(before: readonly string[], after: readonly string[]): number {
  steps = 0;
  runSteps(pairSiblings(statements(before), statements(after)));
  return steps;
}

const list = (count: number, text: (index: number) => string) =>
  Array.from({ length: count }, (_, index) => text(index));

describe("the work of pairing blocks is proportional to their number", () => {
  const same = "f ( 1 )";
  test.each<[string, (count: number) => readonly string[], (count: number) => readonly string[]]>([
    ["equal statements", (count) => list(count, () => same), (count) => list(count, () => same)],
    ["equal statements, one of which went", (count) => list(count, () => same), (count) => list(count - 1, () => same)],
    [
      "statements that all differ",
      (count) => list(count, (at) => `f ( ${at} )`),
      (count) => list(count, (at) => `g ( ${at} )`),
    ],
    [
      "statements in another order",
      (count) => list(count, (at) => `f ( ${at} )`),
      (count) => list(count, (at) => `f ( ${count - at} )`),
    ],
    ["all removed", (count) => list(count, () => same), () => []],
  ])("row 15: %s", (_name, before, after) => {
    const [once, twice] = [2_000, 4_000].map((count) => stepsFor(before(count), after(count)));
    expect(twice!).toBeLessThanOrEqual(2.5 * once!);
  });

  test.each<[string, readonly string[], readonly string[]]>([
    ["equal statements", list(20_000, () => same), list(20_000, () => same)],
    ["statements that all differ", list(2_000, (at) => `f ( ${at} )`), list(2_000, (at) => `g ( ${at} )`)],
  ])("row 14: many %s are paired in steps", (_name, before, after) => {
    const work = pairSiblings(statements(before), statements(after));
    let count = 0;
    while (work.next().done !== true) count += 1;
    expect(count).toBeGreaterThan(3);
  });

  test("blocks with equal text are paired first, the rest in order", () => {
    const before = statements(["a = 1", "b = 2", "b = 2", "c = 3"]);
    const after = statements(["a = 1", "b = 2", "c = 3", "b = 2"]);
    const { pairs, removed, added } = runSteps(pairSiblings(before, after));
    expect(pairs.every((pair) => pair.before.meaning.join() === pair.after.meaning.join())).toBe(true);
    expect([removed, added]).toEqual([[], []]);
  });
});
