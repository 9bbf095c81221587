import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { removeFolder } from "../text/node/fixtures/remove-folder.ts";
import { buildPackage, type CliRun, runCli } from "./fixtures/run-cli.ts";

const base = mkdtempSync(join(tmpdir(), "emend-plan-signals-"));
beforeAll(buildPackage, 300_000);
afterAll(() => removeFolder(base));

let folders = 0;

/** A git repository with files that are committed, and others written over them since. */
function repository(committed: Readonly<Record<string, string>>, changed: Readonly<Record<string, string>>): string {
  const folder = join(base, String(folders++));
  const write = (files: Readonly<Record<string, string>>) => {
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), text);
    }
  };
  const git = (...args: readonly string[]) => execFileSync("git", args, { cwd: folder, stdio: "ignore" });
  write(committed);
  git("init", "--quiet", "--initial-branch=main");
  git("add", "--all");
  git("-c", "user.name=Test", "-c", "user.email=test@example.com", "commit", "--quiet", "--message=one");
  write(changed);
  return folder;
}

/**
 * Runs a command, with a folder of its own for what it keeps; after `limitMs` it is killed, and has
 * no exit code.
 */
async function run(
  folder: string,
  args: readonly string[],
  { limitMs = 40_000, signalled }: { readonly limitMs?: number; readonly signalled?: "SIGINT" | "SIGTERM" } = {},
): Promise<CliRun> {
  const state = join(base, "state");
  let timer: NodeJS.Timeout | undefined;
  const environment = { XDG_STATE_HOME: state, XDG_CACHE_HOME: state, XDG_CONFIG_HOME: state };
  const ended = await runCli(args, {
    ...{ folder, environment },
    whenStarted: (interrupt, kill) => {
      timer = setTimeout(kill, limitMs);
      if (signalled !== undefined) setTimeout(() => interrupt(signalled), 1_500);
    },
  });
  clearTimeout(timer);
  return ended;
}

const files = {
  "package.json": '{ "name": "x", "a": 1 }\n',
  "a.ts": "export const a = 1;\n",
  "m.py": "def run():\n    return 1\n",
};

describe("row 10: a plan about files without references ends", () => {
  test.each([
    ["package.json gains a key", files, { "package.json": '{ "name": "x", "a": 1, "type": "module" }\n' }],
    ["package.json loses a key", files, { "package.json": '{ "name": "x" }\n' }],
    ["a JSON file gains a key", { ...files, "data.json": "{}\n" }, { "data.json": '{ "a": 1 }\n' }],
    [
      "a style sheet gains a rule",
      { ...files, "a.css": "a { color: red }\n" },
      { "a.css": "a { color: red }\nb { margin: 0 }\n" },
    ],
  ])("row 10: %s", async (_name, committed, changed) => {
    const { exitCode, err } = await run(repository(committed, changed), ["plan", "--dry-run"]);
    expect([exitCode, err]).toEqual([0, expect.stringContaining("done")]);
  });
});

describe("row 10: signals end commands that read many files", () => {
  const many = Object.fromEntries(
    Array.from({ length: 1_500 }, (_, index) => [
      `pkg/m${index}.py`,
      `from .m${(index + 1) % 1_500} import f${(index + 1) % 1_500}\n\n\n${`def f${index}(a, b):\n    return f${(index + 1) % 1_500}(a, b)\n\n\n`.repeat(40)}`,
    ]),
  );
  const changed = Object.fromEntries(
    Object.entries(many).map(([path, text]) => [path, text.replaceAll("(a, b):", "(a, b, c):")]),
  );

  test.each([
    ["plan --dry-run", "SIGINT", 130],
    ["plan --dry-run", "SIGTERM", 143],
    ["impact", "SIGINT", 130],
    ["impact", "SIGTERM", 143],
    ["next", "SIGINT", 130],
    ["next", "SIGTERM", 143],
  ] as const)("row 10: %s, %s", { timeout: 120_000 }, async (command, signalled, expected) => {
    const ended = await run(repository(many, changed), command.split(" "), { signalled });
    expect(ended.exitCode).toBe(expected);
  });
});
