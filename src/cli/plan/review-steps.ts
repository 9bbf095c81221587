import { afterEvent, type PlanState, type PlanStep, rejectStep, type StepId } from "../../plan/index.ts";
import { countText } from "../terminal/print-amount.ts";
import { printDiff } from "../terminal/print-diff.ts";
import { printable, type Terminal } from "../terminal/terminal.ts";
import { printStep } from "./print-plan.ts";

/** A person's decision about a plan's changes. */
export type PlanDecision =
  | { readonly kind: "write" }
  | { readonly kind: "leave" }
  /** Undo these steps, and plan again what followed from them. */
  | { readonly kind: "reject"; readonly steps: readonly StepId[] }
  /** There was no terminal to ask at. */
  | { readonly kind: "unasked" };

/**
 * Asks whether to write a plan's changes, all at once or after a review of each step. Rejects with
 * the reason of the terminal's signal.
 */
export async function askForDecision(state: PlanState, files: number, terminal: Terminal): Promise<PlanDecision> {
  const what = files === 1 ? "Write this file" : `Write these ${countText(files, "file")}`;
  for (;;) {
    const word = await terminal.ask(`${what}? [y/n, r to review step by step] `);
    if (word === undefined) return { kind: "unasked" };
    if (!isWord(word, "review")) return { kind: isWord(word, "yes") ? "write" : "leave" };
    const decision = await reviewSteps(state, terminal);
    if (decision !== undefined) return decision;
  }
}

/** Reviews step after step. Returns `undefined` where all of them are kept. */
async function reviewSteps(before: PlanState, terminal: Terminal): Promise<PlanDecision | undefined> {
  let state = before;
  const rejected: StepId[] = [];
  const ids = before.graph.steps.filter(isToBeSeen).map(({ id }) => id);
  for (const [index, id] of ids.entries()) {
    // Steps that followed from a rejected one are planned again, and reviewed then.
    const step = state.graph.step(id);
    if (!isToBeSeen(step)) continue;
    terminal.err(`\n${index + 1} of ${ids.length}. ${printable(printStep(step, state.graph))}`);
    terminal.err(printDiff(step.rewrite!.diff, terminal));
    const word = await askForOne(id, terminal);
    if (word === "stop") return { kind: "leave" };
    if (word === "all") break;
    if (word === "keep") continue;
    const rejection = rejectStep(state, id);
    if (rejection.kind === "refused") {
      terminal.err(`${printable(rejection.message)}\n`);
      continue;
    }
    rejected.push(id);
    state = afterEvent(state, rejection.event);
    const { dropped, replanned } = rejection.event;
    if (dropped.length > 0) terminal.err(`Dropped with it: ${printIds(dropped)}.\n`);
    if (replanned.length > 0) terminal.err(`To be planned again: ${printIds(replanned)}.\n`);
  }
  return rejected.length === 0 ? undefined : { kind: "reject", steps: rejected };
}

async function askForOne(id: StepId, terminal: Terminal): Promise<"keep" | "reject" | "all" | "stop"> {
  for (;;) {
    const word = await terminal.ask(`Keep step ${id}? [y/n, a keeps all others, q writes nothing] `);
    if (word === undefined || isWord(word, "quit")) return "stop";
    if (isWord(word, "yes")) return "keep";
    if (isWord(word, "no")) return "reject";
    if (isWord(word, "all")) return "all";
  }
}

/** Whether a step has a change by the plan that was not undone. */
function isToBeSeen({ status, rewrite }: PlanStep): boolean {
  return status === "done" && rewrite !== undefined && rewrite.by.kind !== "seed";
}

function isWord(answer: string, word: string): boolean {
  const typed = answer.trim().toLowerCase();
  return typed === word || typed === word[0];
}

function printIds(ids: readonly StepId[]): string {
  return ids.length === 1 ? `step ${ids[0]}` : `steps ${ids.join(", ")}`;
}
