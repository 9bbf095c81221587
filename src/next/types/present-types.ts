import type { HeldWitness, OverlaidWitness, TypeFinding } from "../../codebase/index.ts";
import { SharedAnswer } from "./shared-answer.ts";

/** Texts of files laid over the present ones, by path; `undefined` takes a file away. */
export type TextOverlay = ReadonlyMap<string, string | undefined>;

const noTexts: TextOverlay = new Map();

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
 * asked. Errors of the states asked about last are kept, whatever became the present meanwhile; and of a state that is come back to, such as the one before the last edits,
 * the checker is held, if it can be: to bring it there again costs by how many files differ.
 * Laws: the answer depends on the texts that were told and laid over alone, not on what was asked before, nor on questions that were given up.
 */
export class PresentTypes {
  readonly #witness: OverlaidWitness;
  readonly #takes: (path: string) => boolean;
  readonly #base: ReadonlyMap<string, string>;
  /** The present, as far as it differs from the beginning. */
  readonly #present = new Map<string, string | undefined>();
  /** What the checker has, told in the same way. */
  #told: TextOverlay = noTexts;
  /** The state asked about last is the last. */
  #known: KnownState[] = [];
  /** The checker in states that were come back to, the one asked last at the end. */
  #held: HeldState[] = [];
  #turn: Promise<unknown> = Promise.resolve();

  constructor({ witness, texts, takes = () => true }: PresentTypesParts) {
    this.#witness = witness;
    this.#takes = takes;
    this.#base = new Map([...texts].filter(([path]) => takes(path)));
  }

  /** Tells a file's present text; `undefined` when it is gone. The checker hears of it with the next question. */
  update(path: string, text: string | undefined): void {
    if (!this.#takes(path)) return;
    if (this.#base.get(path) === text) this.#present.delete(path);
    else this.#present.set(path, text);
  }

  /** Whether the checker looks at a file that is there now. What only configures others it does not. */
  knows(path: string): boolean {
    return !path.endsWith(".json") && this.textOf(path) !== undefined;
  }

  /** The present text of a file, as it was told. */
  textOf(path: string): string | undefined {
    return textIn(this.#present, this.#base, path);
  }

  /** All texts with others laid over, to be compared with later ones by {@link otherFiles}. It stays as it is. */
  snapshot(overlay: TextOverlay): TextOverlay {
    return this.#textsWith(overlay);
  }

  /** The files that say something else in one snapshot than in another, with what they say in each. */
  *otherFiles(one: TextOverlay, other: TextOverlay): Generator<readonly [path: string, ...(string | undefined)[]]> {
    for (const path of new Set([...one.keys(), ...other.keys()])) {
      const [left, right] = [textIn(one, this.#base, path), textIn(other, this.#base, path)];
      if (left !== right) yield [path, left, right];
    }
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
    const texts = this.#textsWith(overlay);
    const asked = paths.filter((path) => textIn(texts, this.#base, path) !== undefined);
    const state = this.#stateOf(texts);
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

  /**
   * Asks anything else while the checker has the present texts with others laid over them; it is given the checker that has them, where that is a held one. What was answered to the same `key` in the same state is not asked again, as
   * long as that state is remembered. Rejects as the question does, and with the signal's reason.
   */
  asked<T>(
    overlay: TextOverlay,
    key: string,
    ask: (signal: AbortSignal, held: HeldWitness | undefined) => Promise<T>,
    { signal }: Asking = {},
  ): Promise<T> {
    signal?.throwIfAborted();
    const state = this.#stateOf(this.#textsWith(overlay));
    const known = state.others.get(key) as SharedAnswer<T> | undefined;
    if (known?.isGivenUp === false) return known.wait(signal);
    const question = new SharedAnswer((stop) =>
      this.#inTurn(async () => {
        const held = await this.#reach(state);
        stop.throwIfAborted();
        return ask(stop, held);
      }, stop),
    );
    state.others.set(key, question);
    question.answer.catch(() => {
      if (state.others.get(key) === question) state.others.delete(key);
    });
    return question.wait(signal);
  }

  /** A checker that can be told anything: only whoever holds it sees that. Its state begins as the present with these texts laid over, and follows what changes below. */
  view(overlay: TextOverlay = noTexts): OverlaidWitness {
    const over = new Map(overlay);
    return {
      update: async (texts) => {
        for (const [path, text] of texts) over.set(path, text);
      },
      errorsOf: (paths, asking) => this.errorsWith(over, paths ?? this.#paths(), asking),
    };
  }

  #paths(): readonly string[] {
    return [...new Set([...this.#base.keys(), ...this.#present.keys()])].filter((path) => this.knows(path));
  }

  /** The present with these texts laid over, as far as it differs from the beginning. */
  #textsWith(overlay: TextOverlay): TextOverlay {
    const texts = new Map(this.#present);
    for (const [path, text] of overlay) {
      if (!this.#takes(path)) continue;
      if (this.#base.get(path) === text) texts.delete(path);
      else texts.set(path, text);
    }
    return texts;
  }

  #stateOf(texts: TextOverlay): KnownState {
    const state = this.#known.find((one) => isSame(one.texts, texts)) ?? {
      ...{ texts, errors: new Map(), others: new Map(), times: 0 },
    };
    this.#known = [...this.#known.filter((one) => one !== state), state].slice(-maxStates);
    return state;
  }

  async #ask(state: KnownState, paths: readonly string[], signal: AbortSignal): Promise<readonly TypeFinding[]> {
    const held = await this.#reach(state);
    signal.throwIfAborted();
    return (held ?? this.#witness).errorsOf(paths, { signal });
  }

  /** The checker in a state: a held one, or `undefined` where the checker itself is there now. */
  async #reach(state: KnownState): Promise<HeldWitness | undefined> {
    const known = this.#held.find((one) => one.state === state);
    if (known !== undefined) {
      this.#held = [...this.#held.filter((one) => one !== known), known];
      return known.witness;
    }
    if (isSame(this.#told, state.texts)) return undefined;
    await this.#bring(state.texts);
    state.times += 1;
    if (state.times < 2 || this.#witness.hold === undefined) return undefined;
    const witness = await this.#witness.hold();
    const held = [...this.#held, { state, witness }];
    for (const oldest of held.slice(0, -maxHeld)) oldest.witness[Symbol.dispose]();
    this.#held = held.slice(-maxHeld);
    return witness;
  }

  /** Brings the checker into a state. That is never given up half-way: nobody could tell what it has then. */
  async #bring(texts: TextOverlay): Promise<void> {
    const others = new Map<string, string | undefined>();
    for (const path of [...this.#told.keys(), ...texts.keys()]) {
      const text = textIn(texts, this.#base, path);
      if (textIn(this.#told, this.#base, path) !== text) others.set(path, text);
    }
    this.#told = texts;
    if (others.size > 0) await this.#witness.update(others);
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

/** How many states are remembered, and in how many the checker is held: each costs the memory of what it found out. */
const maxStates = 32;
const maxHeld = 2;

/** The checker in a state. */
interface HeldState {
  readonly state: KnownState;
  readonly witness: HeldWitness;
}

/** What is known of a state; errors by file. */
interface KnownState {
  /** What differs from the beginning. */
  readonly texts: TextOverlay;
  readonly errors: Map<string, SharedAnswer<readonly TypeFinding[]>>;
  /** What else was asked, by its key. */
  readonly others: Map<string, SharedAnswer<unknown>>;
  /** How often the checker was brought there. */
  times: number;
}

function textIn(texts: TextOverlay, base: ReadonlyMap<string, string>, path: string): string | undefined {
  return texts.has(path) ? texts.get(path) : base.get(path);
}

function isSame(one: TextOverlay, other: TextOverlay): boolean {
  return one.size === other.size && [...one].every(([path, text]) => other.has(path) && other.get(path) === text);
}
