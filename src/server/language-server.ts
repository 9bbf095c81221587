import {
  type ClientCapabilities,
  type Connection,
  createConnection,
  DidChangeWorkspaceFoldersNotification,
  type InitializeParams,
  type InitializeResult,
  type Logger,
  MessageType,
  type NotebookCell,
  ShowMessageNotification,
  type TextDocumentContentChangeEvent,
  type TextDocumentIdentifier,
  type TextDocumentItem,
  TextDocumentSyncKind,
  type VersionedTextDocumentIdentifier,
  type WorkspaceFolder,
} from "vscode-languageserver";
import { createProtocolConnection, type MessageStrategy } from "vscode-languageserver/node";
import { onAbort } from "../async/index.ts";
import { type AcceptanceModel, suggestionIds } from "../complete/index.ts";
import type { RegionGuides } from "../edit/index.ts";
import { configuredSecrets, maskOf } from "../model/index.ts";
import { errorMessage } from "../text/index.ts";
import { joinPath } from "../workspace/index.ts";
import { checkParams } from "./check-params.ts";
import { ClientSettings } from "./client-settings.ts";
import { serveCommands } from "./commands.ts";
import { serveCopilotDialect, serveOlderCopilotDialect } from "./dialects/copilot-dialect.ts";
import { editByInstruction, editCommand, editPromptCommand, promptForInstruction } from "./edit/edit-command.ts";
import { type EditJournalHost, SavedEdits } from "./edit/saved-edits.ts";
import { serveEditUndo } from "./edit/undo-methods.ts";
import { serveExplanation } from "./explanation/serve-explanation.ts";
import { toFileUri } from "./file-uri.ts";
import { CrashLog, guardNotification, serveRequest } from "./guard.ts";
import { Notebooks } from "./notebooks.ts";
import { OpenDocuments } from "./open-documents.ts";
import type { PlanHost } from "./plan/plan-host.ts";
import { PlanMethods } from "./plan/plan-methods.ts";
import { chooseEncoding, Positions } from "./positions.ts";
import { dropLateNotifications, type LanguageServerTransport, maskedMessages, protocolGate } from "./protocol-gate.ts";
import { type ExplainedNextEdit, type ExplainedOutcome, RequestLog } from "./request-log.ts";
import type { ServerStatus } from "./server-status.ts";
import { type OpenDocumentFile, type SessionHost, WorkspaceSession } from "./session/index.ts";
import { SessionSet } from "./session-set.ts";
import { type OwnSettings, serveOwnSettings } from "./setup/own-settings-methods.ts";
import { type SetUp, serveSetup } from "./setup/setup-method.ts";
import { LearningProgress, StatusNotifier } from "./status-notifier.ts";
import { acceptCommand, sendFeedback, serveInlineCompletion } from "./suggestions/inline-completion.ts";
import { acceptNextEditCommand, rejectNextEditCommand, serveNextEdits } from "./suggestions/next-edit-methods.ts";
import {
  describeServerNoNextEdit,
  describeServerNoSuggestion,
  NoSuggestionLog,
} from "./suggestions/server-no-suggestion.ts";
import { Snooze, type SnoozeParams, type SnoozeResult } from "./suggestions/snooze.ts";
import { SuggestionArbiter } from "./suggestions/suggestion-arbiter.ts";
import { SuggestionFeedback } from "./suggestions/suggestion-feedback.ts";
import { SuggestionService } from "./suggestions/suggestion-service.ts";

/** What a language server takes from its environment. */
export interface LanguageServerHost extends SessionHost {
  /** The version of this package. */
  readonly version: string;
  /** The acceptance model: when this person wants ghost text. */
  readonly acceptance: AcceptanceModel;
  /** Grammar guides for regions that models rewrite; without them, regions are not constrained. */
  readonly regionGuides?: Pick<RegionGuides, "open">;
  /** Runs plans; without it there are no `emend/plan/…` requests. */
  readonly plans?: PlanHost;
  /** Records what editors save of edits by instruction; without it, nothing is recorded. */
  readonly editJournal?: EditJournalHost;
  /** Sets up a model; without it there is no `emend/setup` request. */
  readonly setUp?: SetUp;
  /** Edits the user's own settings file; without it there is no `emend/trust` request. */
  readonly ownSettings?: OwnSettings;
  /** The memory of this process, in bytes. */
  memory(): ServerStatus["memory"];
  /**
   * Whether the process with this number is running: the server ends when its client's process has
   * ended.
   */
  isAlive(processId: number): boolean;
  /** Called with the number of the client's process, if the client sends it. */
  onClientProcess?(processId: number): void;
}

/**
 * Serves one client until it sends `exit`, disconnects, or `signal` is aborted. Resolves with the
 * exit code of the protocol: 0 after a `shutdown`, 1 without. Doesn't reject for a failed request.
 */
export async function runLanguageServer(
  transport: LanguageServerTransport,
  host: LanguageServerHost,
  { signal }: { readonly signal?: AbortSignal } = {},
): Promise<0 | 1> {
  const mask = maskOf(configuredSecrets(host.settings));
  const { reader, writer } = protocolGate({
    reader: transport.reader,
    writer: maskedMessages(transport.writer, mask),
  });
  let end!: () => void;
  const ended = new Promise<void>((resolve) => {
    end = resolve;
  });
  const watchDog = { shutdownReceived: false, initialize: () => undefined, exit: () => end() };
  let handled = 0;
  const messageStrategy: MessageStrategy = {
    handleMessage(message, next) {
      handled += 1;
      return next(message);
    },
  };
  let isOver = false;
  // A message that cannot be written is logged; logging sends it to the client, which would fail
  // and be logged again without end. So logging stops at the first failed write.
  writer.onError(() => {
    isOver = true;
  });
  const connection = createConnection((console) => {
    // A handler may finish after the connection has ended; its messages are dropped.
    const unlessOver = (write: (message: string) => void) => (message: string) => {
      if (!isOver) write(mask(message));
    };
    const logger: Logger = {
      error: unlessOver((message) => console.error(message)),
      warn: unlessOver((message) => console.warn(message)),
      info: unlessOver((message) => console.info(message)),
      log: unlessOver((message) => console.log(message)),
    };
    return dropLateNotifications(createProtocolConnection(reader, writer, logger, { messageStrategy }));
  }, watchDog);
  reader.onClose(() => end());
  const server = new LanguageServer(connection, host, end);
  const abort = onAbort(signal, () => end());
  connection.listen();
  await ended;
  // The connection handles one message in each turn of the event loop. An editor that ends has
  // often just saved its files.
  for (let before = -1; before !== handled; ) {
    before = handled;
    await host.yieldThread();
    await host.yieldThread();
  }
  abort[Symbol.dispose]();
  await server[Symbol.asyncDispose]();
  isOver = true;
  connection.dispose();
  return watchDog.shutdownReceived ? 0 : 1;
}

/** Milliseconds between checks that the client's process is running. */
const clientPollMs = 3_000;

class LanguageServer implements AsyncDisposable {
  readonly #connection: Connection;
  readonly #log: CrashLog;
  readonly #host: LanguageServerHost;
  readonly #documents = new OpenDocuments();
  readonly #notebooks = new Notebooks(this.#documents);
  readonly #arbiter: SuggestionArbiter;
  readonly #newSuggestionId = suggestionIds("suggestion");
  readonly #sessions: SessionSet;
  readonly #noSuggestionLog: NoSuggestionLog;
  readonly #notifier: StatusNotifier;
  readonly #snooze: Snooze;
  readonly #requests = new RequestLog();
  readonly #onClientGone: () => void;
  #positions = new Positions("utf-16");
  #settings: ClientSettings | undefined;
  #plans: PlanMethods | undefined;
  readonly #savedEdits: SavedEdits | undefined;
  #setup: Disposable | undefined;
  /** How a person trusts a workspace with this client, where the client says it. */
  #trustAdvice: (() => string) | undefined;
  #clientTimer: Disposable | undefined;
  #isInitialized = false;

  /** `onClientGone` is called when the client's process has ended. */
  constructor(connection: Connection, host: LanguageServerHost, onClientGone: () => void) {
    this.#connection = connection;
    this.#log = new CrashLog(connection.console);
    this.#host = host;
    this.#onClientGone = onClientGone;
    this.#arbiter = new SuggestionArbiter(host.clock);
    this.#notifier = new StatusNotifier({
      ...{ connection, clock: host.clock },
      learning: () => this.#sessions.all.map(({ learning }) => learning),
      snoozedMinutes: () => this.#snooze.minutesLeft,
      models: () => this.#sessions.all.flatMap(({ models }) => models),
      editModels: () => this.#sessions.all.map(({ editModel }) => editModel),
      issues: () => this.#sessions.all.flatMap(({ issues }) => issues),
      untrustedIssues: () => this.#sessions.all.flatMap(({ untrustedIssues }) => untrustedIssues),
    });
    this.#snooze = new Snooze(host.clock, () => this.#notifier.refresh());
    this.#noSuggestionLog = new NoSuggestionLog((line) => connection.console.info(line));
    this.#savedEdits = host.editJournal && this.#recordSaves(host.editJournal);
    this.#sessions = new SessionSet({ fileSystem: host.fileSystem, open: (root) => this.#openSession(root) });
    connection.onInitialize((params) => {
      connection.onInitialized(guardNotification("initialized", this.#log, () => this.#initialized(params)));
      return this.#initialize(params);
    });
    connection.onShutdown(() => this.#end());
    connection.onNotification(
      DidChangeWorkspaceFoldersNotification.type,
      guardNotification("workspace/didChangeWorkspaceFolders", this.#log, async (params) => {
        const what = "workspace/didChangeWorkspaceFolders";
        checkParams(what, params, { "event.added": "list", "event.removed": "list" });
        const { added, removed } = params.event;
        for (const folder of [...added, ...removed]) checkParams(what, folder, { uri: "text" });
        for (const { uri } of removed) {
          await this.#plans?.leave(uri);
          await this.#sessions.remove(uri);
        }
        for (const { uri } of added) await this.#sessions.add(uri);
        if (added.length > 0) await this.#readSettings();
        this.#notifier.refresh();
      }),
    );
    connection.onDidChangeConfiguration(
      guardNotification("workspace/didChangeConfiguration", this.#log, ({ settings }) => {
        this.#settings?.update(settings);
        return this.#readSettings();
      }),
    );
    this.#followDocuments();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#clientTimer?.[Symbol.dispose]();
    this.#notifier[Symbol.dispose]();
    this.#snooze[Symbol.dispose]();
    await this.#end();
  }

  async #end(): Promise<void> {
    this.#setup?.[Symbol.dispose]();
    await this.#savedEdits?.[Symbol.asyncDispose]();
    await this.#plans?.[Symbol.asyncDispose]();
    await this.#sessions[Symbol.asyncDispose]();
  }

  #recordSaves(host: EditJournalHost): SavedEdits {
    return new SavedEdits({
      host,
      isOpen: (path) => this.#documents.all.some(({ document }) => this.#tryFileOf(document.uri) === path),
      onFailure: (error) =>
        this.#connection.console.warn(`An edit was not recorded for \`emend undo\`: ${errorMessage(error)}`),
    });
  }

  /** The absolute path of a document that is a file of a workspace folder. */
  #tryFileOf(uri: string): string | undefined {
    const { session, path, isFile } = this.#sessions.place(uri);
    return session.root === undefined || !isFile ? undefined : joinPath(session.root, path);
  }

  #openSession(root: string | undefined): WorkspaceSession {
    const { console } = this.#connection;
    const progress = new LearningProgress(this.#connection);
    const trustAdvice = this.#trustAdvice;
    const settings = { ...this.#host.settings, ...(trustAdvice && { trustAdvice }) };
    const session: WorkspaceSession = new WorkspaceSession({
      ...{
        host: { ...this.#host, settings },
        root,
        acceptance: this.#host.acceptance,
        editorSettings: this.#settings?.known,
      },
      newId: this.#newSuggestionId,
      openFiles: () => this.#openFilesOf(session),
      onLearning: (state) => {
        this.#notifier.refresh();
        // Nothing may be sent before the client is ready.
        if (this.#isInitialized) progress.take(state);
      },
      onModelChange: () => this.#notifier.refresh(),
      onConfigured: () => this.#notifier.settingsRead(),
      onProblem: (message) => console.warn(message),
      // The person has to decide about it and does not read the log, so it is shown as a message
      // too.
      onUntrustedSetting: (message) => {
        console.warn(message);
        // A client with the request `emend/trust` has the settings in the status, beside its
        // button.
        if (this.#host.ownSettings !== undefined) return;
        void this.#connection.sendNotification(ShowMessageNotification.type, { type: MessageType.Warning, message });
      },
    });
    // The client is asked for the settings of the first sessions once it is ready.
    if (this.#isInitialized && this.#settings?.areRequested)
      this.#configure(session).catch((error: unknown) => this.#log.crashed("workspace/configuration", error));
    return session;
  }

  /** The open documents that belong to a session, most recently viewed first. */
  #openFilesOf(session: WorkspaceSession): readonly OpenDocumentFile[] {
    const found = new Map<string, OpenDocumentFile>();
    for (const { document } of this.#documents.all.toReversed()) {
      const { uri, language } = document;
      const { session: own, path, judgedAs, isFile } = this.#sessions.place(uri);
      if (own !== session) continue;
      // The cells of a notebook in one language are one text.
      const notebook = this.#notebooks.notebookOf(uri);
      const key = notebook === undefined ? uri : `${notebook} ${language}`;
      if (found.has(key)) continue;
      const { text } = this.#notebooks.textAround(uri) ?? document;
      const isUnsaved = notebook !== undefined || uri.startsWith("untitled:");
      found.set(key, { path, judgedAs, isFile, isUnsaved, language, text });
    }
    return [...found.values()];
  }

  async #initialize(params: InitializeParams): Promise<InitializeResult> {
    this.#settings = new ClientSettings(this.#connection, params.capabilities, params.initializationOptions);
    const advice: unknown = params.initializationOptions?.trustAdvice;
    if (typeof advice === "string") this.#trustAdvice = () => advice;
    this.#positions = new Positions(chooseEncoding(params.capabilities.general?.positionEncodings));
    if (typeof params.processId === "number") {
      this.#pollClient(params.processId);
      this.#host.onClientProcess?.(params.processId);
    }
    for (const { uri } of foldersOf(params)) await this.#sessions.add(uri);
    this.#serve(params.capabilities);
    return {
      serverInfo: { name: "emend", version: this.#host.version },
      capabilities: {
        positionEncoding: this.#positions.encoding,
        textDocumentSync: { openClose: true, change: TextDocumentSyncKind.Incremental, save: true },
        ...(params.capabilities.notebookDocument !== undefined && {
          notebookDocumentSync: { notebookSelector: [{ notebook: "*" }] },
        }),
        inlineCompletionProvider: {},
        executeCommandProvider: {
          commands: [acceptCommand, editCommand, editPromptCommand, acceptNextEditCommand, rejectNextEditCommand],
        },
        experimental: {
          ...{ emendNextEdit: true, copilotInlineEdit: true },
          ...(this.#host.plans !== undefined && { emendPlan: true }),
        },
        workspace: { workspaceFolders: { supported: true, changeNotifications: true } },
      },
    };
  }

  async #initialized({ initializationOptions }: InitializeParams): Promise<void> {
    this.#isInitialized = true;
    // Only clients of Copilot's server send `editorInfo`.
    if (initializationOptions?.editorInfo !== undefined) this.#notifier.enableCopilotStatus();
    if (initializationOptions?.emendStatus === true) this.#notifier.enable();
    await this.#settings?.follow();
    await this.#readSettings();
  }

  /** Passes the editor's current settings to every session. */
  async #readSettings(): Promise<void> {
    for (const session of this.#sessions.all) await this.#configure(session);
  }

  async #configure(session: WorkspaceSession): Promise<void> {
    session.configure(await this.#settings?.read(session.root));
  }

  /** Registers the request handlers, once the encoding of positions is known. */
  #serve(capabilities: ClientCapabilities): void {
    const connection = this.#connection;
    const store = new SuggestionFeedback(this.#arbiter);
    const service = new SuggestionService({
      ...{ documents: this.#documents, notebooks: this.#notebooks, sessions: this.#sessions },
      ...{ positions: this.#positions, arbiter: this.#arbiter, snooze: this.#snooze, clock: this.#host.clock },
      ...{ feedback: store, requests: this.#requests },
      onGhostText: (answer, uri) => {
        this.#noSuggestionLog.take(answer.kind === "no-suggestion" ? answer.reason : undefined);
        this.#notifier.takeAnswer(answer, uri);
      },
    });
    const featureParts = { connection, service, store, positions: this.#positions, log: this.#log };
    serveInlineCompletion(featureParts);
    const editParts = {
      ...{ connection, capabilities, documents: this.#documents, sessions: this.#sessions },
      ...{ positions: this.#positions, syntax: this.#host.syntax, clock: this.#host.clock },
      ...(this.#host.regionGuides && { guides: this.#host.regionGuides }),
      ...(this.#savedEdits && { savedEdits: this.#savedEdits }),
    };
    serveCommands(connection, this.#log, {
      [acceptCommand]: sendFeedback(store, "accepted"),
      [acceptNextEditCommand]: sendFeedback(store, "accepted"),
      [rejectNextEditCommand]: sendFeedback(store, "dismissed"),
      [editCommand]: editByInstruction(editParts),
      [editPromptCommand]: promptForInstruction(editParts),
    });
    serveCopilotDialect({
      ...{ ...featureParts, version: this.#host.version },
      onFocus: (uri) => uri !== undefined && this.#focus(uri),
      onEditorInfo: () => this.#notifier.enableCopilotStatus(),
    });
    serveOlderCopilotDialect(featureParts);
    serveNextEdits({ ...featureParts, capabilities });
    if (this.#host.editJournal !== undefined && this.#savedEdits !== undefined)
      serveEditUndo({
        ...{ connection, host: this.#host.editJournal, savedEdits: this.#savedEdits, log: this.#log },
        ...{ documents: this.#documents, sessions: this.#sessions, fileSystem: this.#host.fileSystem },
      });
    serveExplanation({ connection, requests: this.#requests, sessions: this.#sessions, log: this.#log });
    if (this.#host.plans !== undefined)
      this.#plans = new PlanMethods({
        ...{ connection, capabilities, host: this.#host.plans, clock: this.#host.clock, log: this.#log },
        ...{ fileSystem: this.#host.fileSystem, documents: this.#documents, sessions: this.#sessions },
        positions: this.#positions,
      });
    const { setUp, ownSettings } = this.#host;
    if (ownSettings !== undefined)
      serveOwnSettings({ connection, ownSettings, sessions: this.#sessions, log: this.#log });
    if (setUp !== undefined) this.#setup = serveSetup({ connection, setUp, sessions: this.#sessions, log: this.#log });
    serveRequest(connection, "emend/status", this.#log, () => this.#status());
    serveRequest<SnoozeParams, SnoozeResult>(connection, "emend/snooze", this.#log, (params) =>
      this.#snooze.set(params),
    );
    serveRequest(
      connection,
      "emend/explain",
      this.#log,
      (): ExplainedOutcome | null => this.#requests.ghostText ?? null,
    );
    serveRequest(
      connection,
      "emend/nextEdit/explain",
      this.#log,
      (): ExplainedNextEdit | null => this.#requests.nextEdit ?? null,
    );
  }

  #focus(uri: string): void {
    this.#documents.focus(uri);
    this.#sessions.place(uri).session.focused();
  }

  #followDocuments(): void {
    const connection = this.#connection;
    connection.onDidOpenTextDocument(
      guardNotification("textDocument/didOpen", this.#log, (params) => {
        const what = "textDocument/didOpen";
        checkParams(what, params, { "textDocument.uri": "text", "textDocument.text": "text" });
        return this.#opened(what, params.textDocument);
      }),
    );
    connection.onDidChangeTextDocument(
      guardNotification("textDocument/didChange", this.#log, (params) => {
        const what = "textDocument/didChange";
        checkParams(what, params, { "textDocument.uri": "text", contentChanges: "list" });
        return this.#changed(what, params.textDocument, params.contentChanges);
      }),
    );
    connection.onDidCloseTextDocument(
      guardNotification("textDocument/didClose", this.#log, (params) => {
        const what = "textDocument/didClose";
        checkParams(what, params, { "textDocument.uri": "text" });
        return this.#closed(what, params.textDocument);
      }),
    );
    connection.onDidSaveTextDocument(
      guardNotification("textDocument/didSave", this.#log, (params) => {
        checkParams("textDocument/didSave", params, { "textDocument.uri": "text" });
        const path = this.#tryFileOf(params.textDocument.uri);
        if (path !== undefined) this.#savedEdits?.saved(path);
      }),
    );
    this.#followNotebooks();
  }

  #followNotebooks(): void {
    const { synchronization } = this.#connection.notebooks;
    synchronization.onDidOpenNotebookDocument(
      guardNotification("notebookDocument/didOpen", this.#log, async (params) => {
        const what = "notebookDocument/didOpen";
        checkParams(what, params, {
          ...{ "notebookDocument.uri": "text", "notebookDocument.cells": "list", cellTextDocuments: "list" },
        });
        const { uri, cells } = params.notebookDocument;
        this.#notebooks.open(uri, urisOf(what, cells));
        await Promise.all(params.cellTextDocuments.map((cell) => this.#opened(what, cell)));
      }),
    );
    synchronization.onDidChangeNotebookDocument(
      guardNotification("notebookDocument/didChange", this.#log, async (params) => {
        const what = "notebookDocument/didChange";
        checkParams(what, params, {
          ...{ "notebookDocument.uri": "text", "change?.cells?.structure?.array.cells?": "list" },
          ...{ "change?.cells?.structure?.didOpen?": "list", "change?.cells?.structure?.didClose?": "list" },
          "change?.cells?.textContent?": "list",
        });
        const { structure, textContent = [] } = params.change?.cells ?? {};
        for (const one of textContent) checkParams(what, one, { "document.uri": "text", changes: "list" });
        const { start = 0, deleteCount = 0, cells = [] } = structure?.array ?? {};
        this.#notebooks.splice(params.notebookDocument.uri, start, deleteCount, urisOf(what, cells));
        await Promise.all([
          ...(structure?.didOpen ?? []).map((cell) => this.#opened(what, cell)),
          ...(structure?.didClose ?? []).map((cell) => this.#closed(what, cell)),
          ...textContent.map(({ document, changes }) => this.#changed(what, document, changes)),
        ]);
      }),
    );
    synchronization.onDidCloseNotebookDocument(
      guardNotification("notebookDocument/didClose", this.#log, async (params) => {
        const what = "notebookDocument/didClose";
        checkParams(what, params, { "notebookDocument.uri": "text", cellTextDocuments: "list" });
        this.#notebooks.close(params.notebookDocument.uri);
        await Promise.all(params.cellTextDocuments.map((cell) => this.#closed(what, cell)));
      }),
    );
  }

  async #opened(what: string, item: TextDocumentItem): Promise<void> {
    checkParams(what, item, { uri: "text", text: "text" });
    const { document } = this.#documents.open(item);
    // Loads the grammar early, so that the first completion does not wait for it. A failure is
    // reported by the next load.
    this.#host.syntax.load(document.language).catch(() => undefined);
    const place = this.#sessions.place(document.uri);
    await place.session.opened(place, document.text);
  }

  async #changed(
    what: string,
    { uri, version }: VersionedTextDocumentIdentifier,
    changes: readonly TextDocumentContentChangeEvent[],
  ): Promise<void> {
    for (const change of changes) {
      checkParams(what, change, { text: "text", "range?.start": "position", "range?.end": "position" });
    }
    const changed = this.#documents.change(uri, changes, { version, positions: this.#positions });
    if (changed === undefined) return;
    const place = this.#sessions.place(uri);
    const { text } = changed.before.document;
    this.#arbiter.typed(changed.before.document.uri, text, changed.edit);
    const notebook = this.#notebooks.textAround(uri);
    if (notebook === undefined) return place.session.edited(place, text, changed.edit);
    const { start } = notebook;
    const behind = notebook.text.slice(start + changed.after.document.text.length);
    await place.session.edited(place, notebook.text.slice(0, start) + text + behind, changed.edit.movedBy(start));
  }

  async #closed(what: string, item: TextDocumentIdentifier): Promise<void> {
    checkParams(what, item, { uri: "text" });
    const { uri } = item;
    const closed = this.#documents.close(uri);
    if (closed === undefined) return;
    this.#arbiter.closed(closed.document.uri);
    const place = this.#sessions.place(uri);
    await place.session.closed(place, closed.document.text);
  }

  #status(): ServerStatus {
    const reason = this.#requests.ghostText?.reason;
    const nextReason = this.#requests.nextEdit?.reason;
    return {
      version: this.#host.version,
      positionEncoding: this.#positions.encoding,
      sessions: this.#sessions.all.map((session) => session.status),
      openDocuments: this.#documents.all.length,
      memory: this.#host.memory(),
      requests: this.#requests.figures,
      condition: this.#notifier.status,
      ...(reason && { lastGhostTextReason: reason, lastGhostTextReasonText: describeServerNoSuggestion(reason) }),
      ...(nextReason && {
        lastNextEditReason: nextReason,
        lastNextEditReasonText: describeServerNoNextEdit(nextReason),
      }),
    };
  }

  #pollClient(processId: number): void {
    this.#clientTimer = this.#host.clock.after(clientPollMs, () => {
      if (this.#host.isAlive(processId)) this.#pollClient(processId);
      else this.#onClientGone();
    });
  }
}

/** The URIs of the documents of cells. Throws a `ResponseError` for a cell without one. */
function urisOf(what: string, cells: readonly NotebookCell[]): readonly string[] {
  for (const cell of cells) checkParams(what, cell, { document: "text" });
  return cells.map(({ document }) => document);
}

/**
 * The workspace folders of a client: `workspaceFolders`, or else the deprecated `rootUri` or
 * `rootPath`.
 */
function foldersOf({ workspaceFolders, rootUri, rootPath }: InitializeParams): readonly Pick<WorkspaceFolder, "uri">[] {
  if (workspaceFolders != null) return workspaceFolders;
  if (rootUri != null) return [{ uri: rootUri }];
  return rootPath == null ? [] : [{ uri: toFileUri(rootPath.replaceAll("\\", "/")) }];
}
