import { oneLine } from "../../text/index.ts";
import { describeNoSuggestion } from "../describe-no-suggestion.ts";
import type { RefusedText } from "../outcome.ts";
import { printChange } from "../print-change.ts";

/** Why a text is not offered, in one line for a person. */
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

/** The first line of a text that is not blank; `undefined` where there is none. */
export function tryFirstLine(text: string): string | undefined {
  const line = /\S[^\n]*/.exec(text)?.[0];
  if (line === undefined) return undefined;
  const plain = oneLine(line.trimEnd());
  return plain.length > maxLine ? `${plain.slice(0, maxLine - 1)}…` : plain;
}
