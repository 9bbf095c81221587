import { rmSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { TemporaryWorkspace } from "./fixtures/temporary-workspace.ts";
import { type EditorFile, recordSavedEdit } from "./record-saved-edit.ts";
import { editToUndo, listJournal, undoEdits } from "./undo-edits.ts";

const before = "one\ntwo\nthree\nfour\nfive\nsix\n";
const after = before.replace("two", "2");

/** Records an edit of files, and prints the number and the files that were recorded. */
async function record(workspace: TemporaryWorkspace, files: readonly EditorFile[], id?: number) {
  const edit = { instruction: "do it", files, ...(id !== undefined && { id }) };
  const recorded = await recordSavedEdit(workspace.root, edit, workspace.options);
  return recorded === undefined ? "nothing" : [recorded.id, ...recorded.paths].join(" ");
}

/** Undoes the last edit, and prints why not where that fails. */
async function undo(workspace: TemporaryWorkspace) {
  const { undone, stopped } = await undoEdits(workspace.root, { steps: 1 }, workspace.options);
  return stopped?.kind ?? `undone ${undone[0]!.paths.join(" ")}`;
}

describe("an edit of an editor, saved as", () => {
  test.each<readonly [what: string, saved: string, undone: string]>([
    ["its text", after, before],
    ["its text with CRLF line endings", after.replaceAll("\n", "\r\n"), before.replaceAll("\n", "\r\n")],
    ["its text with a byte order mark", `\uFEFF${after}`, `\uFEFF${before}`],
    ["its text with another line above", `zero\n${after}`, `zero\n${before}`],
    ["its text with another line below", `${after}seven\n`, `${before}seven\n`],
    ["formatted in the same line", after.replace("2", "2;"), before],
    ["formatted in the same line, and with another line below", `${after.replace("2", "2;")}7\n`, `${before}7\n`],
    ["a text without the line", before.replace("two\n", ""), before],
  ])("%s, is undone", async (_, saved, undone) => {
    const workspace = new TemporaryWorkspace({ a: saved });
    expect(await record(workspace, [{ path: "a", before, after }])).toBe("1 a");
    expect(await editToUndo(workspace.root, workspace.options.journal)).toEqual({
      ...{ id: 1, instruction: "do it", paths: ["a"] },
    });
    expect(await undo(workspace)).toBe("undone a");
    expect(workspace.text("a")).toBe(undone);
    expect(await editToUndo(workspace.root, workspace.options.journal)).toBeUndefined();
  });

  test.each<readonly [what: string, saved: string | undefined, file: Partial<EditorFile>]>([
    ["not at all", before, {}],
    ["taken back, with another line", `${before}seven\n`, {}],
    ["no file", undefined, {}],
    ["an empty file where one is created", "", { before: null }],
    ["a file that is to be deleted", before, { after: null }],
    ["a file that is to be moved", before, { pathAfter: "b" }],
    ["a file outside of the workspace", after, { path: "../a" }],
    ["a file with secrets", after, { path: ".env" }],
  ])("%s, is not recorded", async (_, saved, file) => {
    const path = file.path ?? "a";
    const workspace = new TemporaryWorkspace(saved === undefined ? {} : { [path]: saved });
    expect(await record(workspace, [{ path, before, after, ...file }])).toBe("nothing");
    expect(await listJournal(workspace.root, workspace.options.journal)).toEqual([]);
  });
});

test("a moved file whose text is not saved yet is not recorded", async () => {
  const workspace = new TemporaryWorkspace({ b: before });
  expect(await record(workspace, [{ path: "a", pathAfter: "b", before, after }])).toBe("nothing");
  expect(await record(workspace, [{ path: "a", pathAfter: "b", before, after: before }])).toBe("1 a");
  expect(await undo(workspace)).toBe("undone a b");
});

test("a created, a deleted and a moved file of an editor's edit are undone", async () => {
  const workspace = new TemporaryWorkspace({ made: "x\n", "to/b": after });
  const files = [
    { path: "made", before: null, after: "x\n" },
    { path: "gone", before, after: null },
    { path: "b", pathAfter: "to/b", before, after },
  ];
  expect(await record(workspace, files)).toBe("1 made gone b");
  expect(await undo(workspace)).toBe("undone b gone made to/b");
  expect(Object.keys(workspace.tree()).filter((path) => !path.endsWith("/"))).toEqual(["b", "gone"]);
  expect([workspace.text("b"), workspace.text("gone")]).toEqual([before, before]);
});

test("files that are saved later are added to the entry, unless it was undone", async () => {
  const workspace = new TemporaryWorkspace({ a: after, b: before, c: before });
  const files = ["a", "b", "c"].map((path) => ({ path, before, after }));
  expect(await record(workspace, files)).toBe("1 a");
  workspace.put("b", after);
  expect(await record(workspace, files.slice(1), 1)).toBe("1 b");
  expect(await undo(workspace)).toBe("undone a b");
  workspace.put("c", after);
  expect(await record(workspace, files.slice(2), 1)).toBe("3 c");
  expect(await undo(workspace)).toBe("undone c");
});

test("two edits of the same lines, saved together, are undone one after the other", async () => {
  const last = after.replace("2", "II");
  const workspace = new TemporaryWorkspace({ a: last });
  expect(await record(workspace, [{ path: "a", before, after, isEditedAgain: true }])).toBe("1 a");
  expect(await record(workspace, [{ path: "a", before: after, after: last }])).toBe("2 a");
  expect(await undo(workspace)).toBe("undone a");
  expect(workspace.text("a")).toBe(after);
  expect(await undo(workspace)).toBe("undone a");
  expect(workspace.text("a")).toBe(before);
});

test("an edit whose lines were changed after the save is not undone, and is still the one to undo", async () => {
  const workspace = new TemporaryWorkspace({ a: after });
  await record(workspace, [{ path: "a", before, after }]);
  workspace.put("a", after.replace("2", "zwei"));
  expect(await undo(workspace)).toBe("moved-on");
  expect(await editToUndo(workspace.root, workspace.options.journal)).toMatchObject({ id: 1 });
  rmSync(join(workspace.root, "a"));
  expect(await undo(workspace)).toBe("moved-on");
});
