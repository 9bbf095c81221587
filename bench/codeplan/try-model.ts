import type { StepStatus } from "../../src/plan/index.ts";
import { ArtifactDiff } from "./artifact-diff.ts";
import { type CarriedOut, type CarryOutOptions, carryOut } from "./carry-out.ts";
import type { OpenTask } from "./open-task.ts";
import { type PaperRun, readPaperRuns } from "./paper-runs.ts";
import { type PredictionScores, scorePrediction } from "./score-prediction.ts";
import { seedTexts } from "./seed-texts.ts";
import type { BlocksOf } from "./target-blocks.ts";
import { TaskRepository } from "./task-repository.ts";

/** What came of a task with a model, and what it is to be held against. */
export interface ModelResult {
  readonly open: OpenTask;
  readonly model: string;
  readonly carried: CarriedOut;
  readonly scores: PredictionScores;
  /** What the seeds are worth that the plan was given. */
  readonly seedScores: PredictionScores;
  readonly paper: readonly PaperResult[];
}

/** A run of the paper, and how the same scores see what it made, where the artifact holds that. */
export interface PaperResult {
  readonly run: PaperRun;
  readonly scores?: PredictionScores;
}

/** How a task is carried out. */
export interface TaskPlanOptions extends Omit<CarryOutOptions, "instruction"> {
  readonly blocksOf: BlocksOf;
}

/**
 * Has a model carry a task out from its seeds, and scores what comes of it beside the seeds alone
 * and the paper's runs.
 */
export async function tryModel(
  open: OpenTask,
  { artifact, ...options }: TaskPlanOptions & { readonly artifact: string },
): Promise<ModelResult> {
  const { task, texts, targets, unplaced } = open;
  const { blocksOf } = options;
  const carried = await carryOutTask(open, options);
  const diff = new ArtifactDiff(task.extension, task.manner);
  try {
    const scoring = { blocksOf, diffOf: (before: string, after: string) => diff.between(before, after) };
    const score = (predicted: ReadonlyMap<string, string>) =>
      scorePrediction({ texts, predicted, targets, unplaced: unplaced.length }, scoring);
    const paper = readPaperRuns(task, artifact).map((run): PaperResult => {
      const { predicted } = run;
      if (predicted === undefined) return { run };
      // What the artifact holds are parts of trees: what is not there was left as it was, and no
      // more was made than the task has.
      const isOfTask = ([path]: readonly [string, string]) => texts.source.has(path) || texts.target.has(path);
      return { run, scores: score(new Map([...texts.source, ...[...predicted].filter(isOfTask)])) };
    });
    const seedScores = score(new Map([...texts.source, ...seedTexts(open, blocksOf)]));
    return { open, model: options.model, carried, scores: score(carried.predicted), seedScores, paper };
  } finally {
    diff[Symbol.dispose]();
  }
}

/**
 * Runs `emend plan` on a task: its source is a repository, and its seeds are what differs in the
 * work tree.
 */
export async function carryOutTask(open: OpenTask, { blocksOf, ...how }: TaskPlanOptions): Promise<CarriedOut> {
  const { task, texts, tree } = open;
  const repository = new TaskRepository({ tree, source: texts.source, seeded: seedTexts(open, blocksOf) });
  try {
    return await carryOut(repository, texts.source, { ...how, instruction: task.instruction });
  } finally {
    repository[Symbol.dispose]();
  }
}

/** Prints a task's table: what the model made of it, and below it what others did. */
export function printModelResult({ open, model, carried, scores, seedScores, paper }: ModelResult): string {
  const { task, targets, unplaced } = open;
  const untouched = targets.filter(({ isUntouched }) => isUntouched === true).length;
  const count = targets.length + unplaced.length - untouched;
  const same = untouched === 0 ? "" : `; ${untouched} more are listed that it leaves as they are`;
  const rows = [
    `${task.title}: the target changes ${count} of the listed blocks${same}`,
    row("", ["matched", "missed", "spurious", "DiffBLEU", "honest", "Levenshtein"]),
    row("seeds alone", cellsOf(seedScores)),
    row(model, cellsOf(scores)),
    `  ${printEffort(carried)}`,
    ...paper.flatMap(({ run, scores: again }) => [
      row(run.title, [
        ...[run.matched, run.missed, run.spurious].map(String),
        run.diffBleu.toFixed(3),
        "-",
        `${run.levenshtein}`,
      ]),
      ...(again === undefined ? [] : [row("  scored here", cellsOf(again))]),
    ]),
  ];
  return rows.join("\n");
}

function cellsOf({
  matched,
  missed,
  spurious,
  publishedDiffBleu,
  honestDiffBleu,
  levenshtein,
}: PredictionScores): string[] {
  const counts = [matched, missed, spurious].map(({ length }) => String(length));
  return [...counts, printShare(publishedDiffBleu), printShare(honestDiffBleu), String(levenshtein)];
}

function row(title: string, cells: readonly string[]): string {
  return `  ${title.padEnd(34)}${cells.map((cell) => cell.padStart(12)).join("")}`;
}

function printShare(value: number | undefined): string {
  return value?.toFixed(3) ?? "-";
}

/** What a plan took, in a line. */
function printEffort({ state, modelCalls, cpuSeconds }: CarriedOut): string {
  const { shown, written } = state.tokens;
  const counts = Object.entries(stepCounts(state)).map(([status, steps]) => `${steps} ${status}`);
  const note = state.ended?.note === undefined ? "" : ` (${state.ended.note})`;
  return [
    `${state.graph.steps.length} steps (${counts.join(", ")})`,
    `${modelCalls} model calls`,
    `${shown.toLocaleString("en")} tokens shown, ${written.toLocaleString("en")} written`,
    `${cpuSeconds.toFixed(1)} s CPU`,
    `ended: ${state.ended?.why}${note}`,
  ].join("; ");
}

function stepCounts(state: CarriedOut["state"]): Partial<Record<StepStatus, number>> {
  const counts: Partial<Record<StepStatus, number>> = {};
  for (const { status } of state.graph.steps) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
}

/** All of it as plain data, for `--json`. */
export function plainModelResult({ open, model, carried, scores, seedScores, paper }: ModelResult) {
  const { state, modelCalls, cpuSeconds } = carried;
  return {
    task: open.task.id,
    model,
    ...{ scores, seedScores, modelCalls, cpuSeconds, tokens: state.tokens, ended: state.ended },
    steps: state.graph.steps.map(({ id, block, status, causes, note }) => ({ id, block, status, causes, note })),
    listedUntouched: open.targets.filter(({ isUntouched }) => isUntouched === true).map(({ id }) => id),
    paper: paper.map(({ run: { predicted: _, ...run }, scores: again }) => ({ ...run, scoredHere: again })),
  };
}
