import type { NextToken } from "../model.ts";
import { ModelError } from "../model-error.ts";
import type { ModelServer } from "./model-server.ts";

/** A token as servers list them, with the natural logarithm of its probability. */
export interface ListedToken {
  readonly text: unknown;
  readonly logProbability: unknown;
}

/**
 * The listed tokens as the `next` face gives them: likeliest first, no more than `limit`, and only those that are text.
 *
 * Throws {@link ModelError} `unsupported` when the server listed nothing.
 */
export function toNextTokens(
  server: ModelServer,
  listed: readonly ListedToken[] | undefined,
  limit: number,
): readonly NextToken[] {
  if (listed === undefined || listed.length === 0) {
    const message = `${server.facts.title} does not tell how likely its tokens are. A newer version of it may.`;
    throw new ModelError("unsupported", message, { url: server.name.baseUrl });
  }
  return listed
    .flatMap(({ text, logProbability }) =>
      typeof text === "string" && text !== "" && typeof logProbability === "number"
        ? [{ text, probability: Math.min(1, Math.exp(logProbability)) }]
        : [],
    )
    .sort((one, other) => other.probability - one.probability)
    .slice(0, limit);
}

/** How many tokens are asked for unless the request says. */
export const defaultNextTokens = 10;
