import { endOfText } from "../reading/parser.ts";
import type { Reading } from "../reading/reading.ts";
import type { Filling } from "./filling.ts";
import type { Hole } from "./hole.ts";

/**
 * The terminals that may come next behind a filling, so that the text can still become whole, by
 * their names: tokens such as `Identifier`, literals in quotes. A lexeme that is being written
 * counts as ended, where it can be.
 */
export function expectedTerminals(hole: Hole, filling: Filling): readonly string[] {
  return terminalsAfter(hole, endedReadings(hole, filling));
}

/**
 * The readings of a filling whose last lexeme is ended, where it can be; none where the filling
 * ends inside of one.
 */
export function endedReadings(hole: Hole, { readings, bytes }: Filling): readonly Reading[] {
  return readings
    .flatMap((reading) =>
      typeof reading.lexeme === "string" ? [reading] : hole.reader.endLexeme(reading, bytes, bytes.length),
    )
    .filter(({ front, lexeme }) => typeof lexeme === "string" && hole.canFinish(front));
}

/** The names of the terminals that may come at the start of the lexemes of these readings. */
export function terminalsAfter(hole: Hole, readings: readonly Reading[]): readonly string[] {
  const { parser } = hole.reader;
  const { tables, lex } = parser.grammar;
  return tables.terminals.filter((_, terminal) => {
    // What has no text is not written by anyone.
    if (terminal === endOfText || lex.shortest[terminal]!.length === 0) return false;
    return readings.some(({ front, spacing, lexeme }) => {
      const line = lexeme === "indentation" ? parser.stacks.front(front.nodes.flatMap(sameBlock(hole))) : front;
      const after = parser.take(line, terminal, spacing);
      return !after.isEmpty && hole.canFinish(after);
    });
  });
}

/** The stacks when a line begins as deep as the one before. */
function sameBlock({ reader }: Hole) {
  return (node: Reading["front"]["nodes"][number]) =>
    reader.beginLine(reader.parser.stacks.front([node]), node.layout).nodes;
}

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

/**
 * Whether `filling` adds nothing but trivia, white space and comments, to the text before the hole.
 */
export function isTriviaFilling(hole: Hole, filling: Filling): boolean {
  const { empty, reader } = hole;
  const ended = empty.readings.flatMap((reading) => reader.endLexeme(reading, empty.bytes, empty.bytes.length));
  const before = new Set([...empty.readings, ...ended].map(({ front }) => front.id));
  return (
    filling.readings.length > 0 &&
    filling.readings.every((reading) => before.has(reading.front.id) && !isInsideToken(hole, reading))
  );
}

/** Whether no filling of the hole but trivia is possible. */
export function takesOnlyTrivia(hole: Hole): boolean {
  const { empty, reader } = hole;
  const canTokenGoOn = empty.readings.some(
    (reading) =>
      isInsideToken(hole, reading) && typeof reading.lexeme !== "string" && reader.canGoOn(reading.lexeme.state),
  );
  return !canTokenGoOn && expectedTerminals(hole, empty).length === 0;
}

function isInsideToken({ reader }: Hole, { lexeme }: Reading): boolean {
  const { lex } = reader.parser.grammar;
  return typeof lexeme !== "string" && !lex.matches[lex.match[lexeme.state]!]!.isTrivia;
}
