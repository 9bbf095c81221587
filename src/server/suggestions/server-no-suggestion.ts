import { describeNoSuggestion } from "../../complete/index.ts";
import { describeNoNextEdit, type LeftOut } from "../../next/index.ts";
import type { GhostTextAnswer, ServerNoSuggestionReason } from "./ghost-text-service.ts";
import type { ServerNoNextEditReason } from "./next-edit-service.ts";
import { describeSnoozed } from "./snooze.ts";

/** Describes in one line why a client got no ghost text. */
export function describeServerNoSuggestion(reason: ServerNoSuggestionReason): string {
  switch (reason.kind) {
    case "unknown-document":
      return `${reason.uri} was not opened by the editor, which must send textDocument/didOpen first.`;
    case "stale-version":
      return `The request is for version ${reason.requested} of a document, but the editor last sent version ${reason.known}.`;
    case "not-text":
      return `${reason.path} is not text: it contains NUL characters.`;
    case "next-edit-shown":
      return "A next edit is shown, which stays while you type what it inserts.";
    case "snoozed":
      return describeSnoozed(reason.minutesLeft);
    default:
      return describeNoSuggestion(reason);
  }
}

/** Describes in one line why a client got no next edit. */
export function describeServerNoNextEdit(reason: ServerNoNextEditReason): string {
  switch (reason.kind) {
    case "unknown-document":
      return `${reason.uri} was not opened by the editor, which must send textDocument/didOpen first.`;
    case "no-file":
      return `${reason.uri} is not the current text of a file, so it has no next edits.`;
    case "stale-version":
      return reason.requested === reason.known
        ? "The file of the edit was changed meanwhile; request it again."
        : `The request is for version ${reason.requested} of a document, but the editor last sent version ${reason.known}.`;
    case "changed-on-disk":
      return `${reason.path} was changed on the disk meanwhile; request the next edit again.`;
    case "ghost-text-shown":
      return "Ghost text is shown, which stays while you type what it inserts.";
    case "snoozed":
      return describeSnoozed(reason.minutesLeft);
    default:
      return describeNoNextEdit(reason);
  }
}

/**
 * The milliseconds after which a request for a next edit may have another answer although the text
 * and the cursor stay; `undefined` for a reason that does not pass by itself.
 */
export function tryRepeatAfterMs(reason: ServerNoNextEditReason): number | undefined {
  switch (reason.kind) {
    case "cancelled":
    case "superseded":
    case "stale-version":
    case "changed-on-disk":
      return changedRepeatMs;
    case "nothing-follows":
      return reason.leftOut?.some(({ kind }) => lateKinds.has(kind)) ? lateRepeatMs : undefined;
    default:
      return undefined;
  }
}

/** After a change of the text or the settings, and while something is being read or opened. */
const changedRepeatMs = 300;
const lateRepeatMs = 1_000;

/** What is left out of one request and may be known for the next. */
const lateKinds: ReadonlySet<LeftOut["kind"]> = new Set(["types-opening", "types-late", "names"]);

/**
 * Logs why there is no suggestion, once for each change of reason, so that the log is not filled
 * with a line for each key.
 */
export class NoSuggestionLog {
  readonly #write: (line: string) => void;
  #lastKey: string | undefined;

  constructor(write: (line: string) => void) {
    this.#write = write;
  }

  /**
   * Logs the reason of an answer without a suggestion. Cancelled and superseded requests are left
   * out: a newer one is answered.
   */
  take(answer: GhostTextAnswer): void {
    if (answer.kind === "offered") return;
    const { reason } = answer;
    if (reason.kind === "cancelled" || reason.kind === "superseded") return;
    const key = keyOf(reason);
    if (key === this.#lastKey) return;
    this.#lastKey = key;
    this.#write(`No suggestion: ${describeServerNoSuggestion(reason)}`);
  }
}

/**
 * A key that is equal for reasons to be logged once; counts, such as of characters, are not part of
 * it.
 */
function keyOf(reason: ServerNoSuggestionReason): string {
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
