import { expect, test } from "vitest";
import { readEdit } from "../../text/edit.laws.ts";
import { insertedWords, tryWordTyped } from "./word-typed.ts";

/** An edit in the notation `a[old|new]b`, the cursor after its last part, and the typed word. */
test.each<[edit: string, word: string | undefined]>([
  ["let co[|u] = 1", "cou"],
  ["let [|c]ount = 1", "count"],
  ["let l[o|]ast = 1", "last"],
  ["let [c|] = 1", undefined],
  ["let co[| ]= 1", undefined],
  ["f[|(]x)", undefined],
  ["größ[|e]", "größe"],
  ["[a|]b[|c]", "bc"],
])("the typed word: %s", (marked, word) => {
  const { text, edit } = readEdit(marked);
  const cursor = edit.rangesAfter().at(-1)!.end;
  expect(tryWordTyped(edit.apply(text), cursor, edit)).toBe(word);
});

test("returns no word where the cursor is elsewhere", () => {
  const { text, edit } = readEdit("a[|b] c");
  expect(tryWordTyped(edit.apply(text), 4, edit)).toBeUndefined();
});

test("insertedWords returns all inserted words", () => {
  expect([...insertedWords(readEdit("[x|a.b2] + [y|$c(a)]").edit)]).toEqual(["a", "b2", "$c"]);
});
