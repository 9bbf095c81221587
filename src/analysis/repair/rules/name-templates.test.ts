import { expect, test } from "vitest";
import { fillTemplate, templateOf, textByTemplate } from "./name-templates.ts";

const cases: readonly (readonly [name: string, text: string, other: string, expected: string | undefined])[] = [
  ["circle", "drawCircle(circle)", "big-ring", "drawBigRing(bigRing)"],
  ["Circle", "CIRCLE_AREA * circle.r", "BigRing", "BIG_RING_AREA * bigRing.r"],
  ["big-ring", 'draw("big-ring", BIG_RING, big_ring)', "circle", 'draw("circle", CIRCLE, circle)'],
  ["BIG_RING", "bigRing", "circle", "circle"],
  ["circle", "circles + encircle + circle2", "ring", undefined],
  ["circle", "1", "ring", undefined],
  ["a", "draw(a)", "b", undefined],
];
test.each(cases)("the template of the name %s in %s is filled with %s", (name, text, other, expected) => {
  const template = templateOf(text, name);
  expect(template && fillTemplate(template, name)).toBe(template && text);
  expect(template && fillTemplate(template, other)).toBe(expected);
});

const templates: readonly (readonly [others: string, name: string, expected: string | undefined])[] = [
  // A name of several words shows its style; otherwise the style is only known in names, and where
  // the name is written as it is.
  ['dot: at("dot") | bigRing: at("big-ring")', "smallArc", 'at("small-arc")'],
  ["dot: dot | arc: arc", "big-ring", "bigRing"],
  ['dot: at("dot") | arc: at("arc")', "big-ring", 'at("big-ring")'],
  ['dot: at("The dot") | arc: at("The arc")', "big-ring", undefined],
  ['dot: at("The dot") | arc: at("The arc")', "ring", 'at("The ring")'],
  ["dot: dot | arc: 1", "ring", undefined],
  ["dot: dot", "ring", undefined],
];
test.each(templates)("textByTemplate of %s, for %s", (others, name, expected) => {
  const list = others.split(" | ").map((other) => {
    const [own = "", text = ""] = other.split(": ");
    return { name: own, text };
  });
  expect(textByTemplate(list, name)).toBe(expected);
});
