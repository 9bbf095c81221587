import { type ChildProcess, spawn } from "node:child_process";
import { readdirSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { Socket } from "node:net";
import { parse } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import type { Diagnostic, DocumentDiagnosticReport, Location, ProtocolConnection } from "vscode-languageserver/node";
import { EmendError } from "../../text/errors.ts";
import { Lines, type Position } from "../../text/lines.ts";
import { toPortablePath } from "./disk.ts";
import { PendingAnswers } from "./pending-answers.ts";
import { type PyrightProgram, packageFolders } from "./pyright-program.ts";

/** What the service is opened with. */
export interface PyrightServiceOptions {
  /** The absolute path of the workspace, links resolved, with `/`. */
  readonly root: string;
  readonly program: PyrightProgram;
  /** The most milliseconds of one answer; three minutes unless told. */
  readonly timeoutMs?: number | undefined;
}

/** Where something is declared. The path is absolute, with `/`, and may lie in a library. */
export interface PyrightPlace {
  readonly path: string;
  readonly position: Position;
}

/** An error that pyright finds. Offsets are in UTF-16 units of the text that was told. */
export interface PyrightError {
  readonly path: string;
  readonly start: number;
  readonly end: number;
  /** The name of its rule, such as `reportCallIssue`; `error` where it has none. */
  readonly code: string;
  readonly message: string;
}

/** What may be said of any question. */
export interface PyrightQuestion {
  readonly signal?: AbortSignal | undefined;
}

/**
 * Pyright's language server in a process of its own, behind plain data: the only file that knows its protocol.
 *
 * Files are named by absolute paths with `/`. It is asked about texts that it was told, which are written nowhere; of all others it reads
 * the disk. Configuration of the workspace (`pyrightconfig.json`, `pyproject.toml`) holds. Methods reject with {@link EmendError}:
 * `pyright-missing`, `pyright-failed`, `pyright-slow`, `pyright-closed`.
 */
export class PyrightService implements AsyncDisposable {
  readonly #timeoutMs: number;
  readonly #root: string;
  readonly #child: ChildProcess;
  readonly #documents = new Map<string, OpenText>();
  /** What rejects when the process ends: questions to it never settle by themselves. */
  readonly #pending = new PendingAnswers();
  #connection: ProtocolConnection | undefined;
  #lost: EmendError | undefined;

  private constructor(child: ChildProcess, { root, timeoutMs = 180_000 }: PyrightServiceOptions) {
    this.#child = child;
    this.#root = root;
    this.#timeoutMs = timeoutMs;
  }

  /** Starts the server and waits until it knows the workspace's files. */
  static async open(options: PyrightServiceOptions, question: PyrightQuestion = {}): Promise<PyrightService> {
    const { command, args } = options.program;
    // Not in the workspace: it runs the person's Python to learn of its packages, which might read modules of the folder that it is in.
    const child = spawn(command, args, { cwd: parse(options.root).root, stdio: ["pipe", "pipe", "ignore"] });
    const service = new PyrightService(child, options);
    try {
      await service.#start(question);
      return service;
    } catch (error) {
      await service.close();
      throw error;
    }
  }

  /** Tells texts of files: what was not saved, or what might be. */
  async tell(texts: ReadonlyMap<string, string>): Promise<void> {
    for (const [path, text] of texts) {
      const known = this.#documents.get(path);
      if (known?.lines.source === text) continue;
      const uri = uriOf(path);
      let version = (known?.version ?? 0) + 1;
      if (known === undefined)
        await this.#notify("textDocument/didOpen", { textDocument: { uri, languageId: "python", version, text } });
      // Who depends on a file that is opened with another text than the disk has is not looked at anew; who depends on one that changes is.
      if (known !== undefined || (await textOnDisk(path)) !== text) {
        version += 1;
        await this.#notify("textDocument/didChange", { textDocument: { uri, version }, contentChanges: [{ text }] });
      }
      this.#documents.set(path, { version, lines: Lines.of(text) });
    }
  }

  /**
   * Where the names at `offsets` of a file that was told are declared, in their order: several places where it may be one of several, none where
   * nobody knows.
   */
  async definitions(
    path: string,
    offsets: readonly number[],
    question: PyrightQuestion = {},
  ): Promise<readonly (readonly PyrightPlace[])[]> {
    const { lines } = this.#document(path);
    const textDocument = { uri: uriOf(path) };
    return eachOf(offsets, async (offset) => {
      const { line, column } = lines.positionAt(offset);
      const asked = { textDocument, position: { line, character: column } };
      const answer = await this.#ask<Location | Location[] | null>("textDocument/definition", asked, question);
      const places = answer === null ? [] : Array.isArray(answer) ? answer : [answer];
      return places.flatMap(({ uri, range: { start } }) => {
        const target = pathOf(uri);
        return target === undefined ? [] : [{ path: target, position: { line: start.line, column: start.character } }];
      });
    });
  }

  /** The errors of files that were told. Warnings are left out. */
  async errors(paths: readonly string[], question: PyrightQuestion = {}): Promise<readonly PyrightError[]> {
    const found = await eachOf(paths, async (path) => {
      const { lines } = this.#document(path);
      const asked = { textDocument: { uri: uriOf(path) } };
      const report = await this.#ask<DocumentDiagnosticReport>("textDocument/diagnostic", asked, question);
      const items = report.kind === "full" ? report.items : [];
      return items.flatMap((item) => (item.severity === errorSeverity ? [readError(path, lines, item)] : []));
    });
    return found.flat();
  }

  /** Ends the process. What was asked and not answered is rejected. */
  async close(): Promise<void> {
    this.#lose(new EmendError("pyright-closed", "Pyright was closed before it could answer."));
    this.#connection?.dispose();
    this.#connection = undefined;
    // Nothing is lost with it. A program between this one and the server ends with the pipe.
    this.#child.stdin?.destroy();
    this.#child.kill("SIGKILL");
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  async #start(question: PyrightQuestion): Promise<void> {
    const { stdin, stdout } = this.#child;
    this.#watch();
    const { createProtocolConnection, StreamMessageReader, StreamMessageWriter } = await import(
      "vscode-languageserver/node"
    );
    const connection = createProtocolConnection(new StreamMessageReader(stdout!), new StreamMessageWriter(stdin!));
    this.#connection = connection;
    connection.onError(() => undefined);
    const settings = settingsFor(this.#root);
    connection.onRequest("workspace/configuration", ({ items }: { items: readonly { section?: string }[] }) =>
      items.map(({ section }) => settings[section ?? ""] ?? null),
    );
    for (const method of askedOfEditors) connection.onRequest(method, () => null);
    const counted = new Promise<void>((resolve) => {
      connection.onNotification("window/logMessage", ({ message }: { message: string }) => {
        if (sawFiles.test(message)) resolve();
      });
    });
    connection.listen();
    const rootUri = uriOf(this.#root);
    const initialized = this.#ask(
      "initialize",
      {
        processId: process.pid,
        rootUri,
        workspaceFolders: [{ uri: rootUri, name: "workspace" }],
        capabilities: {
          workspace: { configuration: true, workspaceFolders: true },
          textDocument: { definition: { linkSupport: false }, diagnostic: { dynamicRegistration: true } },
        },
      },
      question,
    );
    await initialized;
    await this.#notify("initialized", {});
    await this.#guard(counted, question);
  }

  #watch(): void {
    const child = this.#child;
    child.once("error", (cause) => {
      this.#lose(new EmendError("pyright-missing", `Pyright cannot be started: ${cause.message}.`, { cause }));
    });
    child.once("exit", (code, signal) => {
      this.#lose(new EmendError("pyright-failed", `Pyright ended by itself (${signal ?? code}).`));
    });
    child.stdin?.on("error", () => undefined);
    // It does not keep this process alive; a question that waits does, by its time limit.
    child.unref();
    for (const pipe of [child.stdin, child.stdout]) if (pipe instanceof Socket) pipe.unref();
  }

  #document(path: string): OpenText {
    const known = this.#documents.get(path);
    if (known === undefined) throw new EmendError("file-missing", `Pyright was not told the text of ${path}.`);
    return known;
  }

  async #notify(method: string, params: object): Promise<void> {
    if (this.#lost !== undefined) throw this.#lost;
    await this.#guard(this.#connection!.sendNotification(method, params), {});
  }

  async #ask<T>(method: string, params: object, question: PyrightQuestion): Promise<T> {
    if (this.#lost !== undefined) throw this.#lost;
    question.signal?.throwIfAborted();
    return this.#guard(this.#connection!.sendRequest<T>(method, params), question);
  }

  #lose(reason: EmendError): void {
    this.#lost ??= reason;
    this.#pending.failAll(this.#lost);
  }

  /** Settles as `work` does, or rejects where the process ends, the time is over, or nobody waits any more. */
  #guard<T>(work: Promise<T>, { signal }: PyrightQuestion): Promise<T> {
    return this.#pending.wait(work, {
      ...{ signal, timeoutMs: this.#timeoutMs },
      slow: () => new EmendError("pyright-slow", `Pyright did not answer within ${this.#timeoutMs} ms.`),
      failed: (cause) => {
        const detail = cause instanceof Error ? cause.message : String(cause);
        return this.#lost ?? new EmendError("pyright-failed", `Pyright could not answer: ${detail}`, { cause });
      },
    });
  }
}

/** A text as it was told last. */
interface OpenText {
  readonly version: number;
  readonly lines: Lines;
}

/** `DiagnosticSeverity.Error`. */
const errorSeverity = 1;

/** How many questions wait for an answer at the same time: it answers one after the other, and need not wait for us in between. */
const questionsAtOnce = 16;

/** What the server says once it has looked for the files of the workspace; before, it knows of none that was not told. */
const sawFiles = /^(?:Found \d+|No) source files?/;

/** What it asks of editors besides settings: to be heard, and no more. */
const askedOfEditors = [
  "client/registerCapability",
  "client/unregisterCapability",
  "window/workDoneProgress/create",
  "workspace/diagnostic/refresh",
];

/** What an editor would be asked for. Only files that were told are checked; the others are read where they are needed. */
function settingsFor(root: string): Readonly<Record<string, unknown>> {
  const analysis = { diagnosticMode: "openFilesOnly", extraPaths: packageFolders(root, namesIn) };
  return { python: { analysis }, "python.analysis": analysis };
}

function textOnDisk(path: string): Promise<string | undefined> {
  return readFile(path, "utf8").catch(() => undefined);
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

function readError(path: string, lines: Lines, { range, code, message }: Diagnostic): PyrightError {
  const start = offsetIn(lines, range.start);
  return {
    path,
    start,
    end: Math.max(start, offsetIn(lines, range.end)),
    code: String(code ?? "error"),
    message: plainText(message),
  };
}

function plainText(message: Diagnostic["message"]): string {
  return typeof message === "string" ? message : message.value;
}

/** A place that lies beyond the text, as one behind its last line does, is its end. */
function offsetIn(lines: Lines, { line, character }: { readonly line: number; readonly character: number }): number {
  if (line >= lines.count) return lines.source.length;
  return Math.min(lines.start(line) + character, lines.endWithBreak(line));
}

async function eachOf<T, R>(items: readonly T[], ask: (item: T) => Promise<R>): Promise<R[]> {
  const answers: R[] = [];
  let next = 0;
  const worker = async () => {
    while (next < items.length) {
      const index = next++;
      answers[index] = await ask(items[index]!);
    }
  };
  await Promise.all(Array.from({ length: questionsAtOnce }, worker));
  return answers;
}

function uriOf(path: string): string {
  return pathToFileURL(path).href;
}

function pathOf(uri: string): string | undefined {
  return uri.startsWith("file:") ? toPortablePath(fileURLToPath(uri)) : undefined;
}
