import type { GhostTextAnswer, ServerSilence } from "./ghost-text-service.ts";
import { printServerSilence } from "./print-server-silence.ts";

/**
 * Writes down why nothing is offered: once for each change of reason, so that a log says what a person sees without
 * a line a key.
 */
export class SilenceLog {
  readonly #write: (line: string) => void;
  #lastKey: string | undefined;

  constructor(write: (line: string) => void) {
    this.#write = write;
  }

  /** Takes up an answer. Requests that a newer one took the place of are no silence: the newer one is answered. */
  take(answer: GhostTextAnswer): void {
    if (answer.kind === "offered") return;
    const { reason } = answer;
    if (reason.kind === "cancelled" || reason.kind === "superseded") return;
    const key = keyOf(reason);
    if (key === this.#lastKey) return;
    this.#lastKey = key;
    this.#write(`Nothing offered: ${printServerSilence(reason)}`);
  }
}

/** What has to differ for two reasons to be two: not how many characters there are by now. */
function keyOf(reason: ServerSilence): string {
  switch (reason.kind) {
    case "language-off":
      return `${reason.kind} ${reason.language} ${reason.setting}`;
    case "secret-file":
    case "ignored-file":
    case "not-text":
      return `${reason.kind} ${reason.path}`;
    case "unknown-document":
      return `${reason.kind} ${reason.uri}`;
    case "no-model":
      return `${reason.kind} ${reason.cure}`;
    case "model-failed":
      return `${reason.kind} ${reason.code} ${reason.message}`;
    case "model-silent":
      return `${reason.kind} ${reason.why}`;
    default:
      return reason.kind;
  }
}
