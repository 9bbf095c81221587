import type { Model, ModelEnd, TextPart } from "../../model/index.ts";

/** A shared model for one holder, who disposes of it. */
export type SharedModelLease = Model & Disposable;

/**
 * A model that several holders share, such as sessions. It is freed when the last holder
 * has disposed of it and the last answer has ended. Nothing waits for that, since freeing may take
 * long, or never end.
 */
export class SharedModel {
  readonly #model: Model & Partial<AsyncDisposable>;
  readonly #onFree: () => void;
  #holders = 0;
  #answers = 0;
  #freed: Promise<void> | undefined;

  /** `onFree` is called when the model begins to be freed; it must not be used after that. */
  constructor(model: Model & Partial<AsyncDisposable>, onFree: () => void) {
    this.#model = model;
    this.#onFree = onFree;
  }

  /** The model for one more holder, who disposes of it; `undefined` when it is freed already. */
  tryHold(): SharedModelLease | undefined {
    if (this.#freed !== undefined) return undefined;
    this.#holders += 1;
    let isHeld = true;
    return {
      ...wrapModel(this.#model, {
        stream: (answer) => this.#stream(answer),
        during: (answer) => this.#during(answer),
      }),
      [Symbol.dispose]: () => {
        if (isHeld) this.#holders -= 1;
        isHeld = false;
        this.#freeIfIdle();
      },
    };
  }

  /** Frees the model even where it has holders; resolves when that is done. */
  free(): Promise<void> {
    if (this.#freed === undefined) {
      this.#onFree();
      this.#freed = Promise.resolve(this.#model[Symbol.asyncDispose]?.());
    }
    return this.#freed;
  }

  async *#stream<Part, End>(answer: () => AsyncGenerator<Part, End>): AsyncGenerator<Part, End> {
    this.#answers += 1;
    try {
      return yield* answer();
    } finally {
      this.#answers -= 1;
      this.#freeIfIdle();
    }
  }

  async #during<T>(answer: () => Promise<T>): Promise<T> {
    this.#answers += 1;
    try {
      return await answer();
    } finally {
      this.#answers -= 1;
      this.#freeIfIdle();
    }
  }

  #freeIfIdle(): void {
    // Ignore errors: what could not be freed is freed by the system when the process ends.
    if (this.#holders === 0 && this.#answers === 0) this.free().catch(() => undefined);
  }
}

/** The methods of a model that stream an answer. */
export type StreamFace = "fill" | "completeRaw" | "chat";

/**
 * What {@link wrapModel} does around the answers of a model: around a stream, and around a promise.
 */
interface ModelWrapping {
  stream(answer: () => AsyncGenerator<TextPart, ModelEnd>, face: StreamFace): AsyncGenerator<TextPart, ModelEnd>;
  during<T>(answer: () => Promise<T>): Promise<T>;
}

/**
 * Wraps each answer of a model: `stream` is around `fill`, `completeRaw` and `chat`, and `during`
 * around all others. The wrapper has the same optional methods as `model`.
 */
export function wrapModel(model: Model, { stream, during }: ModelWrapping): Model {
  const { name, contextTokens, tokenCounter, fillsByChat, followsGuide, fillWay } = model;
  const { fill, completeRaw, chat, canChat, next, warm, describe, limits, countPrompt, pace } = model;
  return {
    name,
    ...(contextTokens !== undefined && { contextTokens }),
    ...(tokenCounter !== undefined && { tokenCounter }),
    ...(fillsByChat && { fillsByChat }),
    ...(followsGuide && { followsGuide }),
    ...(fillWay !== undefined && { fillWay }),
    ...(pace && { pace }),
    ...(fill && { fill: (request, options) => stream(() => fill.call(model, request, options), "fill") }),
    ...(completeRaw && {
      completeRaw: (request, options) => stream(() => completeRaw.call(model, request, options), "completeRaw"),
    }),
    ...(chat && { chat: (request, options) => stream(() => chat.call(model, request, options), "chat") }),
    ...(canChat && { canChat: (options) => during(() => canChat.call(model, options)) }),
    ...(next && { next: (request, options) => during(() => next.call(model, request, options)) }),
    ...(warm && { warm: (request, options) => during(() => warm.call(model, request, options)) }),
    ...(describe && { describe: (options) => during(() => describe.call(model, options)) }),
    ...(limits && { limits: (options) => during(() => limits.call(model, options)) }),
    ...(countPrompt && { countPrompt: (request, options) => during(() => countPrompt.call(model, request, options)) }),
  };
}
