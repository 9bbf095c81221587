import { execFileSync } from "node:child_process";
import { mkdtempSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { removeFolder } from "../text/node/fixtures/remove-folder.ts";
import { GitRepository } from "./fixtures/git-repository.ts";
import type { CliRun } from "./fixtures/run-cli.ts";
import { runAtTerminal } from "./fixtures/test-terminal.ts";
import { exitCodes } from "./terminal/exit-codes.ts";

let repository: GitRepository;
/** What the person keeps elsewhere: caches, state and settings. */
let own: string;

beforeEach(() => {
  own = mkdtempSync(join(tmpdir(), "emend-own-"));
  repository = GitRepository.of({
    "package.json": '{ "name": "shop" }\n',
    "tsconfig.json": '{ "extends": "./base.json", "compilerOptions": { "strict": true, "types": [] } }\n',
    "src/a.ts":
      'import { zero } from "./zero";\nimport { pipe } from "./pipe";\nimport { b } from "./b";\nexport const all = [zero, pipe, b()];\n',
    "src/b.ts": "export function b(): number {\n  return 1;\n}\n",
  });
  symlinkSync("/dev/zero", join(repository.folder, "src/zero.ts"));
  for (const path of ["src/pipe.ts", "base.json", ".emendignore", "src/lone.py"]) {
    execFileSync("mkfifo", [join(repository.folder, path)]);
  }
  repository.write({ "src/b.ts": "export function b(name: string): number {\n  return 1;\n}\n" });
  vi.stubEnv("XDG_CONFIG_HOME", join(own, "config"));
});
afterEach(() => {
  vi.unstubAllEnvs();
  repository.remove();
  removeFolder(own);
});

function run(...args: readonly string[]): Promise<CliRun> {
  const environment = { EMEND_STATE_DIR: join(own, "state"), EMEND_CACHE_DIR: join(own, "cache") };
  return runAtTerminal(args, { workingFolder: repository.folder, environment });
}

describe.runIf(process.platform === "linux")("row 8: every command answers beside pipes and devices", () => {
  test("impact, with types, and with the reasons for what is left out", async () => {
    const { exitCode, out } = await run("impact", "--json");
    expect(exitCode).toBe(0);
    const report = JSON.parse(out);
    expect(report.coverage.types.kind).toBe("checked");
    expect(out).toContain("src/a.ts");
    const skipped = report.coverage.skipped as readonly {
      readonly reason: string;
      readonly examples: readonly string[];
    }[];
    expect(skipped.find(({ reason }) => reason === "special")?.examples).toEqual(
      expect.arrayContaining([".emendignore", "base.json"]),
    );
  }, 30_000);

  test.each<[command: string, args: readonly string[], code?: number]>([
    ["next", ["next"]],
    ["complete", ["complete", "src/b.ts:2:10", "--no-cache"]],
    ["learn", ["learn"]],
    ["status", ["status"]],
    ["plan", ["plan", "--dry-run"], exitCodes.obligations],
    ["edit", ["edit", "src/b.ts", "-m", "x", "--prompt"]],
  ])(
    "%s",
    async (_, args, code = 0) => {
      const { exitCode, err } = await run(...args);
      expect([exitCode, err]).toEqual([code, expect.not.stringContaining("Internal")]);
    },
    30_000,
  );

  test.each<[command: string, args: readonly string[]]>([
    ["complete", ["complete", "src/pipe.ts:1:1"]],
    ["check", ["check", "src/zero.ts"]],
    ["edit", ["edit", "src/pipe.ts", "-m", "x"]],
    ["edit --read", ["edit", "src/b.ts", "--read", "src/pipe.ts", "-m", "x"]],
    ["fill", ["fill", "src/pipe.ts", "--at", "1:1"]],
  ])("%s of a pipe or a device says why not", async (_, args) => {
    const { exitCode, err } = await run(...args);
    expect(exitCode).toBe(3);
    expect(err).toMatch(/neither a file nor a folder/);
  });

  test.each(["emend.config.json", "emend.config.ts"])("%s that is a pipe is reported as unreadable", async (name) => {
    execFileSync("mkfifo", [join(repository.folder, name)]);
    const { exitCode, out, err } = await run("config", "--trust");
    expect(exitCode).not.toBe(null);
    expect(out + err).toContain(`${name} cannot be read: special file.`);
  });

  test("a named file may be a pipe, as with <(git diff)", async () => {
    const diff = repository.git("diff");
    const pipe = join(repository.folder, ".git/diff");
    execFileSync("mkfifo", [pipe]);
    const answering = run("impact", "--diff", pipe, "--json");
    const { writeFile } = await import("node:fs/promises");
    await writeFile(pipe, diff.replaceAll("name: string", "other: string"));
    const { out, err } = await answering;
    expect(out + err).toContain("src/b.ts");
  }, 30_000);
});
