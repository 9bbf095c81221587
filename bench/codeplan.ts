import { execFileSync } from "node:child_process";
import { existsSync, writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { BlockReader } from "../src/codebase/graph/block-reader.ts";
import { blockId, type CodeBlock, printCodeBlock } from "../src/codebase/graph/code-block.ts";
import { NameReferences } from "../src/codebase/graph/name-references.ts";
import { workLikelihood } from "../src/codebase/impact/impact-analysis.ts";
import { likelihoodOf } from "../src/codebase/impact/likelihood.ts";
import type { ImpactReach } from "../src/codebase/impact/may-impact.ts";
import { parseScriptTree } from "../src/codebase/node/parse-script-tree.ts";
import { openSyntax } from "../src/syntax/node/open-syntax.ts";
import { type SimulatedStep, simulatePlan } from "./codeplan/simulate-plan.ts";
import { allChanges, type TaskTexts } from "./codeplan/target-blocks.ts";
import { type ListedBlock, placeTargets, readBlockList, type TargetBlock } from "./codeplan/task-blocks.ts";
import { type CodePlanTask, tasks } from "./codeplan/tasks.ts";
import { CommitTree } from "./impact/commit-tree.ts";
import { mirrorOf } from "./impact/impact-case.ts";

/** What came of one task. */
interface TaskResult {
  readonly task: CodePlanTask;
  readonly targets: readonly TargetBlock[];
  readonly unplaced: readonly ListedBlock[];
  readonly seeds: readonly string[];
  readonly steps: readonly SimulatedStep[];
  readonly missed: readonly TargetBlock[];
  readonly spurious: readonly SimulatedStep[];
  readonly cpuSeconds: number;
  /** How many targets are reached from each target that is changed alone, in their order; only if asked for. */
  readonly fromEach?: readonly number[];
}

const { artifact, mirror, only, json, isVerbose, isEverySeed } = readOptions();
const syntax = openSyntax();
const reader = new BlockReader({ parseScript: parseScriptTree, syntax });
await reader.load(["a.py", "a.cs"]);
const known = new Map<string, readonly CodeBlock[]>();
const results: TaskResult[] = [];
for (const task of tasks.filter(({ id }) => only === undefined || only === id)) {
  const result = await runTask(task).catch((error: unknown) => {
    // What is missing is told as it is: a clone, a commit, a list of the artifact.
    console.error(`${task.title}: ${error instanceof Error ? error.message : String(error)}`);
    process.exit(2);
  });
  results.push(result);
  printTask(result);
}
syntax[Symbol.dispose]();
printTable();
if (json !== undefined) writeFileSync(json, `${JSON.stringify(results.map(plain), undefined, 2)}\n`);

async function runTask(task: CodePlanTask): Promise<TaskResult> {
  const texts = textsOf(task);
  const changes = allChanges({ texts, blocksOf });
  const source = [...texts.source].flatMap(([path, text]) => blocksOf(path, text));
  const { targets, unplaced } = placeTargets(
    ["matched", "missed"].flatMap((name) => listOf(task, name)),
    changes,
    source,
  );
  const seeds = new Set<string>();
  for (const [path, name] of task.seeds.blocks ?? []) {
    const block = source.find((one) => one.path === path && one.name === name);
    if (block === undefined) throw new Error(`${task.title}: there is no ${name} in ${path} to begin with.`);
    seeds.add(blockId(block));
  }
  const { saying } = task.seeds;
  for (const block of saying === undefined ? [] : source) {
    const own = texts.source.get(block.path)!.slice(block.own.start, block.own.end);
    if (/^(method|constructor|accessor|field|test)$/.test(block.kind) && saying!.test(own)) seeds.add(blockId(block));
  }
  for (const { after } of changes)
    if (task.seeds.newFiles && after && !texts.source.has(after.path)) seeds.add(blockId(after));

  const before = process.cpuUsage();
  const steps = await planFrom([...seeds], texts);
  const { user, system } = process.cpuUsage(before);
  const missed = missedOf(targets, steps);
  const wanted = new Set(targets.map(({ id }) => id));
  const fromEach: number[] = [];
  for (const { id, isNew, isSame } of isEverySeed && task.seeds.saying === undefined ? targets : [])
    if (!isNew && !isSame) fromEach.push(targets.length - missedOf(targets, await planFrom([id], texts)).length);
  return {
    ...{ task, targets, unplaced, steps, missed },
    seeds: [...seeds],
    spurious: steps.filter(({ isTarget, block }) => !isTarget && !wanted.has(blockId(block))),
    cpuSeconds: (user + system) / 1e6,
    ...(fromEach.length > 0 && { fromEach }),
  };
}

async function planFrom(seeds: readonly string[], texts: TaskTexts): Promise<readonly SimulatedStep[]> {
  const references = new NameReferences({ syntax });
  try {
    return await simulatePlan({ texts, blocksOf, references, seeds, isWork });
  } finally {
    await references[Symbol.asyncDispose]();
  }
}

function missedOf(targets: readonly TargetBlock[], steps: readonly SimulatedStep[]): TargetBlock[] {
  const reached = new Set(steps.flatMap(({ block, added }) => [blockId(block), ...added]));
  return targets.filter(({ id, block }) => !reached.has(id) && !reached.has(blockId(block)));
}

/** An obligation is asked if it is likely enough, without a type checker and without a look at its text. */
function isWork(reach: ImpactReach): boolean {
  return likelihoodOf({ reach, wasChecked: false, signs: [] }) >= workLikelihood;
}

function blocksOf(path: string, text: string): readonly CodeBlock[] {
  const key = `${path}\n${text}`;
  const blocks = known.get(key) ?? reader.tryBlocks(path, text) ?? [];
  known.set(key, blocks);
  return blocks;
}

function listOf(task: CodePlanTask, name: string): ListedBlock[] {
  return readBlockList(git("show", `HEAD:data/${task.id}/pred/${task.paper.run}/blocks/${name}.txt`));
}

function textsOf(task: CodePlanTask): TaskTexts {
  const { commits } = task;
  const folder = commits === undefined ? artifact : mirrorOf(mirror, commits.repo);
  const side = (commit: string | undefined, name: string) => {
    const tree = new CommitTree(folder, commit ?? `HEAD:data/${task.id}/${name}`);
    const paths = tree.paths.filter((path) => path.endsWith(task.extension));
    tree.load(paths);
    return new Map(paths.map((path) => [path, tree.text(path)!]));
  };
  return { source: side(commits?.before, "source"), target: side(commits?.after, "target") };
}

function git(...args: readonly string[]): string {
  return execFileSync("git", ["-C", artifact, ...args], { maxBuffer: 2 ** 30 }).toString();
}

function matchedOf({ targets, missed }: TaskResult): number {
  return targets.length - missed.length;
}

function printTask(result: TaskResult): void {
  const { task, targets, unplaced, missed, spurious, seeds, steps, cpuSeconds } = result;
  console.log(`\n${task.title}: ${matchedOf(result)} of ${targets.length + unplaced.length} target blocks`);
  const same = targets.filter(({ isSame }) => isSame).length;
  if (same > 0) console.log(`  ${same} of the listed blocks say the same before and after`);
  const derived = steps.filter(({ isTarget, reach }) => isTarget && reach !== undefined).length;
  console.log(
    `  ${seeds.length} seeds, ${derived} derived edits, ${spurious.length} "No changes.", ${cpuSeconds.toFixed(1)} s CPU`,
  );
  if (result.fromEach !== undefined) console.log(`  from each target alone: ${result.fromEach.join(" ")}`);
  for (const one of unplaced) console.log(`  not found: ${one.name} in ${one.path}`);
  for (const { block } of missed) console.log(`  missed: ${printCodeBlock(block)}`);
  for (const { block, reach } of spurious) console.log(`  spurious: ${printCodeBlock(block)} (${reasonOf(reach)})`);
  if (!isVerbose) return;
  for (const { block, reach, isTarget, added } of steps) {
    if (isTarget)
      console.log(
        `  edit: ${printCodeBlock(block)} (${reasonOf(reach)})${added.map((id) => `\n    + ${id}`).join("")}`,
      );
  }
}

function reasonOf(reach: ImpactReach | undefined): string {
  return reach === undefined ? "seed" : `${reach.change.label} ${reach.relation} of ${reach.from}`;
}

function printTable(): void {
  console.log("\ntask                             ours            seeds  spurious   paper's run     spurious");
  for (const result of results) {
    const { task, targets, unplaced, seeds, spurious } = result;
    const ours = `${matchedOf(result)} of ${targets.length + unplaced.length}`;
    const theirs = `${task.paper.matched} of ${task.paper.targets}`;
    const isBelow = matchedOf(result) < task.paper.matched ? "  below the paper" : "";
    console.log(
      `${task.title.padEnd(32)} ${ours.padEnd(15)} ${String(seeds.length).padStart(5)} ${String(spurious.length).padStart(9)}   ${theirs.padEnd(15)} ${String(task.paper.spurious).padStart(8)}${isBelow}`,
    );
  }
}

function plain(result: TaskResult) {
  const { task, targets, missed, spurious, seeds, unplaced, cpuSeconds } = result;
  return {
    task: task.id,
    paper: task.paper,
    ...{ targets: targets.map(({ id }) => id), seeds, unplaced, cpuSeconds },
    missed: missed.map(({ id }) => id),
    ...(result.fromEach && { fromEach: result.fromEach }),
    spurious: spurious.map(({ block, reach }) => ({ block: blockId(block), reason: reasonOf(reach) })),
  };
}

function readOptions() {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      ...{ mirror: { type: "string" }, model: { type: "string" }, json: { type: "string" } },
      ...{ only: { type: "string" }, verbose: { type: "boolean" } },
      "every-seed": { type: "boolean" },
    },
  });
  const [artifact] = positionals;
  const fail = (message: string): never => {
    console.error(message);
    process.exit(2);
  };
  if (artifact === undefined || values.mirror === undefined)
    return fail(
      "Usage: npm run bench:codeplan -- ARTIFACT --mirror DIR [--only t1|t2|t3|ext1|ext2] [--every-seed] [--verbose] [--json FILE]",
    );
  if (!existsSync(artifact)) return fail(`There is no ${artifact}. Clone microsoft/CodePlan there.`);
  if (values.model !== undefined)
    return fail("--model is not there yet: this command asks which blocks become obligations. Run it without.");
  if (values.only !== undefined && !tasks.some(({ id }) => id === values.only))
    return fail(`There is no task ${values.only}. Name one of ${tasks.map(({ id }) => id).join(", ")}.`);
  return {
    artifact,
    mirror: values.mirror,
    only: values.only,
    json: values.json,
    isVerbose: values.verbose === true,
    isEverySeed: values["every-seed"] === true,
  };
}
