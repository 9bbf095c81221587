import {
  type ChatRequest,
  type Model,
  type ModelCallOptions,
  type ModelEnd,
  ModelError,
  type PromptLimits,
  type PromptLimitsOptions,
  promptLimits,
  type TextPart,
} from "../../model/index.ts";
import { invariant } from "../../text/index.ts";

/** The models of a {@link FallbackChat}, and a callback for changes between them. */
export interface FallbackChatOptions {
  /** In order of preference; at least one, each of which can chat. */
  readonly models: readonly Model[];
  /** Called when `model` has failed and the model called `next` is requested instead. */
  onFallback?(model: string, error: ModelError, next: string): void;
}

/**
 * A model that passes requests to the first of several, and to the next one where that fails. The
 * model that has answered also receives the later requests, since it knows the conversation.
 *
 * Once an answer has begun, there is no fallback: its error is passed on, as is that of the last
 * model.
 */
export class FallbackChat implements Model {
  readonly #options: FallbackChatOptions;
  #index = 0;

  /** Throws an `InvariantError` where there is no model. */
  constructor(options: FallbackChatOptions) {
    invariant(options.models.length > 0, () => "There is no model to ask");
    this.#options = options;
  }

  /** The name of the current model. */
  get name(): string {
    return this.#current.name;
  }

  /** The limits of the current model. */
  limits(options: PromptLimitsOptions): Promise<PromptLimits> {
    return promptLimits(this.#current, options);
  }

  /**
   * Streams the answer to a conversation. Rejects with the error of a model after the first part of
   * its answer, with that of the last model, and with any error other than {@link ModelError}, such
   * as the signal's reason. Throws an `InvariantError` where a model cannot chat.
   */
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
