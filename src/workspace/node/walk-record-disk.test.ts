import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { removeFolder } from "../../text/node/fixtures/remove-folder.ts";
import { type WalkItem, walkWorkspace } from "../walk.ts";
import { type WalkRecord, WalkRecorder } from "../walk-record.ts";
import { blockingDisk, disk } from "./disk.ts";

test.each([
  ["disk", disk],
  ["blockingDisk", blockingDisk],
])("a walk on %s that recalls sees texts, files and folders that changed", async (_, fileSystem) => {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "emend-recall-")));
  const write = (path: string, text: string) => writeFileSync(join(root, path), text);
  try {
    for (const folder of ["a", "b", "c"]) mkdirSync(join(root, folder));
    for (const path of ["a/one.ts", "b/two.ts", "c/three.ts"]) write(path, "1");
    const walk = async (before?: WalkRecord) => {
      // A minute later, when no change is too recent to be recorded.
      const recorder = new WalkRecorder({ fileSystem, root, before, startedAtMs: Date.now() + 60_000 });
      const items: WalkItem[] = [];
      for await (const item of walkWorkspace(root, { fileSystem, recorder, excludesFile: join(root, "none") }))
        items.push(item);
      const found = items.map((item) => `${item.path} ${item.kind === "file" ? item.size : item.reason.kind}`);
      return { found, listed: recorder.listed, record: recorder.record };
    };
    const first = await walk();
    expect(first).toMatchObject({ found: ["a/one.ts 1", "b/two.ts 1", "c/three.ts 1"], listed: 4 });

    write("a/one.ts", "longer");
    const text = await walk(first.record);
    expect(text).toMatchObject({ found: ["a/one.ts 6", "b/two.ts 1", "c/three.ts 1"], listed: 0 });

    // A program may set the time of a change back.
    const { mtimeMs } = await fileSystem.stat(join(root, "b"));
    write("b/new.ts", "");
    rmSync(join(root, "b/two.ts"));
    utimesSync(join(root, "b"), mtimeMs / 1_000, mtimeMs / 1_000);
    write("c/.emendignore", "*\n");
    const changed = await walk(text.record);
    const ignored = ["c/.emendignore ignored", "c/three.ts ignored"];
    expect(changed).toMatchObject({ found: ["a/one.ts 6", "b/new.ts 0", ...ignored], listed: 2 });

    chmodSync(join(root, "a"), 0o755);
    chmodSync(join(root, "a"), 0o700);
    expect((await walk(changed.record)).listed).toBe(process.platform === "win32" ? 0 : 1);
  } finally {
    removeFolder(root);
  }
});
