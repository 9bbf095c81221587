import { textsIn } from "./open-task.ts";
import { runGit } from "./run-git.ts";
import type { CodePlanTask } from "./tasks.ts";

/** A run of the paper on a task. */
export interface PaperRun {
  /** As people read it, such as `CodePlan`. */
  readonly title: string;
  readonly matched: number;
  readonly missed: number;
  readonly spurious: number;
  /** From 0 to 1. */
  readonly diffBleu: number;
  readonly levenshtein: number;
  /**
   * What it made of the files of the task's language, where the artifact holds that; not all files
   * of the source are there.
   */
  readonly predicted?: ReadonlyMap<string, string>;
}

/** Reads the paper's runs on a task from the artifact, CodePlan's own first. */
export function readPaperRuns(task: CodePlanTask, artifact: string): readonly PaperRun[] {
  const folder = `HEAD:data/${task.id}/pred`;
  const names = runGit(artifact, "ls-tree", "--name-only", folder).trim().split("\n");
  const rank = (name: string) => Object.keys(titles).indexOf(name);
  return names.sort((a, b) => rank(a) - rank(b)).map((name) => readRun(task, artifact, `${folder}/${name}`, name));
}

function readRun(task: CodePlanTask, artifact: string, folder: string, name: string): PaperRun {
  const { summary } = JSON.parse(runGit(artifact, "cat-file", "blob", `${folder}/metrics.json`)) as Metrics;
  // Some predictions are links to commits that no longer exist.
  const isThere = runGit(artifact, "cat-file", "-t", `${folder}/repo`).trim() === "tree";
  return {
    title: titles[name] ?? name,
    ...{ matched: summary.matched_blocks, missed: summary.missed_blocks, spurious: summary.spurious_blocks },
    ...{ diffBleu: summary.avg_diff_bleu, levenshtein: summary.total_ld },
    ...(isThere && { predicted: textsIn(artifact, `${folder}/repo`, task) }),
  };
}

/** The part of a run's `metrics.json` that sums it up. */
interface Metrics {
  readonly summary: {
    readonly avg_diff_bleu: number;
    readonly total_ld: number;
    readonly matched_blocks: number;
    readonly missed_blocks: number;
    readonly spurious_blocks: number;
  };
}

const titles: Readonly<Record<string, string>> = {
  codeplan: "CodePlan",
  codeplan_iter_2: "CodePlan, second iteration",
  codeplan_no_context: "CodePlan without context",
  coeditor_codeplan: "CodePlan with Coeditor",
  repair: "repair by the verifier",
  repair_strict: "repair by the strict verifier",
  coeditor_repair: "repair with Coeditor",
  coeditor_repair_strict: "strict repair with Coeditor",
};
