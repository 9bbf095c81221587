import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { removeFolder } from "../../text/node/fixtures/remove-folder.ts";
import { IgnoreTree } from "../ignore-tree.ts";
import { MemoryFileSystem } from "../memory-file-system.ts";
import { walkWorkspace } from "../walk.ts";
import { comparePaths, joinPath } from "../workspace-path.ts";
import { disk } from "./disk.ts";
import { gitTracked } from "./git.ts";

let root: string;
beforeAll(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), "emend-ignore-")));
  git(["init", "--quiet", "--template="]);
});
afterAll(() => removeFolder(root));

function git(args: readonly string[], input = "", accept = [0]): string {
  const env = { PATH: process.env["PATH"], GIT_CONFIG_NOSYSTEM: "1", GIT_CONFIG_GLOBAL: "/dev/null" };
  try {
    return execFileSync("git", args, { cwd: root, env, input, encoding: "utf8", stdio: ["pipe", "pipe", "pipe"] });
  } catch (error) {
    const { status, stdout } = error as { status: number; stdout: string };
    if (accept.includes(status)) return stdout;
    throw error;
  }
}

/** A few names, so that rules often match; some are special in git. */
const name = fc.constantFrom(
  "a",
  "b",
  "ab",
  "abc",
  "A",
  "a b",
  "é",
  "a.ts",
  "b.ts",
  "[a]",
  "!a",
  "#a",
  "a*",
  "-",
  "\\a",
);
const piece = fc.oneof(
  { weight: 4, arbitrary: name },
  {
    weight: 3,
    arbitrary: fc.constantFrom(
      "*",
      "**",
      "***",
      "?",
      "*.ts",
      "a*",
      "*b",
      "a**",
      "**b",
      "[ab]",
      "[!a]",
      "[^b-z]",
      "[[:alpha:]]",
    ),
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      "[a",
      "[]a]",
      "[a-]",
      "\\a",
      "\\*",
      "\\",
      "[\\]a]",
      "[[:foo:]]",
      "[[:upper:]]",
      "??",
      "a\\ ",
      "[A-B]*",
    ),
  },
);
const line = fc
  .tuple(
    fc.constantFrom("", "", "", "!", "\\!", "#"),
    fc.constantFrom("", "", "/", "**/"),
    fc.array(piece, { minLength: 1, maxLength: 3 }),
    fc.constantFrom("", "", "", "/", "/**", "/*", " ", "\t", "\\"),
  )
  .map(([sign, start, pieces, end]) => sign + start + pieces.join("/") + end);
const rules = fc
  .tuple(fc.constantFrom("", "\uFEFF"), fc.array(line, { maxLength: 6 }), fc.constantFrom("\n", "\r\n"), fc.boolean())
  .map(([start, lines, end, closed]) => start + lines.join(end) + (closed ? end : ""));
const folder = fc.array(name, { maxLength: 3 }).map((names) => names.join("/"));
const workspace = fc.record({
  files: fc.uniqueArray(fc.array(name, { minLength: 1, maxLength: 4 }), { minLength: 1, maxLength: 12 }),
  ignores: fc.uniqueArray(fc.tuple(folder, rules), { maxLength: 3, selector: ([where]) => where }),
  exclude: rules,
});

type Random = typeof workspace extends fc.Arbitrary<infer Value> ? Value : never;

/**
 * The texts of both kinds of files by path. A path is left out when another path needs it as a
 * folder.
 */
function layOut({ files, ignores, exclude }: Random): Map<string, string> {
  const tree = new Map<string, string>();
  const isFolder = (path: string) => Array.from(tree.keys()).some((other) => other.startsWith(`${path}/`));
  const put = (path: string, text: string) => {
    const names = path.split("/");
    const above = names.map((_, index) => names.slice(0, index).join("/"));
    if (!above.some((one) => tree.has(one)) && !isFolder(path)) tree.set(path, text);
  };
  for (const names of files) put(names.join("/"), "");
  for (const [where, text] of ignores) put(joinPath(where, ".gitignore"), text);
  tree.set(".git/info/exclude", exclude);
  return tree;
}

/** Makes the repository contain these files, all untracked. */
function write(tree: ReadonlyMap<string, string>): void {
  git(["read-tree", "--empty"]);
  for (const found of readdirSync(root)) {
    if (found !== ".git") rmSync(join(root, found), { recursive: true });
  }
  for (const [path, text] of tree) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
}

/** The files that git tracks or would add. */
function listed(): string[] {
  const output = git(["ls-files", "-z", "--cached", "--others", "--exclude-standard"]);
  return output.split("\0").filter(Boolean).sort(comparePaths);
}

async function ours(tree: ReadonlyMap<string, string>, ignoreCase: boolean) {
  const fileSystem = new MemoryFileSystem();
  for (const [path, text] of tree) fileSystem.writeFile(`/work/${path}`, text);
  const rulesTree = await IgnoreTree.open({ fileSystem, root: "/work", ignoreCase });
  const files: string[] = [];
  const visit = async (where: string): Promise<void> => {
    const entries = await fileSystem.readFolder(joinPath("/work", where));
    await rulesTree.load(where, entries);
    for (const entry of entries) {
      const path = joinPath(where, entry.name);
      const isFolder = entry.kind === "folder";
      if (path === ".git" || rulesTree.verdict(path, isFolder)?.excluded === true) continue;
      if (isFolder) await visit(path);
      else files.push(path);
    }
  };
  await visit("");
  return { files: files.sort(comparePaths), rulesTree };
}

describe("IgnoreTree excludes the same files as git", () => {
  for (const ignoreCase of [false, true]) {
    test(ignoreCase ? "ignoring case" : "minding case", async () => {
      git(["config", "core.ignorecase", String(ignoreCase)]);
      await fc.assert(
        fc.asyncProperty(workspace, async (random) => {
          const tree = layOut(random);
          write(tree);
          const { files, rulesTree } = await ours(tree, ignoreCase);
          expect(files).toEqual(listed());

          // Both name the same deciding line.
          const paths = Array.from(tree.keys()).filter((path) => !path.startsWith(".git/"));
          expect(paths).not.toEqual([]);
          const checked = git(
            ["check-ignore", "-z", "-v", "-n", "--stdin"],
            paths.map((path) => `${path}\0`).join(""),
            [0, 1],
          );
          const fields = checked.split("\0");
          for (const [index, path] of paths.entries()) {
            const [file, lineNumber] = fields.slice(index * 4, index * 4 + 4);
            const verdict = rulesTree.decide(path, false);
            const printed =
              verdict === undefined ? ":" : `${verdict.file.replace(/^\/work\//, "")}:${verdict.lineNumber}`;
            expect(`${path} by ${printed}`).toBe(`${path} by ${file}:${lineNumber}`);
          }
        }),
      );
    });
  }
});

test("a walk that gets git's tracked files lists the same files as git", async () => {
  git(["config", "core.ignorecase", "false"]);
  await fc.assert(
    fc.asyncProperty(workspace, fc.infiniteStream(fc.boolean()), async (random, isTracked) => {
      const tree = layOut(random);
      write(tree);
      const paths = Array.from(tree.keys()).filter((path) => !path.startsWith(".git/"));
      const added = paths.filter(() => isTracked.next().value === true);
      git(["--literal-pathspecs", "add", "--force", "--pathspec-from-file=-", "--pathspec-file-nul"], added.join("\0"));
      const answer = await gitTracked(root);
      if (answer.kind !== "answer") throw new Error(answer.kind);
      expect(Array.from(answer.value).sort()).toEqual(added.sort());
      const options = { fileSystem: disk, tracked: answer.value, unknownLanguages: "keep" } as const;
      const files: string[] = [];
      for await (const item of walkWorkspace(root, options)) if (item.kind === "file") files.push(item.path);
      expect(files).toEqual(listed());
    }),
  );
});
