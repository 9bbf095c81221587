import type { Normalization, Refusal } from "../refusal.ts";
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
