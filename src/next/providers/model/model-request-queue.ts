import { type LifeEnd, type RequestLife, sleep } from "../../../complete/index.ts";
import { type Edit, Lines, type TextRange } from "../../../text/index.ts";
import type { NextEditParts } from "../../engine/next-edit-parts.ts";
import type { NoNextEditReason } from "../../engine/outcome.ts";
import type { NextEditSettings } from "../../engine/settings.ts";
import { type CachedAnswer, reducedWindow } from "../../engine/suggestion-cache.ts";
import { tryEditWindow } from "./editable-region.ts";
import { InFlightModelRequest } from "./in-flight-model-request.ts";
import { type ModelEditsEnd, type ModelEditsRequest, modelEdits } from "./model-edits.ts";
import { noSuggestionFromModel } from "./no-suggestion-from-model.ts";
import type { ShownPromptInput } from "./shown-prompt-input.ts";
import type { DroppedEdit } from "./syntax-safe-edits.ts";

/** Where a model is requested, and why. */
export interface QueuedModelRequest {
  readonly request: ModelEditsRequest;
  /** The reason that is shown with its suggestions. */
  readonly reason: string;
  /** How long the person has to pause before the request is sent, in milliseconds. */
  readonly waitMs: number;
}

/** How a queued request ended. */
export type QueuedModelRequestEnd = {
  /** The edits of the answer that were filtered out. */
  readonly dropped: readonly DroppedEdit[];
  /** What the model was shown; absent where it was not requested. */
  readonly shown?: ShownPromptInput | undefined;
} & (
  | {
      readonly kind: "answered";
      /** The number of the request, as passed to {@link KeepAnswer}. */
      readonly turn: number;
      /** Waits for more than this number of edits of the same request, or for its end. */
      readonly beyond: (count: number) => Promise<QueuedModelRequestEnd>;
    }
  | {
      readonly kind: "silent";
      readonly reason: NoNextEditReason;
      /**
       * Whether the request was for the present text of the caller. Otherwise it had been started
       * earlier, and more was typed meanwhile.
       */
      readonly isAbout: boolean;
    }
);

/**
 * Caches the edits that arrived for a text of the file at `path`, which `typed` has changed since.
 */
export type KeepAnswer = (
  path: string,
  text: string,
  answer: Omit<CachedAnswer<unknown>, "data">,
  about: { readonly turn: number; readonly reason: string; readonly typed: Edit },
) => void;

/** The dependencies of a request. */
type TurnParts = Pick<NextEditParts, "clock" | "settings" | "syntax"> & Required<Pick<NextEditParts, "model">>;

/**
 * The queue of model requests: one at a time, which continues while what is typed may agree with
 * its answer.
 */
export class ModelRequestQueue {
  readonly #parts: TurnParts;
  readonly #keep: KeepAnswer;
  #inFlight: InFlightModelRequest | undefined;
  #count = 0;
  /** How many callers wait for the request in flight. */
  #waiting = 0;
  #shown: { readonly turn: number; readonly promptInput: ShownPromptInput } | undefined;

  constructor(parts: TurnParts, keep: KeepAnswer) {
    this.#parts = parts;
    this.#keep = keep;
  }

  /** Records a change of a file, whose text was `before`. */
  follow(path: string, before: string, edit: Edit): void {
    this.#inFlight?.follow(path, before, edit);
  }

  /** Stops the request in flight if it is for this file, or for any file where `path` is absent. */
  stop(path?: string): void {
    if (path === undefined || this.#inFlight?.path === path) this.#inFlight?.stop();
  }

  /**
   * Waits for the first edit of a request, or for its end where there is none. A request in flight
   * for the same place is joined; one for another place is stopped.
   */
  async take(turn: QueuedModelRequest, life: RequestLife): Promise<QueuedModelRequestEnd> {
    const { path, text, cursor } = turn.request;
    if (this.#inFlight?.isFor(path, text, cursor) !== true) {
      this.#inFlight?.stop();
      if (turn.waitMs > 0) {
        const pause = sleep(this.#parts.clock, turn.waitMs);
        await life.wait(pause);
        pause.stop();
      }
      if (life.over !== undefined) return over(life.over);
      this.#inFlight = this.#open(turn);
    }
    return this.#beyond(0, this.#inFlight!, life);
  }

  async #beyond(count: number, inFlight: InFlightModelRequest, life: RequestLife): Promise<QueuedModelRequestEnd> {
    let end: ModelEditsEnd | undefined;
    this.#waiting += 1;
    try {
      end = await life.wait(inFlight.beyond(count));
    } catch (error) {
      // The file was closed or replaced: its answer is of no use.
      if (inFlight.isStopped) return over("superseded");
      throw error;
    } finally {
      this.#waiting -= 1;
    }
    if (life.over === "cancelled") this.#linger(inFlight);
    if (life.over !== undefined) return over(life.over);
    const shown = this.shown(this.#count);
    if (end === undefined)
      return {
        kind: "answered",
        turn: this.#count,
        dropped: [],
        shown,
        beyond: (more) => this.#beyond(more, inFlight, life),
      };
    const isAbout = inFlight.typed.isEmpty;
    return { kind: "silent", reason: noSuggestionFromModel(end.answer), dropped: end.dropped, shown, isAbout };
  }

  /**
   * Lets a request continue for a while: an editor cancels its request with each key and sends
   * another one after it.
   */
  #linger(inFlight: InFlightModelRequest): void {
    const pause = sleep(this.#parts.clock, lingerMs);
    void pause.then(() => {
      if (this.#waiting === 0 || this.#inFlight !== inFlight) inFlight.stop();
    });
  }

  /** Returns what the model was shown in a request, if that was the last one. */
  shown(turn: number): ShownPromptInput | undefined {
    return this.#shown?.turn === turn ? this.#shown.promptInput : undefined;
  }

  #open({ request, reason }: QueuedModelRequest): InFlightModelRequest {
    const { model: models, clock, settings, syntax } = this.#parts;
    const { path, text, cursor } = request;
    const window = windowAround(request, settings);
    const turn = ++this.#count;
    const onAsk = (promptInput: ShownPromptInput) => {
      if (turn === this.#count) this.#shown = { turn, promptInput };
    };
    const about = { turn, reason };
    return new InFlightModelRequest({
      ...{ path, text, window },
      start: (signal) => modelEdits(request, { ...models, clock, settings, syntax, onAsk }, { signal }),
      onEdits: (edits, typed) => this.#keep(path, text, { edits, ...(window && { window }) }, { ...about, typed }),
      onEnd: (edits, { answer }, typed) => {
        if (answer.kind !== "read") return;
        if (edits.length > 0)
          this.#keep(path, text, { edits, isWhole: true, ...(window && { window }) }, { ...about, typed });
        else if (window !== undefined)
          this.#keep(path, text, { edits, window: reducedWindow(text, window, cursor) }, { ...about, typed });
      },
    });
  }
}

/**
 * How long a model request continues after its caller cancelled, in milliseconds; as in
 * `nextEditProvider.ts` of microsoft/vscode-copilot-chat.
 */
const lingerMs = 1_000;

function over(kind: LifeEnd): QueuedModelRequestEnd {
  return { kind: "silent", reason: { kind }, isAbout: true, dropped: [] };
}

/**
 * Where the cursor may be for an answer to be useful: the largest region that the model may have
 * been allowed to rewrite.
 */
function windowAround(
  { text, cursor, language }: ModelEditsRequest,
  { scene }: NextEditSettings,
): TextRange | undefined {
  const lines = Lines.of(text);
  const place = { lines, cursorLine: lines.lineAt(cursor), language, isRetry: true };
  const window = tryEditWindow(place, scene)?.window;
  return window && { start: lines.start(window.start), end: lines.end(window.end - 1) };
}
