import { expect, test } from "vitest";
import type { CodeBlock } from "../../analysis/index.ts";
import { applyWorkspaceEdit } from "../../text/index.ts";
import { handEdits } from "./go-on-plan.ts";

/** A block for each line: `a = 1` is `a`. */
function blocksOf(path: string, text: string): CodeBlock[] {
  const blocks: CodeBlock[] = [];
  for (const { 0: line, index } of text.matchAll(/.+\n/g)) {
    const range = { start: index, end: index + line.length };
    const names = { name: line.slice(0, 1), simpleName: line.slice(0, 1) };
    blocks.push({ path, kind: "variable", ...names, range, ownRange: range, signature: [], isExported: true });
  }
  return blocks;
}

const step = (id: number, path: string, name: string) => ({ id, block: { path, kind: "variable" as const, name } });
const before = "a = 1\nb = 1\nc = 1\n";

/** Which steps get an edit, and the text after all of them. */
function parted(after: string, steps: Parameters<typeof handEdits>[1]) {
  const edits = handEdits([{ path: "x", before, after }], steps, blocksOf);
  let files: ReadonlyMap<string, string> = new Map([["x", before]]);
  for (const { edit } of edits ?? []) {
    const applied = applyWorkspaceEdit(files, edit);
    if (applied.kind === "applied") files = applied.files;
  }
  return [edits?.map(({ id }) => id), files.get("x")];
}

test.each([
  ["each block's step gets its own part", "a = 1\nb = 22\nc = 3\n", [step(1, "x", "c"), step(2, "x", "b")], [2, 1]],
  ["what lies elsewhere goes to the first step of its file", "a = 5\nb = 2\nc = 1\n", [step(3, "x", "b")], [3]],
  ["of a file without steps, to the first of all", "a = 5\nb = 1\nc = 1\n", [step(4, "y", "b")], [4]],
])("edits by hand are divided among the open steps: %s", (_, after, steps, ids) => {
  expect(parted(after, steps)).toEqual([ids, after]);
});

test("returns undefined for a change when no step is left", () => {
  expect(handEdits([{ path: "x", before, after: "" }], [], blocksOf)).toBeUndefined();
  expect(handEdits([], [], blocksOf)).toEqual([]);
});
