import { readEditFiles } from "../../edit/node/index.ts";
import type { NextEditOutcome, WholeChain } from "../../next/index.ts";
import { byteOrderMark } from "../../text/index.ts";

/**
 * The paths, from the root, of those files in a suggestion that begin with a byte order mark on the
 * disk. The engine's texts have no mark, but `git apply` requires it in a patch.
 */
export async function markedFiles(
  outcome: NextEditOutcome,
  chain: WholeChain | undefined,
  { root, signal }: { readonly root: string; readonly signal: AbortSignal },
): Promise<ReadonlySet<string>> {
  if (outcome.kind === "no-suggestion") return new Set();
  const { path, others } = outcome.suggestion;
  const paths = new Set([path, ...others.map((other) => other.path), ...(chain?.files.keys() ?? [])]);
  const { files } = await readEditFiles(root, [...paths], { signal });
  return new Set(files.filter(({ text }) => text.startsWith(byteOrderMark)).map((file) => file.path));
}
