import { type Connection, LSPErrorCodes, ResponseError } from "vscode-languageserver";
import { LinkedController, raceAbort } from "../../async/index.ts";
import { looksSecret } from "../../syntax/index.ts";
import { EmendError } from "../../text/index.ts";
import { checkParams } from "../check-params.ts";
import { type CrashLog, requestFailed, serveRequest, wrongParams } from "../guard.ts";
import type { SetupDialog, SetupKeyQuestion, SetupParams, SetupReport } from "../protocol/setup-protocol.ts";
import type { SessionSet } from "../session-set.ts";

/** A request to set up a model. */
export interface SetupRequest {
  /** The workspace: an absolute folder, links resolved. */
  readonly root: string;
  /** As typed; `undefined` for the usual ports of this machine. */
  readonly servers: readonly string[] | undefined;
  /** As typed; `undefined` for servers. */
  readonly hosted: string | undefined;
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
 * Serves `emend/setup`, one at a time; one after a cancelled one waits for its end. The steps are
 * sent as `emend/setup/step`, and the decisions are requested from the client by
 * `emend/setup/choose`, `emend/setup/confirm` and `emend/setup/keyCommand`. Disposing of the method
 * ends the one that runs.
 */
export function serveSetup({ connection, setUp, sessions, log }: SetupMethodParts): Disposable {
  const what = "emend/setup";
  const ending = new AbortController();
  let running: { readonly cancelled: AbortSignal; readonly ended: Promise<unknown> } | undefined;
  const run = async (request: SetupRequest, cancelled: AbortSignal): Promise<SetupReport> => {
    using linked = new LinkedController(cancelled, ending.signal);
    try {
      const dialog = dialogWith(connection, { again: againFor(request.hosted), signal: linked.signal });
      const report = await setUp(request, dialog, linked.signal);
      const working = report.tried.filter(({ fills, chats }) => fills || chats);
      for (const session of sessions.all) for (const { name } of working) session.modelAnswers(name);
      return report;
    } catch (error) {
      if (error instanceof EmendError && !cancelled.aborted) throw requestFailed(error.message);
      throw error;
    }
  };
  serveRequest<SetupParams, SetupReport>(connection, what, log, async (params, cancelled) => {
    checkParams(what, params, { "servers?": "list", "hosted?": "text" });
    const { servers, hosted, reset = false } = params;
    if (servers?.some((one) => typeof one !== "string")) throw wrongParams(`${what} requires \`servers\` of strings.`);
    if (servers !== undefined && hosted !== undefined)
      throw wrongParams(`${what} takes only one of \`servers\` and \`hosted\`. Give one of them.`);
    const root = sessions.all.find((session) => session.root !== undefined)?.root;
    if (root === undefined) throw requestFailed(`${what} requires a workspace folder.`);
    while (running !== undefined) {
      if (!running.cancelled.aborted) throw requestFailed("A model is being set up already. Stop that first.");
      await running.ended;
    }
    const report = run({ root, servers, hosted, isReset: reset }, cancelled);
    const ended = report
      .catch(() => undefined)
      .then(() => {
        running = undefined;
      });
    running = { cancelled, ended };
    return report;
  });
  const reason = new ResponseError<void>(LSPErrorCodes.RequestCancelled, `${what} ended with its client`);
  return { [Symbol.dispose]: () => ending.abort(reason) };
}

/** A variable that a person sets counts for programs that are started after that. */
function againFor(hosted: string | undefined): string {
  if (hosted === undefined) return "Look again.";
  return "For the variable, restart `emend serve`. Then set up the model again.";
}

function dialogWith(
  connection: Connection,
  { again, signal }: { readonly again: string; readonly signal: AbortSignal },
): SetupDialog {
  const ask = async (method: string, params: object): Promise<unknown> => {
    signal.throwIfAborted();
    return raceAbort(connection.sendRequest(method, params), signal);
  };
  return {
    again,
    show: (step) => void connection.sendNotification("emend/setup/step", step),
    async chooseModels(choice) {
      const chosen = await ask("emend/setup/choose", choice);
      const names: readonly unknown[] = Array.isArray(chosen) ? chosen : [];
      return choice.candidates.filter(({ model }) => names.includes(model.name));
    },
    confirm: async (question) => (await ask("emend/setup/confirm", question)) === true,
    askForKeyCommand: (question) =>
      askForKeyCommand(question, async (shown) => {
        const typed = await ask("emend/setup/keyCommand", { question: shown } satisfies SetupKeyQuestion);
        return typeof typed === "string" ? typed : undefined;
      }),
  };
}

/**
 * Asks a person for the program that prints a key, until the answer is no key itself. The answer is
 * the program with its arguments, split at blanks outside of quotes; `undefined` where the person
 * names none. `ask` shows the question and returns what the person typed. Rejects as `ask` does.
 */
export async function askForKeyCommand(
  question: string,
  ask: (question: string) => Promise<string | undefined>,
): Promise<readonly string[] | undefined> {
  for (let shown = question; ; shown = "That looks like a key, and Emend stores none. Which command prints it?") {
    const answer = await ask(shown);
    if (answer === undefined || answer.trim() === "") return undefined;
    const words = [...answer.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g)].map((word) => word[1] ?? word[2] ?? word[3]!);
    if (!words.some(looksSecret)) return words;
  }
}
