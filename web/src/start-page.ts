import { effect, type ReadonlySignal, untracked } from "@preact/signals";
import type { WorkspaceEdit } from "vscode-languageserver-protocol";
import type { SetupChoice, SetupKeyQuestion, SetupQuestion } from "../../src/server/protocol/setup-protocol.ts";
import { errorMessage } from "../../src/text/index.ts";
import { Documents } from "./editor/documents.ts";
import { EditorView } from "./editor/editor-view.ts";
import { monaco } from "./editor/monaco.ts";
import { Explanations } from "./explain/explanations.ts";
import { FileTreeState } from "./files/file-tree-state.ts";
import type { HttpFiles } from "./files/http-files.ts";
import { findStartFile } from "./files/start-file.ts";
import { provideGhostText, registerServerCommands } from "./ghost/ghost-text-provider.ts";
import { kept } from "./kept.ts";
import { LanguageClient, type LinkState } from "./link/language-client.ts";
import { Progress } from "./link/progress.ts";
import type { OpenWire } from "./link/wire.ts";
import { addNextEditKeys } from "./next/next-edit-keys.ts";
import { NextEditProvider } from "./next/next-edit-provider.ts";
import { NextEdits } from "./next/next-edits.ts";
import type { PageServices } from "./page-services.ts";
import { SetupSession } from "./setup/setup-session.ts";
import { setupView } from "./setup/setup-view.tsx";
import { countTypedCharacters, hideKeys } from "./shell/key-hint.tsx";
import { MainViews } from "./shell/main-views.ts";
import { showMessage } from "./shell/messages.tsx";
import { shownPanel } from "./shell/panels.tsx";
import { closeSheet } from "./shell/sheets.ts";
import { Latencies } from "./status/latencies.ts";
import { ServerState } from "./status/server-state.ts";
import { SuggestionSwitch } from "./status/suggestion-switch.ts";
import { trustFolder } from "./status/trust-folder.ts";

/** The state and services of the page, without its view. */
export interface Page {
  readonly services: PageServices;
  readonly files: HttpFiles;
  readonly tree: FileTreeState;
  readonly documents: Documents;
  readonly editor: EditorView;
  readonly views: MainViews;
  readonly link: ReadonlySignal<LinkState>;
  readonly nextEdits: NextEdits;
  readonly explanations: Explanations;
  readonly latencies: Latencies;
  readonly server: ServerState;
  /** Shows the view that sets up a model, in front of the editor. */
  showSetup(): void;
  /** Trusts the folder, after a confirmation. */
  trustFolder(): void;
  readonly suggestions: SuggestionSwitch;
  /** The current work of the server. */
  readonly progress: Progress;
}

/**
 * Creates and connects the parts of the page; `openWire` opens a connection to its own language
 * server.
 */
export function startPage(files: HttpFiles, openWire: OpenWire): Page {
  const progress = new Progress();
  const editor = new EditorView();
  const views = new MainViews();
  const server = new LanguageClient({
    ...{ open: openWire, rootUri: files.rootUri, name: files.facts.name, version: files.facts.version },
    handlers: {
      "workspace/applyEdit": ({ edit }: { readonly edit: WorkspaceEdit }) => documents.apply(edit),
      "workspace/configuration": ({ items }: { readonly items: readonly unknown[] }) =>
        items.map(() => suggestions.settings),
      "emend/setup/choose": (choice: SetupChoice) => setup.choose(choice),
      "emend/setup/confirm": (question: SetupQuestion) => setup.confirm(question),
      "emend/setup/keyCommand": ({ question }: SetupKeyQuestion) => setup.askForKeyCommand(question),
      "window/workDoneProgress/create": () => null,
      "client/registerCapability": () => null,
      "client/unregisterCapability": () => null,
    },
    onReady: () => documents.announce(),
  });
  const documents: Documents = new Documents(files, server, {
    ...{ ...editor.views, showMessage },
    reveal: (document, range, options) => {
      if (options?.isUnobtrusive !== true) views.bringEditorsToFront();
      editor.views.reveal(document, range, options);
    },
  });
  const setup: SetupSession = new SetupSession(server);
  const viewOfSetup = setupView(setup);
  const showSetup = () => {
    views.show(viewOfSetup);
    closeSheet();
    requestAnimationFrame(() => document.querySelector<HTMLElement>(".setup-form button")?.focus());
  };
  const suggestions: SuggestionSwitch = new SuggestionSwitch(server, files);
  progress.follow(server);
  server.on<{ readonly type: number; readonly message: string }>("window/showMessage", ({ type, message }) =>
    showMessage(message, type === 1 ? "error" : "info"),
  );
  const tree = new FileTreeState((folder) => files.list(folder));
  files.follow((paths) => {
    void documents.changedOnDisk(paths).then(({ replaced, areSaves }) => {
      explanations.forget(replaced);
      if (!areSaves) provider.filesChanged();
    });
    void tree.changed(paths);
  });
  const explanations = new Explanations(server);
  const latencies = new Latencies();
  const state = new ServerState(server);
  state.followWhile(() => shownPanel.value === "status");
  const trust = () => void trustFolder({ server, showMessage }, files.facts.root);
  showFirstFailure(state, { showSetup, trust });
  const nextEdits = new NextEdits(server, (trigger) =>
    explanations.answered("next-edit", { isInvoked: trigger === "invoked" }),
  );
  const provider = new NextEditProvider({ documents, nextEdits, view: editor });
  registerServerCommands(server, hideKeys);
  provideGhostText({
    ...{ server, documents },
    onAnswer: ({ tookMs, isOffered }) => {
      latencies.take(tookMs);
      explanations.answered("ghost-text");
      if (isOffered) nextEdits.clear();
    },
  });
  provider.register();
  editor.onReady((drawn) => {
    editor.nextEdits = addNextEditKeys(drawn, { documents, files, nextEdits, provider, showMessage });
    addKeys();
    drawn.onDidChangeModelContent(({ changes }) => {
      // Changes from the disk or a panel are not counted as typing.
      if (drawn.hasTextFocus()) countTypedCharacters(changes.filter(({ text }) => text.length === 1).length);
    });
  });
  addEventListener("beforeunload", (event) => {
    if (documents.all.value.some(({ isDirty }) => isDirty.value)) event.preventDefault();
  });
  void openFirst(files, documents);
  return {
    nextEdits,
    explanations,
    latencies,
    server: state,
    showSetup,
    trustFolder: trust,
    suggestions,
    services: { server, files, texts: documents, main: views, showMessage },
    views,
    files,
    tree,
    documents,
    editor,
    link: server.state,
    progress,
  };
}

/**
 * Shows the first problem of a model, with a button that sets up another one, or of the settings,
 * with a button that trusts the folder where that solves it.
 */
function showFirstFailure(
  { problem, condition }: ServerState,
  { showSetup, trust }: { showSetup(): void; trust(): void },
): void {
  let isShown = false;
  effect(() => {
    const text = problem.value;
    if (isShown || text === undefined) return;
    isShown = true;
    const { failedModel, untrustedIssues } = condition.value ?? {};
    const actions = [
      ...(failedModel?.problem === text ? [{ label: "Set up a model", run: showSetup }] : []),
      ...(untrustedIssues?.includes(text) === true ? [{ label: "Trust this folder", run: trust }] : []),
    ];
    untracked(() => showMessage(text, "error", actions[0]));
  });
}

/** Adds key bindings for commands that have none in the editor. */
function addKeys(): void {
  const { CtrlCmd, Alt } = monaco.KeyMod;
  monaco.editor.addKeybindingRules([
    {
      keybinding: CtrlCmd | Alt | monaco.KeyCode.RightArrow,
      ...{ command: "editor.action.inlineSuggest.acceptNextLine", when: "inlineSuggestionVisible && !editorReadonly" },
    },
    {
      keybinding: Alt | monaco.KeyCode.Backslash,
      ...{ command: "editor.action.inlineSuggest.trigger", when: "editorTextFocus && !editorReadonly" },
    },
  ]);
}

/** Opens the last active file of this workspace, or else a start file. */
async function openFirst(files: HttpFiles, documents: Documents): Promise<void> {
  const last = kept<string>("last", "", { of: files.rootUri });
  // The user may open a view or focus a field before the file is loaded.
  const open = (path: string) => documents.open(files.uriOf(path), undefined, { isUnobtrusive: true });
  try {
    if (last.value !== "") await open(last.value).catch(() => undefined);
    const start =
      documents.active.value === undefined ? await findStartFile((folder) => files.list(folder)) : undefined;
    if (start !== undefined) await open(start);
  } catch (error) {
    showMessage(errorMessage(error), "error");
  }
  effect(() => {
    last.value = documents.active.value?.path ?? last.peek();
  });
}
