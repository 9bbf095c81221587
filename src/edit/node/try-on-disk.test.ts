import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { Edit, workspaceEdit } from "../../text/index.ts";
import type { VerificationResult } from "../edit-engine-parts.ts";
import { TemporaryWorkspace } from "./fixtures/temporary-workspace.ts";
import { tryOnDisk, verifyOnDisk } from "./try-on-disk.ts";
import { undoEdits } from "./undo-edits.ts";
import { healWorkspace } from "./with-journal.ts";

const content: VerificationResult = { kind: "passed" };
const report: VerificationResult = { kind: "failed", report: "no" };
const lines = "one\ntwo\nthree\n";
const edit = workspaceEdit([
  { kind: "edit", uri: "a", edit: Edit.replace({ start: 4, end: 7 }, "2") },
  { kind: "create", uri: "new/b", text: "b" },
]);
const before = { a: `644 ${lines}` };
const after = { a: "644 one\n2\nthree\n", "new/": "", "new/b": "644 b" };

/** Tries the edit while the check calls `act`; returns the outcome and the tree after it. */
async function trial(
  answer: VerificationResult,
  keeps: boolean,
  act: (there: TemporaryWorkspace) => void = () => undefined,
) {
  const workspace = new TemporaryWorkspace({ a: lines });
  const check = async () => {
    expect(workspace.tree()).toEqual(after);
    act(workspace);
    return answer;
  };
  const outcome = await tryOnDisk(workspace.root, workspace.write(edit), { ...workspace.options, keeps, check });
  const found = { tree: workspace.tree(), journal: workspace.journalFiles().length };
  return { outcome, ...found, undone: await undoEdits(workspace.root, { steps: 1 }, workspace.options) };
}

describe("a trial of an edit", () => {
  test("keeps the edit if the check passes and it is to stay", async () => {
    const { outcome, tree } = await trial(content, true);
    expect(outcome).toMatchObject({ kind: "checked", answer: content, id: 1 });
    expect(tree).toEqual(after);
  });

  test.each([
    [content, false],
    [report, true],
    [report, false],
  ])("is taken back byte for byte: %j, %s", async (answer, keeps) => {
    const { outcome, tree, journal } = await trial(answer, keeps);
    expect(outcome).toEqual({ kind: "checked", answer, merged: [], conflicts: [] });
    expect(tree).toEqual(before);
    expect(journal).toBe(0);
  });

  test("reverts the edit if the check rejects", async () => {
    const workspace = new TemporaryWorkspace({ a: lines });
    const error = new Error("no");
    const check = () => Promise.reject(error);
    const trying = tryOnDisk(workspace.root, workspace.write(edit), { ...workspace.options, keeps: true, check });
    await expect(trying).rejects.toBe(error);
    expect(workspace.tree()).toEqual(before);
  });

  test("keeps changes made meanwhile in other lines", async () => {
    const { outcome, tree } = await trial(report, true, (there) => there.put("a", "one\n2\nthree\nfour\n"));
    expect(outcome).toMatchObject({ merged: ["a"], conflicts: [] });
    expect(tree).toEqual({ a: `644 ${lines}four\n` });
  });

  test("leaves files changed meanwhile in the same lines and reports them", async () => {
    const { outcome, tree, journal, undone } = await trial(report, true, (there) => there.put("a", "one\n2!\nthree\n"));
    expect(outcome).toMatchObject({ merged: [], conflicts: ["a"] });
    expect(tree).toEqual({ a: "644 one\n2!\nthree\n" });
    expect(journal).toBe(1);
    expect(undone).toEqual({ undone: [], stopped: { kind: "nothing-left" } });
  });

  test("keeps an edit that can be undone later", async () => {
    const workspace = new TemporaryWorkspace({ a: lines });
    const options = { ...workspace.options, keeps: true, check: async () => content };
    await tryOnDisk(workspace.root, workspace.write(edit), options);
    expect((await undoEdits(workspace.root, { steps: 1 }, workspace.options)).undone).toHaveLength(1);
    expect(workspace.tree()).toEqual(before);
  });
});

test.each([
  ["untouched", "tried b\nb\n", "b\nb\n", []],
  ["changed in other lines", "tried b\nb\nmine\n", "b\nb\nmine\n", []],
  ["changed in the same lines", "tried mine\nb\n", "tried mine\nb\n", ["b"]],
])("what a killed process was trying is taken back by the next one, %s", async (_, since, then, left) => {
  const workspace = new TemporaryWorkspace({ a: "a\n", b: "b\nb\n" });
  const script = fileURLToPath(new URL("fixtures/try-and-hang.ts", import.meta.url));
  const args = ["--import", "tsx", script, workspace.root, workspace.options.journal.folder];
  const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "inherit"] });
  await once(child.stdout, "data");
  expect(workspace.tree()).toEqual({ a: "644 tried a\n", b: "644 tried b\nb\n" });
  expect(await healWorkspace(workspace.root, { ...workspace.options, waitMs: 0 })).toMatchObject({ kind: "busy" });
  child.kill("SIGKILL");
  await once(child, "exit");
  workspace.put("b", since);
  const healed = await healWorkspace(workspace.root, workspace.options);
  const toAbsolute = (paths: readonly string[]) => paths.map((path) => `${workspace.root}/${path}`);
  const restored = toAbsolute(["a", "b"].filter((path) => !left.includes(path)));
  expect(healed).toEqual({ kind: "done", value: { restored, conflicts: toAbsolute(left) } });
  expect(workspace.tree()).toEqual({ a: "644 a\n", b: `644 ${then}` });
  expect(workspace.journalFiles().map((path) => path.replace(/.*\./, ""))).toEqual(left.map(() => "left"));
});

describe("verifyOnDisk", () => {
  const files = new Map([["a", lines]]);

  test("runs the command with the edit on disk and leaves no trace", async () => {
    const workspace = new TemporaryWorkspace({ a: lines });
    const check = verifyOnDisk(workspace.root, "grep -n 2 a && exit 3", workspace.options);
    expect(await check(edit, { files })).toEqual({
      kind: "failed",
      report: "$ grep -n 2 a && exit 3\n2:2\n(exit code 3)",
    });
    expect(await verifyOnDisk(workspace.root, "grep -q 2 a", workspace.options)(edit, { files })).toEqual(content);
    expect(workspace.tree()).toEqual(before);
  });

  test("rejects with the reason if the edit cannot be written", async () => {
    const workspace = new TemporaryWorkspace({ a: "other" });
    const check = verifyOnDisk(workspace.root, "true", workspace.options);
    await expect(check(edit, { files })).rejects.toMatchObject({
      code: "verification-impossible",
      message: "The edit could not be checked: a changed on the disk. Ask for the edit again.",
    });
  });

  test("stops on abort and reverts the edit", async () => {
    const workspace = new TemporaryWorkspace({ a: lines });
    const controller = new AbortController();
    const reason = new Error("enough");
    const options = { ...workspace.options, onOutput: () => controller.abort(reason) };
    const check = verifyOnDisk(workspace.root, "echo on; sleep 60", options);
    await expect(check(edit, { files, signal: controller.signal })).rejects.toBe(reason);
    expect(workspace.tree()).toEqual(before);
  });
});
