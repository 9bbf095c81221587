import type { ChangeRefusal } from "../workspace/node/index.ts";
import { readFileOrInput } from "./open-file.ts";
import { type ExitCode, exitCodes } from "./terminal/exit-codes.ts";
import { CommandFailure } from "./terminal/failure.ts";
import type { Terminal } from "./terminal/terminal.ts";

/**
 * Reads the text of a unified diff from a file, or from standard input for `-`. Throws a {@link
 * CommandFailure} where it is not UTF-8, and rejects where it cannot be read.
 */
export async function readDiffText(
  diff: string,
  terminal: Pick<Terminal, "workingFolder" | "readInput">,
): Promise<string> {
  const bytes = await readFileOrInput(diff, terminal);
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    const name = diff === "-" ? "standard input" : diff;
    throw new CommandFailure("not-utf-8", `The diff on ${name} is not UTF-8. Make it without binary files.`, {
      exitCode: exitCodes.notSource,
    });
  }
}

/** How the command was called, for messages that there is no change. */
export interface ChangeQuery {
  readonly root: string;
  /** The command for a change that is made already: `emend impact RANGE`. */
  readonly command: string;
  /** The option that takes the file of a diff: `--diff`. */
  readonly diffFlag: string;
}

/**
 * Makes the failure of a command that has no change to work on: its code is the kind of the
 * refusal, and its message contains what to do.
 */
export function changeFailure(refusal: ChangeRefusal, query: ChangeQuery): CommandFailure {
  const { root, diffFlag } = query;
  const failed = (message: string, exitCode: ExitCode = exitCodes.failed) =>
    new CommandFailure(refusal.kind, message, { exitCode });
  switch (refusal.kind) {
    case "git-missing":
      return failed(`There is no git on this machine. Install it, or give a change with ${diffFlag} FILE.`);
    case "not-a-repository":
      return failed(
        `${root} is not in a git repository. Go to one, name one with --workspace, or give a change with ${diffFlag} FILE.`,
      );
    case "bare-repository":
      return failed(bareMessage);
    case "not-trusted":
      return failed(`git does not trust this repository: ${refusal.message.split("\n")[0]}`);
    case "folder-missing":
      return failed(`There is no folder ${root}.`, exitCodes.notFound);
    case "timed-out":
      return failed(`git did not answer within ${refusal.timeoutMs / 1000} seconds. Try again.`);
    case "failed":
      return failed(`git could not list the changes: ${refusal.message.split("\n")[0]}`);
    case "no-work-tree":
      return failed(refusal.folder === "bare" ? bareMessage : "This folder is inside of .git. Go to the work tree.");
    case "no-commit":
      return failed(
        `There is no commit yet to compare with. Commit something first, or give a change with ${diffFlag} FILE.`,
      );
    case "unknown-revision":
      return failed(
        `This repository has no commit called ${refusal.revision}. Check the name, or fetch it; in CI the checkout may need its history (fetch-depth: 0).`,
        exitCodes.usage,
      );
    case "no-merge-base":
      return failed(
        `${refusal.revisions.join(" and ")} have no commit in common, as far as the history was fetched. Fetch it (git fetch --unshallow; in CI fetch-depth: 0), or give A..B.`,
      );
    case "bad-diff":
      return failed(`The diff cannot be read, line ${refusal.line}: ${refusal.issue.message}.`);
    case "diff-mismatch":
      return failed(refusal.isMade ? madeAlready(refusal.path, query) : mismatch(refusal));
  }
}

const bareMessage =
  "This repository is bare: it has no files to look at. Make a work tree with `git worktree add DIR`, and go there.";

function madeAlready(path: string, { command }: ChangeQuery): string {
  return `The diff is applied already in ${path}. Name the change instead, as \`${command}\`, or reverse the diff (git diff -R) to see the impact of undoing it.`;
}

function mismatch({ path, why }: Extract<ChangeRefusal, { kind: "diff-mismatch" }>): string {
  const reasons = {
    missing: `it changes ${path}, which is not there`,
    exists: `it makes ${path}, which is there already`,
    lines: `the lines that it changes are not in ${path}`,
    "not-read": `${path} is not read`,
  };
  return `The diff does not apply to the current files: ${reasons[why]}. Check out what it was made from.`;
}
