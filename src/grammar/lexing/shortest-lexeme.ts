import type { LexTables } from "./lex-tables.ts";

/**
 * A shortest lexeme of each terminal that can be read from a whole lexeme, in bytes of UTF-8; empty
 * for the others.
 *
 * Among those of a length, the first in the order: small letters, capital ones, digits, other
 * printable ASCII, anything else.
 */
export function shortestLexemes(
  lex: Pick<LexTables, "classOf" | "classCount" | "stateCount" | "next" | "match" | "matches">,
  starts: readonly number[],
  terminalCount: number,
): readonly Uint8Array[] {
  const shortest = new Array<Uint8Array>(terminalCount).fill(new Uint8Array(0));
  let missing = terminalCount;
  // A state is met first by the first of its shortest texts, since the texts in front of it were.
  const met = new Uint8Array(lex.stateCount);
  met[0] = 1;
  let texts: (readonly [state: number, text: readonly number[]])[] = starts.map((start) => [start, []]);
  while (texts.length > 0 && missing > 0) {
    const longer: typeof texts = [];
    for (const [state, text] of texts) {
      for (const byte of preferredBytes) {
        const next = lex.next[state * lex.classCount + lex.classOf[byte]!]!;
        if (met[next] === 1) continue;
        met[next] = 1;
        const read = [...text, byte];
        longer.push([next, read]);
        for (const reading of lex.matches[lex.match[next]!]!.readings) {
          const terminal = reading[0]!;
          if (reading.length > 1 || shortest[terminal]!.length > 0) continue;
          shortest[terminal] = Uint8Array.from(read);
          missing--;
        }
      }
    }
    texts = longer;
  }
  return shortest;
}

/** All bytes, the ones that are liked best first. */
const preferredBytes: readonly number[] = (() => {
  const rank = (byte: number): number => {
    if (byte >= 0x61 && byte <= 0x7a) return 0;
    if (byte >= 0x41 && byte <= 0x5a) return 1;
    if (byte >= 0x30 && byte <= 0x39) return 2;
    return byte > 0x20 && byte < 0x7f ? 3 : 4;
  };
  return Array.from({ length: 256 }, (_, byte) => byte).sort((a, b) => rank(a) - rank(b) || a - b);
})();
