import { type FillRequest, keptForAnswer, type Model, type ModelEnd, type TextPart } from "../model.ts";
import { ModelError } from "../model-error.ts";
import type { ModelServer } from "./model-server.ts";
import { maxTokensOf } from "./server-client.ts";

/** A prompt that was too long gets this share of the room that the server names, */
const saferShare = 0.9;
/** or this share of itself, where the server names no sizes. */
const blindShare = 0.5;

/** The share of the text after the cursor in a prompt that is shrunk. */
const suffixShare = 0.15;

/**
 * Streams the answer of `send` to a request whose answer leaves room for the prompt. Where the
 * server refuses the prompt as too long, the size that it names is remembered, and the request
 * is sent again once with a smaller prompt, by `countPrompt` where the server can count. Rejects as
 * `send` does.
 */
export async function* fillWithinContext(
  request: FillRequest,
  send: (request: FillRequest) => AsyncGenerator<TextPart, ModelEnd>,
  { meter, countPrompt }: Pick<ModelServer, "meter"> & Pick<Model, "countPrompt">,
): AsyncGenerator<TextPart, ModelEnd> {
  const maxTokens = keptForAnswer(maxTokensOf(request), meter.contextTokens);
  const kept = maxTokens < maxTokensOf(request) ? { ...request, maxTokens } : request;
  try {
    return yield* send(kept);
  } catch (error) {
    // It comes before any text: what is too long is the prompt.
    if (!(error instanceof ModelError) || error.code !== "context-too-long") throw error;
    const { contextTokens = meter.contextTokens, promptTokens = 0 } = error.tooLong ?? {};
    meter.contextTokens = contextTokens;
    // A server that cuts a prompt by itself names the size of what was left.
    const counted = (await countPrompt?.(kept)) ?? meter.counter(request.language)?.count(textOf(kept)) ?? 0;
    const tokens = Math.max(promptTokens, counted);
    if (contextTokens === undefined || tokens === 0) return yield* send(shrinkFill(kept, blindShare));
    const answerTokens = keptForAnswer(maxTokens, contextTokens);
    const share = Math.min(saferShare, (saferShare * (contextTokens - answerTokens)) / tokens);
    return yield* send({ ...shrinkFill(kept, share), maxTokens: answerTokens });
  }
}

/**
 * The request with at most this share, from 0 to 1, of its text: without the first texts of other
 * places, and then with less text far from the cursor, in whole lines where there are several.
 */
export function shrinkFill(request: FillRequest, share: number): FillRequest {
  const { prefix, suffix, context = [] } = request;
  const lengthOf = (texts: typeof context) => texts.reduce((sum, { path, text }) => sum + path.length + text.length, 0);
  const room = Math.floor((prefix.length + suffix.length + lengthOf(context)) * share);
  let rest = context;
  while (rest.length > 0 && prefix.length + suffix.length + lengthOf(rest) > room) rest = rest.slice(1);
  const own = Math.max(0, room - lengthOf(rest));
  const after = Math.min(suffix.length, Math.max(Math.floor(own * suffixShare), own - prefix.length));
  return { ...request, context: rest, prefix: endOf(prefix, own - after), suffix: startOf(suffix, after) };
}

/** All the text of a request, with the names of other places. */
export function textOf({ prefix, suffix, context = [] }: FillRequest): string {
  return context.map(({ path, text }) => path + text).join("") + prefix + suffix;
}

/** The last lines of a text, within so many UTF-16 units. */
function endOf(text: string, length: number): string {
  if (text.length <= length) return text;
  const part = text.slice(text.length - length);
  return part.slice(part.indexOf("\n") + 1);
}

/** The first lines of a text, within so many UTF-16 units. */
function startOf(text: string, length: number): string {
  if (text.length <= length) return text;
  const part = text.slice(0, length);
  return part.slice(0, part.lastIndexOf("\n") + 1) || part;
}
