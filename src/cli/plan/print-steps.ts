import { printCodeBlock } from "../../analysis/index.ts";
import {
  describeCauses,
  inOneRow,
  type OpenStep,
  type PlanGraph,
  type PlanState,
  type PlanStep,
  type RewriteAuthor,
} from "../../plan/index.ts";

/** A step that is left to do, with its reasons indented below it. Each row has a line break. */
export function printOpenStep({ id, path, line, kind, name, reasons }: OpenStep): string {
  const place = line === undefined ? path : `${path}:${line}`;
  const head = inOneRow(`  ${place} ${kind} ${name} (step ${id})`);
  return [head, ...reasons.map((reason) => `    ${reason}`)].map((row) => `${row}\n`).join("");
}

/**
 * One step in full: its block and reasons, the author of its change, and a note. Each row has a
 * line break. Throws an `InvariantError` where `plan` lacks a step that caused it.
 */
export function printStep({ id, status, block, causes, instruction, round, rewrite, note }: PlanStep, plan: PlanGraph) {
  const reasons = [...(instruction === undefined ? [] : [instruction]), ...describeCauses({ causes }, plan)];
  const by = rewrite === undefined ? "" : ` by ${printAuthor(rewrite.by)}`;
  const rows = [
    inOneRow(`Step ${id}, round ${round}: ${printCodeBlock(block)}`),
    `${status}${by}${note === undefined ? "" : `: ${note}`}`,
    ...reasons.map((reason) => `  ${reason}`),
  ];
  return rows.map((row) => `${row}\n`).join("");
}

/** All steps of a plan in their order, a row with a line break each. */
export function printSteps({ graph }: PlanState): string {
  return graph.steps
    .map(({ id, status, block, rewrite, note }) => {
      const by = rewrite === undefined ? "" : ` by ${printAuthor(rewrite.by)}`;
      const row = `${String(id).padStart(4)} ${status.padEnd(10)} ${printCodeBlock(block)}${by}${note === undefined ? "" : `: ${note}`}`;
      return `${inOneRow(row)}\n`;
    })
    .join("");
}

function printAuthor(by: RewriteAuthor): string {
  return by.kind === "mechanical" ? `rule ${by.rule}` : by.kind;
}
