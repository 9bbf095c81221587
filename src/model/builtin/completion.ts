import type { FillGuide } from "../model.ts";

/** One token of a completion, and why it stands there. */
export interface CompletionToken {
  /** The token with the white space before it. */
  readonly text: string;
  /** How likely it was at its place, from 0 to 1. */
  readonly probability: number;
  /** The contexts that proposed it, the strongest first, such as `last 3 tokens, workspace`. */
  readonly contexts: readonly string[];
  /** The longest match of what stands before in the learnt files that this token followed, where there was one. */
  readonly match?: CompletionMatch;
}

/** A place in a learnt file where the text before a token stands too. */
export interface CompletionMatch {
  /** The learnt file. */
  readonly path: string;
  /** The position of the token in the file, in the model's own tokens; see `BuiltinModel.lineOfToken`. */
  readonly tokenIndex: number;
  /** How many tokens before it agree, at most 40. */
  readonly length: number;
}

/** A text that may go at a place. */
export interface Completion {
  /** What to insert. */
  readonly text: string;
  /** How likely it is that exactly this is wanted, from 0 to 1; calibrated. */
  readonly probability: number;
  readonly tokens: readonly CompletionToken[];
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
