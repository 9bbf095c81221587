import { symlinkSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, onTestFinished, test } from "vitest";
import type { ImpactJson } from "../../analysis/index.ts";
import { type FilesToWrite, GitRepository } from "../fixtures/git-repository.ts";
import { buildPackage, runCli } from "../fixtures/run-cli.ts";
import { runAtTerminal } from "../fixtures/test-terminal.ts";

beforeAll(buildPackage, 180_000);

function repositoryOf(files: FilesToWrite): GitRepository {
  const repository = GitRepository.of(files);
  onTestFinished(() => repository.remove());
  return repository;
}

function run(repository: GitRepository, line = "", options: { readonly input?: string } = {}) {
  const args = ["impact", ...line.split(" ").filter((word) => word !== "")];
  return runAtTerminal(args, { workingFolder: repository.folder, ...options });
}

async function json(repository: GitRepository, line = "", options: { readonly input?: string } = {}) {
  const { out, err, exitCode } = await run(repository, `${line} --json`, options);
  expect([err, exitCode]).toEqual(["", 0]);
  return JSON.parse(out) as ImpactJson;
}

/** The blocks that stand so, as `path kind name`. */
function blocks(report: ImpactJson, status: "to-do" | "touched" | "possible"): string[] {
  const found = report.affected.filter((one) => one.status === status);
  return found.map(({ block: { path, kind, name } }) => `${path} ${kind} ${name}`).sort();
}

const tsconfig = '{ "compilerOptions": { "strict": true, "module": "esnext", "moduleResolution": "bundler" } }\n';
const add = "export function add(a: number, b: number): number {\n  return a + b;\n}\n";
const addThree = "export function add(a: number, b: number, c: number): number {\n  return a + b + c;\n}\n";
const sum =
  'import { add } from "./add";\n\nexport function sum(list: readonly number[]): number {\n  return list.reduce((a, b) => add(a, b), 0);\n}\n';
const sums = { "tsconfig.json": tsconfig, "src/add.ts": add, "src/sum.ts": sum };

describe("impact of a change", () => {
  test("of a signature: callers are to do, from another package too", async () => {
    const repository = repositoryOf({
      "tsconfig.json": tsconfig,
      "package.json": '{ "name": "all", "private": true, "workspaces": ["packages/*"] }\n',
      "packages/sums/package.json": '{ "name": "@example/sums" }\n',
      "packages/sums/src/index.ts": add,
      "packages/app/package.json": '{ "name": "@example/app" }\n',
      "packages/app/src/main.ts":
        'import { add } from "@example/sums";\n\nexport function main(): number {\n  return add(1, 2);\n}\n',
    });
    repository.write({ "packages/sums/src/index.ts": addThree });
    const report = await json(repository);
    expect(report.changes.map(({ label, words, addedNames }) => [label, words, addedNames])).toEqual([
      ["MMS", "signature changed", ["c"]],
      ["MMB", "body changed", []],
    ]);
    expect(blocks(report, "to-do")).toEqual(["packages/app/src/main.ts function main"]);
    const [main] = report.affected;
    expect(main?.path.map(({ block, words }) => [block.name, words])).toEqual([
      ["add", undefined],
      ["main", "calls"],
    ]);
    expect(main?.block).toMatchObject({ line: 3, column: 17, endLine: 5, endColumn: 2, isGone: false });
    expect(report.coverage.types).toMatchObject({ kind: "checked", optionsFrom: "tsconfig.json", errorsBefore: 0 });
  });

  test("that renames a function: uses of the old name are to do, at their current place", async () => {
    const repository = repositoryOf(sums);
    const moved = `// A remark that moves all that follows.\n${sum}`;
    repository.write({ "src/add.ts": add.replace("add(", "plus("), "src/sum.ts": moved });
    const report = await json(repository);
    expect(report.changes.map(({ words }) => words)).toEqual(["renamed from add"]);
    expect(blocks(report, "to-do")).toEqual(["src/sum.ts function sum", "src/sum.ts import ./add"]);
    expect(report.affected.find(({ block }) => block.kind === "function")?.block.line).toBe(4);
  });

  test("of an interface's member: implementations are to do, also without naming the interface", async () => {
    const shape = "export interface Shape {\n  area(): number;\n}\n";
    const repository = repositoryOf({
      "tsconfig.json": tsconfig,
      "src/shape.ts": `${shape}\nexport function total(shapes: readonly Shape[]): number {\n  return shapes.length;\n}\n`,
      "src/circle.ts":
        'import type { Shape } from "./shape";\n\nexport class Circle implements Shape {\n  area(): number {\n    return 3;\n  }\n}\n',
      "src/literal.ts": 'import { total } from "./shape";\n\nexport const one = total([{ area: () => 1 }]);\n',
    });
    repository.write({
      "src/shape.ts": `${shape.replace("}", "  name: string;\n}")}\nexport function total(shapes: readonly Shape[]): number {\n  return shapes.length;\n}\n`,
    });
    const report = await json(repository);
    expect(report.changes.map(({ words, addedNames }) => [words, addedNames])).toEqual([["changed", ["name"]]]);
    expect(blocks(report, "to-do")).toEqual(["src/circle.ts class Circle", "src/literal.ts variable one"]);
  });

  test("that breaks a statement is reported with its current text", async () => {
    const call = 'import { add } from "./add";\nadd(1, 2);\n';
    const repository = repositoryOf({ "tsconfig.json": tsconfig, "src/add.ts": add, "src/call.ts": call });
    repository.write({ "src/add.ts": addThree });
    const report = await json(repository);
    expect(blocks(report, "to-do")).toEqual(["src/call.ts statement `add(1, 2);`"]);
    expect(report.affected[0]?.block).toMatchObject({ line: 2, endLine: 2, endColumn: 11, isGone: false });
  });

  test("that affects a block over several steps is reported with the way", async () => {
    const step = (index: number) =>
      `import { f${index - 1} } from "./f${index - 1}";\n\nexport function f${index}(a: number): number {\n  return f${index - 1}(a);\n}\n`;
    const steps = [1, 2, 3, 4, 5].map((index) => [`src/f${index}.ts`, step(index)]);
    const first = "export function f0(a: number): number {\n  return a;\n}\n";
    const repository = repositoryOf({ "tsconfig.json": tsconfig, "src/f0.ts": first, ...Object.fromEntries(steps) });
    repository.write({ "src/f0.ts": first.replace("a: number)", "a: number, b: string)") });
    const report = await json(repository);
    const last = report.affected.find(({ block }) => block.name === "f5");
    expect(last?.path.map(({ block }) => block.name)).toEqual(["f0", "f1", "f2", "f3", "f4", "f5"]);
    expect(last?.reasons[0]).toBe(
      "calls function f4, which calls function f3, which calls what by 2 more steps leads to function f0 (signature changed)",
    );
  });

  test("that is complete: affected blocks are reported as done, and nothing is missed", async () => {
    const repository = repositoryOf(sums);
    repository.write({ "src/add.ts": addThree, "src/sum.ts": sum.replace("add(a, b)", "add(a, b, 0)") });
    const report = await json(repository, "--fail-on missed");
    expect(blocks(report, "to-do")).toEqual([]);
    expect(report.affected.filter(({ status }) => status === "touched")).toMatchObject([
      { block: { name: "sum" }, isBroken: false, likelihood: 1 },
    ]);
  });

  test("with type errors is reported as broken", async () => {
    const repository = repositoryOf(sums);
    repository.write({ "src/add.ts": addThree, "src/sum.ts": sum.replace("add(a, b)", "add(b, a)") });
    const report = await json(repository);
    expect(report.affected.find(({ block }) => block.name === "sum")).toMatchObject({
      ...{ status: "touched", isBroken: true },
    });
    const { out } = await run(repository);
    expect(out).toContain("✗ function sum");
  });

  test("on very many blocks is printed by file, each block once, and the rest is counted", async () => {
    const files = Array.from({ length: 30 }, (_, i) => {
      const calls = Array.from({ length: 5 }, (_, j) => `export const f${i}x${j} = (): number => add(${i}, ${j});\n`);
      return [`src/f${i}.ts`, `import { add } from "./add";\n\n${calls.join("\n")}`] as const;
    });
    const repository = repositoryOf({ ...sums, ...Object.fromEntries(files) });
    repository.write({ "src/add.ts": addThree });
    const { out, exitCode } = await runCli(["impact"], { folder: repository.folder });
    expect(exitCode).toBe(0);
    expect(out).toContain("To do: 151 blocks in 31 files likely to be affected, and not changed\n");
    expect(out).toMatch(
      /^ {2}… 111 more blocks in \d+ files, 111 of them refused by the type checker; --all lists them$/m,
    );
    const rows = out.split("\n").filter((row) => /^ {2}(\S+\.ts$| {2}○)/.test(row));
    expect(new Set(rows).size).toBe(rows.length);
    expect(out.split("\n").length).toBeLessThan(70);
  });

  test("in one language affects no others, and reports that", async () => {
    const repository = repositoryOf({
      ...sums,
      "lib/add.py": "def add(a, b):\n    return a + b\n",
      "lib/total.py": "from .add import add\n\n\ndef total(list):\n    return add(list[0], list[1])\n",
    });
    repository.write({ "lib/add.py": "def plus(a, b):\n    return a + b\n" });
    const report = await json(repository);
    expect(report.changes.map(({ words }) => words)).toEqual(["renamed from add"]);
    const removedUses = report.affected.filter(({ signs }) => signs.includes("uses-removed-name"));
    expect(removedUses.map(({ block }) => `${block.path} ${block.kind} ${block.name}`).sort()).toEqual([
      "lib/total.py function total",
      "lib/total.py import .add",
    ]);
    expect(report.coverage.types).toEqual({ kind: "not-needed" });
    const precision = Object.fromEntries(report.coverage.languages.map((one) => [one.language, one.precision]));
    expect(precision).toEqual({ python: "names", typescript: "unchanged", jsonc: "unchanged" });
  });

  test("of formatting is empty", async () => {
    const repository = repositoryOf(sums);
    repository.write({ "src/add.ts": add.replace("  return a + b", "    return a+b") });
    const { out, exitCode } = await run(repository, "--fail-on missed");
    expect([out, exitCode]).toEqual(["Nothing changed in any block between HEAD and the work tree.\n", 0]);
  });

  test("without a configuration, and with a broken file and a cycle beside it", async () => {
    const repository = repositoryOf({
      "src/add.ts": `import "./sum";\n${add}`,
      "src/sum.ts": sum,
      "src/broken.ts": 'import { add } from "./add";\nexport function broken( {\n  return add(1, 2;\n',
    });
    repository.write({ "src/add.ts": `import "./sum";\n${addThree}` });
    const report = await json(repository);
    expect(blocks(report, "to-do")).toContain("src/sum.ts function sum");
    expect(report.coverage.types).toMatchObject({ kind: "checked", errorsBefore: expect.any(Number) });
    expect(report.coverage.types).not.toHaveProperty("optionsFrom");
  });
});

describe("the change that emend impact reads", () => {
  const other = { "src/other.ts": "export const other = 1;\n" };

  test("includes untracked files of the work tree", async () => {
    const repository = repositoryOf(sums);
    repository.write(other);
    const report = await json(repository);
    expect(report.changes.map(({ block, words }) => `${block.name} ${words}`)).toEqual(["other added"]);
  });

  test("is that of the index, in a work tree that has changed since", async () => {
    const repository = repositoryOf(sums);
    repository.write({ "src/add.ts": addThree });
    repository.git("add", "src/add.ts");
    // Not staged: this would take the work away, and break other things.
    repository.write({ "src/add.ts": add, "src/sum.ts": "export const nothing = 1;\n", ...other });
    const report = await json(repository, "--staged");
    expect(report.between).toBe("HEAD and the index");
    expect(blocks(report, "to-do")).toEqual(["src/sum.ts function sum"]);
  });

  test("is a commit against the work tree, two commits, or a branch against its merge base", async () => {
    const repository = repositoryOf(sums);
    repository.git("checkout", "--quiet", "-b", "feature");
    repository.commit({ "src/add.ts": addThree });
    repository.git("checkout", "--quiet", "main");
    repository.commit(other);
    repository.git("merge", "--quiet", "--no-ff", "--message=merge", "feature");
    repository.write({ "src/sum.ts": undefined });
    const labels = async (line: string) => (await json(repository, line)).changes.map(({ label }) => label).join(" ");
    expect(await labels("main~1...feature")).toBe("MMS MMB");
    expect(await labels("main~1..main")).toBe("MMS MMB");
    expect(await labels("main^2..main")).toBe("AV");
    expect(await labels("feature~1")).toBe("MMS MMB AV DI DM");
    // The file is gone in the work tree, and was there between these.
    expect(blocks(await json(repository, "main~1...feature"), "to-do")).toEqual(["src/sum.ts function sum"]);
  });

  test("is a diff from standard input, applied to the current files in a folder without git", async () => {
    const repository = repositoryOf(sums);
    repository.write({ "src/add.ts": addThree });
    const diff = repository.git("diff");
    repository.git("checkout", "--quiet", ".");
    repository.git("mv", "src/add.ts", "src/plus.ts");
    const rename = repository.git("diff", "--cached", "-M");
    repository.git("reset", "--quiet", "--hard");
    expect(blocks(await json(repository, "--diff -", { input: diff }), "to-do")).toEqual(["src/sum.ts function sum"]);
    const moved = await json(repository, "--diff -", { input: rename });
    expect(moved.changes.map(({ words }) => words)).toEqual(["moved from src/add.ts"]);
    expect(blocks(moved, "to-do")).toEqual(["src/sum.ts import ./add"]);
  });

  test("in a folder of a larger repository covers only that folder", async () => {
    const repository = repositoryOf({ "a/x.ts": "export const x = 1;\n", "b/y.ts": "export const y = 1;\n" });
    repository.write({ "a/x.ts": "export const x = 2;\n", "b/y.ts": "export const y = 2;\n" });
    const report = await json(repository, "--workspace a");
    expect(report.changes.map(({ block }) => block.path)).toEqual(["x.ts"]);
  });

  test("reports files that are not read with the reason", async () => {
    const repository = repositoryOf({
      ...sums,
      "src/picture.ts": "// a\n",
      ".env": "KEY=1\n",
      "src/big.ts": "// small\n",
    });
    repository.write({
      ...{ "src/add.ts": addThree, "src/picture.ts": Uint8Array.of(0, 1, 2), ".env": "KEY=2\n" },
      ...{ "src/big.ts": `// ${"x".repeat(1_100_000)}\n` },
    });
    symlinkSync("add.ts", join(repository.folder, "src/link.ts"));
    repository.git("add", "src/link.ts");
    const { skippedChanges } = (await json(repository)).coverage;
    expect(skippedChanges.map(({ path, reason }) => `${path}: ${reason.split(":")[0]}`)).toEqual([
      ".env: secret by its name",
      "src/big.ts: 1100004 bytes, more than 1000000",
      "src/link.ts: link to a path that is not read",
      "src/picture.ts: binary by its content",
    ]);
  });

  test("is refused during an unfinished merge", async () => {
    const repository = repositoryOf(sums);
    repository.git("checkout", "--quiet", "-b", "feature");
    repository.commit({ "src/add.ts": addThree });
    repository.git("checkout", "--quiet", "main");
    repository.commit({ "src/add.ts": add.replace("a + b", "b + a") });
    expect(() => repository.git("merge", "feature")).toThrow();
    const skipped = [{ path: "src/add.ts", reason: "it contains an unresolved merge conflict" }];
    expect((await json(repository)).coverage.skippedChanges).toEqual(skipped);
    expect((await json(repository, "--staged")).coverage.skippedChanges).toEqual(skipped);
  });
});

describe("output", () => {
  test("without types nothing is said to be complete, and --fail-on missed fails", async () => {
    const digit = "type D = 0 | 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9;\n";
    const union = (i: number, n: number) =>
      `export const t${n}: \`${i}.${n}-\${D}\${D}\${D}\${D}\` = "${i}.${n}-0000";\n`;
    const large = (i: number) => digit + [0, 1, 2, 3, 4, 5].map((n) => union(i, n)).join("");
    // No file alone needs more memory than the limit; all of them do.
    const repository = repositoryOf({
      ...sums,
      "emend.config.json": '{ "types": { "maxMemoryMb": 256 } }\n',
      ...Object.fromEntries(Array.from({ length: 24 }, (_, i) => [`src/large${i}.ts`, large(i)])),
    });
    repository.write({ "src/add.ts": addThree });
    const { out, err, exitCode } = await run(repository, "--fail-on missed --trust");
    expect(out).toContain("\nNot known what is to do: what depends on the change was not followed in typescript.\n");
    expect(err).toMatch(/^It is not known whether a block was missed: .*\(types\.maxMemoryMb\).* --workspace, .*\n$/);
    expect(exitCode).toBe(1);
  });

  test("--fail-on missed has its own exit code, and --min-likelihood sets what is missed", async () => {
    const repository = repositoryOf(sums);
    repository.write({ "src/add.ts": addThree });
    expect(await run(repository, "--fail-on missed")).toMatchObject({ exitCode: 11, err: "" });
    expect(await run(repository, "--fail-on missed --min-likelihood 1")).toMatchObject({ exitCode: 0 });
    expect(await run(repository, "--fail-on missed --sarif")).toMatchObject({ exitCode: 11 });
  });

  test("--explain prints all effects on one block", async () => {
    const repository = repositoryOf(sums);
    repository.write({ "src/add.ts": addThree });
    expect((await run(repository, "--explain src/sum.ts:4")).out).toMatchInlineSnapshot(`
      "function sum in src/sum.ts:3
      It is likely to have to change (93 %), and was not changed.
        function add  src/add.ts:1: signature changed
          ↳ function sum  src/sum.ts:3: calls it
        the type checker reports: Expected 3 arguments, but got 2. (2554)
      "
    `);
    expect((await run(repository, "--explain src/add.ts:1")).out).toMatchInlineSnapshot(`
      "function add in src/add.ts:1
      It was changed: signature changed: +c.
      It may affect 1 block:
        ○ 93% function sum  src/sum.ts:3
      It was changed: body changed.
      "
    `);
    expect((await run(repository, "--explain src/add.ts:1 --json")).out).toContain('"kind":"impact-of-block"');
  });

  test("shows progress at a terminal, and erases it", async () => {
    const repository = repositoryOf(sums);
    repository.write({ "src/add.ts": addThree });
    let now = 0;
    const { err } = await runAtTerminal(["impact"], {
      ...{ workingFolder: repository.folder, isWatched: true },
      now: () => (now += 1000),
    });
    expect(err).toContain("Opening the type checker");
    expect(err.endsWith("\r\u001b[K")).toBe(true);
  });

  test("is interrupted by Ctrl-C", async () => {
    const repository = repositoryOf(sums);
    repository.write({ "src/add.ts": addThree });
    const interruption = new AbortController();
    let now = 0;
    const running = runAtTerminal(["impact"], {
      ...{ workingFolder: repository.folder, isWatched: true, signal: interruption.signal },
      now: () => {
        now += 1000;
        if (now > 3000) interruption.abort();
        return now;
      },
    });
    expect(await running).toMatchObject({ exitCode: 130, out: "" });
  });
});

describe("failures contain what to do", () => {
  const diff =
    "--- a/src/add.ts\n+++ b/src/add.ts\n@@ -1,1 +1,1 @@\n-export function nothing() {\n+export function something() {\n";

  test.each([
    ["nowhere", "", "unknown-revision", "Check the name, or fetch it"],
    ["--output=x", "", "usage", "Unknown option"],
    ["main..nowhere", "", "unknown-revision", "no commit called nowhere"],
    ["main...apart", "", "no-merge-base", "fetch-depth: 0"],
    ["main --staged", "", "usage", "Give one change"],
    ["--json --html", "", "usage", "Give one of --json and --html"],
    ["--fail-on everything", "", "usage", "missed"],
    ["--min-likelihood 2", "", "usage", "from 0 to 1"],
    ["--explain src/add.ts", "", "usage", "is not FILE:LINE"],
    ["--explain src/add.ts:900", "", "outside-text", "has 4 lines"],
    ["--explain src/none.ts:1", "", "file-missing", "There is no file src/none.ts"],
    ["--diff -", "hello\n", "bad-diff", "There is no file header"],
    ["--diff -", diff, "diff-mismatch", "the lines that it changes are not in src/add.ts"],
    ["--diff -", diff.replaceAll("add.ts", "none.ts"), "diff-mismatch", "src/none.ts, which is not there"],
    ["--diff missing.diff", "", "file-missing", "missing.diff"],
    ["--workspace missing", "", "file-missing", "There is no folder missing"],
  ])("%s %j", async (line, input, code, message) => {
    const repository = repositoryOf(sums);
    repository.git("checkout", "--quiet", "--orphan", "apart");
    repository.commit({ "README.md": "# Apart\n" });
    repository.git("checkout", "--quiet", "main");
    const { out, err, exitCode } = await run(repository, `${line} --json`, { input });
    expect([exitCode === 0, err]).toEqual([false, ""]);
    expect(JSON.parse(out)).toMatchObject({ kind: "error", code, message: expect.stringContaining(message) });
  });

  test("for a diff that is already applied", async () => {
    const repository = repositoryOf(sums);
    repository.write({ "src/add.ts": addThree });
    const input = repository.git("diff");
    expect((await run(repository, "--diff -", { input })).err).toContain("is applied already in src/add.ts");
  });

  test("for no commit, a bare repository, a folder in .git, and no repository", async () => {
    const repository = repositoryOf({});
    expect((await run(repository)).err).toContain("There is no commit yet");
    repository.commit(sums);
    expect((await run(repository, "--workspace .git")).err).toContain("inside of .git");
    repository.git("clone", "--quiet", "--bare", ".", "bare");
    expect((await run(repository, "--workspace bare")).err).toContain("git worktree add");
    repository.git("checkout", "--quiet", "--detach");
    expect((await run(repository)).exitCode).toBe(0);
    const missing = { workingFolder: repository.folder, environment: {} };
    repository.write({ ".git/config": "[core\n" });
    expect((await runAtTerminal(["impact"], missing)).err).toContain("git could not list the changes");
  });
});
