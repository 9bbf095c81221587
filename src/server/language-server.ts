import {
  type Connection,
  createConnection,
  DidChangeWorkspaceFoldersNotification,
  type InitializeParams,
  type InitializeResult,
  type MessageReader,
  type MessageWriter,
  TextDocumentSyncKind,
  type WorkspaceFolder,
} from "vscode-languageserver";
import { createProtocolConnection } from "vscode-languageserver/node";
import { type CrashLog, fenceNotification, serveRequest } from "./fence.ts";
import { type ExplainedOutcome, GhostTextService } from "./ghost-text-service.ts";
import { acceptCommand, serveInlineCompletion } from "./inline-completion.ts";
import { LearningProgress } from "./learning-progress.ts";
import { OpenDocuments } from "./open-documents.ts";
import { chooseEncoding, Positions } from "./positions.ts";
import { printServerSilence } from "./print-server-silence.ts";
import type { ServerStatus } from "./server-status.ts";
import type { SessionHost } from "./session/index.ts";
import { SessionSet } from "./session-set.ts";
import { SilenceLog } from "./silence-log.ts";

/** Where a client's messages come from, and where answers go. */
export interface LanguageServerTransport {
  readonly reader: MessageReader;
  readonly writer: MessageWriter;
}

/** The outside of a language server. */
export interface LanguageServerHost extends SessionHost {
  /** The version of this package. */
  readonly version: string;
  /** The memory of this process, in bytes. */
  memory(): ServerStatus["memory"];
  /** Whether the process with this number is there: the server ends when its client's has gone. */
  isAlive(processId: number): boolean;
}

/**
 * Serves one client until it says `exit`, goes away, or `signal` is aborted. Resolves with the exit code of the
 * protocol: 0 after a `shutdown`, 1 without.
 */
export async function runLanguageServer(
  { reader, writer }: LanguageServerTransport,
  host: LanguageServerHost,
  { signal }: { readonly signal?: AbortSignal } = {},
): Promise<0 | 1> {
  let end!: () => void;
  const ended = new Promise<void>((resolve) => {
    end = resolve;
  });
  const watchDog = { shutdownReceived: false, initialize: () => undefined, exit: () => end() };
  const connection = createConnection((logger) => createProtocolConnection(reader, writer, logger), watchDog);
  reader.onClose(() => end());
  const server = new LanguageServer(connection, host);
  server.onClientGone(() => end());
  signal?.addEventListener("abort", end, { once: true });
  if (signal?.aborted === true) end();
  connection.listen();
  await ended;
  signal?.removeEventListener("abort", end);
  await server[Symbol.asyncDispose]();
  connection.dispose();
  return watchDog.shutdownReceived ? 0 : 1;
}

/** How often is looked whether the client's process is still there. */
const lookForClientMs = 3_000;

class LanguageServer implements AsyncDisposable, CrashLog {
  readonly #connection: Connection;
  readonly #host: LanguageServerHost;
  readonly #documents = new OpenDocuments();
  readonly #sessions: SessionSet;
  readonly #progress: LearningProgress;
  readonly #silences: SilenceLog;
  #positions = new Positions("utf-16");
  #service: GhostTextService | undefined;
  #clientTimer: Disposable | undefined;
  #clientGone: () => void = () => undefined;
  #isInitialized = false;

  constructor(connection: Connection, host: LanguageServerHost) {
    this.#connection = connection;
    this.#host = host;
    this.#progress = new LearningProgress(connection);
    this.#silences = new SilenceLog((line) => connection.console.info(line));
    this.#sessions = new SessionSet({
      host,
      listeners: {
        onLearning: (state) => {
          if (this.#isInitialized) this.#progress.take(state);
        },
        onProblem: (message) => connection.console.warn(message),
      },
    });
    connection.onInitialize((params) => this.#initialize(params));
    connection.onInitialized(fenceNotification("initialized", this, () => this.#initialized()));
    connection.onShutdown(() => this.#sessions[Symbol.asyncDispose]());
    connection.onNotification(
      DidChangeWorkspaceFoldersNotification.type,
      fenceNotification("workspace/didChangeWorkspaceFolders", this, async ({ event: { added, removed } }) => {
        for (const { uri } of removed) await this.#sessions.remove(uri);
        for (const { uri } of added) await this.#sessions.add(uri);
      }),
    );
    this.#followDocuments();
  }

  onClientGone(listener: () => void): void {
    this.#clientGone = listener;
  }

  crashed(what: string, error: unknown): void {
    const detail = error instanceof Error ? (error.stack ?? error.message) : String(error);
    this.#connection.console.error(`${what} crashed: ${detail}`);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#clientTimer?.[Symbol.dispose]();
    await this.#sessions[Symbol.asyncDispose]();
  }

  async #initialize(params: InitializeParams): Promise<InitializeResult> {
    this.#positions = new Positions(chooseEncoding(params.capabilities.general?.positionEncodings));
    if (typeof params.processId === "number") this.#lookForClient(params.processId);
    for (const { uri } of foldersOf(params)) await this.#sessions.add(uri);
    this.#serve();
    return {
      serverInfo: { name: "emend", version: this.#host.version },
      capabilities: {
        positionEncoding: this.#positions.encoding,
        textDocumentSync: { openClose: true, change: TextDocumentSyncKind.Incremental, save: false },
        inlineCompletionProvider: {},
        executeCommandProvider: { commands: [acceptCommand] },
        workspace: { workspaceFolders: { supported: true, changeNotifications: true } },
      },
    };
  }

  #initialized(): void {
    this.#isInitialized = true;
  }

  /** Answers requests, now that the encoding of positions is known. */
  #serve(): void {
    const connection = this.#connection;
    const service = new GhostTextService({
      ...{ documents: this.#documents, sessions: this.#sessions, positions: this.#positions },
      onAnswer: (answer) => this.#silences.take(answer),
    });
    this.#service = service;
    serveInlineCompletion({ connection, service, positions: this.#positions, log: this });
    serveRequest(connection, "emend/status", this, () => this.#status());
    serveRequest(connection, "emend/explain", this, (): ExplainedOutcome | null => service.last ?? null);
  }

  #followDocuments(): void {
    const connection = this.#connection;
    const documents = this.#documents;
    connection.onDidOpenTextDocument(
      fenceNotification("textDocument/didOpen", this, ({ textDocument }) => void documents.open(textDocument)),
    );
    connection.onDidChangeTextDocument(
      fenceNotification("textDocument/didChange", this, ({ textDocument, contentChanges }) => {
        const { uri, version } = textDocument;
        documents.change(uri, contentChanges, { version, positions: this.#positions });
      }),
    );
    connection.onDidCloseTextDocument(
      fenceNotification("textDocument/didClose", this, ({ textDocument }) => void documents.close(textDocument.uri)),
    );
  }

  #status(): ServerStatus {
    const reason = this.#service?.last?.reason;
    return {
      version: this.#host.version,
      positionEncoding: this.#positions.encoding,
      sessions: this.#sessions.all.map((session) => session.status),
      openDocuments: [...this.#documents.all].length,
      memory: this.#host.memory(),
      ...(reason && { lastSilence: reason, lastSilenceText: printServerSilence(reason) }),
    };
  }

  #lookForClient(processId: number): void {
    this.#clientTimer = this.#host.clock.after(lookForClientMs, () => {
      if (this.#host.isAlive(processId)) this.#lookForClient(processId);
      else this.#clientGone();
    });
  }
}

/** The folders that a client has open, in whichever way it says it. */
function foldersOf({ workspaceFolders, rootUri, rootPath }: InitializeParams): readonly Pick<WorkspaceFolder, "uri">[] {
  if (workspaceFolders != null) return workspaceFolders;
  if (rootUri != null) return [{ uri: rootUri }];
  return rootPath == null ? [] : [{ uri: `file://${encodeURI(rootPath)}` }];
}
