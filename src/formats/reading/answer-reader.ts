import type { EditOperation } from "../edit-operation.ts";
import type { Normalization, Refusal } from "../refusal.ts";

/** A part that a reader reports, in the order of the answer. */
export type AnswerPart =
  | { readonly kind: "operation"; readonly operation: EditOperation }
  /** The model states that there is nothing to change. */
  | { readonly kind: "no-change"; readonly row: number }
  | { readonly kind: "normalization"; readonly normalization: Normalization }
  | { readonly kind: "refusal"; readonly refusal: Refusal }
  /** The parts so far were reasoning and are dropped. */
  | { readonly kind: "restart" };

/**
 * Reads one answer while it arrives, in whole lines.
 *
 * Never throws, whatever the text. What cannot be read is reported as a refusal.
 * Law: the parts are the same for any way of cutting the answer into pieces.
 */
export interface AnswerReader {
  /** Reads the next piece of the answer. Returns the parts that it completes. */
  push(piece: string): readonly AnswerPart[];
  /**
   * Ends the answer. Returns the remaining parts: an operation that the format regards as complete,
   * or a `cut-off` refusal. `isCut` is whether the model was stopped before its end.
   */
  end(isCut: boolean): readonly AnswerPart[];
  /** The operation that is being written, up to its last whole line; for previews. */
  readonly open: EditOperation | undefined;
  /**
   * The operations in an incomplete row `row` that was not pushed, for formats that put whole
   * operations into one row and leave `open` empty. All but the last one are complete; of the last
   * one, whole lines only.
   */
  openIn?(row: string): readonly EditOperation[];
}

/** The content of a complete answer. */
export interface AnswerContent {
  readonly operations: readonly EditOperation[];
  /** Whether the model states that there is nothing to change. */
  readonly declaresNoChange: boolean;
  readonly normalizations: readonly Normalization[];
  readonly refusals: readonly Refusal[];
}

/**
 * Collects parts after the last `restart`. Without any operation, refusal or no-change part, the
 * result has a `no-edits` refusal.
 */
export function contentOf(all: readonly AnswerPart[]): AnswerContent {
  const parts = all.slice(all.findLastIndex(({ kind }) => kind === "restart") + 1);
  const operations = parts.flatMap((part) => (part.kind === "operation" ? [part.operation] : []));
  const normalizations = parts.flatMap((part) => (part.kind === "normalization" ? [part.normalization] : []));
  const refusals = parts.flatMap((part) => (part.kind === "refusal" ? [part.refusal] : []));
  const declaresNoChange = parts.some(({ kind }) => kind === "no-change");
  const isEmpty = operations.length === 0 && refusals.length === 0 && !declaresNoChange;
  return { operations, declaresNoChange, normalizations, refusals: isEmpty ? [noEdits] : refusals };
}

const noEdits: Refusal = {
  kind: "no-edits",
  message: "The answer holds no edit in this format.",
  row: undefined,
  path: undefined,
};

/**
 * Reads a complete answer at once, with a reader that has read nothing yet. `isCut` is whether the
 * model was stopped before its end. What cannot be read is one of the `refusals`, and so is an
 * answer without any edit, see {@link contentOf}.
 */
export function readAnswer(reader: AnswerReader, answer: string, isCut = false): AnswerContent {
  return contentOf([...reader.push(answer), ...reader.end(isCut)]);
}
