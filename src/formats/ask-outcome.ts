import type { LineSplice } from "./placement.ts";
import type { Lenience, Refusal } from "./refusal.ts";

/** What became of one ask in its file. */
export type AskOutcome =
  | {
      readonly kind: "placed";
      /** As in `PlacedAsk`. */
      readonly splices: readonly LineSplice[];
      readonly leniences: readonly AskLenience[];
    }
  | { readonly kind: "refused"; readonly refusal: AskRefusal };

/** A lenience of the ask at hand; the row and the file are known. */
export type AskLenience = Pick<Lenience, "kind" | "message">;

/** A refusal of the ask at hand; the row and the file are known. */
export type AskRefusal = Pick<Refusal, "kind" | "message" | "nearest">;

/** The ask found its place. */
export function placed(splices: readonly LineSplice[], leniences: readonly AskLenience[] = []): AskOutcome {
  return { kind: "placed", splices, leniences };
}

/** The ask is not taken. */
export function refused(kind: Refusal["kind"], message: string, nearest?: Refusal["nearest"]): AskOutcome {
  return { kind: "refused", refusal: nearest === undefined ? { kind, message } : { kind, message, nearest } };
}
