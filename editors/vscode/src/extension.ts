import { commands, type Disposable, type ExtensionContext, type TextEditor, window, workspace } from "vscode";
import { type LanguageClient, State } from "vscode-languageclient/node";
import { errorMessage } from "../../../src/text/index.ts";
import { keyVariables, setApiKey, storedKeys } from "./api-keys.ts";
import { AppliedEdits } from "./applied-edits.ts";
import { EarlierEdits } from "./earlier-edits.ts";
import { editWithInstruction, undoSavedEdit } from "./edit-with-instruction.ts";
import { FailureMessages } from "./failure-messages.ts";
import { GhostText } from "./ghost-text.ts";
import { createLanguageClient, stopLanguageClient } from "./language-client.ts";
import { toggleLanguage } from "./language-switch.ts";
import { showMenu, snoozeMinutes } from "./menu.ts";
import { messageText } from "./message-text.ts";
import { NextEditView } from "./next-edit-view.ts";
import { NextEdits } from "./next-edits.ts";
import { Plans } from "./plans.ts";
import { printExplanations } from "./print-explanation.ts";
import type { EmendStatusParams, Explanation, ExplanationParams, PlanViewParams } from "./protocol.ts";
import { ReadOnlyPages } from "./read-only-pages.ts";
import type { ServerLink } from "./server-link.ts";
import { setUpModel } from "./set-up-model.ts";
import { StatusItem } from "./status-item.ts";
import { isLasting } from "./status-text.ts";

let client: LanguageClient | undefined;

/** The milliseconds after a status in which the suggestion that caused it is shown. */
const answeredMs = 300;

/** Called by VS Code to activate the extension, after startup. */
export async function activate(context: ExtensionContext): Promise<void> {
  const log = window.createOutputChannel("Emend", { log: true });
  const server: ServerLink = {
    async request(method, params, token) {
      if (client?.state !== State.Running)
        throw new Error("The language server is not running. See the log for the reason.");
      // The client would treat an `undefined` token as a second parameter.
      return token === undefined ? client.sendRequest(method, params) : client.sendRequest(method, params, token);
    },
    notify(method, params) {
      if (client?.state === State.Running) void client.sendNotification(method, params);
    },
  };
  const applied = new AppliedEdits();
  const earlier = new EarlierEdits(() => client?.state === State.Running);
  const pages = new ReadOnlyPages();
  const status = new StatusItem(!workspace.isTrusted);
  const view = new NextEditView();
  const showMessage = (message: string) => window.setStatusBarMessage(messageText(message), 8_000);
  const nextEdits = new NextEdits({
    ...{ server, view, applied, showMessage },
    toEditorEdit: async (edit) => (await client?.protocol2CodeConverter.asWorkspaceEdit(edit))!,
    onShown: (nextEdit) => status.update({ nextEdit }),
    requestGhostText: () => void ghostText.requestAgain(),
  });
  const ghostText: GhostText = new GhostText({ server, nextEdits });
  const modelProblem = () => status.facts.failedModel?.problem;
  const plans = new Plans({ server, pages, applied, modelProblem });

  let starts = 0;
  const start = async () => {
    const number = ++starts;
    const old = client;
    client = undefined;
    earlier.record();
    status.update({ server: "starting", noSuggestion: undefined, isRestricted: !workspace.isTrusted });
    if (old !== undefined) await stopLanguageClient(old, log);
    const keys = await storedKeys(context);
    // It was started again meanwhile.
    if (number !== starts) return;
    const started = createLanguageClient({ context, log, applied, earlier, ghostText, keys });
    client = started;
    started.onDidChangeState(({ newState }) => {
      if (client !== started) return;
      if (newState === State.Stopped) earlier.record();
      const states = { [State.Running]: "running", [State.Starting]: "starting", [State.Stopped]: "stopped" } as const;
      status.update({ server: states[newState as keyof typeof states] ?? "failed" });
    });
    started.onNotification("emend/didChangeStatus", (params: EmendStatusParams) => {
      const before = status.facts.noSuggestion;
      status.notified(params);
      void showFailure(params);
      if (before !== undefined && isLasting(before.kind) && params.noSuggestion === undefined)
        setTimeout(() => requestAgain(before.uri), answeredMs);
    });
    started.onNotification("emend/plan/view", (params: PlanViewParams) => plans.take(params));
    try {
      await started.start();
      nextEdits.serverStarted();
    } catch (error) {
      log.error(errorMessage(error));
      if (client !== started) return;
      status.update({ server: "failed" });
    }
  };

  const failures = new FailureMessages();
  const showFailure = async (status: EmendStatusParams) => {
    const failed = failures.take(status.failedModel);
    // The end of a plan shows why it failed.
    if (failed === undefined || plans.isRunning) return;
    const [setKey, setUp, seeLog] = ["Set API Key", "Set Up a Model", "Show the Log"];
    const wantsKey = [...keyVariables.keys()].some((name) => failed.problem.includes(name));
    const choices = [...(wantsKey ? [setKey] : []), setUp, seeLog];
    const choice = await window.showWarningMessage(messageText(failed.problem), ...choices);
    if (choice === setKey) await commands.executeCommand("emend.setApiKey");
    if (choice === setUp) await commands.executeCommand("emend.setUp");
    if (choice === seeLog) log.show();
  };
  /** Requests ghost text where other settings, and no key, have ended the reason for none. */
  const requestAgain = (uri: string) => {
    if (status.facts.noSuggestion !== undefined || status.facts.activeUri !== uri || ghostText.isShown) return;
    void ghostText.requestAgain();
  };
  const snooze = async (minutes: number) => {
    await server.request("emend/snooze", { minutes });
    await commands.executeCommand("editor.action.inlineSuggest.hide");
    // An automatic request: while it is snoozed, it removes a next edit that is shown.
    await nextEdits.ask("automatic");
  };
  const serverCommands: Readonly<Record<string, () => unknown>> = {
    "emend.restart": start,
    "emend.showLog": () => log.show(),
    "emend.showMenu": () => showMenu(status.facts),
    "emend.toggleLanguage": toggleLanguage,
    "emend.setUp": () => setUpModel(context),
    "emend.setApiKey": async () => {
      if (await setApiKey(context)) await start();
    },
    "emend.snooze": () => snooze(snoozeMinutes),
    "emend.endSnooze": () => snooze(0),
    "emend.editWithInstruction": () => editWithInstruction(server),
    "emend.dismissGhostText": () => ghostText.dismiss(),
    "emend.undoLastEdit": async () => {
      if (applied.last === undefined) return undoSavedEdit(server);
      const outcome = await applied.undo();
      if (outcome.kind === "not") void window.showInformationMessage(messageText(outcome.why));
      else showMessage(`undone in ${outcome.files} file${outcome.files === 1 ? "" : "s"}.`);
    },
    "emend.explainLast": async () => {
      const explain = (params: ExplanationParams) => server.request<Explanation | null>("emend/explanation", params);
      // The suggestion on the screen, or else the last request; then the other kind.
      const first = await explain(ghostText.isShown ? { of: "ghost-text" } : {});
      if (first === null) return void window.showInformationMessage("Emend: there was no request yet.");
      const other = await explain({ of: first.of === "ghost-text" ? "next-edit" : "ghost-text" });
      const uri = pages.put("Last suggestion.md", printExplanations(other === null ? [first] : [first, other]));
      await commands.executeCommand("markdown.showPreview", uri);
    },
  };
  const registered: Disposable[] = Object.entries(serverCommands).map(([name, run]) =>
    commands.registerCommand(name, async () => {
      try {
        await run();
      } catch (error) {
        void window.showErrorMessage(messageText(errorMessage(error)));
      }
    }),
  );
  context.subscriptions.push(log, pages, status, earlier, view, nextEdits, ghostText, plans, ...registered);
  context.subscriptions.push(
    window.onDidChangeActiveTextEditor((editor) => status.update({ activeUri: uriOf(editor) })),
    // The server receives the trust of the workspace at its start.
    workspace.onDidGrantWorkspaceTrust(() => void start()),
    workspace.onDidChangeConfiguration((event) => {
      if (event.affectsConfiguration("emend.path")) void start();
    }),
  );
  status.update({ activeUri: uriOf(window.activeTextEditor) });
  await start();
}

function uriOf(editor: TextEditor | undefined): string | undefined {
  return editor?.document.uri.toString();
}

/** Called by VS Code to deactivate the extension. */
export async function deactivate(): Promise<void> {
  await client?.dispose();
  client = undefined;
}
