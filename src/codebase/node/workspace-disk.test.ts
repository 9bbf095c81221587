import { mkdirSync, mkdtempSync, realpathSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { openWorkspace, type Workspace } from "../workspace.ts";
import { disk, toPortablePath } from "./disk.ts";
import { systemClock } from "./system-clock.ts";
import { watchDisk } from "./watch-disk.ts";

let root: string;
let workspace: Workspace;
/** The last thing told of each path since it was last asked for. */
const told = new Map<string, string>();

beforeEach(async () => {
  root = realpathSync(mkdtempSync(join(tmpdir(), "emend-watch-")));
  mkdirSync(join(root, "src"));
  write("src/a.ts", "a");
  write(".gitignore", "out/\n");
  told.clear();
  workspace = await openWorkspace({
    ...{ root: toPortablePath(root), fileSystem: disk, watch: watchDisk, clock: systemClock },
    quietMs: 30,
  });
  workspace.onChange((changes) => {
    for (const { kind, path } of changes) told.set(path, kind);
  });
});
afterEach(async () => {
  await workspace[Symbol.asyncDispose]();
  rmSync(root, { recursive: true, force: true });
});

function write(path: string, text: string): void {
  mkdirSync(join(root, path, ".."), { recursive: true });
  writeFileSync(join(root, path), text);
}

/** Waits until the last word about `path` is `kind`, and forgets it. */
async function untilTold(kind: string, path: string): Promise<void> {
  await expect.poll(() => told.get(path), { timeout: 20_000, interval: 10 }).toBe(kind);
  told.delete(path);
}

test("a real disk is followed", async () => {
  write("src/b.ts", "b");
  await untilTold("added", "src/b.ts");
  write("src/b.ts", "longer");
  await untilTold("changed", "src/b.ts");

  write("src/.b.ts.swp", "saved by renaming");
  renameSync(join(root, "src/.b.ts.swp"), join(root, "src/b.ts"));
  await untilTold("changed", "src/b.ts");
  write("src/b.ts", "written again after that");
  await untilTold("changed", "src/b.ts");

  write("src/deep/er/c.ts", "c");
  await untilTold("added", "src/deep/er/c.ts");
  write("src/deep/er/c.ts", "more");
  await untilTold("changed", "src/deep/er/c.ts");
  renameSync(join(root, "src/deep"), join(root, "src/moved"));
  await untilTold("added", "src/moved/er/c.ts");
  await untilTold("removed", "src/deep/er/c.ts");
  rmSync(join(root, "src/b.ts"));
  await untilTold("removed", "src/b.ts");

  write("out/d.ts", "ignored");
  write("node_modules/p/i.js", "vendored");
  write("src/e.ts", "e");
  await untilTold("added", "src/e.ts");
  expect(Array.from(workspace.files.keys())).toEqual(["src/a.ts", "src/e.ts", "src/moved/er/c.ts"]);

  write(".gitignore", "");
  await untilTold("added", "out/d.ts");
  write("out/d.ts", "watched now");
  await untilTold("changed", "out/d.ts");
});

test("nothing is told or left open after closing", async () => {
  await workspace[Symbol.asyncDispose]();
  write("src/b.ts", "b");
  await new Promise((resolve) => setTimeout(resolve, 200));
  expect(told.size).toBe(0);
  expect(process.getActiveResourcesInfo().filter((kind) => kind.startsWith("FSEvent"))).toEqual([]);
});
