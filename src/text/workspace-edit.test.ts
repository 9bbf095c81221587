import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { anyEdit, anyText, law, readEdit } from "./edit.laws.ts";
import { Edit } from "./edit.ts";
import { EmendError, InvariantError } from "./errors.ts";
import { parseUnifiedDiff } from "./parse-unified-diff.ts";
import { patchedFiles } from "./patch.laws.ts";
import { toWorkspaceDiff } from "./unified-diff.ts";
import {
  applyWorkspaceEdit,
  composeWorkspaceEdits,
  emptyWorkspaceEdit,
  type FileChange,
  type FileTexts,
  invertWorkspaceEdit,
  printWorkspaceEdit,
  type WorkspaceEdit,
  workspaceEdit,
} from "./workspace-edit.ts";

const edit = (uri: string, marked: string): FileChange => ({ kind: "edit", uri, edit: readEdit(marked).edit });
const create = (uri: string, text: string): FileChange => ({ kind: "create", uri, text });
const remove = (uri: string): FileChange => ({ kind: "delete", uri });
const rename = (uri: string, uriAfter: string, marked = ""): FileChange => ({
  kind: "rename",
  uri,
  uriAfter,
  edit: readEdit(marked).edit,
});

/** Applies changes to files and answers the files after, or the refusals on one line each. */
function apply(files: Record<string, string>, ...changes: FileChange[]): Record<string, string> | string[] {
  const outcome = applyWorkspaceEdit(new Map(Object.entries(files)), workspaceEdit(changes));
  if (outcome.kind === "applied") return Object.fromEntries(outcome.files);
  return outcome.refusals.map(({ kind, uri }) => `${kind} ${uri}`);
}

describe("a workspace edit", () => {
  it("sorts its changes and leaves out empty edits", () => {
    const changes = [create("c", ""), remove("c"), edit("b", "[x|y]"), rename("a", "d"), edit("e", "xyz")];
    const one = workspaceEdit(changes);
    expect(printWorkspaceEdit(one)).toBe("rename a -> d, edit b, delete c, create c");
    expect(workspaceEdit([...changes].reverse())).toEqual(one);
  });

  it.each([
    ["edits a file twice", [edit("a", "[|x]"), edit("a", "[|y]")], "The file a is changed twice in one workspace edit"],
    ["edits what it deletes", [edit("a", "[|x]"), remove("a")], "The file a is changed twice in one workspace edit"],
    [
      "fills a place twice",
      [rename("a", "b"), create("b", "")],
      "The file b is put in place twice in one workspace edit",
    ],
    [
      "moves onto what stays",
      [rename("a", "b"), edit("b", "[|x]")],
      "The file b is put in place twice in one workspace edit",
    ],
  ])("refuses to be one that %s", (_, changes, message) => {
    expect(() => workspaceEdit(changes)).toThrow(new InvariantError(message));
  });

  it("prints itself on one short line", () => {
    expect(printWorkspaceEdit(emptyWorkspaceEdit)).toBe("no change");
    const many = workspaceEdit(["a", "b", "c", "d", "e", "f"].map(remove));
    expect(printWorkspaceEdit(many)).toBe("delete a, delete b, delete c, delete d and 2 more");
  });
});

describe("applyWorkspaceEdit", () => {
  const files = { a: "aaa", b: "bbb" };

  it.each([
    ["edits", [edit("a", "a[a|X]a")], { a: "aXa", b: "bbb" }],
    ["creates", [create("c", "new")], { ...files, c: "new" }],
    ["deletes", [remove("a")], { b: "bbb" }],
    ["moves and edits", [rename("a", "c", "aa[a|]")], { b: "bbb", c: "aa" }],
    ["swaps", [rename("a", "b"), rename("b", "a")], { a: "bbb", b: "aaa" }],
    ["moves away and creates there", [rename("a", "c"), create("a", "new")], { a: "new", b: "bbb", c: "aaa" }],
    ["deletes and creates there", [remove("a"), create("a", "new")], { a: "new", b: "bbb" }],
    // A refusal is complete.
    ["refuses to edit a missing file", [edit("x", "[|y]"), remove("y")], ["missing-file x", "missing-file y"]],
    ["refuses to create over a file", [create("a", "")], ["already-exists a"]],
    ["refuses to move onto a file", [rename("a", "b")], ["already-exists b"]],
    ["refuses to edit past the end", [edit("a", "aaaa[a|]"), edit("b", "[b|]")], ["out-of-bounds a"]],
  ])("%s", (_, changes, after) => {
    expect(apply(files, ...changes)).toEqual(after);
  });

  it("does not change the given files", () => {
    const before = new Map([["a", "x"]]);
    applyWorkspaceEdit(before, workspaceEdit([remove("a")]));
    expect([...before]).toEqual([["a", "x"]]);
  });
});

describe("composeWorkspaceEdits", () => {
  it.each([
    ["edits", [edit("a", "[a|X]")], [edit("a", "X[|Y]")], "edit a"],
    ["an edit and a move", [edit("a", "[a|X]")], [rename("a", "b")], "rename a -> b"],
    ["a move there and back", [rename("a", "b")], [rename("b", "a")], "no change"],
    ["a file that comes and goes", [create("n", "x")], [remove("n")], "no change"],
    ["a file that comes and moves", [create("n", "x")], [rename("n", "m", "[x|y]")], "create m"],
    ["a file that goes and comes", [remove("a")], [create("a", "x")], "delete a, create a"],
    ["a move and an end", [rename("a", "b")], [remove("b")], "delete a"],
    ["a move and a new file", [rename("a", "b")], [create("a", "x")], "create a, rename a -> b"],
    ["moves in a circle", [rename("a", "t")], [rename("b", "a"), rename("t", "b")], "rename a -> b, rename b -> a"],
  ])("puts together %s", (_, first, second, expected) => {
    const composed = composeWorkspaceEdits(workspaceEdit(first), workspaceEdit(second));
    const printed = composed.changes.map((change) => printWorkspaceEdit({ changes: [change] })).sort();
    expect(printed.length === 0 ? "no change" : printed.join(", ")).toBe(expected.split(", ").sort().join(", "));
  });

  it.each([
    ["edits what is gone", [remove("a")], [edit("a", "[|x]")], "edit of a, which the first edit took away"],
    [
      "creates what is there",
      [edit("a", "[|x]")],
      [create("a", "")],
      "create puts a file at a, where the first edit left one",
    ],
  ])("refuses a second edit that %s", (_, first, second, message) => {
    expect(() => composeWorkspaceEdits(workspaceEdit(first), workspaceEdit(second))).toThrow(
      new InvariantError(message),
    );
  });

  law("it is one after the other", [anySteps()], ({ files, steps: [a, b] }) => {
    expect(filesAfter(files, composeWorkspaceEdits(a!, b!))).toEqual(filesAfter(filesAfter(files, a!), b!));
  });

  law("it is associative", [anySteps()], ({ steps: [a, b, c] }) => {
    const left = composeWorkspaceEdits(composeWorkspaceEdits(a!, b!), c!);
    const right = composeWorkspaceEdits(a!, composeWorkspaceEdits(b!, c!));
    expect(joined(left)).toEqual(joined(right));
  });
});

describe("invertWorkspaceEdit", () => {
  it("throws without the files that it restores", () => {
    expect(() => invertWorkspaceEdit(workspaceEdit([remove("a")]), new Map())).toThrow(
      new EmendError("missing-file", "There is no file a to take the old text from"),
    );
  });

  law("it gives the files back", [anySteps()], ({ files, steps: [a] }) => {
    expect(filesAfter(filesAfter(files, a!), invertWorkspaceEdit(a!, files))).toEqual(files);
  });
});

describe("workspace diffs", () => {
  law("the patches of an edit lead to the same files", [anySteps()], ({ files, steps: [a] }) => {
    const { files: patches, issues } = parseUnifiedDiff(toWorkspaceDiff(files, a!));
    expect(issues).toEqual([]);
    expect(patchedFiles(files, patches)).toEqual(filesAfter(files, a!));
  });
});

function filesAfter(files: FileTexts, edit: WorkspaceEdit): FileTexts {
  const outcome = applyWorkspaceEdit(files, edit);
  if (outcome.kind === "refused") throw new Error(outcome.refusals.map(({ kind, uri }) => `${kind} ${uri}`).join(", "));
  return outcome.files;
}

/** The same edit with replacements joined where they touch, as composing joins them. */
function joined({ changes }: WorkspaceEdit): readonly FileChange[] {
  return changes.map((change) => ("edit" in change ? { ...change, edit: change.edit.compose(Edit.empty) } : change));
}

/** Files, and three workspace edits one after the other that fit them. */
function anySteps(): fc.Arbitrary<{ readonly files: FileTexts; readonly steps: readonly WorkspaceEdit[] }> {
  const anyFiles = fc
    .dictionary(fc.constantFrom("a", "b", "c"), anyText)
    .map((texts) => new Map(Object.entries(texts)));
  return anyFiles.chain((files) =>
    anyStep(files).chain((a) =>
      anyStep(filesAfter(files, a)).chain((b) =>
        anyStep(filesAfter(filesAfter(files, a), b)).map((c) => ({ files, steps: [a, b, c] })),
      ),
    ),
  );
}

/**
 * A workspace edit that fits: each file stays, goes or moves to a free name, and some are created.
 */
function anyStep(files: FileTexts): fc.Arbitrary<WorkspaceEdit> {
  const names = ["a", "b", "c", "d", "e"];
  const fates = fc.tuple(...[...files].map(([uri, text]) => fc.tuple(fc.constant(uri), anyEdit(text), fc.boolean())));
  return fc
    .tuple(fates, fc.shuffledSubarray(names, { minLength: names.length }), fc.array(anyText, { maxLength: 2 }))
    .map(([drawn, free, created]) => {
      const taken = new Set<string>();
      const changes: FileChange[] = [];
      for (const [uri, edit, moves] of drawn) {
        if (moves) continue;
        taken.add(uri);
        changes.push({ kind: "edit", uri, edit });
      }
      const names = free.filter((name) => !taken.has(name));
      for (const [uri, edit, moves] of drawn) {
        const uriAfter = moves ? names.pop() : undefined;
        if (!moves) continue;
        if (uriAfter === undefined || uriAfter === "e") changes.push({ kind: "delete", uri });
        else if (uriAfter === uri) changes.push({ kind: "edit", uri, edit });
        else changes.push({ kind: "rename", uri, uriAfter, edit });
      }
      for (const text of created) {
        const uri = names.pop();
        if (uri !== undefined) changes.push({ kind: "create", uri, text });
      }
      return workspaceEdit(changes);
    });
}
