import { blockId, type CodeBlock } from "../codebase/index.ts";
import type { PlanStep, StepId } from "../plan/index.ts";
import { Edit, minimalEdit, type TextEdit, type WorkspaceEdit, workspaceEdit } from "../text/index.ts";

/** A file that a person changed since a plan left it. */
export interface HandChange {
  readonly path: string;
  readonly before: string;
  readonly after: string;
}

/** What a person did for one step. */
export interface HandEdit {
  readonly id: StepId;
  readonly edit: WorkspaceEdit;
}

/**
 * Parts what a person changed among the steps that were left to them: each replacement goes to the step whose block it lies in, what lies
 * elsewhere to the first step of its file, or else to the first of all. Made one after the other they are the whole change. `undefined`
 * where no step is left.
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
