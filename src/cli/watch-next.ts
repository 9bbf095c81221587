import { recordingEnding } from "../next/index.ts";
import type { DiskFollower } from "../next/node/index.ts";
import type { Edit } from "../text/index.ts";
import { type ExitCode, exitCodes } from "./exit-codes.ts";
import { markedFiles } from "./marked-files.ts";
import type { NextOptions } from "./next-options.ts";
import { nextRequest, openNext } from "./open-next.ts";
import { printNext, reportNext } from "./print-next.ts";
import { printable, type Terminal } from "./terminal.ts";
import { untilInterrupted } from "./until-interrupted.ts";

/** Saves that come together, such as of all files, are answered once. */
const quietMs = 150;

/** So many files that were saved last count as those that a person looks at. */
const maxShown = 20;

/** Follows what a person saves, and prints the next edit after each save, until Ctrl-C. */
export async function watchNext(root: string, options: NextOptions, terminal: Terminal): Promise<ExitCode> {
  const { signal } = terminal;
  let last: { readonly path: string; readonly offset: number } | undefined;
  let timer: NodeJS.Timeout | undefined;
  let answer: () => void = () => undefined;
  const follower: DiskFollower = {
    changed(path: string, _: string, edit: Edit) {
      // What another Emend records here is nobody's edit.
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
    const asked = last;
    const started = terminal.now();
    const trigger = options.eagerness === undefined ? "invoked" : "automatic";
    const request = nextRequest(workspace, { root, ...asked, trigger });
    workspace.show([asked.path, ...workspace.files.open.filter((path) => path !== asked.path)].slice(0, maxShown));
    workspace
      .suggest(request, { signal })
      .then(async (outcome) => {
        // The person went on.
        if (outcome.kind === "silent" && ["superseded", "cancelled"].includes(outcome.reason.kind)) return;
        const answerMs = terminal.now() - started;
        const { files, engine } = workspace;
        const historyEdits = engine.history.length;
        const report = reportNext({
          outcome,
          chain: undefined,
          asked,
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
          options.json
            ? `${JSON.stringify(report)}\n`
            : `${printNext(report, { outcome, files, options, terminal })}\n`,
        );
      })
      .catch(fail);
  };
  try {
    if (!options.json) terminal.err(`${printable(`Following ${root}: save something. Ctrl-C ends.`)}\n`);
    await untilInterrupted(signal, broken);
    return exitCodes.done;
  } finally {
    clearTimeout(timer);
    await open[Symbol.asyncDispose]();
  }
}
