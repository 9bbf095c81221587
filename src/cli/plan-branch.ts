import {
  commitOnNewBranch,
  type GitAnswer,
  gitBranchState,
  gitCommittedFiles,
  gitHead,
} from "../codebase/node/index.ts";
import { countSteps, type PlanState } from "../plan/index.ts";
import { exitCodes } from "./exit-codes.ts";
import { CommandFailure } from "./failure.ts";
import { countText } from "./print-amount.ts";
import { listed } from "./print-names.ts";
import type { ReviewEnd } from "./review-edit.ts";
import type { Terminal } from "./terminal.ts";

/** A file that a plan speaks of. `null` stands for none. */
export interface PlannedFile {
  readonly path: string;
  /** Before the plan and its seeds. */
  readonly start: string | null;
  /** In the work tree. */
  readonly now: string | null;
  /** When all is written. */
  readonly after: string | null;
}

/** A plan that is to be committed. */
export interface PlanToCommit {
  readonly root: string;
  readonly branch: string;
  readonly state: PlanState;
  readonly files: readonly PlannedFile[];
}

/** How that ended; `commit` is its full id. */
export type BranchEnd = ReviewEnd & { readonly commit?: string };

/** Checks before a plan begins that its outcome can be committed on this branch. Throws a {@link CommandFailure} that says what to do. */
export async function checkBranch(branch: string, root: string, { signal }: Pick<Terminal, "signal">): Promise<void> {
  const head = answered(await gitHead(root, { signal }), root);
  if (head.kind === "unborn")
    throw failure("There is no commit yet that a branch could begin at. Commit something first.");
  const state = answered(await gitBranchState(root, branch, { signal }), root);
  if (state === "no-name") throw failure(`${JSON.stringify(branch)} cannot be the name of a branch. Give another one.`);
  if (state === "taken") throw failure(`There is a branch ${branch} already. Give another name.`);
}

/**
 * Commits what a plan came to on a new branch, with the change that it began with. The work tree, the index and the branch that is checked out stay as they
 * are, and nothing is pushed.
 */
export async function commitPlan(plan: PlanToCommit, terminal: Pick<Terminal, "signal">): Promise<BranchEnd> {
  try {
    return await commitFiles(plan, terminal);
  } catch (error) {
    if (!(error instanceof CommandFailure)) throw error;
    return { exitCode: error.exitCode, message: `Nothing is committed. ${error.message}` };
  }
}

async function commitFiles(
  { root, branch, state, files }: PlanToCommit,
  { signal }: Pick<Terminal, "signal">,
): Promise<BranchEnd> {
  await checkBranch(branch, root, { signal });
  const paths = files.map(({ path }) => path);
  const committed = answered(await gitCommittedFiles(root, paths, { signal }), root);
  const changed = new Map<string, string | null>();
  const dirty: string[] = [];
  for (const { path, start, now, after } of files) {
    const there = committed.get(path)?.text ?? null;
    const asCommitted = (text: string | null) => inLineEndingsOf(text, there);
    if (asCommitted(after) === there) continue;
    // What a person has not committed is not theirs to find in a commit of others.
    if (asCommitted(start) !== there && asCommitted(now) !== there) dirty.push(path);
    else changed.set(path, asCommitted(after));
  }
  if (dirty.length > 0) {
    const has = dirty.length === 1 ? "has changes that are" : "have changes that are";
    const message = `Nothing is committed: ${listed(dirty)} ${has} not committed and none of the plan's. Commit or stash them, and run \`emend plan apply --branch ${branch}\`.`;
    return { exitCode: exitCodes.failed, message };
  }
  if (changed.size === 0) return { exitCode: exitCodes.done, message: "There is nothing to commit." };
  const made = await commitOnNewBranch(root, { branch, message: messageOf(state), files: changed }, { signal });
  if (made.kind !== "answer") {
    const why = made.kind === "failed" ? made.message : made.kind;
    return { exitCode: exitCodes.failed, message: `Nothing is committed: ${why}` };
  }
  const commit = made.value;
  return {
    exitCode: exitCodes.done,
    commit,
    message: `Committed on the new branch ${branch}: ${commit.slice(0, 12)}, ${countText(changed.size, "file")}. Your files are as they were.`,
  };
}

/** The first line is what was asked for; below it stands how far the plan came. */
function messageOf(state: PlanState): string {
  const { plan, instruction } = state;
  const { done, pending, left } = countSteps(state);
  const first = instruction?.trim().split("\n", 1)[0] ?? "Carry a change through";
  const subject = first.length <= 72 ? first : `${first.slice(0, 71)}…`;
  const open = pending + left;
  const rest = open === 0 ? "" : `, ${open} open`;
  const body = subject === instruction?.trim() || instruction === undefined ? "" : `${instruction.trim()}\n\n`;
  return `${subject}\n\n${body}emend plan ${plan}: ${countText(done, "step")} done${rest}\n`;
}

/** A text as git keeps it, where the work tree has other line endings than the commit. */
function inLineEndingsOf(text: string | null, committed: string | null): string | null {
  if (text === null || committed === null || committed.includes("\r\n")) return text;
  return text.replaceAll("\r\n", "\n");
}

function answered<Value>(answer: GitAnswer<Value>, root: string): Value {
  if (answer.kind === "answer") return answer.value;
  if (answer.kind === "not-a-repository")
    throw failure(`${root} does not lie in a git repository, so that there are no branches.`);
  throw failure(`Git cannot be asked for a branch: ${"message" in answer ? answer.message : answer.kind}.`);
}

function failure(message: string): CommandFailure {
  return new CommandFailure("branch", message, { exitCode: exitCodes.usage });
}
