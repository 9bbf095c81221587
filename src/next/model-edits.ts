import type { Clock } from "../codebase/index.ts";
import { estimatingCounter } from "../context/index.ts";
import type { Model } from "../model/index.ts";
import type { Syntax } from "../syntax/index.ts";
import type { Edit } from "../text/index.ts";
import { AddedSyntaxErrors } from "./added-syntax-errors.ts";
import { type AskEnd, askModel } from "./ask-model.ts";
import { chooseFormat } from "./choose-format.ts";
import type { KnownModel } from "./formats/format-for.ts";
import type { NextEditQuestion } from "./next-edit-format.ts";
import type { NextEditScene } from "./next-edit-scene.ts";
import { type SceneRequest, trySceneAt } from "./scene-at.ts";
import { settingsWithin } from "./scene-room.ts";
import type { NextEditSettings } from "./settings.ts";
import { type ShownScene, shownScene } from "./shown-scene.ts";
import { type DroppedEdit, SoundSteps } from "./sound-steps.ts";

/** Where the person is, and what a model may be told of it. */
export type ModelEditsRequest = Omit<SceneRequest, "counter" | "isRetry">;

/** A model, and what is known of it. */
export interface AskedModel {
  readonly model: Model;
  readonly known: KnownModel;
}

/** A model, and those that are asked where it cannot answer, in order of preference. */
export interface AskedModels extends AskedModel {
  readonly others?: readonly AskedModel[];
}

/** What models are asked with; the host owns all of it. */
export interface ModelEditsParts extends AskedModels {
  readonly syntax: Syntax;
  readonly clock: Clock;
  readonly settings: Pick<NextEditSettings, "scene" | "modelMs" | "format">;
  /** Is told what the model is shown, each time that it is asked. */
  onAsk?(shown: ShownScene): void;
}

/** What came of asking models for next edits. */
export interface ModelEditsEnd {
  /** What came of the last answer; of the first failure where all failed. */
  readonly answer: AskEnd;
  /** How often the model was asked whose answer this is: twice where it proposed nothing and could be shown a greater window. */
  readonly asks: 0 | 1 | 2;
  /** Edits of the answer that were held back, in the order of the text. */
  readonly dropped: readonly DroppedEdit[];
}

/**
 * The next edits that a model proposes at a place, one step after the other, as soon as each is sure.
 *
 * All offsets speak of the request's text; the steps come in its order, and none reaches over another. Law: after each step in turn the file has no syntax error that it
 * did not have; what would add one waits for the edits behind it, and what these do not make whole is mended in its brackets, or dropped.
 *
 * Where a model fails, takes too long or cannot be asked before it has proposed anything, the next one is asked. The first comes first each time.
 *
 * Leaving early stops the model. An abort rejects with the signal's own reason; that all models failed is told by the end.
 */
export async function* modelEdits(
  request: ModelEditsRequest,
  parts: ModelEditsParts,
  options: { readonly signal?: AbortSignal } = {},
): AsyncGenerator<Edit, ModelEditsEnd> {
  let failure: ModelEditsEnd | undefined;
  for (const { model, known } of [parts, ...(parts.others ?? [])]) {
    const edits = editsOf(request, { ...parts, model, known }, options);
    let hasProposed = false;
    try {
      for (;;) {
        const next = await edits.next();
        if (next.done !== true) {
          hasProposed = true;
          yield next.value;
          continue;
        }
        if (hasProposed || !withoutAnswer.has(next.value.answer.kind)) return next.value;
        // What can be done about a failure helps more than why a model is not asked.
        if (failure === undefined || notAsked.has(failure.answer.kind)) failure = next.value;
        break;
      }
    } finally {
      await edits.return({ answer: { kind: "read" }, asks: 0, dropped: [] });
    }
  }
  return failure!;
}

/** Ends for which another model may be asked. */
const notAsked: ReadonlySet<AskEnd["kind"]> = new Set(["refused", "cannot"]);
const withoutAnswer: ReadonlySet<AskEnd["kind"]> = new Set([...notAsked, "failed", "timed-out"]);

async function* editsOf(
  request: ModelEditsRequest,
  parts: Omit<ModelEditsParts, "others">,
  options: { readonly signal?: AbortSignal },
): AsyncGenerator<Edit, ModelEditsEnd> {
  const { model, known, clock, settings } = parts;
  const { signal } = options;
  const cannot = (message: string): ModelEditsEnd => ({ answer: { kind: "cannot", message }, asks: 0, dropped: [] });
  signal?.throwIfAborted();
  const choice = await chooseFormat(settings.format, { model, known, clock, limitMs: settings.modelMs, ...options });
  if (choice.kind === "none") return cannot(choice.reason);
  const { format } = choice;
  const { tokenCounter: counter, contextTokens } = model;
  const within = settingsWithin(settings.scene, contextTokens);
  const sceneOf = (isRetry: boolean): NextEditScene | undefined =>
    trySceneAt({ ...request, isRetry, ...(counter === undefined ? {} : { counter }) }, within);
  const scene = sceneOf(false);
  if (scene === undefined)
    return cannot(`The cursor's line alone has more than ${within.windowTokens} tokens, the most of a window.`);

  const tell = (shown: NextEditScene) =>
    parts.onAsk?.(
      shownScene(shown, request, {
        ...{ model: model.name, format: format.name },
        counter: counter ?? estimatingCounter(request.language),
      }),
    );
  const ask: Ask = { model, format, clock, limitMs: settings.modelMs, ...options };
  const errors = new AddedSyntaxErrors(parts.syntax);
  tell(scene);
  const { isEmpty, ...first } = yield* askOnce(scene, ask, errors);
  if (!isEmpty || first.answer.kind !== "read") return { ...first, asks: 1 };
  const wider = sceneOf(true);
  const isWider = wider !== undefined && wider.window.end > scene.window.end;
  // A format may show the same of a greater window.
  if (!isWider || isAlike(format.ask(scene), format.ask(wider))) return { ...first, asks: 1 };
  signal?.throwIfAborted();
  tell(wider);
  const { isEmpty: _, ...second } = yield* askOnce(wider, ask, errors);
  return { ...second, asks: 2 };
}

type Ask = Parameters<typeof askModel>[1];

function isAlike(one: NextEditQuestion, other: NextEditQuestion): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

/** What came of one answer, and whether it proposed nothing. */
type OneAnswer = Omit<ModelEditsEnd, "asks"> & { readonly isEmpty: boolean };

async function* askOnce(scene: NextEditScene, ask: Ask, errors: AddedSyntaxErrors): AsyncGenerator<Edit, OneAnswer> {
  const steps = new SoundSteps(scene, errors);
  const edits = askModel(scene, ask);
  let isEmpty = true;
  try {
    for (;;) {
      const next = await edits.next();
      if (next.done === true) {
        const dropped = yield* steps.end({ mends: next.value.kind === "read" });
        return { answer: next.value, dropped, isEmpty };
      }
      const { start, end, text } = next.value;
      if (text === scene.text.slice(start, end)) continue;
      isEmpty = false;
      const step = await steps.push(next.value);
      ask.signal?.throwIfAborted();
      if (step !== undefined) yield step;
    }
  } finally {
    await edits.return({ kind: "read" });
  }
}
