import fc from "fast-check";
import { expect, test } from "vitest";
import { RowCutter } from "./answer-rows.ts";

const cases: readonly (readonly [text: string, rows: readonly string[]])[] = [
  ["", []],
  ["a", ["a"]],
  ["a\nb", ["a", "b"]],
  ["a\r\nb\r\n", ["a", "b"]],
  ["\n\n", ["", ""]],
  ["a\rb\nc", ["a\rb", "c"]],
  ["a\r\r\nb\r", ["a\r", "b\r"]],
  ["\ufeffa\n\ufeffb", ["a", "\ufeffb"]],
  ["\ufeff", [""]],
];

for (const [text, rows] of cases) {
  test(`answer rows of ${JSON.stringify(text)}`, () => {
    expect(rowsOf([text])).toEqual(rows.map((row, index) => ({ index, text: row })));
  });
}

test("law: rows are the same for any pieces of the text", () => {
  const piece = fc.string({ unit: fc.constantFrom("a", "\r", "\n", "\r\n", "é", "\ufeff"), maxLength: 6 });
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 6 }), (pieces) => {
      expect(rowsOf(pieces)).toEqual(rowsOf([pieces.join("")]));
    }),
  );
});

function rowsOf(pieces: readonly string[]) {
  const cutter = new RowCutter();
  const rows = pieces.flatMap((piece) => cutter.push(piece));
  const last = cutter.end();
  return last === undefined ? rows : [...rows, last];
}
