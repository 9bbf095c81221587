import type { Normalization, NormalizationKind, Refusal } from "../refusal.ts";
import type { LineSplice } from "./placement.ts";

/** The result of resolving one operation in its file. */
export type OperationOutcome =
  | {
      readonly kind: "placed";
      /** The changes of lines, as in `ResolvedOperation`. */
      readonly splices: readonly LineSplice[];
      readonly normalizations: readonly OperationNormalization[];
    }
  | { readonly kind: "refused"; readonly refusal: OperationRefusal };

/** A normalization of the current operation; the caller adds the row and the file. */
export type OperationNormalization = Pick<Normalization, "kind" | "message">;

/** A refusal of the current operation; the caller adds the row and the file. */
export type OperationRefusal = Pick<Refusal, "kind" | "message" | "nearest">;

/** Creates the outcome of an operation that was applied. */
export function placed(
  splices: readonly LineSplice[],
  normalizations: readonly OperationNormalization[] = [],
): OperationOutcome {
  return { kind: "placed", splices, normalizations };
}

/** Creates the outcome of an operation that was refused. */
export function refused(kind: Refusal["kind"], message: string, nearest?: Refusal["nearest"]): OperationOutcome {
  return { kind: "refused", refusal: nearest === undefined ? { kind, message } : { kind, message, nearest } };
}

/**
 * The messages about differences between the lines of a file and those of an operation, one for
 * each kind.
 */
export function normalizationMessages(kinds: Iterable<NormalizationKind>): readonly OperationNormalization[] {
  return [...new Set(kinds)].map((kind) => ({
    kind,
    message: messages[kind] ?? "It was not written as the format wants it.",
  }));
}

const messages: Partial<Record<NormalizationKind, string>> = {
  "white-space": "Blanks at the ends of lines or between words are others in the file.",
  indentation: "The file is indented in another way; the new lines are indented as it is.",
  "blank-lines": "There are other blank lines between the lines in the file.",
  typography: "Quotes, dashes or blanks are of another kind in the file.",
  escapes: "Characters are written as escapes that are not in the file.",
  "display-prefix": "Line numbers were written in front of the code.",
  elision: "Some of the lines to replace are left out with dots.",
};

/**
 * Names the lines from `start` up to `end`, from 0, by numbers from 1, such as `Lines 3 to 5`. An
 * empty range gives `The lines around line 3`.
 */
export function nameLines(start: number, end: number): string {
  if (end <= start) return `The lines around line ${start + 1}`;
  return end === start + 1 ? `Line ${end}` : `Lines ${start + 1} to ${end}`;
}

/**
 * Lists line indexes from 0 as numbers from 1, such as `3, 8 and 12`; after five, the rest as a
 * count. Empty without lines.
 */
export function listLines(lines: readonly number[]): string {
  const shown = lines.slice(0, 5).map((line) => `${line + 1}`);
  if (lines.length > 5) return `${shown.join(", ")} and ${lines.length - 5} more`;
  return shown.length < 2 ? shown.join("") : `${shown.slice(0, -1).join(", ")} and ${shown.at(-1)}`;
}
