import { execFileSync } from "node:child_process";
import { appendFileSync, chmodSync, mkdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { removeFolder } from "../../text/node/fixtures/remove-folder.ts";
import { walkWorkspace } from "../walk.ts";
import { type ChangeRequest, readChangedTexts } from "./changed-texts.ts";
import { disk } from "./disk.ts";
import { inGitConfig, PlantedRepository } from "./fixtures/planted-repository.ts";
import { type GitOptions, gitDiff, gitHead, gitRoot, gitTracked } from "./git.ts";
import { commitOnNewBranch, gitBranchState, gitCommittedFiles } from "./git-branch.ts";
import { addWorktree, forgetWorktree, gitClone, gitFiles, gitFolderKind, gitSubmodules } from "./git-worktree.ts";

let repository: PlantedRepository;
let environment: NodeJS.ProcessEnv;
beforeEach(() => {
  repository = new PlantedRepository();
  environment = { ...process.env };
  Object.assign(process.env, repository.environment);
  for (const name of Object.keys(process.env)) if (!(name in repository.environment)) delete process.env[name];
});
afterEach(() => {
  repository[Symbol.dispose]();
  for (const name of Object.keys(process.env)) if (!(name in environment)) delete process.env[name];
  Object.assign(process.env, environment);
});

/** The changed files of the workspace at `root`, and the skipped ones with their reasons. */
async function changeIn(root: string, git: GitOptions = {}, request: ChangeRequest = { kind: "work-tree" }) {
  const files = new Set<string>();
  for await (const item of walkWorkspace(root, { fileSystem: disk })) if (item.kind === "file") files.add(item.path);
  const change = await readChangedTexts(request, { root, files, skipped: [], fileSystem: disk, git });
  if (change.kind !== "texts") return { kind: change.kind };
  return {
    changed: [...change.changed.keys()],
    skipped: change.skipped.map(({ path, reason }) => `${path}: ${reason.kind}`),
  };
}

/** Makes every call of git that reads files of the work tree. */
async function compareAll(root: string, git: GitOptions = {}): Promise<void> {
  await changeIn(root, git);
  for (const call of [gitDiff, gitHead]) await call(root, git);
}

/** Makes every call of git that Emend uses for a workspace. */
async function callAll(root: string, git: GitOptions = {}): Promise<void> {
  const requests: ChangeRequest[] = [
    { kind: "work-tree" },
    { kind: "staged" },
    { kind: "range", range: "HEAD" },
    { kind: "range", range: "HEAD..HEAD" },
    { kind: "range", range: "HEAD...HEAD" },
  ];
  for (const request of requests) await changeIn(root, git, request);
  for (const call of [gitDiff, gitHead, gitRoot, gitTracked]) await call(root, git);
  for (const ask of [gitFiles, gitFolderKind, gitSubmodules]) await ask(root, git);
  await gitBranchState(root, "new", git);
  await gitCommittedFiles(root, ["a.ts"], git);
  await commitOnNewBranch(root, { branch: "made", message: "made", files: new Map([["a.ts", "made\n"]]) }, git);
  const copy = join(repository.beside, "copy");
  await addWorktree(root, copy, git);
  removeFolder(copy);
  await forgetWorktree(root, copy, git);
  await gitClone({ from: root, to: join(repository.beside, "clone") }, git);
}

/** Makes git read a file: its size or only its time differs from the index. */
function touch(path = "a.ts", how: "size" | "time" = "size"): void {
  if (how === "size") repository.write(path, "export const a = 1;\nexport const more = 2;\n");
  else utimesSync(join(repository.root, path), 1, 1);
}

/** Names that some ways to set a configuration cannot represent. */
const driverNames = [
  "x",
  "x=y",
  "=",
  "a.b",
  "a b",
  'quo"te',
  "back\\slash",
  "ü",
  "x.clean",
  "unspecified",
  "-",
  "#",
  "]",
];

describe("row 1: no filter of an untrusted workspace runs", () => {
  for (const name of driverNames) {
    test(`the filter driver ${JSON.stringify(name)} does not run`, async () => {
      for (const variable of ["clean", "smudge", "process"]) {
        repository.configure(
          `[filter ${inGitConfig(name)}]\n${variable} = ${inGitConfig(repository.command(variable))}`,
        );
      }
      repository.configure(`[filter ${inGitConfig(name)}]\nrequired = true`);
      // An attribute's value cannot contain blanks, so these drivers apply to no file.
      const isNamed = !/[\s"\\]/.test(name);
      repository.write(".gitattributes", isNamed ? `* filter=${name}\n` : "");
      touch();
      await (name === "x=y" ? callAll : compareAll)(repository.root);
      expect(repository.ran).toEqual([]);
      expect(await changeIn(repository.root)).toEqual(
        isNamed ? { changed: [], skipped: ["a.ts: git-filter"] } : { changed: ["a.ts"], skipped: [] },
      );
      repository.tryGit("diff");
      expect(repository.ran.length > 0).toBe(isNamed);
    });
  }

  const places: Readonly<Record<string, (filter: string) => void>> = {
    "in a file that the configuration includes"(filter) {
      repository.write("settings", filter);
      repository.configure("[include]\npath = ../settings");
    },
    "in a file that is included for this folder"(filter) {
      repository.write("settings", filter);
      repository.configure(
        '[includeIf "gitdir:work/**"]\npath = ../settings\n[includeIf "gitdir/i:**"]\npath = ../settings',
      );
    },
    "in a file that is included on this branch"(filter) {
      repository.write("settings", filter);
      repository.configure('[includeIf "onbranch:ma*"]\npath = ../settings');
    },
    "in the configuration of a work tree"(filter) {
      repository.configure("[core]\nrepositoryFormatVersion = 1\n[extensions]\nworktreeConfig = true");
      repository.write(".git/config.worktree", filter);
    },
    "in the user's own configuration"(filter) {
      writeFileSync(join(repository.beside, ".gitconfig"), filter);
    },
    "in the environment"(filter) {
      const value = /clean = "(.*)"/.exec(filter)?.[1] ?? "";
      Object.assign(process.env, {
        GIT_CONFIG_COUNT: "1",
        GIT_CONFIG_KEY_0: "filter.x=y.clean",
        GIT_CONFIG_VALUE_0: value,
      });
    },
    "in the parameters of another git"(filter) {
      const value = /clean = "(.*)"/.exec(filter)?.[1] ?? "";
      process.env["GIT_CONFIG_PARAMETERS"] = `'filter.x=y.clean'='${value.replaceAll("'", "'\\''")}'`;
    },
    "hidden from `git config` by GIT_CONFIG"(filter) {
      repository.configure(filter);
      process.env["GIT_CONFIG"] = "/dev/null";
    },
  };
  for (const [place, plant] of Object.entries(places)) {
    test(`a filter driver ${place} does not run`, async () => {
      plant(`[filter "x=y"]\nclean = "${repository.command("clean")}"\nrequired = true\n`);
      repository.write(".gitattributes", "*.ts filter=x=y\n");
      touch();
      await compareAll(repository.root);
      expect(repository.ran).toEqual([]);
      expect(await changeIn(repository.root)).toEqual({ changed: [], skipped: ["a.ts: git-filter"] });
    });
  }

  const attributes: Readonly<Record<string, (line: string) => void>> = {
    ".gitattributes of a folder": (line) => repository.write("deep/.gitattributes", line),
    ".git/info/attributes": (line) => repository.write(".git/info/attributes", line),
    "core.attributesFile"(line) {
      repository.write("rules", line);
      repository.configure("[core]\nattributesFile = rules");
    },
    "the user's own attributes"(line) {
      mkdirSync(join(repository.beside, "config/git"), { recursive: true });
      writeFileSync(join(repository.beside, "config/git/attributes"), line);
    },
    "a macro"(line) {
      repository.write(".gitattributes", `[attr]stored filter=x\n${line.replace("filter=x", "stored")}`);
    },
  };
  for (const [place, write] of Object.entries(attributes)) {
    test.each(["size", "time"] as const)(
      `a filter from ${place} does not run for a file whose %s differs`,
      async (how) => {
        repository.commit({ "deep/b.ts": "export const b = 1;\n", "c.ts": "export const c = 1;\n" });
        repository.configure(`[filter "x"]\nclean = ${inGitConfig(repository.command("clean"))}`);
        write("b.ts filter=x\n");
        for (const path of ["deep/b.ts", "c.ts"]) touch(path, how);
        await compareAll(repository.root);
        expect(repository.ran).toEqual([]);
        // A file with the same bytes is unchanged whatever its filter does.
        const differing = { changed: ["c.ts"], skipped: ["deep/b.ts: git-filter"] };
        expect(await changeIn(repository.root)).toEqual(how === "size" ? differing : { changed: [], skipped: [] });
      },
    );
  }

  test("new, removed and staged files are reported without running a filter", async () => {
    repository.commit({ "b.ts": "export const b = 1;\n", "c.ts": "export const c = 1;\n" });
    repository.write("b.ts", "export const b = 2;\n");
    repository.git("add", "--all");
    repository.configure(`[filter "x"]\nclean = ${inGitConfig(repository.command("clean"))}`);
    repository.write(".git/info/attributes", "*.ts filter=x\n");
    repository.write("new.ts", "export const n = 1;\n");
    rmSync(join(repository.root, "c.ts"));
    expect(await changeIn(repository.root)).toEqual({ changed: ["c.ts", "new.ts"], skipped: ["b.ts: git-filter"] });
    expect(await changeIn(repository.root, {}, { kind: "staged" })).toEqual({ changed: ["b.ts"], skipped: [] });
    expect(repository.ran).toEqual([]);
  });

  test("the diff contains a changed file without a filter and omits those with one", async () => {
    repository.commit({ "b.ts": "export const b = 1;\n", "o*o.ts": "1\n" });
    repository.configure(`[filter "x"]\nclean = ${inGitConfig(repository.command("clean"))}`);
    repository.write(".gitattributes", "a.ts filter=x\no*.ts filter=x\nc.ts filter\nd.ts -filter\n");
    for (const path of ["a.ts", "b.ts", "o*o.ts"]) touch(path);
    const diff = await gitDiff(repository.root);
    expect(diff.kind === "answer" && diff.value.match(/^diff --git .*$/gm)).toEqual(["diff --git a/b.ts b/b.ts"]);
    expect(repository.ran).toEqual([]);
  });

  test("a filter driver with any name does not run", async () => {
    let tried = 0;
    const name = fc.string({ unit: "grapheme", minLength: 1, maxLength: 8 }).filter((one) => !/[\n\r\0]/.test(one));
    await fc.assert(
      fc.asyncProperty(name, async (name) => {
        const config = readFileSync(join(repository.root, ".git/config"), "utf8");
        repository.configure(`[filter ${inGitConfig(name)}]\nclean = ${inGitConfig(repository.command("clean"))}`);
        repository.write(".git/info/attributes", `* filter=${name}\n`);
        touch();
        repository.forget();
        await gitDiff(repository.root);
        expect(repository.ran).toEqual([]);
        await changeIn(repository.root);
        expect(repository.ran).toEqual([]);
        repository.tryGit("diff", "--raw");
        tried += repository.ran.length;
        writeFileSync(join(repository.root, ".git/config"), config);
      }),
      { numRuns: 15 },
    );
    expect(tried).toBeGreaterThan(5);
  });
});

describe("row 1: in a trusted workspace filters run as in git", () => {
  const trusted = { isTrusted: true };

  test("filters run and other programs do not", async () => {
    repository.configure(`[filter "x=y"]\nclean = ${inGitConfig(repository.command("clean", "sed s/more/less/"))}`);
    repository.configure(`[core]\nfsmonitor = ${inGitConfig(repository.command("fsmonitor"))}`);
    repository.write(".git/info/attributes", "* filter=x=y\n");
    touch();
    expect(await changeIn(repository.root, trusted)).toEqual({ changed: ["a.ts"], skipped: [] });
    expect(repository.ran).toEqual(["clean"]);
    const diff = await gitDiff(repository.root, trusted);
    expect(diff.kind === "answer" && diff.value).toContain("+export const less = 2;");
  });

  test("a file that equals the filtered form of the stored one is unchanged", async () => {
    repository.configure(`[filter "x"]\nclean = ${inGitConfig(repository.command("clean", "sed s/2/1/"))}`);
    repository.write(".git/info/attributes", "* filter=x\n");
    repository.write("a.ts", "export const a = 2;\n");
    expect(await changeIn(repository.root, trusted)).toEqual({ changed: [], skipped: [] });
    expect(await changeIn(repository.root)).toEqual({ changed: [], skipped: ["a.ts: git-filter"] });
  });
});

test.each([
  ["x", "a.ts filter=x\n"],
  ["x=y", "*.ts filter=x=y\n"],
  ["ü", "* filter=ü\n"],
])(
  "row 1: the filter %s runs for a commit on a new branch only with trust, and none is made without",
  async (name, line) => {
    repository.configure(`[filter "${name}"]\nclean = ${inGitConfig(repository.command("clean", "sed s/2/1/"))}`);
    repository.write(".git/info/attributes", line);
    repository.configure("[user]\nname = Test\nemail = test@example.org");
    const commit = { branch: "made", message: "made", files: new Map([["a.ts", "export const a = 2;\n"]]) };
    expect(await commitOnNewBranch(repository.root, commit)).toMatchObject({
      kind: "failed",
      message: expect.stringContaining("--trust"),
    });
    expect(repository.ran).toEqual([]);
    expect(await gitBranchState(repository.root, "made")).toEqual({ kind: "answer", value: "free" });
    expect(await commitOnNewBranch(repository.root, commit, { isTrusted: true })).toMatchObject({ kind: "answer" });
    expect(repository.ran).toEqual(["clean"]);
    expect(repository.git("show", "made:a.ts")).toBe("export const a = 1;\n");
  },
);

describe("row 1: an unchanged repository of Git LFS shows no change", () => {
  /** Stores `.ts` files as pointers and their texts in a folder of `.git`, like git-lfs. */
  const clean =
    'mkdir -p .git/lfs; f=$(mktemp); cat > "$f"; id=$(sha256sum "$f" | cut -d" " -f1); cp "$f" .git/lfs/$id; printf "version https://git-lfs.github.com/spec/v1\\noid sha256:$id\\n"';
  const smudge = 'id=$(sed -n "s/^oid sha256://p"); cat .git/lfs/$id';

  beforeEach(() => {
    repository.configure(`[filter "lfs"]\nclean = ${inGitConfig(repository.command("clean", clean))}`);
    repository.configure(`smudge = ${inGitConfig(repository.command("smudge", smudge))}\nrequired = true`);
    repository.commit({
      ".gitattributes": "b.ts filter=lfs diff=lfs merge=lfs -text\n",
      "b.ts": "export const b = 1;\n",
    });
    expect(repository.git("cat-file", "-p", "HEAD:b.ts")).toMatch(/^version https:\/\/git-lfs/);
    repository.forget();
  });

  test("a file with a new time and the same bytes is unchanged", async () => {
    const none = { changed: [], skipped: [] };
    const noDiff = { kind: "answer", value: "" };
    expect(await changeIn(repository.root)).toEqual(none);
    expect(await gitDiff(repository.root)).toEqual(noDiff);
    touch("b.ts", "time");
    expect(await changeIn(repository.root)).toEqual({ changed: [], skipped: ["b.ts: git-filter"] });
    expect(await gitDiff(repository.root)).toEqual(noDiff);
    expect(repository.ran).toEqual([]);
    expect(await changeIn(repository.root, { isTrusted: true })).toEqual(none);
    expect(await gitDiff(repository.root, { isTrusted: true })).toEqual(noDiff);
    expect(repository.ran).toEqual(["clean"]);
  });

  test("an untrusted clone contains pointers and shows no change", async () => {
    const one = join(repository.beside, "one");
    expect(await gitClone({ from: repository.root, to: one })).toMatchObject({ kind: "answer" });
    expect(readFileSync(join(one, "b.ts"), "utf8")).toMatch(/^version https:\/\/git-lfs/);
    expect(await changeIn(one)).toEqual({ changed: [], skipped: [] });
    expect(repository.ran).toEqual([]);
  });
});

describe("row 1: other programs that a repository names do not run", () => {
  /** How each program is planted, and a git command of a user that runs it. */
  const plants: Readonly<Record<string, { readonly plant: () => void; readonly spring: () => void }>> = {
    textconv: {
      plant() {
        repository.configure(`[diff "x"]\ntextconv = ${inGitConfig(`${repository.command("ran")} #`)}`);
        repository.write(".gitattributes", "* diff=x\n");
      },
      spring: () => repository.tryGit("diff"),
    },
    "an external diff": {
      plant: () => repository.configure(`[diff]\nexternal = ${inGitConfig(repository.command("ran"))}`),
      spring: () => repository.tryGit("diff"),
    },
    "an external diff of a driver": {
      plant() {
        repository.configure(`[diff "x"]\ncommand = ${inGitConfig(repository.command("ran"))}`);
        repository.write(".gitattributes", "* diff=x\n");
      },
      spring: () => repository.tryGit("diff"),
    },
    "an external diff of the environment": {
      plant: () => void Object.assign(process.env, { GIT_EXTERNAL_DIFF: repository.command("ran") }),
      spring: () => void execFileSync("git", ["diff"], { cwd: repository.root, stdio: "ignore" }),
    },
    "a merge driver": {
      plant() {
        repository.configure(`[merge "x"]\ndriver = ${inGitConfig(repository.command("ran"))}`);
        repository.write(".git/info/attributes", "* merge=x\n");
        repository.git("branch", "side");
        repository.commit({ "a.ts": "export const a = 2;\n" });
        repository.git("checkout", "--quiet", "side");
        repository.commit({ "a.ts": "export const a = 3;\n" });
      },
      spring: () => repository.tryGit("merge", "main"),
    },
    "core.fsmonitor": {
      plant: () => repository.configure(`[core]\nfsmonitor = ${inGitConfig(repository.command("ran"))}`),
      spring: () => repository.tryGit("status"),
    },
    "core.pager and pager.diff": {
      plant: () =>
        repository.configure(
          `[core]\npager = ${inGitConfig(repository.command("ran"))}\n[pager]\ndiff = ${inGitConfig(repository.command("ran"))}`,
        ),
      spring: () =>
        void execFileSync("script", ["-qec", "git diff", "/dev/null"], { cwd: repository.root, stdio: "ignore" }),
    },
    "hooks in .git": {
      plant() {
        for (const name of ["post-checkout", "post-index-change", "reference-transaction", "pre-commit"]) {
          repository.write(`.git/hooks/${name}`, `#!/bin/sh\n${repository.command("ran")}\n`);
          chmodSync(join(repository.root, ".git/hooks", name), 0o755);
        }
      },
      spring: () => repository.tryGit("branch", "other"),
    },
    "core.hooksPath": {
      plant() {
        repository.write("hooks/reference-transaction", `#!/bin/sh\n${repository.command("ran")}\n`);
        chmodSync(join(repository.root, "hooks/reference-transaction"), 0o755);
        repository.configure("[core]\nhooksPath = hooks");
      },
      spring: () => repository.tryGit("branch", "other"),
    },
    "gpg.program": {
      plant: () =>
        repository.configure(
          `[gpg]\nprogram = ${inGitConfig(repository.program("ran"))}\n[commit]\ngpgSign = true\n[log]\nshowSignature = true`,
        ),
      spring: () => repository.tryGit("commit", "--all", "--message=signed"),
    },
    "core.sshCommand, where an object is missing": partial(
      "ssh://example.invalid/x",
      (command) => `[core]\nsshCommand = ${command}`,
    ),
    "core.sshCommand, where the remote has a short address": partial(
      "example.invalid:x",
      (command) => `[core]\nsshCommand = ${command}`,
    ),
    "remote.N.uploadpack, where an object is missing": partial("../none.git", (command) => `uploadpack = ${command}`),
    "protocol.ext.allow, where an object is missing": partial("EXT", () => '[protocol "ext"]\nallow = always'),
    "a credential helper, where an object is missing": {
      plant: () =>
        repository.configure(
          `[credential]\nhelper = ${inGitConfig(`!${repository.command("ran")}`)}\n[core]\naskPass = ${inGitConfig(repository.program("ran"))}`,
        ),
      spring: () =>
        void execFileSync("git", ["credential", "fill"], {
          ...{ cwd: repository.root, env: { ...repository.environment, GIT_TERMINAL_PROMPT: "0" } },
          ...{ input: "protocol=https\nhost=example.invalid\n\n", stdio: ["pipe", "ignore", "ignore"] },
        }),
    },
    "uploadpack.packObjectsHook": {
      plant: () => repository.configure(`[uploadpack]\npackObjectsHook = ${inGitConfig(repository.command("ran"))}`),
      // Git reads this setting from the user's own configuration only.
      spring: () => void execFileSync(repository.program("ran"), { input: "" }),
    },
    aliases: {
      plant() {
        for (const name of ["diff", "status", "ls-files", "config", "touch"]) {
          repository.configure(`[alias]\n${name} = ${inGitConfig(`!${repository.command("ran")}`)}`);
        }
      },
      spring: () => repository.tryGit("touch"),
    },
    "the filter of a submodule": {
      plant() {
        const other = new PlantedRepository();
        repository.git("-c", "protocol.file.allow=always", "submodule", "--quiet", "add", other.root, "sub");
        other[Symbol.dispose]();
        repository.git("commit", "--quiet", "--message=submodule");
        appendFileSync(
          join(repository.root, ".git/modules/sub/config"),
          `[filter "x=y"]\nclean = ${inGitConfig(repository.command("ran"))}\n`,
        );
        repository.configure("[diff]\nsubmodule = diff\n[status]\nsubmoduleSummary = true");
        repository.write("sub/.gitattributes", "* filter=x=y\n");
        touch("sub/a.ts");
      },
      spring: () => repository.tryGit("diff", "--submodule=diff"),
    },
  };

  /** A partial clone whose remote names a program. */
  function partial(url: string, program: (command: string) => string) {
    return {
      plant() {
        // The program must not wait for the input of a fetch.
        const command = inGitConfig(repository.command("ran", "exit 1"));
        const place = url === "EXT" ? `ext::${repository.program("ran", "exit 1").replaceAll(" ", "% ")}` : url;
        repository.configure("[core]\nrepositoryFormatVersion = 1\n[extensions]\npartialClone = origin");
        repository.configure(`[remote "origin"]\nurl = ${place}\npromisor = true\n${program(command)}`);
        const id = repository.git("rev-parse", "HEAD:a.ts").trim();
        rmSync(join(repository.root, ".git/objects", id.slice(0, 2), id.slice(2)));
      },
      spring: () => repository.tryGit("cat-file", "-p", "HEAD:a.ts"),
    };
  }

  for (const [name, { plant, spring }] of Object.entries(plants)) {
    test(name, async () => {
      plant();
      touch();
      repository.forget();
      await callAll(repository.root);
      expect(repository.ran).toEqual([]);
      await compareAll(repository.root, { isTrusted: true });
      expect(repository.ran).toEqual([]);
      try {
        spring();
      } catch {
        // Only whether its program ran is of interest.
      }
      expect(repository.ran).toEqual(["ran"]);
    });
  }
});

describe("row 1: a bare repository in a folder of the workspace is not used", () => {
  /**
   * A folder that git takes for a repository and that an ordinary clone may contain; its work tree
   * is the folder around it.
   */
  function plantBare(folder: string, workTree: string): void {
    repository.write(`${folder}/HEAD`, "ref: refs/heads/main\n");
    mkdirSync(join(repository.root, folder, "refs"));
    execFileSync("cp", ["-r", join(repository.root, ".git/objects"), join(repository.root, folder, "objects")]);
    repository.write(`${folder}/refs/heads/main`, repository.git("rev-parse", "HEAD"));
    const filter = `[filter "x=y"]\nclean = ${inGitConfig(repository.command("clean"))}`;
    const monitor = `fsmonitor = ${inGitConfig(repository.command("fsmonitor"))}`;
    repository.write(
      `${folder}/config`,
      `[core]\nrepositoryFormatVersion = 0\nbare = false\nworktree = ${workTree}\n${monitor}\n${filter}\n`,
    );
    repository.write(`${folder}/a.ts`, "export const a = 3;\n");
    repository.write(`${folder}/.gitattributes`, "* filter=x=y\n");
    execFileSync("cp", [join(repository.root, ".git/index"), join(repository.root, folder, "index")]);
  }

  test.each([
    ["sub", "sub", "."],
    ["sub", "sub/deep", "."],
    ["sub/deep", "sub/deep", ".."],
  ])(
    "no program runs for a bare repository in %s, when the call is made in %s and the work tree is %s",
    async (folder, folderOfCall, workTree) => {
      plantBare(folder, workTree);
      repository.write(`${folderOfCall}/x.ts`, "export const x = 1;\n");
      const root = join(repository.root, folderOfCall);
      await callAll(root);
      await compareAll(root, { isTrusted: true });
      expect(repository.ran).toEqual([]);
      expect(await gitFolderKind(root)).toEqual({ kind: "answer", value: "bare" });
      expect(await gitTracked(root)).toEqual({ kind: "bare-repository" });
      repository.tryGit("-C", folderOfCall, "status");
      expect(repository.ran).toContain("fsmonitor");
    },
  );
});

describe("row 1: with an older git that lacks a setting", () => {
  /**
   * A git that reports an older version and ignores the settings which that version does not
   * support.
   */
  function olderGit(version: string, without: string): GitOptions {
    const program = join(repository.beside, "older-git");
    const versionCheck = `[ "$1" = --no-optional-locks ] || exit 3\nfor word; do [ "$word" = version ] && echo 'git version ${version}' && exit; done`;
    const args =
      'n=$#; while [ $n -gt 0 ]; do case "$1" in safe.bare*) set -- "$@" x.y=z;; *) set -- "$@" "$1";; esac; shift; n=$((n-1)); done';
    writeFileSync(program, `#!/bin/sh\n${versionCheck}\n${without}\n${args}\nexec git "$@"\n`);
    chmodSync(program, 0o755);
    return { program };
  }

  test("git 2.30, which reads no variables, gets filters disabled by arguments", async () => {
    const git = olderGit("2.30.2", "unset GIT_CONFIG_COUNT");
    repository.configure(`[filter "x"]\nclean = ${inGitConfig(repository.command("clean"))}\nrequired = true`);
    repository.write(".gitattributes", "* filter=x\n");
    touch();
    await callAll(repository.root, git);
    expect(repository.ran).toEqual([]);
    expect(await changeIn(repository.root, git)).toEqual({ changed: [], skipped: ["a.ts: git-filter"] });
  });

  test("git 2.30 is not called when arguments cannot disable a driver", async () => {
    const git = olderGit("2.30.2", "unset GIT_CONFIG_COUNT");
    repository.configure(`[filter "x=y"]\nclean = ${inGitConfig(repository.command("clean"))}`);
    repository.write(".gitattributes", "* filter=x=y\n");
    touch();
    await callAll(repository.root, git);
    expect(repository.ran).toEqual([]);
    expect(await gitDiff(repository.root, git)).toMatchObject({
      kind: "failed",
      message: expect.stringContaining("2.31"),
    });
  });

  test("git 2.34 is not called in a folder that it takes for a bare repository", async () => {
    const git = olderGit("2.34.1", "");
    repository.git("clone", "--quiet", "--bare", ".", "sub");
    appendFileSync(
      join(repository.root, "sub/config"),
      `[core]\nrepositoryFormatVersion = 0\nbare = false\nworktree = .\n[filter "x=y"]\nclean = ${inGitConfig(repository.command("clean"))}\n`,
    );
    repository.write("sub/.gitattributes", "* filter=x=y\n");
    await callAll(join(repository.root, "sub"), git);
    expect(repository.ran).toEqual([]);
    expect(await gitTracked(join(repository.root, "sub"), git)).toEqual({ kind: "bare-repository" });
    expect(await gitTracked(repository.root, git)).toEqual({ kind: "answer", value: new Set(["a.ts"]) });
  });
});
