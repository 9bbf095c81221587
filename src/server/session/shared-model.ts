import type { Model } from "../../model/index.ts";
import { wrapModel } from "./wrapped-model.ts";

/** A model, and the way to say that one has no more use for it. */
export type HeldModel = Model & Disposable;

/**
 * A model that takes much memory and that several hold at a time. It is freed when the last of them has let go of it
 * and the last answer has ended; nobody waits for that, since freeing may take its time, or never end.
 */
export class SharedModel {
  readonly #model: Model & AsyncDisposable;
  readonly #onFree: () => void;
  #holders = 0;
  #answers = 0;
  #freed: Promise<void> | undefined;

  /** `onFree` is called when the model begins to be freed; it is not to be held any more then. */
  constructor(model: Model & AsyncDisposable, onFree: () => void) {
    this.#model = model;
    this.#onFree = onFree;
  }

  /** The model for one more holder, who disposes of it; `undefined` when it is freed already. */
  tryHold(): HeldModel | undefined {
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

  /** Frees the model whoever holds it, and resolves when that is done. */
  free(): Promise<void> {
    if (this.#freed === undefined) {
      this.#onFree();
      this.#freed = Promise.resolve(this.#model[Symbol.asyncDispose]());
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
    // What could not be freed is the system's to take back, when this process ends.
    if (this.#holders === 0 && this.#answers === 0) this.free().catch(() => undefined);
  }
}
