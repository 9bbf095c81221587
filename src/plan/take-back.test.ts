import fc from "fast-check";
import { expect, test } from "vitest";
import { applyWorkspaceEdit, Edit, invariant, invertWorkspaceEdit, workspaceEdit } from "../text/index.ts";
import { type PlanWrite, revertWrites } from "./take-back.ts";

/** Writes of steps 1, 2, …; each replaces a range of the text that the previous ones left. */
function writesOf(
  start: string,
  changes: readonly { readonly at: number; readonly length: number; readonly text: string }[],
) {
  const writes: PlanWrite[] = [];
  let files: ReadonlyMap<string, string> = new Map([["a", start]]);
  for (const [index, { at, length, text }] of changes.entries()) {
    const old = files.get("a")!;
    const from = Math.min(at, old.length);
    const edit = workspaceEdit([
      { kind: "edit", uri: "a", edit: Edit.replace({ start: from, end: Math.min(old.length, from + length) }, text) },
    ]);
    writes.push({ step: index + 1, edit, undo: invertWorkspaceEdit(edit, files) });
    files = applied(files, edit);
  }
  return { writes, after: files };
}

function applied(files: ReadonlyMap<string, string>, edit: PlanWrite["edit"]): ReadonlyMap<string, string> {
  const outcome = applyWorkspaceEdit(files, edit);
  if (outcome.kind === "refused") throw new Error(JSON.stringify(outcome.refusals));
  return outcome.files;
}

const change = fc.record({ at: fc.nat(30), length: fc.nat(3), text: fc.stringMatching(/^[x-z]{0,3}$/) });

test("law: after takeBack the texts are those of the other writes, each of which can be reverted in turn", () => {
  fc.assert(
    fc.property(fc.array(change, { maxLength: 6 }), fc.subarray([1, 2, 3, 4, 5, 6]), (changes, steps) => {
      const start = "abcdefghijklmnopqrstuvwxyz0123";
      const { writes, after } = writesOf(start, changes);
      const answer = revertWrites(writes, steps);
      expect(answer.kind === "in-the-way" && steps.includes(answer.step)).toBe(false);
      fc.pre(answer.kind === "taken-back");
      let files: ReadonlyMap<string, string> = new Map([["a", start]]);
      for (const { edit, undo } of answer.left) {
        const next = applied(files, edit);
        expect(applied(next, undo)).toEqual(files);
        files = next;
      }
      expect(applied(after, answer.edit)).toEqual(files);
    }),
  );
});

test("law: all writes together can always be reverted", () => {
  fc.assert(
    fc.property(fc.array(change, { maxLength: 6 }), (changes) => {
      const { writes, after } = writesOf("0123456789", changes);
      const answer = revertWrites(writes, [1, 2, 3, 4, 5, 6]);
      invariant(answer.kind === "taken-back", answer.kind);
      expect(applied(after, answer.edit)).toEqual(new Map([["a", "0123456789"]]));
    }),
  );
});

test.each([
  ["takeBack is prevented by a later write to the same text", "edit", { kind: "in-the-way", step: 2 }],
  ["takeBack is prevented by a later removal of the file", "delete", { kind: "in-the-way", step: 2 }],
])("%s", (_, kind, answer) => {
  const { writes } = writesOf("abc", [{ at: 0, length: 2, text: "xy" }]);
  const files = new Map([["a", "xyc"]]);
  const change =
    kind === "edit"
      ? ({ kind, uri: "a", edit: Edit.insert(1, "z") } as const)
      : ({ kind: "delete", uri: "a" } as const);
  const edit = workspaceEdit([change as never]);
  expect(revertWrites([...writes, { step: 2, edit, undo: invertWorkspaceEdit(edit, files) }], [1])).toEqual(answer);
});
