import type { Model } from "../model/index.ts";

/** A model that says what a person's chat said, so that it is taken as if a model of ours had said it. */
export function chatThatSaid(text: string): Model {
  return {
    name: "a chat",
    async *chat() {
      yield { kind: "text-delta", text };
      return { reason: "finished" };
    },
  };
}
