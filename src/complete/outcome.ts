import type { Prompt } from "../context/index.ts";
import type { AnswerToken } from "../model/index.ts";
import type { TextEdit } from "../text/index.ts";
import type { AcceptanceScore } from "./feedback/acceptance-model.ts";
import type { TracedStep } from "./trace.ts";

/** Text offered at the cursor. */
export interface Suggestion {
  /** Names the suggestion when it is reported as shown, accepted or dismissed. */
  readonly id: string;
  /** What accepting it does; its range lies on the cursor's line and holds the cursor. */
  readonly edit: TextEdit;
  /** The ghost text: the text of the edit without the characters that are there already. */
  readonly ghost: string;
  /** How likely exactly this is wanted, from 0 to 1, where the model can tell. */
  readonly probability?: number;
  /** The origin, in the order of their use. */
  readonly origin: "typed-as-suggested" | "cache" | "joined" | "ahead" | "model";
  /** The model's name. */
  readonly model: string;
  /**
   * What was done to the model's text before it was offered, in order; empty when it is the model's
   * own.
   */
  readonly changes: readonly SuggestionChange[];
}

/** What post-processing did to a text. */
export type SuggestionChange =
  // The connection broke before the answer's end.
  | "kept-whole-lines"
  | "trimmed-at-block"
  | "trimmed-at-statement"
  | "trimmed-lines"
  | "cut-repetition"
  | "cut-following-lines"
  | "cut-special-token"
  | "cut-talk"
  | "cut-invisible"
  | "cut-fence"
  | "cut-echo"
  | "cut-other-word"
  | "cut-closers"
  | "indentation-fitted"
  | "named-open-element"
  | "shortened-for-syntax"
  | "shortened-for-members";

/** Why no suggestion of any kind is made in a document. */
export type DocumentRefusal =
  /** `setting` is the name of the switch; see `trySwitchedOff`. */
  | { readonly kind: "language-off"; readonly language: string; readonly setting: string }
  | { readonly kind: "secret-file"; readonly path: string }
  | { readonly kind: "ignored-file"; readonly path: string; readonly by: string }
  | { readonly kind: "too-large"; readonly characters: number; readonly limit: number };

/** Why nothing is offered. One line each in `describeNoSuggestion`. */
export type NoSuggestionReason =
  // The gate.
  | DocumentRefusal
  | { readonly kind: "too-little-context"; readonly characters: number; readonly needed: number }
  // The beginning of what follows on the line.
  | { readonly kind: "mid-line"; readonly rest: string }
  | { readonly kind: "in-comment" }
  | { readonly kind: "in-string" }
  | { readonly kind: "low-acceptance"; readonly score: number; readonly threshold: number }
  // Time.
  | { readonly kind: "cancelled" }
  | { readonly kind: "superseded" }
  | ({
      readonly kind: "timed-out";
      /**
       * `prompt`: what the prompt is made of, and the server's count of it; `model`: the answer.
       */
      readonly waitedFor: "prompt" | "model";
      readonly afterMs: number;
      /** The limit: that of a request while one types, or the setting. */
      readonly limit: "typing" | "complete.timeoutMs";
      readonly model: string;
    } & NextModel)
  // The model.
  | { readonly kind: "no-model"; readonly cure: string }
  | ({ readonly kind: "model-failed"; readonly code: string; readonly message: string } & NextModel)
  | ({ readonly kind: "model-silent"; readonly why: string } & AnswerOf)
  // After the model. `line-break`: nothing was left since the text begins on the next line, and the
  // cursor's line continues.
  | ({ readonly kind: "empty"; readonly startsWith?: "line-break" } & AnswerOf)
  | ({ readonly kind: "repeats-itself" } & AnswerOf)
  | ({ readonly kind: "repeats-what-follows" } & AnswerOf)
  // The beginning of what the person has just deleted or undone there.
  | { readonly kind: "just-deleted"; readonly text: string }
  | ({ readonly kind: "breaks-syntax"; readonly issue: string } & AnswerOf)
  | { readonly kind: "disagrees-with-picked" };

/** Whose answer a reason is about. */
export interface AnswerOf {
  /** The model's name; set where several models were requested. */
  readonly model?: string;
}

/** What came after a failure. */
export interface NextModel {
  /** Why the last fallback model offers nothing; absent where there was none. */
  readonly next?: NoSuggestionReason;
}

/** A text that a model wrote or wanted to write, or a part of one, and that is not offered. */
export type RefusedText = {
  /** Its first line that is not blank, in one line and not too long. */
  readonly line: string;
} & (
  | { readonly kind: "thrown-away"; readonly reason: NoSuggestionReason }
  /** The end of a text that is offered without it. */
  | { readonly kind: "cut"; readonly change: SuggestionChange }
  /** A guide did not let the model write it. */
  | { readonly kind: "not-allowed"; readonly by: "grammar" | "types" }
);

/** One step of the trace, and how long it took. */
export type TraceStep = TracedStep<
  "gate" | "reuse" | "context" | "prompt" | "first-token" | "model" | "trim" | "check" | "offer"
>;

/** What became of a request, and by which way. */
export type GhostTextOutcome = {
  readonly trace: readonly TraceStep[];
  /**
   * What the model was shown; of an answer that was kept, what it was shown then, while that is
   * remembered.
   */
  readonly prompt?: Prompt;
  /** The explanation of the first suggestion, as the model wrote it, where the model gives one. */
  readonly evidence?: readonly AnswerToken[];
  /**
   * What models wrote and wanted to write on the way, and is not offered; absent where there is
   * nothing.
   */
  readonly refused?: readonly (RefusedText & { readonly model: string })[];
  /**
   * The models that failed, or had nothing to offer, on the way to a suggestion of another one,
   * each with the reason; absent where there were none.
   */
  readonly failures?: readonly { readonly model: string; readonly reason: NoSuggestionReason }[];
  /** The estimated acceptance of ghost text, where it was computed. */
  readonly acceptance?: AcceptanceScore;
} & (
  | { readonly kind: "offered"; readonly suggestions: readonly [Suggestion, ...Suggestion[]] }
  | { readonly kind: "no-suggestion"; readonly reason: NoSuggestionReason }
);
