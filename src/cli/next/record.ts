import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { raceAbort } from "../../async/index.ts";
import { defaultNextEditSettings, type Recorder, recordingEnding } from "../../next/index.ts";
import { type DiskFollower, NextEditWorkspace, RecordingFile } from "../../next/node/index.ts";
import { openSyntax } from "../../syntax/node/index.ts";
import type { EmendError } from "../../text/index.ts";
import { disk, systemClock, toPortablePath, watchDisk } from "../../workspace/node/index.ts";
import { findExistingFile, openRoot, readFound } from "../open-file.ts";
import { type ExitCode, exitCodes } from "../terminal/exit-codes.ts";
import { CommandFailure } from "../terminal/failure.ts";
import { untilInterrupted } from "../terminal/interruption.ts";
import { countText } from "../terminal/print-amount.ts";
import { printable, type Terminal } from "../terminal/terminal.ts";

/** The options of `emend record`. */
export interface RecordOptions {
  readonly out: string | undefined;
  readonly workspace: string | undefined;
}

/**
 * Runs `emend record [FILE]`: records the saved changes of a workspace until Ctrl-C, which ends the
 * command without a failure. With `file`, only changes of that file are recorded.
 *
 * Throws a {@link CommandFailure} where the file is missing or may not be read, the name of the
 * recording has the wrong ending, or the recording cannot be written. Rejects with the reason of
 * other signals.
 */
export async function record(file: string | undefined, options: RecordOptions, terminal: Terminal): Promise<ExitCode> {
  const { workingFolder, signal, now } = terminal;
  const { root, path } = await findWhatToRecord(file, options, terminal);
  const out = resolve(workingFolder, options.out ?? `session${recordingEnding}`);
  if (!out.endsWith(recordingEnding)) {
    const message = `${options.out} does not end with ${recordingEnding}, the ending of recordings. Write --out ${options.out?.replace(/\.json$/, "")}${recordingEnding}.`;
    throw new CommandFailure("usage", message, { exitCode: exitCodes.usage });
  }
  let fail: (error: unknown) => void = () => undefined;
  const failed = new Promise<never>((_, reject) => {
    fail = reject;
  });
  failed.catch(() => undefined);
  const target = { path: out, now, onFailure: (error: EmendError) => fail(asFailure(error)) };
  const recording = await RecordingFile.create({
    ...target,
    ...(path !== undefined && { mayRecord: (one) => one === path }),
  }).catch((error: EmendError) => {
    throw asFailure(error);
  });
  const syntax = openSyntax();
  const { recorder } = recording;
  const workspace = new NextEditWorkspace({
    ...{ root, fileSystem: disk, watch: watchDisk, clock: systemClock, syntax, settings: defaultNextEditSettings },
    ...{ diskChanges: "person", follower: followerOf(recorder) },
    yieldThread: () => new Promise((resume) => setImmediate(resume)),
    onProblem: (message) => terminal.err(`${printable(message)}\n`),
  });
  try {
    await raceAbort(workspace.ready, signal);
    const what = path === undefined ? root : `${path} in ${root}`;
    terminal.err(`${printable(`Recording saved changes of ${what} to ${out}. Stop with Ctrl-C.`)}\n`);
    await untilInterrupted(signal, failed);
    await workspace.settled();
  } finally {
    await workspace[Symbol.asyncDispose]();
    syntax[Symbol.dispose]();
    await recording[Symbol.asyncDispose]();
  }
  terminal.err(`${printable(summaryOf(recorder, out))}\n`);
  return exitCodes.done;
}

/** The workspace, and the named file, which is then the only one recorded. */
async function findWhatToRecord(
  file: string | undefined,
  { workspace }: RecordOptions,
  { workingFolder, signal }: Terminal,
): Promise<{ readonly root: string; readonly path?: string }> {
  if (file === undefined) {
    return { root: await openRoot({ workspace, workingFolder, fileSystem: disk }) };
  }
  if (file.endsWith(recordingEnding) && !existsSync(resolve(workingFolder, file))) {
    const message = `${file} names the recording, not a file to record. Write --out ${file}.`;
    throw new CommandFailure("usage", message, { exitCode: exitCodes.usage });
  }
  const found = await findExistingFile({ file, workspace, workingFolder, fileSystem: disk });
  // A file that may not be read is refused with the reason.
  await readFound(found, { unsaved: undefined, limit: { characters: 100_000_000 }, fileSystem: disk, signal });
  return { root: toPortablePath(found.root), path: found.path };
}

/** Passes saved changes to a recorder, with the cursor at the end of each. */
function followerOf(recorder: Recorder): DiskFollower {
  return {
    changed(path, before, edit) {
      recorder.changed(path, before, edit);
      recorder.cursor(path, edit.rangesAfter().at(-1)?.end ?? 0);
    },
    renamed: (path, newPath) => recorder.renamed(path, newPath),
    replaced: (path, text) => recorder.replaced(path, text),
    removed: (path) => recorder.removed(path),
    came: (path, text) => recorder.opened(path, text, { isNew: true }),
  };
}

function summaryOf({ recording: { events }, isFull }: Recorder, out: string): string {
  const changes = events.filter((event) => event.kind === "changed");
  const files = new Set(changes.map(({ path }) => path)).size;
  const sentence = `${countText(changes.length, "edit")} of ${countText(files, "file")} recorded in ${out}.`;
  return isFull ? `${sentence} The recording reached its size limit, and later edits are left out.` : sentence;
}

function asFailure(error: EmendError): CommandFailure {
  return new CommandFailure(error.code, error.message, { exitCode: exitCodes.failed, cause: error });
}
