import { type ChildProcess, execFile, spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { afterEach, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { removeFolder } from "../text/node/fixtures/remove-folder.ts";
import { buildPackage, main, repository } from "./fixtures/run-cli.ts";

// The owner of a process is killed here as a system does it: with its whole group, or so that it
// can do nothing more.
const isPosix = process.platform !== "win32";

const owners: ChildProcess[] = [];

beforeAll(buildPackage, 300_000);
afterEach(() => {
  for (const owner of owners.splice(0)) owner.kill("SIGKILL");
});

/**
 * A folder with files, gone after the test. Its name is in the command line of every checker that
 * works in it.
 */
function folderOf(files: Readonly<Record<string, string>>): string {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "emend-owned-")));
  onTestFinished(() => removeFolder(root));
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  return root;
}

/** The processes whose command line or environment names a folder or a mark. */
async function processesNaming(mark: string): Promise<readonly string[]> {
  const { stdout } = await promisify(execFile)("ps", ["-A", "-o", "pid=,args="], { maxBuffer: 2 ** 26 });
  return stdout.split("\n").filter((line) => line.includes(mark) && !line.includes(" ps "));
}

/** Starts Node on a module that has the built package at hand, in a process group of its own. */
function startOwner(root: string, code: string): ChildProcess {
  const module = join(root, "owner.mjs");
  const analysis = pathToFileURL(join(repository, "dist/analysis/node/typescript-service.js")).href;
  const edit = pathToFileURL(join(repository, "dist/edit/node/index.js")).href;
  writeFileSync(
    module,
    `import * as analysis from ${JSON.stringify(analysis)};\nimport * as edit from ${JSON.stringify(edit)};\n${code}`,
  );
  const owner = spawn(process.execPath, [module], { stdio: "ignore", detached: true });
  owners.push(owner);
  return owner;
}

/** What each owner has running when it is killed. The mark `ROOT` is its folder. */
const works: readonly (readonly [what: string, code: string])[] = [
  [
    "a checker that starts",
    `new analysis.TypeScriptService({ root: "ROOT" }).snapshot(); setInterval(() => {}, 1000);`,
  ],
  [
    "a checker that has answered and waits",
    `const service = new analysis.TypeScriptService({ root: "ROOT" });
     await service.openProjects(["ROOT/tsconfig.json"]); setInterval(() => {}, 1000);`,
  ],
  [
    "a checker that is busy and does not hear a SIGTERM",
    `const service = new analysis.TypeScriptService({ root: "ROOT" });
     await service.update(new Map([["ROOT/src/a.ts", "a<\n".repeat(2_000)]]));
     await service.openProjects(["ROOT/tsconfig.json"]);`,
  ],
  [
    "a checker, and is blocked itself",
    `const service = new analysis.TypeScriptService({ root: "ROOT" });
     await service.openProjects(["ROOT/tsconfig.json"]);
     void service.typeErrors("ROOT/tsconfig.json", ["ROOT/src/a.ts"]); for (;;);`,
  ],
  [
    "a verification command that ignores signals, and its child",
    `await edit.runProgram({
       command: { line: "trap '' TERM INT HUP; (sleep 600; : ROOT) & sleep 600; : ROOT" },
       ...{ folder: "ROOT", timeoutMs: 600_000, maxBytes: 1000, keeps: "tail" },
     });`,
  ],
];

describe.skipIf(!isPosix)("row 17: no process survives an owner that is killed with", () => {
  test.each(works)("%s", { timeout: 60_000 }, async (_, code) => {
    const project = { compilerOptions: { types: [] }, include: ["src"] };
    const files = { "tsconfig.json": JSON.stringify(project), "src/a.ts": "export const a: string = 1;\n" };
    const moments = [20, 90, 160, 240, 350, 500, 700, 1_000];
    for (const moment of moments) {
      const root = folderOf(files);
      const owner = startOwner(root, code.replaceAll("ROOT", root));
      await wait(moment * (0.8 + Math.random() * 0.4));
      owner.kill("SIGKILL");
      await expect.poll(() => processesNaming(root), { timeout: 1_000, interval: 50 }).toEqual([]);
    }
  });

  test("row 17: a running type checker ends with its owner", { timeout: 60_000 }, async () => {
    const root = folderOf({ "tsconfig.json": "{}", "src/a.ts": "a<".repeat(20_000) });
    const owner = startOwner(
      root,
      `await new analysis.TypeScriptService({ root: ${JSON.stringify(root)} }).openProjects([${JSON.stringify(`${root}/tsconfig.json`)}]);`,
    );
    await expect.poll(() => processesNaming(`--cwd ${root}`), { timeout: 20_000 }).not.toEqual([]);
    await wait(1_000);
    owner.kill("SIGKILL");
    await expect.poll(() => processesNaming(root), { timeout: 1_000, interval: 50 }).toEqual([]);
  });
});

/**
 * Runs a command in a process group of its own, as a terminal does, and sends the whole group a
 * signal while a checker is at work.
 */
async function interrupted(root: string, args: readonly string[], name: NodeJS.Signals) {
  const kept = folderOf({});
  const child = spawn(process.execPath, [main, ...args], {
    ...{ cwd: root, detached: true, stdio: ["ignore", "pipe", "pipe"] },
    env: { ...process.env, EMEND_CACHE_DIR: join(kept, "cache"), EMEND_STATE_DIR: join(kept, "state") },
  });
  owners.push(child);
  let err = "";
  child.stderr!.setEncoding("utf8").on("data", (text: string) => {
    err += text;
  });
  child.stdout!.resume();
  const ended = new Promise<number | null>((resolve) => child.on("close", resolve));
  // A plan is carried out in a copy, which lies in the cache folder.
  const checkers = async () => [
    ...(await processesNaming(`--cwd ${root}`)),
    ...(await processesNaming(`--cwd ${kept}`)),
  ];
  const isAtWork = async () => child.exitCode !== null || (await checkers()).length > 0;
  await expect.poll(isAtWork, { timeout: 30_000, interval: 20 }).toBe(true);
  expect(child.exitCode, `${args[0]} ended before a checker was at work: ${err}`).toBeNull();
  await wait(200);
  process.kill(-child.pid!, name);
  const exitCode = await ended;
  // On a busy machine the checker is still listed when its owner has just ended.
  await expect.poll(checkers, { timeout: 1_000, interval: 50 }).toEqual([]);
  return { exitCode, err };
}

describe.skipIf(!isPosix)("row 43: a signal to the process group during a type check prints one line with", () => {
  const diff =
    '--- a/src/b.ts\n+++ b/src/b.ts\n@@ -1,2 +1,2 @@\n import "./slow";\n-export const b = 1;\n+export const b = 2;\n';
  const commands: readonly (readonly [command: string, value: number, args: readonly string[]])[] = [
    ["emend impact", 1, ["impact", "--diff", "change.diff"]],
    ["emend next", 2, ["next", "src/b.ts:1:1", "--history", "change.diff"]],
    ["emend plan", 1, ["plan", "--seed", "change.diff", "--dry-run"]],
  ];
  const signals = [
    ["SIGINT", 130],
    ["SIGTERM", 143],
    ["SIGHUP", 129],
  ] as const;
  const cases = commands.flatMap(([command, value, args]) =>
    signals.map(([name, code]) => [command, name, code, value, args] as const),
  );
  test.each(cases)("%s and %s", { timeout: 60_000 }, async (_, name, code, value, args) => {
    const root = folderOf({
      "tsconfig.json": JSON.stringify({ compilerOptions: { types: [] } }),
      // Keeps the checker busy for long, within its limits.
      "src/slow.ts": `export const slow = ${"a<\n".repeat(2_000)}`,
      "src/b.ts": `import "./slow";\nexport const b = ${value};\n`,
      "change.diff": diff,
    });
    expect(await interrupted(root, args, name)).toEqual({
      exitCode: code,
      err: expect.stringMatching(/^emend: Interrupted\.[^\n]*\n$/),
    });
  });
});
