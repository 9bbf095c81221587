import { expect, test } from "vitest";
import { TextCosts } from "./text-costs.ts";
import { endAfter, type PastWindow, shareRoom, startBefore, toPast } from "./window-around.ts";

/** One token a line feed. */
const costs = new TextCosts({ name: "lines", isExact: true, count: (text) => text.split("\n").length - 1 });
const lines = (from: number, to: number) =>
  Array.from({ length: to - from }, (_, i) => `line ${String(from + i).padStart(3, "0")}\n`).join("");
const width = "line 000\n".length;

test("the window around the cursor gives unused lines of one side to the other", () => {
  const text = lines(0, 100);
  const share = (offset: number, room: number) =>
    shareRoom(room, 0.15, costs.backward(text, offset * width, room), costs.forward(text, offset * width, room));
  expect(share(50, 40)).toEqual({ before: 34, after: 6 });
  expect(share(10, 40)).toEqual({ before: 10, after: 30 });
  expect(share(98, 40)).toEqual({ before: 38, after: 2 });
});

test("the start of the window around the cursor stays while it fits, then moves by many lines", () => {
  const text = lines(0, 200);
  let past: PastWindow | undefined;
  const starts = Array.from({ length: 40 }, (_, i) => {
    const offset = (100 + i) * width;
    const { offset: start } = startBefore(costs, text, costs.backward(text, offset, 1_000), 48, past);
    past = toPast(text, offset, { start, end: offset, prefixTokens: 0, suffixTokens: 0 });
    return start / width;
  });
  // With 48 lines of room 45 are shown afresh.
  expect([...new Set(starts)]).toEqual([55, 59, 63, 67, 71, 75, 79, 83, 87, 91]);
});

test.each([
  ["to fifteen sixteenths where lines are short", 1, 48, 45],
  ["whole where less than seven eighths would be used otherwise", 10, 50, 50],
  ["as far as whole lines go where they are long", 10, 48, 40],
])("a new start of the window uses the room %s", (_, tokensOfLine, room, used) => {
  const each = new TextCosts({
    name: "lines",
    isExact: true,
    count: (text) => tokensOfLine * text.split("\n").length - tokensOfLine,
  });
  const text = lines(0, 200);
  const { tokens } = startBefore(each, text, each.backward(text, 150 * width, 1_000), room);
  expect(tokens).toBe(used);
});

test("the end of the window around the cursor stays while its text is unchanged", () => {
  const before = lines(0, 50);
  const window = (text: string, offset: number, past?: PastWindow, room = 16) => {
    const { offset: end } = endAfter(costs, text, costs.forward(text, offset, 1_000), room, past);
    return {
      shown: text.slice(offset, end),
      past: toPast(text, offset, { start: 0, end, prefixTokens: 0, suffixTokens: 0 }),
    };
  };
  const first = window(`${before}x\n${lines(50, 100)}`, before.length + 1);
  expect(first.shown).toBe(`\n${lines(50, 64)}`);

  const typed = `${before}x = call(\n)\n${lines(50, 100)}`;
  const wrapped = window(typed, typed.indexOf(")"), first.past);
  expect(wrapped.shown).toBe(`)\n${lines(50, 64)}`);

  const roomier = window(typed, typed.indexOf(")"), first.past, 17);
  expect(roomier.shown).toBe(wrapped.shown);

  const gone = `${before}x\n${lines(51, 100)}`;
  const changed = window(gone, before.length + 1, first.past, 18);
  expect(changed.shown).toBe(`\n${lines(51, 66)}`);
});
