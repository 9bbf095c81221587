import { LRUCache } from "lru-cache";
import type { Prompt } from "../../context/index.ts";
import type { AnswerToken } from "../../model/index.ts";

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
const maxCharacters = 5_000_000;

/** The last requests to models, by a number, to explain a cached answer. */
export class ModelRequestLog {
  readonly #records = new LRUCache<number, ModelRequestRecord>({
    max: maxRecords,
    maxSize: maxCharacters,
    // At least 1, and at most the limit, so that a request that is longer replaces all others.
    sizeCalculation: ({ prompt }) => Math.min(Math.max(1, prompt.prefix.length + prompt.suffix.length), maxCharacters),
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
