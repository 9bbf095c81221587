import {
  type AtomicChange,
  blockId,
  countStatus,
  type ImpactReport,
  type ImpactView,
  toImpactDot,
  toImpactHtml,
  toImpactJson,
  toImpactSarif,
  toImpactView,
  unfollowedLanguages,
  workLikelihood,
} from "../../analysis/index.ts";
import { type AnalysisProgress, skippedCoverage, WorkspaceAnalysis } from "../../analysis/node/index.ts";
import { openSyntax } from "../../syntax/node/index.ts";
import { Lines } from "../../text/index.ts";
import { type FileSystem, readSource } from "../../workspace/index.ts";
import { blockingDisk, type ChangedTexts, type ChangeRequest, readChangedTexts } from "../../workspace/node/index.ts";
import { changeFailure, readDiffText } from "../change-request.ts";
import { interruptionNotes } from "../edit/edit-workspace.ts";
import { openRoot } from "../open-file.ts";
import { packageVersion } from "../package-version.ts";
import { blockOnLine, type LinePlace, parseLinePlace } from "../parse-place.ts";
import { type ExitCode, exitCodes } from "../terminal/exit-codes.ts";
import { badUsage, CommandFailure } from "../terminal/failure.ts";
import { jsonLine } from "../terminal/masked-terminal.ts";
import { countText } from "../terminal/print-amount.ts";
import { openActivityLine, printAnalysisProgress } from "../terminal/progress.ts";
import { printable, type Terminal } from "../terminal/terminal.ts";
import { walkFiles } from "../walk-files.ts";
import { gitTrustOf, typesMemoryMb } from "../workspace-settings.ts";
import { type ImpactPlace, printImpact, printImpactOf } from "./print-impact.ts";

/** The options of `emend impact`. */
export interface ImpactOptions {
  readonly staged: boolean;
  /** A file with a unified diff, or `-`. */
  readonly diff: string | undefined;
  readonly json: boolean;
  readonly sarif: boolean;
  readonly dot: boolean;
  readonly html: boolean;
  readonly failOn: "missed" | undefined;
  /** From 0 to 1. */
  readonly minLikelihood: number | undefined;
  readonly maxHops: number | undefined;
  readonly all: boolean;
  /** `FILE:LINE`. */
  readonly explain: string | undefined;
  readonly workspace: string | undefined;
  /** Whether the person trusts the workspace, so that filters of git may run. */
  readonly trust: boolean;
}

/**
 * Runs `emend impact [RANGE]`: prints what a change may affect, and which affected blocks it leaves
 * unchanged. Writes nothing.
 *
 * Throws a {@link CommandFailure} where options contradict each other, there is no such folder, the
 * change cannot be read, or the line of `--explain` has no block. Rejects with the signal's reason
 * on abort.
 */
export async function impact(range: string | undefined, options: ImpactOptions, terminal: Terminal): Promise<ExitCode> {
  checkOptions(range, options);
  const { workingFolder, signal, environment } = terminal;
  const root = await openRoot({ workspace: options.workspace, workingFolder, fileSystem: blockingDisk });
  for (const note of await interruptionNotes(root, terminal)) terminal.err(`${note}\n`);
  const linePlace =
    options.explain === undefined
      ? undefined
      : parseLinePlace(options.explain, { root, workingFolder, flag: "--explain" });
  const request = await requestOf(range, options, terminal);

  using activity = openActivityLine(terminal);
  using syntax = openSyntax();
  const { files, skipped } = await walkFiles(root, terminal, (count) => activity.show(`Looking for files: ${count}`));
  const known = new Set(files.keys());
  const git = await gitTrustOf({ root, trust: options.trust, environment });
  const change = await readChangedTexts(request, {
    root,
    files: known,
    skipped,
    fileSystem: blockingDisk,
    git,
    signal,
  });
  if (change.kind !== "texts") throw changeFailure(change, { root, command: "emend impact RANGE", diffFlag: "--diff" });
  const onProgress = (progress: AnalysisProgress) => activity.show(printAnalysisProgress(progress));
  const before = [...change.changed].flatMap(([path, text]) =>
    text.before === undefined ? [] : [[path, text.before] as const],
  );
  await using workspace = await WorkspaceAnalysis.open({
    ...{ root, files, about: [...change.changed.keys()], fileSystem: blockingDisk, syntax, signal },
    overlay: new Map([...change.before, ...before]),
    onlyChange: change.changed,
    maxTypesMemoryMb: await typesMemoryMb(root, options, terminal),
    onProgress,
  });
  const { maxHops } = options;
  const changed = workspace.at(change.changed);
  const report = await changed.impact({ signal, onProgress, ...(maxHops !== undefined && { maxHops }) });
  signal.throwIfAborted();
  const view = toImpactView(report, {
    between: change.between,
    minLikelihood: options.minLikelihood ?? workLikelihood,
    changed: change.changed,
    graphs: changed.graphs,
    textOf: (path) => workspace.textOf(path),
    blocksOf: (path, text) => workspace.blocksOf(path, text),
    coverage: { ...workspace.coverage, ...skippedCoverage(change, skipped) },
  });
  activity[Symbol.dispose]();
  if (linePlace !== undefined) await explain(linePlace, { view, report, change, workspace, root, options, terminal });
  else printView(view, options, terminal);
  return options.failOn === "missed" ? exitCodeOf(view, options, terminal) : exitCodes.done;
}

/**
 * The exit code with `--fail-on missed`. Without types a work list may be empty without a reason.
 */
function exitCodeOf(view: ImpactView, { json }: ImpactOptions, terminal: Terminal): ExitCode {
  if (countStatus(view, "to-do") > 0) return exitCodes.missed;
  const { types } = view.coverage;
  if (types.kind !== "failed" || unfollowedLanguages(view.coverage).length === 0) return exitCodes.done;
  const why = `It is not known whether a block was missed: ${printable(types.message)}`;
  if (!json) terminal.err(`${why} A part of the workspace, named with --workspace, needs less memory and time.\n`);
  return exitCodes.failed;
}

function printView(view: ImpactView, options: ImpactOptions, terminal: Terminal): void {
  const { out, colour } = terminal;
  const { all } = options;
  if (options.json) out(jsonLine(toImpactJson(view), terminal));
  else if (options.sarif) out(`${JSON.stringify(toImpactSarif(view, { version: packageVersion(), all }), null, 2)}\n`);
  else if (options.dot) out(toImpactDot(view, { all }));
  else if (options.html) out(toImpactHtml(view));
  else out(`${printImpact(view, { colour, all })}\n`);
}

function checkOptions(range: string | undefined, options: ImpactOptions): void {
  const changes = [
    ...(range === undefined ? [] : [range]),
    ...(options.staged ? ["--staged"] : []),
    ...(options.diff === undefined ? [] : ["--diff"]),
  ];
  if (changes.length > 1) throw badUsage(`Give one change: ${changes.join(" or ")}, not both.`);
  const shapes = (["json", "sarif", "dot", "html"] as const).filter((name) => options[name]).map((name) => `--${name}`);
  if (shapes.length > 1) throw badUsage(`Give one of ${shapes.join(" and ")}.`);
  if (options.explain !== undefined && shapes.length > 0 && !options.json) {
    throw badUsage(`--explain is printed for people, or with --json; not with ${shapes[0]}.`);
  }
}

async function requestOf(
  range: string | undefined,
  { staged, diff }: ImpactOptions,
  terminal: Terminal,
): Promise<ChangeRequest> {
  if (staged) return { kind: "staged" };
  if (range !== undefined) return { kind: "range", range };
  if (diff === undefined) return { kind: "work-tree" };
  return { kind: "diff", diff: await readDiffText(diff, terminal) };
}

interface Explained {
  readonly view: ImpactView;
  readonly report: ImpactReport;
  readonly change: ChangedTexts;
  readonly workspace: WorkspaceAnalysis;
  readonly root: string;
  readonly options: ImpactOptions;
  readonly terminal: Terminal;
}

async function explain(linePlace: LinePlace, parts: Explained): Promise<void> {
  const { view, options, terminal } = parts;
  const found = await findPlace(linePlace, parts);
  if (options.json) terminal.out(jsonLine({ kind: "impact-of-block", between: view.between, ...found }, terminal));
  else terminal.out(`${printImpactOf(view, found, { colour: terminal.colour, all: options.all })}\n`);
}

/**
 * The block on a line of the changed files, with its changes and effects. Throws a {@link
 * CommandFailure} where there is none.
 */
async function findPlace(
  { path, line, typed }: LinePlace,
  { view, report, change, workspace, root }: Explained,
): Promise<ImpactPlace> {
  const changed = change.changed.get(path);
  const text =
    changed === undefined ? (workspace.textOf(path) ?? (await textOnDisk(root, path, blockingDisk))) : changed.after;
  if (text === undefined) {
    throw new CommandFailure(
      "file-missing",
      `There is no file ${path} that is read, after the change. Check the path.`,
      {
        exitCode: exitCodes.notFound,
      },
    );
  }
  const lines = Lines.of(text);
  if (line > lines.count) {
    const message = `Line ${line} is outside of ${path}, which has ${countText(lines.count, "line")}.`;
    throw new CommandFailure("outside-text", message, { exitCode: exitCodes.outsideText });
  }
  const block = blockOnLine(workspace.blocksOf(path, text), lines, line - 1);
  if (block === undefined) {
    const message = `There is no block at ${typed}: give a line of a function, a class, a type or another declaration.`;
    throw new CommandFailure("outside-text", message, { exitCode: exitCodes.outsideText });
  }
  const id = blockId(block);
  const isIt = ({ before, after }: AtomicChange) => blockId((after ?? before)!) === id;
  const changes = report.changes.flatMap((one, index) => (isIt(one) ? [view.changes[index]!] : []));
  const affected = view.affected.find((one) => one.block.id === id);
  const start = lines.positionAt(block.nameRange?.start ?? block.ownRange.start);
  const end = lines.positionAt(block.ownRange.end);
  const shown = affected?.block ??
    changes[0]?.block ?? {
      ...{ id, path, kind: block.kind, name: block.name, isGone: false },
      ...{ line: start.line + 1, column: start.column + 1, endLine: end.line + 1, endColumn: end.column + 1 },
    };
  return { block: shown, changes, affected };
}

async function textOnDisk(root: string, path: string, fileSystem: FileSystem): Promise<string | undefined> {
  const answer = await readSource(root, path, { fileSystem });
  return answer.kind === "source" ? answer.text : undefined;
}
