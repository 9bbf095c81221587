import { resolve } from "node:path";
import { type ChangeRefusal, disk, toPortablePath } from "../codebase/node/index.ts";
import { type ExitCode, exitCodes } from "./exit-codes.ts";
import { CommandFailure } from "./failure.ts";
import type { Terminal } from "./terminal.ts";

/** The text of a unified diff in a file, or of standard input for `-`. Throws a {@link CommandFailure}. */
export async function readDiffText(
  diff: string,
  terminal: Pick<Terminal, "workingFolder" | "readInput">,
): Promise<string> {
  const bytes =
    diff === "-"
      ? await terminal.readInput()
      : await disk.readFile(toPortablePath(resolve(terminal.workingFolder, diff)));
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    const name = diff === "-" ? "standard input" : diff;
    throw new CommandFailure("not-utf-8", `The diff on ${name} is not UTF-8. Make it without binary files.`, {
      exitCode: exitCodes.notSource,
    });
  }
}

/** How a command was asked for a change, for what it says where there is none. */
export interface ChangeQuestion {
  readonly root: string;
  /** What to type to name a change that is made already: `emend impact RANGE`. */
  readonly command: string;
  /** What takes the file of a diff: `--diff`. */
  readonly diffFlag: string;
}

/** Why there is no change to look at, and what to do. */
export function changeFailure(refusal: ChangeRefusal, asked: ChangeQuestion): CommandFailure {
  const { root, diffFlag } = asked;
  const failed = (message: string, exitCode: ExitCode = exitCodes.failed) =>
    new CommandFailure(refusal.kind, message, { exitCode });
  switch (refusal.kind) {
    case "git-missing":
      return failed(`There is no git on this machine. Install it, or give a change with ${diffFlag} FILE.`);
    case "not-a-repository":
      return failed(
        `${root} does not lie in a git repository. Go to one, name one with --workspace, or give a change with ${diffFlag} FILE.`,
      );
    case "not-trusted":
      return failed(`git does not trust this repository: ${refusal.message.split("\n")[0]}`);
    case "folder-missing":
      return failed(`There is no folder ${root}.`, exitCodes.notFound);
    case "timed-out":
      return failed(`git did not answer within ${refusal.timeoutMs / 1000} seconds. Try again.`);
    case "failed":
      return failed(`git could not tell what changed: ${refusal.message.split("\n")[0]}`);
    case "no-work-tree":
      return failed(
        refusal.folder === "bare"
          ? "This repository is bare: it has no files to look at. Make a work tree with `git worktree add DIR`, and go there."
          : "This folder is the inside of .git. Go to the work tree.",
      );
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
      return failed(refusal.isMade ? madeAlready(refusal.path, asked) : mismatch(refusal));
  }
}

function madeAlready(path: string, { command }: ChangeQuestion): string {
  return `The diff is made already in ${path}. Name the change instead, as \`${command}\`, or turn the diff around (git diff -R) to ask about taking it back.`;
}

function mismatch({ path, why }: Extract<ChangeRefusal, { kind: "diff-mismatch" }>): string {
  const reasons = {
    missing: `it changes ${path}, which is not there`,
    exists: `it makes ${path}, which is there already`,
    lines: `the lines that it changes are not in ${path}`,
    "not-read": `${path} is not read`,
  };
  return `The diff does not fit the files as they are: ${reasons[why]}. Check out what it was made from.`;
}
