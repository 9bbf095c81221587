import { blockId, type CodeBlock } from "../../codebase/index.ts";
import type { PlanStep, StepId } from "../../plan/index.ts";
import { Edit, minimalEdit, type TextEdit, type WorkspaceEdit, workspaceEdit } from "../../text/index.ts";

/** A file that a person changed after a plan stopped. */
export interface HandChange {
  readonly path: string;
  readonly before: string;
  readonly after: string;
}

/** A person's edit for one step. */
export interface HandEdit {
  readonly id: StepId;
  readonly edit: WorkspaceEdit;
}

/**
 * Distributes a person's changes among the steps that were left to do: each replacement goes to the
 * step whose block contains it, others to the first step of the file, or else to the first of all.
 * Applied one after the other the edits are the whole change. Returns `undefined` where no step is
 * left but there are changes.
 */
export function handEdits(
  changes: readonly HandChange[],
  steps: readonly Pick<PlanStep, "id" | "block">[],
  blocksOf: (path: string, text: string) => readonly CodeBlock[],
): readonly HandEdit[] | undefined {
  const [first] = steps;
  if (first === undefined) return changes.length === 0 ? [] : undefined;
  const found = new Map<StepId, HandEdit>();
  for (const { path, before, after } of changes) {
    const own = steps.filter(({ block }) => block.path === path);
    const ranges = new Map(blocksOf(path, before).map((block) => [blockId(block), block.range]));
    const groups = new Map<StepId, TextEdit[]>();
    for (const one of minimalEdit(before, after).edits) {
      const around = own.find(({ block }) => {
        const range = ranges.get(blockId(block));
        return range !== undefined && range.start <= one.start && one.end <= range.end;
      });
      const { id } = around ?? own[0] ?? first;
      groups.set(id, [...(groups.get(id) ?? []), one]);
    }
    const made: TextEdit[] = [];
    for (const [id, edits] of groups) {
      const edit = Edit.of(edits).rebase(Edit.of([...made].sort((a, b) => a.start - b.start)), "base-first");
      made.push(...edits);
      const known = found.get(id)?.edit.changes ?? [];
      found.set(id, { id, edit: workspaceEdit([...known, { kind: "edit", uri: path, edit }]) });
    }
  }
  return [...found.values()];
}
