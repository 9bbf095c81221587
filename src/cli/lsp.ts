import { Console } from "node:console";
import {
  createServerPipeTransport,
  createServerSocketTransport,
  IPCMessageReader,
  IPCMessageWriter,
  StreamMessageReader,
  StreamMessageWriter,
} from "vscode-languageserver/node";
import { type LanguageServerTransport, runLanguageServer } from "../server/index.ts";
import { type ExitCode, exitCodes } from "./exit-codes.ts";
import { CommandFailure } from "./failure.ts";
import { Interruption } from "./interruption.ts";
import { type LanguageHostOptions, openLanguageHost } from "./language-host.ts";
import type { Terminal } from "./terminal.ts";

/** What may be said on the command line of `emend lsp`: one way for messages to come and go. */
export interface LspOptions extends LanguageHostOptions {
  readonly stdio: boolean;
  readonly nodeIpc: boolean;
  /** The port that the client listens on. */
  readonly socket: number | undefined;
  /** The name of the pipe that the client listens on. */
  readonly pipe: string | undefined;
}

/**
 * Runs `emend lsp`: serves one editor until it says goodbye or goes away, or a signal ends it; then the exit code is that
 * of the signal, as of any command.
 */
export async function lsp(options: LspOptions, terminal: Terminal): Promise<ExitCode> {
  const transport = openTransport(options);
  // Standard output belongs to the protocol. Whatever else would print there goes where the editor's log is.
  globalThis.console = new Console({ stdout: process.stderr, stderr: process.stderr });
  const { signal } = terminal;
  const language = await openLanguageHost(options, terminal);
  try {
    const exitCode = await runLanguageServer(transport, language.host, { signal });
    if (exitCode === 0) return exitCodes.done;
    // Whoever ends it by a signal did not say goodbye and does not expect it; what was learnt is kept below all the same.
    return signal.reason instanceof Interruption ? signal.reason.exitCode : exitCodes.failed;
  } finally {
    await language[Symbol.asyncDispose]();
  }
}

function openTransport({ stdio, nodeIpc, socket, pipe }: LspOptions): LanguageServerTransport {
  const ways = [stdio, nodeIpc, socket !== undefined, pipe !== undefined].filter((way) => way).length;
  if (ways > 1) {
    const message = "A server speaks to its editor in one way. Give one of --stdio, --node-ipc, --socket and --pipe.";
    throw new CommandFailure("usage", message, { exitCode: exitCodes.usage });
  }
  if (nodeIpc) {
    if (process.send === undefined) {
      const message = "--node-ipc is for a process that Node has forked. Use --stdio.";
      throw new CommandFailure("usage", message, { exitCode: exitCodes.usage });
    }
    return { reader: new IPCMessageReader(process), writer: new IPCMessageWriter(process) };
  }
  if (socket !== undefined) return toTransport(createServerSocketTransport(socket));
  if (pipe !== undefined) return toTransport(createServerPipeTransport(pipe));
  return { reader: new StreamMessageReader(process.stdin), writer: new StreamMessageWriter(process.stdout) };
}

function toTransport([reader, writer]: ReturnType<typeof createServerPipeTransport>): LanguageServerTransport {
  return { reader, writer };
}
