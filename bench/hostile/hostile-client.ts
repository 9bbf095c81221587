import { setTimeout as wait } from "node:timers/promises";
import { pathToFileURL } from "node:url";
import {
  createProtocolConnection,
  type Position,
  type ProtocolConnection,
  StreamMessageReader,
  StreamMessageWriter,
} from "vscode-languageserver/node";
import type { HostileText } from "./hostile-texts.ts";
import { MeasuredProcess, type MeasuredProcessOptions } from "./measured-process.ts";

/** What one request came to. */
export interface MeasuredAnswer {
  /** `offered`, the kind of the reason why nothing was, or `ERROR …`, `HANG`. */
  readonly answer: string;
  /** Milliseconds until there was an answer. */
  readonly answerMs: number;
  /** Processor time of all processes until there was an answer, in milliseconds. */
  readonly cpuMs: number;
  readonly stallMs: number;
  readonly bytes: number;
}

/**
 * A request without an answer for so long never gets one, as far as a person is concerned.
 * Milliseconds.
 */
export const hangMs = 15_000;

/** An editor that opens a hostile text in the language server, changes a name in it and asks. */
export class HostileClient {
  readonly process: MeasuredProcess;
  readonly #connection: ProtocolConnection;
  readonly #root: string;
  /** Rejects when the server ends. */
  readonly #gone: Promise<never>;

  static async start(options: Omit<MeasuredProcessOptions, "args">, model: string): Promise<HostileClient> {
    const measured = new MeasuredProcess({ ...options, args: ["lsp", "--stdio"] });
    // What a server prints before it dies is worth more than any figure.
    measured.child.stderr!.pipe(process.stderr);
    const connection = createProtocolConnection(
      new StreamMessageReader(measured.child.stdout!),
      new StreamMessageWriter(measured.child.stdin!),
    );
    connection.listen();
    await connection.sendRequest("initialize", {
      ...{ processId: process.pid, rootUri: null, capabilities: {} },
      workspaceFolders: [{ uri: pathToFileURL(options.cwd).href, name: "work" }],
      initializationOptions: { emend: { model: [model] } },
    });
    await connection.sendNotification("initialized", {});
    return new HostileClient(measured, connection, options.cwd);
  }

  private constructor(measured: MeasuredProcess, connection: ProtocolConnection, root: string) {
    this.process = measured;
    this.#connection = connection;
    this.#root = root;
    this.#gone = new Promise<never>((_, reject) => {
      measured.child.once("close", (code, signal) => reject(new Error(`the server ended: ${signal ?? code}`)));
    });
    this.#gone.catch(() => undefined);
  }

  /** Opens, changes and asks; the document stays open. */
  async ghostText(text: HostileText): Promise<MeasuredAnswer> {
    const uri = this.#uriOf(text);
    await this.#notify("textDocument/didOpen", {
      textDocument: { uri, languageId: text.language, version: 1, text: text.text },
    });
    const position = await this.#change(text, uri);
    return this.#ask("textDocument/inlineCompletion", uri, position, (result) =>
      (result as { readonly items?: readonly unknown[] } | null)?.items?.length ? "offered" : "none",
    );
  }

  /** Asks what is edited next, of a document that is open. */
  async nextEdit(text: HostileText, triggerKind: 1 | 2): Promise<MeasuredAnswer> {
    const uri = this.#uriOf(text);
    const position = positionAt(text.text, placeOf(text.text));
    return this.#ask(
      "emend/nextEdit",
      uri,
      position,
      (result) => {
        const { kind, reason } = result as { readonly kind: string; readonly reason?: { readonly kind: string } };
        return reason?.kind ?? kind;
      },
      triggerKind,
    );
  }

  async close(text: HostileText): Promise<void> {
    await this.#notify("textDocument/didClose", { textDocument: { uri: this.#uriOf(text) } });
    await this.#connection.sendRequest("emend/status").catch(() => undefined);
  }

  async stop(): Promise<void> {
    try {
      const shutdown = this.#connection.sendRequest("shutdown").then(() => this.#notify("exit", {}));
      await Promise.race([shutdown.then(() => this.#gone), wait(2_000)]);
      this.#connection.dispose();
    } catch {
      // It is gone already.
    }
    await this.process.kill();
  }

  /** A name becomes longer by two keys, so that there is something that others may follow. */
  async #change({ text }: HostileText, uri: string): Promise<Position> {
    const offset = placeOf(text);
    const start = positionAt(text, offset);
    for (const key of [0, 1]) {
      const position = { line: start.line, character: start.character + key };
      await this.#notify("textDocument/didChange", {
        textDocument: { uri, version: 2 + key },
        contentChanges: [{ range: { start: position, end: position }, text: "Q" }],
      });
    }
    return { line: start.line, character: start.character + 2 };
  }

  async #ask(
    method: string,
    uri: string,
    position: Position,
    read: (result: unknown) => string,
    triggerKind = 1,
  ): Promise<MeasuredAnswer> {
    const begun = performance.now();
    const cpuBefore = this.process.cpuMs();
    const request = this.#connection.sendRequest(method, { textDocument: { uri }, position, context: { triggerKind } });
    const given = Promise.race([request, this.#gone]).then(
      read,
      (error: Error) => `ERROR ${error.message.slice(0, 80)}`,
    );
    const stopping = new AbortController();
    const hang = wait(hangMs, "HANG", { signal: stopping.signal }).catch(() => "HANG");
    const answer = await Promise.race([given, hang]);
    stopping.abort();
    const answerMs = performance.now() - begun;
    const cpuMs = this.process.cpuMs() - cpuBefore;
    // What is done behind an answer, such as telling a type checker, may block as well.
    await wait(150);
    return { answer, answerMs, cpuMs, ...this.process.take() };
  }

  #notify(method: string, params: object): Promise<void> {
    return this.#connection.sendNotification(method, params);
  }

  #uriOf({ path }: HostileText): string {
    return pathToFileURL(`${this.#root}/${path}`).href;
  }
}

/**
 * Where the text is changed: behind the first name that is no keyword, so that its other uses may
 * follow.
 */
export function placeOf(text: string): number {
  const start = text.slice(0, 5_000);
  const name = /[A-Za-z]+\d+/.exec(start) ?? /[A-Za-z]+/.exec(start);
  return name === null ? 0 : name.index + Math.min(name[0].length, 40);
}

function positionAt(text: string, offset: number): Position {
  const before = text.slice(0, offset).split(/\r\n|\r|\n/);
  return { line: before.length - 1, character: before.at(-1)!.length };
}
