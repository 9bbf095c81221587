import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { TemporaryWorkspace } from "./fixtures/temporary-workspace.ts";
import { runVerification } from "./try-on-disk.ts";

describe("the result of a check command", () => {
  const cases: readonly (readonly [string, string])[] = [
    ["true", "passed"],
    ["echo fine; exit 0", "passed"],
    ["false", "$ false\n(exit code 1)"],
    ["echo out; echo err >&2; exit 7", "$ echo out; echo err >&2; exit 7\nout\nerr\n(exit code 7)"],
    ["printf '\\033[31mred\\033[0m'; exit 1", "$ printf '\\033[31mred\\033[0m'; exit 1\nred\n(exit code 1)"],
    ["kill -9 $$", "$ kill -9 $$\n(killed by SIGKILL)"],
    ["cat", "passed"],
  ];
  for (const [command, expected] of cases) {
    test.skipIf(process.platform === "win32")(command, async () => {
      const workspace = new TemporaryWorkspace();
      const answer = await runVerification(command, workspace.root);
      expect(answer.kind === "failed" ? answer.report : answer.kind).toBe(expected);
    });
  }
});

test("the end of a long output is kept, in whole characters", async () => {
  const workspace = new TemporaryWorkspace();
  const script = `process.stdout.write("é".repeat(100_000) + "end\\n"); process.exitCode = 1;`;
  workspace.put("much.cjs", script);
  const answer = await runVerification(`"${process.execPath}" much.cjs`, workspace.root);
  if (answer.kind !== "failed") throw new Error("It passed.");
  expect(answer.report).toContain("(The first part is left out.)\né");
  expect(answer.report).toMatch(/éend\n\(exit code 1\)$/);
  expect(Buffer.byteLength(answer.report)).toBeLessThan(66_000);
});

describe.skipIf(process.platform === "win32")("a stopped command ends with all processes that it started", () => {
  const command = "sleep 60 & echo $! > child; echo started; wait";
  const isAlive = (processId: number) => {
    try {
      process.kill(processId, 0);
      // A process that was not waited for is still in the process table.
      return !readFileSync(`/proc/${processId}/stat`, "utf8").includes(") Z ");
    } catch {
      return false;
    }
  };

  test("when the signal aborts", async () => {
    const workspace = new TemporaryWorkspace();
    const controller = new AbortController();
    const reason = new Error("enough");
    const onOutput = () => controller.abort(reason);
    await expect(runVerification(command, workspace.root, { signal: controller.signal, onOutput })).rejects.toBe(
      reason,
    );
    const child = Number(workspace.text("child"));
    await expect.poll(() => isAlive(child)).toBe(false);
  });

  test("on timeout, also if it ignores SIGTERM", async () => {
    const workspace = new TemporaryWorkspace();
    const deaf = `trap '' TERM; ${command}; wait; wait`;
    const answer = await runVerification(deaf, workspace.root, { timeoutMs: 500 });
    expect(answer).toMatchObject({ kind: "failed", report: expect.stringContaining("(stopped after 0.5 s)") });
    await expect.poll(() => isAlive(Number(workspace.text("child")))).toBe(false);
  });

  test("it is not started when the signal has aborted", async () => {
    const workspace = new TemporaryWorkspace();
    const reason = new Error("enough");
    const controller = new AbortController();
    controller.abort(reason);
    const checking = runVerification("touch ran", workspace.root, { signal: controller.signal });
    await expect(checking).rejects.toBe(reason);
    expect(existsSync(join(workspace.root, "ran"))).toBe(false);
  });

  test("processes that a command leaves running are not awaited", async () => {
    const workspace = new TemporaryWorkspace();
    expect(await runVerification("sleep 30 & echo $! > child", workspace.root)).toEqual({ kind: "passed" });
    process.kill(Number(workspace.text("child")));
  });
});
