import { withoutByteOrderMark } from "../../text/index.ts";
import { type FileSystem, readSource } from "../../workspace/index.ts";

/**
 * Whether the file at `path` of the workspace has this text on the disk, with a byte order mark or
 * without; `false` where the file may not be read.
 */
export async function isSavedText(
  root: string,
  { path, text }: { readonly path: string; readonly text: string },
  fileSystem: FileSystem,
): Promise<boolean> {
  const answer = await readSource(root, path, { fileSystem, unknownLanguages: "keep" });
  return answer.kind === "source" && withoutByteOrderMark(answer.text) === withoutByteOrderMark(text);
}
