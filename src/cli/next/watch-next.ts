import { recordingEnding } from "../../next/index.ts";
import type { DiskFollower } from "../../next/node/index.ts";
import type { Edit } from "../../text/index.ts";
import { type ExitCode, exitCodes } from "../terminal/exit-codes.ts";
import { untilInterrupted } from "../terminal/interruption.ts";
import { jsonLine } from "../terminal/masked-terminal.ts";
import { printable, type Terminal } from "../terminal/terminal.ts";
import { type NextChoices, nextRequest, openNext } from "./open-next.ts";
import { markedFiles, printNext, reportNext } from "./print-next.ts";

/** Saves within so many milliseconds, such as of all files, are answered once. */
const quietMs = 150;

/** The number of recently saved files that count as viewed. */
const maxShown = 20;

/**
 * Watches for saved changes, and prints the next edit after each, until Ctrl-C, which ends the
 * command without a failure. `root` is an absolute folder, links resolved.
 *
 * Rejects as {@link openNext} does, with the first failure of a suggestion, and with the reason of
 * other signals.
 */
export async function watchNext(root: string, options: NextOptions, terminal: Terminal): Promise<ExitCode> {
  const { signal } = terminal;
  let last: { readonly path: string; readonly offset: number } | undefined;
  let timer: NodeJS.Timeout | undefined;
  let answer: () => void = () => undefined;
  const follower: DiskFollower = {
    changed(path: string, _: string, edit: Edit) {
      // A recording of another Emend process is not an edit.
      if (path.endsWith(recordingEnding)) return;
      last = { path, offset: edit.rangesAfter().at(-1)?.end ?? 0 };
      clearTimeout(timer);
      timer = setTimeout(() => answer(), quietMs);
    },
    ...{ renamed: () => undefined, replaced: () => undefined, removed: () => undefined, came: () => undefined },
  };
  const open = await openNext(root, options, terminal, follower);
  let fail: (error: unknown) => void = () => undefined;
  const broken = new Promise<never>((_, reject) => {
    fail = reject;
  });
  broken.catch(() => undefined);
  answer = () => {
    const { workspace, notes } = open;
    if (last === undefined) return;
    const cursor = last;
    const started = terminal.now();
    const trigger = options.eagerness === undefined ? "invoked" : "automatic";
    const request = nextRequest(workspace, { root, ...cursor, trigger });
    workspace.show([cursor.path, ...workspace.files.open.filter((path) => path !== cursor.path)].slice(0, maxShown));
    workspace
      .suggest(request, { signal })
      .then(async (outcome) => {
        // A newer request has replaced this one.
        if (outcome.kind === "no-suggestion" && ["superseded", "cancelled"].includes(outcome.reason.kind)) return;
        const answerMs = terminal.now() - started;
        const { files, engine } = workspace;
        const historyEdits = engine.history.length;
        const report = reportNext({
          outcome,
          chain: undefined,
          requestedAt: cursor,
          root,
          historyEdits,
          files,
          marked: await markedFiles(outcome, undefined, { root, signal }),
          notes,
          answerMs,
          options,
        });
        if (outcome.kind === "offered") engine.shown(outcome.suggestion.id);
        terminal.out(
          options.json ? jsonLine(report, terminal) : `${printNext(report, { outcome, files, options, terminal })}\n`,
        );
      })
      .catch(fail);
  };
  try {
    if (!options.json) terminal.err(`${printable(`Following ${root}: save a file. Stop with Ctrl-C.`)}\n`);
    await untilInterrupted(signal, broken);
    return exitCodes.done;
  } finally {
    clearTimeout(timer);
    await open[Symbol.asyncDispose]();
  }
}

/** The options of `emend next`. */
export interface NextOptions extends NextChoices {
  /** `git`, the file of a diff, or `-` for standard input. */
  readonly history: string | undefined;
  readonly watch: boolean;
  readonly explain: boolean;
  readonly all: boolean;
  /** Write the suggestion. */
  readonly apply: boolean;
  /** Include the whole chain, such as the rest of a rename. */
  readonly chain: boolean;
  readonly workspace: string | undefined;
}
