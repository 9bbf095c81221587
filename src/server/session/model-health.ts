import type { Clock } from "../../async/index.ts";
import { type Model, type ModelEnd, ModelError, type ModelFailure, type TextPart } from "../../model/index.ts";
import type { OpenedModel } from "./session-settings.ts";
import { type StreamFace, wrapModel } from "./shared-model.ts";

/** What a model is used for. */
export type ModelUse = "ghost-text" | "next-edit" | "edit";

/** The state of a model, from its requests so far. Plain data. */
export interface ModelStatus {
  readonly name: string;
  /**
   * The uses that the settings name it for, as far as it was opened for them; without edits where
   * it has shown that it cannot chat.
   */
  readonly uses: readonly ModelUse[];
  /** How the model marks the place to fill, in a few words, where that is known. */
  readonly fillWay?: string;
  readonly contextTokens?: number;
  /**
   * How many requests it answered, also without text, and how many failed. Cancelled ones count as
   * neither.
   */
  readonly answered: number;
  readonly failed: number;
  /**
   * The median of the milliseconds to the first text, of the last {@link maxTimes} answers with
   * text.
   */
  readonly firstTextMs?: number;
  /** Milliseconds since its last answer. */
  readonly answeredAgoMs?: number;
  /** The last error, with what helps; absent where it has answered since. */
  readonly problem?: string;
  /** The code of the last error; absent where there is no `problem`. */
  readonly failure?: ModelFailure;
  /** Whether the last error is that its server is still loading it. */
  readonly isLoading?: true;
}

/** How many times to the first text are remembered for each model. */
const maxTimes = 50;

interface Health {
  readonly uses: Set<ModelUse>;
  fillWay?: string | undefined;
  contextTokens?: number | undefined;
  answered: number;
  failed: number;
  answeredAtMs?: number;
  error?: ModelError | undefined;
  /** Set where it has shown that it takes no conversation. */
  cannotChat?: boolean;
  /** Whether its server was asked for that after an answer. */
  isAskedForChat?: boolean;
  readonly firstTextMs: Latencies;
}

/** Records how requests to models end, for the status. */
export class ModelHealth implements Disposable {
  readonly #clock: Pick<Clock, "now">;
  readonly #onChange: () => void;
  readonly #known = new Map<string, Health>();
  readonly #ending = new AbortController();

  /**
   * `onChange` is called when a request to a model fails, when a model that failed answers, and
   * when one has shown that it cannot chat.
   */
  constructor(clock: Pick<Clock, "now">, onChange: () => void = () => undefined) {
    this.#clock = clock;
    this.#onChange = onChange;
  }

  /** Wraps `model` so that its requests are recorded. The wrapper is disposed of like the model. */
  watch(model: OpenedModel, use: ModelUse): OpenedModel {
    const health = this.#healthOf(model, use);
    const watched = wrapModel(model, {
      stream: (answer, face) => this.#stream(answer, { health, face, onAnswer }),
      during: (answer) => this.#during(answer, health),
    });
    // The server of a model that fills is asked whether the model chats, too, before a person
    // writes an instruction for it: at first, and after an answer, as it may have been loading.
    const askForChat = () =>
      void model.canChat?.({ signal: this.#ending.signal }).then((canChat) => canChat || this.#cannotChat(health));
    if (use === "ghost-text") askForChat();
    const onAnswer = () => {
      if (health.isAskedForChat) return;
      health.isAskedForChat = true;
      askForChat();
    };
    return { ...watched, [Symbol.dispose]: () => model[Symbol.dispose]?.() };
  }

  /** Records that the model with this name answers now, as others than its requests have shown. */
  answers(name: string): void {
    const health = this.#known.get(name);
    if (health !== undefined) this.#recovered(health);
  }

  /** Whether the model with this name has shown that it cannot chat. */
  cannotChat(name: string): boolean {
    return this.#known.get(name)?.cannotChat === true;
  }

  /**
   * Forgets the uses of all models, because the settings have changed: those that are opened again
   * are shown, the others are not. Whether they chat is asked again.
   */
  reset(): void {
    for (const health of this.#known.values()) {
      health.uses.clear();
      health.cannotChat = false;
      health.isAskedForChat = false;
    }
  }

  /** The models that were opened. */
  get status(): readonly ModelStatus[] {
    const now = this.#clock.now();
    const named = [...this.#known].filter(([, { uses }]) => uses.size > 0);
    return named.map(([name, health]): ModelStatus => {
      const { fillWay, contextTokens, answered, failed, firstTextMs, answeredAtMs, error } = health;
      const uses = [...health.uses].filter((use) => use !== "edit" || !health.cannotChat);
      return {
        ...{ name, uses, answered, failed },
        ...(fillWay !== undefined && { fillWay }),
        ...(contextTokens !== undefined && { contextTokens }),
        ...(firstTextMs.percentile(0.5) !== undefined && { firstTextMs: firstTextMs.percentile(0.5)! }),
        ...(answeredAtMs !== undefined && { answeredAgoMs: now - answeredAtMs }),
        ...(error !== undefined && { problem: error.message, failure: error.code }),
        ...(error?.isLoading && { isLoading: true as const }),
      };
    });
  }

  /** Ends the requests whether models chat, which outlive the models that are opened in vain. */
  [Symbol.dispose](): void {
    this.#ending.abort();
  }

  #healthOf({ name, fillWay, contextTokens }: Model, use: ModelUse): Health {
    const known: Health = this.#known.get(name) ?? {
      ...{ uses: new Set(), answered: 0, failed: 0 },
      firstTextMs: new Latencies(maxTimes),
    };
    this.#known.set(name, known);
    known.uses.add(use);
    known.fillWay = fillWay;
    known.contextTokens = contextTokens;
    return known;
  }

  async *#stream(
    answer: () => AsyncGenerator<TextPart, ModelEnd>,
    { health, face, onAnswer }: { readonly health: Health; readonly face: StreamFace; onAnswer(): void },
  ): AsyncGenerator<TextPart, ModelEnd> {
    const startMs = this.#clock.now();
    const stream = answer();
    let hasText = false;
    let isDone = false;
    try {
      for (;;) {
        const step = await stream.next();
        isDone = step.done === true;
        if (!hasText && step.done !== true && step.value.text !== "") {
          hasText = true;
          health.firstTextMs.add(this.#clock.now() - startMs);
        }
        if (step.done === true) {
          this.#answered(health);
          onAnswer();
          return step.value;
        }
        yield step.value;
      }
    } catch (error) {
      isDone = true;
      // A refused conversation is no failure of a model that fills in code.
      if (face === "chat" && error instanceof ModelError && error.code === "unsupported") this.#cannotChat(health);
      else this.#failed(health, error);
      throw error;
    } finally {
      // A consumer that stops early has enough text: that counts as an answer, if there was text.
      if (!isDone && hasText) {
        this.#answered(health);
        onAnswer();
      }
      await stream.return({ reason: "length" });
    }
  }

  async #during<T>(answer: () => Promise<T>, health: Health): Promise<T> {
    try {
      return await answer();
    } catch (error) {
      this.#failed(health, error);
      throw error;
    }
  }

  #cannotChat(health: Health): void {
    if (health.cannotChat) return;
    health.cannotChat = true;
    this.#onChange();
  }

  #answered(health: Health): void {
    health.answered += 1;
    health.answeredAtMs = this.#clock.now();
    this.#recovered(health);
  }

  #recovered(health: Health): void {
    const hadFailed = health.error !== undefined;
    health.error = undefined;
    if (hadFailed) this.#onChange();
  }

  /** Counts errors of models only; an abort is not a failure. */
  #failed(health: Health, error: unknown): void {
    if (!(error instanceof ModelError)) return;
    health.failed += 1;
    health.error = error;
    this.#onChange();
  }
}

/** The last durations, in milliseconds, and their percentiles. */
export class Latencies {
  readonly #most: number;
  readonly #all: number[] = [];

  /** Keeps the last `most` durations; at least one. */
  constructor(most: number) {
    this.#most = most;
  }

  /** Adds a duration, and drops the oldest where there are too many. */
  add(tookMs: number): void {
    this.#all.push(tookMs);
    if (this.#all.length > this.#most) this.#all.shift();
  }

  /**
   * The duration that the given share, from 0 to 1, does not exceed, by nearest rank; `undefined`
   * where there is none.
   */
  percentile(share: number): number | undefined {
    const sorted = [...this.#all].sort((a, b) => a - b);
    return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)];
  }
}
