import { blockId, printCodeBlock } from "../../src/analysis/graph/code-block.ts";
import { NameReferences } from "../../src/analysis/graph/name-references.ts";
import { workLikelihood } from "../../src/analysis/impact/impact-analysis.ts";
import { likelihoodOf } from "../../src/analysis/impact/likelihood.ts";
import type { ImpactReach } from "../../src/analysis/impact/may-impact.ts";
import type { Syntax } from "../../src/syntax/index.ts";
import type { OpenTask } from "./open-task.ts";
import { type PyrightCounts, pyrightReferences } from "./pyright-references.ts";
import { type SimulatedStep, simulatePlan } from "./simulate-plan.ts";
import type { BlocksOf } from "./target-blocks.ts";
import type { TargetBlock } from "./task-blocks.ts";

/** Which blocks of a task become obligations, where each is edited as the target has it. */
export interface FoundBlocks {
  readonly open: OpenTask;
  readonly steps: readonly SimulatedStep[];
  /** Of those that the target changes. */
  readonly missed: readonly TargetBlock[];
  readonly spurious: readonly SimulatedStep[];
  readonly cpuSeconds: number;
  /**
   * How many targets are reached from each target that is changed alone, in their order; only if
   * requested.
   */
  readonly fromEach?: readonly number[];
  /**
   * How many requests pyright received for the meaning of a name, and answered; only with pyright.
   */
  readonly pyright?: PyrightCounts;
}

/** What {@link findBlocks} works with. */
export interface FindingParts {
  readonly blocksOf: BlocksOf;
  readonly syntax: Pick<Syntax, "load" | "tryParseInSlices">;
  /** Whether each target is taken as the only seed, too. */
  readonly isEverySeed: boolean;
  /** Whether pyright settles the doubtful names of tasks in Python. */
  readonly usesPyright: boolean;
}

/** Carries a task out as one who knows the answer, and records the requests. */
export async function findBlocks(open: OpenTask, parts: FindingParts): Promise<FoundBlocks> {
  const { targets, seeds, task } = open;
  const before = process.cpuUsage();
  const { steps, pyright } = await planFrom(seeds, open, parts);
  const { user, system } = process.cpuUsage(before);
  const wanted = new Set(targets.map(({ id }) => id));
  const fromEach: number[] = [];
  for (const { id, isNew, isSame } of parts.isEverySeed && task.seeds.pattern === undefined ? targets : [])
    if (!isNew && !isSame)
      fromEach.push(changedOf(open).length - missedOf(open, (await planFrom([id], open, parts)).steps).length);
  return {
    ...{ open, steps, missed: missedOf(open, steps) },
    spurious: steps.filter(({ isTarget, block }) => !isTarget && !wanted.has(blockId(block))),
    cpuSeconds: (user + system) / 1e6,
    ...(fromEach.length > 0 && { fromEach }),
    ...(pyright && { pyright }),
  };
}

async function planFrom(
  seeds: readonly string[],
  { texts, task }: OpenTask,
  { blocksOf, syntax, usesPyright }: FindingParts,
): Promise<Pick<FoundBlocks, "steps" | "pyright">> {
  const names = new NameReferences({ syntax });
  const settled =
    usesPyright && task.extension === ".py" ? pyrightReferences(texts.source, names, blocksOf) : undefined;
  const references = settled?.references ?? names;
  try {
    const steps = await simulatePlan({ texts, blocksOf, references, seeds, isWork });
    return { steps, ...(settled && { pyright: settled.counts }) };
  } finally {
    await references[Symbol.asyncDispose]();
  }
}

/** The listed blocks that the target changes. */
function changedOf({ targets }: OpenTask): readonly TargetBlock[] {
  return targets.filter(({ isUntouched }) => isUntouched !== true);
}

function missedOf(open: OpenTask, steps: readonly SimulatedStep[]): readonly TargetBlock[] {
  const reached = new Set(steps.flatMap(({ block, added }) => [blockId(block), ...added]));
  return changedOf(open).filter(({ id, block }) => !reached.has(id) && !reached.has(blockId(block)));
}

/**
 * An obligation is requested if it is likely enough, without a type checker and without a look at
 * its text.
 */
function isWork(reach: ImpactReach): boolean {
  return likelihoodOf({ reach, wasChecked: false, signs: [] }) >= workLikelihood;
}

/**
 * Prints what was found in a task, and what was requested in vain; with `isVerbose` each edit, too.
 */
export function printFound(found: FoundBlocks, { isVerbose }: { readonly isVerbose: boolean }): string {
  const { open, missed, spurious, steps, cpuSeconds, fromEach, pyright } = found;
  const { task, targets, unplaced, seeds } = open;
  const untouched = targets.filter(({ isUntouched }) => isUntouched === true);
  const stepBlocks = new Set(steps.map(({ block }) => blockId(block)));
  const derived = steps.filter(({ isTarget, reach }) => isTarget && reach !== undefined).length;
  const edits = steps.filter(({ isTarget }) => isVerbose && isTarget);
  return [
    `\n${task.title}: ${countFound(found)} of the listed blocks that the target changes`,
    ...untouched.map(
      ({ id, block }) =>
        `  listed, and the same before and after: ${printCodeBlock(block)} (${stepBlocks.has(id) ? "asked" : "not asked"})`,
    ),
    `  ${seeds.length} seeds, ${derived} derived edits, ${spurious.length} "No changes.", ${cpuSeconds.toFixed(1)} s CPU`,
    ...(pyright === undefined ? [] : [`  pyright knew ${pyright.known} of ${pyright.queried} doubtful names`]),
    ...(fromEach === undefined ? [] : [`  from each target alone: ${fromEach.join(" ")}`]),
    ...unplaced.map((one) => `  not found: ${one.name} in ${one.path}`),
    ...missed.map(({ block }) => `  missed: ${printCodeBlock(block)}`),
    ...spurious.map(({ block, reach }) => `  spurious: ${printCodeBlock(block)} (${reasonOf(reach)})`),
    ...edits.flatMap(({ block, reach, added }) => [
      `  edit: ${printCodeBlock(block)} (${reasonOf(reach)})`,
      ...added.map((id) => `    + ${id}`),
    ]),
  ].join("\n");
}

/** Prints all tasks beside the paper's own run. */
export function printFoundTable(results: readonly FoundBlocks[]): string {
  const head = [
    ...["task".padEnd(32), "listed asked", "  changed asked", "seeds", " spurious", "  paper's run ", "spurious"],
  ].join(" ");
  const rows = results.map((found) => {
    const { task, seeds } = found.open;
    const { matched, targets, spurious } = task.paper;
    const counts = [String(seeds.length).padStart(5), String(found.spurious.length).padStart(9)];
    const theirs = [`  ${matched} of ${targets}`.padEnd(14), String(spurious).padStart(8)];
    const ours = [countListed(found).padEnd(12), `  ${countFound(found)}`.padEnd(15)];
    return [task.title.padEnd(32), ...ours, ...counts, ...theirs].join(" ");
  });
  return ["", head, ...rows].join("\n");
}

function countFound({ open, missed }: FoundBlocks): string {
  const changed = changedOf(open).length;
  return `${changed - missed.length} of ${changed + open.unplaced.length}`;
}

/** Of all that are listed, those that the target leaves as they are among them. */
function countListed({ open, missed, steps }: FoundBlocks): string {
  const stepBlocks = new Set(steps.map(({ block }) => blockId(block)));
  const untouched = open.targets.filter(({ id, isUntouched }) => isUntouched === true && stepBlocks.has(id)).length;
  const changed = changedOf(open).length - missed.length;
  return `${changed + untouched} of ${open.targets.length + open.unplaced.length}`;
}

function reasonOf(reach: ImpactReach | undefined): string {
  return reach === undefined ? "seed" : `${reach.change.label} ${reach.relation} of ${reach.from}`;
}

/** All of it as plain data, for `--json`. */
export function plainFound({ open, missed, spurious, cpuSeconds, fromEach }: FoundBlocks) {
  const { task, targets, seeds, unplaced } = open;
  return {
    task: task.id,
    paper: task.paper,
    ...{ targets: targets.map(({ id }) => id), seeds, unplaced, cpuSeconds },
    listedUntouched: targets.filter(({ isUntouched }) => isUntouched === true).map(({ id }) => id),
    missed: missed.map(({ id }) => id),
    ...(fromEach && { fromEach }),
    spurious: spurious.map(({ block, reach }) => ({ block: blockId(block), reason: reasonOf(reach) })),
  };
}
