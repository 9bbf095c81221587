import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { FakeClock } from "../async/fixtures/fake-clock.ts";
import type { FileSystem, WatchRequest } from "./file-system.ts";
import { MemoryFileSystem } from "./memory-file-system.ts";
import { walkWorkspace } from "./walk.ts";
import { openWorkspace, type Workspace } from "./workspace.ts";

/**
 * A workspace in memory with a watcher that the test drives; `log` contains the reported changes,
 * one line a batch.
 */
async function open(files: Readonly<Record<string, string>>) {
  const clock = new FakeClock();
  let written = 1;
  const disk = new MemoryFileSystem({}, () => written);
  for (const [path, text] of Object.entries(files)) disk.writeFile(`/work/${path}`, text);
  disk.makeFolder("/work");
  let request!: WatchRequest;
  const watcher = { added: [] as string[], closed: 0 };
  const workspace = await openWorkspace({
    root: "/work",
    fileSystem: disk,
    clock,
    watch: async (wanted) => {
      request = wanted;
      return {
        add: (path) => void watcher.added.push(path),
        [Symbol.asyncDispose]: async () => {
          watcher.closed += 1;
        },
      };
    },
  });
  const log: string[] = [];
  workspace.onChange((changes) => log.push(changes.map(({ kind, path }) => `${kind} ${path}`).join(", ")));
  return {
    ...{ workspace, disk, clock, log, watcher },
    request: () => request,
    touch: (...touched: string[]) => {
      for (const path of touched) request.onChange(`/work/${path}`);
    },
    write: (path: string, text: string) => {
      written += 1;
      disk.writeFile(`/work/${path}`, text);
    },
    /** Advances the clock and waits for the update that becomes due. */
    pass: async (ms: number) => {
      clock.advance(ms);
      await settle();
    },
  };
}

/**
 * The file system in memory resolves at once, so one turn of the event loop is enough for any
 * update.
 */
const settle = () => new Promise((resolve) => setTimeout(resolve, 0));
const paths = (workspace: Workspace) => Array.from(workspace.files.keys());

test("openWorkspace starts with the files of the walk", async () => {
  const { workspace } = await open({ "b.ts": "", "a/c.ts": "", ".gitignore": "", "x.log": "" });
  expect(paths(workspace)).toEqual(["a/c.ts", "b.ts", "x.log"]);
  expect(workspace.skipped.map((one) => one.path)).toEqual([".gitignore"]);
});

describe("Workspace.onChange reports changes", () => {
  test("in one batch when the disk has been quiet", async () => {
    const { write, touch, pass, log, disk, workspace } = await open({ "a.ts": "", "b.ts": "" });
    write("a.ts", "1");
    touch("a.ts");
    await pass(60);
    write("new/deep/c.ts", "");
    disk.remove("/work/b.ts");
    touch("new", "b.ts");
    await pass(60);
    expect(log).toEqual([]);
    await pass(40);
    expect(log).toEqual(["changed a.ts, removed b.ts, added new/deep/c.ts"]);
    expect(paths(workspace)).toEqual(["a.ts", "new/deep/c.ts"]);
  });

  test("after maxWaitMs at the latest on a disk that is never quiet", async () => {
    const { write, touch, pass, log } = await open({ "a.ts": "" });
    for (let i = 0; i < 50; i += 1) {
      write("a.ts", `${i}`);
      touch("a.ts");
      await pass(50);
    }
    expect(log).toEqual(["changed a.ts"]);
  });

  test("as changed for a save by renaming, in any order of the watcher's events", async () => {
    const { write, touch, pass, log, disk } = await open({ "a.ts": "old" });
    write("a.ts.tmp", "new");
    touch("a.ts.tmp");
    disk.rename("/work/a.ts.tmp", "/work/a.ts");
    touch("a.ts.tmp", "a.ts");
    await pass(100);
    disk.remove("/work/a.ts");
    touch("a.ts");
    await pass(50);
    write("a.ts", "newer");
    touch("a.ts");
    await pass(100);
    expect(log).toEqual(["changed a.ts", "changed a.ts"]);
  });

  test("except for files that were added and removed, only touched, or skipped", async () => {
    const { write, touch, pass, log, disk } = await open({ "a.ts": "", ".gitignore": "*.log" });
    write("b.ts", "");
    disk.remove("/work/b.ts");
    write("x.log", "");
    write("node_modules/p/i.js", "");
    touch("a.ts", "b.ts", "x.log", "node_modules", "node_modules/p/i.js");
    await pass(100);
    expect(log).toEqual([]);
  });

  test("of a folder that is removed, added again or replaced by a file", async () => {
    const { write, touch, pass, log, disk } = await open({ "d/a.ts": "", "d/e/b.ts": "" });
    disk.remove("/work/d");
    touch("d");
    await pass(100);
    write("d/a.ts", "");
    touch("d");
    await pass(100);
    disk.remove("/work/d");
    write("d", "");
    touch("d");
    await pass(100);
    expect(log).toEqual(["removed d/a.ts, removed d/e/b.ts", "added d/a.ts", "removed d/a.ts"]);
  });
});

test("that were written in a new folder before the watcher reached it", async () => {
  const { write, touch, pass, log, clock } = await open({ "a.ts": "" });
  write("new/b.ts", "");
  touch("new");
  await pass(100);
  write("new/c.ts", "");
  await pass(100);
  expect({ log, waiting: clock.waiting }).toEqual({ log: ["added new/b.ts", "added new/c.ts"], waiting: 0 });
});

describe("changed ignore rules", () => {
  test("apply to the folder of the ignore file, and included paths are watched again", async () => {
    const { write, touch, pass, log, request, watcher } = await open({
      ".gitignore": "",
      "a/x.ts": "",
      "a/y/z.ts": "",
    });
    write("a/.gitignore", "y/\n");
    touch("a/.gitignore");
    await pass(100);
    expect(request().isExcluded("/work/a/y", "folder")).toBe(true);
    write("a/.gitignore", "");
    touch("a/.gitignore");
    await pass(100);
    expect(request().isExcluded("/work/a/y", "folder")).toBe(false);
    expect(watcher.added).toEqual(["/work/a/y"]);
    expect(log).toEqual(["removed a/y/z.ts", "added a/y/z.ts"]);
  });

  test("are reported before the file changes that follow, and also without any", async () => {
    const { workspace, write, touch, pass, log } = await open({ "a.ts": "", "b.ts": "" });
    const reported = workspace.onRules(() => void log.push("rules"));
    write("b.ts", "1");
    touch("b.ts");
    await pass(100);
    write(".gitignore", "not-saved-yet.ts\n");
    touch(".gitignore");
    await pass(100);
    write(".emendignore", "a.ts\n");
    touch(".emendignore");
    await pass(100);
    write("new/.gitignore", "x\n");
    touch("new");
    await pass(100);
    reported[Symbol.dispose]();
    write(".gitignore", "");
    touch(".gitignore");
    await pass(200);
    expect(log).toEqual(["changed b.ts", "rules", "rules", "removed a.ts", "rules"]);
  });

  test("of info/exclude apply to the whole workspace", async () => {
    const { write, touch, pass, log, request } = await open({ ".git/info/exclude": "", "a/x.ts": "" });
    expect(request().paths).toEqual(["/work", "/work/.git/info/exclude"]);
    write(".git/info/exclude", "x.ts");
    touch(".git/info/exclude");
    await pass(100);
    expect(log).toEqual(["removed a/x.ts"]);
  });

  test("follow from a marker file or a manifest too", async () => {
    const { write, touch, pass, log } = await open({ "dist/a.ts": "", "cache/b.ts": "" });
    write("package.json", "{}");
    write("cache/CACHEDIR.TAG", "");
    touch("package.json", "cache/CACHEDIR.TAG");
    await pass(100);
    expect(log).toEqual(["removed cache/b.ts, removed dist/a.ts, added package.json"]);
  });
});

test("isOut excludes paths that need not be watched, also before the first update sees them", async () => {
  const { request } = await open({ ".gitignore": "out/\n", "a.ts": "", ".env": "", "out/a.ts": "" });
  const isOut = (path: string, kind?: "file" | "folder") => request().isExcluded(`/work/${path}`, kind);
  for (const path of ["out", ".env"]) expect(isOut(path), path).toBe(true);
  for (const path of ["node_modules", "x/node_modules", "x/out"]) expect(isOut(path, "folder"), path).toBe(true);
  for (const path of ["", "a.ts", "new", ".gitignore"]) expect(isOut(path), path).toBe(false);
  expect(isOut("x/out", "file")).toBe(false);
});

test("the files behind links follow their targets", async () => {
  const { write, touch, pass, log, disk } = await open({ ".gitignore": "gen/\n", "gen/a.ts": "" });
  disk.makeLink("/work/link", "gen");
  touch("link");
  await pass(100);
  write("gen/b.ts", "");
  touch("link");
  await pass(100);
  disk.remove("/work/link");
  touch("link");
  await pass(100);
  expect(log).toEqual(["added link/a.ts", "added link/b.ts", "removed link/a.ts, removed link/b.ts"]);
});

describe("a workspace that is closed or fails", () => {
  test("reports nothing and leaves no timer after it is closed, which may happen twice", async () => {
    const { workspace, write, touch, pass, log, clock, watcher } = await open({ "a.ts": "" });
    write("a.ts", "1");
    touch("a.ts");
    await workspace[Symbol.asyncDispose]();
    await workspace[Symbol.asyncDispose]();
    touch("a.ts");
    await pass(1000);
    await workspace.refresh();
    expect({ log, waiting: clock.waiting, closed: watcher.closed }).toEqual({ log: [], waiting: 0, closed: 1 });
  });

  test("reports a removed root, and keeps its files until the root is back", async () => {
    const { workspace, write, touch, pass, log, disk } = await open({ "a.ts": "" });
    const errors: unknown[] = [];
    workspace.onError((error) => errors.push(error));
    disk.remove("/work");
    await expect(workspace.refresh()).rejects.toMatchObject({ code: "file-missing" });
    expect(paths(workspace)).toEqual(["a.ts"]);
    write("b.ts", "");
    touch("b.ts");
    await pass(100);
    expect({ log, errors }).toEqual({ log: ["removed a.ts, added b.ts"], errors: [] });
  });

  test("a missing root rejects and leaves nothing open", async () => {
    const options = { root: "/none", fileSystem: new MemoryFileSystem(), clock: new FakeClock() };
    await expect(openWorkspace(options)).rejects.toMatchObject({ code: "file-missing" });
  });

  test("changes between the walk and the start of the watcher are reported", async () => {
    const disk = new MemoryFileSystem({ "/work/a.ts": "" });
    const workspace = await openWorkspace({
      ...{ root: "/work", fileSystem: disk, clock: new FakeClock() },
      watch: async () => {
        disk.writeFile("/work/b.ts", "");
        return { add: () => undefined, [Symbol.asyncDispose]: async () => undefined };
      },
    });
    expect(paths(workspace)).toEqual(["a.ts", "b.ts"]);
  });
});

test("law: after any changes, in any order of results, the state equals that of a new walk", async () => {
  const path = fc.constantFrom("a.ts", "d/a.ts", "d/e/b.ts", "f/c.ts", "gen/x.ts", "d");
  const step = fc.oneof(
    fc.record({ kind: fc.constant("write" as const), path, text: fc.constantFrom("", "1", "22") }),
    fc.record({ kind: fc.constant("remove" as const), path: fc.constantFrom("a.ts", "d", "d/e", "f", "gen") }),
    fc.record({
      kind: fc.constant("ignore" as const),
      path: fc.constantFrom("", "d/"),
      text: fc.constantFrom("", "gen/", "e", "*.ts\n!a.ts"),
    }),
    fc.record({ kind: fc.constant("wait" as const), ms: fc.constantFrom(10, 100, 200) }),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 12 }), fc.scheduler(), async (steps, scheduler) => {
      let written = 1;
      const memory = new MemoryFileSystem({ "/work/a.ts": "", "/work/d/e/b.ts": "" }, () => written);
      const slow: FileSystem = {
        readFile: (one) => scheduler.schedule(memory.readFile(one)),
        readFolder: (one) => scheduler.schedule(memory.readFolder(one)),
        stat: (one) => scheduler.schedule(memory.stat(one)),
        realPath: (one) => scheduler.schedule(memory.realPath(one)),
      };
      const clock = new FakeClock();
      let touch!: (path: string) => void;
      const watch = async ({ onChange }: WatchRequest) => {
        touch = onChange;
        return { add: () => undefined, [Symbol.asyncDispose]: async () => undefined };
      };
      const opening = openWorkspace({ root: "/work", fileSystem: slow, clock, watch });
      const workspace = await scheduler.waitFor(opening);
      const reported = new Map(workspace.files);
      workspace.onChange((changes) => {
        for (const change of changes) {
          expect(reported.has(change.path)).toBe(change.kind !== "added");
          if (change.kind === "removed") reported.delete(change.path);
          else reported.set(change.path, change.file);
        }
      });
      for (const one of steps) {
        written += 1;
        try {
          if (one.kind === "wait") clock.advance(one.ms);
          else if (one.kind === "remove") memory.remove(`/work/${one.path}`);
          else if (one.kind === "write") memory.writeFile(`/work/${one.path}`, one.text);
          else memory.writeFile(`/work/${one.path}.gitignore`, one.text);
        } catch {
          // A file is where a folder is needed: nothing was written.
          continue;
        }
        if (one.kind === "wait" && scheduler.count() > 0) await scheduler.waitOne();
        else if (one.kind !== "wait") touch(`/work/${one.kind === "ignore" ? `${one.path}.gitignore` : one.path}`);
      }
      // Several rounds: an update may have started before the last step and another one is waiting.
      for (let round = 0; round < 3; round += 1) {
        clock.advance(3000);
        await scheduler.waitIdle();
      }
      const fresh: unknown[] = [];
      for await (const item of walkWorkspace("/work", { fileSystem: memory }))
        if (item.kind === "file") fresh.push(item);
      expect(Array.from(workspace.files.values())).toEqual(fresh);
      expect(new Map(reported)).toEqual(new Map(workspace.files));
      await scheduler.waitFor(workspace[Symbol.asyncDispose]());
    }),
  );
});
