import { afterEvent, type PlanState, type PlanStep, rejectStep, type StepId } from "../plan/index.ts";
import { countText } from "./print-amount.ts";
import { printDiff } from "./print-diff.ts";
import { printStep } from "./print-plan.ts";
import { printable, type Terminal } from "./terminal.ts";

/** What a person wants to become of a plan's changes. */
export type PlanWish =
  | { readonly kind: "write" }
  | { readonly kind: "leave" }
  /** These steps are to be taken back, and what followed from them planned anew. */
  | { readonly kind: "reject"; readonly steps: readonly StepId[] }
  /** There was nobody to ask. */
  | { readonly kind: "unasked" };

/**
 * Asks a person whether a plan's changes are to be written, all at once or after a look at each step.
 *
 * Rejects with the reason of the terminal's signal.
 */
export async function askAboutPlan(state: PlanState, files: number, terminal: Terminal): Promise<PlanWish> {
  const what = files === 1 ? "Write this file" : `Write these ${countText(files, "file")}`;
  for (;;) {
    const word = await terminal.ask(`${what}? [y/n, r to review step by step] `);
    if (word === undefined) return { kind: "unasked" };
    if (!isWord(word, "review")) return { kind: isWord(word, "yes") ? "write" : "leave" };
    const wish = await walkSteps(state, terminal);
    if (wish !== undefined) return wish;
  }
}

/** Shows step after step. Answers `undefined` where all of them are kept. */
async function walkSteps(before: PlanState, terminal: Terminal): Promise<PlanWish | undefined> {
  let state = before;
  const rejected: StepId[] = [];
  const ids = before.graph.steps.filter(isToBeSeen).map(({ id }) => id);
  for (const [index, id] of ids.entries()) {
    // What followed from a step that is not wanted is planned anew, and seen then.
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
    if (dropped.length > 0) terminal.err(`Gone with it: ${sayIds(dropped)}.\n`);
    if (replanned.length > 0) terminal.err(`To be looked at once more: ${sayIds(replanned)}.\n`);
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

/** Whether a plan made this change, and it stands. */
function isToBeSeen({ status, rewrite }: PlanStep): boolean {
  return status === "done" && rewrite !== undefined && rewrite.by.kind !== "seed";
}

function isWord(said: string, word: string): boolean {
  const typed = said.trim().toLowerCase();
  return typed === word || typed === word[0];
}

function sayIds(ids: readonly StepId[]): string {
  return ids.length === 1 ? `step ${ids[0]}` : `steps ${ids.join(", ")}`;
}
