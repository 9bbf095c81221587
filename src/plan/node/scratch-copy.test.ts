import { execFileSync, spawn } from "node:child_process";
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from "node:fs";
import { hostname, tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { Edit, printWorkspaceEdit, toWorkspaceDiff, workspaceEdit } from "../../text/index.ts";
import { removeFolder } from "../../text/node/fixtures/remove-folder.ts";
import { openScratchCopy, type ScratchCopy, type ScratchOptions } from "./scratch-copy.ts";

function git(folder: string, ...args: string[]): string {
  const who = ["-c", "user.name=Test", "-c", "user.email=test@example.com", "-c", "commit.gpgsign=false"];
  const env = { ...process.env, GIT_CONFIG_NOSYSTEM: "1", GIT_CONFIG_GLOBAL: "/dev/null" };
  const all = [...who, "-c", "protocol.file.allow=always", ...args];
  return execFileSync("git", all, { cwd: folder, env, encoding: "utf8", stdio: "pipe" }).trim();
}

/** Texts by path; `-> target` is a link, and `x/` an empty folder. */
type Files = Readonly<Record<string, string>>;

function put(root: string, files: Files): void {
  for (const [path, text] of Object.entries(files)) {
    const absolute = join(root, path);
    mkdirSync(path.endsWith("/") ? absolute : dirname(absolute), { recursive: true });
    if (path.endsWith("/")) continue;
    if (text.startsWith("-> ")) symlinkSync(text.slice(3), absolute);
    else writeFileSync(absolute, text);
  }
}

/** A folder `work` with these files, and options for a copy elsewhere; removed after the test. */
function folder(files: Files = {}): { root: string; options: ScratchOptions } {
  const top = realpathSync(mkdtempSync(join(tmpdir(), "emend scratch ü-")));
  onTestFinished(() => removeFolder(top));
  const root = join(top, "work");
  mkdirSync(root);
  put(root, files);
  return { root, options: { folder: join(top, "cache", "scratch") } };
}

/** The same, with everything in a first commit. */
function repository(files: Files): { root: string; options: ScratchOptions } {
  const made = folder(files);
  git(made.root, "init", "--quiet", "--initial-branch=main");
  git(made.root, "add", ".");
  git(made.root, "commit", "--quiet", "--message=first", "--allow-empty");
  return made;
}

async function open(root: string, options: ScratchOptions): Promise<ScratchCopy> {
  const answer = await openScratchCopy(root, options);
  if (answer.kind !== "open") throw new Error(answer.message);
  onTestFinished(() => answer.copy[Symbol.asyncDispose]());
  return answer.copy;
}

/** All paths below a folder, without git's own files; links are not followed. */
function tree(top: string, below = ""): Record<string, string> {
  const found: Record<string, string> = {};
  for (const name of readdirSync(join(top, below)).sort()) {
    if (name === ".git") continue;
    const path = below === "" ? name : `${below}/${name}`;
    const entry = lstatSync(join(top, path));
    if (entry.isDirectory()) Object.assign(found, tree(top, path));
    else
      found[path] = entry.isSymbolicLink()
        ? `-> ${readlinkSync(join(top, path))}`
        : readFileSync(join(top, path), "utf8");
  }
  return found;
}

const change = (uri: string, before: string, after: string) => ({
  edit: workspaceEdit([{ kind: "edit", uri, edit: Edit.replace({ start: 0, end: before.length }, after) }]),
  files: new Map([[uri, before]]),
  instruction: "try",
});

test("a copy contains the files as they are on the disk (changed, staged, new, without deleted ones) and no ignored files", async () => {
  const { root, options } = repository({
    ".gitignore": "*.log\nbuild/\n",
    "kept.ts": "kept\n",
    "changed.ts": "old\n",
    "gone.ts": "gone\n",
    "ü b.ts": "name\r\n",
    "tool.sh": "#!/bin/sh\n",
    "link.ts": "-> kept.ts",
  });
  chmodSync(join(root, "tool.sh"), 0o755);
  put(root, {
    "changed.ts": "new\n",
    "staged.ts": "staged\n",
    "deep/new.ts": "new\n",
    "a.log": "log",
    "build/x.ts": "x",
  });
  git(root, "add", "staged.ts");
  unlinkSync(join(root, "gone.ts"));
  const status = git(root, "status", "--porcelain");
  const before = tree(root);

  const copy = await open(root, options);
  expect(copy.kind).toBe("worktree");
  const { "a.log": _log, "build/x.ts": _build, ...expected } = before;
  expect(tree(copy.root)).toEqual(expected);
  expect(lstatSync(join(copy.root, "tool.sh")).mode & 0o111).not.toBe(0);
  expect(git(copy.root, "rev-parse", "HEAD")).toBe(git(root, "rev-parse", "HEAD"));
  expect(git(copy.root, "status", "--porcelain").split("\n")).toEqual([
    "M changed.ts",
    " D gone.ts",
    " M tool.sh",
    "?? deep/",
    "?? staged.ts",
  ]);
  expect(await copy.changes()).toMatchObject({ edit: { changes: [] }, others: [] });

  await copy[Symbol.asyncDispose]();
  await copy[Symbol.asyncDispose]();
  expect(existsSync(copy.root)).toBe(false);
  expect(git(root, "worktree", "list").split("\n")).toHaveLength(1);
  expect(git(root, "status", "--porcelain")).toBe(status);
  expect(tree(root)).toEqual(before);
});

test("edits are written to the copy only, and its changes are an edit of the workspace", async () => {
  const { root, options } = repository({
    ".gitignore": "*.log\n",
    "a.ts": "a\n",
    "b.ts": "b\n",
    "c.bin": "c\0",
    "d.ts": "d\n",
  });
  const before = tree(root);
  const copy = await open(root, options);
  expect(await copy.write(change("a.ts", "a\n", "changed\n"))).toMatchObject({ kind: "written", paths: ["a.ts"] });
  put(copy.root, { "new/e.ts": "e\n", "c.bin": "d\0", "x.log": "ignored", "d.ts": "d\n" });
  unlinkSync(join(copy.root, "b.ts"));
  const { edit, before: texts, others } = await copy.changes();
  expect(printWorkspaceEdit(edit)).toBe("edit a.ts, delete b.ts, create new/e.ts");
  expect(others).toEqual(["c.bin"]);
  expect(toWorkspaceDiff(texts, edit)).toContain("-a\n+changed\n");
  expect(tree(root)).toEqual(before);
});

test("an edit for other texts is refused, and so is a path that leads out of the copy", async () => {
  const { root, options } = repository({ ".gitignore": "node_modules\n", "a.ts": "a\n" });
  put(root, { "node_modules/lib/index.js": "lib\n" });
  const copy = await open(root, options);
  expect(await copy.write(change("a.ts", "b\n", "c\n"))).toMatchObject({ kind: "stale" });
  expect(await copy.write(change("../../x.ts", "b\n", "c\n"))).toMatchObject({ kind: "refused" });
  expect(await copy.write(change("node_modules/lib/index.js", "lib\n", "bad\n"))).toMatchObject({ kind: "refused" });
  expect(readFileSync(join(root, "node_modules/lib/index.js"), "utf8")).toBe("lib\n");
});

test("dependencies are linked, packages of the same repository are those of the copy, and caches are left out", async () => {
  const { root, options } = repository({
    ".gitignore": "node_modules/\n.venv/\nvenv/\n",
    "packages/one/package.json": "{}",
    "packages/two/package.json": "{}",
  });
  put(root, {
    "node_modules/lib/index.js": "lib",
    "node_modules/@scope/lib/index.js": "scoped",
    "node_modules/@scope/two": "-> ../../packages/two",
    "node_modules/one": `-> ${join(root, "packages/one")}`,
    "node_modules/.bin/lib": "-> ../lib/index.js",
    "node_modules/.pnpm/x/index.js": "x",
    "node_modules/.cache/old": "cache",
    "node_modules/.package-lock.json": "{}",
    "packages/one/node_modules/deep/index.js": "deep",
    ".venv/pyvenv.cfg": "home = /usr\n",
    "venv/notes.txt": "not a virtual environment",
  });
  const copy = await open(root, options);
  expect(copy.linked).toEqual(["node_modules", ".venv", "packages/one/node_modules"]);
  const at = (path: string) => realpathSync(join(copy.root, path));
  expect(at("node_modules/lib")).toBe(join(root, "node_modules/lib"));
  expect(at("node_modules/@scope/lib")).toBe(join(root, "node_modules/@scope/lib"));
  expect(at("node_modules/@scope/two")).toBe(join(copy.root, "packages/two"));
  expect(at("node_modules/one")).toBe(join(copy.root, "packages/one"));
  expect(at("node_modules/.bin/lib")).toBe(join(root, "node_modules/lib/index.js"));
  expect(at("node_modules/.pnpm/x")).toBe(join(root, "node_modules/.pnpm/x"));
  expect(at("packages/one/node_modules/deep")).toBe(join(root, "packages/one/node_modules/deep"));
  expect(at(".venv")).toBe(join(root, ".venv"));
  expect(existsSync(join(copy.root, "node_modules/.cache"))).toBe(false);
  expect(existsSync(join(copy.root, "venv"))).toBe(false);

  put(copy.root, { "node_modules/.cache/new": "written by a tool" });
  expect(readdirSync(join(root, "node_modules/.cache"))).toEqual(["old"]);
  expect(await copy.changes()).toMatchObject({ edit: { changes: [] }, others: [] });
  await copy[Symbol.asyncDispose]();
  expect(readFileSync(join(root, "node_modules/lib/index.js"), "utf8")).toBe("lib");
  expect(readFileSync(join(root, ".venv/pyvenv.cfg"), "utf8")).toBe("home = /usr\n");
});

test("for a folder of a repository the whole repository is copied, and paths are relative to the folder", async () => {
  const { root, options } = repository({ "top.ts": "top\n", "packages/one/a.ts": "a\n" });
  const copy = await open(join(root, "packages/one"), options);
  expect(tree(copy.root)).toEqual({ "a.ts": "a\n" });
  expect(readFileSync(join(copy.root, "../../top.ts"), "utf8")).toBe("top\n");
  await copy.write(change("a.ts", "a\n", "b\n"));
  put(copy.root, { "../../top.ts": "changed\n" });
  const { edit, others } = await copy.changes();
  expect([printWorkspaceEdit(edit), others]).toEqual(["edit a.ts", ["top.ts"]]);
});

describe("openScratchCopy copies", () => {
  test("a repository with a detached head", async () => {
    const { root, options } = repository({ "a.ts": "a\n" });
    git(root, "checkout", "--quiet", "--detach");
    expect((await open(root, options)).kind).toBe("worktree");
  });

  test("a repository without a commit", async () => {
    const { root, options } = folder({ ".gitignore": "*.log\n", "a.ts": "a\n", "a.log": "" });
    git(root, "init", "--quiet");
    const copy = await open(root, options);
    expect([copy.kind, Object.keys(tree(copy.root))]).toEqual(["plain", [".gitignore", "a.ts"]]);
    await copy.write(change("a.ts", "a\n", "b\n"));
    expect(printWorkspaceEdit((await copy.changes()).edit)).toBe("edit a.ts");
  });

  test("a work tree of another repository, and reports a nested work tree", async () => {
    const { root, options } = repository({ "a.ts": "a\n" });
    const linked = join(dirname(root), "linked");
    git(root, "worktree", "add", "--quiet", "--detach", linked);
    git(root, "worktree", "add", "--quiet", "--detach", join(root, "inner"));
    put(linked, { "a.ts": "of the work tree\n" });
    expect(tree((await open(linked, options)).root)).toEqual({ "a.ts": "of the work tree\n" });
    const copy = await open(root, options);
    expect(tree(copy.root)).toEqual({ "a.ts": "a\n" });
    expect(copy.leftOut).toEqual([{ path: "inner", why: "nested-repository" }]);
    await copy[Symbol.asyncDispose]();
    expect(git(root, "worktree", "list").split("\n")).toHaveLength(4);
  });

  test("a submodule as plain files, with its local changes", async () => {
    const inner = repository({ "lib.ts": "lib\n" });
    const { root, options } = repository({ "a.ts": "a\n" });
    git(root, "submodule", "--quiet", "add", inner.root, "sub");
    git(root, "commit", "--quiet", "--message=second");
    put(root, { "sub/lib.ts": "changed\n", "sub/new.ts": "new\n" });
    const copy = await open(root, options);
    expect(tree(join(copy.root, "sub"))).toEqual({ "lib.ts": "changed\n", "new.ts": "new\n" });
    expect(await copy.changes()).toMatchObject({ edit: { changes: [] }, others: [] });
    await copy.write(change("sub/lib.ts", "changed\n", "again\n"));
    expect(printWorkspaceEdit((await copy.changes()).edit)).toBe("edit sub/lib.ts");
  });

  test("a shallow clone", async () => {
    const { root, options } = repository({ "a.ts": "a\n" });
    git(root, "commit", "--quiet", "--allow-empty", "--message=second");
    const shallow = join(dirname(root), "shallow");
    git(root, "clone", "--quiet", "--depth=1", `file://${root}`, shallow);
    expect(tree((await open(shallow, options)).root)).toEqual({ "a.ts": "a\n" });
  });

  test("a merge with conflicts, with each file once and its markers", async () => {
    const { root, options } = repository({ "a.ts": "a\n" });
    git(root, "checkout", "--quiet", "-b", "other");
    put(root, { "a.ts": "theirs\n" });
    git(root, "commit", "--quiet", "--all", "--message=theirs");
    git(root, "checkout", "--quiet", "main");
    put(root, { "a.ts": "ours\n" });
    git(root, "commit", "--quiet", "--all", "--message=ours");
    expect(() => git(root, "merge", "other")).toThrow();
    expect(readFileSync(join((await open(root, options)).root, "a.ts"), "utf8")).toContain("<<<<<<<");
  });

  test("a repository without running its hooks and filters", async () => {
    const { root, options } = repository({ ".gitattributes": "*.ts filter=mark\n", "a.ts": "a\n" });
    git(root, "config", "filter.mark.smudge", `touch ${JSON.stringify(join(root, "ran"))}; cat`);
    put(root, { ".git/hooks/post-checkout": `#!/bin/sh\ntouch "${join(root, "ran")}"\n` });
    chmodSync(join(root, ".git/hooks/post-checkout"), 0o755);
    await open(root, options);
    expect(existsSync(join(root, "ran"))).toBe(false);
  });

  test("a folder without a repository by its ignore rules, and reports skipped files", async () => {
    const { root, options } = folder({
      ".gitignore": "*.log\n",
      "a.ts": "a\n",
      LICENSE: "free\n",
      "a.log": "",
      ".env": "TOKEN=1\n",
      "node_modules/lib/index.js": "lib",
    });
    const copy = await open(root, options);
    expect(copy.kind).toBe("plain");
    expect(Object.keys(tree(copy.root)).filter((path) => !path.startsWith("node_modules"))).toEqual([
      ".gitignore",
      "LICENSE",
      "a.ts",
    ]);
    expect(copy.leftOut).toEqual([{ path: ".env", why: "not-read" }]);
    expect(copy.linked).toEqual(["node_modules"]);
    await copy.write(change("a.ts", "a\n", "b\n"));
    put(copy.root, { "new.ts": "new\n" });
    expect(printWorkspaceEdit((await copy.changes()).edit)).toBe("edit a.ts, create new.ts");
    expect(tree(root)["a.ts"]).toBe("a\n");
  });
});

describe("openScratchCopy refuses with a reason", () => {
  const cases: readonly (readonly [string, () => readonly [string, ScratchOptions], string])[] = [
    [
      "a bare repository",
      () => {
        const { root, options } = folder();
        git(root, "init", "--quiet", "--bare");
        return [root, options];
      },
      "bare: ROOT is a repository without files (bare): name a clone or a work tree of it.",
    ],
    [
      "the inside of .git",
      () => {
        const { root, options } = repository({});
        return [join(root, ".git"), options];
      },
      "bare: ROOT lies inside .git: name a clone or a work tree of it.",
    ],
    ["no folder", () => [join(folder().root, "gone"), folder().options], "missing: There is no folder ROOT."],
    [
      "too many files",
      () => {
        const { root, options } = repository({ "a.ts": "", "b.ts": "" });
        return [root, { ...options, maxFiles: 1 }];
      },
      "too-many-files: ROOT has 2 files, and 1 are copied at most: plan for a folder of it.",
    ],
    [
      "a folder that its repository ignores",
      () => {
        const { root, options } = repository({ ".gitignore": "build/\n" });
        put(root, { "build/a.ts": "a\n" });
        return [join(root, "build"), options];
      },
      "no-files: ROOT has no file that git tracks or would track: name a folder that its repository does not ignore.",
    ],
    [
      "a place inside of the workspace",
      () => {
        const { root } = repository({});
        return [root, { folder: join(root, "scratch") }];
      },
      "inside: ROOT/scratch lies in ROOT: name a folder outside of it for scratch copies.",
    ],
  ];
  for (const [name, make, expected] of cases) {
    test(name, async () => {
      const [root, options] = make();
      const answer = await openScratchCopy(root, options);
      const text = answer.kind === "refused" ? `${answer.reason}: ${answer.message}` : answer.kind;
      expect(text.replaceAll(root, "ROOT")).toBe(expected);
    });
  }

  test("a file above the limit is left out and reported", async () => {
    const { root, options } = repository({ "a.ts": "a\n", "large.bin": "x".repeat(2_000) });
    const copy = await open(root, { ...options, maxFileBytes: 1_000 });
    expect(copy.leftOut).toEqual([{ path: "large.bin", why: "too-large" }]);
    expect(await copy.changes()).toMatchObject({ edit: { changes: [] }, others: [] });
  });
});

describe("nothing is left behind", () => {
  const placesIn = ({ folder: at }: ScratchOptions) => (existsSync(at) ? readdirSync(at) : []);

  test("by a call whose signal aborts", async () => {
    const { root, options } = repository(
      Object.fromEntries(Array.from({ length: 300 }, (_, i) => [`f${i}.ts`, "x\n"])),
    );
    const controller = new AbortController();
    const reason = new Error("enough");
    const opening = openScratchCopy(root, { ...options, signal: controller.signal });
    setTimeout(() => controller.abort(reason), 60);
    await opening.then(
      ({ kind }) => expect(kind).toBe("open"),
      (error) => expect(error).toBe(reason),
    );
    controller.abort(reason);
    await expect(openScratchCopy(root, { ...options, signal: controller.signal })).rejects.toBe(reason);
  });

  test("by a killed process, because the next copy removes its place and its work tree", async () => {
    const { root, options } = repository({ "a.ts": "a\n" });
    put(root, { ".gitignore": "node_modules\n", "node_modules/lib/index.js": "lib" });
    const script = `
      import { openScratchCopy } from ${JSON.stringify(new URL("./scratch-copy.ts", import.meta.url).href)};
      const answer = await openScratchCopy(${JSON.stringify(root)}, ${JSON.stringify(options)});
      console.log(answer.kind);
      setInterval(() => {}, 1000);`;
    put(dirname(root), { "open.mts": script });
    const child = spawn(process.execPath, ["--import", "tsx", join(dirname(root), "open.mts")], { cwd: process.cwd() });
    await new Promise<void>((resolve, reject) => {
      child.stdout.on("data", () => resolve());
      child.stderr.on("data", (text) => reject(new Error(String(text))));
    });
    child.kill("SIGKILL");
    await new Promise((resolve) => child.on("exit", resolve));
    expect(placesIn(options)).toHaveLength(1);
    expect(git(root, "worktree", "list").split("\n")).toHaveLength(2);
    const copy = await open(root, options);
    expect(placesIn(options)).toHaveLength(1);
    expect(git(root, "worktree", "list").split("\n")).toHaveLength(2);
    await copy[Symbol.asyncDispose]();
    expect(placesIn(options)).toEqual([]);
    expect(git(root, "worktree", "list").split("\n")).toHaveLength(1);
    expect(readFileSync(join(root, "node_modules/lib/index.js"), "utf8")).toBe("lib");
  });

  test("except copies that other processes are using", async () => {
    const { root, options } = repository({ "a.ts": "a\n" });
    const mine = await open(root, options);
    put(options.folder, {
      "other-machine/owner.json": JSON.stringify({ processId: 1, host: `not-${hostname()}` }),
      "other-process/owner.json": JSON.stringify({ processId: process.ppid, host: hostname() }),
      "broken/owner.json": "{",
      "gone/owner.json": JSON.stringify({ processId: process.pid, host: hostname() }),
    });
    const second = await open(root, options);
    expect(existsSync(mine.root) && existsSync(second.root)).toBe(true);
    expect(placesIn(options).filter((name) => !name.includes("-4"))).toEqual([
      "broken",
      "other-machine",
      "other-process",
    ]);
  });
});

test("the environment leads git to the copy", async () => {
  const { root, options } = repository({ "a.ts": "a\n" });
  const copy = await open(root, options);
  const base = { PATH: "/bin", GIT_DIR: "/elsewhere", GIT_INDEX_FILE: "/elsewhere/index", GIT_AUTHOR_NAME: "Ada" };
  expect(copy.environment(base)).toEqual({ PATH: "/bin", GIT_AUTHOR_NAME: "Ada" });
});

test("named ignored files are copied and their changes are reported", async () => {
  const { root, options } = repository({ ".gitignore": "made/\n.env\n", "a.ts": "a\n" });
  put(root, { "made/types.ts": "made\n", "made/deep/more.ts": "more\n", ".env": "TOKEN=1\n" });
  const copy = await open(root, { ...options, include: ["made", "gone", "../outside"] });
  expect(Object.keys(tree(copy.root))).toEqual([".gitignore", "a.ts", "made/deep/more.ts", "made/types.ts"]);
  await copy.write(change("made/types.ts", "made\n", "again\n"));
  expect(printWorkspaceEdit((await copy.changes()).edit)).toBe("edit made/types.ts");
});

test("without git a repository is copied like any other workspace", async () => {
  const { root, options } = repository({ ".gitignore": "*.log\n", "a.ts": "a\n", "a.log": "" });
  const copy = await open(root, { ...options, git: { program: join(root, "no-git-here") } });
  expect([copy.kind, Object.keys(tree(copy.root))]).toEqual(["plain", [".gitignore", "a.ts"]]);
});

test("a copy of an empty workspace is an empty folder", async () => {
  const { root, options } = folder();
  const copy = await open(root, options);
  expect(tree(copy.root)).toEqual({});
  put(copy.root, { "new.ts": "new\n" });
  expect(printWorkspaceEdit((await copy.changes()).edit)).toBe("create new.ts");
});

test("packages in editable mode in a virtual environment are those of the copy", async () => {
  const { root, options } = repository({
    ".gitignore": ".venv\n",
    "src/sums/__init__.py": "",
    "lib/two/__init__.py": "",
  });
  const packages = ".venv/lib/python3.12/site-packages";
  put(root, {
    ".venv/pyvenv.cfg": "home = /usr\n",
    [`${packages}/__editable__.one-1.0.pth`]: `${root}/src\n`,
    [`${packages}/__editable___two_1_0_finder.py`]: `MAPPING: dict[str, str] = {'two': '${root}/lib/two'}\n`,
    [`${packages}/other.pth`]: "/elsewhere/src\nimport site\n",
  });
  const copy = await open(root, options);
  const paths = ["src", "lib"].map((path) => join(copy.root, path));
  const found = copy.environment({ PYTHONPATH: "/mine" })["PYTHONPATH"]?.split(":") ?? [];
  expect([...found].sort()).toEqual(["/mine", ...paths].sort());
  expect(found.at(-1)).toBe("/mine");
});
