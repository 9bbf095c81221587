import { blockId, type CodeBlock } from "../../src/analysis/graph/code-block.ts";
import { CommitTree } from "../impact/commit-tree.ts";
import { cloneOf } from "../repositories.ts";
import { runGit } from "./run-git.ts";
import { isRewritten } from "./score-prediction.ts";
import { type BlocksOf, TargetBlocks, type TaskTexts } from "./target-blocks.ts";
import { type ListedBlock, placeTargets, readBlockList, type TargetBlock } from "./task-blocks.ts";
import type { CodePlanTask } from "./tasks.ts";

/** Where the tasks lie. */
export interface TaskPlaces {
  /** A clone of the replication package, bare or not. */
  readonly artifact: string;
  /** Clones of the repositories that are not in it. */
  readonly clones: string;
}

/** A task with all its texts. */
export interface OpenTask {
  readonly task: CodePlanTask;
  /** The repository in which the source's tree lies, and the name of the tree. */
  readonly tree: { readonly git: string; readonly name: string };
  /** The files of its language. */
  readonly texts: TaskTexts;
  readonly target: TargetBlocks;
  /** The blocks of the artifact's lists, and those of them that cannot be found. */
  readonly targets: readonly TargetBlock[];
  readonly unplaced: readonly ListedBlock[];
  /** The ids of the blocks that the plan begins with. */
  readonly seeds: readonly string[];
}

/**
 * Reads a task. Throws where a clone, a commit, a list or a block that the task names is missing.
 */
export function openTask(task: CodePlanTask, places: TaskPlaces, blocksOf: BlocksOf): OpenTask {
  const { artifact, clones } = places;
  const { commits } = task;
  const git = commits === undefined ? artifact : cloneOf(clones, commits.repo);
  const [before, after] = commits
    ? [commits.before, commits.after]
    : [`HEAD:data/${task.id}/source`, `HEAD:data/${task.id}/target`];
  const texts = { source: textsIn(git, before, task), target: textsIn(git, after, task) };
  const target = new TargetBlocks(texts, blocksOf);
  const source = [...texts.source].flatMap(([path, text]) => blocksOf(path, text));
  const listed = ["matched", "missed"].flatMap((name) =>
    readBlockList(
      runGit(artifact, "cat-file", "blob", `HEAD:data/${task.id}/pred/${task.paper.run}/blocks/${name}.txt`),
    ),
  );
  const placed = placeTargets(listed, target.changes, source);
  const { unplaced } = placed;
  const targets = placed.targets.map((one): TargetBlock => {
    const isUntouched = one.isSame && !isRewritten(one.block, [texts.source, texts.target], blocksOf);
    return isUntouched ? { ...one, isUntouched } : one;
  });
  const seeds = seedsOf(task, { texts, target, source });
  return { task, tree: { git, name: before }, texts, target, targets, unplaced, seeds };
}

/** The texts of the files of a task's language in a tree, without byte order marks. */
export function textsIn(git: string, name: string, { extension }: CodePlanTask): ReadonlyMap<string, string> {
  const tree = new CommitTree(git, name);
  const paths = tree.paths.filter((path) => path.endsWith(extension));
  tree.load(paths);
  return new Map(paths.map((path) => [path, tree.text(path)!]));
}

function seedsOf(
  { seeds: { blocks = [], pattern, newFiles = false }, title }: CodePlanTask,
  { texts, target, source }: Pick<OpenTask, "texts" | "target"> & { readonly source: readonly CodeBlock[] },
): readonly string[] {
  const seeds = new Set<string>();
  for (const [path, name] of blocks) {
    const block = source.find((one) => one.path === path && one.name === name);
    if (block === undefined) throw new Error(`${title}: there is no ${name} in ${path} to begin with.`);
    seeds.add(blockId(block));
  }
  for (const block of pattern === undefined ? [] : source) {
    const own = texts.source.get(block.path)!.slice(block.ownRange.start, block.ownRange.end);
    if (/^(method|constructor|accessor|field|test)$/.test(block.kind) && pattern!.test(own)) seeds.add(blockId(block));
  }
  for (const { after } of target.changes)
    if (newFiles && after && !texts.source.has(after.path)) seeds.add(blockId(after));
  return [...seeds];
}
