import { resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { disk, watchDisk } from "../codebase/node/index.ts";
import { runLanguageServer } from "../server/index.ts";
import { openPageServer, type PageServer, type PageServerOptions } from "../server/page/index.ts";
import { EmendError } from "../text/index.ts";
import { type ExitCode, exitCodes } from "./exit-codes.ts";
import { CommandFailure } from "./failure.ts";
import { type LanguageHostOptions, openLanguageHost } from "./language-host.ts";
import { openBrowser } from "./open-browser.ts";
import { openRoot } from "./open-file.ts";
import { printable, type Terminal } from "./terminal.ts";
import { untilInterrupted } from "./until-interrupted.ts";

/** What may be said on the command line of `emend serve`. */
export interface ServeOptions extends LanguageHostOptions {
  /** A free one unless told. */
  readonly port: number | undefined;
  /** Whether the browser is opened. */
  readonly open: boolean;
  readonly json: boolean;
  /** The folder of the built page; that of this package unless told. */
  readonly page: string | undefined;
}

/** What `--json` prints once the page is served. Fields may be added; none changes its meaning. */
export interface ServeReport {
  readonly kind: "served";
  readonly url: string;
  /** The absolute folder that the page shows. */
  readonly root: string;
}

/** Runs `emend serve [DIR]`: shows a folder on a page until Ctrl-C. */
export async function serve(folder: string | undefined, options: ServeOptions, terminal: Terminal): Promise<ExitCode> {
  const root = await openRoot({ workspace: folder, workingFolder: terminal.workingFolder, fileSystem: disk });
  const language = await openLanguageHost(options, terminal);
  try {
    const { version, clock } = language.host;
    const page = await open({
      ...{ root, version, clock, watch: watchDisk, port: options.port },
      pageFolder: options.page === undefined ? builtPage : resolve(terminal.workingFolder, options.page),
      serveLanguage: (transport, { signal }) => runLanguageServer(transport, language.host, { signal }),
      onProblem: (message) => terminal.err(`${printable(message)}\n`),
    });
    try {
      say(page, root, options, terminal);
      const goesOnByItself = new Promise<never>(() => undefined);
      await untilInterrupted(terminal.signal, goesOnByItself);
      return exitCodes.done;
    } finally {
      await page[Symbol.asyncDispose]();
    }
  } finally {
    await language[Symbol.asyncDispose]();
  }
}

/** Where `npm run build` puts the page: from here the same way, whether this is compiled or run from source. */
const builtPage = fileURLToPath(new URL("../../dist/web", import.meta.url));

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
  "page-not-built": "Build the page with `npm run build`; packages from the registry have it.",
  "port-taken": "Give another with --port, or leave it out for a free one.",
  "port-refused": "Give one from 1024 on with --port, or leave it out for a free one.",
};

function say(page: PageServer, root: string, { open, json }: ServeOptions, terminal: Terminal): void {
  const { url } = page;
  if (json) terminal.out(`${JSON.stringify({ kind: "served", url, root } satisfies ServeReport)}\n`);
  else {
    terminal.out(`${url}\n`);
    terminal.err(`${printable(`Serving ${root} to this machine only. Ctrl-C ends.`)}\n`);
  }
  if (!open) return;
  openBrowser(page.newTicketUrl(), terminal.environment).then((trouble) => {
    if (trouble === undefined || terminal.signal.aborted) return;
    terminal.err(`The browser was not opened (${printable(trouble)}). Open the address above yourself.\n`);
  });
}
