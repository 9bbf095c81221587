import { printCodeBlock } from "../../analysis/index.ts";
import {
  describeCauses,
  describeErrors,
  inOneRow,
  type OpenStep,
  type PlanGraph,
  type PlanState,
  type PlanStep,
  type RewriteAuthor,
  stepStatusWords,
} from "../../plan/index.ts";

/**
 * Steps that are left to do, below their reasons: first the last reason, which is why the step is
 * open, then the others. Steps with the same reasons share them. A step has its errors and the
 * changed rows of its proposal. Each row has a line break.
 */
export function printOpenSteps(open: readonly OpenStep[]): string {
  const rows: string[] = [];
  for (const [why, alike] of groupBy(open, ({ reasons }) => reasons.slice(-1))) {
    rows.push(...why.map((reason) => `  ${reason}`));
    for (const [reasons, steps] of groupBy(alike, (one) => one.reasons.slice(0, -1))) {
      rows.push(...reasons.map((reason) => `    ${reason}`), ...steps.flatMap(placeRows));
    }
  }
  return rows.map((row) => `${inOneRow(row)}\n`).join("");
}

function placeRows(step: OpenStep): readonly string[] {
  const { errors = [], proposal } = step;
  const rows = proposal === undefined ? [] : ["A proposal, not written:", ...changedRows(proposal)];
  return [`      ${printPlace(step)}`, ...[...errors, ...rows].map((row) => `        ${row}`)];
}

/** The removed and added rows of a unified diff. */
function changedRows(diff: string): readonly string[] {
  const [, ...rows] = diff.slice(diff.indexOf("@@ ")).split("\n");
  return rows.filter((row) => /^[-+]/.test(row));
}

function printPlace({ id, path, line, kind, name }: OpenStep): string {
  return `${line === undefined ? path : `${path}:${line}`} ${kind} ${name} (step ${id})`;
}

/** Groups steps by the same texts, in the order of each group's first step. */
function groupBy(
  steps: readonly OpenStep[],
  textsOf: (step: OpenStep) => readonly string[],
): readonly (readonly [texts: readonly string[], steps: readonly OpenStep[]])[] {
  const groups = new Map<string, OpenStep[]>();
  for (const step of steps) {
    const key = JSON.stringify(textsOf(step));
    groups.set(key, [...(groups.get(key) ?? []), step]);
  }
  return [...groups.values()].map((group) => [textsOf(group[0]!), group]);
}

/**
 * One step in full: its block and reasons, the author of its change, and a note. Each row has a
 * line break. Throws an `InvariantError` where `plan` lacks a step that caused it.
 */
export function printStep(step: PlanStep, plan: PlanGraph): string {
  const { id, status, block, instruction, round, rewrite, note } = step;
  const reasons = [
    ...(instruction === undefined ? [] : [instruction]),
    ...describeCauses(step, plan),
    ...describeErrors(step),
  ];
  const by = rewrite === undefined ? "" : ` by ${printAuthor(rewrite.by)}`;
  const rows = [
    inOneRow(`Step ${id}, round ${round}: ${printCodeBlock(block)}`),
    `${stepStatusWords[status]}${by}${note === undefined ? "" : `: ${note}`}`,
    ...reasons.map((reason) => `  ${reason}`),
  ];
  return rows.map((row) => `${row}\n`).join("");
}

/** All steps of a plan in their order, a row with a line break each. */
export function printSteps({ graph }: PlanState): string {
  return graph.steps
    .map(({ id, status, block, rewrite, note }) => {
      const by = rewrite === undefined ? "" : ` by ${printAuthor(rewrite.by)}`;
      const row = `${String(id).padStart(4)} ${stepStatusWords[status].padEnd(11)} ${printCodeBlock(block)}${by}${note === undefined ? "" : `: ${note}`}`;
      return `${inOneRow(row)}\n`;
    })
    .join("");
}

function printAuthor(by: RewriteAuthor): string {
  if (by.kind === "mechanical") return `rule ${by.rule}`;
  return by.kind === "seed" ? "you, before the plan" : by.kind === "person" ? "you" : by.model;
}
