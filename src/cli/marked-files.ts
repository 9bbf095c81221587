import { readEditFiles } from "../edit/node/index.ts";
import type { NextEditOutcome, WholeChain } from "../next/index.ts";
import { byteOrderMark } from "../text/index.ts";

/**
 * Of the files that an answer proposes to edit, those that begin with a mark on the disk, by their paths from the root. The engine is not shown it, and
 * `git apply` wants to see it.
 */
export async function markedFiles(
  outcome: NextEditOutcome,
  chain: WholeChain | undefined,
  { root, signal }: { readonly root: string; readonly signal: AbortSignal },
): Promise<ReadonlySet<string>> {
  if (outcome.kind === "silent") return new Set();
  const { path, others } = outcome.suggestion;
  const paths = new Set([path, ...others.map((other) => other.path), ...(chain?.files.keys() ?? [])]);
  const { files } = await readEditFiles(root, [...paths], { signal });
  return new Set(files.filter(({ text }) => text.startsWith(byteOrderMark)).map((file) => file.path));
}
