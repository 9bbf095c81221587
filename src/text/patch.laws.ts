/** Texts that differ in lines, for the tests about patches. */
import fc from "fast-check";

/**
 * Texts of a few lines, most of them alike, with either line ending, with or without one at the
 * end.
 */
export const anyLineText = fc
  .tuple(
    fc.array(fc.constantFrom("a\n", "b\n", "c\n", "\n", "d\r\n", "-- x\n", "++ x\n", "é \\ 😀\n"), { maxLength: 16 }),
    fc.constantFrom("", "", "end", "\r"),
  )
  .map(([lines, end]) => lines.join("") + end);

/** Two texts, the second made from the first by replacing a few runs of lines. */
export const anyTwoTexts = fc
  .tuple(anyLineText, fc.array(fc.tuple(fc.nat(16), fc.nat(2), anyLineText), { maxLength: 2 }))
  .map(([before, splices]) => {
    const lines = before.match(/[^\n]*\n|[^\n]+$/g) ?? [];
    for (const [at, count, inserted] of splices) lines.splice(at, count, ...(inserted.match(/[^\n]*\n/g) ?? []));
    return { before, after: lines.join("") };
  });
