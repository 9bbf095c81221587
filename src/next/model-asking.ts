import { Edit, type TextEdit } from "../text/index.ts";
import type { ModelEditsEnd } from "./model-edits.ts";

/** What a {@link ModelAsking} is told. */
export interface ModelAskingOptions {
  readonly path: string;
  /** The text that the model is asked for. */
  readonly text: string;
  /** Asks it. All edits speak of `text`. */
  readonly ask: (signal: AbortSignal) => AsyncGenerator<Edit, ModelEditsEnd>;
  /** Told of all edits so far with each that comes, and of what was typed since the model was asked. */
  readonly onEdits: (edits: readonly TextEdit[], typed: Edit) => void;
}

/** A model that was asked. It goes on when whoever asked is answered, so that the rest of the answer is there for the next one. */
export class ModelAsking {
  readonly path: string;
  /** Settles with the first edit, and then with nothing; with the end where there is none. */
  readonly first: Promise<ModelEditsEnd | undefined>;
  readonly #options: ModelAskingOptions;
  readonly #stop = new AbortController();
  #typed = Edit.empty;
  #present: string;
  #isOver = false;

  constructor(options: ModelAskingOptions) {
    this.#options = options;
    this.path = options.path;
    this.#present = options.text;
    let tellFirst: () => void = () => undefined;
    const firstEdit = new Promise<undefined>((resolve) => {
      tellFirst = () => resolve(undefined);
    });
    const end = this.#run(tellFirst);
    end.catch(() => undefined);
    this.first = Promise.race([firstEdit, end]);
    this.first.catch(() => undefined);
  }

  /** Whether the answer is of use for a text of a file: what it was asked for, with what was typed since. */
  isFor(path: string, text: string): boolean {
    return !this.#isOver && this.path === path && this.#present === text;
  }

  /** Takes in a change of a file, whose text was `before`; where the text is another than is known, it stops. */
  follow(path: string, before: string, edit: Edit): void {
    if (path !== this.path || this.#isOver) return;
    if (before === this.#present) {
      this.#typed = this.#typed.compose(edit);
      this.#present = edit.apply(before);
    } else this.stop();
  }

  /** What was typed since the model was asked. */
  get typed(): Edit {
    return this.#typed;
  }

  /** Stops the model. What it has given stays. */
  stop(): void {
    this.#isOver = true;
    this.#stop.abort();
  }

  async #run(tellFirst: () => void): Promise<ModelEditsEnd> {
    const { text, ask, onEdits } = this.#options;
    const edits: TextEdit[] = [];
    const answer = ask(this.#stop.signal);
    try {
      for (;;) {
        const next = await answer.next();
        if (next.done) return next.value;
        if (this.#isOver) continue;
        edits.push(asOne(text, next.value));
        onEdits(edits, this.#typed);
        tellFirst();
      }
    } finally {
      this.#isOver = true;
    }
  }
}

/** An edit as one replacement, from its first to its last place. */
export function asOne(text: string, { edits }: Edit): TextEdit {
  const start = edits[0]?.start ?? 0;
  const end = edits.at(-1)?.end ?? 0;
  const within = Edit.of(edits.map((edit) => ({ ...edit, start: edit.start - start, end: edit.end - start })));
  return { start, end, text: within.apply(text.slice(start, end)) };
}
