import { describeNoNextEdit } from "../../next/index.ts";
import type { ServerNoNextEditReason } from "./next-edit-service.ts";

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
