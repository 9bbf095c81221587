import type { ChatRequest, FillRequest, ModelCallOptions, NextRequest, NextToken, RawRequest } from "../model.ts";
import type { FillTemplate } from "../templates/families.ts";
import type { ModelServer, ServerRequest } from "./model-server.ts";
import type { Message } from "./server-answer.ts";

/** A request for the continuation of a prompt or for a hole, and how its answer is read. */
export interface TextCall {
  readonly request: ServerRequest;
  /** Texts that end the answer on our side, whether they are sent to the server or not. */
  readonly cuts: readonly string[];
  readonly read: (message: Message) => WirePart;
  /** Called with the tokens of the prompt, where the answer has their number. */
  readonly counted?: (tokens: number) => void;
  /** Called with each part of the answer. */
  readonly answered?: (part: WirePart) => void;
}

/**
 * The content of one message of a streamed answer; nothing for a message that is about something
 * else.
 */
export interface WirePart {
  readonly text?: string;
  /** Whether it has a piece of the reasoning, which is not text of the answer. */
  readonly isReasoning?: boolean;
  /** The tokens of the whole prompt. */
  readonly promptTokens?: number;
  /**
   * How many milliseconds the server evaluated the prompt, and how many tokens of it, where it
   * reports these apart from what it had evaluated before.
   */
  readonly evaluated?: { readonly ms: number; readonly tokens?: number };
  /**
   * How many tokens the server has generated, and in how many milliseconds, where it reports it.
   */
  readonly generated?: { readonly ms: number; readonly tokens: number };
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

/** The most tokens that are requested: those of the request, or 256. */
export function maxTokensOf({ maxTokens }: Pick<FillRequest, "maxTokens">): number {
  return maxTokens ?? defaultMaxTokens;
}

/**
 * The field with the stop texts that are sent with a prompt: the first ones, at most as many
 * as the server accepts; no field where there are none.
 */
export function stopField(server: ModelServer, stops: readonly string[]): { readonly stop?: readonly string[] } {
  const stop = stops.slice(0, server.settings.maxStops ?? server.facts.maxStops);
  return stop.length === 0 ? {} : { stop };
}

/**
 * The distinct texts that end an answer to a prompt of `template` on our side: its stops and its
 * special tokens.
 */
export function cutsOf({ stops, specialTokens }: FillTemplate): readonly string[] {
  return [...new Set([...stops, ...specialTokens])];
}

/** The protocol of one kind of server: the differences between protocols, and nothing else. */
export interface ServerClient {
  /** The request for a fill. */
  fill(request: FillRequest, options: ModelCallOptions): TextCall | Promise<TextCall>;
  /**
   * The whole text that the model reads for a fill, special tokens included, for a count; absent
   * where the server builds it in a way of its own.
   */
  promptText?(request: FillRequest): string;
  /**
   * The same text in the order of a server that reads what follows the hole first; absent where no
   * setting of the server changes the order.
   */
  suffixFirstText?(request: FillRequest): string;
  /**
   * What learns from the tokens that the server has read of the prompt of a fill that is sent now;
   * absent where a server reads a whole prompt, or refuses it.
   */
  promptReader?(request: FillRequest): (tokens: number) => void;
  /** The request for the continuation of a prompt; absent where no prompt is taken as it is. */
  completeRaw?(request: RawRequest, options: ModelCallOptions): TextCall | Promise<TextCall>;
  /** The request for an answer in a chat; absent where the host's `openChat` chats. */
  chat?(request: ChatRequest, options: ModelCallOptions): TextCall | Promise<TextCall>;
  /** Has the prompt of a fill evaluated ahead; absent where the protocol has no way. */
  warm?(request: FillRequest, options: ModelCallOptions): Promise<WirePart>;
  /** The likeliest next tokens; absent where the server does not report them. */
  next?(request: NextRequest, options: ModelCallOptions): Promise<readonly NextToken[]>;
}
