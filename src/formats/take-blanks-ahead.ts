import type { Ask, BlockAsk, LinesAsk } from "./ask.ts";
import { indentOf } from "./indent-change.ts";
import type { LineTable } from "./line-table.ts";
import type { Lenience } from "./refusal.ts";

/** Asks, and what was understood about them. */
export interface AsksWithoutBlanks {
  readonly asks: readonly Ask[];
  readonly leniences: readonly Lenience[];
}

/**
 * Takes off the blank that a model wrote between each line number and the code, as in `3:   return a;` for a line that is
 * indented by two.
 *
 * Only where all new lines of the answer have it, and the lines that they replace show that it is one too many: each
 * first new line is indented like the first line that it replaces, and one blank more. Where nothing is replaced, the
 * line beside the place shows it. `linesOf` gives the lines of the file that an ask is about.
 */
export function takeBlanksAhead(
  asks: readonly Ask[],
  linesOf: (ask: Ask) => Pick<LineTable, "count" | "text"> | undefined,
): AsksWithoutBlanks {
  const written = asks.filter(hasNewLines);
  if (written.length === 0 || !written.every((ask) => ask.mayHaveBlankAhead)) return { asks, leniences: [] };
  const replacing = written.filter((ask) => ask.kind === "lines" && ask.end > ask.start);
  const telling = replacing.length > 0 ? replacing : written;
  if (!telling.every((ask) => hasOneBlankMore(ask, linesOf(ask)))) return { asks, leniences: [] };
  const lenience: Lenience = {
    kind: "white-space",
    message: "One blank behind each line number was taken off: the code is indented without it.",
    row: written[0]!.row,
    path: written[0]!.path,
  };
  return { asks: asks.map((ask) => (hasNewLines(ask) ? withoutBlanks(ask) : ask)), leniences: [lenience] };
}

function hasNewLines(ask: Ask): ask is LinesAsk | BlockAsk {
  return (ask.kind === "lines" || ask.kind === "block") && newLines(ask).some((line) => line !== "");
}

function hasOneBlankMore(ask: LinesAsk | BlockAsk, lines: Pick<LineTable, "count" | "text"> | undefined): boolean {
  if (lines === undefined) return false;
  const first = newLines(ask).find((line) => line.trim() !== "");
  const isAhead = ask.kind === "lines";
  const [start, end] = isAhead && ask.end > ask.start ? [ask.start, Math.min(ask.end, lines.count)] : [0, lines.count];
  for (let i = 0; i < end - start; i++) {
    const old = lines.text(isAhead ? start + i : end - 1 - i);
    if (old.trim() !== "") return first !== undefined && indentOf(first) === ` ${indentOf(old)}`;
  }
  return false;
}

function withoutBlanks(ask: LinesAsk | BlockAsk): Ask {
  const lines = newLines(ask).map((line) => (line === "" ? line : line.slice(1)));
  return ask.kind === "lines" ? { ...ask, lines } : { ...ask, replace: lines };
}

function newLines(ask: LinesAsk | BlockAsk): readonly string[] {
  return ask.kind === "lines" ? ask.lines : ask.replace;
}
