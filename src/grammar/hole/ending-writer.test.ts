import fc from "fast-check";
import { expect, test } from "vitest";
import { compileLanguage } from "../fixtures/compile-language.ts";
import { findLineStart } from "../lexing/layouts.ts";
import { writeIndentation } from "./ending-writer.ts";

const { lex } = compileLanguage("python");

test("law: writeIndentation writes white space of the depth that was read", () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom(" ", "\t"), maxLength: 20 }), (blanks) => {
      const depthOf = (text: Uint8Array) => {
        const { columns, withNarrowTabs } = findLineStart(lex, text, 0, text.length);
        return { columns, withNarrowTabs };
      };
      const read = depthOf(new TextEncoder().encode(blanks));
      expect(depthOf(writeIndentation(read))).toEqual(read);
    }),
  );
});

test("writeIndentation writes blanks alone as blanks and tabs alone as tabs", () => {
  for (const blanks of ["", " ".repeat(20), "\t\t", "\t\t  "]) {
    const { columns, withNarrowTabs } = findLineStart(lex, new TextEncoder().encode(blanks), 0, blanks.length);
    expect(new TextDecoder().decode(writeIndentation({ columns, withNarrowTabs }))).toBe(blanks);
  }
});
