import type { ChatMessage, ModelEnd, TextPart } from "../../model/index.ts";
import type { TextEdit } from "../../text/index.ts";
import type { NextEditPromptInput } from "../providers/model/next-edit-prompt-input.ts";

/**
 * A format of prompts for next edits, with a reader of the answers. There is one for each family of
 * models that was trained for it.
 */
export interface NextEditFormat {
  readonly name: NextEditFormatName;
  /** Writes the prompt; `refused` where the prompt input contains one of the format's markers. */
  ask(input: NextEditPromptInput): NextEditQuestion;
  /**
   * Reads an answer while it streams: yields each edit as soon as it is certain, in the order of
   * the text, without overlaps. All refer to the prompt input's text; two insertions at one place
   * belong in this order. Returns once how the reading ended. Stops reading when the rest cannot
   * matter. An answer that was cut never deletes lines that it did not reach.
   */
  read(answer: ModelAnswer, input: NextEditPromptInput): AsyncGenerator<ReadEdit, ReadEnd>;
}

/** An edit read from an answer. */
export interface ReadEdit extends TextEdit {
  /** Set where it continues the edit before it, and is meaningless without that. */
  readonly isRest?: true;
}

/** The names of formats, by the models or programs that they come from. */
export type NextEditFormatName =
  | "unified"
  | "zeta"
  | "zeta-2"
  | "zeta-2.1"
  | "sweep"
  | "instinct"
  | "mercury"
  | "chat"
  | "fill-in-the-middle";

/** A model's streamed answer. */
export type ModelAnswer = AsyncGenerator<TextPart, ModelEnd>;

/** A prompt for a model. */
export type NextEditQuestion =
  | { readonly kind: "chat"; readonly messages: readonly ChatMessage[]; readonly stop: readonly string[] }
  /** A prompt that contains special tokens of the model, to be completed as it is. */
  | { readonly kind: "raw"; readonly prompt: string; readonly stop: readonly string[] }
  | { readonly kind: "fill"; readonly prefix: string; readonly suffix: string; readonly stop: readonly string[] }
  /** The prompt input cannot be written in this format. */
  | { readonly kind: "refused"; readonly reason: PromptRefusal };

/** Why a prompt input cannot be written: its text contains one of the format's markers. */
export interface PromptRefusal {
  readonly kind: "says-mark";
  readonly mark: string;
}

/** How the reading of an answer ended. */
export type ReadEnd =
  /** It was read to its end: it contained edits, or the model answered that there is none. */
  | { readonly kind: "read" }
  /** It was cut; the yielded edits are valid, and there may have been more. */
  | { readonly kind: "cut"; readonly why: "length" | "content-filter" | "silent" }
  /**
   * It is not in the format from here on; the edits yielded before are valid. `message` is what was
   * found.
   */
  | { readonly kind: "unreadable"; readonly message: string };
