import { codePointName } from "../../text/index.ts";
import type { EditOperation } from "../edit-operation.ts";
import { type OperationOutcome, refused } from "./operation-outcome.ts";

/**
 * Refuses text with a control character, other than tab, LF and CR, that the file does not contain;
 * `undefined` where there is none.
 */
export function refuseControlCharacters(
  written: readonly string[],
  file: { readonly text: string },
): OperationOutcome | undefined {
  for (const text of written) {
    for (const [found] of text.matchAll(controlCharacters)) {
      if (file.text.includes(found)) continue;
      const letter = jsonEscapes[found];
      const hint = letter === undefined ? "" : ` In JSON a backslash is written twice: "\\\\${letter}".`;
      return refused(
        "control-character",
        `The new text has the control character ${codePointName(found)}, which the file does not have.${hint}`,
      );
    }
  }
  return undefined;
}

/** The lines or the text that an operation writes. */
export function writtenBy(operation: EditOperation): readonly string[] {
  if (operation.kind === "block" || operation.kind === "string") return [operation.replace].flat();
  return "lines" in operation ? operation.lines : [];
}

const controlCharacters = /(?![\t\n\r])\p{Cc}/gu;

const jsonEscapes: Readonly<Record<string, string>> = { "\b": "b", "\f": "f" };
