import { type AtomicChange, type BlockId, blockId, type CodeBlock, type ImpactReport } from "../codebase/index.ts";
import {
  Edit,
  type FileChange,
  type FileTexts,
  type TextEdit,
  type TextRange,
  type WorkspaceEdit,
  workspaceEdit,
} from "../text/index.ts";
import type { BlockRewrite } from "./block-rewrite.ts";
import { makeRewrite } from "./make-rewrite.ts";
import type { PlanStep } from "./plan-graph.ts";

/** A block that a change touches, with its part of the change. */
export interface SeedRewrite {
  readonly block: PlanStep["block"];
  readonly rewrite: BlockRewrite;
  readonly changes: readonly AtomicChange[];
}

/**
 * Splits a change into one rewrite for each block, in the order of the files; applied one after the
 * other they give the change.
 *
 * A replacement between blocks belongs to the changed block before it in the file, or else to the
 * first one; in a file without changed blocks, to the block around it.
 */
export function seedRewrites(
  edit: WorkspaceEdit,
  files: FileTexts,
  { changes }: ImpactReport,
  blockAt: (path: string, offset: number) => CodeBlock | undefined,
): readonly SeedRewrite[] {
  const found: SeedRewrite[] = [];
  for (const change of edit.changes) {
    const path = change.kind === "rename" ? change.uriAfter : change.uri;
    const here = changes.filter(
      ({ before, after }) => [before?.path, after?.path].includes(path) || before?.path === change.uri,
    );
    const parts =
      change.kind === "edit"
        ? partsOf(change, here, blockAt)
        : [{ change, block: blockOf(here[0]) ?? fileBlock(path) }];
    let texts = files;
    const isApart = (one: AtomicChange) => parts.some(({ block }) => isOf(one, block));
    for (const [index, { change: part, block }] of parts.entries()) {
      const made = makeRewrite(workspaceEdit([part]), texts, { kind: "seed" });
      if (made === undefined) continue;
      const own = here.filter((one) => isOf(one, block) || (index === 0 && !isApart(one)));
      found.push({ block, rewrite: made.rewrite, changes: own });
      texts = new Map([...texts, [path, made.changed.get(path)?.after ?? ""]]);
    }
  }
  return found;
}

interface SeedPart {
  readonly change: FileChange;
  readonly block: PlanStep["block"];
}

function partsOf(
  { uri, edit }: Extract<FileChange, { kind: "edit" }>,
  changes: readonly AtomicChange[],
  blockAt: (path: string, offset: number) => CodeBlock | undefined,
): readonly SeedPart[] {
  const groups = new Map<BlockId, { readonly block: PlanStep["block"]; readonly edits: TextEdit[] }>();
  const waiting: TextEdit[] = [];
  const after = edit.rangesAfter();
  let last: TextEdit[] | undefined;
  for (const [index, one] of edit.edits.entries()) {
    const block = changedBlock(one, after[index]!, changes);
    if (block !== undefined) {
      const id = blockId(block);
      const group = groups.get(id) ?? { block: plainBlock(block), edits: [] };
      groups.set(id, group);
      last = group.edits;
    }
    (last ?? waiting).push(one);
  }
  const [first] = groups.values();
  if (first !== undefined) first.edits.unshift(...waiting);
  else {
    const block = blockAt(uri, waiting[0]?.start ?? 0);
    return [{ change: { kind: "edit", uri, edit }, block: block === undefined ? fileBlock(uri) : plainBlock(block) }];
  }
  const parts: SeedPart[] = [];
  const made: TextEdit[] = [];
  for (const { block, edits } of groups.values()) {
    const own = Edit.of(edits);
    parts.push({ block, change: { kind: "edit", uri, edit: own.rebase(Edit.of(inOrder(made)), "base-first") } });
    made.push(...edits);
  }
  return parts;
}

/**
 * The smallest changed block around a replacement, before or after the change; `undefined` when
 * there is none.
 */
function changedBlock(edit: TextRange, after: TextRange, changes: readonly AtomicChange[]): CodeBlock | undefined {
  let best: { readonly block: CodeBlock; readonly length: number } | undefined;
  const offer = (block: CodeBlock, around: TextRange, inner: TextRange) => {
    const length = around.end - around.start;
    const isAround = around.start <= inner.start && inner.end <= around.end;
    if (isAround && (best === undefined || length < best.length)) best = { block, length };
  };
  for (const change of changes) {
    const block = change.after ?? change.before!;
    if (change.before !== undefined) offer(block, change.before.range, edit);
    if (change.after !== undefined) offer(block, change.after.range, after);
  }
  return best?.block;
}

function inOrder(edits: readonly TextEdit[]): readonly TextEdit[] {
  return [...edits].sort((a, b) => a.start - b.start || a.end - b.end);
}

function isOf({ before, after }: AtomicChange, block: PlanStep["block"]): boolean {
  return blockId((after ?? before)!) === blockId(block);
}

function blockOf(change: AtomicChange | undefined): PlanStep["block"] | undefined {
  const block = change?.after ?? change?.before;
  return block && plainBlock(block);
}

/** The parts of a block that a step stores. */
export function plainBlock({ path, kind, name }: CodeBlock): PlanStep["block"] {
  return { path, kind, name };
}

/** A block that represents a file without blocks. */
function fileBlock(path: string): PlanStep["block"] {
  return { path, kind: "statement", name: path };
}
