import type { NormalizationKind } from "../refusal.ts";
import type { OperationNormalization } from "./operation-outcome.ts";

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
