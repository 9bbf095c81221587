import { blockId, printCodeBlock } from "../codebase/index.ts";
import { type BlockGraph, type PlanState, type PlanStep, sayCauses } from "../plan/index.ts";
import { Lines } from "../text/index.ts";

/** A step that is left to a person, or that nobody looked at. */
export interface OpenStep {
  readonly id: number;
  readonly path: string;
  /** From 1; absent where the block is gone. */
  readonly line?: number;
  readonly kind: string;
  readonly name: string;
  readonly status: PlanStep["status"];
  /** Why it is there, and why it was left. */
  readonly reasons: readonly string[];
}

/** What of a plan is still to be done, in the order of its steps. */
export async function openSteps(
  { graph: plan }: PlanState,
  graph: Pick<BlockGraph, "tryBlock">,
  textOf: (path: string) => Promise<string | undefined>,
): Promise<readonly OpenStep[]> {
  const open: OpenStep[] = [];
  for (const step of plan.steps) {
    if (step.status !== "obligation" && step.status !== "pending") continue;
    const { id, block, status, note } = step;
    const known = graph.tryBlock(blockId(block));
    const text = known === undefined ? undefined : await textOf(block.path);
    const start = known?.nameRange?.start ?? known?.own.start;
    const line = text === undefined || start === undefined ? undefined : Lines.of(text).positionAt(start).line + 1;
    const asked = step.instruction === undefined ? [] : [step.instruction];
    open.push({
      ...{ id, path: block.path, kind: block.kind, name: block.name, status },
      ...(line !== undefined && { line }),
      reasons: [...asked, ...sayCauses(step, plan), ...(note === undefined ? [] : [note])],
    });
  }
  return open;
}

/** A step for a person, with its reasons indented below it. */
export function printOpenStep({ id, path, line, kind, name, reasons }: OpenStep): string {
  const place = line === undefined ? path : `${path}:${line}`;
  const head = `  ${place} ${kind} ${name} (step ${id})`;
  return [head, ...reasons.map((reason) => `    ${reason}`)].map((row) => `${row}\n`).join("");
}

/** All steps of a plan, a row each. */
export function printSteps({ graph }: PlanState): string {
  return graph.steps
    .map(({ id, status, block, rewrite, note }) => {
      const by =
        rewrite === undefined
          ? ""
          : ` by ${rewrite.by.kind === "mechanical" ? `rule ${rewrite.by.rule}` : rewrite.by.kind}`;
      return `${String(id).padStart(4)} ${status.padEnd(10)} ${printCodeBlock(block)}${by}${note === undefined ? "" : `: ${note}`}\n`;
    })
    .join("");
}
