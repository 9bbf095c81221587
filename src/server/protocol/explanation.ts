import type { Position } from "vscode-languageserver";

/** What `emend/explanation` is asked: about the last request for ghost text, or for a next edit; the later of both unless told. */
export interface ExplanationParams {
  readonly of?: ExplanationSubject;
}

/** Who was asked. */
export type ExplanationSubject = "ghost-text" | "next-edit";

/** What became of a request, ready to be shown. Plain data; fields may be added, none changes its meaning. */
export interface Explanation {
  readonly of: ExplanationSubject;
  readonly uri: string;
  readonly position: Position;
  /** In one line: what was offered, or why nothing was. */
  readonly result: string;
  /** Why nothing was offered; absent when something was. */
  readonly silence?: { readonly kind: string; readonly text: string };
  /** Who wrote what was offered, and how sure it is, from 0 to 1. */
  readonly model?: string;
  readonly likelihood?: number;
  /** What was done to a model's text before it was offered, a few words each. */
  readonly changes: readonly string[];
  /** The walk in order; all of it took `totalMs` milliseconds. */
  readonly steps: readonly ExplanationStep[];
  readonly totalMs: number;
  /** What a model was shown, and what was left out; empty where none was asked. */
  readonly pieces: readonly ExplanationPiece[];
  /** Tokens of all pieces, and how many there was room for; absent where no model was asked. */
  readonly tokens?: { readonly used: number; readonly budget: number };
  /** Why each part of a model's text says what it says, where the model can tell, as the built-in one can. */
  readonly evidence?: readonly ExplanationToken[];
  /** What the checks held back, such as what would break the syntax. */
  readonly refusals: readonly ExplanationRefusal[];
}

/** A part of a text that a model wrote, and why it stands there. */
export interface ExplanationToken {
  readonly text: string;
  /** From 0 to 1. */
  readonly likelihood: number;
  /** What spoke for it, the strongest first: `last 3 tokens, workspace`. */
  readonly contexts: readonly string[];
  /** Where the text before it stands in the workspace too, for how many tokens: `src/a.ts:12`. */
  readonly match?: { readonly origin: string; readonly tokens: number };
}

/** A step of the walk. */
export interface ExplanationStep {
  /** `gate`, `reuse`, `prompt`, `first token` (the wait for it), `model` (the rest of its answer), `check`, `offer`, … */
  readonly name: string;
  /** Milliseconds since the request came. */
  readonly startMs: number;
  readonly tookMs: number;
  readonly detail: string;
}

/** A piece of a prompt. */
export interface ExplanationPiece {
  readonly title: string;
  /** Where it comes from: a path, `the text before the cursor`, … */
  readonly origin: string;
  readonly tokens: number;
  readonly fate: "whole" | "cut" | "left out";
  /** Why it was cut or left out. */
  readonly why?: string;
  /** What the model read; empty where it was left out. */
  readonly text: string;
}

/** What was proposed and not offered. */
export interface ExplanationRefusal {
  /** The beginning of it, in one line. */
  readonly what: string;
  readonly why: string;
  /** Who proposed it, where more than one does. */
  readonly by?: string;
}
