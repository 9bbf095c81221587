import { describe, expect, test } from "vitest";
import type { AtomicChange } from "../../src/analysis/changes/atomic-change.ts";
import type { CodeBlock, CodeBlockKind } from "../../src/analysis/graph/code-block.ts";
import { placeTargets, readBlockList } from "./task-blocks.ts";

function block(path: string, kind: CodeBlockKind, name: string): CodeBlock {
  const range = { start: 0, end: 1 };
  return { path, kind, name, simpleName: name, range, ownRange: range, signature: [range], isExported: true };
}

function change(before: CodeBlock | undefined, after: CodeBlock): AtomicChange {
  return {
    ...{ label: before ? "MMB" : "AM", after, ...(before && { before }) },
    ...{ removedNames: [], addedNames: [], changedNames: [] },
  };
}

test("a list of blocks is read past their texts", () => {
  const list =
    "\r\nrun\\src\\A.cs\r\nBlockTypes.METHOD, N.A.M\r\npublic void M()\r\n{ }\r\n-----\r\nrun\\b.py\nBlockTypes.VARIABLE, x\nx = 1\n-----\n";
  expect(readBlockList(list)).toEqual([
    { path: "run/src/A.cs", kind: "METHOD", name: "N.A.M" },
    { path: "run/b.py", kind: "VARIABLE", name: "x" },
  ]);
});

describe("what the lists name is found", () => {
  const listed = (name: string) => ({ path: "run/src/A.cs", kind: "METHOD" as const, name });
  const first = block("src/A.cs", "constructor", "A.A");
  const second = block("src/A.cs", "constructor", "A.A#2");
  const quiet = block("src/A.cs", "method", "A.Quiet");

  test("behind a namespace, each overload once, and what is new", () => {
    const { targets } = placeTargets(
      [listed("N.A.A"), listed("N.A.A"), listed("N.A.B")],
      [change(first, first), change(second, second), change(undefined, block("src/A.cs", "method", "A.B"))],
      [],
    );
    expect(targets.map(({ id, isNew }) => `${id}${isNew ? " new" : ""}`)).toEqual([
      "src/A.cs|constructor:A.A",
      "src/A.cs|constructor:A.A#2",
      "src/A.cs|method:A.B new",
    ]);
  });

  test("also where nothing changed but blanks, or it is declared that it is not", () => {
    const { targets, unplaced } = placeTargets([listed("N.A.Quiet"), listed("N.A.None")], [], [quiet]);
    expect(targets).toMatchObject([{ id: "src/A.cs|method:A.Quiet", isSame: true }]);
    expect(unplaced).toEqual([listed("N.A.None")]);
  });
});
