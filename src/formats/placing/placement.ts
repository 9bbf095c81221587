import type { WorkspaceEdit } from "../../text/index.ts";
import type { EditOperation } from "../edit-operation.ts";
import type { Normalization, Refusal } from "../refusal.ts";

/** The result of resolving operations. */
export interface Placement {
  /** The changes of all resolved operations, by file paths; `refusals` has the others. */
  readonly edit: WorkspaceEdit;
  /** The resolved operations, in the order of the answer. */
  readonly placed: readonly ResolvedOperation[];
  readonly normalizations: readonly Normalization[];
  readonly refusals: readonly Refusal[];
  /** The operations of `refusals`, one each, in the same order. */
  readonly refused: readonly RefusedOperation[];
}

/** A resolved operation and its place. */
export interface ResolvedOperation {
  readonly operation: EditOperation;
  /** The path of the file. */
  readonly path: string;
  /**
   * Its changes of whole lines of the file as shown to the model; empty where a file is created,
   * removed or moved, and where the operation changes text that an earlier one inserted.
   */
  readonly splices: readonly LineSplice[];
}

/** A refused operation and the reason. */
export interface RefusedOperation {
  readonly operation: EditOperation;
  readonly refusal: Refusal;
}

/**
 * A replacement of the lines from `start` up to `end`, from 0; an insertion before line `start`
 * where both are equal.
 */
export interface LineSplice {
  readonly start: number;
  readonly end: number;
  readonly lines: readonly string[];
}
