/** The shared notation of the tests of resolving: files and operations. */
import { applyWorkspaceEdit } from "../../text/index.ts";
import type { EditOperation } from "../edit-operation.ts";
import { type PlaceOptions, resolveOperations } from "./resolve-operations.ts";

/** Lines written with `|` between them. */
export function linesOf(text: string): readonly string[] {
  return text === "" ? [] : text.split("|");
}

/** A block operation from its two sides; an empty side has no lines. */
export function block(search: string, replace: string, more: object = {}): EditOperation {
  return { kind: "block", row: 0, path: undefined, search: linesOf(search), replace: linesOf(replace), ...more };
}

/** A line range operation, from 0. Anchors are written `line:opening`. */
export function lines(
  start: number,
  end: number,
  put: string,
  anchors: readonly string[] = [],
  more = {},
): EditOperation {
  return {
    ...{ kind: "lines", row: 0, path: undefined, start, end, lines: linesOf(put) },
    anchors: anchors.map((anchor) => {
      const [, line, opening] = /^(-?\d+):(.*)$/.exec(anchor)!;
      return { line: Number(line), opening: opening! };
    }),
    ...more,
  };
}

/** A string operation with the texts as they are. */
export function string(search: string, replace: string, more: object = {}): EditOperation {
  return { kind: "string", row: 0, path: undefined, search, replace, ...more };
}

/**
 * Resolves operations in one file and prints the result in a line: its text with `|` for `\n`, then
 * the kinds of normalizations and refusals, such as `a|B| (indentation)` or `a|b| !not-found`.
 */
export function shown(
  before: string,
  operations: EditOperation | readonly EditOperation[],
  options: PlaceOptions = {},
): string {
  const files = new Map([["a.ts", before.replaceAll("|", "\n")]]);
  const { edit, normalizations, refusals } = resolveOperations([operations].flat(), files, options);
  const outcome = applyWorkspaceEdit(files, edit);
  if (outcome.kind !== "applied") return JSON.stringify(outcome);
  const text = (outcome.files.get("a.ts") ?? "").replaceAll("\n", "|");
  const given = normalizations.length === 0 ? "" : ` (${normalizations.map(({ kind }) => kind).join(" ")})`;
  return `${text}${given}${refusals.map(({ kind }) => ` !${kind}`).join("")}`;
}
