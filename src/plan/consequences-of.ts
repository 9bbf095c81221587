import { type AffectedBlock, type BlockId, blockId, type ImpactReport, workLikelihood } from "../codebase/index.ts";
import type { Consequences } from "./plan-event.ts";
import type { PlanGraph, PlanStep, StepCause, StepId } from "./plan-graph.ts";

/** What a change of some steps leads to. */
export interface ConsequencesRequest {
  readonly graph: PlanGraph;
  readonly report: ImpactReport;
  /** The step that made a change, by the block that it changed; the one that is named first where none did. */
  readonly steps: readonly Pick<PlanStep, "id" | "block" | "rewrite">[];
  /** Pending steps that a model is being asked about: what affects their block now is a new step. */
  readonly begun: ReadonlySet<StepId>;
  /** The blocks that were changed on the ways to these steps. */
  readonly path: ReadonlySet<BlockId>;
  readonly round: number;
  readonly isStep: (affected: AffectedBlock) => boolean;
}

/**
 * Extends a plan by what a change may affect: a pending step of the block gets another cause, or else a new one is made.
 *
 * A block that was changed on the way to this change is left alone, unless a type checker refuses it now: the later
 * change was made to fit the earlier one. What a plan begins with may be half of a work, so that a block of it which the type checker
 * refuses is a step, too. Source: CodePlan (Bairi et al. 2024), Algorithm 1, lines 30 to 35.
 */
export function consequencesOf(request: ConsequencesRequest): Consequences {
  const { graph, report, steps, begun, path, round, isStep } = request;
  const found: PlanStep[] = [];
  const causes: { id: StepId; cause: StepCause }[] = [];
  const first = steps[0]!.id;
  const isBegun = steps.every(({ rewrite }) => rewrite?.by.kind === "seed");
  const own = new Map(steps.map((step) => [blockId(step.block), step.id]));
  for (const affected of report.affected) {
    const { block, likelihood, reach, witness, isTouched } = affected;
    const id = blockId(block);
    if (isTouched && !(isBegun && isRefused(affected))) continue;
    if (!isStep(affected) || (path.has(id) && witness?.certainty !== "error")) continue;
    const fresh: StepCause[] = [];
    let from = steps.find((step) => blockId(step.block) !== id)?.id ?? first;
    if (reach !== undefined) {
      const { change, relation, hops } = reach;
      const changer = [change.before, change.after].map((one) => one && own.get(blockId(one)));
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

/** Whether a type checker finds an error in a block that is not gone once others are mended. */
function isRefused({ witness }: AffectedBlock): boolean {
  return witness?.certainty === "error" || witness?.certainty === "follows";
}

/** Pending steps whose block has another name or lies elsewhere now. */
function movedSteps(graph: PlanGraph, { changes }: ImpactReport): Consequences["moved"] {
  return changes.flatMap(({ label, before, after }) => {
    if ((label !== "RENAME" && label !== "MOVE") || before === undefined || after === undefined) return [];
    const pending = graph.pendingFor(blockId(before), new Set());
    const { path, kind, name } = after;
    return pending === undefined ? [] : [{ id: pending.id, block: { path, kind, name } }];
  });
}

/** Whether an affected block is work to be done: it is likely enough. */
export function isWork({ likelihood }: AffectedBlock): boolean {
  return likelihood >= workLikelihood;
}

/**
 * Whether an affected block is worth a question to a model, which may answer that nothing changes: it is likely enough, or it calls
 * what behaves otherwise now, which no type checker can tell.
 */
export function isWorthAsking(affected: AffectedBlock): boolean {
  const { reach } = affected;
  if (isWork(affected)) return true;
  return (
    reach?.hops === 1 && reach.change.escapes === true && /^(called|used|tested|instantiated)-by$/.test(reach.relation)
  );
}
