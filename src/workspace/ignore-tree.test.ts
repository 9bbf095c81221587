import { describe, expect, test } from "vitest";
import { IgnoreTree, modelIgnoreFileNames } from "./ignore-tree.ts";
import { MemoryFileSystem } from "./memory-file-system.ts";
import { folderOf, joinPath } from "./workspace-path.ts";

/** Opens the rules of `/work` and loads every folder of it. */
async function open(files: Readonly<Record<string, string>>, root = "/work") {
  const fileSystem = new MemoryFileSystem(files);
  const tree = await IgnoreTree.open({ fileSystem, root, ignoreCase: false });
  const load = async (folder: string): Promise<void> => {
    const entries = await fileSystem.readFolder(joinPath(root, folder));
    await tree.load(folder, entries);
    for (const entry of entries) if (entry.kind === "folder") await load(joinPath(folder, entry.name));
  };
  await load("");
  /** The deciding rule as text; undefined when there is none. */
  const decide = (path: string) => {
    const verdict = tree.decide(path.replace(/\/$/, ""), path.endsWith("/"));
    return verdict && `${verdict.excluded ? "out" : "in"} by ${verdict.file}:${verdict.lineNumber}: ${verdict.pattern}`;
  };
  return { tree, decide, load, fileSystem };
}

describe("IgnoreTree with nested ignore files", () => {
  test("lets the deeper file decide, except below an excluded folder", async () => {
    const { decide } = await open({
      "/work/.gitignore": "*.log\nout/\n",
      "/work/a/.gitignore": "\n!keep.log\n",
      "/work/a/b/keep.log": "",
      "/work/out/.gitignore": "!*\n",
    });
    expect(decide("a/b/keep.log")).toBe("in by a/.gitignore:2: !keep.log");
    expect(decide("a/other.log")).toBe("out by .gitignore:1: *.log");
    expect(decide("keep.log")).toBe("out by .gitignore:1: *.log");
    expect(decide("out/x.ts")).toBe("out by .gitignore:2: out/");
    expect(decide("src/x.ts")).toBeUndefined();
  });

  test("includes the contents of a folder that a deeper file includes again", async () => {
    const { decide } = await open({ "/work/.gitignore": "sub/x", "/work/sub/.gitignore": "!x", "/work/sub/x/f": "" });
    expect(decide("sub/x/")).toBe("in by sub/.gitignore:1: !x");
    expect(decide("sub/x/f")).toBeUndefined();
  });

  test("matches a pattern with a slash from the folder of its ignore file", async () => {
    const { decide } = await open({ "/work/a/.gitignore": "/b/c\n", "/work/a/b/c": "" });
    expect(decide("a/b/c")).toBe("out by a/.gitignore:1: /b/c");
    expect(decide("b/c")).toBeUndefined();
  });
});

describe("IgnoreTree with several families of ignore files", () => {
  test("lets .emendignore decide, then .copilotignore, then .gitignore, in whatever folders they are", async () => {
    const { decide } = await open({
      "/work/.emendignore": "!gen/\nprivate/\n",
      "/work/.copilotignore": "secretive.ts\n",
      "/work/.gitignore": "gen/\n",
      "/work/a/.gitignore": "!private/\n!secretive.ts\n",
    });
    expect(decide("gen/")).toBe("in by .emendignore:1: !gen/");
    expect(decide("gen/x.ts")).toBeUndefined();
    expect(decide("a/private/x.ts")).toBe("out by .emendignore:2: private/");
    expect(decide("a/secretive.ts")).toBe("out by .copilotignore:1: secretive.ts");
  });
});

describe("IgnoreTree with rules from outside the workspace", () => {
  test("reads the ignore files of folders above in the same repository, and info/exclude", async () => {
    const { tree, decide } = await open(
      {
        "/home/.gitignore": "*",
        "/home/repo/.git/info/exclude": "/work/local.ts\n*.tmp\n",
        "/home/repo/.gitignore": "work/gen.ts\n!kept.tmp\n",
        "/home/repo/work/a.ts": "",
      },
      "/home/repo/work",
    );
    expect(tree.hasGitRules).toBe(true);
    expect(decide("local.ts")).toBe("out by /home/repo/.git/info/exclude:1: /work/local.ts");
    expect(decide("gen.ts")).toBe("out by /home/repo/.gitignore:1: work/gen.ts");
    expect(decide("kept.tmp")).toBe("in by /home/repo/.gitignore:2: !kept.tmp");
    expect(decide("a.ts")).toBeUndefined();
    expect(tree.outerFiles).toContain("/home/repo/.git/info/exclude");
  });

  test.each<[files: Readonly<Record<string, string>>, verdict: string | undefined]>([
    [{ "/repo/.gitignore": "out/\n" }, "out by /repo/.gitignore:1: out/"],
    [{ "/repo/.gitignore": "/pack*\n" }, "out by /repo/.gitignore:1: /pack*"],
    [{ "/repo/packages/.emendignore": "/out/work" }, "out by /repo/packages/.emendignore:1: /out/work"],
    [{ "/repo/.copilotignore": "work/" }, "out by /repo/.copilotignore:1: work/"],
    [{ "/repo/.git/info/exclude": "out" }, "out by /repo/.git/info/exclude:1: out"],
    [{ "/repo/.gitignore": "out/", "/repo/.emendignore": "!out/" }, undefined],
    [{ "/repo/.gitignore": "other/\nout" }, "out by /repo/.gitignore:2: out"],
    [{ "/repo/.gitignore": "other/" }, undefined],
    [{ "/.gitignore": "repo/" }, undefined],
  ])("excludes the whole workspace by a rule about it or about a folder above it: %j", async (files, verdict) => {
    const root = "/repo/packages/out/work";
    const { decide } = await open({ "/repo/.git/HEAD": "", ...files, [`${root}/.gitignore`]: "!*\n" }, root);
    expect(decide("a/b.ts")).toBe(verdict ?? "in by .gitignore:1: !*");
  });

  test("reads info/exclude of the main work tree in a linked work tree", async () => {
    const { decide } = await open({
      "/repo/.git/info/exclude": "x.ts",
      "/repo/.git/worktrees/work/commondir": "../..\n",
      "/work/.git": "gitdir: /repo/.git/worktrees/work\n",
    });
    expect(decide("x.ts")).toBe("out by /repo/.git/worktrees/work/../../info/exclude:1: x.ts");
  });

  test("reads no ignore file above the workspace without a repository", async () => {
    const { tree, decide } = await open({ "/home/.gitignore": "*", "/home/work/a.ts": "" }, "/home/work");
    expect(tree.hasGitRules).toBe(false);
    expect(decide("a.ts")).toBeUndefined();
  });
});

test.each(modelIgnoreFileNames)("%s excludes all files of its folder where it cannot be read", async (name) => {
  const { decide, fileSystem, load } = await open({ [`/work/a/${name}`]: "x", "/work/a/b/y": "", "/work/c": "" });
  fileSystem.lock(`/work/a/${name}`);
  await load("");
  expect([decide("a/b/y"), decide("c")]).toEqual([
    `out by a/${name}:1: (the file cannot be read, so it excludes its whole folder)`,
    undefined,
  ]);
});

test("an ignore file that is a link, and a .gitignore that cannot be read, have no rules", async () => {
  const { decide, fileSystem, load } = await open({ "/rules": "*", "/work/.gitignore": "*", "/work/a/b": "" });
  fileSystem.makeLink("/work/a/.gitignore", "/rules");
  fileSystem.lock("/work/.gitignore");
  await load("");
  expect(decide("a/b")).toBeUndefined();
});

test("IgnoreTree reads a forgotten folder again", async () => {
  const { tree, decide, fileSystem, load } = await open({ "/work/a/.gitignore": "x", "/work/a/b/x": "" });
  expect(decide("a/b/x")).toBeDefined();
  fileSystem.writeFile("/work/a/.gitignore", "y");
  tree.forget("a");
  await load("");
  expect(decide("a/b/x")).toBeUndefined();
  expect(decide(joinPath(folderOf("a/b/x"), "y"))).toBe("out by a/.gitignore:1: y");
});
