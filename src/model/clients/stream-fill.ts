import type { ModelCallOptions, ModelEnd, TextPart } from "../model.ts";
import { readOpening } from "./answer-opening.ts";
import { LineLimit } from "./line-limit.ts";
import type { ModelServer } from "./model-server.ts";
import { readParts } from "./read-parts.ts";
import { StopFilter } from "./stop-filter.ts";
import type { TextCall, WirePart } from "./text-call.ts";
import { WholeCharacters } from "./whole-characters.ts";

/** How much text is wanted. */
export interface FillLimits {
  /** At least 1. */
  readonly maxLines: number;
}

/**
 * Streams the text of a fill: whole characters, up to the first of the call's cuts, and no more lines than wanted. As
 * soon as these have come the connection is closed; so it is when the reader leaves early.
 */
export async function* streamFill(
  server: ModelServer,
  call: TextCall,
  { maxLines }: FillLimits,
  options: ModelCallOptions,
): AsyncGenerator<TextPart, ModelEnd> {
  const answer = await server.open(call.request, options.signal);
  try {
    return yield* cutText(readParts(server, answer, call), { cuts: call.cuts, maxLines, ...options });
  } finally {
    answer.leave();
  }
}

/**
 * What of a streamed answer is let through, see {@link streamFill}; the last part must have an end.
 *
 * The lines that stand before the text itself, see {@link readOpening}, do not count: whoever knows the place takes them
 * off. What may be such lines is held back until it is told apart.
 */
export async function* cutText(
  parts: AsyncIterable<WirePart>,
  { cuts, maxLines, signal }: FillLimits & Pick<ModelCallOptions, "signal"> & { readonly cuts: readonly string[] },
): AsyncGenerator<TextPart, ModelEnd> {
  const characters = new WholeCharacters();
  const stops = new StopFilter(cuts);
  const lines = new LineLimit(maxLines);
  let held: string | undefined = "";
  let logProbability: number | undefined;
  let end: WirePart["end"];
  const endAs = (reason: ModelEnd["reason"], limit?: ModelEnd["limit"]): ModelEnd => ({
    reason,
    ...(limit === undefined ? {} : { limit }),
    ...(logProbability === undefined ? {} : { probability: Math.exp(Math.min(0, logProbability)) }),
  });

  for await (const part of parts) {
    // What has come in one go is read without a wait that would hear of it.
    signal?.throwIfAborted();
    if (part.logProbability !== undefined) logProbability = (logProbability ?? 0) + part.logProbability;
    end = part.end;
    const uncut = stops.push(part.text ?? "") + (end === undefined ? "" : stops.end());
    const isLast = end !== undefined || stops.isStopped;
    const came = characters.push(uncut) + (isLast ? characters.end() : "");
    let text = "";
    if (held === undefined) text = lines.push(came);
    else {
      held += came;
      const opening = readOpening(held, { isWhole: isLast, sentences: true, fences: true });
      if (opening === undefined) continue;
      text = held.slice(0, opening.length) + lines.push(held.slice(opening.length));
      held = undefined;
    }
    if (text !== "") yield { kind: "text-delta", text };
    if (lines.isReached) return endAs("length", "lines");
    if (stops.isStopped) return endAs("finished");
  }
  if (end === "guide") return endAs("length", "guide");
  return end === "length" ? endAs("length", "tokens") : endAs(end ?? "finished");
}
