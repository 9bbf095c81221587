import { type AccessRules, type FileSystem, readSource } from "../../codebase/index.ts";

/** Where the changed files are. */
export interface ChangedFilesOptions {
  readonly rules: Pick<AccessRules, "prepare" | "verdict">;
  readonly fileSystem: FileSystem;
  /** The absolute folder of the workspace, links resolved. */
  readonly root: string;
}

/** Larger files are not searched for keys, so their changes are not shown; in bytes. */
const maxBytes = 20_000_000;

/**
 * Whether the changes of the file at `path`, from the workspace's root, may be shown to a model:
 * not if the file is secret by its name, by an ignore file or by its content, even where the
 * changed lines contain no secret. A deleted file has no content to judge by. Rejects as
 * {@link AccessRules.prepare} does.
 */
export async function mayShowChanges(path: string, { rules, fileSystem, root }: ChangedFilesOptions): Promise<boolean> {
  await rules.prepare(path);
  if (rules.verdict(path).kind !== "allowed") return false;
  const answer = await readSource(root, path, { fileSystem, unknownLanguages: "keep", maxBytes });
  return answer.kind === "source" || (answer.reason.kind !== "secret" && answer.reason.kind !== "oversized");
}
