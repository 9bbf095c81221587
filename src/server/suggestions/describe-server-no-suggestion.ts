import { describeNoSuggestion } from "../../complete/index.ts";
import { describeNoNextEdit } from "../../next/index.ts";
import type { ServerNoSuggestionReason } from "./ghost-text-service.ts";
import type { ServerNoNextEditReason } from "./next-edit-service.ts";

/** Describes in one line why a client got no ghost text. */
export function describeServerNoSuggestion(reason: ServerNoSuggestionReason): string {
  switch (reason.kind) {
    case "unknown-document":
      return `${reason.uri} was not opened by the editor, which must send textDocument/didOpen first.`;
    case "stale-version":
      return `The request is for version ${reason.asked} of a document, but the editor last sent version ${reason.known}.`;
    case "not-text":
      return `${reason.path} is not text: it contains NUL characters.`;
    case "next-edit-shown":
      return "A next edit is shown, which stays while you type what it inserts.";
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
      return reason.asked === reason.known
        ? "The file of the edit was changed meanwhile; request it again."
        : `The request is for version ${reason.asked} of a document, but the editor last sent version ${reason.known}.`;
    case "ghost-text-shown":
      return "Ghost text is shown, which stays while you type what it inserts.";
    default:
      return describeNoNextEdit(reason);
  }
}
