import {
  type ChatRequest,
  type Model,
  type ModelCallOptions,
  type ModelEnd,
  ModelError,
  type TextPart,
} from "../../model/index.ts";
import { invariant } from "../../text/index.ts";

/** Models that chat, one for the other, and who is told of a change. */
export interface FallbackChatOptions {
  /** In order of preference; at least one, each of which chats. */
  readonly models: readonly Model[];
  /** `model` did not answer, and the one called `next` is asked in its place. */
  onFallback?(model: string, error: ModelError, next: string): void;
}

/**
 * A model that asks the first of several, and the next one where that cannot answer. Whoever answered once is asked again
 * the next time, since it knows the conversation.
 *
 * An answer that has begun is not left: what a model fails with then, and what the last one fails with, is passed on.
 */
export class FallbackChat implements Model {
  readonly #options: FallbackChatOptions;
  #index = 0;

  constructor(options: FallbackChatOptions) {
    invariant(options.models.length > 0, () => "There is no model to ask");
    this.#options = options;
  }

  /** Of the model that is asked at the moment. */
  get name(): string {
    return this.#current.name;
  }

  async *chat(request: ChatRequest, options: ModelCallOptions = {}): AsyncGenerator<TextPart, ModelEnd> {
    for (;;) {
      const model = this.#current;
      invariant(model.chat !== undefined, () => `${model.name} cannot chat`);
      const stream = model.chat(request, options);
      let hasBegun = false;
      try {
        for (;;) {
          const step = await stream.next();
          if (step.done) return step.value;
          hasBegun = true;
          yield step.value;
        }
      } catch (error) {
        const next = this.#options.models[this.#index + 1];
        if (hasBegun || next === undefined || !(error instanceof ModelError)) throw error;
        this.#index++;
        this.#options.onFallback?.(model.name, error, next.name);
      } finally {
        await stream.return({ reason: "silent" });
      }
    }
  }

  get #current(): Model {
    return this.#options.models[this.#index]!;
  }
}
