import type { FillRequest } from "../model.ts";
import type { ServerRequest } from "./model-server.ts";
import type { Message } from "./server-answer.ts";

/** A request for text between a prefix and a suffix, and how its answer is read. */
export interface FillCall {
  readonly request: ServerRequest;
  /** Texts that end the answer on our side, whether the server was told of them or not. */
  readonly cuts: readonly string[];
  readonly read: (message: Message) => WirePart;
}

/** What one message of a streamed answer says; nothing for a message that is about something else. */
export interface WirePart {
  readonly text?: string;
  /** The natural logarithms of the tokens' probabilities, added up. */
  readonly logProbability?: number;
  /** Why the answer ended, where this is its last message. */
  readonly end?: "finished" | "length" | "content-filter";
}

/** The most tokens of an answer, unless the request says: more than a screen is of no use as a fill. */
export const defaultMaxTokens = 256;

/** The most tokens that are asked for. */
export function maxTokensOf({ maxTokens }: FillRequest): number {
  return maxTokens ?? defaultMaxTokens;
}
