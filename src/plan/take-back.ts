import {
  composeWorkspaceEdits,
  emptyWorkspaceEdit,
  type FileChange,
  type WorkspaceEdit,
  workspaceEdit,
} from "../text/index.ts";
import type { BlockRewrite } from "./block-rewrite.ts";
import type { StepId } from "./plan-graph.ts";

/** A change of texts by a step. */
export interface PlanWrite extends Pick<BlockRewrite, "edit" | "undo"> {
  readonly step: StepId;
}

/** The edit that reverts writes, or the later write that prevents it. */
type Reverted =
  | {
      readonly kind: "taken-back";
      /** For the texts after all writes. */
      readonly edit: WorkspaceEdit;
      /** The other writes, as they are without the reverted ones. */
      readonly left: readonly PlanWrite[];
    }
  | { readonly kind: "in-the-way"; readonly step: StepId };

/**
 * Reverts the writes of some steps and keeps those of others.
 *
 * Each is reverted by moving its undo past all later writes; a later write that touches the same
 * text prevents it. Law: `edit` applied to the texts after all `writes` gives the texts after
 * `left`.
 */
export function revertWrites(writes: readonly PlanWrite[], steps: readonly StepId[]): Reverted {
  let left = [...writes];
  let edit = emptyWorkspaceEdit;
  for (let index = writes.length - 1; index >= 0; index--) {
    if (!steps.includes(writes[index]!.step)) continue;
    let undo = writes[index]!.undo;
    const later: PlanWrite[] = [];
    for (const write of left.slice(index + 1)) {
      const passed = tryPass(undo, write.edit);
      const undoAfter = passed && tryPass(passed.first, write.undo);
      if (undoAfter === undefined) return { kind: "in-the-way", step: write.step };
      later.push({ ...write, edit: passed!.second, undo: undoAfter.second });
      undo = passed!.first;
    }
    left = [...left.slice(0, index), ...later];
    edit = composeWorkspaceEdits(edit, undo);
  }
  return { kind: "taken-back", edit, left };
}

/**
 * Moves an edit past other edits that were made one after the other on the same texts, so that it
 * applies after them; `undefined` where it touches one of them.
 */
export function tryMovePast(edit: WorkspaceEdit, others: readonly WorkspaceEdit[]): WorkspaceEdit | undefined {
  let moved: WorkspaceEdit | undefined = edit;
  for (const other of others) moved = moved && tryPass(moved, other)?.first;
  return moved;
}

/** Two edits of the same texts, each moved past the other; `undefined` when they touch. */
function tryPass(
  first: WorkspaceEdit,
  second: WorkspaceEdit,
): { readonly first: WorkspaceEdit; readonly second: WorkspaceEdit } | undefined {
  const firstAfter = trySide(first, second);
  const secondAfter = trySide(second, first);
  return firstAfter && secondAfter && { first: firstAfter, second: secondAfter };
}

function trySide(edit: WorkspaceEdit, base: WorkspaceEdit): WorkspaceEdit | undefined {
  const changes: FileChange[] = [];
  for (const change of edit.changes) {
    const others = base.changes.filter((other) => pathsOf(other).some((path) => pathsOf(change).includes(path)));
    const [other] = others;
    if (other === undefined) changes.push(change);
    else if (change.kind !== "edit" || other.kind !== "edit") return undefined;
    else {
      const moved = change.edit.tryRebase(other.edit);
      if (moved === undefined) return undefined;
      changes.push({ ...change, edit: moved });
    }
  }
  return workspaceEdit(changes);
}

function pathsOf(change: FileChange): readonly string[] {
  return change.kind === "rename" ? [change.uri, change.uriAfter] : [change.uri];
}
