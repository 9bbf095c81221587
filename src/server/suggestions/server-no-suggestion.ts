import { describeReason, type NoSuggestionReason, noSuggestionTexts, type ReasonTexts } from "../../complete/index.ts";
import { type LeftOut, type NoNextEditReason, noNextEditTexts } from "../../next/index.ts";
import { describeSnoozed, type SnoozedReason } from "./snooze.ts";

/** Why no provider is asked for a suggestion. */
export type RequestRefusal =
  /** The client has not opened the document. */
  | { readonly kind: "unknown-document"; readonly uri: string }
  /**
   * The request is for another version of the text than the one last sent. Of a next edit also: the
   * text has changed meanwhile.
   */
  | { readonly kind: "stale-version"; readonly requested: number; readonly known: number }
  /** The document is another revision or a part of a file, which has no next edits. */
  | { readonly kind: "no-file"; readonly uri: string }
  | SnoozedReason;

/** Why there is no ghost text: a reason of the engine, or one of the server. */
export type ServerNoSuggestionReason =
  | NoSuggestionReason
  | RequestRefusal
  /** The text contains NUL characters. */
  | { readonly kind: "not-text"; readonly path: string }
  /** A next edit is shown, which stays while the person types what it inserts. */
  | { readonly kind: "next-edit-shown" };

/** Why there is no next edit: a reason of the engine, or one of the server before or after it. */
export type ServerNoNextEditReason =
  | NoNextEditReason
  | RequestRefusal
  /** The file of the edit, which is not open, has another text on the disk; it is read again. */
  | { readonly kind: "changed-on-disk"; readonly path: string }
  /** Ghost text is shown, which stays while the person types it. */
  | { readonly kind: "ghost-text-shown" };

const refusals: ReasonTexts<RequestRefusal> = {
  "unknown-document": ({ uri }) => `${uri} was not opened by the editor, which must send textDocument/didOpen first.`,
  "stale-version": ({ requested, known }) =>
    requested === known
      ? "The file of the edit was changed meanwhile; request it again."
      : `The request is for version ${requested} of a document, but the editor last sent version ${known}.`,
  "no-file": ({ uri }) => `${uri} is not the current text of a file, so it has no next edits.`,
  snoozed: ({ minutesLeft }) => describeSnoozed(minutesLeft),
};

const noSuggestion: ReasonTexts<ServerNoSuggestionReason> = {
  ...{ ...noSuggestionTexts, ...refusals },
  "not-text": ({ path }) => `${path} is not text: it contains NUL characters.`,
  "next-edit-shown": "A next edit is shown, which stays while you type what it inserts.",
};

const noNextEdit: ReasonTexts<ServerNoNextEditReason> = {
  ...{ ...noNextEditTexts, ...refusals },
  "changed-on-disk": ({ path }) => `${path} was changed on the disk meanwhile; request the next edit again.`,
  "ghost-text-shown": "Ghost text is shown, which stays while you type what it inserts.",
};

/** Describes in one line why a client got no ghost text. */
export function describeServerNoSuggestion(reason: ServerNoSuggestionReason): string {
  return describeReason(reason, noSuggestion);
}

/** Describes in one line why a client got no next edit. */
export function describeServerNoNextEdit(reason: ServerNoNextEditReason): string {
  return describeReason(reason, noNextEdit);
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
   * Logs a reason; `undefined` for a suggestion. Cancelled and superseded requests are left out: a
   * newer one is answered.
   */
  take(reason: ServerNoSuggestionReason | undefined): void {
    if (reason === undefined || reason.kind === "cancelled" || reason.kind === "superseded") return;
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
  const told = Object.entries(reason).filter(([name]) => keyFields[reason.kind]?.includes(name));
  return [reason.kind, ...told.map(([, value]) => value)].join(" ");
}

const keyFields: Readonly<Partial<Record<ServerNoSuggestionReason["kind"], readonly string[]>>> = {
  "language-off": ["language", "setting"],
  ...{ "secret-file": ["path"], "ignored-file": ["path"], "not-text": ["path"], "unknown-document": ["uri"] },
  ...{ "no-model": ["cure"], "model-failed": ["code", "message"], "model-silent": ["why"] },
};
