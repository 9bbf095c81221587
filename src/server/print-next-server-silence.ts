import { printNextSilence } from "../next/index.ts";
import type { NextServerSilence } from "./next-edit-service.ts";

/** One line that says why a client was offered no next edit. */
export function printNextServerSilence(reason: NextServerSilence): string {
  switch (reason.kind) {
    case "unknown-document":
      return `${reason.uri} was never opened by the editor; it is to send textDocument/didOpen first.`;
    case "no-file":
      return `${reason.uri} is not a file as it is now, so nothing is edited in it.`;
    case "stale-version":
      return reason.asked === reason.known
        ? "The file that the edit is in was changed meanwhile; ask again."
        : `The editor asks about version ${reason.asked} of a document of which it has sent version ${reason.known}.`;
    case "ghost-text-shown":
      return "Ghost text is shown, which stays while what is typed agrees with it.";
    default:
      return printNextSilence(reason);
  }
}
