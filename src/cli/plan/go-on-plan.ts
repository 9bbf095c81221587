import { blockId, type CodeBlock } from "../../analysis/index.ts";
import { RegionGuides } from "../../edit/index.ts";
import { grammarFor, threadSlices } from "../../grammar/node/index.ts";
import {
  foldPlan,
  type ManualResult,
  type PlanJournal,
  type PlanState,
  type PlanStep,
  readPastedAnswer,
  rejectStep,
  type StepId,
} from "../../plan/index.ts";
import type { PlanSetup } from "../../plan/node/index.ts";
import { openSyntax } from "../../syntax/node/index.ts";
import {
  Edit,
  isInRange,
  Lines,
  minimalEdit,
  rangesOverlap,
  type TextEdit,
  type TextRange,
  type WorkspaceEdit,
  workspaceEdit,
} from "../../text/index.ts";
import { exitCodes } from "../terminal/exit-codes.ts";
import { badUsage, CommandFailure } from "../terminal/failure.ts";
import { listed } from "../terminal/print-amount.ts";
import { pathsBehind } from "./finding-seeds.ts";
import type { PlanOutside } from "./plan-reporter.ts";
import type { PlanDrive } from "./plan-run.ts";
import { textAt } from "./plan-seeds.ts";
import { type KnownPlan, pathsOfPlan } from "./stored-plan.ts";

/** How a stored plan is continued. */
export interface PlanContinuation {
  /** Steps that need no change, by a person's decision. */
  readonly done?: readonly StepId[];
  /** A step to undo, with the steps that followed only from it. */
  readonly reject?: { readonly step: StepId; readonly reason: string | undefined };
  /** A chat's answer for one step. */
  readonly answer?: { readonly step: StepId; readonly text: string };
}

/** The start of a stored plan, and the files that it refers to. */
export async function startOfPlan(
  { root, state }: Pick<KnownPlan, "root" | "state">,
  outside: PlanOutside,
): Promise<Pick<PlanDrive, "start" | "about">> {
  const { plan, base, seeds, instruction } = state;
  const about = [...new Set([...(await pathsBehind(seeds, root, outside)), ...pathsOfPlan(state)])];
  return { start: { plan, base, seeds, ...(instruction !== undefined && { instruction }) }, about };
}

/**
 * Prepares continuing a stored plan, and runs nothing. Throws a {@link CommandFailure} where a
 * requested step is not left to do, and where a file of the plan was created or deleted since it
 * stopped. Other changes of the person are checked by `continueWith` of the result. Rejects with
 * the signal's reason on abort.
 */
export async function prepareContinuation(
  known: KnownPlan,
  { done = [], reject, answer }: PlanContinuation,
  outside: PlanOutside,
): Promise<Omit<PlanDrive, "reporter" | "isTrusted">> {
  const { root, setup, state } = known;
  for (const step of done) checkOpen(state, step, "only steps that are left to you can be completed by hand");
  if (answer !== undefined) checkOpen(state, answer.step, "only steps that are left to do take an answer");
  const personChanges = await handChanges(root, setup);
  const continueWith: NonNullable<PlanDrive["continueWith"]> = async (journal, analysis) => {
    if ((reject ?? answer) !== undefined && personChanges.length > 0) {
      const then = reject === undefined ? "an answer can be given" : "the step can be rejected";
      const message = `${listed(personChanges.map(({ path }) => path))} changed since the plan stopped. \`emend plan continue\` includes that; then ${then}.`;
      throw new CommandFailure("plan-moved-on", message, { exitCode: exitCodes.failed });
    }
    if (answer !== undefined)
      return { continues: true, manualResults: [{ id: answer.step, answer: readAnswer(answer.text, outside) }] };
    if (reject !== undefined) await rejectIn(journal, reject.step, reject.reason);
    const left = foldPlan(journal.events).graph.steps.filter(({ status }) => status === "obligation");
    const blocksOf: BlocksOf = (path, text) => analysis.blocksOf(path, text);
    checkStart(personChanges, setup, left, blocksOf);
    const edits = handEdits(personChanges, left, blocksOf);
    if (edits === undefined || (personChanges.length > 0 && !setup.isWritten)) throw movedOn(personChanges, setup);
    const unchangedSteps = done.filter((id) => edits.every((edit) => edit.id !== id)).map((id) => ({ id }));
    return { continues: true, manualResults: [...edits, ...unchangedSteps] };
  };
  return { root, setup, ...(await startOfPlan(known, outside)), continueWith };
}

/**
 * Makes a continuation of a plan that was not written yet: it rejects these steps, and continues. A
 * step that is not done any more is skipped. It throws a {@link CommandFailure} where a step cannot
 * be rejected.
 */
export function rejectingSteps(steps: readonly StepId[]): NonNullable<PlanDrive["continueWith"]> {
  return async (journal) => {
    // A step that was undone together with another one is gone already.
    for (const step of steps) if (isDone(journal, step)) await rejectIn(journal, step);
    return { continues: true };
  };
}

/**
 * Throws a {@link CommandFailure} unless a step is left to do: there is none of this number, or it
 * has another status. `otherwise` is then the end of the message.
 */
export function checkOpen({ graph: { steps } }: PlanState, step: StepId, otherwise: string): void {
  const status = steps[step - 1]?.status;
  if (status === undefined) throw badUsage(`There is no step ${step}: the plan has ${steps.length}.`);
  if (status !== "obligation" && status !== "pending") throw badUsage(`Step ${step} is ${status}: ${otherwise}.`);
}

/** Reads a pasted answer like a model's. */
function readAnswer(text: string, { signal }: PlanOutside): NonNullable<ManualResult["answer"]> {
  return async (question) => {
    using syntax = openSyntax();
    return await readPastedAnswer(question, text, {
      syntax,
      guides: new RegionGuides({ load: grammarFor, slices: threadSlices }),
      signal,
    });
  };
}

function isDone({ events }: PlanJournal, step: StepId): boolean {
  return foldPlan(events).graph.step(step).status === "done";
}

async function rejectIn(journal: PlanJournal, step: StepId, reason?: string): Promise<void> {
  const rejection = rejectStep(foldPlan(journal.events), step, reason);
  if (rejection.kind === "refused")
    throw new CommandFailure("plan-step", rejection.message, { exitCode: exitCodes.usage });
  await journal.append(rejection.event);
}

/**
 * The changes of a person in the plan's files since the plan stopped. Throws a {@link
 * CommandFailure} for a created or deleted file.
 */
async function handChanges(root: string, { left }: PlanSetup): Promise<readonly HandChange[]> {
  const changes: HandChange[] = [];
  for (const { path, text } of left) {
    const now = await textAt(root, path);
    if (now === text) continue;
    if (now === null || text === null) {
      const message = `${path} ${now === null ? "was deleted" : "was created"} since the plan stopped, so that it cannot continue. Undo that, or start a new plan.`;
      throw new CommandFailure("plan-moved-on", message, { exitCode: exitCodes.failed });
    }
    changes.push({ path, before: text, after: now });
  }
  return changes;
}

function movedOn(personChanges: readonly HandChange[], { isWritten }: PlanSetup): CommandFailure {
  const how = isWritten
    ? "Undo that, or start a new plan."
    : "Undo that and write the plan's change first with `emend plan apply`, or start a new plan.";
  const message = `${listed(personChanges.map(({ path }) => path))} changed since the plan stopped, but not in an open step. ${how}`;
  return new CommandFailure("plan-moved-on", message, { exitCode: exitCodes.failed });
}

/**
 * Throws a {@link CommandFailure} where a person edited or reverted the change a plan started from.
 */
function checkStart(
  personChanges: readonly HandChange[],
  { start }: PlanSetup,
  left: readonly OpenBlock[],
  blocksOf: BlocksOf,
): void {
  const places = personChanges.flatMap(({ path, before, after }) => {
    const text = start.find((one) => one.path === path)?.text ?? "";
    const open = [...openRanges(left, path, blocksOf(path, before)).values()];
    const line = startConflict({ start: text, before, after, open });
    return line === undefined ? [] : [`${path}, line ${line + 1}`];
  });
  if (places.length === 0) return;
  const message = `The change that the plan started from was reverted or edited since the plan stopped: ${listed(places)}. Make it again, or start a new plan.`;
  throw new CommandFailure("plan-moved-on", message, { exitCode: exitCodes.failed });
}

/** A file that a person changed after a plan stopped. */
interface HandChange {
  readonly path: string;
  readonly before: string;
  readonly after: string;
}

type OpenBlock = Pick<PlanStep, "id" | "block">;

type BlocksOf = (path: string, text: string) => readonly CodeBlock[];

/** A person's edit for one step. */
export interface HandEdit {
  readonly id: StepId;
  readonly edit: WorkspaceEdit;
}

/**
 * Distributes a person's changes among the steps that were left to do: each replacement goes to the
 * step whose block contains it, others to the first step of the file, or else to the first of all.
 * Applied one after the other the edits are the whole change. Returns `undefined` where no step is
 * left but there are changes.
 */
export function handEdits(
  changes: readonly HandChange[],
  steps: readonly OpenBlock[],
  blocksOf: BlocksOf,
): readonly HandEdit[] | undefined {
  const [first] = steps;
  if (first === undefined) return changes.length === 0 ? [] : undefined;
  const found = new Map<StepId, HandEdit>();
  for (const { path, before, after } of changes) {
    const own = steps.filter(({ block }) => block.path === path);
    const ranges = openRanges(own, path, blocksOf(path, before));
    const groups = new Map<StepId, TextEdit[]>();
    for (const one of minimalEdit(before, after).edits) {
      const around = own.find((step) => {
        const range = ranges.get(step.id);
        return range !== undefined && range.start <= one.start && one.end <= range.end;
      });
      const { id } = around ?? own[0] ?? first;
      groups.set(id, [...(groups.get(id) ?? []), one]);
    }
    const made: TextEdit[] = [];
    for (const [id, edits] of groups) {
      const edit = Edit.of(edits).rebase(Edit.of([...made].sort((a, b) => a.start - b.start)), "base-first");
      made.push(...edits);
      const known = found.get(id)?.edit.changes ?? [];
      found.set(id, { id, edit: workspaceEdit([...known, { kind: "edit", uri: path, edit }]) });
    }
  }
  return [...found.values()];
}

/** The ranges of the blocks of steps in a file, by step. A block that is gone has none. */
function openRanges(
  steps: readonly OpenBlock[],
  path: string,
  blocks: readonly CodeBlock[],
): ReadonlyMap<StepId, TextRange> {
  const ranges = new Map(blocks.map((block) => [blockId(block), block.range]));
  return new Map(
    steps.flatMap(({ id, block }) => {
      const range = block.path === path ? ranges.get(blockId(block)) : undefined;
      return range === undefined ? [] : [[id, range] as const];
    }),
  );
}

/** A file with a change that a plan started from, which a person has edited since. */
interface EditedStart {
  /** Its text before the plan. */
  readonly start: string;
  /** Its text when the plan stopped. */
  readonly before: string;
  /** Its text now. */
  readonly after: string;
  /** The ranges in `before` of the blocks of open steps. */
  readonly open: readonly TextRange[];
}

/**
 * The first line of `after`, from 0, where a person edited what the plan started from or changed in
 * the same file; `undefined` where all of that is still there. In the block of an open step,
 * further edits are expected, and only a revert counts.
 */
export function startConflict({ start, before, after, open }: EditedStart): number | undefined {
  const edits = minimalEdit(before, after);
  const made = minimalEdit(start, before).invert(start).edits;
  const conflicts = edits.edits.filter(
    (one) => made.some((old) => rangesOverlap(one, old)) && !open.some((block) => isInRange(one, block)),
  );
  // Whole lines: in a line with repeated words, a revert may be aligned with other words.
  const madeLines = minimalEdit(start, before, { unit: "line" }).invert(start).edits;
  const reverted = minimalEdit(before, after, { unit: "line" }).edits.filter((one) =>
    madeLines.some((old) => isInRange(old, one) && restores(one.text, old.text)),
  );
  const offsets = [...conflicts, ...reverted].map((one) => edits.mapOffset(one.start, "before"));
  return offsets.length === 0 ? undefined : Lines.of(after).lineAt(Math.min(...offsets));
}

function restores(text: string, old: string): boolean {
  return old.trim() === "" ? text.trim() === "" : text.includes(old);
}
