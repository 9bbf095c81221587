import { expect, test } from "vitest";
import { typeLine } from "./type-line.ts";

/**
 * Types `line` with completions that are shown once so much has been typed, and prints the figures.
 */
function check(line: string, shown: Readonly<Record<string, string>>, expected: string): void {
  const { keys, characters, shown: times, taken } = typeLine(line, (typed) => shown[typed]);
  expect(`${keys} of ${characters}, ${taken} of ${times} taken`, line).toBe(expected);
}

test("keys to type a line with completions", () => {
  check("foo(bar)", {}, "8 of 8, 0 of 0 taken");
  check("foo(bar)", { "": "foo(bar)" }, "1 of 8, 1 of 1 taken");
  check("foo(bar)", { fo: "o(bar)" }, "3 of 8, 1 of 1 taken");
  check("foo(bar)", { "": "foo(", "foo(": "bar)" }, "2 of 8, 2 of 2 taken");
  check("foo(bar)", { "": "foo(baz)", "foo(ba": "r)" }, "7 of 8, 1 of 2 taken");
  check("foo(bar)", { "": "foo(bar) {" }, "8 of 8, 0 of 1 taken");
  check("foo(bar)", { "": "" }, "8 of 8, 0 of 0 taken");
  check("", { "": "x" }, "0 of 0, 0 of 0 taken");
});
