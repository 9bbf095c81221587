import { printCodeBlock } from "../codebase/index.ts";
import { printWorkspaceEdit } from "../text/index.ts";
import { inOneRow } from "./in-one-row.ts";
import { printFinding } from "./oracles/finding.ts";
import type { Consequences, PlanEvent } from "./plan-event.ts";
import type { PlanStep, StepCause } from "./plan-graph.ts";

/** An event in one line, with its consequences in further indented lines, for logs and tests. */
export function printPlanEvent(event: PlanEvent): string {
  return linesOf(event).map(inOneRow).join("\n");
}

function linesOf(event: PlanEvent): readonly string[] {
  switch (event.kind) {
    case "plan-started":
      return [`start ${event.plan} on ${event.base}${event.instruction === undefined ? "" : `: ${event.instruction}`}`];
    case "plan-resumed":
      return ["go on"];
    case "round-started":
      return [`round ${event.round}`, ...consequenceLines(event)];
    case "steps-begun":
      return [`ask about ${event.tasks.map(({ id }) => id).join(", ")}`];
    case "model-answered":
      return [`answer for ${event.id}: ${event.end}`];
    case "step-put-back":
      return [`put back ${event.id}: ${event.why}`];
    case "step-settled": {
      const { id, status, rewrite, changes = [], note } = event;
      const by = rewrite === undefined ? "" : ` by ${printAuthor(rewrite.by)} (${printWorkspaceEdit(rewrite.edit)})`;
      const labels = changes.length === 0 ? "" : ` ${changes.map(({ label }) => label).join(" ")}`;
      return [
        `settle ${id}: ${status}${by}${labels}${note === undefined ? "" : `: ${note}`}`,
        ...consequenceLines(event),
      ];
    }
    case "step-rejected": {
      const { id, takenBack, dropped, replanned, reason } = event;
      const parts = [
        `reject ${id}${reason === undefined ? "" : `: ${reason}`}`,
        `  taken back ${takenBack.join(", ")}`,
        ...(dropped.length === 0 ? [] : [`  dropped ${dropped.join(", ")}`]),
        ...(replanned.length === 0 ? [] : [`  planned anew ${replanned.join(", ")}`]),
      ];
      return parts;
    }
    case "oracle-answered": {
      const { round, oracle, said, findings } = event;
      const places = findings.map(
        ({ finding, block }) => `  ${printFinding(finding)}${block === undefined ? "" : ` in ${block}`}`,
      );
      return [`${oracle} after round ${round}: ${said}`, ...places];
    }
    case "plan-ended":
      return [`end: ${event.why}${event.note === undefined ? "" : `: ${event.note}`}`];
  }
}

function consequenceLines({ found, causes, moved }: Consequences): readonly string[] {
  return [
    ...found.map(
      ({ id, status, block, causes: why, note }) =>
        `  + ${id} ${status} ${printCodeBlock(block)} <- ${why.map(printCause).join(", ")}${note === undefined ? "" : `: ${note}`}`,
    ),
    ...causes.map(({ id, cause }) => `  ${id} <- ${printCause(cause)}`),
    ...moved.map(({ id, block }) => `  ${id} is about the ${printCodeBlock(block)} now`),
  ];
}

function printCause(cause: StepCause): string {
  switch (cause.kind) {
    case "change":
      return `${cause.from} ${cause.label} ${cause.relation}${cause.hops > 1 ? ` (${cause.hops} hops)` : ""}`;
    case "broken":
      return `${cause.from} broken${cause.codes.map((code) => ` ${code}`).join("")}`;
    case "asked":
      return `${cause.from} asked`;
    case "finding":
      return `finding${cause.code === undefined ? "" : ` ${cause.code}`}`;
    case "instruction":
      return "instruction";
  }
}

function printAuthor(by: NonNullable<PlanStep["rewrite"]>["by"]): string {
  if (by.kind === "mechanical") return `rule ${by.rule}`;
  return by.kind === "model" ? by.model : by.kind;
}
