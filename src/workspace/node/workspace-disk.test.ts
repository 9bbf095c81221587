import { mkdirSync, mkdtempSync, realpathSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { removeFolder } from "../../text/node/fixtures/remove-folder.ts";
import { openWorkspace, type Workspace } from "../workspace.ts";
import { disk, toPortablePath, watchDisk } from "./disk.ts";
import { systemClock } from "./system-clock.ts";

let root: string;
let workspace: Workspace;
/** The last reported change of each path since it was last waited for. */
const lastChanges = new Map<string, string>();

beforeEach(async () => {
  root = realpathSync(mkdtempSync(join(tmpdir(), "emend-watch-")));
  mkdirSync(join(root, "src"));
  write("src/a.ts", "a");
  write(".gitignore", "out/\n");
  lastChanges.clear();
  workspace = await openWorkspace({
    ...{ root: toPortablePath(root), fileSystem: disk, watch: watchDisk, clock: systemClock },
    quietMs: 30,
  });
  workspace.onChange((changes) => {
    for (const { kind, path } of changes) lastChanges.set(path, kind);
  });
});
afterEach(async () => {
  await workspace[Symbol.asyncDispose]();
  removeFolder(root);
});

function write(path: string, text: string): void {
  mkdirSync(join(root, path, ".."), { recursive: true });
  writeFileSync(join(root, path), text);
}

/** Waits until the last change of `path` is `kind`, and removes it. */
async function untilReported(kind: string, path: string): Promise<void> {
  await expect.poll(() => lastChanges.get(path), { timeout: 20_000, interval: 10 }).toBe(kind);
  lastChanges.delete(path);
}

test("openWorkspace follows the changes of a real disk", async () => {
  write("src/b.ts", "b");
  await untilReported("added", "src/b.ts");
  write("src/b.ts", "longer");
  await untilReported("changed", "src/b.ts");

  write("src/.b.ts.swp", "saved by renaming");
  renameSync(join(root, "src/.b.ts.swp"), join(root, "src/b.ts"));
  await untilReported("changed", "src/b.ts");
  write("src/b.ts", "written again after that");
  await untilReported("changed", "src/b.ts");

  write("src/deep/er/c.ts", "c");
  await untilReported("added", "src/deep/er/c.ts");
  write("src/deep/er/c.ts", "more");
  await untilReported("changed", "src/deep/er/c.ts");
  renameSync(join(root, "src/deep"), join(root, "src/moved"));
  await untilReported("added", "src/moved/er/c.ts");
  await untilReported("removed", "src/deep/er/c.ts");
  rmSync(join(root, "src/b.ts"));
  await untilReported("removed", "src/b.ts");

  write("out/d.ts", "ignored");
  write("node_modules/p/i.js", "vendored");
  write("src/e.ts", "e");
  await untilReported("added", "src/e.ts");
  expect(Array.from(workspace.files.keys())).toEqual(["src/a.ts", "src/e.ts", "src/moved/er/c.ts"]);

  write(".gitignore", "");
  await untilReported("added", "out/d.ts");
  write("out/d.ts", "watched now");
  await untilReported("changed", "out/d.ts");
});

test("a workspace reports nothing and leaves nothing open after it is closed", async () => {
  await workspace[Symbol.asyncDispose]();
  write("src/b.ts", "b");
  await new Promise((resolve) => setTimeout(resolve, 200));
  expect(lastChanges.size).toBe(0);
  expect(process.getActiveResourcesInfo().filter((kind) => kind.startsWith("FSEvent"))).toEqual([]);
});
