import type { BlockEdit, EditOperation, LineRangeEdit } from "../edit-operation.ts";
import type { Normalization } from "../refusal.ts";
import { indentOf } from "./indent-change.ts";
import type { LineTable } from "./line-table.ts";

/** Operations, and normalizations about them. */
export interface OperationsWithoutBlanks {
  readonly operations: readonly EditOperation[];
  readonly normalizations: readonly Normalization[];
}

/**
 * Removes a blank that a model wrote between each line number and the code, as in `3: return a;`
 * for a line that is indented by two.
 *
 * Only where all new lines of the answer have it and the file proves it superfluous: each first new
 * line has the indentation of the first line that it replaces plus one blank. Without replaced
 * lines, the neighbouring line is compared. `linesOf` returns the lines of an operation's file;
 * where the lines are `undefined`, nothing is removed.
 *
 * Where blanks were removed, one of the normalizations reports that.
 */
export function takeBlanksAhead(
  operations: readonly EditOperation[],
  linesOf: (operation: EditOperation) => Pick<LineTable, "count" | "text"> | undefined,
): OperationsWithoutBlanks {
  const written = operations.filter(hasNewLines);
  if (written.length === 0 || !written.every((operation) => operation.mayHaveBlankAhead))
    return { operations, normalizations: [] };
  const replacing = written.filter((operation) => operation.kind === "lines" && operation.end > operation.start);
  const compared = replacing.length > 0 ? replacing : written;
  if (!compared.every((operation) => hasOneBlankMore(operation, linesOf(operation))))
    return { operations, normalizations: [] };
  const normalization: Normalization = {
    kind: "white-space",
    message: "One blank behind each line number was taken off: the code is indented without it.",
    row: written[0]!.row,
    path: written[0]!.path,
  };
  return {
    operations: operations.map((operation) => (hasNewLines(operation) ? withoutBlanks(operation) : operation)),
    normalizations: [normalization],
  };
}

function hasNewLines(operation: EditOperation): operation is LineRangeEdit | BlockEdit {
  return (operation.kind === "lines" || operation.kind === "block") && newLines(operation).some((line) => line !== "");
}

function hasOneBlankMore(
  operation: LineRangeEdit | BlockEdit,
  lines: Pick<LineTable, "count" | "text"> | undefined,
): boolean {
  if (lines === undefined) return false;
  const first = newLines(operation).find((line) => line.trim() !== "");
  const isAhead = operation.kind === "lines";
  const [start, end] =
    isAhead && operation.end > operation.start
      ? [operation.start, Math.min(operation.end, lines.count)]
      : [0, lines.count];
  for (let i = 0; i < end - start; i++) {
    const old = lines.text(isAhead ? start + i : end - 1 - i);
    if (old.trim() !== "") return first !== undefined && indentOf(first) === ` ${indentOf(old)}`;
  }
  return false;
}

function withoutBlanks(operation: LineRangeEdit | BlockEdit): EditOperation {
  const lines = newLines(operation).map((line) => (line === "" ? line : line.slice(1)));
  return operation.kind === "lines" ? { ...operation, lines } : { ...operation, replace: lines };
}

function newLines(operation: LineRangeEdit | BlockEdit): readonly string[] {
  return operation.kind === "lines" ? operation.lines : operation.replace;
}
