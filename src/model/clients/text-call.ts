import type { FillRequest } from "../model.ts";
import type { FillTemplate } from "../templates/template.ts";
import type { ModelServer, ServerRequest } from "./model-server.ts";
import type { Message } from "./server-answer.ts";

/** A request for the continuation of a prompt or for a hole, and how its answer is read. */
export interface TextCall {
  readonly request: ServerRequest;
  /** Texts that end the answer on our side, whether they are sent to the server or not. */
  readonly cuts: readonly string[];
  readonly read: (message: Message) => WirePart;
}

/**
 * The content of one message of a streamed answer; nothing for a message that is about something
 * else.
 */
export interface WirePart {
  readonly text?: string;
  /** The natural logarithms of the tokens' probabilities, added up. */
  readonly logProbability?: number;
  /**
   * Why the answer ended, where this is its last message; `guide`: the request's guide allows
   * nothing more.
   */
  readonly end?: "finished" | "length" | "content-filter" | "guide";
}

/** The default limit of tokens of an answer: more than a screen is of no use as a fill. */
export const defaultMaxTokens = 256;

/** The most tokens that are requested. */
export function maxTokensOf({ maxTokens }: Pick<FillRequest, "maxTokens">): number {
  return maxTokens ?? defaultMaxTokens;
}

/** The stop texts that are sent with a prompt: no more than it takes, and no empty list. */
export function stopField(server: ModelServer, stops: readonly string[]): { readonly stop?: readonly string[] } {
  const stop = stops.slice(0, server.settings.maxStops ?? server.facts.maxStops);
  return stop.length === 0 ? {} : { stop };
}

/** The texts that end an answer to a prompt of `template` on our side. */
export function cutsOf({ stops, specialTokens }: FillTemplate): readonly string[] {
  return [...new Set([...stops, ...specialTokens])];
}
