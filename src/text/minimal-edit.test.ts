import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isInsideCharacter } from "./characters.ts";
import { anyEdited, anyText, law, readEdit, showEdit } from "./edit.laws.ts";
import { type MinimalEditOptions, minimalEdit, minimizeEdit } from "./minimal-edit.ts";
import { anyTwoTexts } from "./patch.laws.ts";

const units: readonly MinimalEditOptions["unit"][] = ["line", "word", "character"];

describe("minimalEdit", () => {
  // Each case is the answer itself: the texts before and after are read from it.
  it.each([
    "nothing changed",
    "const [speed|velocity] = 1;",
    "f(a, [b|c, d]);",
    "call([first|one], [second|two]);",
    "[red apple|green pear] tart",
    "one\n[|two\n]three\n",
    "one\n[two\n|]three\n",
    "  return [old|new];\n}\n\nsame\n\n  [x|y]++;\n",
    "[  |    ]indented\n",
    "a[\r\n|\n]b",
    "smile [😀|😁]!",
    "[café|cafe\u0301]",
    "[|\uFEFF]text",
  ])("%j", (marked) => {
    const { text, edit } = readEdit(marked);
    expect(showEdit(text, minimalEdit(text, edit.apply(text)))).toBe(marked);
  });

  it("compares lines, words or characters, as its `unit` says", () => {
    const [before, after] = ["let colour = 1;\nend\n", "let color = 1;\nend\n"];
    expect(units.map((unit) => showEdit(before, minimalEdit(before, after, { unit })))).toEqual([
      "[let colour = 1;\n|let color = 1;\n]end\n",
      "let [colour|color] = 1;\nend\n",
      "let colo[u|]r = 1;\nend\n",
    ]);
  });

  const anyUnit = fc.constantFrom(...units);

  law("it turns one text into the other", [anyText, anyText, anyUnit], (before, after, unit) => {
    expect(minimalEdit(before, after, { unit }).apply(before)).toBe(after);
  });

  law("it also does where texts share many lines", [anyTwoTexts, anyUnit], ({ before, after }, unit) => {
    expect(minimalEdit(before, after, { unit }).apply(before)).toBe(after);
  });

  law(
    "what an edit does is as small, wherever the edit begins and ends",
    [anyEdited, anyUnit],
    ({ text, edit }, unit) => {
      const all = minimalEdit(text, edit.apply(text), { unit });
      expect(showEdit(text, minimizeEdit(text, edit, { unit }))).toBe(showEdit(text, all));
    },
  );

  law("it begins and ends between characters, in both texts", [anyEdited, anyUnit], ({ text, edit }, unit) => {
    const after = edit.apply(text);
    const minimal = minimalEdit(text, after, { unit });
    const isTorn = (of: string) => (range: { start: number; end: number }) =>
      isInsideCharacter(of, range.start) || isInsideCharacter(of, range.end);
    expect(minimal.edits.filter(isTorn(text))).toEqual([]);
    expect(minimal.rangesAfter().filter(isTorn(after))).toEqual([]);
  });

  law("characters are no more than words, words no more than lines", [anyEdited], ({ text, edit }) => {
    const sizes = units.map((unit) =>
      minimalEdit(text, edit.apply(text), { unit }).edits.reduce((sum, e) => sum + e.end - e.start + e.text.length, 0),
    );
    expect(sizes).toEqual([...sizes].sort((a, b) => b - a));
  });
});
