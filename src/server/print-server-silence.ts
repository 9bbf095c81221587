import { printSilence } from "../complete/index.ts";
import type { ServerSilence } from "./ghost-text-service.ts";

/** One line that says why a client was offered nothing. */
export function printServerSilence(reason: ServerSilence): string {
  switch (reason.kind) {
    case "unknown-document":
      return `${reason.uri} was never opened by the editor; it is to send textDocument/didOpen first.`;
    case "stale-version":
      return `The editor asks about version ${reason.asked} of a document of which it has sent version ${reason.known}.`;
    case "not-text":
      return `${reason.path} is not text: it holds NUL characters.`;
    case "next-edit-shown":
      return "A next edit is shown, which stays while what is typed agrees with it.";
    default:
      return printSilence(reason);
  }
}
