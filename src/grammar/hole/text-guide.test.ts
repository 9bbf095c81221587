import fc from "fast-check";
import { expect, test } from "vitest";
import { longestAllowed } from "./text-guide.ts";

const upTo = (length: number) => ({ allows: (text: string) => text.length <= length });

test.each<[string, string, number, number]>([
  ["", "", 0, 0],
  ["", "abc", 3, 3],
  ["", "abc", 2, 2],
  ["", "abc", 0, 0],
  ["ab", "cde", 3, 1],
  ["", "a😀b", 2, 1],
  ["", "a😀b", 3, 3],
])("longestAllowed: behind %j, of %j with room for %i: %i", (before, text, room, length) => {
  expect(longestAllowed(upTo(room), text, before)).toBe(length);
});

test("law: longestAllowed equals a linear search", () =>
  fc.assert(
    fc.property(fc.stringMatching(/^[a-z]{0,30}$/), fc.nat(30), (text, room) => {
      expect(longestAllowed(upTo(room), text)).toBe(Math.min(room, text.length));
    }),
  ));
