import { type Clock, resultWithin, runWithTimeout } from "../../async/index.ts";
import { sameEnds } from "../../text/index.ts";
import { isLoopback } from "../base-url.ts";
import type { FillRequest, ModelCallOptions, PromptPace } from "../model.ts";
import { ModelError } from "../model-error.ts";
import type { ServerProvider } from "../providers.ts";
import { textOf } from "./fill-within-context.ts";
import type { ModelServer } from "./model-server.ts";
import { usualTokenRates } from "./prompt-meter.ts";
import type { ServerClient, WirePart } from "./server-client.ts";
import { streamRaw } from "./stream-text.ts";

/** How long the evaluation of a prompt may take, in milliseconds, unless `promptMs` is set. */
export const defaultPromptMs = 2_000;

/** The fewest tokens that a prompt is limited to: with less a model knows nothing of the place. */
export const leastFreshTokens = 64;

/** The most milliseconds that a prompt waits for the first measurement. */
const patienceMs = 600;

/** The most milliseconds of the first measurement; a server that failed is tried again later. */
const probeMs = 10_000;
const againMs = 2_000;

/** About how many tokens {@link probeText} has. */
const probeTokens = 32;

/** Fewer tokens show what a request takes, rather than what a token takes. */
const leastMeasured = 16;

/** What a request takes beside its prompt, where the server does not report it, in milliseconds. */
const overheadMs = 50;

/** The servers that report what they evaluated, and how long it took. */
const reporting: ReadonlySet<ServerProvider> = new Set(["llamacpp", "ollama"]);

/** A request that is followed: call `answered` with each part of its answer, and then `stopped`. */
export interface FollowedRequest {
  answered(part: WirePart): void;
  stopped(): void;
}

/**
 * Learns how quickly a server evaluates prompts, and what it has evaluated: it keeps the last
 * prompt, and the next one costs what follows their common beginning.
 *
 * The rate is that of the requests that are followed. Before the first one a short prompt of its
 * own is sent; while that is not answered, the time that has passed bounds the rate.
 */
export class ServerPace implements PromptPace {
  readonly #server: ModelServer;
  readonly #client: ServerClient;
  readonly #clock: Clock;
  readonly #promptMs: number;
  /** What was measured; older measurements count half with each new one. */
  #tokens = 0;
  #ms = 0;
  /**
   * The prompt that the server evaluated last, as far as it has, in each order it may be read in.
   */
  #kept: readonly string[] = [];
  /** Which of these orders is the server's, as far as its answers show. */
  #order = 0;
  #probe: { readonly sinceMs: number; readonly work: Promise<void>; isOver: boolean } | undefined;

  constructor(
    server: ModelServer,
    { client, clock, promptMs }: { readonly client: ServerClient; readonly clock: Clock; readonly promptMs: number },
  ) {
    this.#server = server;
    this.#client = client;
    this.#clock = clock;
    this.#promptMs = promptMs;
  }

  /** As {@link PromptPace.tokensPerSecond}. */
  get tokensPerSecond(): number | undefined {
    if (this.#ms > 0) return (this.#tokens * 1000) / this.#ms;
    const waitedMs = this.#probe === undefined || this.#probe.isOver ? 0 : this.#clock.now() - this.#probe.sinceMs;
    return waitedMs < patienceMs ? undefined : (probeTokens * 1000) / waitedMs;
  }

  /** As {@link PromptPace.freshLimit}. */
  async freshLimit({ signal }: ModelCallOptions = {}): Promise<number | undefined> {
    signal?.throwIfAborted();
    if (this.#ms === 0) await resultWithin(this.#probing(), { clock: this.#clock, limitMs: patienceMs });
    signal?.throwIfAborted();
    const rate = this.tokensPerSecond;
    return rate === undefined ? undefined : Math.max(leastFreshTokens, Math.floor((rate * this.#promptMs) / 1000));
  }

  /** As {@link PromptPace.freshTokens}. */
  freshTokens(request: FillRequest): number {
    const text = this.#textsOf(request)[this.#order]!;
    return this.#count(text.slice(this.#keptOf(text, this.#order)), request.language);
  }

  /** Follows the request of a fill, which is about to be sent. */
  follow(request: FillRequest): FollowedRequest {
    return this.#follow(this.#textsOf(request), request.language);
  }

  #follow(texts: readonly string[], language: string): FollowedRequest {
    const sinceMs = this.#clock.now();
    const kept = texts.map((text, order) => this.#keptOf(text, order));
    const fresh = texts.map((text, order) => this.#count(text.slice(kept[order]), language));
    const passedMs = () => this.#clock.now() - sinceMs;
    let isOver = false;
    return {
      answered: ({ evaluated }) => {
        if (evaluated?.tokens !== undefined) this.#order = nearest(fresh, evaluated.tokens, this.#order);
        const tokens = fresh[this.#order]!;
        if (evaluated !== undefined) this.#measured(evaluated.tokens ?? tokens, evaluated.ms);
        if (isOver) return;
        isOver = true;
        this.#kept = texts;
        if (!reporting.has(this.#server.name.provider)) this.#measured(tokens, Math.max(1, passedMs() - overheadMs));
      },
      stopped: () => {
        if (isOver) return;
        isOver = true;
        const tokens = fresh[this.#order]!;
        const evaluated = ((this.tokensPerSecond ?? 0) * passedMs()) / 1000;
        const share = tokens === 0 ? 1 : Math.min(1, evaluated / tokens);
        this.#kept = texts.map((text, order) => {
          const front = kept[order]!;
          return text.slice(0, front + Math.floor((text.length - front) * share));
        });
      },
    };
  }

  #measured(tokens: number, ms: number): void {
    if (tokens < leastMeasured || !(ms > 0)) return;
    this.#tokens = this.#tokens / 2 + tokens;
    this.#ms = this.#ms / 2 + ms;
  }

  /** Resolves when the short prompt is answered, or cannot be. */
  #probing(): Promise<void> {
    const now = this.#clock.now();
    if (this.#probe === undefined || (this.#probe.isOver && now - this.#probe.sinceMs >= againMs)) {
      const work = this.#sendProbe().finally(() => {
        probe.isOver = true;
      });
      const probe = { sinceMs: now, work, isOver: false };
      this.#probe = probe;
    }
    return this.#probe.work;
  }

  async #sendProbe(): Promise<void> {
    // Not what a server keeps of another prompt.
    const prompt = probeText.replace("0", String(this.#clock.now()));
    const late = () => new ModelError("timed-out", "The short prompt took too long.");
    try {
      await runWithTimeout(
        async (signal) => {
          const call = await this.#client.completeRaw!({ prompt, maxTokens: 1, temperature: 0 }, { signal });
          const followed = this.#follow([prompt, prompt], "plaintext");
          try {
            for await (const _ of streamRaw(this.#server, { ...call, answered: followed.answered }, { signal }));
          } finally {
            followed.stopped();
          }
        },
        { clock: this.#clock, limitMs: probeMs, signal: undefined, late },
      );
    } catch (error) {
      // The next fill fails with the reason.
      if (!(error instanceof ModelError)) throw error;
      if (error.code === "timed-out") this.#measured(probeTokens, probeMs);
    }
  }

  #textsOf(request: FillRequest): readonly string[] {
    const text = this.#client.promptText?.(request) ?? textOf(request);
    const suffixFirst = this.#client.suffixFirstText?.(request);
    return suffixFirst === undefined ? [text] : [text, suffixFirst];
  }

  /** How many UTF-16 units at the front of a prompt the server has evaluated. */
  #keptOf(text: string, order: number): number {
    return sameEnds(text, this.#kept[order] ?? "").front;
  }

  #count(text: string, language: string): number {
    const counter = this.#server.meter.counter(language);
    return counter?.count(text) ?? Math.ceil(text.length * usualTokenRates.ascii);
  }
}

/** The index of the number that is the nearest to `value`; `first` where it is as near. */
function nearest(numbers: readonly number[], value: number, first: number): number {
  const distance = (index: number) => Math.abs(numbers[index]! - value);
  return [...numbers.keys()].reduce((best, index) => (distance(index) < distance(best) ? index : best), first);
}

/**
 * The pace of a server on this machine; `undefined` for others, which count as fast, and where the
 * settings turn it off or no prompt can be sent as it is.
 */
export function tryPaceOf(
  server: ModelServer,
  { client, clock }: { readonly client: ServerClient; readonly clock: Clock },
): ServerPace | undefined {
  const { promptMs = defaultPromptMs } = server.settings;
  const isMeasured = promptMs > 0 && client.completeRaw !== undefined && isLoopback(server.name.baseUrl);
  return isMeasured ? new ServerPace(server, { client, clock, promptMs }) : undefined;
}

const probeText = "// 0\nexport function total(items: readonly Item[]): number {\n  return items.length;\n}\n";
