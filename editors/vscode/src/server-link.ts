import type { CancellationToken } from "vscode";

/** As much of the language client as those need who ask the server. */
export interface ServerLink {
  /** Rejects with the server's error, whose message is for people. */
  request<Answer>(method: string, params: unknown, token?: CancellationToken): Promise<Answer>;
  /** Does nothing while no server runs. */
  notify(method: string, params: unknown): void;
}
