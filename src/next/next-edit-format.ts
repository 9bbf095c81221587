import type { ChatMessage, ModelEnd, TextPart } from "../model/index.ts";
import type { TextEdit } from "../text/index.ts";
import type { NextEditScene } from "./next-edit-scene.ts";

/** How a model is asked for a next edit, and how its answer is read. One for each family of models that was trained for it. */
export interface NextEditFormat {
  readonly name: NextEditFormatName;
  ask(scene: NextEditScene): NextEditQuestion;
  /**
   * Reads an answer while it streams: each edit as soon as it is sure, in the order of the text, none overlapping another. All speak of the scene's
   * text; where two insert at one place, they stand there in this order.
   * Ends with what came of it, once. It stops asking for more when it knows enough. An answer that was cut never takes lines away that it did not come to.
   */
  read(answer: ModelAnswer, scene: NextEditScene): AsyncGenerator<ReadEdit, ReadEnd>;
}

/** An edit that an answer says. */
export interface ReadEdit extends TextEdit {
  /** Set where it goes on with the edit in front of it, and is nothing without that. */
  readonly isRest?: true;
}

/** The formats, by the models or programs that they are known from. */
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

/** The answer of a model, as its faces stream it. */
export type ModelAnswer = AsyncGenerator<TextPart, ModelEnd>;

/** What a model is asked. */
export type NextEditQuestion =
  | { readonly kind: "chat"; readonly messages: readonly ChatMessage[]; readonly stop: readonly string[] }
  /** A prompt with the special tokens of its family in it, to be completed as it is. */
  | { readonly kind: "raw"; readonly prompt: string; readonly stop: readonly string[] }
  | { readonly kind: "fill"; readonly prefix: string; readonly suffix: string; readonly stop: readonly string[] }
  /** The scene cannot be shown in this format. */
  | { readonly kind: "refused"; readonly reason: SceneRefusal };

/** Why a scene cannot be shown: its text says one of the format's own marks. */
export interface SceneRefusal {
  readonly kind: "says-mark";
  readonly mark: string;
}

/** What came of an answer. */
export type ReadEnd =
  /** It was read to its end; there were edits, or the model said that there is none. */
  | { readonly kind: "read" }
  /** It was cut; the edits given are sound, and there may have been more. */
  | { readonly kind: "cut"; readonly why: "length" | "content-filter" | "silent" }
  /** It is not in the format from here on; the edits given before are sound. `message` says what was found. */
  | { readonly kind: "unreadable"; readonly message: string };
