import { decodeText } from "../binary.ts";
import { skipByContent, skipByName, skipByStat } from "../read-source.ts";
import type { SkipReason } from "../skip-reason.ts";
import { askGit, askGitBytes, type GitAnswer, type GitOptions, mapGitAnswer } from "./git.ts";

/** A path that differs between two states of a repository. Objects are named by their ids; absent where a side has none, or git has not stored it. */
export interface GitDifference {
  /** From the folder that was asked about. */
  readonly path: string;
  readonly kind: "file" | "link" | "submodule" | "conflict";
  readonly isBefore: boolean;
  readonly isAfter: boolean;
  readonly before?: string;
  readonly after?: string;
}

/** What a tree is compared with: the index, the work tree, or another tree, by its id. */
export type GitOther = "index" | "work-tree" | { readonly tree: string };

/**
 * The commit that a person names, as its full id, or `undefined` where the repository has none of that name.
 *
 * Names that begin with `-` are none: git would take them for options.
 */
export async function gitCommit(
  folder: string,
  name: string,
  options: GitOptions = {},
): Promise<GitAnswer<string | undefined>> {
  if (name.startsWith("-")) return { kind: "answer", value: undefined };
  const args = ["rev-parse", "--verify", "--quiet", "--end-of-options", `${name}^{commit}`];
  const answer = await askGit(folder, args, options);
  // Quietly it says nothing of a name that it does not know.
  if (answer.kind === "failed") return { kind: "answer", value: undefined };
  return mapGitAnswer(answer, (output) => output.trim());
}

/** Where the histories of two commits part, or `undefined` where they have nothing in common as far as they were fetched. */
export async function gitMergeBase(
  folder: string,
  [one, other]: readonly [string, string],
  options: GitOptions = {},
): Promise<GitAnswer<string | undefined>> {
  const answer = await askGit(folder, ["merge-base", one, other], options);
  if (answer.kind === "failed" && answer.exitCode === 1) return { kind: "answer", value: undefined };
  return mapGitAnswer(answer, (output) => output.trim());
}

/** What differs below `folder` between a tree and something else; a file that moved goes at one path and comes at another. Files that git does not track are not in it. */
export async function gitDifferences(
  folder: string,
  tree: string,
  other: GitOther,
  options: GitOptions = {},
): Promise<GitAnswer<readonly GitDifference[]>> {
  const against = other === "index" ? ["--cached", tree] : other === "work-tree" ? [tree] : [tree, other.tree];
  const plain = ["--raw", "-z", "--no-abbrev", "--no-renames", "--no-ext-diff", "--ignore-submodules=dirty"];
  const args = ["diff", ...plain, "--relative", ...against, "--", "."];
  return mapGitAnswer(await askGit(folder, args, options), parseRawDiff);
}

/** The files below `folder` that git neither tracks nor ignores, from it. */
export async function gitUntracked(folder: string, options: GitOptions = {}): Promise<GitAnswer<readonly string[]>> {
  const args = ["ls-files", "-z", "--others", "--exclude-standard"];
  return mapGitAnswer(await askGit(folder, args, options), (output) =>
    output.split("\0").filter((path) => path !== "" && !path.endsWith("/")),
  );
}

/** A stored text, or why it is not read. */
export type BlobAnswer =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "skipped"; readonly reason: SkipReason };

/**
 * The texts of stored objects, each by its path and id. The rules are those of files on the disk: no secrets, nothing binary,
 * too large or generated.
 *
 * An object that the repository has not fetched is `missing`; nothing is fetched for it.
 */
export async function gitTexts(
  folder: string,
  wanted: readonly { readonly path: string; readonly id: string }[],
  options: GitOptions = {},
): Promise<GitAnswer<(path: string, id: string) => BlobAnswer>> {
  const readable = wanted.filter(({ path }) => skipByName(path) === undefined);
  const ids = [...new Set(readable.map(({ id }) => id))];
  const sizes = await askAboutObjects(folder, ["cat-file", "--batch-check"], ids, options);
  if (sizes.kind !== "answer") return sizes;
  const refused = new Map<string, SkipReason>();
  for (const [index, line] of sizes.value.toString("utf8").split("\n").entries()) {
    const id = ids[index];
    if (id === undefined) continue;
    const size = /^\S+ blob (\d+)$/.exec(line)?.[1];
    const reason: SkipReason | undefined =
      size === undefined ? { kind: "missing" } : skipByStat({ kind: "file", size: Number(size), mtimeMs: 0 }, {});
    if (reason !== undefined) refused.set(id, reason);
  }
  const small = ids.filter((id) => !refused.has(id));
  const contents = await askAboutObjects(folder, ["cat-file", "--batch"], small, options);
  return mapGitAnswer(contents, (output) => {
    const bytes = splitBatch(output, small);
    return (path, id) => {
      const reason = skipByName(path) ?? refused.get(id);
      if (reason !== undefined) return { kind: "skipped", reason };
      const content = bytes.get(id);
      return content === undefined ? { kind: "skipped", reason: { kind: "missing" } } : textOf(content);
    };
  });
}

function textOf(content: Uint8Array): BlobAnswer {
  const decoded = decodeText(content);
  if (decoded.kind === "binary")
    return { kind: "skipped", reason: { kind: "binary", by: "content", detail: decoded.detail } };
  if (decoded.kind === "not-utf-8") return { kind: "skipped", reason: decoded };
  const reason = skipByContent(decoded.text);
  return reason === undefined ? { kind: "text", text: decoded.text } : { kind: "skipped", reason };
}

async function askAboutObjects(
  folder: string,
  args: readonly string[],
  ids: readonly string[],
  options: GitOptions,
): Promise<GitAnswer<Buffer>> {
  if (ids.length === 0) return { kind: "answer", value: Buffer.alloc(0) };
  const input = `${ids.join("\n")}\n`;
  // Many objects may take longer than a question.
  return askGitBytes(folder, args, { timeoutMs: 120_000, ...options, input });
}

/** Reads the answer of `cat-file --batch`: for each object a line `<id> <type> <size>`, its bytes, and a line's end. */
function splitBatch(output: Buffer, ids: readonly string[]): ReadonlyMap<string, Uint8Array> {
  const found = new Map<string, Uint8Array>();
  let offset = 0;
  for (const id of ids) {
    const end = output.indexOf(10, offset);
    if (end < 0) break;
    const size = /^\S+ \S+ (\d+)$/.exec(output.toString("latin1", offset, end))?.[1];
    offset = end + 1;
    if (size === undefined) continue;
    found.set(id, output.subarray(offset, offset + Number(size)));
    offset += Number(size) + 1;
  }
  return found;
}

/** Reads `git diff --raw -z`: `:100644 100644 <id> <id> M`, a NUL, the path, a NUL. */
function parseRawDiff(output: string): readonly GitDifference[] {
  const fields = output.split("\0");
  const found: GitDifference[] = [];
  for (let index = 0; index + 1 < fields.length; index += 2) {
    const [modeBefore, modeAfter, before, after, status] = fields[index]!.slice(1).split(" ");
    const modes = [modeBefore, modeAfter];
    const kind = modes.includes("160000") ? "submodule" : modes.includes("120000") ? "link" : "file";
    found.push({
      path: fields[index + 1]!,
      kind: status === "U" ? "conflict" : kind,
      isBefore: modeBefore !== noMode,
      isAfter: modeAfter !== noMode,
      ...(before !== undefined && !isZero(before) && { before }),
      ...(after !== undefined && !isZero(after) && { after }),
    });
  }
  return found;
}

const noMode = "000000";

function isZero(id: string): boolean {
  return /^0*$/.test(id);
}
