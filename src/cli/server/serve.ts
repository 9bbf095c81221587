import { once } from "node:events";
import { basename, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { resultWithin } from "../../async/index.ts";
import { isTrustedWorkspace, loadConfig, userConfigFolder } from "../../config/index.ts";
import { type LanguageServerHost, type OwnSettings, runLanguageServer, type SetUp } from "../../server/index.ts";
import { openPageServer, type PageServer, type PageServerOptions } from "../../server/page/index.ts";
import { EmendError, errorMessage } from "../../text/index.ts";
import { disk, systemClock, watchDisk } from "../../workspace/node/index.ts";
import { modelFlags } from "../named-models.ts";
import { openRoot } from "../open-file.ts";
import { stateFolderOf } from "../state-folder.ts";
import { type ExitCode, exitCodes } from "../terminal/exit-codes.ts";
import { CommandFailure } from "../terminal/failure.ts";
import { untilInterrupted } from "../terminal/interruption.ts";
import { printable, type Terminal } from "../terminal/terminal.ts";
import { type LanguageHostOptions, openLanguageHost } from "./language-host.ts";

/** The options of `emend serve`. */
export interface ServeOptions extends LanguageHostOptions {
  /** A free port by default. */
  readonly port: number | undefined;
  /** Whether to open the browser. */
  readonly open: boolean;
  readonly json: boolean;
  /** The folder of the built page; that of this package by default. */
  readonly page: string | undefined;
}

/**
 * The output of `--json` once the page is served. Fields may be added; none changes its meaning.
 */
export interface ServeReport {
  readonly kind: "served";
  readonly url: string;
  /** The absolute folder that the page shows. */
  readonly root: string;
}

/**
 * Runs `emend serve [DIR]`: serves a folder as a page until Ctrl-C, which ends the command without
 * a failure. Without `folder`, the workspace of the working folder is served.
 *
 * Throws a {@link CommandFailure} where there is no such folder, the page is not built, or the port
 * cannot be used. Rejects with the reason of other signals.
 */
export async function serve(folder: string | undefined, options: ServeOptions, terminal: Terminal): Promise<ExitCode> {
  const root = await openRoot({ workspace: folder, workingFolder: terminal.workingFolder, fileSystem: disk });
  const { issues } = await loadConfig({
    ...{ root, userFolder: userConfigFolder(), environment: terminal.environment, fileSystem: disk },
    flags: modelFlags(options.model),
    ...(options.trust && { isTrusted: true }),
  });
  for (const { message } of issues) terminal.err(`${printable(message)}\n`);
  await using language = await openLanguageHost(options, terminal);
  const host: LanguageServerHost = {
    ...{ ...language.host, setUp: setUpOnPage(options, terminal), ownSettings: ownSettingsOnPage(terminal) },
    settings: { ...language.host.settings, trustAdvice: () => "If you trust it, press Trust this folder in Status." },
  };
  const { version, clock } = host;
  await using page = await open({
    ...{ root, version, clock, watch: watchDisk, port: options.port },
    pageFolder: options.page === undefined ? builtPage : resolve(terminal.workingFolder, options.page),
    serveLanguage: (transport, { signal }) => runLanguageServer(transport, host, { signal }),
    onProblem: (message) => terminal.err(`${printable(message)}\n`),
  });
  announce(page, root, options, terminal);
  const never = new Promise<never>(() => undefined);
  await untilInterrupted(terminal.signal, never);
  return exitCodes.done;
}

/** Runs the steps of `emend setup`, which are loaded when they are needed. */
function setUpOnPage({ model, trust }: LanguageHostOptions, terminal: Terminal): SetUp {
  const silent = { out: () => {}, err: () => {}, colour: false, isShown: false, isWatched: false };
  return async ({ root, servers: server, hosted, isReset: reset }, dialog, signal) => {
    const { runSetup } = await import("../setup/setup.ts");
    const named = hosted === undefined ? {} : { hosted };
    const options = {
      ...{ root, server, reset, trust, ...named },
      ...{ workspace: undefined, yes: false, json: false },
    };
    const own = { ...terminal, ...silent, workingFolder: root, signal };
    return runSetup({ ...options, flags: modelFlags(model) }, own, dialog);
  };
}

/** Edits the user's own file for the page. Its code is loaded when it is needed. */
function ownSettingsOnPage(terminal: Terminal): OwnSettings {
  const stateFolder = stateFolderOf(terminal);
  const userFolder = userConfigFolder();
  const { environment } = terminal;
  return {
    async trust(root) {
      if (await isTrustedWorkspace({ root, userFolder, environment, fileSystem: disk }))
        return { kind: "already-trusted" };
      const { trustFolder } = await import("../setup/settings-file.ts");
      return trustFolder(root, { userFolder });
    },
    async setupState() {
      const { canTakeOutSettings, findSettingsFile } = await import("../setup/settings-file.ts");
      return { canReset: await canTakeOutSettings(await findSettingsFile(userFolder), stateFolder) };
    },
  };
}

/**
 * The output folder of `npm run build`; the relative path is the same for compiled code and for
 * sources.
 */
const builtPage = fileURLToPath(new URL("../../../dist/web", import.meta.url));

async function open(options: PageServerOptions): Promise<PageServer> {
  try {
    return await openPageServer(options);
  } catch (error) {
    const advice = error instanceof EmendError ? cures[error.code] : undefined;
    if (advice === undefined || !(error instanceof EmendError)) throw error;
    const message = `${error.message} ${advice}`;
    throw new CommandFailure(error.code, message, { exitCode: exitCodes.failed, cause: error });
  }
}

const cures: Readonly<Partial<Record<string, string>>> = {
  "page-not-built": "Build the page with `npm run build`; packages from the registry contain it.",
  "port-taken": "Give another with --port, or leave it out for a free one.",
  "port-refused": "Give one from 1024 on with --port, or leave it out for a free one.",
};

function announce(page: PageServer, root: string, { open, json }: ServeOptions, terminal: Terminal): void {
  const { url } = page;
  if (json) terminal.out(`${JSON.stringify({ kind: "served", url, root } satisfies ServeReport)}\n`);
  else {
    terminal.out(`${url}\n`);
    terminal.err(`${printable(`Serving ${root} to this machine only. Stop with Ctrl-C.`)}\n`);
  }
  if (!open) return;
  openBrowser(page.newTicketUrl()).then((problem) => {
    if (problem === undefined || terminal.signal.aborted) return;
    terminal.err(`The browser was not opened (${printable(problem)}). Open the URL above yourself.\n`);
  });
}

/**
 * Opens a URL in the person's browser, on WSL in that of Windows. Resolves with `undefined`, or
 * with a short reason why it may not have opened. Never rejects.
 *
 * The URL is passed as one argument, without a shell.
 */
async function openBrowser(url: string): Promise<string | undefined> {
  try {
    const { default: open } = await import("open");
    const child = await open(url);
    // A browser started this way may keep running for hours, so the wait is limited.
    const limit = { clock: systemClock, limitMs: failureMs };
    const [exitCode] =
      child.exitCode === null ? ((await resultWithin(once(child, "close"), limit)) ?? [0]) : [child.exitCode];
    return exitCode === 0 ? undefined : `${basename(child.spawnfile)} ended with ${exitCode ?? "a signal"}`;
  } catch (error) {
    return errorMessage(error);
  }
}

/** The milliseconds in which a program that cannot open the URL ends with an error. */
const failureMs = 10_000;
