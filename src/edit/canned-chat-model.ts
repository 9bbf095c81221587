import type { Model } from "../model/index.ts";

/**
 * A model that answers every request with `text`, so that an answer pasted from a chat takes the
 * same path as a model's.
 */
export function cannedChatModel(text: string): Model {
  return {
    name: "a chat",
    async *chat() {
      yield { kind: "text-delta", text };
      return { reason: "finished" };
    },
  };
}
