import type { CancellationToken } from "vscode";

/** The part of the language client that sends requests to the server. */
export interface ServerLink {
  /** Rejects with the server's error, whose message is for people. */
  request<Answer>(method: string, params: unknown, token?: CancellationToken): Promise<Answer>;
  /** Does nothing while the server is not running. */
  notify(method: string, params: unknown): void;
}
