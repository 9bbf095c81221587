import { mkdirSync, mkdtempSync, readFileSync, realpathSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { removeFolder } from "../../text/node/fixtures/remove-folder.ts";
import { printFinding } from "../verification/finding.ts";
import { parseVerifierCommand } from "../verification/verifier-format.ts";
import { isSuccess, printVerifierResult, type VerifierResult } from "../verifier.ts";
import { type CommandVerifierOptions, commandVerifier } from "./command-verifier.ts";

const isUnix = process.platform !== "win32";

function workspace(files: Readonly<Record<string, string>> = {}): string {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "emend-verifier-")));
  onTestFinished(() => removeFolder(root));
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  return root;
}

function run(line: string, options: Partial<CommandVerifierOptions> & { readonly root: string }) {
  return commandVerifier(parseVerifierCommand(line), options).run();
}

function print(verdict: VerifierResult): string {
  if (verdict.kind === "findings") return verdict.findings.map(printFinding).join(" | ");
  return verdict.kind === "failed" ? `${verdict.reason}: ${verdict.message}` : printVerifierResult(verdict);
}

describe.runIf(isUnix)("commandVerifier reads the result of", () => {
  const cases: readonly (readonly [line: string, expected: string])[] = [
    ["true", "no findings"],
    ["echo hello", "no findings"],
    ["echo 'src/a.c:3:1: error: it only looks so'", "no findings"],
    ["false", "error exit 1 (exit) It ended with exit code 1 and said nothing."],
    ["echo one; echo two >&2; exit 3", "error exit 3 (exit) one two"],
    ["echo 'src/a.c:3:1: error: really'; exit 1", "src/a.c:3:1 error (text) really"],
    [
      "echo 'src/a.c:3:1: warning: alone'; exit 1",
      "src/a.c:3:1 warning (text) alone | error exit 1 (exit) src/a.c:3:1: warning: alone",
    ],
    ["exit: echo 'src/a.c:3:1: error: unread'; exit 1", "error exit 1 (exit) src/a.c:3:1: error: unread"],
    ["tsc: echo 'a.ts(1,2): error TS1005: x'; exit 2", "a.ts:1:2 error TS1005 (tsc) x"],
    ['tsc: echo "$PWD/src/a.ts(1,2): error TS1005: x"; exit 2', "src/a.ts:1:2 error TS1005 (tsc) x"],
    // Some tools succeed with diagnostics.
    ["tsc: echo 'a.ts(1,2): error TS1005: x'", "a.ts:1:2 error TS1005 (tsc) x"],
    ["tsc: echo 'lib/x.rb:3:1: error: not by the compiler'; exit 2", "lib/x.rb:3:1 error (text) not by the compiler"],
    ["eslint: echo '[]'", "no findings"],
    ["cat", "no findings"],
    [
      "tsc: echo cannot; exit 2",
      "unreadable: `echo cannot; exit 2` ended with exit code 2 and printed nothing that can be read as a finding: cannot. Run it by hand to see why. If only its exit code should count, write exit:echo cannot; exit 2",
    ],
    ["kill -9 $$", "killed: `kill -9 $$` was killed by SIGKILL. If memory is short, let it check less at a time."],
    ["(exit 137)", "killed: `(exit 137)` was killed by signal 9. If memory is short, let it check less at a time."],
  ];
  for (const [line, expected] of cases) {
    test(line, async () => expect(print(await run(line, { root: workspace() }))).toBe(expected));
  }

  test("commandVerifier fails with not-found for a missing program", async () => {
    const verdict = await run("no-such-program-at-all --check", { root: workspace() });
    expect(verdict).toMatchObject({ kind: "failed", reason: "not-found" });
    expect(print(verdict)).toMatch(
      /names a program that was not found \(.*not found\)\. Install it or name another one\.$/,
    );
  });

  test("commandVerifier fails with not-executable for a file that is not executable", async () => {
    const verdict = await run("./check", { root: workspace({ check: "#!/bin/sh\n" }) });
    expect(verdict).toMatchObject({ kind: "failed", reason: "not-executable" });
  });

  test("commandVerifier fails for a missing folder", async () => {
    const verdict = await run("true", { root: join(workspace(), "gone") });
    expect(print(verdict)).toMatch(/^not-started: `true` could not be started: there is no folder .*gone\.$/);
  });

  test("isContent accepts warnings, and rejects errors and failed commands", async () => {
    const root = workspace();
    const isFine = async (line: string) => isSuccess(await run(line, { root }));
    expect(await isFine("true")).toBe(true);
    expect(await isFine("mypy: echo 'a.py:1: note: by the way'")).toBe(true);
    expect(await isFine("mypy: echo 'a.py:1: error: x'; exit 1")).toBe(false);
    expect(await isFine("no-such-program-at-all")).toBe(false);
    expect(await isFine("false")).toBe(false);
  });
});

test.runIf(isUnix)(
  "commandVerifier returns paths relative to the root, for any working folder and name of the root",
  async () => {
    const root = workspace({ "packages/one/src/a.ts": "", "deep/sums/a_test.go": "" });
    const link = join(workspace(), "link");
    symlinkSync(root, link);
    const line = "echo 'src/a.ts(1,2): error TS1: x'; echo \"$(pwd -P)/src/a.ts(1,2): error TS2: x\"; exit 1";
    const verdict = await run(`tsc:${line}`, { root: link, folder: "packages/one" });
    const place = "packages/one/src/a.ts:1:2 error";
    expect(print(verdict)).toBe(`${place} TS1 (tsc) x | ${place} TS2 (tsc) x`);
  },
);

test.runIf(isUnix)("commandVerifier passes only the given environment", async () => {
  const environment = { PATH: process.env["PATH"], WORD: "given" };
  const verdict = await run("echo $WORD $HOME.; exit 1", { root: workspace(), environment });
  expect(print(verdict)).toBe("error exit 1 (exit) given .");
});

test("commandVerifier reads the beginning and the end of a large output in bounded memory", async () => {
  const script = `
    const line = (i) => "src/a" + i + ".ts(1,2): error TS2345: " + "x".repeat(80) + "\\n";
    let i = 0;
    const more = () => {
      while (i < 500_000) if (!process.stdout.write(line(i++))) return process.stdout.once("drain", more);
      process.stdout.write("the very end\\n", () => process.exit(2));
    };
    more();`;
  const root = workspace({ "much.cjs": script });
  let output = 0;
  const onOutput = (text: string) => {
    output += text.length;
  };
  const verdict = await run(`tsc:"${process.execPath}" much.cjs`, { root, onOutput });
  if (verdict.kind !== "findings") throw new Error(verdict.kind);
  expect(output).toBeGreaterThan(50_000_000);
  expect(verdict.isCut).toBe(true);
  expect(verdict.findings).toHaveLength(10_000);
  expect(verdict.leftOut).toBeGreaterThan(100_000);
  expect(verdict.tail.length).toBeLessThan(70_000);
  expect(verdict.tail.endsWith("the very end")).toBe(true);
  expect(verdict.unread).toEqual({ count: expect.any(Number), lines: expect.any(Array) });
  expect(printVerifierResult(verdict)).toMatch(/^10000 errors, \d+ more, the output is incomplete$/);
});

test("commandVerifier reads an incomplete report as far as it goes, and isContent rejects it", async () => {
  const report = JSON.stringify([{ filePath: "/a.js", messages: [] }]).slice(0, -4);
  const root = workspace({ "cut.cjs": `console.log(${JSON.stringify(report)}); process.exit(1);` });
  const verdict = await run(`eslint:"${process.execPath}" cut.cjs`, { root });
  expect(isSuccess(verdict)).toBe(false);
});

describe.runIf(isUnix)("commandVerifier ends a command together with all that it started when", () => {
  const isAlive = (processId: number) => {
    try {
      process.kill(processId, 0);
      // A process that was not waited for is still in the table.
      return !readFileSync(`/proc/${processId}/stat`, "utf8").includes(") Z ");
    } catch {
      return false;
    }
  };
  const numberIn = (root: string, name: string) => Number(readFileSync(join(root, name), "utf8"));

  test("it hangs and forks", async () => {
    const root = workspace();
    const verdict = await run("echo begun; sleep 60 & echo $! > child; (sleep 61; echo no) & wait", {
      root,
      timeoutMs: 400,
    });
    expect(verdict).toEqual({ kind: "timed-out", timeoutMs: 400, tail: "begun" });
    await expect.poll(() => isAlive(numberIn(root, "child"))).toBe(false);
  });

  test("it and its children ignore the request to end", async () => {
    const root = workspace();
    const deaf = "trap '' TERM; sh -c \"trap '' TERM; sleep 60; sleep 60\" & echo $! > child; wait; wait; sleep 60";
    expect(await run(deaf, { root, timeoutMs: 300 })).toMatchObject({ kind: "timed-out" });
    await expect.poll(() => isAlive(numberIn(root, "child"))).toBe(false);
  });

  test("it has findings and leaves a server running", async () => {
    const root = workspace();
    const line = "tsc: sleep 60 & echo $! > child; echo 'a.ts(1,2): error TS1005: x'; exit 2";
    expect(print(await run(line, { root }))).toBe("a.ts:1:2 error TS1005 (tsc) x");
    await expect.poll(() => isAlive(numberIn(root, "child"))).toBe(false);
  });

  test("the signal aborts, and it rejects with the signal's reason", async () => {
    const root = workspace();
    const controller = new AbortController();
    const reason = new Error("enough");
    const verifier = commandVerifier(
      { command: "sleep 60 & echo $! > child; echo begun; wait" },
      { root, onOutput: () => controller.abort(reason) },
    );
    await expect(verifier.run({ signal: controller.signal })).rejects.toBe(reason);
    await expect.poll(() => isAlive(numberIn(root, "child"))).toBe(false);
    await expect(verifier.run({ signal: controller.signal })).rejects.toBe(reason);
  });
});
