import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { setTimeout as wait } from "node:timers/promises";
import { pathToFileURL } from "node:url";
import {
  CancellationTokenSource,
  createProtocolConnection,
  type InlineCompletionList,
  type Position,
  type ProtocolConnection,
  ResponseError,
  StreamMessageReader,
  StreamMessageWriter,
} from "vscode-languageserver/node";
import type { ServerStatus } from "../../src/server/index.ts";
import { GhostDisplay } from "./ghost-display.ts";
import { keysOf } from "./keys.ts";

/** How a client is started. */
export interface TypingClientOptions {
  /** The built command line. */
  readonly main: string;
  /** The folder of the workspace. */
  readonly root: string;
  /** The models in order of preference. */
  readonly models: readonly string[];
  readonly environment: NodeJS.ProcessEnv;
}

/** How a person types. */
export interface TypingPace {
  /** Milliseconds from one key to the next. */
  keyMs(): number;
  /** Whether the next key is typed as soon as there is an answer, without waiting for its time. */
  readonly hurries: boolean;
}

/** What one key came to. */
export interface TypedKey {
  /** Milliseconds from the key to the answer; absent where the next key came first. */
  readonly answerMs?: number;
  /** Whether that answer was a suggestion. */
  readonly isOffered: boolean;
}

/**
 * An editor that types into the language server: every key is a change and a request, the request
 * before is taken back, ghost text that agrees with what is typed stays, and what is shown is
 * reported as shown. It takes nothing.
 */
export class TypingClient implements AsyncDisposable {
  readonly display = new GhostDisplay();
  readonly keys: TypedKey[] = [];
  /** Milliseconds from each key that left nothing to be seen to the next ghost text. */
  readonly blanksMs: number[] = [];
  readonly #connection: ProtocolConnection;
  readonly #child: ChildProcess;
  readonly #root: string;
  #version = 0;
  #blankSinceMs: number | undefined;

  /** Starts a server in the workspace, and waits until it has learnt it. */
  static async start({ main, root, models, environment }: TypingClientOptions): Promise<TypingClient> {
    const child = spawn(process.execPath, ["--expose-gc", main, "lsp", "--stdio"], {
      ...{ cwd: root, env: environment, stdio: ["pipe", "pipe", "inherit"] },
    });
    const connection = createProtocolConnection(
      new StreamMessageReader(child.stdout),
      new StreamMessageWriter(child.stdin),
    );
    connection.listen();
    await connection.sendRequest("initialize", {
      ...{ processId: process.pid, rootUri: null, capabilities: {} },
      workspaceFolders: [{ uri: pathToFileURL(root).href, name: "work" }],
      initializationOptions: { emend: { model: models } },
    });
    await connection.sendNotification("initialized", {});
    const client = new TypingClient(connection, child, root);
    while ((await client.status()).sessions[0]?.learning.kind !== "learnt") await wait(100);
    return client;
  }

  private constructor(connection: ProtocolConnection, child: ChildProcess, root: string) {
    this.#connection = connection;
    this.#child = child;
    this.#root = root;
  }

  status(): Promise<ServerStatus> {
    return this.#connection.sendRequest<ServerStatus>("emend/status");
  }

  /**
   * Types a file from nothing, up to so many keys, and closes it. `onKey` is called after each key.
   */
  async type(
    file: { readonly path: string; readonly text: string },
    { pace, maxKeys, onKey }: { readonly pace: TypingPace; readonly maxKeys: number; onKey(): Promise<void> },
  ): Promise<void> {
    const uri = pathToFileURL(`${this.#root}/${file.path}`).href;
    this.#version += 1;
    await this.#connection.sendNotification("textDocument/didOpen", {
      textDocument: { uri, languageId: "", version: this.#version, text: "" },
    });
    let position: Position = { line: 0, character: 0 };
    for (const key of keysOf(file.text).slice(0, maxKeys)) {
      position = await this.#press(uri, key, position, pace);
      await onKey();
    }
    await this.#connection.sendNotification("textDocument/didClose", { textDocument: { uri } });
    this.display.clear();
    this.#blankSinceMs = undefined;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const ended = once(this.#child, "close");
    await this.#connection.sendRequest("shutdown");
    await this.#connection.sendNotification("exit");
    await ended;
    this.#connection.dispose();
  }

  async #press(uri: string, key: string, at: Position, pace: TypingPace): Promise<Position> {
    const pressedMs = performance.now();
    this.display.type(key);
    if (this.display.rest === "") this.#blankSinceMs ??= pressedMs;
    this.#version += 1;
    await this.#connection.sendNotification("textDocument/didChange", {
      textDocument: { uri, version: this.#version },
      contentChanges: [{ range: { start: at, end: at }, text: key }],
    });
    const position = after(key, at);
    const source = new CancellationTokenSource();
    const pause = wait(pace.keyMs());
    let typed: TypedKey = { isOffered: false };
    const answered = this.#ask(uri, position, source).then((items) => {
      // The next key may have been typed by now.
      if (source.token.isCancellationRequested || items === undefined) return;
      const [item] = items;
      const ghost = item === undefined ? "" : ghostOf(String(item.insertText), item.range?.start, position);
      this.display.answer(ghost);
      if (ghost !== "" && this.#blankSinceMs !== undefined) {
        this.blanksMs.push(performance.now() - this.#blankSinceMs);
        this.#blankSinceMs = undefined;
      }
      typed = { answerMs: performance.now() - pressedMs, isOffered: ghost !== "" };
      if (item !== undefined) void this.#connection.sendNotification("textDocument/didShowCompletion", { item });
    });
    await (pace.hurries ? Promise.race([answered, pause]) : pause);
    source.cancel();
    this.keys.push(typed);
    return position;
  }

  async #ask(uri: string, position: Position, source: CancellationTokenSource) {
    const params = { textDocument: { uri, version: this.#version }, position, context: { triggerKind: 2 } };
    try {
      const method = "textDocument/inlineCompletion";
      return (await this.#connection.sendRequest<InlineCompletionList>(method, params, source.token)).items;
    } catch (error) {
      if (error instanceof ResponseError && error.code === requestCancelled) return undefined;
      throw error;
    }
  }
}

/** The protocol's code for a request that was taken back. */
const requestCancelled = -32_800;

/** Where the cursor is behind `key`, typed at `at`. */
function after(key: string, { line, character }: Position): Position {
  const feed = key.lastIndexOf("\n");
  return feed < 0 ? { line, character: character + key.length } : { line: line + 1, character: key.length - feed - 1 };
}

/** What an item shows behind the cursor, where it begins on the cursor's line at `start`. */
function ghostOf(text: string, start: Position | undefined, cursor: Position): string {
  return text.slice(cursor.character - (start?.character ?? cursor.character));
}
