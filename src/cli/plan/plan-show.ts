import { writeFile } from "node:fs/promises";
import { resolve } from "node:path";
import {
  foldPlan,
  type PlanState,
  planEndWords,
  planTitleOf,
  planViewOf,
  printPlanProgress,
  type StepId,
  toPlanHtml,
} from "../../plan/index.ts";
import { listPlans, tryReadOpenSteps, tryReadPlanJournal } from "../../plan/node/index.ts";
import { EmendError } from "../../text/index.ts";
import { disk } from "../../workspace/node/index.ts";
import { openRoot } from "../open-file.ts";
import { copyText } from "../terminal/clipboard.ts";
import { type ExitCode, exitCodes } from "../terminal/exit-codes.ts";
import { badUsage, CommandFailure } from "../terminal/failure.ts";
import { jsonLine } from "../terminal/masked-terminal.ts";
import { printDiff } from "../terminal/print-diff.ts";
import { printable, type Terminal } from "../terminal/terminal.ts";
import { plansFolderOf } from "./plan-run.ts";
import { printStep, printSteps } from "./print-steps.ts";
import { type PlanReviewOptions, planJson } from "./review-plan.ts";
import { stepOf, stepPromptOf } from "./step-prompt.ts";
import { type KnownPlan, openKnownPlan } from "./stored-plan.ts";

/** The options of `emend plan show`. */
export interface PlanShowOptions extends Pick<PlanReviewOptions, "workspace" | "json"> {
  readonly plan: string | undefined;
  /** The file for the HTML page; `true` prints it. */
  readonly html: string | true | undefined;
  /** A single step. */
  readonly step: StepId | undefined;
  /** The prompt for that step: printed, or copied to the clipboard. */
  readonly prompt: boolean;
  readonly copy: boolean;
}

/**
 * Runs `emend plan show`: prints the steps of a plan, or shows it as a page. Writes nothing to the
 * workspace.
 *
 * Throws a {@link CommandFailure} where options contradict each other, there is no such plan or
 * step, the step has no prompt, or the page cannot be written.
 */
export async function showPlan(options: PlanShowOptions, terminal: Terminal): Promise<ExitCode> {
  const { html, step, json, prompt, copy } = options;
  if ((prompt || copy) && step === undefined)
    throw badUsage("--prompt and --copy are about one step: name it with --step.");
  if (html !== undefined && step !== undefined) throw badUsage("A page has all steps. Give --html or --step.");
  const known = await openKnownPlan(options, terminal);
  const { root, state } = known;
  if (html !== undefined) return showPage(known, { html, json }, terminal);
  if (prompt || copy) return showPrompt(known, { step: step!, copy }, terminal);
  if (step !== undefined) return showStep(known, { step, json }, terminal);
  const open = state.ended && (await tryReadOpenSteps(plansFolderOf(root, terminal), state.plan));
  if (json) terminal.out(jsonLine({ ...planJson(state, known.setup.limits), open: open ?? null }, terminal));
  else
    terminal.out(
      `${state.plan}: ${endOf(state)} ${printPlanProgress(state, known.setup.limits)}.\n${printSteps(state)}`,
    );
  return exitCodes.done;
}

/** Prints one step, with its diff or that of its proposal. */
function showStep(
  { state, setup }: KnownPlan,
  { step: id, json }: { readonly step: StepId; readonly json: boolean },
  terminal: Terminal,
): ExitCode {
  const step = stepOf(state, id);
  if (json) terminal.out(jsonLine(planJson(state, setup.limits).steps[id - 1], terminal));
  else {
    terminal.err(printable(printStep(step, state.graph)));
    const { rewrite, proposal } = step;
    if (proposal !== undefined)
      terminal.err(`A proposal, not written; \`emend plan show --step ${id} | emend apply - --yes\` writes it:\n`);
    const diff = rewrite?.diff ?? proposal;
    if (diff !== undefined) terminal.out(printDiff(diff, terminal));
  }
  return exitCodes.done;
}

/** Prints or copies the prompt of a step, to be pasted into any chat. */
async function showPrompt(
  known: KnownPlan,
  { step, copy }: { readonly step: StepId; readonly copy: boolean },
  terminal: Terminal,
): Promise<ExitCode> {
  const { text, outdated } = await stepPromptOf(known, step, terminal);
  if (outdated !== undefined) {
    const message = `${outdated} changed since: the prompt describes it as it was. \`emend plan continue\` includes the change.\n`;
    terminal.err(printable(message));
  }
  if (!copy) terminal.out(text);
  else {
    const how = await copyText(text, terminal);
    terminal.err(`${how}: ${text.length.toLocaleString("en")} characters to paste into a chat.\n`);
  }
  terminal.err(`\`emend plan answer ${step} FILE\` applies the chat's answer.\n`);
  return exitCodes.done;
}

async function showPage(
  { state, events, setup }: KnownPlan,
  { html, json }: { readonly html: string | true; readonly json: boolean },
  terminal: Terminal,
): Promise<ExitCode> {
  if (json) throw badUsage("Give --html or --json.");
  const view = planViewOf(state, events, { ...setup.limits, isStopped: true });
  // This page will not be updated.
  const page = toPlanHtml({ ...view, end: view.end ?? "The plan has not ended yet." });
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

/**
 * Runs `emend plan list`: prints the plans of a workspace, the last one last. A plan that cannot be
 * read is listed with the reason. Throws a {@link CommandFailure} where there is no such workspace.
 */
export async function listKnownPlans(
  options: Pick<PlanReviewOptions, "workspace" | "json">,
  terminal: Terminal,
): Promise<ExitCode> {
  const { workspace } = options;
  const root = await openRoot({ workspace, workingFolder: terminal.workingFolder, fileSystem: disk });
  const folder = plansFolderOf(root, terminal);
  const plans: {
    readonly plan: string;
    readonly end: string | null;
    readonly steps: number;
    readonly progress?: string;
    /** What the plan is about, in one line. */
    readonly title?: string;
    readonly instruction?: string;
    /** Why the plan cannot be read. */
    readonly problem?: string;
  }[] = [];
  for (const name of await listPlans(folder)) {
    const reading = await tryReadPlanJournal({ folder, plan: name }).catch(problemOf);
    if (typeof reading === "string") {
      plans.push({ plan: name, end: null, steps: 0, problem: reading });
      continue;
    }
    if (reading === undefined || reading.events.length === 0) continue;
    const state = foldPlan(reading.events);
    const { ended, graph, instruction } = state;
    plans.push({
      plan: name,
      end: ended?.why ?? null,
      steps: graph.steps.length,
      title: planTitleOf(state),
      progress: `${endOf(state)} ${printPlanProgress(state)}`,
      ...(instruction !== undefined && { instruction }),
    });
  }
  if (options.json) terminal.out(jsonLine({ kind: "plans", plans }, terminal));
  else if (plans.length === 0) terminal.err("There is no plan yet.\n");
  else {
    const rows = plans.map(({ plan, progress, title, problem }) =>
      problem === undefined ? `${plan}  ${progress}: ${title}` : `${plan}  ${problem}`,
    );
    terminal.out(rows.map((row) => `${printable(row)}\n`).join(""));
  }
  return exitCodes.done;
}

/** How a plan ended, as a sentence. */
function endOf({ ended }: PlanState): string {
  return ended === undefined ? "The plan has not ended." : planEndWords[ended.why];
}

/** The message of an error in a stored plan; other errors are thrown again. */
function problemOf(error: unknown): string {
  if (error instanceof EmendError) return error.message;
  throw error;
}
