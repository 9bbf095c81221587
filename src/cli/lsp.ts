import { Console } from "node:console";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import {
  createServerPipeTransport,
  createServerSocketTransport,
  IPCMessageReader,
  IPCMessageWriter,
  StreamMessageReader,
  StreamMessageWriter,
} from "vscode-languageserver/node";
import { disk, gitDiff, systemClock, watchDisk } from "../codebase/node/index.ts";
import { userConfigFolder } from "../config/index.ts";
import { RegionGuides } from "../edit/index.ts";
import { LanguageGuides } from "../grammar/index.ts";
import { grammarFor } from "../grammar/node/index.ts";
import { type LanguageServerTransport, runLanguageServer } from "../server/index.ts";
import { TypeScriptMembers, WelcomeStore } from "../server/session/index.ts";
import { openSyntax } from "../syntax/node/index.ts";
import { type ExitCode, exitCodes } from "./exit-codes.ts";
import { CommandFailure } from "./failure.ts";
import { cacheFolderOf, indexCacheOf } from "./index-cache-of.ts";
import { Interruption } from "./interruption.ts";
import { modelFlags } from "./model-flags.ts";
import { NamedModels } from "./named-models.ts";
import { packageVersion } from "./package-version.ts";
import type { Terminal } from "./terminal.ts";

/** What may be said on the command line of `emend lsp`: one way for messages to come and go. */
export interface LspOptions {
  readonly stdio: boolean;
  readonly nodeIpc: boolean;
  /** The port that the client listens on. */
  readonly socket: number | undefined;
  /** The name of the pipe that the client listens on. */
  readonly pipe: string | undefined;
  /** The names of models in order of preference, which count more than any configuration. */
  readonly model: readonly string[] | undefined;
  /** Whether the person trusts the workspaces that are opened. */
  readonly trust: boolean;
}

/** Longer documents have no guide: to look at all of one takes longer than a key may wait. UTF-16 units. */
const maxGuidedCharacters = 30_000;

/** How long ghost text may wait for the members of a type, in milliseconds. */
const membersMs = 300;

/** How often what was learnt of the person is written, if anything was. */
const keepWelcomeMs = 60_000;

/**
 * Runs `emend lsp`: serves one editor until it says goodbye or goes away, or a signal ends it; then the exit code is that
 * of the signal, as of any command.
 */
export async function lsp(options: LspOptions, terminal: Terminal): Promise<ExitCode> {
  const transport = openTransport(options);
  // Standard output belongs to the protocol. Whatever else would print there goes where the editor's log is.
  globalThis.console = new Console({ stdout: process.stderr, stderr: process.stderr });
  const syntax = openSyntax();
  const welcome = await WelcomeStore.open(join(cacheFolderOf(terminal), "welcome.json"));
  const keepWelcome = () =>
    welcome
      .save()
      .catch((error: Error) => terminal.err(`What was learnt of you could not be kept: ${error.message}\n`));
  const keeping = setInterval(keepWelcome, keepWelcomeMs).unref();
  const { environment, signal } = terminal;
  const models = new NamedModels({ environment });
  const guides = new LanguageGuides({ load: grammarFor, maxCharacters: maxGuidedCharacters });
  try {
    const exitCode = await runLanguageServer(
      transport,
      {
        ...{ fileSystem: disk, watch: watchDisk, clock: systemClock, cache: indexCacheOf(terminal), syntax },
        ...{ version: packageVersion(), yieldThread: () => setImmediate(), memory, isAlive },
        welcome: welcome.model,
        regionGuides: new RegionGuides({ load: grammarFor, maxCharacters: maxGuidedCharacters }),
        guide: (language, prefix, suffix) => guides.guideFor(language, prefix, suffix),
        openMembers: (root) => new TypeScriptMembers({ root, clock: systemClock, timeoutMs: membersMs }),
        async readDiff(folder, options) {
          const answer = await gitDiff(folder, options);
          return answer.kind === "answer" ? answer.value : undefined;
        },
        settings: {
          ...{ userFolder: userConfigFolder(), environment, flags: modelFlags(options.model) },
          ...(options.trust && { isTrusted: true }),
          openModel: (name, settings) => models.open(name, settings),
        },
      },
      { signal },
    );
    if (exitCode === 0) return exitCodes.done;
    // Whoever ends it by a signal did not say goodbye and does not expect it; what was learnt is kept below all the same.
    return signal.reason instanceof Interruption ? signal.reason.exitCode : exitCodes.failed;
  } finally {
    clearInterval(keeping);
    await keepWelcome();
    await models[Symbol.asyncDispose]();
    syntax[Symbol.dispose]();
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

/** Without what is garbage, where Node was started with `--expose-gc` to measure. */
function memory(): { readonly heapUsed: number; readonly arrayBuffers: number; readonly rss: number } {
  globalThis.gc?.();
  const { heapUsed, arrayBuffers, rss } = process.memoryUsage();
  return { heapUsed, arrayBuffers, rss };
}

/** Whether a process is there; one that may not be asked is. */
function isAlive(processId: number): boolean {
  try {
    process.kill(processId, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}
