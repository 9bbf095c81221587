import type { AnswerToken, FillRequest } from "../model.ts";

/** A text that may go at a place. */
export interface Completion {
  /** What to insert. */
  readonly text: string;
  /** How likely it is that exactly this is wanted, from 0 to 1; calibrated. */
  readonly probability: number;
  readonly tokens: readonly AnswerToken[];
  /**
   * Set where the guide rejects the text as complete and also rejects every continuation that the
   * model proposes.
   */
  readonly isUnfinished?: true;
  /**
   * Set where the guide rejected the model's likeliest text, and the completion continues with
   * another one.
   */
  readonly isForced?: true;
}

/** Where completions are wanted, and how many. What was learnt of the file's path is left aside. */
export interface CompletionRequest
  extends Pick<FillRequest, "path" | "language" | "prefix" | "suffix" | "maxLines" | "guide"> {
  /** The most completions wanted; default: 1. */
  readonly limit?: number;
  /**
   * The least probability of an offered completion, from 0 to 1; default: the model's own
   * expectation of gain.
   */
  readonly minProbability?: number;
  /**
   * With a guide: from how many of the likeliest first tokens a completion is tried; 1 by default.
   * See `DecodeOptions`.
   */
  readonly attempts?: number;
}

/** The answer of the model to a request. */
export type CompletionAnswer =
  | {
      readonly kind: "offered";
      /** Likeliest first, all different, at least one. */
      readonly completions: readonly [Completion, ...Completion[]];
    }
  | {
      readonly kind: "no-suggestion";
      /**
       * `nothing-known`: no context proposes anything. `unsure`: the best proposal would cost more
       * attention than it saves. `line-complete`: the likeliest continuation is that nothing is
       * missing.
       */
      readonly reason: "nothing-known" | "unsure" | "line-complete";
      /** What would have been offered, for explanation. */
      readonly best?: Completion;
    };
