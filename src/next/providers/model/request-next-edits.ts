import type { Clock } from "../../../codebase/index.ts";
import { type Model, type ModelCallOptions, waitFor } from "../../../model/index.ts";
import { EmendError, InvariantError } from "../../../text/index.ts";
import type { NextEditFormat, PromptRefusal, ReadEdit, ReadEnd } from "../../formats/next-edit-format.ts";
import type { NextEditPromptInput } from "./next-edit-prompt-input.ts";
import { openAnswer } from "./open-answer.ts";

/** How a request to a model ended. The edits yielded before are valid in any case. */
export type ModelRequestEnd =
  | ReadEnd
  /** The model failed; `code` is a `ModelFailure` or `unknown`. The message says what to do. */
  | { readonly kind: "failed"; readonly code: string; readonly message: string }
  /** The first edit, the next edit or the end took longer than the limit. */
  | { readonly kind: "timed-out"; readonly afterMs: number }
  /** The format cannot write the place. */
  | { readonly kind: "refused"; readonly reason: PromptRefusal }
  /** The model cannot be requested. The message says what to do. */
  | { readonly kind: "cannot"; readonly message: string };

/** The model, the format, and the time limit. */
export interface ModelRequestOptions extends ModelCallOptions {
  readonly model: Model;
  readonly format: NextEditFormat;
  readonly clock: Clock;
  /** The most milliseconds to the first edit, between two edits, and to the end. */
  readonly limitMs: number;
}

/**
 * Requests the next edits of a prompt input from a model, and yields the edits of its answer as
 * they become certain; see `NextEditFormat.read`. Returns how the request ended: a failing model is
 * an end, not an exception; only an `InvariantError` is thrown.
 *
 * The request is aborted on timeout, when the signal aborts, or when the consumer leaves, even if
 * the model ignores it. An abort rejects with the signal's own reason.
 */
export async function* requestNextEdits(
  promptInput: NextEditPromptInput,
  { model, format, clock, limitMs, signal }: ModelRequestOptions,
): AsyncGenerator<ReadEdit, ModelRequestEnd> {
  signal?.throwIfAborted();
  const question = format.ask(promptInput);
  if (question.kind === "refused") return question;
  const connection = new AbortController();
  const answer = openAnswer(model, question, { promptInput, format: format.name, signal: connection.signal });
  if ("message" in answer) return { kind: "cannot", message: answer.message };

  const edits = format.read(answer, promptInput);
  const late = new EmendError("not-wanted", "This answer is no longer needed.");
  const stop = () => connection.abort(signal?.reason);
  signal?.addEventListener("abort", stop, { once: true });
  let isOver = false;
  try {
    for (;;) {
      const next = await waitFor(edits.next(), { clock, limitMs, signal, late: () => late });
      isOver = next.done === true;
      if (next.done === true) return next.value;
      yield next.value;
    }
  } catch (error) {
    signal?.throwIfAborted();
    if (error === late) return { kind: "timed-out", afterMs: limitMs };
    return failureOf(error);
  } finally {
    signal?.removeEventListener("abort", stop);
    // After its own end the connection may be reused.
    if (!isOver) {
      connection.abort(late);
      // The model may ignore the abort, so its end is not awaited.
      edits.return({ kind: "read" }).catch(() => undefined);
    }
  }
}

function failureOf(error: unknown): ModelRequestEnd {
  if (error instanceof InvariantError) throw error;
  const message = error instanceof Error ? error.message : String(error);
  return { kind: "failed", code: error instanceof EmendError ? error.code : "unknown", message };
}
