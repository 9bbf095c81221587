import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { MessageReader, messageOf, tryBytesIn } from "./typescript-pipe.ts";

function readIn(pieces: readonly Buffer[]): string[] {
  const bodies: string[] = [];
  const reader = new MessageReader((body) => bodies.push(body.toString("utf8")));
  for (const piece of pieces) reader.push(piece);
  return bodies;
}

function sumOf(numbers: readonly number[]): number {
  return numbers.reduce((sum, one) => sum + one, 0);
}

describe("messages of TypeScript's service", () => {
  it("are the same for every split of the bytes", () => {
    const bodies = fc.array(fc.string({ unit: fc.constantFrom("a", "é", "😀", "\r", "\n"), maxLength: 40 }), {
      maxLength: 6,
    });
    fc.assert(
      fc.property(bodies, fc.array(fc.nat({ max: 60 }), { maxLength: 8 }), (sent, lengths) => {
        const all = Buffer.concat(sent.map(messageOf));
        const cuts = [0, ...lengths.map((_, index) => sumOf(lengths.slice(0, index + 1))), all.length];
        const pieces = cuts.slice(1).map((end, index) => all.subarray(cuts[index], end));
        expect(readIn(pieces)).toEqual(sent);
      }),
    );
  });

  it("with bytes only are decoded as by a JSON parser", () => {
    fc.assert(
      fc.property(fc.nat(), fc.uint8Array({ maxLength: 40 }), (id, bytes) => {
        const data = Buffer.from(bytes).toString("base64");
        const body = Buffer.from(JSON.stringify({ jsonrpc: "2.0", id, result: { data } }));
        expect(tryBytesIn(body)).toEqual({ id, bytes: Buffer.from(bytes) });
      }),
    );
  });

  it.each([
    '{"jsonrpc":"2.0","id":1,"result":null}',
    '{"jsonrpc":"2.0","id":1,"result":{"data":"AAAA","more":"AAAA"}}',
    '{"jsonrpc":"2.0","id":1,"result":{"more":{"data":"AAAA"}}}',
    '{"jsonrpc":"2.0","id":1,"result":{"data":""}}}',
    '{"jsonrpc":"2.0","id":"ts1","method":"readFile","params":{"data":"a"}}',
    '{"jsonrpc":"2.0","id":1,"error":{"data":"AAAA"}}',
    '"}}',
    "",
  ])("with more fields than bytes are not decoded as bytes: %s", (body) => {
    expect(tryBytesIn(Buffer.from(body))).toBeUndefined();
  });

  it("are rejected when the header is invalid", () => {
    expect(() => readIn([Buffer.from("panic: out of memory\r\n\r\n")])).toThrow('sent "panic: out of memory"');
  });
});
