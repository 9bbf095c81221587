import type { NextToken } from "../model.ts";
import { ModelError } from "../model-error.ts";
import type { ModelServer } from "./model-server.ts";

/** A token as servers list them, with the natural logarithm of its probability. */
export interface ListedToken {
  readonly text: unknown;
  readonly logProbability: unknown;
  /** Set for the end of the answer, whose text is empty. */
  readonly isEnd?: boolean;
}

/**
 * Converts a server's tokens to the result of `Model.next`: sorted by descending probability, at
 * most `limit`, without tokens that are neither text nor the end, and with one entry for the end.
 *
 * Throws {@link ModelError} with code "unsupported" where the server listed nothing.
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
  let end = 0;
  const texts = listed.flatMap(({ text, logProbability, isEnd = false }) => {
    if (typeof text !== "string" || typeof logProbability !== "number") return [];
    const probability = Math.min(1, Math.exp(logProbability));
    if (text !== "") return [{ text, probability }];
    // A model may have several tokens that end an answer.
    if (isEnd) end = Math.min(1, end + probability);
    return [];
  });
  return [...texts, ...(end > 0 ? [{ text: "", probability: end }] : [])]
    .sort((one, other) => other.probability - one.probability)
    .slice(0, limit);
}

/** The default number of requested tokens. */
export const defaultNextTokens = 10;
