export { toFileUri, tryPathOfUri } from "./file-uri.ts";
export type { ExplainedOutcome, ServerSilence } from "./ghost-text-service.ts";
export { type LanguageServerHost, type LanguageServerTransport, runLanguageServer } from "./language-server.ts";
export { printServerSilence } from "./print-server-silence.ts";
export type { ServerStatus } from "./server-status.ts";
