import type { PlanState } from "./plan-state.ts";

/** The note of a step that is settled unchanged, without a model or a person. */
export const noErrorLeft = "The type checker reports no error here any more.";

/**
 * Whether a plan has ended with an instruction that neither a model nor a person has read: it did
 * not start with the instruction, and rules and the type checker settled all of its steps.
 */
export function isInstructionUnread({ instruction, ended, seeds, graph }: PlanState): boolean {
  if (instruction === undefined || ended?.why !== "done") return false;
  if (seeds.some(({ kind }) => kind === "instruction")) return false;
  return graph.steps.every(({ status, rewrite, note }) =>
    status === "unchanged"
      ? note === noErrorLeft
      : status !== "done" || rewrite?.by.kind === "seed" || rewrite?.by.kind === "mechanical",
  );
}
