import type { AtomicChange, ChangeLabel, CheckerMessage, InverseRelation, Relation } from "../analysis/index.ts";
import { oneLine } from "../text/index.ts";
import type { BlockError, PlanGraph, PlanStep, StepCause } from "./plan-graph.ts";

/**
 * The reasons for a step, one sentence for each cause: "`func` in src/create.ts changed its
 * signature (+metadata); this block calls it." An instruction is not repeated. Where the errors
 * that its block has now are known, those that it had in between do not count, and of the changes
 * only those that the errors are about, if there are any. Throws an `InvariantError` where `plan`
 * lacks a step that a cause names.
 */
export function describeCauses(step: Pick<PlanStep, "causes" | "errors">, plan: PlanGraph): readonly string[] {
  const { causes, errors = [] } = step;
  if (errors.length === 0) return [...new Set(causes.flatMap((cause) => printCause(cause, plan) ?? []))];
  const names = new Set(errors.flatMap((error) => error.names));
  const changers = plan.steps.filter(({ changes = [] }) => changes.some((change) => isAboutChange(names, change)));
  const others = causes.filter(({ kind }) => kind !== "broken" && (kind !== "change" || changers.length === 0));
  const rows = [
    ...changers.map((changer) => {
      const cause = causes.find((one) => one.kind === "change" && one.from === changer.id);
      const link = cause?.kind === "change" ? `; ${printLink(cause, plan)}` : "";
      return `${printChanges(changer, (change) => isAboutChange(names, change))}${link}.`;
    }),
    ...others.flatMap((cause) => printCause(cause, plan) ?? []),
  ];
  return [...new Set(rows)];
}

/** The errors that the block of a step has now, a sentence each, with its line. */
export function describeErrors({ errors = [] }: Pick<PlanStep, "errors">): readonly string[] {
  return errors.map(printBlockError);
}

/** Whether one of the names is that of the changed block, before or after the change. */
export function isAboutChange(names: ReadonlySet<string>, { before, after }: AtomicChange): boolean {
  return [before, after].some((block) => block !== undefined && names.has(block.simpleName));
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
      const { codes, errors } = cause;
      const shown = errors?.map(printError).join("; ") ?? codes.join(", ");
      return `After the change of ${printBlock(plan.step(cause.from))} the type checker reported an error here${shown === "" ? "" : `: ${shown}`}`;
    }
    case "change":
      return `${printChanges(plan.step(cause.from), ({ label }) => label === cause.label, cause.label)}; ${printLink(cause, plan)}.`;
  }
}

/** How a change reaches the block of the step: `this block calls it`. */
function printLink({ hops, relation, from }: Extract<StepCause, { kind: "change" }>, plan: PlanGraph): string {
  const usesNames = relation === "imported-by" && hops === 1 && plan.step(from).block.kind === "import";
  const words = usesNames ? "this block uses its names" : relationWords[relation];
  return hops > 1 ? `by way of ${hops - 1} other${hops > 2 ? "s" : ""}, ${words}` : words;
}

function printBlockError({ line, declaredLine, ...error }: BlockError): string {
  const declared = declaredLine === undefined ? "" : ` (\`${error.names[0]}\` is declared in line ${declaredLine})`;
  return `Line ${line}${declared}: ${printError(error)}`;
}

/** An error with its code: `Expected 2 arguments, but got 1. (2554)`. */
function printError({ code, message }: CheckerMessage): string {
  return `${message} (${code})`;
}

/** The changes of a step that match, after the name that its block had before. */
function printChanges(
  step: PlanStep,
  matches: (change: AtomicChange) => boolean,
  label: ChangeLabel | undefined = step.changes?.find(matches)?.label,
): string {
  const changes = step.changes?.filter(matches) ?? [];
  const renamed = changes.find((change) => change.label === "RENAME");
  if (renamed?.before !== undefined && renamed.after !== undefined)
    return `\`${renamed.before.name}\` in ${step.block.path} was renamed to \`${renamed.after.name}\``;
  return `${printBlock(step)} ${label === undefined ? "changed" : printLabel(label)}${printNames(changes)}`;
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

/** What happened to a block, in words after its name. */
export function printLabel(label: ChangeLabel): string {
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
