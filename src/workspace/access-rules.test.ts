import { expect, test } from "vitest";
import { AccessRules } from "./access-rules.ts";
import { MemoryFileSystem } from "./memory-file-system.ts";
import { walkWorkspace } from "./walk.ts";

/** A file system with files by absolute path; `-> target` is a link. */
function diskOf(files: Readonly<Record<string, string>>): MemoryFileSystem {
  const disk = new MemoryFileSystem();
  for (const [path, text] of Object.entries(files)) {
    if (text.startsWith("-> ")) disk.makeLink(path, text.slice(3));
    else disk.writeFile(path, text);
  }
  return disk;
}

const disk = diskOf({
  "/w/.git/HEAD": "",
  "/w/.env": "DB_PASSWORD=1",
  "/w/.gitignore": "build/\nprivate/inner/\n",
  "/w/.emendignore": "private\nbuild/keys.ts\nshown/\n",
  "/w/private/p.ts": "",
  "/w/build/b.ts": "",
  "/w/build/keys.ts": "",
  "/w/build/deep/.copilotignore": "c.ts",
  "/w/build/deep/c.ts": "",
  "/w/src/a.ts": "",
  "/w/src/env.txt": "-> ../.env",
  "/w/src/again.txt": "-> env.txt",
  "/w/src/unsaved.txt": "-> ../config/.env.local",
  "/w/src/p.ts": "-> ../private/p.ts",
  "/w/src/key.txt": "-> /home/me/.ssh/id_rsa",
  "/w/src/other.ts": "-> /other/private/o.ts",
  "/w/src/fine.ts": "-> a.ts",
  "/w/pub": "-> private",
  "/w/shown": "-> src",
  "/w/out": "-> build",
  "/w/loop": "-> loop",
  "/home/me/.ssh/id_rsa": "",
  "/other/.git/HEAD": "",
  "/other/.emendignore": "private/",
  "/other/private/o.ts": "",
  "/other/link.txt": "-> /w/.env",
});

async function verdictsOf(path: string, root: string | undefined = "/w"): Promise<string> {
  const rules = new AccessRules({ fileSystem: disk, root });
  await rules.prepare(path);
  const verdict = rules.verdict(path);
  return verdict.kind === "ignored" ? `${verdict.from} ${verdict.by}` : verdict.kind;
}

test.each([
  ["src/a.ts", "allowed"],
  ["src/fine.ts", "allowed"],
  // Links to secrets: to a file, through a second link, to a missing file, and out of the
  // workspace.
  ["src/env.txt", "secret"],
  ["src/again.txt", "secret"],
  ["src/unsaved.txt", "secret"],
  ["src/key.txt", "secret"],
  // Links to what ignore files exclude: by folder, by file, out of the workspace, and new files in
  // such a folder.
  ["pub/p.ts", "models .emendignore:1: private"],
  ["pub/new/deep.ts", "models .emendignore:1: private"],
  ["src/p.ts", "models .emendignore:1: private"],
  ["src/other.ts", "models /other/.emendignore:1: private/"],
  ["out/b.ts", "git .gitignore:1: build/"],
  // Rules about models also apply below a folder that git ignores.
  ["build/keys.ts", "models .emendignore:2: build/keys.ts"],
  ["out/keys.ts", "models .emendignore:2: build/keys.ts"],
  ["out/deep/c.ts", "models out/deep/.copilotignore:1: c.ts"],
  ["build/b.ts", "git .gitignore:1: build/"],
  // The passed path is judged too, whatever it leads to.
  ["shown/a.ts", "models .emendignore:3: shown/"],
  // A link to nothing is judged by its own name.
  ["loop/a.ts", "allowed"],
])("row 6: verdict judges the file %s by its path and its real path: %s", async (path, verdict) => {
  expect(await verdictsOf(path)).toBe(verdict);
});

test.each([
  ["/other/link.txt", "secret"],
  ["/w/pub/p.ts", "models /w/.emendignore:1: private"],
  ["/other/private/o.ts", "models /other/.emendignore:1: private/"],
  ["/w/src/a.ts", "allowed"],
  ["untitled", "allowed"],
])("row 6: without a workspace, verdict judges %s by the ignore rules of its own folder: %s", async (path, verdict) => {
  const rules = new AccessRules({ fileSystem: disk, root: undefined });
  await rules.prepare(path);
  const found = rules.verdict(path);
  expect(found.kind === "ignored" ? `${found.from} ${found.by}` : found.kind).toBe(verdict);
});

test("row 6: verdict judges a link by its new target when the target changes", async () => {
  const changing = diskOf({
    "/w/.emendignore": "private",
    "/w/private/a.ts": "",
    "/w/src/a.ts": "",
    "/w/pub": "-> src",
  });
  const rules = new AccessRules({ fileSystem: changing, root: "/w" });
  await rules.prepare("pub/a.ts");
  expect(rules.verdict("pub/a.ts").kind).toBe("allowed");
  changing.makeLink("/w/pub", "private");
  await rules.prepare("pub/a.ts");
  expect(rules.verdict("pub/a.ts").kind).toBe("ignored");
});

test("row 6: walkWorkspace yields no file that is reached through a link and excluded for models", async () => {
  const found: string[] = [];
  for await (const item of walkWorkspace("/w", { fileSystem: disk })) if (item.kind === "file") found.push(item.path);
  // What only git ignores is found through the link `out`; `build/keys.ts` and `build/deep/c.ts`
  // are not.
  expect(found.filter((path) => /\.(ts|txt)$/.test(path))).toEqual(["src/a.ts", "out/b.ts"]);
});
