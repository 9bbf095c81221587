import fc from "fast-check";
import { expect, test } from "vitest";
import { PackedReader, PackedWriter } from "./packed-bytes.ts";

/** Writes and reads back. */
function roundTrip<T>(write: (out: PackedWriter) => void, read: (from: PackedReader) => T): T {
  const out = new PackedWriter();
  write(out);
  return read(new PackedReader(out.bytes));
}

const width = 4;
const rows = fc.array(fc.uint16Array({ minLength: width, maxLength: width, max: 3 }), { maxLength: 6 });

test("law: PackedReader reads what PackedWriter wrote", () => {
  fc.assert(
    fc.property(fc.array(fc.nat(0xffff_ffff)), fc.string({ unit: "grapheme" }), rows, (numbers, text, table) => {
      const words = Uint32Array.from(numbers);
      const read = (from: PackedReader): Uint32Array => from.numbers((length) => new Uint32Array(length));
      expect(roundTrip((out) => out.numbers(words), read)).toEqual(words);
      expect(
        roundTrip(
          (out) => out.text(text),
          (from) => from.text(),
        ),
      ).toBe(text);
      const flat = Uint16Array.from(table.flatMap((row) => [...row]));
      expect(
        roundTrip(
          (out) => out.rows(flat, width),
          (from) => from.rows(width),
        ),
      ).toEqual(flat);
    }),
  );
});

test("PackedWriter writes small numbers as one byte", () => {
  const out = new PackedWriter();
  for (const value of [0, 127, 128]) out.number(value);
  expect([...out.bytes]).toEqual([0, 127, 128, 1]);
});
