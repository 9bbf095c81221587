import type { Clock } from "../codebase/index.ts";
import { type Model, type ModelCallOptions, waitFor } from "../model/index.ts";
import { EmendError, InvariantError } from "../text/index.ts";
import type { NextEditFormat, ReadEdit, ReadEnd, SceneRefusal } from "./next-edit-format.ts";
import type { NextEditScene } from "./next-edit-scene.ts";
import { openAnswer } from "./open-answer.ts";

/** What came of asking a model. The edits given before are sound in any case. */
export type AskEnd =
  | ReadEnd
  /** The model failed; `code` is a `ModelFailure`, or `unknown`. The message says what helps. */
  | { readonly kind: "failed"; readonly code: string; readonly message: string }
  /** The first edit, or the next one, or the end took longer than it may. */
  | { readonly kind: "timed-out"; readonly afterMs: number }
  /** The place cannot be shown in the model's format. */
  | { readonly kind: "refused"; readonly reason: SceneRefusal }
  /** The model cannot be asked at all. The message says what helps. */
  | { readonly kind: "cannot"; readonly message: string };

/** Whom to ask, how, and how long that may take. */
export interface AskOptions extends ModelCallOptions {
  readonly model: Model;
  readonly format: NextEditFormat;
  readonly clock: Clock;
  /** The most milliseconds to the first edit, from there to the next, and to the end. */
  readonly limitMs: number;
}

/**
 * Asks a model what is edited next in a scene, and gives the edits of its answer as they become sure; see `NextEditFormat.read`.
 *
 * The model is stopped as soon as time is over, the signal aborts, or the reader leaves, even if it does not listen. An abort rejects with the signal's own
 * reason. A model that fails is told by the end; only an `InvariantError` is thrown.
 */
export async function* askModel(
  scene: NextEditScene,
  { model, format, clock, limitMs, signal }: AskOptions,
): AsyncGenerator<ReadEdit, AskEnd> {
  signal?.throwIfAborted();
  const question = format.ask(scene);
  if (question.kind === "refused") return question;
  const connection = new AbortController();
  const answer = openAnswer(model, question, { scene, format: format.name, signal: connection.signal });
  if ("message" in answer) return { kind: "cannot", message: answer.message };

  const edits = format.read(answer, scene);
  const late = new EmendError("not-wanted", "Nobody waits for this answer any more.");
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
    // Behind its own end the model's connection may serve again.
    if (!isOver) {
      connection.abort(late);
      // A model that does not listen is not waited for.
      edits.return({ kind: "read" }).catch(() => undefined);
    }
  }
}

function failureOf(error: unknown): AskEnd {
  if (error instanceof InvariantError) throw error;
  const message = error instanceof Error ? error.message : String(error);
  return { kind: "failed", code: error instanceof EmendError ? error.code : "unknown", message };
}
