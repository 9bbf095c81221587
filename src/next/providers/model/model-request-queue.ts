import type { LifeEnd, RequestLife } from "../../../complete/index.ts";
import { Edit, Lines, type TextEdit, type TextRange } from "../../../text/index.ts";
import type { NextEditParts } from "../../engine/next-edit-parts.ts";
import type { NoNextEditReason } from "../../engine/outcome.ts";
import type { NextEditSettings } from "../../engine/settings.ts";
import { type FollowedAnswer, reducedWindow } from "../../engine/suggestion-cache.ts";
import type { ShownPromptInput } from "./build-prompt-input.ts";
import { tryEditWindow } from "./editable-region.ts";
import { type ModelEditsEnd, type ModelEditsRequest, modelEdits } from "./model-edits.ts";
import type { ModelRequestEnd } from "./request-next-edits.ts";
import type { DroppedEdit } from "./syntax-safe-edits.ts";

/** The label of a model's edits, and how they are treated. */
export const modelSource = { origin: "model", policy: { trustGroup: "model" } } as const;

/** Where a model is requested, and why. */
interface QueuedModelRequest {
  readonly request: ModelEditsRequest;
  /** The reason that is shown with its suggestions. */
  readonly reason: string;
  /** How long the person has to pause before the request is sent, in milliseconds. */
  readonly waitMs: number;
}

/** How a queued request ended. */
type QueuedModelRequestEnd = {
  /** The edits of the answer that were filtered out. */
  readonly dropped: readonly DroppedEdit[];
  /** What the model was shown; absent where it was not requested. */
  readonly shown?: ShownPromptInput | undefined;
} & (
  | {
      readonly kind: "answered";
      /** What has come of the answer. */
      readonly answer: ModelAnswer;
    }
  | {
      readonly kind: "no-suggestion";
      readonly reason: NoNextEditReason;
      /**
       * Whether the request was for the present text of the caller. Otherwise it had been started
       * earlier, and more was typed meanwhile.
       */
      readonly isAbout: boolean;
    }
);

/** What has come of a model's answer, for the text that the model was requested for. */
export type ModelAnswer = FollowedAnswer<{
  /** The id of the request; with the index of an edit behind it, that of its suggestion. */
  readonly turn: string;
  /** The reason that is shown with its suggestions. */
  readonly reason: string;
}>;

/** The dependencies of a request. */
type TurnParts = Pick<NextEditParts, "clock" | "settings"> &
  Required<Pick<NextEditParts, "model" | "syntaxErrors">> & { readonly newId: () => string };

/**
 * The queue of model requests: one at a time, which continues while what is typed may agree with
 * its answer.
 */
export class ModelRequestQueue {
  readonly #parts: TurnParts;
  #inFlight: InFlightModelRequest | undefined;
  /** How many callers wait for the request in flight. */
  #waiting = 0;

  constructor(parts: TurnParts) {
    this.#parts = parts;
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
   * Returns the request in flight where it is for the same place. Otherwise stops it, and starts
   * another one after the wait; `undefined` where `life` ended before. Rejects with `EmendError`
   * with code "out-of-bounds" where the cursor is outside of the text.
   */
  async open(
    turn: QueuedModelRequest,
    life: RequestLife,
  ): Promise<{ readonly inFlight: InFlightModelRequest; readonly isNew: boolean } | undefined> {
    const { path, text, cursor } = turn.request;
    if (this.#inFlight?.isFor(path, text, cursor) === true) return { inFlight: this.#inFlight, isNew: false };
    this.#inFlight?.stop();
    if (turn.waitMs > 0) await life.pause(turn.waitMs, this.#parts.clock);
    if (life.over !== undefined) return undefined;
    this.#inFlight = this.#start(turn);
    return { inFlight: this.#inFlight, isNew: true };
  }

  /**
   * Waits for more than `count` edits of a request, or for its end. A failure of the model, an
   * abort and a stop are reasons in the result. Rejects with any error in the code of the request.
   */
  async beyond(count: number, inFlight: InFlightModelRequest, life: RequestLife): Promise<QueuedModelRequestEnd> {
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
    const { shown } = inFlight;
    if (end === undefined) return { kind: "answered", answer: inFlight.answer!, dropped: [], shown };
    const isAbout = inFlight.typed.isEmpty;
    return { kind: "no-suggestion", reason: noSuggestionFromModel(end.answer), dropped: end.dropped, shown, isAbout };
  }

  /**
   * Lets a request continue for a while: an editor cancels its request with each key and sends
   * another one after it.
   */
  #linger(inFlight: InFlightModelRequest): void {
    this.#parts.clock.after(lingerMs, () => {
      if (this.#waiting === 0 || this.#inFlight !== inFlight) inFlight.stop();
    });
  }

  /** Returns what the model was shown in a request, if that was the last one. */
  shown(turn: string): ShownPromptInput | undefined {
    return this.#inFlight?.turn === turn ? this.#inFlight.shown : undefined;
  }

  #start({ request, reason }: QueuedModelRequest): InFlightModelRequest {
    const { model: models, clock, settings, syntaxErrors, newId } = this.#parts;
    const window = windowAround(request, settings);
    return new InFlightModelRequest({
      ...{ request, window, data: { turn: newId(), reason } },
      start: (signal, onAsk) => modelEdits(request, { ...models, clock, settings, syntaxErrors, onAsk }, { signal }),
    });
  }
}

/**
 * How long a model request continues after its caller cancelled, in milliseconds; as in
 * `nextEditProvider.ts` of microsoft/vscode-copilot-chat.
 */
const lingerMs = 1_000;

function over(kind: LifeEnd): QueuedModelRequestEnd {
  return { kind: "no-suggestion", reason: { kind }, isAbout: true, dropped: [] };
}

/**
 * Where the cursor may be for an answer to be useful: the largest region that the model may have
 * been allowed to rewrite.
 */
function windowAround(
  { text, cursor, language }: ModelEditsRequest,
  { context }: NextEditSettings,
): TextRange | undefined {
  const lines = Lines.of(text);
  const place = { lines, cursorLine: lines.lineAt(cursor), language, isRetry: true };
  const window = tryEditWindow(place, context)?.window;
  return window && { start: lines.start(window.start), end: lines.end(window.end - 1) };
}

/** Options of an {@link InFlightModelRequest}. */
interface InFlightModelRequestOptions {
  /** The file, text and cursor that the model is requested for. */
  readonly request: Pick<ModelEditsRequest, "path" | "text" | "cursor">;
  /**
   * Where in the text the cursor may be for the answer to be useful, `[start, end]`. Absent means
   * anywhere.
   */
  readonly window?: TextRange | undefined;
  readonly data: ModelAnswer["data"];
  /** Starts the request. The offsets of all edits refer to its text. */
  readonly start: (
    signal: AbortSignal,
    onAsk: (shown: ShownPromptInput) => void,
  ) => AsyncGenerator<Edit, ModelEditsEnd>;
}

/**
 * A request to a model that is under way. It continues when its caller has been answered, so that
 * the rest of the answer is there for the next request.
 */
export class InFlightModelRequest {
  readonly path: string;
  /** The id of the request. */
  readonly turn: string;
  /** What the model was shown; `undefined` before that. */
  shown: ShownPromptInput | undefined;
  readonly #options: InFlightModelRequestOptions;
  readonly #stop = new AbortController();
  readonly #edits: TextEdit[] = [];
  readonly #end: Promise<ModelEditsEnd>;
  #next = new Signal();
  #typed = Edit.empty;
  #present: string;
  #isOver = false;
  #isRead = false;

  constructor(options: InFlightModelRequestOptions) {
    this.#options = options;
    this.path = options.request.path;
    this.turn = options.data.turn;
    this.#present = options.request.text;
    this.#end = this.#run();
    this.#end.catch(() => undefined);
  }

  /**
   * Whether the answer is useful for this file, text and cursor: the text is the requested one with
   * what was typed since, and the cursor is in the window.
   */
  isFor(path: string, text: string, cursor: number): boolean {
    if (this.#isOver || this.path !== path || this.#present !== text) return false;
    const { window } = this.#options;
    const place = window && this.#typed.mapRange(window, "include");
    return place === undefined || (place.start <= cursor && cursor <= place.end);
  }

  /**
   * What has come of the answer so far. `undefined` where that is no edit, unless the answer is
   * that there is none within the window.
   */
  get answer(): ModelAnswer | undefined {
    const { request, window, data } = this.#options;
    const { path, text, cursor } = request;
    const followed = { path, text, typed: this.#typed, present: this.#present, data };
    const edits = [...this.#edits];
    if (edits.length > 0) return { ...followed, edits, isWhole: this.#isRead, ...(window && { window }) };
    if (!this.#isRead || window === undefined) return undefined;
    return { ...followed, edits, window: reducedWindow(text, window, cursor) };
  }

  /** The edit that was typed since the request. */
  get typed(): Edit {
    return this.#typed;
  }

  /** Whether it was stopped before its end. */
  get isStopped(): boolean {
    return this.#stop.signal.aborted;
  }

  /**
   * Records a change of a file, whose text was `before`. Where that is not the text known here, the
   * request is stopped.
   */
  follow(path: string, before: string, edit: Edit): void {
    if (path !== this.path || this.#isOver) return;
    if (before === this.#present) {
      this.#typed = this.#typed.compose(edit);
      this.#present = edit.apply(before);
    } else this.stop();
  }

  /**
   * Resolves to `undefined` once there are more than `count` edits, and to the end of the answer
   * where there are no more. Rejects as the model does, and where it was stopped.
   */
  async beyond(count: number): Promise<ModelEditsEnd | undefined> {
    while (this.#edits.length <= count) {
      const end = await Promise.race([this.#end, this.#next.fired]);
      if (end !== undefined) return this.#edits.length > count ? undefined : end;
    }
    return undefined;
  }

  /** Stops the request. Edits that have arrived stay valid. */
  stop(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#stop.abort();
  }

  async #run(): Promise<ModelEditsEnd> {
    const { request, start } = this.#options;
    const answer = start(this.#stop.signal, (shown) => {
      this.shown = shown;
    });
    try {
      for (;;) {
        const next = await answer.next();
        // A model that ignores the abort is read to its end, and its edits are dropped.
        if (this.isStopped && !next.done) continue;
        this.#stop.signal.throwIfAborted();
        if (next.done) {
          this.#isRead = next.value.answer.kind === "read";
          return next.value;
        }
        this.#edits.push(next.value.inOne(request.text));
        const { fire } = this.#next;
        this.#next = new Signal();
        fire();
      }
    } finally {
      this.#isOver = true;
    }
  }
}

/** An event that fires once, as a promise without a value. */
class Signal {
  fire: () => void = () => undefined;
  readonly fired = new Promise<undefined>((resolve) => {
    this.fire = () => resolve(undefined);
  });
}

/** Returns the reason for an empty answer of a model. */
export function noSuggestionFromModel(answer: ModelRequestEnd): NoNextEditReason {
  switch (answer.kind) {
    case "read":
      return { kind: "model-silent" };
    case "cut":
      return answer.why === "silent" ? { kind: "model-silent" } : { kind: "model-cut", why: answer.why };
    case "unreadable":
      return { kind: "model-unreadable", message: answer.message };
    case "failed":
      return { kind: "model-failed", code: answer.code, message: answer.message };
    case "timed-out":
      return answer;
    case "refused":
      return {
        kind: "model-not-requested",
        why: `The file contains ${answer.reason.mark}, which the model's format uses as a marker.`,
      };
    case "cannot":
      return { kind: "model-not-requested", why: answer.message };
  }
}
