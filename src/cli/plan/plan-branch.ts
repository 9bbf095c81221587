import { countSteps, type PlanState } from "../../plan/index.ts";
import {
  commitOnNewBranch,
  type GitAnswer,
  gitBranchState,
  gitCommittedFiles,
  gitHead,
} from "../../workspace/node/index.ts";
import type { ReviewEnd } from "../edit/review-edit.ts";
import { exitCodes } from "../terminal/exit-codes.ts";
import { CommandFailure } from "../terminal/failure.ts";
import { countText, listed } from "../terminal/print-amount.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { gitTrustOf } from "../workspace-settings.ts";

/** A file of a plan. `null` is a missing one. */
export interface PlannedFile {
  readonly path: string;
  /** Before the plan and its seeds. */
  readonly start: string | null;
  /** In the work tree. */
  readonly now: string | null;
  /** After all changes are written. */
  readonly after: string | null;
}

/** A plan that is to be committed. */
export interface PlanToCommit {
  readonly root: string;
  readonly branch: string;
  readonly state: PlanState;
  readonly files: readonly PlannedFile[];
  /** Whether the person gave `--trust`. */
  readonly trust: boolean;
}

/** The result of a commit; `commit` is its full id. */
export type BranchEnd = ReviewEnd & { readonly commit?: string };

/**
 * Checks before a plan begins that its result can be committed on this branch. Throws a {@link
 * CommandFailure} with what to do where the root is in no git repository, there is no commit yet,
 * the name cannot be a branch's, the branch exists already, or git fails. Uncommitted changes are
 * not checked. Rejects with the signal's reason.
 */
export async function checkBranch(branch: string, root: string, { signal }: Pick<Terminal, "signal">): Promise<void> {
  const head = answered(await gitHead(root, { signal }), root);
  if (head.kind === "unborn") throw failure("There is no commit yet to start a branch from. Commit something first.");
  const state = answered(await gitBranchState(root, branch, { signal }), root);
  if (state === "no-name") throw failure(`${JSON.stringify(branch)} cannot be the name of a branch. Give another one.`);
  if (state === "taken") throw failure(`There is a branch ${branch} already. Give another name.`);
}

/**
 * Commits the result of a plan on a new branch, together with its seed. The work tree, the index
 * and the current branch stay unchanged, and nothing is pushed.
 *
 * Where nothing can be committed, the result has no `commit`, and its message has the reason.
 * Rejects with the signal's reason on abort.
 */
export async function commitPlan(
  plan: PlanToCommit,
  terminal: Pick<Terminal, "signal" | "environment">,
): Promise<BranchEnd> {
  try {
    return await commitFiles(plan, terminal);
  } catch (error) {
    if (!(error instanceof CommandFailure)) throw error;
    return { exitCode: error.exitCode, message: `Nothing is committed. ${error.message}` };
  }
}

async function commitFiles(
  { root, branch, state, files, trust }: PlanToCommit,
  { signal, environment }: Pick<Terminal, "signal" | "environment">,
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
    // Uncommitted changes of a person must not become part of the plan's commit.
    if (asCommitted(start) !== there && asCommitted(now) !== there) dirty.push(path);
    else changed.set(path, asCommitted(after));
  }
  if (dirty.length > 0) {
    const has = dirty.length === 1 ? "has changes that are" : "have changes that are";
    const message = `Nothing is committed: ${listed(dirty)} ${has} not committed and not part of the plan. Commit or stash them, and run \`emend plan apply --branch ${branch}\`.`;
    return { exitCode: exitCodes.failed, message };
  }
  if (changed.size === 0) return { exitCode: exitCodes.done, message: "There is nothing to commit." };
  const git = await gitTrustOf({ root, trust, environment });
  const made = await commitOnNewBranch(root, { branch, message: messageOf(state), files: changed }, { ...git, signal });
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

/** The commit message: the instruction as its first line, and the plan's progress below. */
function messageOf(state: PlanState): string {
  const { plan, instruction } = state;
  const { done, pending, left } = countSteps(state);
  const first = instruction?.trim().split("\n", 1)[0] ?? "Propagate a change";
  const subject = first.length <= 72 ? first : `${first.slice(0, 71)}…`;
  const open = pending + left;
  const rest = open === 0 ? "" : `, ${open} open`;
  const body = subject === instruction?.trim() || instruction === undefined ? "" : `${instruction.trim()}\n\n`;
  return `${subject}\n\n${body}emend plan ${plan}: ${countText(done, "step")} done${rest}\n`;
}

/** A text with the line endings of the commit, where the work tree has others. */
function inLineEndingsOf(text: string | null, committed: string | null): string | null {
  if (text === null || committed === null || committed.includes("\r\n")) return text;
  return text.replaceAll("\r\n", "\n");
}

function answered<Value>(answer: GitAnswer<Value>, root: string): Value {
  if (answer.kind === "answer") return answer.value;
  if (answer.kind === "not-a-repository")
    throw failure(`${root} is not in a git repository, so that there are no branches.`);
  throw failure(`git failed to read the branch: ${"message" in answer ? answer.message : answer.kind}.`);
}

function failure(message: string): CommandFailure {
  return new CommandFailure("branch", message, { exitCode: exitCodes.usage });
}
