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
