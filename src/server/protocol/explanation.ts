import type { Position } from "vscode-languageserver";

/**
 * The parameters of `emend/explanation`: explain the last request for ghost text or for a next
 * edit; without `of`, the later of both.
 */
export interface ExplanationParams {
  readonly of?: ExplanationSubject;
}

/** The kind of request that is explained. */
export type ExplanationSubject = "ghost-text" | "next-edit";

/**
 * The trace of one request, ready to be shown. Plain data; fields may be added, none changes its
 * meaning.
 */
export interface Explanation {
  readonly of: ExplanationSubject;
  readonly uri: string;
  readonly position: Position;
  /** In one line: the suggestion, or why there is none. */
  readonly result: string;
  /** Why there is no suggestion; absent when there is one. */
  readonly noSuggestion?: { readonly kind: string; readonly text: string };
  /** The model or provider of the suggestion, and its likelihood, from 0 to 1. */
  readonly model?: string;
  readonly likelihood?: number;
  /** The changes to a model's text before it was suggested, a few words each. */
  readonly changes: readonly string[];
  /** The steps of the trace in order; all of them took `totalMs` milliseconds. */
  readonly steps: readonly ExplanationStep[];
  readonly totalMs: number;
  /** The pieces of the prompt, included or left out; empty where no model was requested. */
  readonly pieces: readonly ExplanationPiece[];
  /** Why there is no prompt, in one line for people; absent where there is one. */
  readonly noPrompt?: string;
  /**
   * The tokens of all pieces, and the budget; absent where no model was requested. For people:
   * `size`, such as `70 tokens of at most 1,536`, and what limits it, a sentence each.
   */
  readonly tokens?: {
    readonly used: number;
    readonly budget: number;
    readonly size: string;
    readonly limits: readonly string[];
  };
  /**
   * For each part of a model's text, the context that predicted it; only models such as the
   * built-in one have it.
   */
  readonly evidence?: readonly ExplanationToken[];
  /** The suggestions that the checks filtered out, such as those with syntax errors. */
  readonly refusals: readonly ExplanationRefusal[];
}

/** A part of a text that a model wrote, with the context that predicted it. */
export interface ExplanationToken {
  readonly text: string;
  /** From 0 to 1. */
  readonly likelihood: number;
  /** The contexts that predicted it, the strongest first: `last 3 tokens, workspace`. */
  readonly contexts: readonly string[];
  /** Where the text before it occurs in the workspace, and for how many tokens: `src/a.ts:12`. */
  readonly match?: { readonly origin: string; readonly tokens: number };
}

/** A step of the trace. */
export interface ExplanationStep {
  /**
   * `gate`, `reuse`, `prompt`, `first token` (the wait for it), `model` (the rest of its answer),
   * `check`, `offer`, …
   */
  readonly name: string;
  /** The name for people: `Whether to suggest`. */
  readonly title: string;
  /** Milliseconds since the start of the request. */
  readonly startMs: number;
  readonly tookMs: number;
  readonly detail: string;
}

/** A piece of a prompt. */
export interface ExplanationPiece {
  readonly title: string;
  /** Its source: a path, `the text before the cursor`, … */
  readonly origin: string;
  readonly tokens: number;
  readonly status: "whole" | "cut" | "left out";
  /** Why it was cut or left out. */
  readonly why?: string;
  /** The text in the prompt; empty where it was left out. */
  readonly text: string;
}

/** A suggestion that was filtered out. */
export interface ExplanationRefusal {
  /** Its beginning, in one line. */
  readonly what: string;
  readonly why: string;
  /** The provider that proposed it, where there are several. */
  readonly by?: string;
}
