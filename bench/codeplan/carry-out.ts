import { join } from "node:path";
import { run } from "../../src/cli/program.ts";
import { reportFailure } from "../../src/cli/terminal/failure.ts";
import type { Terminal } from "../../src/cli/terminal/terminal.ts";
import { foldPlan, type PlanState } from "../../src/plan/index.ts";
import { listPlans, plansFolder, tryReadPlanJournal } from "../../src/plan/node/index.ts";
import { applyWorkspaceEdit } from "../../src/text/index.ts";
import type { TaskRepository } from "./task-repository.ts";

/** How `emend plan` is run. */
export interface CarryOutOptions {
  /** As one writes it behind `--model`. */
  readonly model: string;
  readonly instruction: string | undefined;
  readonly maxSteps: number | undefined;
  readonly verifier: string | undefined;
  /** Receives what the command reports to a person while it works. */
  readonly onOutput?: (text: string) => void;
}

/** What a plan came to. */
export interface CarriedOut {
  readonly state: PlanState;
  /** The files of the source as the plan left them. */
  readonly predicted: ReadonlyMap<string, string>;
  readonly modelCalls: number;
  /** Of this process, in seconds; what a model takes elsewhere is none of it. */
  readonly cpuSeconds: number;
}

/**
 * Runs `emend plan` on what differs in the work tree of a repository, and reads from its journal
 * what came of it. Nothing is written to the work tree. Throws where there was no plan, with the
 * output of the command.
 */
export async function carryOut(
  { root, ownFolder }: Pick<TaskRepository, "root" | "ownFolder">,
  source: ReadonlyMap<string, string>,
  { model, instruction, maxSteps, verifier, onOutput }: CarryOutOptions,
): Promise<CarriedOut> {
  const args = [
    "plan",
    ...(instruction === undefined ? [] : [instruction]),
    ...["--seed", "working-tree", "--dry-run", "--model", model],
    ...(maxSteps === undefined ? [] : ["--max-steps", String(maxSteps)]),
    ...(verifier === undefined ? [] : ["--verify", verifier]),
  ];
  const stateFolder = join(ownFolder, "state");
  let output = "";
  const terminal: Terminal = {
    out: () => undefined,
    err: (text) => {
      output += text;
      onOutput?.(text);
    },
    readInput: async () => new Uint8Array(),
    ask: async () => undefined,
    ...{ colour: false, isShown: false, isWatched: false, columns: 80, rows: 24, workingFolder: root },
    environment: { ...process.env, EMEND_STATE_DIR: stateFolder, EMEND_CACHE_DIR: join(ownFolder, "cache") },
    ...{ signal: new AbortController().signal, now: () => performance.now() },
  };
  const before = process.cpuUsage();
  try {
    await run(args, terminal);
  } catch (error) {
    reportFailure(error, false, terminal);
  }
  const { user, system } = process.cpuUsage(before);
  const folder = plansFolder(join(stateFolder, "plans"), root);
  const [plan] = await listPlans(folder);
  const journal = plan === undefined ? undefined : await tryReadPlanJournal({ folder, plan });
  if (journal === undefined || journal.events.length === 0) throw new Error(`There is no plan: ${output.trim()}`);
  const state = foldPlan(journal.events);
  // A plan that failed on its way has no end, and what it made until then is no result.
  if (state.ended === undefined || state.ended.why === "failed")
    throw new Error(`The plan did not come to its end: ${state.ended?.note ?? output.trim()}`);
  let predicted = source;
  for (const { edit } of state.writes) {
    const applied = applyWorkspaceEdit(predicted, edit);
    if (applied.kind === "refused") throw new Error(`A write of the plan does not fit: ${JSON.stringify(applied)}`);
    predicted = applied.files;
  }
  const modelCalls = journal.events.filter(({ kind }) => kind === "model-answered").length;
  return { state, predicted, modelCalls, cpuSeconds: (user + system) / 1e6 };
}
