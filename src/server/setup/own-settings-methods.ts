import type { Connection } from "vscode-languageserver";
import { EmendError } from "../../text/index.ts";
import { type CrashLog, requestFailed, serveRequest } from "../guard.ts";
import type { SetupState, TrustReport } from "../protocol/setup-protocol.ts";
import type { SessionSet } from "../session-set.ts";

/** What a client may do with the user's own settings file, besides setting up a model. */
export interface OwnSettings {
  /**
   * Trusts a workspace: an absolute folder, links resolved. Rejects with an `EmendError` with a
   * message for people where the file cannot be edited.
   */
  trust(root: string): Promise<TrustReport>;
  /** The state of what setup wrote. Rejects as {@link trust} does. */
  setupState(): Promise<SetupState>;
}

/** What the methods are served with. */
export interface OwnSettingsParts {
  readonly connection: Connection;
  readonly ownSettings: OwnSettings;
  readonly sessions: Pick<SessionSet, "all">;
  readonly log: CrashLog;
}

/**
 * Serves `emend/trust` and `emend/setup/state`. The client asks the person before it sends
 * `emend/trust`.
 */
export function serveOwnSettings({ connection, ownSettings, sessions, log }: OwnSettingsParts): void {
  const serve = <Answer>(method: string, work: () => Promise<Answer>) =>
    serveRequest<object, Answer>(connection, method, log, async () => {
      try {
        return await work();
      } catch (error) {
        if (error instanceof EmendError) throw requestFailed(error.message);
        throw error;
      }
    });
  serve<TrustReport>("emend/trust", async () => {
    const root = sessions.all.find((session) => session.root !== undefined)?.root;
    if (root === undefined) throw requestFailed("emend/trust requires a workspace folder.");
    return ownSettings.trust(root);
  });
  serve<SetupState>("emend/setup/state", () => ownSettings.setupState());
}
