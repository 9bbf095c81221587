import { mkdtemp, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { decodeText } from "../codebase/index.ts";
import { disk, systemClock, toPortablePath } from "../codebase/node/index.ts";
import { loadConfig, userConfigFolder } from "../config/index.ts";
import {
  defaultNextEditSettings,
  type NextEditOrigin,
  printRecordingIssue,
  type Recording,
  readRecording,
} from "../next/index.ts";
import { type ReplayStep, replayRecording } from "../next/node/index.ts";
import { loadNextEditSettings } from "../server/session/index.ts";
import { openSyntax } from "../syntax/node/index.ts";
import { type ExitCode, exitCodes } from "./exit-codes.ts";
import { CommandFailure } from "./failure.ts";
import { checkModelNames, modelFlags } from "./model-flags.ts";
import { NamedModels } from "./named-models.ts";
import { flagsOf } from "./open-next.ts";
import { printReplayStep, printReplaySummary, reportReplayStep, summaryOf } from "./print-replay.ts";
import { printable, type Terminal } from "./terminal.ts";

/** What may be said on the command line of `emend replay`. */
export interface ReplayOptions {
  /** With commas between. */
  readonly origins: string | undefined;
  readonly model: readonly string[] | undefined;
  readonly eagerness: string | undefined;
  readonly format: string | undefined;
  readonly explain: boolean;
  readonly json: boolean;
}

/** Runs `emend replay RECORDING`: says what would have been suggested in a recorded session, and whether that is what came. */
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
    // The workspace of the recording is not here, and neither is its configuration: the person's own holds.
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
        ...{ folder, syntax, clock: systemClock, signal },
        settings: { ...settings.settings, ...(origins && { origins }) },
        ...(settings.model && { model: settings.model }),
        onProblem: (message) => {
          if (!options.json) terminal.err(`${printable(message)}\n`);
        },
      });
      const reports: unknown[] = [];
      for await (const step of replayed) {
        steps.push(step);
        // The texts are those of just now.
        if (options.json) reports.push(reportReplayStep(step, options));
        else terminal.out(printReplayStep(step, { options, terminal }));
      }
      const summary = summaryOf(recording, steps);
      terminal.out(options.json ? `${JSON.stringify({ steps: reports, summary })}\n` : printReplaySummary(summary));
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

/** Reads a recording from the disk, or from standard input for `-`. Throws a {@link CommandFailure} that says what to do. */
async function openRecording(file: string, terminal: Terminal): Promise<Recording> {
  const name = file === "-" ? "standard input" : file;
  const bytes =
    file === "-"
      ? await terminal.readInput()
      : await disk.readFile(toPortablePath(resolve(terminal.workingFolder, file)));
  const decoded = decodeText(bytes);
  if (decoded.kind !== "text") {
    const message = `${name} is no text in UTF-8, as recordings are. Give a file that \`emend record\` wrote.`;
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
    const message = `Nobody called "${name.trim()}" suggests next edits; there are ${origins.join(", ")}.`;
    throw new CommandFailure("usage", message, { exitCode: exitCodes.usage });
  });
}
