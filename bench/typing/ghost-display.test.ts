import { expect, test } from "vitest";
import { GhostDisplay } from "./ghost-display.ts";

/**
 * Plays what happens, from left to right: `k` types the key behind it, `<text>` is an answer. Gives
 * what is seen at the end, and the counts that are not 0.
 */
function check(script: string): string {
  const display = new GhostDisplay();
  for (const [, key, answer] of script.matchAll(/k(.)|<(.*?)>/g)) {
    if (key === undefined) display.answer(answer!);
    else display.type(key);
  }
  const counts = Object.entries(display.counts).filter(([, count]) => count > 0);
  return [`"${display.rest}"`, ...counts.map(([name, count]) => `${name} ${count}`)].join(", ");
}

test.each([
  ["<abc>", '"abc"'],
  ["<abc>ka", '"bc", shown 1'],
  ["<abc>kx", '"", shown 1'],
  ["<abc>ka<bc>", '"bc", shown 1'],
  ["<abc>ka<bcd>", '"bcd", shown 1'],
  ["<abc>ka<xy>", '"xy", shown 1, replaced 1'],
  ["<abc>ka<b>", '"b", shown 1, replaced 1'],
  ["<abc>ka<>", '"", shown 1, vanished 1'],
  ["<abc>kx<yz>", '"yz", shown 1'],
  ["<a>ka", '"", shown 1, typedThrough 1'],
  ["<a>ka<bc>kb", '"c", shown 2, typedThrough 1'],
  ["<>ka<>kb", '""'],
])("ghost text is displayed while %s is typed", (script, seen) => {
  expect(check(script)).toBe(seen);
});
