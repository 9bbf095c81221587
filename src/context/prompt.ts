import type { ContextText, RedactedText, TokenCounter } from "../model/index.ts";
import type { TextRange } from "../text/index.ts";

/** What a piece of a prompt is: who found it, and why. */
export type PieceKind =
  | "before-cursor"
  | "after-cursor"
  | "marker"
  | "imports"
  | "symbols"
  | "similar"
  | "retrieved"
  | "recent-edits"
  | "diagnostics"
  | "git-diff";

/** A text that may stand in a prompt. */
export interface ContextPiece {
  readonly kind: PieceKind;
  /** Where it is from: a path from the workspace's root, or a title in words for what has none. */
  readonly path: string;
  /** Which lines of that file, `[start, end)` from 0, where it is a part of one. */
  readonly lines?: TextRange;
  readonly text: string;
  /** How many secrets the text has `…` for, where it has any. */
  readonly hidden?: number;
  /** From 0 to 1: who wins when the budget is short. Not the order in which pieces are written. */
  readonly priority: number;
}

/** A piece that may be shown to a model. */
export interface RedactedPiece extends ContextPiece {
  readonly text: RedactedText;
}

/** A piece, what it costs, and what became of it. */
export interface PlacedPiece extends ContextPiece {
  /** As the prompt's own counter counts. */
  readonly tokens: number;
  readonly status:
    | { readonly kind: "written" }
    /** Only a part of it fitted; `text` is that part. */
    | { readonly kind: "clipped" }
    | { readonly kind: "left-out"; readonly reason: "over-budget" | "repeats-another" | "adds-nothing" };
}

/** What a model is shown for one place, as plain data that can explain itself. */
export interface Prompt {
  /** The text before the place, from the line on that the budget allows. */
  readonly prefix: string;
  /** The text after the place, truthful: it begins with the rest of the place's line. */
  readonly suffix: string;
  /**
   * The other pieces, in an order that hardly changes from one key to the next, ready for a model.
   */
  readonly context: readonly ContextText[];
  /**
   * Every piece that was thought of, with its status; those written in the order in which they are.
   */
  readonly pieces: readonly PlacedPiece[];
  /** Tokens of all that is written. */
  readonly tokens: number;
  /** The same with the marks of a fill, as the model's server counted; absent where it did not. */
  readonly serverTokens?: number;
  readonly budget: PromptBudget;
  readonly counter: Pick<TokenCounter, "name" | "isExact">;
}

/** How much a prompt may cost, and how it is shared. */
export interface PromptBudget {
  /** The most tokens of the whole prompt. */
  readonly maxTokens: number;
  /**
   * The share of the text after the cursor, from 0 to 1. What one side does not need goes to the
   * other.
   */
  readonly suffixShare: number;
  /**
   * The most tokens that the server may have to evaluate beyond what it has evaluated before; no
   * limit unless set.
   */
  readonly freshTokens?: number;
  /** Where {@link maxTokens} comes from; absent where nothing limits the prompt. */
  readonly limit?: PromptLimit;
  /** How quickly the server reads prompts, and the setting of the time that it may take. */
  readonly pace?: { readonly tokensPerSecond: number; readonly setting: string };
}

/** What keeps a prompt from being larger: a setting by its key, or the context of the model. */
export type PromptLimit =
  | { readonly kind: "setting"; readonly key: string }
  | { readonly kind: "context"; readonly contextTokens: number; readonly answerTokens: number };
