import type { FileTexts } from "../../text/index.ts";
import type { EditOperation, ElidedEdit, LineRangeEdit, MoveFile, WholeFileEdit } from "../edit-operation.ts";
import { searchBlockRow } from "../reading/edit-in-code.ts";
import { elidedRow, isElision } from "../reading/is-elision.ts";
import { type OpenFile, OpenFiles } from "../reading/open-files.ts";
import { normalizedPath, unsafePathMessage } from "../reading/path-match.ts";
import type { Normalization } from "../refusal.ts";
import { doubtfulLines, refuseControlCharacters, writtenBy } from "./doubtful-lines.ts";
import { fileLines } from "./line-table.ts";
import { type OperationOutcome, placed, refused } from "./operation-outcome.ts";
import { placeBlock } from "./place-block.ts";
import { placeElided } from "./place-elided.ts";
import { placeLines } from "./place-lines.ts";
import { placeString } from "./place-string.ts";
import { placeWhole } from "./place-whole.ts";
import type { Placement, RefusedOperation, ResolvedOperation } from "./placement.ts";
import { takeBlanksAhead } from "./take-blanks-ahead.ts";
import type { WorkingText } from "./working-text.ts";

/** The rules that the model was given besides the format. */
export interface PlaceOptions {
  /**
   * Whether the first of several equal places is meant; by default they are refused as `ambiguous`.
   *
   * This is the rule that aider gives its models, for answers to its prompts: 2 of 273 recorded
   * answers rely on it. In one of the two the model states that it means the second place, and the
   * first is changed. Our own formats ask for text that occurs once.
   */
  readonly takesFirst?: boolean;
}

/**
 * Resolves the operations of an answer to places in the files that the model was shown.
 *
 * Operations are applied in the order of the answer. Line numbers always refer to the files as
 * shown; text is searched in the result of earlier operations. A refused operation changes nothing
 * and stops no other; the caller decides whether a partial answer is used.
 *
 * Law: no operation changes a line that it does not name.
 */
export function resolveOperations(
  operations: readonly EditOperation[],
  files: FileTexts,
  options: PlaceOptions = {},
): Placement {
  const open = new OpenFiles(files);
  const resolved: ResolvedOperation[] = [];
  const textOf = (operation: EditOperation) => {
    const found = open.resolve(operation);
    return found.kind === "file" ? found.file.text : undefined;
  };
  const once = withoutRepeats(operations, textOf);
  const taken = takeBlanksAhead(once.operations, (operation) => textOf(operation)?.snapshot);
  const normalizations: Normalization[] = [...once.normalizations, ...taken.normalizations];
  const refused: RefusedOperation[] = [];
  for (const operation of taken.operations) {
    const { outcome, path } = resolveOperation(operation, open, options);
    if (outcome.kind === "refused") {
      refused.push({ operation, refusal: { ...outcome.refusal, row: operation.row, path } });
    } else {
      resolved.push({ operation, path: path!, splices: outcome.splices });
      normalizations.push(
        ...outcome.normalizations.map((normalization) => ({ ...normalization, row: operation.row, path })),
      );
    }
  }
  const refusals = refused.map(({ refusal }) => refusal);
  return { edit: open.toWorkspaceEdit(), placed: resolved, normalizations, refusals, refused };
}

/** The outcome of an operation, and the path of its file. */
interface PlacedInFile {
  readonly outcome: OperationOutcome;
  readonly path: string | undefined;
}

function resolveOperation(operation: EditOperation, open: OpenFiles, options: PlaceOptions): PlacedInFile {
  const found = open.resolve(operation);
  if (found.kind === "refused") return { outcome: { kind: "refused", refusal: found.refusal }, path: operation.path };
  if (found.kind === "none") {
    const outcome = placeNewFile(operation, found.path, open) ?? { kind: "refused", refusal: found.refusal };
    return { outcome, path: outcome.kind === "placed" ? found.path : operation.path };
  }
  const { file } = found;
  const path = file.pathBefore ?? file.path;
  // A string operation may have several readings; the one that is applied is checked there.
  const written = operation.kind === "string" ? [] : writtenBy(operation);
  const outcome = refuseControlCharacters(written, file.text) ?? placeInFile(operation, file, { ...options, open });
  if (outcome.kind === "refused") return { outcome, path };
  const { splices } = outcome;
  const doubtful = doubtfulLines({ operation, path, splices, snapshot: file.text.snapshot });
  return { outcome: placed(splices, [...found.normalizations, ...outcome.normalizations, ...doubtful]), path };
}

/** Creates the file of an operation on a new file; `undefined` for all other operations. */
function placeNewFile(operation: EditOperation, path: string, open: OpenFiles): OperationOutcome | undefined {
  const lines = linesOfNewFile(operation);
  if (lines === undefined) return undefined;
  const refusal = refuseControlCharacters(lines, { text: "" });
  if (refusal !== undefined) return refusal;
  const left = elidedRow(lines, { known: [], path });
  if (left !== undefined) {
    return refused("elided-code", `${JSON.stringify(lines[left]!.trim())} stands for code, and the file is new.`);
  }
  const { text } = open.create(path);
  const splices = [{ start: 0, end: 0, lines }];
  text.replaceLines(splices);
  if ("finalNewline" in operation && operation.finalNewline === false) text.setFinalNewline(false);
  return placed([], doubtfulLines({ operation, path, splices, snapshot: text.snapshot }));
}

function linesOfNewFile(operation: EditOperation): readonly string[] | undefined {
  if (operation.kind === "create" || operation.kind === "whole" || operation.kind === "elided") return operation.lines;
  return operation.kind === "block" && operation.search.length === 0 ? operation.replace : undefined;
}

function placeInFile(
  operation: EditOperation,
  file: OpenFile,
  { open, takesFirst }: PlaceOptions & { readonly open: OpenFiles },
): OperationOutcome {
  switch (operation.kind) {
    case "lines":
      return elidedCode(operation, file) ?? placeLines(operation, file.text);
    case "block":
      return placeBlock(operation, { text: file.text, path: file.path, takesFirst });
    case "create":
      return refused("already-exists", `${file.path} is there already.`);
    case "remove":
      open.remove(file);
      return placed([]);
    case "move":
      return placeMove(operation, file, open);
    case "string":
      return placeString(operation, file.text, file.path);
    case "whole":
      return searchBlock(operation, file) ?? placeWhole(operation, file.text, file.path);
    case "elided":
      return searchBlock(operation, file) ?? placeElided(operation, file.text, file.path);
  }
}

/**
 * Refuses lines with an elision row; a line that was shown, and moves elsewhere, counts as code.
 */
function elidedCode({ lines }: LineRangeEdit, { text, path }: OpenFile): OperationOutcome | undefined {
  if (!lines.some((line) => isElision(line, path))) return undefined;
  const left = elidedRow(lines, { known: [fileLines(text.snapshot.source)], path });
  if (left === undefined) return undefined;
  const message = `${JSON.stringify(lines[left]!.trim())} stands for code; name only the lines that change, or write the code itself.`;
  return refused("elided-code", message);
}

/** Refuses code that contains a search/replace block for this file. */
function searchBlock({ lines }: WholeFileEdit | ElidedEdit, { text }: OpenFile): OperationOutcome | undefined {
  const row = searchBlockRow(lines, text.texts);
  if (row === undefined) return undefined;
  const message = `${JSON.stringify(lines[row]!.trim())} begins an edit in the format search-replace, within code; write all edits of an answer in one format.`;
  return refused("unreadable-row", message);
}

function placeMove(operation: MoveFile, file: OpenFile, open: OpenFiles): OperationOutcome {
  const to = normalizedPath(operation.to);
  if (to === undefined) return refused("unsafe-path", unsafePathMessage(operation.to));
  if (to === file.path) return refused("no-change", `${to} is where the file is already.`);
  if (open.has(to)) return refused("already-exists", `There is a file at ${to} already.`);
  open.move(file, to);
  return placed([]);
}

/**
 * Drops operations that repeat an earlier one, which would find nothing or change the result again;
 * each is reported. If the searched lines of a block are in the file more than once, repetitions
 * may be meant and are kept.
 */
function withoutRepeats(
  operations: readonly EditOperation[],
  textOf: (operation: EditOperation) => Pick<WorkingText, "by"> | undefined,
): { readonly operations: readonly EditOperation[]; readonly normalizations: readonly Normalization[] } {
  const first = new Map<string, EditOperation>();
  const normalizations: Normalization[] = [];
  const left = operations.filter((operation) => {
    if (operation.kind !== "block" && operation.kind !== "string" && operation.kind !== "create") return true;
    const { row, ...content } = operation;
    const key = JSON.stringify(content);
    const before = first.get(key);
    if (before === undefined) first.set(key, operation);
    if (before === undefined || isThereTwice(operation, textOf)) return true;
    const message = `The edit of row ${row + 1} is the one of row ${before.row + 1} again. It was taken once.`;
    normalizations.push({ kind: "marks", message, row, path: operation.path });
    return false;
  });
  return { operations: left, normalizations };
}

function isThereTwice(
  operation: EditOperation,
  textOf: (operation: EditOperation) => Pick<WorkingText, "by"> | undefined,
): boolean {
  if (operation.kind !== "block" || operation.search.length === 0) return false;
  const places =
    textOf(operation)
      ?.by((line) => line)
      .find(operation.search) ?? [];
  return places.length > 1;
}
