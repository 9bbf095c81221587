/**
 * What the tests of this folder share: laws, arbitrary texts and edits to try them on, and a
 * notation for edits.
 *
 * In the notation `[old|new]` is a replacement, so `a[b|X]c` is the text `abc` with an edit that
 * makes it `aXc`.
 */
import fc from "fast-check";
import { test } from "vitest";
import { Edit } from "./edit.ts";
import type { TextEdit } from "./text-edit.ts";

/** A test that a law holds for all values; `holds` checks one value with `expect`. */
export function law<T extends unknown[]>(
  name: string,
  values: { [K in keyof T]: fc.Arbitrary<T[K]> },
  holds: (...values: T) => void,
): void {
  // What `expect` answers must not reach fast-check, which would take it for a verdict.
  test(`law: ${name}`, () => fc.assert(fc.property(fc.tuple<T>(...values), (drawn) => void holds(...drawn))));
}

/** Reads a text with its edit from the notation. */
export function readEdit(marked: string): { readonly text: string; readonly edit: Edit } {
  const edits: TextEdit[] = [];
  let text = "";
  for (const [piece, old, inserted] of marked.matchAll(/\[([^|\]]*)\|([^\]]*)\]|[^[]+/g)) {
    if (old !== undefined) edits.push({ start: text.length, end: text.length + old.length, text: inserted! });
    text += old ?? piece;
  }
  return { text, edit: Edit.of(edits) };
}

/** Writes a text with an edit of it in the notation. */
export function showEdit(text: string, edit: Edit): string {
  return Edit.of(
    edit.edits.map(({ start, end, text: inserted }) => ({
      start,
      end,
      text: `[${text.slice(start, end)}|${inserted}]`,
    })),
  ).apply(text);
}

/**
 * Texts in which everything that can go wrong is near: few letters, every line ending, pairs and
 * halves of pairs.
 */
export const anyText = fc.string({
  unit: fc.constantFrom("a", "b", "c", " ", "\n", "\r", "\r\n", "é", "😀", "\ud83d", "\ude00"),
  maxLength: 24,
});

/** Edits of `text` with up to four replacements, which often touch. */
export function anyEdit(text: string): fc.Arbitrary<Edit> {
  const offset = fc.nat(text.length);
  const inserted = fc.oneof(
    fc.constant(""),
    fc.string({ unit: fc.constantFrom("a", "X", "\n", "\r", "😀"), maxLength: 4 }),
  );
  return fc.array(fc.record({ ends: fc.tuple(offset, offset), inserted }), { maxLength: 4 }).map((drawn) => {
    const ends = drawn.flatMap((replacement) => replacement.ends).sort((a, b) => a - b);
    return Edit.of(drawn.map(({ inserted }, i) => ({ start: ends[2 * i]!, end: ends[2 * i + 1]!, text: inserted })));
  });
}

/** A text and an edit of it. */
export const anyEdited = anyText.chain((text) => fc.record({ text: fc.constant(text), edit: anyEdit(text) }));

/** A text and two edits of it, made by two people at the same time. */
export const anyTwoEdits = anyText.chain((text) =>
  fc.record({ text: fc.constant(text), mine: anyEdit(text), theirs: anyEdit(text) }),
);

/** A text and three edits, each of the text that the one before it gives. */
export const anyThreeSteps = anyText.chain((text) =>
  anyEdit(text).chain((first) => {
    const second = first.apply(text);
    return anyEdit(second).chain((next) =>
      fc.record({
        text: fc.constant(text),
        a: fc.constant(first),
        b: fc.constant(next),
        c: anyEdit(next.apply(second)),
      }),
    );
  }),
);
