import { expect, test } from "vitest";
import { Edit } from "../../text/index.ts";
import { asOneFrom, firstCharacters } from "./ghost-next-edit.ts";

/** `log(a)` with the cursor behind `log`: what is added behind it. */
const source = "log(a)";
const cursor = 3;
const edit = Edit.of([
  { start: 5, end: 5, text: ", b" },
  { start: 6, end: 6, text: ";" },
]);

test("is the same edit as one replacement from the cursor", () => {
  const one = asOneFrom(source, cursor, edit);
  expect(one).toEqual({ start: 3, end: 6, text: "(a, b);" });
  expect(Edit.of([one]).apply(source)).toBe(edit.apply(source));
});

test.each<[characters: number, text: string]>([
  [0, "log(a)"],
  [2, "log(a)"],
  [3, "log(a,)"],
  [5, "log(a, b)"],
  [6, "log(a, b)"],
])("the first %i characters contain the insertions", (characters, text) => {
  expect(Edit.of(firstCharacters(edit, cursor, characters)!).apply(source)).toBe(text);
});

test("returns nothing when all characters are included", () =>
  expect(firstCharacters(edit, cursor, 7)).toBeUndefined());
