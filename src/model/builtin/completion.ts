import type { AnswerToken } from "../answer-token.ts";
import type { FillGuide } from "../model.ts";

/** A text that may go at a place. */
export interface Completion {
  /** What to insert. */
  readonly text: string;
  /** How likely it is that exactly this is wanted, from 0 to 1; calibrated. */
  readonly probability: number;
  readonly tokens: readonly AnswerToken[];
  /** Set where the guide does not let it end as it is, and allows nothing more that the model knows. */
  readonly isUnfinished?: true;
}

/** Where completions are wanted, and how many. */
export interface CompletionRequest {
  /** The file's path from the workspace's root, with `/`. What was learnt of this path is left aside. */
  readonly path: string;
  /** The language's id in the registry. */
  readonly language: string;
  /** The text before the place. */
  readonly prefix: string;
  /** The text after the place. */
  readonly suffix: string;
  /** The most lines of a completion; 1 unless told. */
  readonly maxLines?: number;
  /** The most completions wanted; 1 unless told. */
  readonly limit?: number;
  /** The least probability of an offered completion, from 0 to 1; the model's own expectation of gain unless told. */
  readonly minProbability?: number;
  /** What the completion may be; anything unless told. */
  readonly guide?: FillGuide;
}

/** What the model says to a request. */
export type CompletionAnswer =
  | {
      readonly kind: "offered";
      /** Likeliest first, all different, at least one. */
      readonly completions: readonly [Completion, ...Completion[]];
    }
  | {
      readonly kind: "silent";
      /**
       * `nothing-known`: no context proposes anything. `unsure`: the best proposal would cost more attention than it
       * saves. `line-complete`: the likeliest continuation is that nothing is missing.
       */
      readonly reason: "nothing-known" | "unsure" | "line-complete";
      /** What would have been offered, for explanation. */
      readonly best?: Completion;
    };
