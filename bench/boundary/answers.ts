import type { LineSplice } from "../../src/formats/index.ts";
import { escapeRow, printCommand } from "../../src/formats/range-command.ts";
import { anchorsOfMistake } from "./anchors.ts";

/** The formats in which mistaken answers are written. */
export type AnswerFormat = "range" | "line-commands";

/** A change as a model means it, and as it writes it. */
export interface WrittenChange {
  readonly intended: LineSplice;
  readonly written: LineSplice;
}

/**
 * The answer of a model that asks for one change of a file's lines; `undefined` where the format
 * could not say the mistake, see {@link anchorsOfMistake}.
 *
 * In `range` it quotes the lines that it means, at the numbers that it writes.
 */
export function writeAnswer(
  format: AnswerFormat,
  lines: readonly string[],
  { intended, written }: WrittenChange,
): string | undefined {
  const { start, end, lines: fresh } = written;
  if (format === "line-commands") {
    const kind = start === end ? "insert" : "edit";
    const place = start === end ? `${start}` : `${start + 1}:${end}`;
    return [`${kind} ${place}`, ...fresh, `end_of_${kind}`, ""].join("\n");
  }
  const anchors = anchorsOfMistake(lines, intended, written)?.anchors;
  if (anchors === undefined) return undefined;
  const kind = fresh.length === 0 ? "delete" : "replace";
  return [printCommand({ kind, start, end, anchors }), ...fresh.map(escapeRow), "@@ end", ""].join("\n");
}
