import { mkdtemp, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { userConfigFolder } from "../../config/index.ts";
import {
  type Agreement,
  defaultNextEditSettings,
  describeNoNextEdit,
  explainNextOutcome,
  type NextEditOrigin,
  printRecordingIssue,
  type Recording,
  readRecording,
} from "../../next/index.ts";
import { type ReplayStep, replayRecording } from "../../next/node/index.ts";
import { loadNextEditSettings } from "../../server/session/index.ts";
import { openSyntax } from "../../syntax/node/index.ts";
import { Lines, printLocation } from "../../text/index.ts";
import { decodeText } from "../../workspace/index.ts";
import { disk, toPortablePath, waitingClock } from "../../workspace/node/index.ts";
import { checkModelNames, modelFlags, NamedModels } from "../named-models.ts";
import { readFileOrInput } from "../open-file.ts";
import { type ExitCode, exitCodes } from "../terminal/exit-codes.ts";
import { CommandFailure } from "../terminal/failure.ts";
import { jsonLine } from "../terminal/masked-terminal.ts";
import { countText } from "../terminal/print-amount.ts";
import { printable, styled, type Terminal } from "../terminal/terminal.ts";
import { flagsOf } from "./open-next.ts";
import { type NextReport, printNext, reportNext } from "./print-next.ts";

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
 *
 * Throws a {@link CommandFailure} where an option is invalid, the recording is missing or
 * malformed, or no model of `--model` can be opened. Rejects with the signal's reason on abort.
 */
export async function replay(file: string, options: ReplayOptions, terminal: Terminal): Promise<ExitCode> {
  const { environment, signal } = terminal;
  const origins = originsOf(options.origins);
  checkModelNames(options.model);
  const recording = await openRecording(file, terminal);
  await using models = new NamedModels({ environment });
  using syntax = openSyntax();
  const folder = toPortablePath(await realpath(await mkdtemp(join(tmpdir(), "emend-replay-"))));
  const steps: ReplayStep[] = [];
  try {
    const flags = [...modelFlags(options.model, ["next", "model"]), ...flagsOf(options)];
    const source = { fileSystem: disk, userFolder: userConfigFolder(), environment, flags };
    // The workspace of the recording and its configuration are not available, so the person's own
    // is used.
    using settings = await loadNextEditSettings(
      { ...source, openModel: (name, one) => models.open(name, one) },
      { root: folder, editor: undefined },
    );
    if (!options.json) for (const issue of settings.issues) terminal.err(`${printable(issue)}\n`);
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
    terminal.out(
      options.json
        ? jsonLine({ steps: reports, summary, issues: settings.issues }, terminal)
        : printReplaySummary(summary),
    );
  } finally {
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
  const decoded = decodeText(await readFileOrInput(file, terminal));
  if (decoded.kind !== "text") {
    const message = `${name} is not UTF-8 text, so it is not a recording. Give a file that \`emend record\` wrote.`;
    throw new CommandFailure("bad-recording", message, { exitCode: exitCodes.notSource });
  }
  const reading = await readRecording(decoded.text.replace(/^\uFEFF/, ""));
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

/** How often suggestions agreed with the edits that followed. */
type AgreementCounts = Readonly<Record<Agreement, number>> & { readonly suggested: number };

/** The result of a replay. */
export interface ReplaySummary {
  /** The number of edits in the recording, and of requests for the next one. */
  readonly edits: number;
  readonly requests: number;
  readonly all: AgreementCounts;
  readonly byOrigin: Readonly<Partial<Record<NextEditOrigin, AgreementCounts>>>;
  /** Milliseconds for one answer. */
  readonly medianMs: number;
  readonly slowestMs: number;
}

/**
 * The output of `--json` for a step, similar to that of `emend next`. Fields may be added; none
 * changes its meaning.
 */
export interface ReplayStepReport extends Omit<NextReport, "root" | "notes" | "historyEdits"> {
  /** The number of the edit in the recording's list, from 1, and its time in milliseconds. */
  readonly event: number;
  readonly atMs: number;
  readonly agreement?: Agreement;
}

/** Makes the report of a step for programs. */
function reportReplayStep(step: ReplayStep, { explain }: { readonly explain: boolean }): ReplayStepReport {
  const { root: _, notes: __, historyEdits: ___, ...report } = reportOf(step, explain);
  return {
    ...{ event: step.index + 1, atMs: step.atMs },
    ...(step.agreement !== undefined && { agreement: step.agreement }),
    ...report,
  };
}

function reportOf({ outcome, path, offset, files, tookMs }: ReplayStep, explain: boolean): NextReport {
  const requestedAt = { path, offset };
  const options = { all: false, explain };
  return reportNext({
    ...{
      outcome,
      chain: undefined,
      requestedAt,
      root: "",
      historyEdits: 0,
      files,
      notes: [],
      answerMs: tookMs,
      options,
    },
  });
}

/**
 * A step for people: the suggestion, and whether it agrees with the next edit; without a suggestion
 * only the reason, with `--explain`.
 */
function printReplayStep(
  step: ReplayStep,
  {
    options,
    terminal,
  }: { readonly options: { readonly explain: boolean }; readonly terminal: Pick<Terminal, "colour" | "isShown"> },
): string {
  const { outcome, files, agreement, index } = step;
  if (outcome.kind === "no-suggestion" && !options.explain) return "";
  const head = `Event ${index + 1}, ${printTime(step.atMs)}, at ${placeOf(step)}`;
  const title = agreement === undefined ? head : `${head}: ${words[agreement]}`;
  const heading = styled(printable(title), "cyan", terminal.colour);
  if (outcome.kind === "no-suggestion") {
    const why = `Nothing: ${describeNoNextEdit(outcome.reason)}`;
    return `${heading}\n${printable(why)}\n${printable(restOf(explainNextOutcome(outcome, files)))}\n`;
  }
  const report = reportOf(step, false);
  const shown = printNext(report, { outcome, files, options: { all: false, explain: false }, terminal });
  const explained = options.explain ? `\n${printable(restOf(explainNextOutcome(outcome, files)))}` : "";
  return `${heading}\n${shown}${explained}\n`;
}

/** All but the first line, which is printed already. */
function restOf(explained: string): string {
  return explained.slice(explained.indexOf("\n") + 1).trimStart();
}

const words: Readonly<Record<Agreement, string>> = {
  exact: "exactly what followed",
  place: "another edit in the same place",
  elsewhere: "edited elsewhere",
  unknown: "no edit followed",
};

/** Counts the agreement of the suggestions in a replay. */
function summaryOf({ events }: Recording, steps: readonly ReplayStep[]): ReplaySummary {
  const offered = steps.flatMap(({ outcome, agreement }) =>
    outcome.kind === "offered" && agreement !== undefined ? [{ origin: outcome.suggestion.origin, agreement }] : [],
  );
  const origins = [...new Set(offered.map(({ origin }) => origin))];
  const times = steps.map(({ tookMs }) => tookMs).sort((one, other) => one - other);
  return {
    edits: events.filter(({ kind }) => kind === "changed").length,
    requests: steps.length,
    all: countsOf(offered.map(({ agreement }) => agreement)),
    byOrigin: Object.fromEntries(
      origins.map((origin) => [
        origin,
        countsOf(offered.filter((one) => one.origin === origin).map(({ agreement }) => agreement)),
      ]),
    ),
    medianMs: tenths(times[Math.floor(times.length / 2)] ?? 0),
    slowestMs: tenths(times.at(-1) ?? 0),
  };
}

function countsOf(agreements: readonly Agreement[]): AgreementCounts {
  const count = (wanted: Agreement) => agreements.filter((one) => one === wanted).length;
  return {
    suggested: agreements.length,
    ...{ exact: count("exact"), place: count("place"), elsewhere: count("elsewhere"), unknown: count("unknown") },
  };
}

/** A summary for people. */
function printReplaySummary({ edits, requests, all, byOrigin, medianMs, slowestMs }: ReplaySummary): string {
  const rows = Object.entries(byOrigin).map(([origin, counts]) => `  ${origin.padEnd(8)} ${printCounts(counts)}\n`);
  const times = requests === 0 ? "" : ` An answer took ${medianMs} ms in the median, ${slowestMs} ms at most.`;
  const head = `${countText(edits, "edit")}, ${countText(requests, "request")}: ${printCounts(all)}.${times}\n`;
  return head + (rows.length > 1 ? rows.join("") : "");
}

function printCounts({ suggested, exact, place, elsewhere, unknown }: AgreementCounts): string {
  if (suggested === 0) return "nothing suggested";
  const parts = [
    `${exact} exactly what followed`,
    `${place} in the right place`,
    `${elsewhere} elsewhere`,
    ...(unknown === 0 ? [] : [`${unknown} with no edit after it`]),
  ];
  return `${countText(suggested, "suggestion")}, ${parts.join(", ")}`;
}

function printTime(ms: number): string {
  const seconds = ms / 1000;
  return seconds < 60 ? `${seconds.toFixed(1)} s` : `${Math.floor(seconds / 60)} min ${Math.floor(seconds % 60)} s`;
}

function placeOf({ path, offset, files }: ReplayStep): string {
  const text = files.textOf(path);
  if (text === undefined) return path;
  return printLocation(path, Lines.of(text).positionAt(Math.min(offset, text.length)));
}

function tenths(milliseconds: number): number {
  return Math.round(milliseconds * 10) / 10;
}
