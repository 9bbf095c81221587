import type { Model, ModelEnd, TextPart } from "../../model/index.ts";

/** The methods of a model that stream an answer. */
export type StreamFace = "fill" | "completeRaw" | "chat";

/**
 * What {@link wrapModel} does around the answers of a model: around a stream, and around a promise.
 */
export interface ModelWrapping {
  stream(answer: () => AsyncGenerator<TextPart, ModelEnd>, face: StreamFace): AsyncGenerator<TextPart, ModelEnd>;
  during<T>(answer: () => Promise<T>): Promise<T>;
}

/**
 * Wraps each answer of a model: `stream` is around `fill`, `completeRaw` and `chat`, and `during`
 * around all others. The wrapper has the same optional methods as `model`.
 */
export function wrapModel(model: Model, { stream, during }: ModelWrapping): Model {
  const { name, contextTokens, tokenCounter, fillsByChat, followsGuide, fillWay } = model;
  const { fill, completeRaw, chat, canChat, next, warm, describe, limits, countPrompt, pace } = model;
  return {
    name,
    ...(contextTokens !== undefined && { contextTokens }),
    ...(tokenCounter !== undefined && { tokenCounter }),
    ...(fillsByChat && { fillsByChat }),
    ...(followsGuide && { followsGuide }),
    ...(fillWay !== undefined && { fillWay }),
    ...(pace && { pace }),
    ...(fill && { fill: (request, options) => stream(() => fill.call(model, request, options), "fill") }),
    ...(completeRaw && {
      completeRaw: (request, options) => stream(() => completeRaw.call(model, request, options), "completeRaw"),
    }),
    ...(chat && { chat: (request, options) => stream(() => chat.call(model, request, options), "chat") }),
    ...(canChat && { canChat: (options) => during(() => canChat.call(model, options)) }),
    ...(next && { next: (request, options) => during(() => next.call(model, request, options)) }),
    ...(warm && { warm: (request, options) => during(() => warm.call(model, request, options)) }),
    ...(describe && { describe: (options) => during(() => describe.call(model, options)) }),
    ...(limits && { limits: (options) => during(() => limits.call(model, options)) }),
    ...(countPrompt && { countPrompt: (request, options) => during(() => countPrompt.call(model, request, options)) }),
  };
}
