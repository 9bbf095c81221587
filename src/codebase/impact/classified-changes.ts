import type { CodeBlock } from "../graph/code-block.ts";
import type { AtomicChange } from "./atomic-change.ts";
import { classifySteps, type FileChange } from "./classify-changes.ts";

/** What {@link classifiedChanges} is given. */
export interface ClassifyRequest {
  /** The texts of the changed files, before and after; `undefined` where there is none. */
  readonly changed: ReadonlyMap<string, { readonly before: string | undefined; readonly after: string | undefined }>;
  readonly blocksOf: (path: string, text: string) => readonly CodeBlock[] | Promise<readonly CodeBlock[]>;
  readonly signal?: AbortSignal | undefined;
  /** Lets timers, signals and I/O run; called between files, and between the two texts of one. */
  readonly yieldThread?: (() => Promise<void>) | undefined;
}

/**
 * The atomic changes of a change of any number of files, without blocking the event loop for longer
 * than one text takes: see `classifyChanges`. Rejects with the signal's reason.
 */
export async function classifiedChanges({
  changed,
  blocksOf,
  signal,
  yieldThread,
}: ClassifyRequest): Promise<readonly AtomicChange[]> {
  const rest = async () => {
    await yieldThread?.();
    signal?.throwIfAborted();
  };
  const files: FileChange[] = [];
  for (const [path, { before, after }] of changed) {
    await rest();
    const old = before === undefined ? undefined : { text: before, blocks: await blocksOf(path, before) };
    if (old !== undefined && after !== undefined) await rest();
    files.push({
      path,
      ...(old !== undefined && { before: old }),
      ...(after !== undefined && { after: { text: after, blocks: await blocksOf(path, after) } }),
    });
  }
  const steps = classifySteps(files);
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
    await rest();
  }
}
