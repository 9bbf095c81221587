import {
  chmodSync,
  chownSync,
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { Edit, type FileChange, invariant, workspaceEdit } from "../../text/index.ts";
import { type EditDisk, systemDisk } from "./edit-disk.ts";
import { TemporaryWorkspace, type Tree } from "./fixtures/temporary-workspace.ts";
import { undoEdits } from "./undo-edits.ts";
import { healWorkspace } from "./with-journal.ts";
import { writeWorkspaceEdit } from "./write-workspace-edit.ts";

const insert = (uri: string, text: string, at = 0): FileChange => ({ kind: "edit", uri, edit: Edit.insert(at, text) });
const create = (uri: string, text = "new\n"): FileChange => ({ kind: "create", uri, text });
const remove = (uri: string): FileChange => ({ kind: "delete", uri });
const move = (uri: string, uriAfter: string, edit = Edit.empty): FileChange => ({
  kind: "rename",
  uri,
  uriAfter,
  edit,
});

/** Writes changes to a tree; returns the outcome and the tree after it. */
async function written(before: Tree, ...changes: FileChange[]) {
  const workspace = new TemporaryWorkspace(before);
  const outcome = await writeWorkspaceEdit(workspace.root, workspace.write(workspaceEdit(changes)), workspace.options);
  return { outcome, tree: workspace.tree() };
}

describe("writing an edit", () => {
  const cases: readonly (readonly [string, Tree, readonly FileChange[], Record<string, string>])[] = [
    ["a changed file", { "a.ts": "a\n" }, [insert("a.ts", "x\n")], { "a.ts": "644 x\na\n" }],
    [
      "bytes that are not touched: a mark, line endings, no ending",
      { "a.ts": "\uFEFFa\r\nb\nc\rd" },
      [insert("a.ts", "x", 3)],
      { "a.ts": `644 ${Buffer.from("\uFEFFa\rx\nb\nc\rd").toString("latin1")}` },
    ],
    ["an executable file", { "run.sh": "! #!/bin/sh\n" }, [insert("run.sh", "# ")], { "run.sh": "755 # #!/bin/sh\n" }],
    ["a new file in new folders", {}, [create("a/b/c.ts")], { "a/": "", "a/b/": "", "a/b/c.ts": "644 new\n" }],
    ["a file that goes", { "a.ts": "a", "b.ts": "b" }, [remove("a.ts")], { "b.ts": "644 b" }],
    [
      "a file that moves",
      { "a.ts": "! a" },
      [move("a.ts", "b/c.ts", Edit.insert(1, "x"))],
      { "b/": "", "b/c.ts": "755 ax" },
    ],
    ["two that swap", { a: "a", b: "! b" }, [move("a", "b"), move("b", "a")], { a: "755 b", b: "644 a" }],
    ["one in another's place", { a: "a" }, [remove("a"), create("a", "b")], { a: "644 b" }],
    ["one that takes a moved one's place", { a: "a" }, [move("a", "b"), create("a", "c")], { a: "644 c", b: "644 a" }],
    ["a case that changes", { "a.ts": "a" }, [move("a.ts", "A.ts")], { "A.ts": "644 a" }],
    [
      "through a link",
      { "real/a.ts": "a", "a.ts": "-> real/a.ts" },
      [insert("a.ts", "x")],
      { "a.ts": "-> real/a.ts", "real/": "", "real/a.ts": "644 xa" },
    ],
    [
      "in a folder behind a link",
      { "real/a.ts": "a", linked: "-> real" },
      [insert("linked/a.ts", "x"), create("linked/b.ts", "b")],
      { linked: "-> real", "real/": "", "real/a.ts": "644 xa", "real/b.ts": "644 b" },
    ],
    [
      "a link that goes, and not what it leads to",
      { "real.ts": "a", "a.ts": "-> real.ts" },
      [remove("a.ts")],
      { "real.ts": "644 a" },
    ],
  ];
  for (const [name, before, changes, after] of cases) {
    test(name, async () => {
      const { outcome, tree } = await written(before, ...changes);
      expect(outcome).toMatchObject({ kind: "written", id: 1 });
      expect(tree).toEqual(after);
    });
  }

  test("keeps owner-only permissions from the first moment", async () => {
    const modes: number[] = [];
    const disk: EditDisk = {
      ...systemDisk,
      open: (path, flags, mode) => {
        if (String(path).includes(".emend-")) modes.push(Number(mode));
        return systemDisk.open(path, flags, mode);
      },
    };
    const workspace = new TemporaryWorkspace({ "a.ts": "a" }, disk);
    chmodSync(join(workspace.root, "a.ts"), 0o600);
    await writeWorkspaceEdit(workspace.root, workspace.write(workspaceEdit([insert("a.ts", "x")])), workspace.options);
    expect(workspace.tree()).toEqual({ "a.ts": "600 xa" });
    expect(modes).toEqual([0o600]);
  });

  // Only a privileged user may change the owner.
  test.skipIf(process.getuid?.() !== 0)("keeps the owner of a file", async () => {
    const workspace = new TemporaryWorkspace({ "a.ts": "a" });
    chownSync(join(workspace.root, "a.ts"), 1234, 2345);
    await writeWorkspaceEdit(workspace.root, workspace.write(workspaceEdit([insert("a.ts", "x")])), workspace.options);
    const { uid, gid } = statSync(join(workspace.root, "a.ts"));
    expect([workspace.text("a.ts"), uid, gid]).toEqual(["xa", 1234, 2345]);
  });

  test.each<FileChange>([
    { kind: "edit", uri: "a.ts", edit: Edit.insert(0, "x") },
    { kind: "rename", uri: "a.ts", uriAfter: "c.ts", edit: Edit.empty },
    { kind: "rename", uri: "a.ts", uriAfter: "c.ts", edit: Edit.insert(0, "x") },
  ])("row 31: a file with hard links is refused, and no link is split: %j", async (change) => {
    const workspace = new TemporaryWorkspace({ "a.ts": "a", "d.ts": "d" });
    linkSync(join(workspace.root, "a.ts"), join(workspace.root, "b.ts"));
    const write = workspace.write(workspaceEdit([insert("d.ts", "x"), change]));
    const outcome = await writeWorkspaceEdit(workspace.root, write, workspace.options);
    expect(outcome).toMatchObject({ kind: "refused", refusals: [{ kind: "hard-link", path: "a.ts" }] });
    expect(workspace.tree()).toEqual({ "a.ts": "644 a", "b.ts": "644 a", "d.ts": "644 d" });
    expect(statSync(join(workspace.root, "a.ts")).ino).toBe(statSync(join(workspace.root, "b.ts")).ino);
  });

  test("row 31: deletes one name of a file with hard links and keeps the others", async () => {
    const workspace = new TemporaryWorkspace({ "a.ts": "a" });
    linkSync(join(workspace.root, "a.ts"), join(workspace.root, "b.ts"));
    const write = workspace.write(workspaceEdit([{ kind: "delete", uri: "a.ts" }]));
    await writeWorkspaceEdit(workspace.root, write, workspace.options);
    expect(workspace.tree()).toEqual({ "b.ts": "644 a" });
  });

  test("writes nothing where nothing changes", async () => {
    const { outcome } = await written(
      { a: "a" },
      { kind: "edit", uri: "a", edit: Edit.replace({ start: 0, end: 1 }, "a") },
    );
    expect(outcome).toEqual({ kind: "unchanged" });
  });

  test("keeps the journal private and outside of the workspace", async () => {
    const workspace = new TemporaryWorkspace({ a: "a" });
    await writeWorkspaceEdit(workspace.root, workspace.write(workspaceEdit([insert("a", "x")])), workspace.options);
    const [file] = workspace.journalFiles();
    expect(workspace.journalFiles()).toHaveLength(1);
    expect(statSync(join(workspace.top, "state", file!)).mode & 0o077).toBe(0);
    expect(statSync(join(workspace.options.journal.folder)).mode & 0o077).toBe(0);
  });
});

describe("a refused edit changes no file", () => {
  const cases: readonly (readonly [string, Tree, readonly FileChange[], string])[] = [
    ["a file that is there", { a: "a" }, [create("a")], "exists a"],
    ["a file in the way of one that moves", { a: "a", b: "b" }, [move("a", "b")], "exists b"],
    ["a name that differs by case", { "Foo.ts": "a" }, [create("foo.ts")], "case-collision foo.ts"],
    ["two new names that differ by case", {}, [create("Foo.ts"), create("foo.ts")], "case-collision foo.ts"],
    ["out of the workspace", {}, [create("../a.ts")], "outside ../a.ts"],
    ["an absolute path", {}, [create("/tmp/emend-outside.ts")], "outside /tmp/emend-outside.ts"],
    [
      "through a link out of the workspace",
      { out: "-> /tmp" },
      [create("out/emend-outside.ts")],
      "outside out/emend-outside.ts",
    ],
    ["a link to nothing", { a: "-> nowhere" }, [create("a")], "broken-link a"],
    ["a secret file", {}, [create(".env", "KEY=1")], "secret .env"],
    ["a secret file by a link", { ".env": "KEY=1", a: "-> .env" }, [insert("a", "x")], "secret a"],
    ["a hook of git", {}, [create(".git/hooks/pre-commit")], "version-control .git/hooks/pre-commit"],
    ["a link that moves", { b: "b", a: "-> b" }, [move("a", "c")], "link a"],
    ["one file by two names", { b: "b", a: "-> b" }, [insert("a", "x"), insert("b", "y")], "same-file b"],
    ["half a character", { a: "a" }, [insert("a", "\uD83D")], "half-character a"],
    ["a folder", { "a/b": "b" }, [create("a")], "exists a"],
    ["a file in a file", { a: "a" }, [create("a/b/c")], "no-folder a/b/c"],
    ["a file in a file that is made", { a: "a" }, [create("b"), create("b/c")], "no-folder b/c"],
    ["a file where a folder is to be", { a: "a", b: "b" }, [move("a", "c/d"), move("b", "c")], "no-folder c/d"],
  ];
  for (const [name, before, changes, refusal] of cases) {
    test(name, async () => {
      const { outcome, tree } = await written({ ...before, other: "o" }, insert("other", "x"), ...changes);
      invariant(outcome.kind === "refused", outcome.kind);
      expect(outcome.refusals.map(({ kind, path }) => `${kind} ${path}`)).toEqual([refusal]);
      expect(tree["other"]).toBe("644 o");
    });
  }

  test("refuses read-only files", async () => {
    const workspace = new TemporaryWorkspace({ a: "a" });
    chmodSync(join(workspace.root, "a"), 0o444);
    const write = workspace.write(workspaceEdit([insert("a", "x")]));
    const outcome = await writeWorkspaceEdit(workspace.root, write, workspace.options);
    expect(outcome).toMatchObject({ kind: "refused", refusals: [{ kind: "read-only", path: "a" }] });
  });

  test.each(["b", "", "ab"])("a file that changed to %j since", async (text) => {
    const workspace = new TemporaryWorkspace({ a: "a", other: "o" });
    const write = workspace.write(workspaceEdit([insert("a", "x"), insert("other", "x")]));
    workspace.put("a", text);
    const outcome = await writeWorkspaceEdit(workspace.root, write, workspace.options);
    expect(outcome).toEqual({ kind: "stale", paths: ["a"] });
    expect(workspace.text("other")).toBe("o");
  });
});

describe("a disk failure while writing", () => {
  /** A disk on which the call that `isBad` selects fails. */
  function failing(code: string, isBad: (call: string, path: string) => boolean): EditDisk {
    return mapCalls((call, path, go) => {
      if (isBad(call, path)) throw Object.assign(new Error(`${code}: no`), { code });
      return go();
    });
  }

  const changes = [insert("a", "x"), insert("b", "x"), create("new/c"), remove("d")];
  const before = { a: "a", b: "b", d: "d" };
  const cases: readonly (readonly [string, string, (call: string, path: string) => boolean])[] = [
    ["is full where the text is prepared", "ENOSPC", (call, path) => call === "open" && /-2\.tmp$/.test(path)],
    ["is full where the journal is", "ENOSPC", (call, path) => call === "open" && /pending/.test(path)],
    ["does not let the last file be moved", "EACCES", (call, path) => call === "rename" && /-\d\.tmp$/.test(path)],
    ["does not let a file be removed", "EPERM", (call, path) => call === "unlink" && path.endsWith("/d")],
    ["does not let a folder be made", "EROFS", (call, path) => call === "mkdir" && path.endsWith("/new")],
    ["does not let the journal be closed", "EIO", (call, path) => call === "rename" && /pending$/.test(path)],
  ];
  for (const [name, code, isBad] of cases) {
    test(name, async () => {
      const workspace = new TemporaryWorkspace(before, failing(code, isBad));
      const tree = workspace.tree();
      const write = workspace.write(workspaceEdit(changes));
      const outcome = await writeWorkspaceEdit(workspace.root, write, workspace.options);
      expect(outcome).toMatchObject({ kind: "failed", isUnfinished: false });
      expect(workspace.tree()).toEqual(tree);
      expect(workspace.journalFiles()).toEqual([]);
    });
  }

  test("that is a missing workspace is named as that", async () => {
    const workspace = new TemporaryWorkspace(before);
    const write = workspace.write(workspaceEdit(changes));
    const outcome = await writeWorkspaceEdit(`${workspace.root}/none`, write, workspace.options);
    expect(outcome).toMatchObject({ kind: "failed", message: `There is no workspace at ${workspace.root}/none.` });
  });

  test("at any moment leaves all of the edit or nothing for the next run", async () => {
    const seen = new Set<string>();
    for (let calls = 0; ; calls += 1) {
      let left = calls;
      const disk = mapCalls((_, __, go) => {
        if (left-- <= 0) throw Object.assign(new Error("EIO: gone"), { code: "EIO" });
        return go();
      });
      const workspace = new TemporaryWorkspace(before, disk);
      const tree = workspace.tree();
      const write = workspace.write(workspaceEdit(changes));
      const outcome = await writeWorkspaceEdit(workspace.root, write, workspace.options).catch(() => undefined);
      if (outcome?.kind === "written") break;
      const journal = { ...workspace.options.journal, disk: systemDisk };
      const healed = await healWorkspace(workspace.root, { journal });
      expect(healed).toMatchObject({ kind: "done", value: { conflicts: [] } });
      const after = workspace.tree();
      const isOld = JSON.stringify(after) === JSON.stringify(tree);
      expect(after).toEqual(isOld ? tree : { a: "644 xa", b: "644 xb", "new/": "", "new/c": "644 new\n" });
      seen.add(isOld ? "before" : "after");
      expect(workspace.journalFiles().filter((path) => !path.endsWith(".entry"))).toEqual([]);
    }
    expect(seen).toEqual(new Set(["before", "after"]));
  });

  test.each([
    ["before the second file leaves a later change of that file alone", false],
    ["is reported also after an abort meanwhile", true],
  ])("%s", async (_, isAborted) => {
    const stop = new AbortController();
    let left = 1;
    const disk = mapCalls((call, path, go) => {
      const isMove = call === "rename" && path.includes(".emend-");
      if (isMove && isAborted) stop.abort();
      if (left < 0 || (isMove && left-- <= 0)) throw Object.assign(new Error("EIO: gone"), { code: "EIO" });
      return go();
    });
    const workspace = new TemporaryWorkspace({ a: "a\n", b: "b\nb\n" }, disk);
    const write = workspace.write(workspaceEdit([insert("a", "x"), insert("b", "b\n")]));
    const outcome = await writeWorkspaceEdit(workspace.root, write, { ...workspace.options, signal: stop.signal });
    expect(outcome).toMatchObject({ kind: "failed", isUnfinished: true });
    expect(workspace.text("a")).toBe("xa\n");
    workspace.put("b", "theirs\nb\nb\n");
    const healed = await healWorkspace(workspace.root, { journal: { ...workspace.options.journal, disk: systemDisk } });
    const [restored, conflicts] = ["a", "b"].map((path) => [`${workspace.root}/${path}`]);
    expect(healed).toEqual({ kind: "done", value: { restored, conflicts } });
    expect(workspace.tree()).toEqual({ a: "644 a\n", b: "644 theirs\nb\nb\n" });
  });

  test("does not prevent writing where hard links are unsupported", async () => {
    const workspace = new TemporaryWorkspace(
      {},
      failing("EPERM", (call) => call === "link"),
    );
    const outcome = await writeWorkspaceEdit(
      workspace.root,
      workspace.write(workspaceEdit([create("a")])),
      workspace.options,
    );
    expect(outcome.kind).toBe("written");
    expect(workspace.tree()).toEqual({ a: "644 new\n" });
  });
});

describe("a concurrent change by another process", () => {
  /** Called when everything is staged, right before the first file is moved. */
  async function meanwhile(changes: readonly FileChange[], act: (workspace: TemporaryWorkspace) => void) {
    let isDone = false;
    let there: TemporaryWorkspace | undefined;
    const disk = mapCalls((call, path, go) => {
      if (!isDone && /^(rename|link|unlink)$/.test(call) && path.startsWith(there!.root)) {
        isDone = true;
        act(there!);
      }
      return go();
    });
    const workspace = new TemporaryWorkspace({ a: "a", b: "b" }, disk);
    there = workspace;
    const write = workspace.write(workspaceEdit(changes));
    const outcome = await writeWorkspaceEdit(workspace.root, write, workspace.options);
    // It is no edit that could be undone.
    expect(workspace.journalFiles()).toEqual([]);
    return { outcome, tree: workspace.tree() };
  }

  test("of a later file prevents the write and is kept", async () => {
    const { outcome, tree } = await meanwhile([insert("a", "x"), insert("b", "x")], (there) => there.put("b", "B"));
    expect(outcome).toEqual({ kind: "stale", paths: ["b"] });
    expect(tree).toEqual({ a: "644 a", b: "644 B" });
  });

  test("right before the move is kept", async () => {
    const root = { path: "" };
    const disk = mapCalls((call, _, go) => {
      if (call === "link") writeFileSync(join(root.path, "c"), "theirs");
      return go();
    });
    const workspace = new TemporaryWorkspace({ a: "a" }, disk);
    root.path = workspace.root;
    const write = workspace.write(workspaceEdit([insert("a", "x"), create("c")]));
    const outcome = await writeWorkspaceEdit(workspace.root, write, workspace.options);
    expect(outcome).toEqual({ kind: "stale", paths: ["c"] });
    expect(workspace.tree()).toEqual({ a: "644 a", c: "644 theirs" });
  });

  test("while files are staged prevents all moves", async () => {
    const moved: string[] = [];
    const root = { path: "" };
    const disk = mapCalls((call, path, go) => {
      if (call === "open" && path.endsWith("-1.tmp")) writeFileSync(join(root.path, "b"), "B");
      if (/^(rename|link)$/.test(call) && path.startsWith(root.path)) moved.push(path);
      return go();
    });
    const workspace = new TemporaryWorkspace({ a: "a", b: "b" }, disk);
    root.path = workspace.root;
    const write = workspace.write(workspaceEdit([insert("a", "x"), insert("b", "x")]));
    const outcome = await writeWorkspaceEdit(workspace.root, write, workspace.options);
    expect(outcome).toEqual({ kind: "stale", paths: ["b"] });
    expect(workspace.tree()).toEqual({ a: "644 a", b: "644 B" });
    expect(moved).toEqual([]);
  });

  test("that creates the target file is kept", async () => {
    const { outcome, tree } = await meanwhile([insert("a", "x"), create("c")], (there) => there.put("c", "theirs"));
    expect(outcome).toEqual({ kind: "stale", paths: ["c"] });
    expect(tree).toEqual({ a: "644 a", b: "644 b", c: "644 theirs" });
  });
});

describe("a case-insensitive disk", () => {
  /** Finds a file by any case of its last name, as the usual disks of Windows and macOS do. */
  const disk = mapPaths((path) => {
    const names = existsSync(dirname(path)) ? readdirSync(dirname(path)) : [];
    const found = names.find((name) => name.toLowerCase() === basename(path).toLowerCase());
    return join(dirname(path), found ?? basename(path));
  });

  test.each([
    ["a name's case changes", [move("a.ts", "A.ts")], "written", { "A.ts": "644 a", b: "644 b" }],
    ["a name is taken", [create("A.ts")], "refused", { "a.ts": "644 a", b: "644 b" }],
    ["a name was taken", [remove("a.ts"), create("A.ts")], "written", { "A.ts": "644 new\n", b: "644 b" }],
    ["a file moves to a taken name", [move("b", "A.ts")], "refused", { "a.ts": "644 a", b: "644 b" }],
  ] as const)("%s", async (_, changes, kind, after) => {
    const workspace = new TemporaryWorkspace({ "a.ts": "a", b: "b" }, disk);
    const write = workspace.write(workspaceEdit(changes));
    const before = workspace.tree();
    expect((await writeWorkspaceEdit(workspace.root, write, workspace.options)).kind).toBe(kind);
    expect(workspace.tree()).toEqual(after);
    const { undone } = await undoEdits(workspace.root, { steps: 1 }, workspace.options);
    expect(undone).toHaveLength(kind === "written" ? 1 : 0);
    expect(workspace.tree()).toEqual(before);
  });
});

test("an abort before the first move leaves no file behind", async () => {
  const controller = new AbortController();
  const reason = new Error("enough");
  const disk = mapCalls((call, path, go) => {
    if (call === "open" && path.endsWith("-1.tmp")) controller.abort(reason);
    return go();
  });
  const workspace = new TemporaryWorkspace({ a: "a", b: "b" }, disk);
  const write = workspace.write(workspaceEdit([insert("a", "x"), insert("b", "x")]));
  const options = { ...workspace.options, signal: controller.signal };
  await expect(writeWorkspaceEdit(workspace.root, write, options)).rejects.toBe(reason);
  expect(workspace.tree()).toEqual({ a: "644 a", b: "644 b" });
  expect(workspace.journalFiles()).toEqual([]);
});

test("a workspace reached through a link has the same journal", async () => {
  const workspace = new TemporaryWorkspace({ a: "a" });
  mkdirSync(join(workspace.top, "other"));
  symlinkSync(workspace.root, join(workspace.top, "other", "link"));
  const write = workspace.write(workspaceEdit([insert("a", "x")]));
  await writeWorkspaceEdit(join(workspace.top, "other", "link"), write, workspace.options);
  expect(workspace.text("a")).toBe("xa");
  expect(lstatSync(join(workspace.root, "a")).isFile()).toBe(true);
  expect(workspace.journalFiles()).toHaveLength(1);
});

/** The system's disk with mapped paths; the targets of links stay. */
function mapPaths(toPath: (path: string) => string): EditDisk {
  const calls = Object.keys(pick).map((call) => {
    const real = systemDisk[call as keyof EditDisk] as (...args: unknown[]) => Promise<unknown>;
    const isPath = (i: number) => (call === "symlink" ? i === 1 : i === 0 || (i === 1 && /^(link|rename)$/.test(call)));
    return [call, async (...args: unknown[]) => real(...args.map((arg, i) => (isPath(i) ? toPath(String(arg)) : arg)))];
  });
  return Object.fromEntries(calls) as EditDisk;
}

/**
 * The system's disk with each call wrapped by `around`; `path` is the first argument of the call.
 */
function mapCalls(around: (call: string, path: string, go: () => unknown) => unknown): EditDisk {
  const calls = Object.keys(pick).map((call) => {
    const real = systemDisk[call as keyof EditDisk] as (...args: unknown[]) => Promise<unknown>;
    return [call, async (...args: unknown[]) => around(call, String(args[0]), () => real(...args))];
  });
  return Object.fromEntries(calls) as EditDisk;
}

const pick: Readonly<Record<keyof EditDisk, true>> = {
  link: true,
  lstat: true,
  mkdir: true,
  open: true,
  readdir: true,
  readFile: true,
  readlink: true,
  realpath: true,
  rename: true,
  rmdir: true,
  stat: true,
  symlink: true,
  unlink: true,
};
