import { type Connection, LSPErrorCodes, ResponseError } from "vscode-languageserver";
import { LinkedController, raceAbort } from "../../async/index.ts";
import { EmendError } from "../../text/index.ts";
import { checkParams } from "../check-params.ts";
import { type CrashLog, requestFailed, serveRequest, wrongParams } from "../guard.ts";
import type { SetupDialog, SetupParams, SetupReport } from "../protocol/setup-protocol.ts";
import type { SessionSet } from "../session-set.ts";

/** A request to set up a model. */
export interface SetupRequest {
  /** The workspace: an absolute folder, links resolved. */
  readonly root: string;
  /** As typed; `undefined` for the usual ports of this machine. */
  readonly servers: readonly string[] | undefined;
  /** Whether to take out again what was written. */
  readonly isReset: boolean;
}

/**
 * Runs the steps of `emend setup`. Rejects with an `EmendError` with a message for people, or with
 * the signal's reason.
 */
export type SetUp = (request: SetupRequest, dialog: SetupDialog, signal: AbortSignal) => Promise<SetupReport>;

/** What the method is served with. */
export interface SetupMethodParts {
  readonly connection: Connection;
  readonly setUp: SetUp;
  readonly sessions: Pick<SessionSet, "all">;
  readonly log: CrashLog;
}

/**
 * Serves `emend/setup`, one at a time. The steps are sent as `emend/setup/step`, and the decisions
 * are requested from the client by `emend/setup/choose` and `emend/setup/confirm`. Disposing of the
 * method ends the one that runs.
 */
export function serveSetup({ connection, setUp, sessions, log }: SetupMethodParts): Disposable {
  const what = "emend/setup";
  const ending = new AbortController();
  let isRunning = false;
  serveRequest<SetupParams, SetupReport>(connection, what, log, async (params, cancelled) => {
    checkParams(what, params, { "servers?": "list" });
    const { servers, reset = false } = params;
    if (servers?.some((one) => typeof one !== "string")) throw wrongParams(`${what} requires \`servers\` of strings.`);
    const root = sessions.all.find((session) => session.root !== undefined)?.root;
    if (root === undefined) throw requestFailed(`${what} requires a workspace folder.`);
    if (isRunning) throw requestFailed("A model is being set up already. Stop that first.");
    isRunning = true;
    const linked = new LinkedController(cancelled, ending.signal);
    try {
      const request = { root, servers, isReset: reset };
      return await setUp(request, dialogWith(connection, linked.signal), linked.signal);
    } catch (error) {
      if (error instanceof EmendError && !cancelled.aborted) throw requestFailed(error.message);
      throw error;
    } finally {
      isRunning = false;
      linked[Symbol.dispose]();
    }
  });
  const reason = new ResponseError<void>(LSPErrorCodes.RequestCancelled, `${what} ended with its client`);
  return { [Symbol.dispose]: () => ending.abort(reason) };
}

function dialogWith(connection: Connection, signal: AbortSignal): SetupDialog {
  const ask = async (method: string, params: object): Promise<unknown> => {
    signal.throwIfAborted();
    return raceAbort(connection.sendRequest(method, params), signal);
  };
  return {
    again: "Look again.",
    show: (step) => void connection.sendNotification("emend/setup/step", step),
    async chooseModels(choice) {
      const chosen = await ask("emend/setup/choose", choice);
      const names: readonly unknown[] = Array.isArray(chosen) ? chosen : [];
      return choice.candidates.filter(({ model }) => names.includes(model.name));
    },
    confirm: async (question) => (await ask("emend/setup/confirm", question)) === true,
  };
}
