import { type AffectedBlock, type BlockId, blockId, type ImpactReport, workLikelihood } from "../codebase/index.ts";
import type { Consequences } from "./plan-event.ts";
import type { PlanGraph, PlanStep, StepCause, StepId } from "./plan-graph.ts";

/** A change made by some steps, and its impact. */
export interface ConsequencesRequest {
  readonly graph: PlanGraph;
  readonly report: ImpactReport;
  /**
   * The steps that made the change, by the block that each changed. The first one is the cause
   * where no step changed the block.
   */
  readonly steps: readonly Pick<PlanStep, "id" | "block" | "rewrite">[];
  /**
   * Pending steps for which a model request is in flight: a change that affects their block makes a
   * new step.
   */
  readonly begun: ReadonlySet<StepId>;
  /** The blocks that were changed on the way from the seeds to these steps. */
  readonly path: ReadonlySet<BlockId>;
  readonly round: number;
  readonly isStep: (affected: AffectedBlock) => boolean;
}

/**
 * The steps and causes that the impact of a change adds to a plan. A block that has a pending step
 * gets another cause; any other affected block gets a new step.
 *
 * A block that was changed on the way to this change gets none, unless a type checker reports an
 * error in it now: the later change was made to fit the earlier one. The seeds of a plan may be
 * incomplete, so one of their blocks with an error gets a step, too. Source: CodePlan (Bairi et al.
 * 2024), Algorithm 1, lines 30 to 35.
 */
export function consequencesOf(request: ConsequencesRequest): Consequences {
  const { graph, report, steps, begun, path, round, isStep } = request;
  const found: PlanStep[] = [];
  const causes: { id: StepId; cause: StepCause }[] = [];
  const first = steps[0]!.id;
  const isBegun = steps.every(({ rewrite }) => rewrite?.by.kind === "seed");
  const stepOfBlock = new Map(steps.map((step) => [blockId(step.block), step.id]));
  for (const affected of report.affected) {
    const { block, likelihood, reach, witness, isTouched } = affected;
    const id = blockId(block);
    if (isTouched && !(isBegun && isRefused(affected))) continue;
    if (!isStep(affected) || (path.has(id) && witness?.certainty !== "error")) continue;
    const fresh: StepCause[] = [];
    let from = steps.find((step) => blockId(step.block) !== id)?.id ?? first;
    if (reach !== undefined) {
      const { change, relation, hops } = reach;
      const changer = [change.before, change.after].map((one) => one && stepOfBlock.get(blockId(one)));
      from = changer[0] ?? changer[1] ?? first;
      fresh.push({ kind: "change", from, label: change.label, relation, hops });
    }
    if (witness !== undefined) fresh.push({ kind: "broken", from, codes: witness.codes });
    const pending = graph.pendingFor(id, begun);
    if (pending !== undefined) causes.push(...fresh.map((cause) => ({ id: pending.id, cause })));
    else {
      const { kind, name } = block;
      const step = { id: graph.nextId + found.length, block: { path: block.path, kind, name }, round };
      found.push({ ...step, status: "pending", causes: fresh, likelihood });
    }
  }
  return { found, causes, moved: movedSteps(graph, report) };
}

/**
 * Whether a type checker reports an error in a block that does not disappear when others are
 * repaired.
 */
function isRefused({ witness }: AffectedBlock): boolean {
  return witness?.certainty === "error" || witness?.certainty === "follows";
}

/** The new blocks of pending steps whose block was renamed or moved. */
function movedSteps(graph: PlanGraph, { changes }: ImpactReport): Consequences["moved"] {
  return changes.flatMap(({ label, before, after }) => {
    if ((label !== "RENAME" && label !== "MOVE") || before === undefined || after === undefined) return [];
    const pending = graph.pendingFor(blockId(before), new Set());
    const { path, kind, name } = after;
    return pending === undefined ? [] : [{ id: pending.id, block: { path, kind, name } }];
  });
}

/** Whether an affected block is likely enough to need a change. */
export function isWork({ likelihood }: AffectedBlock): boolean {
  return likelihood >= workLikelihood;
}

/**
 * Whether a model should decide about an affected block; it may answer that nothing changes. That
 * is so when the block is likely enough to need a change, or when it calls or tests something whose
 * behaviour changed, which no type checker can report.
 */
export function isWorthAsking(affected: AffectedBlock): boolean {
  const { reach } = affected;
  if (isWork(affected)) return true;
  return (
    reach?.hops === 1 && reach.change.escapes === true && /^(called|used|tested|instantiated)-by$/.test(reach.relation)
  );
}
