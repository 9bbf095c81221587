import type { Clock } from "../codebase/index.ts";
import type { Model } from "../model/index.ts";
import type { Syntax, SyntaxIssue } from "../syntax/index.ts";
import type { Edit } from "../text/index.ts";
import type { AskEnd } from "./ask-model.ts";
import type { KnownModel } from "./formats/format-for.ts";
import type { SceneRequest } from "./scene-at.ts";
import type { NextEditSettings } from "./settings.ts";

/** Where the person is, and what a model may be told of it. */
export type ModelEditsRequest = Omit<SceneRequest, "counter" | "isRetry">;

/** What a model is asked with; the host owns all of it. */
export interface ModelEditsParts {
  readonly model: Model;
  readonly known: KnownModel;
  readonly syntax: Syntax;
  readonly clock: Clock;
  readonly settings: Pick<NextEditSettings, "scene" | "modelMs" | "format">;
}

/** What came of asking a model for next edits. */
export interface ModelEditsEnd {
  /** What came of the last answer. */
  readonly answer: AskEnd;
  /** How often the model was asked: twice where it proposed nothing and could be shown a greater window. */
  readonly asks: 0 | 1 | 2;
  /** Edits of the answer that were held back, in the order of the text. */
  readonly dropped: readonly DroppedEdit[];
}

/** An edit that a model proposed and that is not handed on: what it adds to the errors of the file. */
export interface DroppedEdit {
  readonly edit: Edit;
  readonly issue: SyntaxIssue;
}

/**
 * The next edits that a model proposes at a place, one step after the other, as soon as each is sure.
 *
 * All offsets speak of the request's text, and no two steps touch the same text. Law: after each step in turn the file has no syntax error that it
 * did not have; what would add one waits for the edits behind it, and what these do not make whole is mended in its brackets, or dropped.
 *
 * Leaving early stops the model. An abort rejects with the signal's own reason; a model that fails is told by the end.
 */
export async function* modelEdits(
  request: ModelEditsRequest,
  parts: ModelEditsParts,
  options: { readonly signal?: AbortSignal } = {},
): AsyncGenerator<Edit, ModelEditsEnd> {
  void [request, parts, options];
  yield* [];
  throw new Error("to be written");
}
