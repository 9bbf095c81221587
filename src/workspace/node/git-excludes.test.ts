import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { walkWorkspace } from "../walk.ts";
import { disk } from "./disk.ts";
import { PlantedRepository } from "./fixtures/planted-repository.ts";
import { gitFiles } from "./git-worktree.ts";

let repository: PlantedRepository;
let environment: NodeJS.ProcessEnv;
beforeEach(() => {
  repository = new PlantedRepository({ "a.ts": "1\n", "deep/own.ts": "1\n" });
  environment = { ...process.env };
  for (const name of Object.keys(process.env)) if (!(name in repository.environment)) delete process.env[name];
  Object.assign(process.env, repository.environment);
});
afterEach(() => {
  repository[Symbol.dispose]();
  for (const name of Object.keys(process.env)) if (!(name in environment)) delete process.env[name];
  Object.assign(process.env, environment);
});

function writeBeside(path: string, text: string): string {
  const absolute = join(repository.beside, path);
  mkdirSync(dirname(absolute), { recursive: true });
  writeFileSync(absolute, text);
  return absolute;
}

/** Places for rules that exclude `own.ts` in git. */
const places: Readonly<Record<string, (rules: string) => void>> = {
  "$XDG_CONFIG_HOME/git/ignore": (rules) => void writeBeside("config/git/ignore", rules),
  "~/.config/git/ignore"(rules) {
    delete process.env["XDG_CONFIG_HOME"];
    writeBeside(".config/git/ignore", rules);
  },
  "an empty XDG_CONFIG_HOME"(rules) {
    process.env["XDG_CONFIG_HOME"] = "";
    writeBeside(".config/git/ignore", rules);
  },
  "core.excludesFile of the user, from the home folder"(rules) {
    writeBeside("my rules", rules);
    writeBeside(".gitconfig", "[core]\nexcludesFile = ~/my rules\n");
  },
  "core.excludesFile of an included file"(rules) {
    const path = writeBeside("rules", rules);
    writeBeside("more", `[core]\nexcludesFile = ${path}\n`);
    writeBeside(".gitconfig", "[include]\npath = more\n");
  },
  "core.excludesFile of the repository, from its top"(rules) {
    repository.write(".git/rules", rules);
    repository.configure("[core]\nexcludesFile = .git/rules");
  },
  ".git/info/exclude": (rules) => repository.write(".git/info/exclude", rules),
};

async function walked(root: string): Promise<readonly string[]> {
  const files: string[] = [];
  for await (const item of walkWorkspace(root, { fileSystem: disk })) if (item.kind === "file") files.push(item.path);
  return files;
}

for (const [place, write] of Object.entries(places)) {
  test(`row 7: a walk leaves out the same files as git by the rules of ${place}`, async () => {
    write("own*.ts\n!own-not.ts\n");
    for (const path of ["own.ts", "own-not.ts", "deep/own2.ts", "deep/b.ts"]) repository.write(path, "1\n");
    repository.git("rm", "--quiet", "--cached", "deep/own.ts");
    const files = ["a.ts", "deep/b.ts", "own-not.ts"];
    const byGit = await gitFiles(repository.root);
    expect(byGit.kind === "answer" && [...byGit.value].sort()).toEqual(files);
    expect(await walked(repository.root)).toEqual(files);
    expect(await walked(join(repository.root, "deep"))).toEqual(["b.ts"]);
    // In a linked work tree, `.git` is a file.
    const second = join(repository.beside, "second");
    execFileSync("git", ["worktree", "add", "--quiet", "--detach", second], { cwd: repository.root });
    for (const path of ["own.ts", "b.ts"]) writeFileSync(join(second, path), "1\n");
    // A relative path in `core.excludesFile` starts from the top of each work tree.
    const isShared = !place.includes("from its top");
    expect((await walked(second)).includes("own.ts")).toBe(!isShared);
    expect(await walked(second)).toContain("b.ts");
  });
}

test("row 7: a `.gitignore` overrides the user's rules, and an empty core.excludesFile disables them", async () => {
  writeBeside("config/git/ignore", "*.ts\n");
  repository.write(".gitignore", "!a.ts\n");
  repository.write("b.ts", "1\n");
  expect(await walked(repository.root)).toEqual(["a.ts"]);
  repository.configure("[core]\nexcludesFile =");
  expect(await walked(repository.root)).toEqual(["a.ts", "b.ts", "deep/own.ts"]);
});

test("row 7: outside a repository the user's rules apply and do not include tool folders again", async () => {
  writeBeside("config/git/ignore", "own.ts\n");
  for (const path of ["own.ts", "b.ts", "package.json", "dist/c.js"]) writeBeside(`plain/${path}`, "{}\n");
  expect(await walked(join(repository.beside, "plain"))).toEqual(["b.ts", "package.json"]);
});
