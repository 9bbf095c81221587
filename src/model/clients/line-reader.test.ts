import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { LineReader } from "./server-answer.ts";

/** A text cut into pieces, in any way. */
const pieces = (text: fc.Arbitrary<string>) =>
  fc.tuple(text, fc.array(fc.nat(), { maxLength: 6 })).map(([whole, numbers]) => {
    const borders = [0, ...numbers.map((n) => n % (whole.length + 1)), whole.length].sort((a, b) => a - b);
    return borders.slice(1).map((border, index) => whole.slice(borders[index], border));
  });

describe("lines of a response are read", () => {
  const fail = (): never => {
    throw new Error("too long");
  };
  test("for any division into parts", () => {
    fc.assert(
      fc.property(pieces(fc.string({ unit: fc.constantFrom("a", "\r\n", "\n", " "), maxLength: 16 })), (given) => {
        const reader = new LineReader(100, fail);
        const lines = [...given.flatMap((piece) => reader.push(piece)), ...reader.end()];
        const wanted = given.join("").split(/\r?\n/);
        expect(lines).toEqual(wanted.filter((line) => line.trim() !== ""));
      }),
    );
  });
  test("up to a limit", () => {
    const reader = new LineReader(3, fail);
    expect(reader.push("abc\nab")).toEqual(["abc"]);
    expect(() => reader.push("cd")).toThrow("too long");
  });
});
