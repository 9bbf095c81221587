import { printCodeBlock } from "../codebase/index.ts";
import type { OpenStep, PlanState } from "../plan/index.ts";

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
