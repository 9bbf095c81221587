import { expect, test } from "vitest";
import { seededRandom } from "../../scripts/train/seeded-random.ts";
import { type MutationKind, mutate, mutationKinds } from "./mutations.ts";

/** Of everything that can be chosen, the first or the last. */
const first = () => 0;
const last = () => 0.999;

const file = "let x";

test.each<readonly [kind: MutationKind, middle: string, first: string | undefined, last: string | undefined]>([
  ["as it was", "a (b", "a (b", "a (b"],
  ["as it was", "", "", ""],
  ["token dropped", "ab + $c", " + $c", "ab + "],
  ["token dropped", " \n", undefined, undefined],
  ["token doubled", "ab =>", "ab ab =>", "ab => >"],
  ["tokens swapped", "a  b c", "b  a c", undefined],
  ["tokens swapped", "a", undefined, undefined],
  ["token replaced", "a;b", "let;b", "a;x"],
  ["line dropped", "a\nb\nc", "b\nc", "a\nc"],
  ["line dropped", "a", undefined, undefined],
  ["bracket changed", "f()", "f))", "f(}"],
  ["bracket changed", "f", undefined, undefined],
  ["indentation changed", "a\n  b\n    c", "a\n   b\n    c", "a\n  b\nc"],
  ["indentation changed", "  a", undefined, undefined],
  ["truncated", "abcd", "", "abc"],
  ["truncated", "", undefined, undefined],
])("mutate makes a text with %s of %j", (kind, middle, byFirst, byLast) => {
  expect([mutate(kind, middle, file, first), mutate(kind, middle, file, last)]).toEqual([byFirst, byLast]);
});

test("a mutation is the same for the same seed", () => {
  for (const kind of mutationKinds) {
    const [one, other] = [7, 7].map((seed) => mutate(kind, "if (a) {\n  b();\n}\n", file, seededRandom(seed)));
    expect(one).toBe(other);
  }
});
