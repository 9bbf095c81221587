import type { ChangeLabel, InverseRelation, Relation } from "../analysis/index.ts";
import { oneLine } from "../text/index.ts";
import type { PlanGraph, PlanStep, StepCause } from "./plan-graph.ts";

/**
 * The reasons for a step, one sentence for each cause: "`func` in src/create.ts changed its
 * signature (+metadata); this block calls it." An instruction is not repeated. Throws an
 * `InvariantError` where `plan` lacks a step that a cause names.
 */
export function describeCauses({ causes }: Pick<PlanStep, "causes">, plan: PlanGraph): readonly string[] {
  return [...new Set(causes.flatMap((cause) => printCause(cause, plan) ?? []))];
}

function printCause(cause: StepCause, plan: PlanGraph): string | undefined {
  switch (cause.kind) {
    case "instruction":
      return undefined;
    case "finding":
      return `A check finds here${cause.code === undefined ? "" : ` (${cause.code})`}: ${oneLine(cause.message)}`;
    case "proposed":
      return `Whoever changed ${printBlock(plan.step(cause.from))} wanted to change this, too.`;
    case "broken": {
      const codes = cause.codes.length === 0 ? "" : ` (${cause.codes.join(", ")})`;
      return `Since ${printBlock(plan.step(cause.from))} changed, a type checker refuses this block${codes}.`;
    }
    case "change": {
      const from = plan.step(cause.from);
      const causingChanges = from.changes?.filter(({ label }) => label === cause.label) ?? [];
      const link =
        cause.hops > 1
          ? `by way of ${cause.hops - 1} other${cause.hops > 2 ? "s" : ""}, ${relationWords[cause.relation]}`
          : relationWords[cause.relation];
      return `${printBlock(from)} ${printLabel(cause.label)}${printNames(causingChanges)}; ${link}.`;
    }
  }
}

function printBlock({ block }: PlanStep): string {
  return block.kind === "statement" || block.kind === "import"
    ? `The ${block.kind} \`${oneLine(block.name)}\` in ${block.path}`
    : `\`${block.name}\` in ${block.path}`;
}

function printNames(changes: NonNullable<PlanStep["changes"]>): string {
  const names = new Set(
    changes.flatMap(({ removedNames, addedNames, changedNames }) => [
      ...removedNames.map((name) => `-${name}`),
      ...addedNames.map((name) => `+${name}`),
      ...changedNames.map((name) => `~${name}`),
    ]),
  );
  return names.size === 0 ? "" : ` (${[...names].slice(0, 6).join(" ")})`;
}

function printLabel(label: ChangeLabel): string {
  if (label === "RENAME") return "was renamed";
  if (label === "MOVE") return "was moved";
  if (label.startsWith("A")) return "was added";
  if (label.startsWith("D")) return "was removed";
  if (label === "MMB") return "does something else now";
  if (label === "MMS" || label === "MCC") return "changed its signature";
  return "changed";
}

/** For each relation from the changed block to the block of the step, the end of the sentence. */
const relationWords: Readonly<Record<Relation | InverseRelation, string>> = {
  "child-of": "it stands in this block",
  "parent-of": "this block stands in it",
  constructs: "it constructs this class",
  "constructed-by": "this block is its constructor",
  imports: "it imports from this block",
  "imported-by": "this block imports it",
  "derives-from": "it is derived from this block",
  "base-of": "this block is derived from it",
  overrides: "it overrides this block",
  "overridden-by": "this block overrides it",
  calls: "it calls this block",
  "called-by": "this block calls it",
  instantiates: "it makes instances of this block",
  "instantiated-by": "this block makes instances of it",
  uses: "it uses this block",
  "used-by": "this block uses it",
  "uses-type": "it uses this block as a type",
  "type-used-by": "this block uses it as a type",
  satisfies: "it must fit the type of this block",
  "satisfied-by": "a value in this block must fit its type",
  "re-exports": "it exports this block again",
  "re-exported-by": "this block exports it again",
  "merges-with": "both declare the same name",
  tests: "it tests this block",
  "tested-by": "this block tests it",
};
