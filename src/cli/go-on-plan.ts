import { RegionGuides } from "../edit/index.ts";
import { grammarFor } from "../grammar/node/index.ts";
import {
  foldPlan,
  type HandWork,
  type PlanJournal,
  type PlanState,
  readPastedAnswer,
  rejectStep,
  type StepId,
} from "../plan/index.ts";
import type { PlanSetup } from "../plan/node/index.ts";
import { openSyntax } from "../syntax/node/index.ts";
import { exitCodes } from "./exit-codes.ts";
import { CommandFailure } from "./failure.ts";
import { pathsBehind } from "./finding-seeds.ts";
import { type HandChange, handEdits } from "./hand-edits.ts";
import { pathsOfPlan } from "./keep-plan.ts";
import type { KnownPlan } from "./known-plan.ts";
import type { PlanDrive } from "./plan-run.ts";
import { textAt } from "./plan-seeds.ts";
import type { PlanOutside } from "./plan-teller.ts";
import { listed } from "./print-names.ts";

/** How a plan of before is to go on. */
export interface GoingOn {
  /** Steps at which nothing has to change, as a person says. */
  readonly done?: readonly StepId[];
  /** A step that is taken back, with what only followed from it. */
  readonly reject?: { readonly step: StepId; readonly reason: string | undefined };
  /** What a chat said of a step. */
  readonly answer?: { readonly step: StepId; readonly text: string };
  /** Nothing is done but what was done before. */
  readonly isOver?: boolean;
}

/** What carries a plan on that is known already, but for who hears of it. Throws a {@link CommandFailure} that says what to do. */
export async function planToGoOn(
  { root, setup, state }: KnownPlan,
  { done = [], reject, answer, isOver = false }: GoingOn,
  outside: PlanOutside,
): Promise<Omit<PlanDrive, "teller" | "isTrusted">> {
  for (const step of done) checkOpen(state, step, "only obligations are discharged by hand");
  if (answer !== undefined) checkOpen(state, answer.step, "only what is left to do takes an answer");
  const hand = await handChanges(root, setup);
  const start = { plan: state.plan, base: state.base, seeds: state.seeds };
  const about = [...new Set([...(await pathsBehind(state.seeds, root, outside)), ...pathsOfPlan(state)])];
  const goOn: NonNullable<PlanDrive["goOn"]> = async (journal, impact) => {
    if ((reject ?? answer) !== undefined && hand.length > 0) {
      const then = reject === undefined ? "an answer can be given" : "the step can be rejected";
      const message = `${listed(hand.map(({ path }) => path))} changed since the plan was there. \`emend plan continue\` takes that in; then ${then}.`;
      throw new CommandFailure("plan-moved-on", message, { exitCode: exitCodes.failed });
    }
    if (answer !== undefined)
      return { goesOn: true, byHand: [{ id: answer.step, answer: readAnswer(answer.text, outside) }] };
    if (reject !== undefined) await rejectIn(journal, reject.step, reject.reason);
    const left = foldPlan(journal.events).graph.steps.filter(({ status }) => status === "obligation");
    const edits = handEdits(hand, left, (path, text) => impact.blocksOf(path, text));
    if (edits === undefined || (hand.length > 0 && (isOver || !setup.isWritten))) throw movedOn(hand, setup);
    const said = done.filter((id) => edits.every((edit) => edit.id !== id)).map((id) => ({ id }));
    return { goesOn: !isOver, byHand: [...edits, ...said] };
  };
  return { root, setup, start, about, goOn };
}

/** Takes steps of a plan back that was not written yet, and goes on. */
export function rejectingSteps(steps: readonly StepId[]): NonNullable<PlanDrive["goOn"]> {
  return async (journal) => {
    // What went with another one is gone already.
    for (const step of steps) if (isDone(journal, step)) await rejectIn(journal, step);
    return { goesOn: true };
  };
}

/** Throws a {@link CommandFailure} unless a step is left to do. */
export function checkOpen({ graph: { steps } }: PlanState, step: StepId, otherwise: string): void {
  const status = steps[step - 1]?.status;
  if (status === undefined) throw usage(`There is no step ${step}: the plan has ${steps.length}.`);
  if (status !== "obligation" && status !== "pending") throw usage(`Step ${step} is ${status}: ${otherwise}.`);
}

/** Reads what a chat said, as a model's answer is read. */
function readAnswer(text: string, { signal }: PlanOutside): NonNullable<HandWork["answer"]> {
  return async (question) => {
    const syntax = openSyntax();
    try {
      return await readPastedAnswer(question, text, { syntax, guides: new RegionGuides({ load: grammarFor }), signal });
    } finally {
      syntax[Symbol.dispose]();
    }
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

/** What a person changed in the plan's files since it left them. */
async function handChanges(root: string, { left }: PlanSetup): Promise<readonly HandChange[]> {
  const changes: HandChange[] = [];
  for (const { path, text } of left) {
    const now = await textAt(root, path);
    if (now === text) continue;
    if (now === null || text === null) {
      const message = `${path} ${now === null ? "is gone" : "came"} since the plan left it, so that it cannot go on. Take that back, or begin a new plan.`;
      throw new CommandFailure("plan-moved-on", message, { exitCode: exitCodes.failed });
    }
    changes.push({ path, before: text, after: now });
  }
  return changes;
}

function movedOn(hand: readonly HandChange[], { isWritten }: PlanSetup): CommandFailure {
  const how = isWritten
    ? "Take that back, or begin a new plan."
    : "Take that back and write the plan's change first with `emend plan apply`, or begin a new plan.";
  const message = `${listed(hand.map(({ path }) => path))} changed since the plan was there, which is none of its open steps. ${how}`;
  return new CommandFailure("plan-moved-on", message, { exitCode: exitCodes.failed });
}

function usage(message: string): CommandFailure {
  return new CommandFailure("usage", message, { exitCode: exitCodes.usage });
}
