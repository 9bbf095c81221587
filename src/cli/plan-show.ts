import { writeFile } from "node:fs/promises";
import { resolve } from "node:path";
import { foldPlan, planViewOf, toPlanHtml } from "../plan/index.ts";
import { listPlans, tryReadPlanJournal } from "../plan/node/index.ts";
import { type ExitCode, exitCodes } from "./exit-codes.ts";
import { CommandFailure } from "./failure.ts";
import { type KnownPlan, openKnownPlan, rootOf } from "./known-plan.ts";
import { plansFolderOf } from "./plan-run.ts";
import { countText } from "./print-amount.ts";
import { printSteps } from "./print-plan.ts";
import { type PlanReviewOptions, planJson } from "./review-plan.ts";
import { printable, type Terminal } from "./terminal.ts";

/** What may be said of how a plan is shown. */
export interface PlanShowOptions extends Pick<PlanReviewOptions, "workspace" | "json"> {
  readonly plan: string | undefined;
  /** As a page: into a file, or printed where none is named. */
  readonly html: string | true | undefined;
}

/** Runs `emend plan show`: prints the steps of a plan, or shows it as a page. Nothing of the workspace is written. */
export async function showPlan(options: PlanShowOptions, terminal: Terminal): Promise<ExitCode> {
  const known = await openKnownPlan(options, terminal);
  const { state } = known;
  if (options.html !== undefined) return showPage(known, { ...options, html: options.html }, terminal);
  if (options.json) terminal.out(`${JSON.stringify(planJson(state))}\n`);
  else terminal.out(`${state.plan}: ${state.ended?.why ?? "not ended"}\n${printSteps(state)}`);
  return exitCodes.done;
}

async function showPage(
  { state, events, setup }: KnownPlan,
  { html, json }: { readonly html: string | true; readonly json: boolean },
  terminal: Terminal,
): Promise<ExitCode> {
  if (json) throw new CommandFailure("usage", "Give --html or --json.", { exitCode: exitCodes.usage });
  const view = planViewOf(state, events, setup.limits);
  // Nobody writes this page anew.
  const page = toPlanHtml({ ...view, end: view.end ?? "It did not come to its end yet." });
  if (html === true || html === "-") terminal.out(page);
  else {
    const path = resolve(terminal.workingFolder, html);
    await writeFile(path, page).catch((error: Error) => {
      const message = `The page cannot be written to ${html}: ${error.message}.`;
      throw new CommandFailure("not-written", message, { exitCode: exitCodes.failed, cause: error });
    });
    terminal.err(`Written: ${printable(path)}\n`);
  }
  return exitCodes.done;
}

/** Runs `emend plan list`: prints the plans of a workspace, the last one last. */
export async function listKnownPlans(
  options: Pick<PlanReviewOptions, "workspace" | "json">,
  terminal: Terminal,
): Promise<ExitCode> {
  const folder = plansFolderOf(await rootOf(options, terminal), terminal);
  const plans: {
    readonly plan: string;
    readonly end: string | null;
    readonly steps: number;
    readonly instruction?: string;
  }[] = [];
  for (const name of await listPlans(folder)) {
    const reading = await tryReadPlanJournal({ folder, plan: name });
    if (reading === undefined || reading.events.length === 0) continue;
    const { ended, graph, instruction } = foldPlan(reading.events);
    plans.push({
      plan: name,
      end: ended?.why ?? null,
      steps: graph.steps.length,
      ...(instruction !== undefined && { instruction }),
    });
  }
  if (options.json) terminal.out(`${JSON.stringify({ kind: "plans", plans })}\n`);
  else if (plans.length === 0) terminal.err("There is no plan yet.\n");
  else {
    const rows = plans.map(
      ({ plan, end, steps, instruction }) =>
        `${plan}  ${end ?? "not ended"}, ${countText(steps, "step")}${instruction === undefined ? "" : `: ${instruction}`}`,
    );
    terminal.out(rows.map((row) => `${printable(row)}\n`).join(""));
  }
  return exitCodes.done;
}
