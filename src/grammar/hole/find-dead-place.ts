import { endedReadings, terminalsAfter } from "./expected-terminals.ts";
import type { Filling } from "./filling.ts";
import type { Hole } from "./hole.ts";

/** Where a filling stops making sense. */
export interface DeadPlace {
  /**
   * Bytes from the start of the filling: where the lexeme begins that cannot stand there, or that
   * cannot go on as it does.
   */
  readonly offset: number;
  /**
   * The names of the terminals that might stand there instead, so that the text can become whole.
   */
  readonly expected: readonly string[];
}

/**
 * Where in `bytes` the first lexeme stands with which the hole cannot be filled; `undefined` where
 * it still can.
 */
export function tryFindDeadPlace(hole: Hole, bytes: Uint8Array): DeadPlace | undefined {
  if (hole.isAlive(hole.add(hole.empty, bytes))) return undefined;
  let good = 0;
  let bad = bytes.length;
  while (bad - good > 1) {
    const middle = (good + bad) >> 1;
    if (hole.isAlive(hole.add(hole.empty, bytes.subarray(0, middle)))) good = middle;
    else bad = middle;
  }
  while (good > 0 && isInside(bytes[good]!)) good -= 1;
  const filling = hole.add(hole.empty, bytes.subarray(0, good));
  const ended = runsOn(hole, filling, bytes[good]!) ? [] : endedReadings(hole, filling);
  if (ended.length > 0) return { offset: good, expected: terminalsAfter(hole, ended) };
  const start = Math.max(...filling.readings.map((reading) => reading.start));
  const begun = filling.readings.filter((reading) => reading.start === start);
  return {
    offset: Math.max(0, good - (filling.bytes.length - start)),
    expected: terminalsAfter(hole, begun),
  };
}

/**
 * Whether all lexemes that are open at the end of `filling` go on with `byte`, so that none of them
 * ends before it.
 */
function runsOn({ reader }: Hole, { readings }: Filling, byte: number): boolean {
  const { next, classOf, classCount } = reader.parser.grammar.lex;
  return readings.every(
    ({ lexeme }) => typeof lexeme !== "string" && next[lexeme.state * classCount + classOf[byte]!] !== 0,
  );
}

/** Whether a byte continues with a character. */
function isInside(byte: number): boolean {
  return (byte & 0xc0) === 0x80;
}
