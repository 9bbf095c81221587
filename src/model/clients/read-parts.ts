import type { ModelServer, OpenAnswer } from "./model-server.ts";
import type { Message } from "./server-answer.ts";
import type { TextCall, WirePart } from "./text-call.ts";

/**
 * The parts of an answer's messages; the last one has an `end`.
 *
 * Throws `ModelError` for an answer without an end, for one of another protocol, and for one that
 * reports an error.
 */
export async function* readParts(
  server: ModelServer,
  answer: OpenAnswer,
  call: TextCall,
): AsyncGenerator<WirePart, void> {
  let strange: Message | undefined;
  let hasSaid = false;
  for (;;) {
    const { done, value } = await answer.messages.next();
    if (done === true && strange !== undefined && !hasSaid) throw server.strangeAnswer(strange, answer.url);
    if (done === true) {
      // Servers may end a stream with `[DONE]` and without a reason.
      if (!value) throw server.cutOff(answer.url);
      yield { end: "finished" };
      return;
    }
    const refusal = server.refusalIn(value, answer.url);
    if (refusal !== undefined) throw refusal;
    const part = call.read(value);
    if (part.text === undefined && part.end === undefined) strange ??= value;
    else hasSaid = true;
    if (part.end !== undefined) answer.finish();
    yield part;
    if (part.end !== undefined) return;
  }
}
