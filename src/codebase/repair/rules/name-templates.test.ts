import { expect, test } from "vitest";
import { frameOf, saidAlike, saidOf } from "./name-templates.ts";

const cases: readonly (readonly [name: string, text: string, other: string, said: string | undefined])[] = [
  ["circle", "drawCircle(circle)", "big-ring", "drawBigRing(bigRing)"],
  ["Circle", "CIRCLE_AREA * circle.r", "BigRing", "BIG_RING_AREA * bigRing.r"],
  ["big-ring", 'draw("big-ring", BIG_RING, big_ring)', "circle", 'draw("circle", CIRCLE, circle)'],
  ["BIG_RING", "bigRing", "circle", "circle"],
  ["circle", "circles + encircle + circle2", "ring", undefined],
  ["circle", "1", "ring", undefined],
  ["a", "draw(a)", "b", undefined],
];
test.each(cases)("%s: %s, of %s", (name, text, other, said) => {
  const frame = frameOf(text, name);
  expect(frame && saidOf(frame, name)).toBe(frame && text);
  expect(frame && saidOf(frame, other)).toBe(said);
});

const alike: readonly (readonly [others: string, name: string, said: string | undefined])[] = [
  // One of several words says how they are written; else it is plain only in names, and where it is
  // said as it is.
  ['dot: at("dot") | bigRing: at("big-ring")', "smallArc", 'at("small-arc")'],
  ["dot: dot | arc: arc", "big-ring", "bigRing"],
  ['dot: at("dot") | arc: at("arc")', "big-ring", 'at("big-ring")'],
  ['dot: at("The dot") | arc: at("The arc")', "big-ring", undefined],
  ['dot: at("The dot") | arc: at("The arc")', "ring", 'at("The ring")'],
  ["dot: dot | arc: 1", "ring", undefined],
  ["dot: dot", "ring", undefined],
];
test.each(alike)("%s, of %s", (others, name, said) => {
  const list = others.split(" | ").map((other) => {
    const [own = "", text = ""] = other.split(": ");
    return { name: own, text };
  });
  expect(saidAlike(list, name)).toBe(said);
});
