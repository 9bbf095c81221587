import type { Model } from "../../model/index.ts";
import { wrapModel } from "./wrapped-model.ts";

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
