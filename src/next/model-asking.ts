import { Edit, type TextEdit, type TextRange } from "../text/index.ts";
import type { ModelEditsEnd } from "./model-edits.ts";

/** What a {@link ModelAsking} is told. */
export interface ModelAskingOptions {
  readonly path: string;
  /** The text that the model is asked for. */
  readonly text: string;
  /** Where in it the cursor may be for the answer to be of use, `[start, end]`; anywhere unless told. */
  readonly window?: TextRange | undefined;
  /** Asks it. All edits speak of `text`. */
  readonly ask: (signal: AbortSignal) => AsyncGenerator<Edit, ModelEditsEnd>;
  /** Told of all edits so far with each that comes, and of what was typed since the model was asked. */
  readonly onEdits: (edits: readonly TextEdit[], typed: Edit) => void;
  /** Told of all edits when there are no more, unless it was stopped. */
  readonly onEnd: (edits: readonly TextEdit[], end: ModelEditsEnd, typed: Edit) => void;
}

/** A model that was asked. It goes on when whoever asked is answered, so that the rest of the answer is there for the next one. */
export class ModelAsking {
  readonly path: string;
  readonly #options: ModelAskingOptions;
  readonly #stop = new AbortController();
  readonly #edits: TextEdit[] = [];
  readonly #end: Promise<ModelEditsEnd>;
  #next = new Signal();
  #typed = Edit.empty;
  #present: string;
  #isOver = false;

  constructor(options: ModelAskingOptions) {
    this.#options = options;
    this.path = options.path;
    this.#present = options.text;
    this.#end = this.#run();
    this.#end.catch(() => undefined);
  }

  /** Whether the answer is of use for a text of a file with the cursor there: what it was asked for, with what was typed since. */
  isFor(path: string, text: string, cursor: number): boolean {
    if (this.#isOver || this.path !== path || this.#present !== text) return false;
    const { window } = this.#options;
    const place = window && this.#typed.mapRange(window, "include");
    return place === undefined || (place.start <= cursor && cursor <= place.end);
  }

  /** What was typed since the model was asked. */
  get typed(): Edit {
    return this.#typed;
  }

  /** Whether it was stopped before its end. */
  get isStopped(): boolean {
    return this.#stop.signal.aborted;
  }

  /** Takes in a change of a file, whose text was `before`; where the text is another than is known, it stops. */
  follow(path: string, before: string, edit: Edit): void {
    if (path !== this.path || this.#isOver) return;
    if (before === this.#present) {
      this.#typed = this.#typed.compose(edit);
      this.#present = edit.apply(before);
    } else this.stop();
  }

  /** Settles with nothing once there are more than `count` edits, and with the end where there are no more. Rejects as the model does, and where it was stopped. */
  async beyond(count: number): Promise<ModelEditsEnd | undefined> {
    while (this.#edits.length <= count) {
      const end = await Promise.race([this.#end, this.#next.fired]);
      if (end !== undefined) return this.#edits.length > count ? undefined : end;
    }
    return undefined;
  }

  /** Stops the model. What it has given stays. */
  stop(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#stop.abort();
  }

  async #run(): Promise<ModelEditsEnd> {
    const { text, ask, onEdits, onEnd } = this.#options;
    const answer = ask(this.#stop.signal);
    try {
      for (;;) {
        const next = await answer.next();
        // Who does not hear that it was stopped is heard to its end, and not told of.
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

/** Something that is waited for, which comes to nothing. */
class Signal {
  fire: () => void = () => undefined;
  readonly fired = new Promise<undefined>((resolve) => {
    this.fire = () => resolve(undefined);
  });
}

/** An edit as one replacement, from its first to its last place. */
export function asOne(text: string, { edits }: Edit): TextEdit {
  const start = edits[0]?.start ?? 0;
  const end = edits.at(-1)?.end ?? 0;
  const within = Edit.of(edits.map((edit) => ({ ...edit, start: edit.start - start, end: edit.end - start })));
  return { start, end, text: within.apply(text.slice(start, end)) };
}
