import type { FileChange } from "../../text/index.ts";
import { minimalEdit, workspaceEdit } from "../../text/index.ts";
import type { Verifier } from "../verifier.ts";
import type { ScratchCopy } from "./scratch-copy.ts";
import { ScratchPlanWorkspace } from "./scratch-plan-workspace.ts";

/**
 * Wraps a verification command so that its changes to the copy are reverted: what a formatter or a
 * test run writes is no change of the plan.
 *
 * Ignored files, such as caches, stay. `onTraces` is called with the paths of the reverted files,
 * relative to the root of the copy. A run rejects as that of `verifier` does, and with `EmendError`
 * where the copy cannot be compared or restored.
 */
export function tracelessVerifier(
  verifier: Verifier,
  copy: Pick<ScratchCopy, "root" | "changes" | "write" | "restore">,
  onTraces: (paths: readonly string[]) => void,
): Verifier {
  return {
    name: verifier.name,
    run: async (question = {}) => {
      const { signal } = question;
      const before = await stateOf(copy, signal);
      const verdict = await verifier.run(question);
      const traces = await takeBack(copy, before, signal);
      if (traces.length > 0) onTraces(traces);
      return verdict;
    },
  };
}

/**
 * The differences of a copy from its start: texts by path (`undefined` for a removed file), and
 * binary files.
 */
interface CopyState {
  readonly texts: ReadonlyMap<string, string | undefined>;
  readonly others: ReadonlySet<string>;
}

async function stateOf(
  copy: Pick<ScratchCopy, "root" | "changes" | "write">,
  signal: AbortSignal | undefined,
): Promise<CopyState> {
  const { edit, others } = await copy.changes({ signal });
  const workspace = new ScratchPlanWorkspace(copy);
  const texts = new Map<string, string | undefined>();
  for (const change of edit.changes) {
    const path = change.kind === "rename" ? change.uriAfter : change.uri;
    texts.set(path, await workspace.textOf(path));
  }
  return { texts, others: new Set(others) };
}

async function takeBack(
  copy: Pick<ScratchCopy, "root" | "changes" | "write" | "restore">,
  before: CopyState,
  signal: AbortSignal | undefined,
): Promise<readonly string[]> {
  const after = await stateOf(copy, signal);
  const isAsBefore = (path: string) =>
    before.texts.has(path) === after.texts.has(path) && before.texts.get(path) === after.texts.get(path);
  const traces = [...new Set([...before.texts.keys(), ...after.texts.keys()])].filter((path) => !isAsBefore(path));
  const others = [...after.others].filter((path) => !before.others.has(path) && !traces.includes(path));
  await copy.restore([...traces, ...others]);
  const workspace = new ScratchPlanWorkspace(copy);
  const changes: FileChange[] = [];
  for (const path of traces) {
    if (!before.texts.has(path)) continue;
    const [now, then] = [await workspace.textOf(path), before.texts.get(path)];
    if (then === undefined) changes.push({ kind: "delete", uri: path });
    else if (now === undefined) changes.push({ kind: "create", uri: path, text: then });
    else changes.push({ kind: "edit", uri: path, edit: minimalEdit(now, then) });
  }
  if (changes.length > 0) await workspace.write(workspaceEdit(changes), { instruction: "", signal });
  return [...traces, ...others].sort();
}
