import type { ChildProcess } from "node:child_process";
import { readdirSync } from "node:fs";
import { Socket } from "node:net";
import { parse } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import type { Diagnostic, DocumentDiagnosticReport, Location, ProtocolConnection } from "vscode-languageserver/node";
import type { AbortOptions } from "../../async/index.ts";
import { languageOf } from "../../syntax/index.ts";
import { EmendError, Lines, type Position } from "../../text/index.ts";
import { readRegularFile, signalOwned, spawnOwned, toPortablePath } from "../../workspace/node/index.ts";
import type { FileDiagnostic } from "../diagnostics/type-checker.ts";
import { PendingAnswers } from "./pending-answers.ts";
import { type PyrightProgram, packageFolders } from "./pyright-program.ts";
import { type CheckerLimits, CheckerWatch, defaultCheckerLimits, excessError } from "./watch-checker.ts";

/** The options of {@link PyrightService.open}. */
export interface PyrightServiceOptions {
  /** The absolute path of the workspace, links resolved, with `/`. */
  readonly root: string;
  readonly program: PyrightProgram;
  /** The timeout of one request in milliseconds; default: three minutes. */
  readonly timeoutMs?: number | undefined;
  /** The limits of its process; default: {@link defaultCheckerLimits}, and a minute to start. */
  readonly limits?: Partial<CheckerLimits> | undefined;
}

/** The limits until it has found the workspace's files, which it looks for without output. */
const startLimits: CheckerLimits = { ...defaultCheckerLimits, stallMs: 60_000 };

/** The place of a declaration. The path is absolute, with `/`, and may lie in a library. */
export interface PyrightPlace {
  readonly path: string;
  readonly position: Position;
}

/**
 * Pyright's language server in a process of its own. Only this file uses its protocol; callers see
 * plain data.
 *
 * Files are named by absolute paths with `/`. Requests are about texts that were passed to
 * {@link setTexts}, which are not written to the disk; pyright reads all other files from the disk.
 * The workspace's configuration (`pyrightconfig.json`, `pyproject.toml`) applies. Methods reject
 * with an {@link EmendError}: `pyright-missing`, `pyright-failed`, `pyright-slow`,
 * `pyright-closed`; `pyright-memory` and `pyright-stalled` when its process exceeded a limit and
 * was ended.
 */
export class PyrightService implements AsyncDisposable {
  readonly #root: string;
  readonly #child: ChildProcess;
  readonly #limits: CheckerLimits;
  #watch: CheckerWatch | undefined;
  #waiting = 0;
  readonly #documents = new Map<string, OpenText>();
  /** Rejects the waiting requests when the process ends: the connection would never settle them. */
  readonly #pending: PendingAnswers;
  #connection: ProtocolConnection | undefined;
  #lost: EmendError | undefined;

  private constructor(child: ChildProcess, { root, timeoutMs = 180_000, limits }: PyrightServiceOptions) {
    this.#child = child;
    this.#limits = { ...defaultCheckerLimits, ...limits };
    this.#watch = this.#watchWith({ ...startLimits, ...limits });
    child.stdout?.on("data", () => this.#waiting > 0 && this.#watch?.busy());
    this.#root = root;
    this.#pending = new PendingAnswers(pyright, timeoutMs);
  }

  /**
   * Why the process has ended by itself or at a limit; `undefined` while it runs, and after {@link
   * close}.
   */
  get ended(): EmendError | undefined {
    return this.#lost?.code === "pyright-closed" ? undefined : this.#lost;
  }

  /**
   * Starts the server and waits until it has found the workspace's files. Rejects with an
   * {@link EmendError}: `pyright-missing` where the program cannot be started, otherwise as the
   * methods do; and with the signal's reason on abort. The process has then been ended.
   */
  static async open(options: PyrightServiceOptions, question: AbortOptions = {}): Promise<PyrightService> {
    const { command, args } = options.program;
    const { maxMemoryMb } = { ...defaultCheckerLimits, ...options.limits };
    // The folder is not the workspace: pyright runs the user's Python to find its packages, and
    // Python might load modules from its working folder.
    const child = spawnOwned(command, args, {
      folder: parse(options.root).root,
      // Node's own memory limit also applies in programs that a launcher starts.
      environment: { ...process.env, NODE_OPTIONS: nodeOptions(maxMemoryMb) },
      stdio: ["pipe", "pipe", "ignore"],
    });
    const service = new PyrightService(child, options);
    try {
      await service.#start(question);
      return service;
    } catch (error) {
      await service.close();
      throw error;
    }
  }

  /**
   * Sets the texts of files, by absolute path; they replace what is on the disk. Rejects with an
   * {@link EmendError} where the process has ended or does not accept a text in time; the texts
   * before it stay set.
   */
  async setTexts(texts: ReadonlyMap<string, string>): Promise<void> {
    for (const [path, text] of texts) {
      const known = this.#documents.get(path);
      if (known?.lines.source === text) continue;
      const uri = uriOf(path);
      let version = (known?.version ?? 0) + 1;
      if (known === undefined)
        await this.#notify("textDocument/didOpen", {
          textDocument: { uri, languageId: languageOf(path).id, version, text },
        });
      // When a file is opened with a text other than that on the disk, pyright does not check its
      // dependents again; after a change it does.
      if (known !== undefined || (await textOnDisk(path)) !== text) {
        version += 1;
        await this.#notify("textDocument/didChange", { textDocument: { uri, version }, contentChanges: [{ text }] });
      }
      this.#documents.set(path, { version, lines: Lines.of(text) });
    }
  }

  /**
   * The declarations of the names at `offsets` of a file whose text was set, in the same order. A
   * name that may be one of several has several places; one that pyright cannot resolve has none.
   * Offsets are in UTF-16 code units; lines and columns of the places count from 0.
   *
   * Rejects with an {@link EmendError}: `file-missing` where no text of the file was set,
   * `out-of-bounds` where an offset is outside of it, otherwise as described for the class. Rejects
   * with the signal's reason on abort.
   */
  async definitions(
    path: string,
    offsets: readonly number[],
    options: AbortOptions = {},
  ): Promise<readonly (readonly PyrightPlace[])[]> {
    const { lines } = this.#document(path);
    const textDocument = { uri: uriOf(path) };
    return eachOf(offsets, async (offset) => {
      const { line, column } = lines.positionAt(offset);
      const params = { textDocument, position: { line, character: column } };
      const answer = await this.#request<Location | Location[] | null>("textDocument/definition", params, options);
      const places = answer === null ? [] : Array.isArray(answer) ? answer : [answer];
      return places.flatMap(({ uri, range: { start } }) => {
        const target = pathOf(uri);
        return target === undefined ? [] : [{ path: target, position: { line: start.line, column: start.character } }];
      });
    });
  }

  /**
   * The errors of files whose texts were set, with absolute paths and in the order of `paths`;
   * warnings are left out. The code is `error` where pyright names no rule.
   * Rejects with an {@link EmendError}: `file-missing` where no text of a file was set, otherwise
   * as described for the class. Rejects with the signal's reason on abort.
   */
  async errors(paths: readonly string[], options: AbortOptions = {}): Promise<readonly FileDiagnostic[]> {
    const found = await eachOf(paths, async (path) => {
      const { lines } = this.#document(path);
      const params = { textDocument: { uri: uriOf(path) } };
      const report = await this.#request<DocumentDiagnosticReport>("textDocument/diagnostic", params, options);
      const items = report.kind === "full" ? report.items : [];
      return items.flatMap((item) => (item.severity === errorSeverity ? [readError(path, lines, item)] : []));
    });
    return found.flat();
  }

  /** Ends the process. Requests that are waiting reject with `pyright-closed`. */
  async close(): Promise<void> {
    this.#lose(new EmendError("pyright-closed", "Pyright was closed before it could answer."));
    this.#connection?.dispose();
    this.#connection = undefined;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  async #start(options: AbortOptions): Promise<void> {
    const { stdin, stdout } = this.#child;
    this.#observeChild();
    const { createProtocolConnection, StreamMessageReader, StreamMessageWriter } = await import(
      "vscode-languageserver/node"
    );
    const reader = new StreamMessageReader(stdout!);
    // After invalid output nothing more would be read from the stream.
    reader.onError(({ message }) =>
      this.#lose(new EmendError("pyright-failed", `Pyright sent an invalid message: ${message}`)),
    );
    const connection = createProtocolConnection(reader, new StreamMessageWriter(stdin!));
    this.#connection = connection;
    connection.onError(() => undefined);
    const settings = settingsFor(this.#root);
    connection.onRequest("workspace/configuration", ({ items }: { items: readonly { section?: string }[] }) =>
      items.map(({ section }) => settings[section ?? ""] ?? null),
    );
    for (const method of editorRequests) connection.onRequest(method, () => null);
    const counted = new Promise<void>((resolve) => {
      connection.onNotification("window/logMessage", ({ message }: { message: string }) => {
        if (sawFiles.test(message)) resolve();
      });
    });
    connection.listen();
    const rootUri = uriOf(this.#root);
    const initialized = this.#request(
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
      options,
    );
    await initialized;
    await this.#notify("initialized", {});
    await this.#guard(counted, options);
    this.#watch?.[Symbol.dispose]();
    this.#watch = this.#watchWith(this.#limits);
  }

  #watchWith(limits: CheckerLimits): CheckerWatch | undefined {
    const { pid } = this.#child;
    if (pid === undefined) return undefined;
    return new CheckerWatch({
      ...{ processId: pid, limits },
      onExcess: (excess) => this.#lose(excessError(pyright, excess)),
    });
  }

  #observeChild(): void {
    const child = this.#child;
    child.once("error", (cause) => {
      this.#lose(new EmendError("pyright-missing", `Pyright cannot be started: ${cause.message}.`, { cause }));
    });
    child.once("exit", (code, signal) => {
      // Node aborts at its own memory limit, which may be sooner than the watch measures.
      if (signal === "SIGABRT" || code === abortedCode)
        this.#lose(excessError(pyright, { kind: "memory", maxMemoryMb: this.#limits.maxMemoryMb }));
      this.#lose(new EmendError("pyright-failed", `Pyright ended by itself (${signal ?? code}).`));
    });
    child.stdin?.on("error", () => undefined);
    // The process does not keep this one alive; a waiting request does, by its timer.
    child.unref();
    for (const pipe of [child.stdin, child.stdout]) if (pipe instanceof Socket) pipe.unref();
  }

  #document(path: string): OpenText {
    const known = this.#documents.get(path);
    if (known === undefined) throw new EmendError("file-missing", `Pyright has no text of ${path}.`);
    return known;
  }

  async #notify(method: string, params: object): Promise<void> {
    if (this.#lost !== undefined) throw this.#lost;
    await this.#guard(this.#connection!.sendNotification(method, params), {});
  }

  async #request<T>(method: string, params: object, options: AbortOptions): Promise<T> {
    if (this.#lost !== undefined) throw this.#lost;
    options.signal?.throwIfAborted();
    return this.#guard(this.#connection!.sendRequest<T>(method, params), options);
  }

  /** Ends the process and those that it started; they hold no data that could be lost. */
  #lose(reason: EmendError): void {
    this.#lost ??= reason;
    this.#watch?.[Symbol.dispose]();
    this.#child.stdin?.destroy();
    signalOwned(this.#child, "SIGKILL");
    this.#pending.failAll(this.#lost);
  }

  /**
   * Settles like `work`, or rejects when the process ends, the time is over, or the signal is
   * aborted.
   */
  #guard<T>(work: Promise<T>, { signal }: AbortOptions): Promise<T> {
    if (this.#waiting === 0) this.#watch?.busy();
    this.#waiting += 1;
    const answered = () => {
      this.#waiting -= 1;
      if (this.#waiting === 0) this.#watch?.idle();
    };
    work.then(answered, (cause: unknown) => {
      answered();
      // A write fails before the end of the process is reported.
      if (isBrokenPipe(cause)) this.#lose(new EmendError("pyright-failed", "Pyright ended by itself.", { cause }));
    });
    return this.#pending.wait(work, signal);
  }
}

/** Whether nothing more can be written; jsonrpc keeps only the message of some errors. */
function isBrokenPipe(cause: unknown): boolean {
  return cause instanceof Error && /\bEPIPE\b|\bafter end\b|\bdestroyed\b/.test(cause.message);
}

const pyright = { name: "Pyright", code: "pyright" };

/** The exit code of a launcher whose program was aborted. */
const abortedCode = 134;

function nodeOptions(maxMemoryMb: number): string {
  return [process.env["NODE_OPTIONS"], `--max-old-space-size=${maxMemoryMb}`].filter(Boolean).join(" ");
}

/** The text of a file that was set last. */
interface OpenText {
  readonly version: number;
  readonly lines: Lines;
}

/** `DiagnosticSeverity.Error`. */
const errorSeverity = 1;

/**
 * How many requests are sent at the same time. Pyright answers one after the other, but then it
 * need not wait for us in between.
 */
const requestsAtOnce = 16;

/**
 * The log message of the server after it has looked for the workspace's files; before that it knows
 * only files that were set.
 */
const sawFiles = /^(?:Found \d+|No) source files?/;

/**
 * The requests of the server to an editor, besides settings, that must be answered and have no
 * effect here.
 */
const editorRequests = [
  "client/registerCapability",
  "client/unregisterCapability",
  "window/workDoneProgress/create",
  "workspace/diagnostic/refresh",
];

/**
 * The settings that the server requests. Only files whose texts were set are checked; others are
 * read when needed.
 */
function settingsFor(root: string): Readonly<Record<string, unknown>> {
  const analysis = { diagnosticMode: "openFilesOnly", extraPaths: packageFolders(root, namesIn) };
  return { python: { analysis }, "python.analysis": analysis };
}

function textOnDisk(path: string): Promise<string | undefined> {
  return readRegularFile(path).then(String, () => undefined);
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

function readError(path: string, lines: Lines, { range, code, message }: Diagnostic): FileDiagnostic {
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

/** The offset of a position; positions behind the last line are at the end of the text. */
function offsetIn(lines: Lines, { line, character }: { readonly line: number; readonly character: number }): number {
  if (line >= lines.count) return lines.source.length;
  return Math.min(lines.start(line) + character, lines.endWithBreak(line));
}

async function eachOf<T, R>(items: readonly T[], request: (item: T) => Promise<R>): Promise<R[]> {
  const answers: R[] = [];
  let next = 0;
  const worker = async () => {
    while (next < items.length) {
      const index = next++;
      answers[index] = await request(items[index]!);
    }
  };
  await Promise.all(Array.from({ length: requestsAtOnce }, worker));
  return answers;
}

function uriOf(path: string): string {
  return pathToFileURL(path).href;
}

function pathOf(uri: string): string | undefined {
  return uri.startsWith("file:") ? toPortablePath(fileURLToPath(uri)) : undefined;
}
