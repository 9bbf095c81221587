import { endOfText } from "../reading/parser.ts";
import type { Reading } from "../reading/reader.ts";
import type { Filling } from "./filling.ts";
import type { Hole } from "./hole.ts";

/**
 * The names of the terminals that may come next after a filling so that the text can still be
 * completed, in the grammar's order: tokens such as `Identifier`, literals in quotes. An open
 * lexeme counts as ended where it can end. Empty where it can't, and where the filling is not
 * completable.
 */
export function expectedTerminals(hole: Hole, filling: Filling): readonly string[] {
  return terminalsAfter(hole, endedReadings(hole, filling));
}

/** The readings of a filling after its open lexeme ends; none where that can't end here. */
export function endedReadings(hole: Hole, { readings, bytes }: Filling): readonly Reading[] {
  return readings
    .flatMap((reading) =>
      typeof reading.lexeme === "string" ? [reading] : hole.reader.endLexeme(reading, bytes, bytes.length),
    )
    .filter(({ front, lexeme }) => typeof lexeme === "string" && hole.canFinish(front));
}

/**
 * The names of the terminals with text that may come next in these readings, in the grammar's
 * order.
 */
export function terminalsAfter(hole: Hole, readings: readonly Reading[]): readonly string[] {
  const { parser } = hole.reader;
  const { tables, lex } = parser.grammar;
  return tables.terminals.filter((_, terminal) => {
    // Terminals without text are not written.
    if (terminal === endOfText || lex.shortest[terminal]!.length === 0) return false;
    return readings.some(({ front, spacing, lexeme }) => {
      const line = lexeme === "indentation" ? parser.stacks.front(front.nodes.flatMap(stacksOnSameDepth(hole))) : front;
      const after = parser.take(line, terminal, spacing);
      return !after.isEmpty && hole.canFinish(after);
    });
  });
}

/** The stacks at the start of a line of the same depth. */
function stacksOnSameDepth({ reader }: Hole) {
  return (node: Reading["front"]["nodes"][number]) =>
    reader.beginLine(reader.parser.stacks.front([node]), node.layout).nodes;
}

/** The position at which a filling stops being completable. */
export interface DeadPlace {
  /**
   * In bytes from the start of the filling: the start of the lexeme that is not allowed there, or
   * that can't continue as it does.
   */
  readonly offset: number;
  /** The names of the terminals that would be allowed there. */
  readonly expected: readonly string[];
}

/**
 * Finds the first lexeme of `bytes`, a whole filling in UTF-8, that makes the filling
 * incompletable. Returns its offset in bytes and the names of the terminals that are allowed there;
 * `undefined` where the filling is completable.
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
  while (good > 0 && isContinuationByte(bytes[good]!)) good -= 1;
  const filling = hole.add(hole.empty, bytes.subarray(0, good));
  const ended = continuesWith(hole, filling, bytes[good]!) ? [] : endedReadings(hole, filling);
  if (ended.length > 0) return { offset: good, expected: terminalsAfter(hole, ended) };
  const start = Math.max(...filling.readings.map((reading) => reading.start));
  const begun = filling.readings.filter((reading) => reading.start === start);
  return {
    offset: Math.max(0, good - (filling.bytes.length - start)),
    expected: terminalsAfter(hole, begun),
  };
}

/**
 * Whether all open lexemes at the end of `filling` continue with `byte`, so that none of them ends
 * before it.
 */
function continuesWith({ reader }: Hole, { readings }: Filling, byte: number): boolean {
  const { next, classOf, classCount } = reader.parser.grammar.lex;
  return readings.every(
    ({ lexeme }) => typeof lexeme !== "string" && next[lexeme.state * classCount + classOf[byte]!] !== 0,
  );
}

/** Whether a byte is a continuation byte of UTF-8. */
function isContinuationByte(byte: number): boolean {
  return (byte & 0xc0) === 0x80;
}

/**
 * Whether `filling` adds only trivia, such as white space and comments, to the text before the
 * hole; `false` for one that is not completable, or that ends inside a token.
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

/** Whether trivia are the only possible fillings of the hole. */
export function takesOnlyTrivia(hole: Hole): boolean {
  const { empty, reader } = hole;
  const canTokenGoOn = empty.readings.some(
    (reading) =>
      isInsideToken(hole, reading) && typeof reading.lexeme !== "string" && reader.isExtensible(reading.lexeme.state),
  );
  return !canTokenGoOn && expectedTerminals(hole, empty).length === 0;
}

function isInsideToken({ reader }: Hole, { lexeme }: Reading): boolean {
  const { lex } = reader.parser.grammar;
  return typeof lexeme !== "string" && !lex.matches[lex.match[lexeme.state]!]!.isTrivia;
}
