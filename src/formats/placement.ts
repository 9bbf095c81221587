import type { WorkspaceEdit } from "../text/index.ts";
import type { Ask } from "./ask.ts";
import type { Lenience, Refusal } from "./refusal.ts";

/** Asks put into their places in the files. */
export interface Placement {
  /** The change of all asks that found their place, by the files' paths; the others are in `refusals`. */
  readonly edit: WorkspaceEdit;
  /** Each ask that found its place, in the order of the answer. */
  readonly placed: readonly PlacedAsk[];
  readonly leniences: readonly Lenience[];
  readonly refusals: readonly Refusal[];
  /** The asks that `refusals` speak of, one each, in the same order. */
  readonly refused: readonly RefusedAsk[];
}

/** An ask and where it went. */
export interface PlacedAsk {
  readonly ask: Ask;
  /** The file's own path. */
  readonly path: string;
  /**
   * What it does to whole lines of the file as the model was shown it; empty where a file is created, removed or moved,
   * and where the ask speaks of text that an earlier one put in.
   */
  readonly splices: readonly LineSplice[];
}

/** An ask that found no place, and why. */
export interface RefusedAsk {
  readonly ask: Ask;
  readonly refusal: Refusal;
}

/** Lines in the place of lines: those from `start` up to `end`, from 0; in front of line `start` where both are the same. */
export interface LineSplice {
  readonly start: number;
  readonly end: number;
  readonly lines: readonly string[];
}
