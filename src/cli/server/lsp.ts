import { Console } from "node:console";
import { connect } from "node:net";
import { Writable } from "node:stream";
import {
  ErrorCodes,
  IPCMessageReader,
  IPCMessageWriter,
  type Message,
  SocketMessageWriter,
  StreamMessageWriter,
} from "vscode-languageserver/node";
import { LinkedController } from "../../async/index.ts";
import { trustCommand } from "../../config/index.ts";
import {
  FramedMessageReader,
  FramingError,
  type LanguageServerTransport,
  runLanguageServer,
} from "../../server/index.ts";
import { type ExitCode, exitCodes } from "../terminal/exit-codes.ts";
import { CommandFailure } from "../terminal/failure.ts";
import { Interruption } from "../terminal/interruption.ts";
import { printable, type Terminal } from "../terminal/terminal.ts";
import { type ClientChannel, ClientWatch } from "./client-watch.ts";
import { type LanguageHostOptions, openLanguageHost } from "./language-host.ts";

/** The options of `emend lsp`; at most one of the channels is given. */
export interface LspOptions extends LanguageHostOptions {
  readonly stdio: boolean;
  readonly nodeIpc: boolean;
  /** The port that the client listens on. */
  readonly socket: number | undefined;
  /** The name of the pipe that the client listens on. */
  readonly pipe: string | undefined;
}

/**
 * Runs `emend lsp`: serves one editor until it sends `exit` or disconnects, or a signal ends the
 * command, whose exit code is then that of the signal.
 *
 * Throws a {@link CommandFailure} where more than one channel is given or `--node-ipc` is not
 * possible, and with code `connection-broken` where the connection breaks or the client sends an
 * invalid frame.
 */
export async function lsp(options: LspOptions, terminal: Terminal): Promise<ExitCode> {
  const channel = channelOf(options);
  await using watch = new ClientWatch(channel);
  const transport = openTransport(options, watch, (detail) => {
    terminal.err(`emend: Skipped a message of the client that is not JSON in UTF-8: ${printable(detail)}\n`);
    const error = { code: ErrorCodes.ParseError, message: `The message is not JSON in UTF-8: ${detail}` };
    // Ignore a failed write: the client has disconnected, which the connection notices.
    transport.writer.write({ jsonrpc: "2.0", id: null, error } as Message).catch(() => undefined);
  });
  let broken: Error | undefined;
  transport.reader.onError((error) => {
    broken ??= error;
  });
  const { signal } = terminal;
  using lost = new LinkedController(signal);
  transport.writer.onError(() => lost.abort(new Error("The client accepts no messages.")));
  // Standard output belongs to the protocol, so console output goes to standard error, the editor's
  // log.
  const log = new Writable({
    decodeStrings: false,
    write(text, _, done) {
      terminal.err(String(text));
      done();
    },
  });
  globalThis.console = new Console({ stdout: log, stderr: log });
  await using language = await openLanguageHost(options, terminal);
  const host = {
    ...language.host,
    settings: { ...language.host.settings, trustAdvice },
    onClientProcess: (processId: number) => watch.follow(processId),
  };
  const exitCode = await runLanguageServer(transport, host, { signal: lost.signal });
  if (broken !== undefined) throw brokenConnection(broken);
  if (exitCode === 0) return exitCodes.done;
  // A server that is ended by a signal has received no `shutdown`; the acceptance model is saved
  // all the same.
  if (signal.reason instanceof Interruption) return signal.reason.exitCode;
  terminal.err("emend: The client ended without `shutdown`. Editors start this command: see docs/editors.md.\n");
  return exitCodes.failed;
}

/**
 * For clients that do not name a command of their own; the person may have no command line open.
 */
function trustAdvice(root: string): string {
  return `If you trust it, run \`${trustCommand(root)}\` in a terminal.`;
}

function brokenConnection(error: Error): CommandFailure {
  const message =
    error instanceof FramingError
      ? `The client sent ${error.message}. Each message begins with "Content-Length: N" and an empty line, both ended by CRLF.`
      : `The connection to the client broke: ${error.message}.`;
  return new CommandFailure("connection-broken", message, { exitCode: exitCodes.failed, cause: error });
}

function channelOf({ stdio, nodeIpc, socket, pipe }: LspOptions): ClientChannel {
  const ways = [stdio, nodeIpc, socket !== undefined, pipe !== undefined].filter((way) => way).length;
  if (ways > 1) {
    const message =
      "A server has a single channel to its editor. Give one of --stdio, --node-ipc, --socket and --pipe.";
    throw new CommandFailure("usage", message, { exitCode: exitCodes.usage });
  }
  if (nodeIpc && process.send === undefined) {
    const message = "--node-ipc is for a process that Node has forked. Use --stdio.";
    throw new CommandFailure("usage", message, { exitCode: exitCodes.usage });
  }
  return nodeIpc ? "ipc" : socket !== undefined || pipe !== undefined ? "socket" : "stdio";
}

function openTransport(
  { nodeIpc, socket, pipe }: LspOptions,
  watch: ClientWatch,
  onUnreadable: (detail: string) => void,
): LanguageServerTransport {
  if (nodeIpc) return { reader: new IPCMessageReader(process), writer: new IPCMessageWriter(process) };
  if (socket === undefined && pipe === undefined) {
    const writer = new StreamMessageWriter(process.stdout);
    return { reader: new FramedMessageReader(watch.input, onUnreadable), writer };
  }
  const connection = pipe === undefined ? connect(socket!, "127.0.0.1") : connect(pipe);
  const writer = new SocketMessageWriter(connection);
  return { reader: new FramedMessageReader(connection, onUnreadable), writer };
}
