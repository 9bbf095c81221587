import type { Reading } from "../reading/reading.ts";
import { expectedTerminals } from "./expected-terminals.ts";
import type { Filling } from "./filling.ts";
import type { Hole } from "./hole.ts";

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
