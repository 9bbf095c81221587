import { Edit, type TextEdit, type TextRange } from "../../../text/index.ts";
import type { ModelEditsEnd } from "./model-edits.ts";

/** Options of an {@link InFlightModelRequest}. */
export interface InFlightModelRequestOptions {
  readonly path: string;
  /** The text that the model is requested for. */
  readonly text: string;
  /**
   * Where in `text` the cursor may be for the answer to be useful, `[start, end]`. Absent means
   * anywhere.
   */
  readonly window?: TextRange | undefined;
  /** Starts the request. The offsets of all edits refer to `text`. */
  readonly start: (signal: AbortSignal) => AsyncGenerator<Edit, ModelEditsEnd>;
  /**
   * Called for each edit that arrives, with all edits so far and the text that was typed since the
   * request.
   */
  readonly onEdits: (edits: readonly TextEdit[], typed: Edit) => void;
  /** Called with all edits when the answer is complete, unless the request was stopped. */
  readonly onEnd: (edits: readonly TextEdit[], end: ModelEditsEnd, typed: Edit) => void;
}

/**
 * A request to a model that is under way. It continues when its caller has been answered, so that
 * the rest of the answer is there for the next request.
 */
export class InFlightModelRequest {
  readonly path: string;
  readonly #options: InFlightModelRequestOptions;
  readonly #stop = new AbortController();
  readonly #edits: TextEdit[] = [];
  readonly #end: Promise<ModelEditsEnd>;
  #next = new Signal();
  #typed = Edit.empty;
  #present: string;
  #isOver = false;

  constructor(options: InFlightModelRequestOptions) {
    this.#options = options;
    this.path = options.path;
    this.#present = options.text;
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
    const { text, start, onEdits, onEnd } = this.#options;
    const answer = start(this.#stop.signal);
    try {
      for (;;) {
        const next = await answer.next();
        // A model that ignores the abort is read to its end, and its edits are dropped.
        if (this.isStopped && !next.done) continue;
        this.#stop.signal.throwIfAborted();
        if (next.done) {
          onEnd([...this.#edits], next.value, this.#typed);
          return next.value;
        }
        this.#edits.push(asOne(text, next.value));
        onEdits([...this.#edits], this.#typed);
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

/** Returns an edit as one replacement, from its first to its last place. */
export function asOne(text: string, { edits }: Edit): TextEdit {
  const start = edits[0]?.start ?? 0;
  const end = edits.at(-1)?.end ?? 0;
  const within = Edit.of(edits.map((edit) => ({ ...edit, start: edit.start - start, end: edit.end - start })));
  return { start, end, text: within.apply(text.slice(start, end)) };
}
