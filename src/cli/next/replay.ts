import { mkdtemp, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { decodeText } from "../../codebase/index.ts";
import { disk, readNamedFile, toPortablePath, waitingClock } from "../../codebase/node/index.ts";
import { loadConfig, userConfigFolder } from "../../config/index.ts";
import {
  defaultNextEditSettings,
  type NextEditOrigin,
  printRecordingIssue,
  type Recording,
  readRecording,
} from "../../next/index.ts";
import { type ReplayStep, replayRecording } from "../../next/node/index.ts";
import { loadNextEditSettings } from "../../server/session/index.ts";
import { openSyntax } from "../../syntax/node/index.ts";
import { checkModelNames, modelFlags } from "../model-flags.ts";
import { NamedModels } from "../named-models.ts";
import { type ExitCode, exitCodes } from "../terminal/exit-codes.ts";
import { CommandFailure } from "../terminal/failure.ts";
import { jsonLine } from "../terminal/masked-terminal.ts";
import { printable, type Terminal } from "../terminal/terminal.ts";
import { flagsOf } from "./open-next.ts";
import { printReplayStep, printReplaySummary, reportReplayStep, summaryOf } from "./print-replay.ts";

/** The options of `emend replay`. */
export interface ReplayOptions {
  /** Separated by commas. */
  readonly origins: string | undefined;
  readonly model: readonly string[] | undefined;
  readonly eagerness: string | undefined;
  readonly format: string | undefined;
  readonly explain: boolean;
  readonly json: boolean;
}

/**
 * Runs `emend replay RECORDING`: prints the suggestions for a recorded session, and whether they
 * agree with its edits.
 */
export async function replay(file: string, options: ReplayOptions, terminal: Terminal): Promise<ExitCode> {
  const { environment, signal } = terminal;
  const origins = originsOf(options.origins);
  checkModelNames(options.model);
  const recording = await openRecording(file, terminal);
  const models = new NamedModels({ environment });
  const syntax = openSyntax();
  const folder = toPortablePath(await realpath(await mkdtemp(join(tmpdir(), "emend-replay-"))));
  const steps: ReplayStep[] = [];
  try {
    const flags = [...modelFlags(options.model, ["next", "model"]), ...flagsOf(options)];
    const source = { fileSystem: disk, userFolder: userConfigFolder(), environment, flags };
    // The workspace of the recording and its configuration are not available, so the person's own
    // is used.
    const { issues } = await loadConfig({ root: folder, isTrusted: undefined, ...source });
    if (!options.json) for (const { message } of issues) terminal.err(`${printable(message)}\n`);
    const settings = await loadNextEditSettings(
      { ...source, openModel: (name, one) => models.open(name, one) },
      { root: folder, editor: undefined },
    );
    try {
      if (options.model !== undefined && settings.model === undefined) {
        throw new CommandFailure("no-model", settings.modelIssues.join(" "), { exitCode: exitCodes.failed });
      }
      const replayed = replayRecording(recording, {
        ...{ folder, syntax, clock: waitingClock, signal },
        settings: { ...settings.settings, ...(origins && { origins }) },
        ...(settings.model && { model: settings.model }),
        onProblem: (message) => {
          if (!options.json) terminal.err(`${printable(message)}\n`);
        },
      });
      const reports: unknown[] = [];
      for await (const step of replayed) {
        steps.push(step);
        // The report is made at once, since it refers to the current texts.
        if (options.json) reports.push(reportReplayStep(step, options));
        else terminal.out(printReplayStep(step, { options, terminal }));
      }
      const summary = summaryOf(recording, steps);
      terminal.out(options.json ? jsonLine({ steps: reports, summary }, terminal) : printReplaySummary(summary));
    } finally {
      settings[Symbol.dispose]();
    }
  } finally {
    syntax[Symbol.dispose]();
    await models[Symbol.asyncDispose]();
    await rm(folder, { recursive: true, force: true });
  }
  return exitCodes.done;
}

/**
 * Reads a recording from the disk, or from standard input for `-`. Throws a {@link CommandFailure}
 * where it is malformed.
 */
async function openRecording(file: string, terminal: Terminal): Promise<Recording> {
  const name = file === "-" ? "standard input" : file;
  const bytes =
    file === "-"
      ? await terminal.readInput()
      : await readNamedFile(toPortablePath(resolve(terminal.workingFolder, file)));
  const decoded = decodeText(bytes);
  if (decoded.kind !== "text") {
    const message = `${name} is not UTF-8 text, so it is not a recording. Give a file that \`emend record\` wrote.`;
    throw new CommandFailure("bad-recording", message, { exitCode: exitCodes.notSource });
  }
  const reading = readRecording(decoded.text.replace(/^\uFEFF/, ""));
  if (reading.kind === "read") return reading.recording;
  throw new CommandFailure("bad-recording", printRecordingIssue(name, reading.issue), { exitCode: exitCodes.failed });
}

function originsOf(list: string | undefined): readonly NextEditOrigin[] | undefined {
  if (list === undefined) return undefined;
  const { origins } = defaultNextEditSettings;
  return list.split(",").map((name) => {
    const origin = origins.find((known) => known === name.trim());
    if (origin !== undefined) return origin;
    const message = `There is no provider "${name.trim()}". Give one of ${origins.join(", ")}.`;
    throw new CommandFailure("usage", message, { exitCode: exitCodes.usage });
  });
}
