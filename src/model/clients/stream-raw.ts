import type { ModelCallOptions, ModelEnd, TextPart } from "../model.ts";
import type { ModelServer } from "./model-server.ts";
import { readParts } from "./read-parts.ts";
import { StopFilter } from "./stop-filter.ts";
import type { TextCall, WirePart } from "./text-call.ts";
import { WholeCharacters } from "./whole-characters.ts";

/**
 * Streams the continuation of a prompt: whole characters, up to the first of the call's cuts. The
 * connection is closed there, and when the reader leaves early.
 *
 * Rejects as {@link ModelServer.open} does, and with `ModelError` where the answer is cut off, is
 * of another protocol, or reports an error; the text before it has been yielded then.
 */
export async function* streamRaw(
  server: ModelServer,
  call: TextCall,
  options: ModelCallOptions,
): AsyncGenerator<TextPart, ModelEnd> {
  const answer = await server.open(call.request, options.signal);
  try {
    return yield* cutAtStops(readParts(server, answer, call), { stops: call.cuts, ...options });
  } finally {
    answer.leave();
  }
}

/**
 * The text of a streamed answer up to the first of `stops`, see {@link streamRaw}; the last part
 * must have an end.
 */
export async function* cutAtStops(
  parts: AsyncIterable<WirePart>,
  { stops, signal }: ModelCallOptions & { readonly stops: readonly string[] },
): AsyncGenerator<TextPart, ModelEnd> {
  const characters = new WholeCharacters();
  const filter = new StopFilter(stops);
  let logProbability: number | undefined;
  let end: WirePart["end"];
  for await (const part of parts) {
    // Parts that arrived together are read without a wait, so an abort between them has to be
    // checked here.
    signal?.throwIfAborted();
    if (part.logProbability !== undefined) logProbability = (logProbability ?? 0) + part.logProbability;
    end = part.end;
    const uncut = filter.push(part.text ?? "") + (end === undefined ? "" : filter.end());
    const isLast = end !== undefined || filter.isStopped;
    const text = characters.push(uncut) + (isLast ? characters.end() : "");
    if (text !== "") yield { kind: "text-delta", text };
    if (filter.isStopped) {
      end = "finished";
      break;
    }
  }
  return {
    ...(end === "length"
      ? { reason: "length", limit: "tokens" }
      : { reason: end === "content-filter" ? end : "finished" }),
    ...(logProbability === undefined ? {} : { probability: Math.exp(Math.min(0, logProbability)) }),
  };
}
