import { oneLine } from "../../text/index.ts";
import { describeNoSuggestion, printChange } from "../explain-outcome.ts";
import type { RefusedText } from "../outcome.ts";

/** Explains to a person, in one line, why a text is not suggested. */
export function printRefusal(refused: RefusedText): string {
  switch (refused.kind) {
    case "thrown-away":
      return describeNoSuggestion(refused.reason);
    case "cut":
      return printChange(refused.change);
    case "not-allowed":
      return refused.by === "grammar" ? "the grammar does not let it stand here" : "types have no such member";
  }
}

/** The most UTF-16 units of a line that is reported. */
const maxLine = 120;

/**
 * The first line of a text that is not blank, without white space around it and with runs of it as
 * one space; longer ones are cut to 120 UTF-16 units, with `…` as the last. `undefined` where all
 * of the text is blank.
 */
export function tryFirstLine(text: string): string | undefined {
  const line = /\S[^\n]*/.exec(text)?.[0];
  if (line === undefined) return undefined;
  const plain = oneLine(line.trimEnd());
  return plain.length > maxLine ? `${plain.slice(0, maxLine - 1)}…` : plain;
}
