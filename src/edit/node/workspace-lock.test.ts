import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readdirSync, readFileSync, utimesSync, writeFileSync } from "node:fs";
import { hostname, tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { removeFolder } from "../../text/node/fixtures/remove-folder.ts";
import { TemporaryWorkspace } from "./fixtures/temporary-workspace.ts";
import { listJournal } from "./undo-edits.ts";
import { withWorkspaceLock } from "./workspace-lock.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "emend-lock-"));
});
afterEach(() => removeFolder(folder));

const lock = () => join(folder, "lock");
const take = (waitMs = 0) => withWorkspaceLock(folder, { waitMs }, async () => "mine");

/** The number of a process that has ended. */
async function goneProcess(): Promise<number> {
  const child = spawn(process.execPath, ["-e", ""]);
  await once(child, "exit");
  return child.pid!;
}

function putLock(holder: object, ageMs = 0): void {
  writeFileSync(lock(), JSON.stringify({ token: "theirs", processId: process.pid, host: hostname(), ...holder }));
  const time = (Date.now() - ageMs) / 1000;
  utimesSync(lock(), time, time);
}

test("the workspace lock lets one work at a time and leaves no file", async () => {
  let inside = 0;
  let most = 0;
  const work = async () => {
    inside += 1;
    most = Math.max(most, inside);
    await new Promise((resolve) => setTimeout(resolve, 5));
    inside -= 1;
  };
  await Promise.all(Array.from({ length: 5 }, () => withWorkspaceLock(folder, { waitMs: 60_000 }, work)));
  expect(most).toBe(1);
  expect(readdirSync(folder)).toEqual([]);
});

describe("an existing lock", () => {
  const minute = 60_000;
  const busy = { kind: "busy", processId: process.pid };
  const mine = { kind: "done", value: "mine" };
  test("of a living process is waited for", async () => {
    putLock({});
    expect(await take(90)).toEqual(busy);
    expect(JSON.parse(readFileSync(lock(), "utf8"))).toMatchObject({ token: "theirs" });
  });
  test("of a dead process is taken over", async () => {
    putLock({ processId: await goneProcess() });
    expect(await take()).toEqual(mine);
  });
  test("of another machine is waited for, whatever its process number", async () => {
    const processId = await goneProcess();
    putLock({ host: "elsewhere", processId }, minute);
    expect(await take()).toEqual({ kind: "busy", processId });
  });
  test("without a touch for ten minutes is taken over", async () => {
    putLock({ host: "elsewhere" }, 11 * minute);
    expect(await take()).toEqual(mine);
  });
  test("that is being written is waited for", async () => {
    writeFileSync(lock(), "");
    expect(await take()).toEqual({ kind: "busy", processId: undefined });
  });
  test("that was never written is taken over", async () => {
    writeFileSync(lock(), "");
    utimesSync(lock(), 1000, 1000);
    expect(await take()).toEqual(mine);
  });
});

test("an error of the work is passed on and the lock is released", async () => {
  const error = new Error("no");
  await expect(withWorkspaceLock(folder, {}, () => Promise.reject(error))).rejects.toBe(error);
  expect(existsSync(lock())).toBe(false);
});

test("an abort ends the wait for the lock", async () => {
  putLock({});
  const controller = new AbortController();
  const reason = new Error("enough");
  const waiting = withWorkspaceLock(folder, { waitMs: 60_000, signal: controller.signal }, async () => "mine");
  controller.abort(reason);
  await expect(waiting).rejects.toBe(reason);
});

test("processes that write at the same time do not mix their files", async () => {
  const workspace = new TemporaryWorkspace({ count: "0", "folder/count": "0" });
  const script = fileURLToPath(new URL("fixtures/count-up.ts", import.meta.url));
  const { folder: journal } = workspace.options.journal;
  const args = ["--import", "tsx", script, workspace.root, journal, "8"];
  const children = Array.from({ length: 3 }, () =>
    spawn(process.execPath, args, { stdio: ["ignore", "ignore", "inherit"] }),
  );
  const codes = await Promise.all(children.map((child) => once(child, "exit")));
  expect(codes.map(([code]) => code)).toEqual([0, 0, 0]);
  expect([workspace.text("count"), workspace.text("folder/count")]).toEqual(["24", "24"]);
  const ids = (await listJournal(workspace.root, workspace.options.journal)).map(({ id }) => id);
  expect(ids).toEqual(Array.from({ length: 24 }, (_, i) => 24 - i));
});
