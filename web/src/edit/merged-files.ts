import { applyWorkspaceEdit, carryOver, type FileChange, minimalEdit, workspaceEdit } from "../../../src/text/index.ts";
import type { OpenTexts } from "../page-services.ts";
import type { ProposedFile } from "./proposed-files.ts";

/** Changed files for the current texts, or why there are none, as a text for people. */
export type MergedFiles =
  | { readonly kind: "merged"; readonly files: readonly ProposedFile[] }
  | { readonly kind: "conflict"; readonly reason: string };

/**
 * Rebases the changes of files onto their current texts and versions, as `emend edit` does: later
 * changes in other lines are kept. A conflict where a line of the change was changed since, a file
 * is gone, or a file exists where one is created.
 */
export async function mergedFiles(
  files: readonly ProposedFile[],
  texts: Pick<OpenTexts, "textOf" | "versionOf">,
): Promise<MergedFiles> {
  const now = new Map<string, { readonly text: string | undefined; readonly version: number | null }>();
  const textNow = async (uri: string) => {
    // Read together, so that the version is that of the text.
    const [version, text] = [texts.versionOf(uri), texts.textOf(uri)];
    now.set(uri, { version, text: await text });
    return text;
  };
  const before = new Map(files.flatMap(({ uri, before }) => (before === null ? [] : [[uri, before] as const])));
  const carried = await carryOver(before, workspaceEdit(files.flatMap(changeOf)), textNow);
  if (carried.kind === "stale") {
    const reasons = carried.paths.map((stale) => {
      const file = files.find(({ uri }) => uri === stale)!;
      return reasonOf(file, { isThere: now.get(stale)?.text !== undefined });
    });
    return { kind: "conflict", reason: `${reasons.join(" ")} ${cure}` };
  }
  const after = applyWorkspaceEdit(carried.files, carried.edit);
  if (after.kind !== "applied") return { kind: "conflict", reason: `The files have changed since. ${cure}` };
  const merged = files.map((file): ProposedFile => {
    if (file.before === null || file.after === null) return file;
    const { uri, moved } = file;
    const texts = { before: carried.files.get(uri) ?? null, after: after.files.get(moved?.uri ?? uri) ?? null };
    return { ...file, ...texts, version: now.get(uri)?.version ?? null };
  });
  return { kind: "merged", files: merged };
}

const cure = "Nothing was applied: undo those changes, leave these parts out, or send the request again.";

function reasonOf({ path, moved, before, after }: ProposedFile, { isThere }: { readonly isThere: boolean }): string {
  if (before === null) return `${path} exists by now.`;
  if (!isThere) return `${path} no longer exists.`;
  if (after === null) return `${path} was changed since, and would be deleted.`;
  return moved === undefined
    ? `${path} was changed since in the same lines.`
    : `${path} was changed since in the same lines, or ${moved.path} exists by now.`;
}

function changeOf({ uri, moved, before, after }: ProposedFile): readonly FileChange[] {
  if (after === null) return before === null ? [] : [{ kind: "delete", uri }];
  if (before === null) return [{ kind: "create", uri, text: after }];
  const edit = minimalEdit(before, after);
  return [moved === undefined ? { kind: "edit", uri, edit } : { kind: "rename", uri, uriAfter: moved.uri, edit }];
}
