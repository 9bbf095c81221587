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
 * The listed tokens as `Model.next` returns them: likeliest first, no more than `limit`, and only
 * those that are text or the end, which is listed once.
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
