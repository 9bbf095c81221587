import type { OverlaidWitness, TypeFinding } from "../../codebase/index.ts";
import { SharedAnswer } from "./shared-answer.ts";

/** Texts of files laid over the present ones, by path; `undefined` takes a file away. */
export type TextOverlay = ReadonlyMap<string, string | undefined>;

/** What may be said of any question. */
interface Asking {
  readonly signal?: AbortSignal | undefined;
}

/** What {@link PresentTypes} is made from. */
export interface PresentTypesParts {
  /** A type checker that nobody else tells anything; it stays its owner's. */
  readonly witness: OverlaidWitness;
  /** The texts that it was opened with. */
  readonly texts: Iterable<readonly [path: string, text: string]>;
  /** Whether it is told of a file at all, such as a script or what configures them; of each unless told. */
  readonly takes?: (path: string) => boolean;
}

/**
 * What a type checker says of the present texts, and of what they might be.
 *
 * It owns the state of the checker: questions are asked one after the other, each in its own state, and the checker is told what differs only when the next one is
 * asked. Errors of the present are kept until a text changes, those of the other states asked last too.
 * Laws: the answer depends on the texts that were told and laid over alone, not on what was asked before, nor on questions that were given up.
 */
export class PresentTypes {
  readonly #witness: OverlaidWitness;
  readonly #takes: (path: string) => boolean;
  readonly #present: Map<string, string>;
  /** What the checker has. */
  readonly #told: Map<string, string>;
  /** Where the two may differ. */
  readonly #dirty = new Set<string>();
  /** Errors by state, then by file: of the present texts with these laid over. The state asked last is the last. */
  #known: KnownState[] = [];
  #turn: Promise<unknown> = Promise.resolve();

  constructor({ witness, texts, takes = () => true }: PresentTypesParts) {
    this.#witness = witness;
    this.#takes = takes;
    this.#present = new Map([...texts].filter(([path]) => takes(path)));
    this.#told = new Map(this.#present);
  }

  /** Tells a file's present text; `undefined` when it is gone. The checker hears of it with the next question. */
  update(path: string, text: string | undefined): void {
    if (!this.#takes(path) || this.#present.get(path) === text) return;
    if (text === undefined) this.#present.delete(path);
    else this.#present.set(path, text);
    this.#dirty.add(path);
    this.#known = [];
  }

  /** Whether the checker looks at a file that is there now. */
  knows(path: string): boolean {
    return this.#present.has(path);
  }

  /** The present text of a file, as it was told. */
  textOf(path: string): string | undefined {
    return this.#present.get(path);
  }

  /** The errors of these files as they are now. Rejects as the checker does, and with the signal's reason. */
  errorsOf(paths: readonly string[], asking: Asking = {}): Promise<readonly TypeFinding[]> {
    return this.errorsWith(noTexts, paths, asking);
  }

  /** The errors that these files would have with other texts. Rejects as the checker does, and with the signal's reason. */
  async errorsWith(
    overlay: TextOverlay,
    paths: readonly string[],
    { signal }: Asking = {},
  ): Promise<readonly TypeFinding[]> {
    signal?.throwIfAborted();
    const over = new Map([...overlay].filter(([path, text]) => this.#takes(path) && this.#present.get(path) !== text));
    const asked = paths.filter((path) => (over.has(path) ? over.get(path) !== undefined : this.#present.has(path)));
    const state = this.#stateOf(over);
    const missing = asked.filter((path) => state.errors.get(path)?.isGivenUp !== false);
    if (missing.length > 0) {
      const question = new SharedAnswer((stop) => this.#inTurn(() => this.#ask(state, missing, stop), stop));
      for (const path of missing) state.errors.set(path, question);
      const forget = () => {
        for (const path of missing) if (state.errors.get(path) === question) state.errors.delete(path);
      };
      question.answer.catch(forget);
    }
    const answers = [...new Set(asked.map((path) => state.errors.get(path)!))];
    const found = (await Promise.all(answers.map((one) => one.wait(signal)))).flat();
    const wanted = new Set(asked);
    return found.filter(({ path }) => wanted.has(path));
  }

  /** A checker that can be told anything: only whoever holds it sees that. Its state begins as the present with these texts laid over, and follows what changes below. */
  view(overlay: TextOverlay = noTexts): OverlaidWitness {
    const over = new Map(overlay);
    return {
      update: async (texts) => {
        for (const [path, text] of texts) over.set(path, text);
      },
      errorsOf: (paths, asking) => this.errorsWith(over, paths ?? [...this.#present.keys()], asking),
    };
  }

  #stateOf(over: TextOverlay): KnownState {
    const index = this.#known.findIndex((one) => isSame(one.over, over));
    const state = this.#known[index] ?? { over, errors: new Map() };
    // The present is kept however many others are asked about.
    const others = this.#known.filter((one) => one !== state);
    const present = others.filter((one) => one.over.size === 0);
    const rest = others.filter((one) => one.over.size > 0).slice(-maxStates);
    this.#known = [...present, ...rest, state];
    return state;
  }

  async #ask(state: KnownState, paths: readonly string[], signal: AbortSignal): Promise<readonly TypeFinding[]> {
    await this.#bring(state.over);
    signal.throwIfAborted();
    return this.#witness.errorsOf(paths, { signal });
  }

  /** Brings the checker into a state. That is never given up half-way: nobody could tell what it has then. */
  async #bring(over: TextOverlay): Promise<void> {
    const texts = new Map<string, string | undefined>();
    for (const path of [...this.#dirty, ...over.keys()]) {
      const text = over.has(path) ? over.get(path) : this.#present.get(path);
      if (this.#told.get(path) !== text) texts.set(path, text);
      if (text === this.#present.get(path)) this.#dirty.delete(path);
      else this.#dirty.add(path);
    }
    if (texts.size === 0) return;
    for (const [path, text] of texts) {
      if (text === undefined) this.#told.delete(path);
      else this.#told.set(path, text);
    }
    await this.#witness.update(texts);
  }

  #inTurn<T>(work: () => Promise<T>, signal: AbortSignal): Promise<T> {
    const done = this.#turn.then(() => {
      signal.throwIfAborted();
      return work();
    });
    this.#turn = done.catch(() => undefined);
    return done;
  }
}

/** How many states besides the present one are remembered. */
const maxStates = 8;

const noTexts: TextOverlay = new Map();

interface KnownState {
  readonly over: TextOverlay;
  readonly errors: Map<string, SharedAnswer<readonly TypeFinding[]>>;
}

function isSame(one: TextOverlay, other: TextOverlay): boolean {
  return one.size === other.size && [...one].every(([path, text]) => other.has(path) && other.get(path) === text);
}
