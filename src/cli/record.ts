import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { disk, systemClock, toPortablePath, watchDisk } from "../codebase/node/index.ts";
import { defaultNextEditSettings, type Recorder, recordingEnding } from "../next/index.ts";
import { type DiskFollower, NextEditWorkspace, RecordingFile } from "../next/node/index.ts";
import { openSyntax } from "../syntax/node/index.ts";
import type { EmendError } from "../text/index.ts";
import { type ExitCode, exitCodes } from "./exit-codes.ts";
import { CommandFailure } from "./failure.ts";
import { findExistingFile, openRoot, readFound } from "./open-file.ts";
import { settledUnless } from "./open-next.ts";
import { countText } from "./print-amount.ts";
import { printable, type Terminal } from "./terminal.ts";
import { untilInterrupted } from "./until-interrupted.ts";

/** What may be said on the command line of `emend record`. */
export interface RecordOptions {
  readonly out: string | undefined;
  readonly workspace: string | undefined;
}

/** Runs `emend record [FILE]`: records what is saved in a workspace until Ctrl-C. */
export async function record(file: string | undefined, options: RecordOptions, terminal: Terminal): Promise<ExitCode> {
  const { workingFolder, signal, now } = terminal;
  const { root, path } = await findWhatToRecord(file, options, terminal);
  const out = resolve(workingFolder, options.out ?? `session${recordingEnding}`);
  if (!out.endsWith(recordingEnding)) {
    const message = `${options.out} does not end with ${recordingEnding}, by which recordings are known. Write --out ${options.out?.replace(/\.json$/, "")}${recordingEnding}.`;
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
    await settledUnless(signal, workspace.ready);
    const what = path === undefined ? root : `${path} in ${root}`;
    terminal.err(`${printable(`Recording what you save of ${what} to ${out}. Ctrl-C ends.`)}\n`);
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

/** The workspace, and the one file of it that is recorded, where a person named one. */
async function findWhatToRecord(
  file: string | undefined,
  { workspace }: RecordOptions,
  { workingFolder, signal }: Terminal,
): Promise<{ readonly root: string; readonly path?: string }> {
  if (file === undefined) {
    return { root: await openRoot({ workspace, workingFolder, fileSystem: disk }) };
  }
  if (file.endsWith(recordingEnding) && !existsSync(resolve(workingFolder, file))) {
    const message = `${file} is what is written, and not what is recorded. Write --out ${file}.`;
    throw new CommandFailure("usage", message, { exitCode: exitCodes.usage });
  }
  const found = await findExistingFile({ file, workspace, workingFolder, fileSystem: disk });
  // Files that are not read are refused with their reason.
  await readFound(found, { unsaved: undefined, limit: { characters: 100_000_000 }, fileSystem: disk, signal });
  return { root: toPortablePath(found.root), path: found.path };
}

/** Tells a recorder what is saved on the disk, with the cursor behind what was written. */
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
  const told = `${countText(changes.length, "edit")} of ${countText(files, "file")} recorded in ${out}.`;
  return isFull ? `${told} There was more than a recording may hold, and its end is left out.` : told;
}

function asFailure(error: EmendError): CommandFailure {
  return new CommandFailure(error.code, error.message, { exitCode: exitCodes.failed, cause: error });
}
