import { LRUCache } from "lru-cache";
import { type Clock, sleep } from "../../async/index.ts";
import type { Prompt } from "../../context/index.ts";
import type { AnswerToken } from "../../model/index.ts";
import { type FillRequest, type Model, type ModelEnd, ModelError } from "../../model/index.ts";
import { EmendError, withLineFeeds } from "../../text/index.ts";
import type { BareAnswer } from "../answers/bare-answer.ts";
import type { RefusedText, SuggestionChange } from "../outcome.ts";

/** What became of an {@link ModelRequest}. */
export type ModelRequestResult =
  | {
      readonly kind: "answered";
      /** All that came, bare, with `\n`. */
      readonly text: string;
      /** What was taken off it to make it bare. */
      readonly changes: readonly SuggestionChange[];
      /**
       * The reason of the model, or `enough`: the request was stopped since no more was wanted, or
       * `cut-off`: the connection broke, and the text is the whole lines that had come.
       */
      readonly reason: ModelEnd["reason"] | "enough" | "cut-off";
      /** How it broke, where it is `cut-off`. */
      readonly error?: ModelError;
      readonly probability?: number;
      /** The explanation of the answer, or of no answer, where the model gives one. */
      readonly evidence?: ModelEnd["evidence"];
      readonly withheld?: ModelEnd["withheld"];
      /** Which limit it has reached, where its reason is `length` and the model reports it. */
      readonly limit?: ModelEnd["limit"];
      /** The notes on the answer, in a few words each. */
      readonly notes?: readonly string[];
      /** What a guide did not let the model write. */
      readonly refused?: readonly RefusedText[];
    }
  | { readonly kind: "failed"; readonly error: unknown }
  | { readonly kind: "timed-out"; readonly afterMs: number }
  | { readonly kind: "aborted" };

/** What an {@link ModelRequest} is started with. */
export interface ModelRequestOptions {
  readonly model: Model;
  readonly request: FillRequest;
  readonly clock: Clock;
  /** The most milliseconds to the end of the answer. */
  readonly timeoutMs: number;
  /** After so many milliseconds the text so far is enough, if `isUsable` accepts it. */
  readonly patienceMs: number;
  /** The most UTF-16 units of a line: the answer is cut off there. */
  readonly maxLineCharacters: number;
  /**
   * What an answer is without what the model has put around it; `isWhole` is true if no more of it
   * follows.
   */
  readonly bare: (text: string, isWhole: boolean) => BareAnswer;
  /** Finds out what `bare` must know of the text so far, where that takes time. */
  readonly prepare?: ((text: string) => Promise<void>) | undefined;
  /** The notes on the answer. */
  readonly notes?: (() => readonly string[]) | undefined;
  /** What a guide did not let the model write. */
  readonly refused?: (() => readonly RefusedText[]) | undefined;
  /** Whether the text so far, bare, is all that is wanted. */
  readonly isEnough: (text: string) => boolean;
  /**
   * Whether the text so far, bare, has something to offer; tested again only once another line has
   * ended.
   */
  readonly isUsable: (text: string) => boolean;
}

/** The most UTF-16 units of an answer: more is no suggestion, whatever it is. */
const maxCharacters = 20_000;

/** For how many milliseconds pieces may be read without a break. */
const breathMs = 10;

/**
 * One request to a model, under way: the constructor sends it, the stream is read until enough has
 * come, and then the request is stopped.
 *
 * Of an answer whose connection broke the whole lines are kept. It never rejects, and it settles at
 * once when it is aborted or its time is over, even if the model does not listen.
 */
export class ModelRequest {
  /** Settles with what became of it. */
  readonly answer: Promise<ModelRequestResult>;
  readonly #options: ModelRequestOptions;
  readonly #controller = new AbortController();
  readonly #watchers = new Set<() => void>();
  #raw = "";
  #text = "";
  #settle!: (answer: ModelRequestResult) => void;
  #isOver = false;
  #stop: (() => void) | undefined;
  #startedAt = 0;
  #pieces = 0;
  #firstTextAtMs: number | undefined;
  #hasPatience = true;
  /**
   * Where the last line begins in the text that has come, and in that which was found to be of no
   * use yet.
   */
  #lineStart = 0;
  #uselessLineStart = 0;

  constructor(options: ModelRequestOptions) {
    this.#options = options;
    this.answer = new Promise((resolve) => {
      this.#settle = resolve;
    });
    void this.#read();
  }

  /** What has come so far, bare, with `\n`. */
  get text(): string {
    return this.#text;
  }

  /**
   * When the first text came, in milliseconds on the clock; `undefined` where all came at once, or
   * nothing yet.
   */
  get firstTextAtMs(): number | undefined {
    return this.#pieces > 1 ? this.#firstTextAtMs : undefined;
  }

  /** Whether it has come to its end. */
  get isOver(): boolean {
    return this.#isOver;
  }

  /** Stops the request, whose result is then `aborted`; does nothing once it is over. */
  abort(): void {
    this.#end({ kind: "aborted" });
  }

  /**
   * Calls `watcher` whenever more text has come, and when the request is over, until the result is
   * disposed of.
   */
  watch(watcher: () => void): Disposable {
    this.#watchers.add(watcher);
    return { [Symbol.dispose]: () => void this.#watchers.delete(watcher) };
  }

  async #read(): Promise<void> {
    const { model, request, clock, timeoutMs, patienceMs, prepare } = this.#options;
    const startedAt = clock.now();
    this.#startedAt = startedAt;
    const timers = [
      clock.after(timeoutMs, () => this.#end({ kind: "timed-out", afterMs: timeoutMs })),
      clock.after(patienceMs, () => {
        this.#hasPatience = false;
        if (this.#isUsable()) this.#endEnough();
      }),
    ];
    this.#stop = () => {
      for (const timer of timers) timer[Symbol.dispose]();
    };
    try {
      const stream = model.fill!(request, { signal: this.#controller.signal });
      let receivedAt = startedAt;
      while (!this.#isOver) {
        const readAt = clock.now();
        const next = await stream.next();
        if (this.#isOver) break;
        if (next.done) {
          this.#end({ kind: "answered", ...next.value, ...this.#bareOf(this.#raw), ...this.#observations });
          return;
        }
        if (prepare !== undefined) {
          await prepare(withLineFeeds((this.#raw + next.value.text).replace(/\r$/, "")));
          if (this.#isOver) break;
        }
        const now = clock.now();
        this.#take(next.value.text, now - startedAt);
        // Pieces that are there already come without a break in which a key or a timer could be
        // handled.
        if (now - readAt >= breathMs) receivedAt = now;
        if (now - receivedAt < breathMs || this.#isOver) continue;
        await sleep(clock, 0);
        receivedAt = clock.now();
      }
      void stream.return({ reason: "length" }).catch(() => undefined);
    } catch (error) {
      this.#end(this.#tryWholeLines(error) ?? { kind: "failed", error });
    }
  }

  /**
   * Adds a piece that came so many milliseconds after the request was sent, and ends where no more
   * is wanted.
   */
  #take(piece: string, tookMs: number): void {
    const { timeoutMs, patienceMs, isEnough, bare } = this.#options;
    this.#raw += piece;
    if (piece !== "") {
      this.#pieces += 1;
      this.#firstTextAtMs ??= this.#startedAt + tookMs;
    }
    // What comes next may be the line feed of this line ending.
    const plain = withLineFeeds(this.#raw.replace(/\r$/, ""));
    this.#text = bare(plain, false).text;
    const wideAt = this.#tooWideAt(plain);
    // Timers do not fire while pieces come that were there already.
    if (tookMs >= patienceMs) this.#hasPatience = false;
    const isLate = !this.#hasPatience && this.#isUsable();
    if (wideAt !== undefined) this.#endEnough(plain.slice(0, wideAt));
    else if (isLate || this.#raw.length > maxCharacters || isEnough(this.#text)) this.#endEnough();
    else if (tookMs >= timeoutMs) this.#end({ kind: "timed-out", afterMs: timeoutMs });
    else for (const watcher of this.#watchers) watcher();
  }

  /** What had come in whole lines when the connection broke. */
  #tryWholeLines(error: unknown): ModelRequestResult | undefined {
    if (!(error instanceof ModelError) || error.code !== "cut-off") return undefined;
    const raw = this.#raw.slice(0, Math.max(this.#raw.lastIndexOf("\n"), this.#raw.lastIndexOf("\r")) + 1);
    const bare = this.#bareOf(raw);
    if (bare.text.trim() === "") return undefined;
    const changes = [...bare.changes, "kept-whole-lines" as const];
    return { kind: "answered", text: bare.text, changes, reason: "cut-off", error, ...this.#observations };
  }

  /** Moves on to the last line of `text`, or returns the end of the first line that is too wide. */
  #tooWideAt(text: string): number | undefined {
    for (;;) {
      const lineFeed = text.indexOf("\n", this.#lineStart);
      const end = lineFeed < 0 ? text.length : lineFeed;
      const most = this.#lineStart + this.#options.maxLineCharacters;
      if (end > most) return most;
      if (lineFeed < 0) return undefined;
      this.#lineStart = lineFeed + 1;
    }
  }

  #isUsable(): boolean {
    if (this.#lineStart === this.#uselessLineStart) return false;
    this.#uselessLineStart = this.#lineStart;
    return this.#options.isUsable(this.#text);
  }

  #endEnough(raw = this.#raw.replace(/\r$/, "")): void {
    this.#end({ kind: "answered", ...this.#bareOf(raw), reason: "enough", ...this.#observations });
  }

  get #observations(): Pick<Extract<ModelRequestResult, { kind: "answered" }>, "notes" | "refused"> {
    const notes = this.#options.notes?.() ?? [];
    const refused = this.#options.refused?.() ?? [];
    return {
      ...(notes.length > 0 && { notes }),
      ...(refused.length > 0 && { refused }),
    };
  }

  /** What an answer is that has come to its end. */
  #bareOf(raw: string): BareAnswer {
    return this.#options.bare(withLineFeeds(raw), true);
  }

  #end(answer: ModelRequestResult): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#stop?.();
    // The model is notified of every end but its own.
    this.#controller.abort(new EmendError("not-wanted", "The answer is no longer needed."));
    this.#settle(answer);
    for (const watcher of this.#watchers) watcher();
    this.#watchers.clear();
  }
}

/** The prompt of a request, and the explanation of its answer, where the model gives one. */
export interface ModelRequestRecord {
  readonly prompt: Prompt;
  readonly evidence?: readonly AnswerToken[];
}

/**
 * How many requests are remembered, and the most UTF-16 units of the texts on both sides of their
 * places: these may be whole documents.
 */
const maxRecords = 8;
const maxRecorded = 5_000_000;

/** The last requests to models, by a number, to explain a cached answer. */
export class ModelRequestLog {
  readonly #records = new LRUCache<number, ModelRequestRecord>({
    max: maxRecords,
    maxSize: maxRecorded,
    // At least 1, and at most the limit, so that a request that is longer replaces all others.
    sizeCalculation: ({ prompt }) => Math.min(Math.max(1, prompt.prefix.length + prompt.suffix.length), maxRecorded),
  });
  #count = 0;

  /**
   * Remembers the prompt of a request, and returns the number of the request. Of more than
   * eight those used longest ago are forgotten, and of very long prompts earlier.
   */
  add(prompt: Prompt): number {
    this.#count += 1;
    this.#records.set(this.#count, { prompt });
    return this.#count;
  }

  /** Adds the model's explanation to a request that is still remembered. */
  addEvidence(ask: number, evidence: readonly AnswerToken[]): void {
    const record = this.#records.get(ask);
    if (record !== undefined) this.#records.set(ask, { ...record, evidence });
  }

  /** One of the last requests; `undefined` when it is no longer remembered. */
  tryRecord(ask: number): ModelRequestRecord | undefined {
    return this.#records.get(ask);
  }

  /** Forgets all. */
  clear(): void {
    this.#records.clear();
  }
}
