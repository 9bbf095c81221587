import { raceAbort, resultWithin } from "../../async/index.ts";
import { readEditFiles, writeWorkspaceEdit } from "../../edit/node/index.ts";
import type { NextEditOutcome, NextEditSuggestion, WholeChain } from "../../next/index.ts";
import type { NextEditWorkspace } from "../../next/node/index.ts";
import {
  type Edit,
  type FileTexts,
  Lines,
  type WorkspaceEdit,
  withoutByteOrderMark,
  workspaceEdit,
} from "../../text/index.ts";
import { disk, waitingClock } from "../../workspace/node/index.ts";
import { interruptionNotes, openEditWorkspace, refusedFiles, undoCommand } from "../edit/edit-workspace.ts";
import { findExistingFile, type OpenedFile, openRoot, readFound } from "../open-file.ts";
import { offsetOfPlace, parsePlace } from "../parse-place.ts";
import { journalOf } from "../state-folder.ts";
import { type ExitCode, exitCodes } from "../terminal/exit-codes.ts";
import { badPlace, badUsage, CommandFailure } from "../terminal/failure.ts";
import { jsonLine } from "../terminal/masked-terminal.ts";
import { listed } from "../terminal/print-amount.ts";
import { printable, type Terminal } from "../terminal/terminal.ts";
import { type GivenHistory, readGivenHistory } from "./next-history.ts";
import { nextRequest, openNext, replayHistory } from "./open-next.ts";
import { markedFiles, type NextReport, printNext, printRestOfChain, reportNext } from "./print-next.ts";
import type { NextOptions } from "./watch-next.ts";

/**
 * Runs `emend next [PLACE]`: prints the next edit after the recent ones. Without `argument`, the
 * place is the end of the last recent edit. Having no suggestion is a result, not a failure.
 *
 * Throws a {@link CommandFailure} where an option or the place is invalid, no model of `--model`
 * can be opened, or `--apply` cannot write; then nothing is written. Rejects with the signal's
 * reason on abort.
 */
export async function next(argument: string | undefined, options: NextOptions, terminal: Terminal): Promise<ExitCode> {
  checkOptions(options);
  const place = argument === undefined ? undefined : parseNextPlace(argument);
  const { root, file } = await findPlace(place, options, terminal);
  if (options.watch) {
    if (place !== undefined) throw badUsage("--watch uses the place of each save. Leave PLACE out.");
    const { watchNext } = await import("./watch-next.ts");
    return watchNext(root, options, terminal);
  }
  const history = await readGivenHistory(options.history ?? "git", { root, trust: options.trust }, terminal);
  await using open = await openNext(root, options, terminal);
  const { workspace } = open;
  for (const { path } of history.edits) await open.prepare(path);
  if (file !== undefined) await open.prepare(file.path, file.judgedAs);
  replayHistory(workspace, history);
  await raceAbort(knownWithin(workspace, dependenciesMs), terminal.signal);
  const ownNotes = [...(await interruptionNotes(root, terminal)), ...history.notes];
  const notes = [...open.notes, ...ownNotes];
  if (!options.json) for (const note of ownNotes) terminal.err(`${printable(note)}\n`);
  const at = placeOf(place, file, history, workspace);
  if (at === undefined) {
    const isLeftOut = history.notes.length > 0;
    return printNothingEdited(notes, { root, options, isLeftOut }, terminal);
  }
  const trigger = options.eagerness === undefined ? "invoked" : "automatic";
  const started = terminal.now();
  const outcome = await workspace.suggest(nextRequest(workspace, { root, ...at, trigger, isExhaustive: options.all }), {
    signal: terminal.signal,
  });
  terminal.signal.throwIfAborted();
  const answerMs = terminal.now() - started;
  const chain = await chainOf(outcome, options, workspace, terminal);
  const report = reportNext({
    outcome,
    chain,
    requestedAt: at,
    root,
    historyEdits: history.edits.length,
    files: workspace.files,
    marked: await markedFiles(outcome, chain, { root, signal: terminal.signal }),
    notes,
    answerMs,
    options,
  });
  return await settleNext(report, { outcome, chain, options, workspace, root }, terminal);
}

/**
 * The most milliseconds to wait for the dependencies of the workspace; after that the other
 * providers answer.
 */
const dependenciesMs = 10_000;

/**
 * The most milliseconds to wait for the type checker; after that the answer comes without types.
 */
const typesOpenMs = 20_000;

async function knownWithin(workspace: NextEditWorkspace, limitMs: number): Promise<void> {
  await workspace.ready.catch(() => undefined);
  await resultWithin(workspace.settled(), { clock: waitingClock, limitMs: typesOpenMs });
  await resultWithin(workspace.settled({ dependencies: true }), { clock: waitingClock, limitMs });
}

function checkOptions({ watch, history, apply, chain, all }: NextOptions): void {
  if (watch && history !== undefined)
    throw badUsage("--watch reads your edits from saves, and --history from a diff. Give one of them.");
  if (watch && (apply || chain)) throw badUsage("--watch only prints. Leave --apply and --chain out.");
  if (chain && all)
    throw badUsage("--chain prints all edits of one change, and --all other locations. Give one of them.");
}

/** The workspace, and the named file. */
async function findPlace(
  place: NextPlace | undefined,
  { workspace }: NextOptions,
  { workingFolder, signal }: Terminal,
): Promise<{ readonly root: string; readonly file?: OpenedFile }> {
  if (place === undefined) {
    return { root: await openRoot({ workspace, workingFolder, fileSystem: disk }) };
  }
  const found = await findExistingFile({ file: place.file, workspace, workingFolder, fileSystem: disk });
  // No limit here: a file that is too large is refused by the engine, which names the setting.
  const limit = { characters: 100_000_000 };
  // For an ignored file too, the engine reports the reason.
  const file = await readFound(found, { unsaved: undefined, limit, mayBeKept: true, fileSystem: disk, signal });
  return { root: found.root, file };
}

/**
 * Where the next edit is requested: at the named place, or at the end of the last edit of the file,
 * or of all files; `undefined` where there is none.
 */
function placeOf(
  place: NextPlace | undefined,
  file: OpenedFile | undefined,
  { moves, edits }: GivenHistory,
  workspace: NextEditWorkspace,
): { readonly path: string; readonly offset: number } | undefined {
  const last = edits.findLast(({ path }) => file === undefined || path === file.path);
  if (file === undefined || place === undefined) {
    if (last !== undefined) return { path: last.path, offset: endOf(last.edit) };
    const moved = moves.at(-1);
    if (moved !== undefined) return { path: moved.to, offset: 0 };
    return undefined;
  }
  // A file that is not part of the workspace, such as an ignored one, may be named; the engine
  // reports the reason.
  const text = withoutByteOrderMark(file.text);
  if (workspace.files.textOf(file.path) === undefined) workspace.open(file.path, text);
  const offset = offsetOfNextPlace(Lines.of(text), place);
  return { path: file.path, offset: offset ?? (last === undefined ? 0 : endOf(last.edit)) };
}

/**
 * Prints that there are no recent edits, which is no suggestion like any other. `isLeftOut` where
 * edits were left out, with reasons in `notes`.
 */
function printNothingEdited(
  notes: readonly string[],
  { root, options, isLeftOut }: { readonly root: string; readonly options: NextOptions; readonly isLeftOut: boolean },
  terminal: Terminal,
): ExitCode {
  const other = isLeftOut ? "else " : "";
  const message =
    (options.history ?? "git") === "git"
      ? `Nothing ${other}was edited since the last commit. Edit something first, give a diff with --history DIFF, or name a place.`
      : `Nothing ${other}is edited by the diff of --history. Give one that edits something, or name a place.`;
  if (options.json) {
    const reason = { kind: "no-history", message };
    const report: Omit<NextReport, "requestedAt"> = {
      kind: "no-suggestion",
      root,
      historyEdits: 0,
      reason,
      notes,
      answerMs: 0,
    };
    terminal.out(jsonLine(report, terminal));
  } else terminal.out(`${message}\n`);
  return exitCodes.done;
}

/** The offset of the cursor after an edit. */
function endOf(edit: Edit): number {
  return edit.rangesAfter().at(-1)?.end ?? 0;
}

async function chainOf(
  outcome: NextEditOutcome,
  { chain }: NextOptions,
  { engine }: NextEditWorkspace,
  { signal }: Terminal,
): Promise<WholeChain | undefined> {
  if (!chain || outcome.kind !== "offered" || outcome.suggestion.edit === undefined) return undefined;
  const whole = await engine.whole(outcome.suggestion.id, { signal });
  if (whole !== undefined) return whole;
  const message = "All edits together would add errors, so only single edits are suggested. Leave --chain out.";
  throw new CommandFailure("chain-refused", message, { exitCode: exitCodes.failed });
}

interface NextResult {
  readonly outcome: NextEditOutcome;
  readonly chain: WholeChain | undefined;
  readonly options: NextOptions;
  readonly workspace: NextEditWorkspace;
  readonly root: string;
}

/** Prints the suggestion, and writes it with `--apply`. */
async function settleNext(report: NextReport, result: NextResult, terminal: Terminal): Promise<ExitCode> {
  const { outcome, chain, options, workspace, root } = result;
  if (!options.json) terminal.out(printNext(report, { outcome, files: workspace.files, options, terminal }));
  const texts = outcome.kind === "offered" && options.apply ? editedTexts(outcome.suggestion, chain) : undefined;
  const written = texts === undefined ? undefined : await write(texts, report, root, terminal);
  if (options.json) {
    const { undoId, paths } = written ?? {};
    terminal.out(
      jsonLine(
        { ...report, ...(options.apply && { isWritten: written !== undefined, undoId, writtenPaths: paths }) },
        terminal,
      ),
    );
  } else if (written !== undefined) terminal.err(`${printable(written.message)}\n`);
  else if (options.apply && outcome.kind === "offered")
    terminal.err("Nothing is written: the suggestion is a location without an edit.\n");
  const rest = chain === undefined || options.json ? undefined : printRestOfChain(chain, options.apply);
  if (rest !== undefined) terminal.err(`${rest}\n`);
  // No suggestion from a model is an ordinary answer; an unreachable model is not.
  const isModelBroken = outcome.kind === "no-suggestion" && ["model-failed", "timed-out"].includes(outcome.reason.kind);
  return isModelBroken ? exitCodes.failed : exitCodes.done;
}

/**
 * The texts that a suggestion edits, as they are before, and their edits, by path; those of the
 * chain where there is one. `undefined` where the suggestion is only a location.
 */
export function editedTexts(
  { path, text, edit }: NextEditSuggestion,
  chain: WholeChain | undefined,
): ReadonlyMap<string, { readonly text: string; readonly edit: Edit }> | undefined {
  if (chain !== undefined) return chain.files;
  return edit === undefined ? undefined : new Map([[path, { text, edit }]]);
}

interface Written {
  readonly undoId?: number;
  readonly paths: readonly string[];
  readonly message: string;
}

async function write(
  texts: ReadonlyMap<string, { readonly text: string; readonly edit: Edit }>,
  report: NextReport,
  root: string,
  terminal: Terminal,
): Promise<Written> {
  const { signal } = terminal;
  await openEditWorkspace({ root }, terminal);
  const read = await readEditFiles(root, [...texts.keys()], { signal });
  if (read.refusals.length > 0) throw refusedFiles(read.refusals);
  const files = new Map(read.files.map((file) => [file.path, file.text]));
  const edit = ofDisk(texts, files);
  const instruction = `the next edit, ${report.suggestion?.reason ?? ""}`;
  const outcome = await writeWorkspaceEdit(
    root,
    { files, edit, instruction },
    { journal: journalOf(terminal), signal },
  );
  switch (outcome.kind) {
    case "written": {
      const undo = await undoCommand(root, terminal);
      return {
        undoId: outcome.id,
        paths: outcome.paths,
        message: `Written: ${listed(outcome.paths)}. \`${undo}\` undoes it.`,
      };
    }
    case "unchanged":
      return { paths: [], message: "The files have this content already." };
    case "busy":
      throw failed(`Another Emend (process ${outcome.processId ?? "unknown"}) writes here. Try again when it is done.`);
    case "stale":
      throw stale(outcome.paths);
    case "refused":
      throw refusedFiles(outcome.refusals);
    case "failed":
      throw failed(outcome.message);
  }
}

/** Shifts the edits to the texts on the disk, which may begin with a byte order mark. */
function ofDisk(
  texts: ReadonlyMap<string, { readonly text: string; readonly edit: Edit }>,
  files: FileTexts,
): WorkspaceEdit {
  return workspaceEdit(
    [...texts].map(([path, { text, edit }]) => {
      const onDisk = files.get(path) ?? "";
      if (withoutByteOrderMark(onDisk) !== text) throw stale([path]);
      return { kind: "edit" as const, uri: path, edit: edit.movedBy(onDisk.length - text.length) };
    }),
  );
}

function stale(paths: readonly string[]): CommandFailure {
  return failed(`${listed(paths)} changed on the disk meanwhile. Run the command again.`);
}

function failed(message: string): CommandFailure {
  return new CommandFailure("not-written", `Nothing is written. ${message}`, { exitCode: exitCodes.failed });
}

/**
 * A place as typed for `emend next`, counted from 1: the column may be left out, and then the line
 * too.
 */
interface NextPlace {
  readonly file: string;
  readonly line?: number;
  readonly column?: number;
}

/**
 * Parses `FILE:LINE:COL`, `FILE:LINE` or `FILE`. Throws a {@link CommandFailure} where it is
 * malformed.
 */
function parseNextPlace(argument: string): NextPlace {
  if (/:\d+:\d+$/.test(argument)) return parsePlace(argument);
  const match = /^(.+?):(\d+):?$/s.exec(argument);
  if (match === null) {
    if (argument !== "" && !argument.endsWith(":")) return { file: argument };
    throw badPlace(
      `"${argument}" is not a place. Write for example src/main.ts:12:5, or leave it out for the end of the last edit.`,
    );
  }
  const [, file, line] = match;
  if (Number(line) === 0) throw badPlace(`"${argument}" counts from 0: lines count from 1.`);
  return { file: file!, line: Number(line) };
}

/**
 * The offset of a place; without a column the end of its line, as after typing it. `undefined`
 * without a line.
 */
function offsetOfNextPlace(lines: Lines, { file, line, column }: NextPlace): number | undefined {
  if (line === undefined) return undefined;
  if (column !== undefined) return offsetOfPlace(lines, { file, line, column });
  const start = offsetOfPlace(lines, { file, line, column: 1 });
  return Math.max(start, lines.end(line - 1));
}
