import { spawn } from "node:child_process";
import { once } from "node:events";
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { hostname, tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { removeFolder } from "../../text/node/fixtures/remove-folder.ts";
import { complexFiles, complexFilesAfter } from "../fixtures/complex-numbers.ts";
import { type PlanEvent, planEventFromJson } from "../plan-event.ts";
import { isPlanRunning, listPlans, tryReadPlanJournal, withPlanJournal } from "./plan-journal.ts";

let top: string;
let folder: string;
beforeEach(() => {
  top = realpathSync(mkdtempSync(join(tmpdir(), "emend-plan-")));
  folder = join(top, "plans");
  onTestFinished(() => removeFolder(top));
});

const place = () => ({ folder, plan: "p", waitMs: 0 });
const file = () => join(folder, "p", "journal");
const resumed = (at: number): PlanEvent => ({ kind: "plan-resumed", at });

async function write(...events: readonly PlanEvent[]): Promise<readonly PlanEvent[]> {
  const answer = await withPlanJournal(place(), async (journal) => {
    const before = [...journal.events];
    for (const event of events) await journal.append(event);
    return before;
  });
  if (answer.kind === "busy") throw new Error("busy");
  return answer.value;
}

test("an appended event is read the next time and by concurrent readers", async () => {
  expect(await tryReadPlanJournal(place())).toBeUndefined();
  await write(resumed(1), resumed(2));
  expect(await write(resumed(3))).toEqual([resumed(1), resumed(2)]);
  expect(await tryReadPlanJournal(place())).toEqual({ events: [1, 2, 3].map(resumed), isTorn: false });
  expect(await listPlans(folder)).toEqual(["p"]);
  expect(await listPlans(join(top, "none"))).toEqual([]);
});

test("isPlanRunning is true while a process runs the plan and false after it ended", async () => {
  expect(await isPlanRunning(place())).toBe(false);
  await withPlanJournal(place(), async () => expect(await isPlanRunning(place())).toBe(true));
  expect(await isPlanRunning(place())).toBe(false);
  const gone = spawn(process.execPath, ["--version"], { stdio: "ignore" });
  await once(gone, "exit");
  writeFileSync(join(folder, "p", "lock"), JSON.stringify({ token: "t", processId: gone.pid, host: hostname() }));
  expect(await isPlanRunning(place())).toBe(false);
});

test.skipIf(process.platform === "win32")("the journal is readable by its owner only", async () => {
  await write(resumed(1));
  expect(statSync(file()).mode & 0o777).toBe(0o600);
});

describe("an incomplete line", () => {
  test("at the end is ignored wherever it was cut, and the next event replaces it", async () => {
    await write(resumed(1), resumed(2));
    const complete = readFileSync(file());
    const first = complete.indexOf(10) + 1;
    for (let kept = first; kept < complete.length; kept++) {
      writeFileSync(file(), complete.subarray(0, kept));
      const isTorn = kept > first;
      expect(await tryReadPlanJournal(place())).toEqual({ events: [resumed(1)], isTorn });
      expect(await write(resumed(2))).toEqual([resumed(1)]);
      expect(readFileSync(file()).equals(complete)).toBe(true);
    }
  });

  test("in the middle of the file rejects, and nothing is removed", async () => {
    await write(resumed(1), resumed(2), resumed(3));
    const complete = readFileSync(file(), "utf8");
    writeFileSync(file(), complete.replace('"at":2', '"at":9'));
    await expect(write()).rejects.toMatchObject({
      code: "plan-journal-broken",
      message: expect.stringMatching(/^Line 2 of .* is damaged\. Remove it/),
    });
    expect(readFileSync(file(), "utf8").length).toBe(complete.length);
  });

  test.each([
    [
      "an older version",
      (line: string) => line.replace(/^\d+ /, ""),
      /^An older version of Emend wrote .*, in version 1 of/,
    ],
    [
      "a newer version",
      (line: string) => line.replace(/^\d+/, "99"),
      /^A newer version of Emend wrote .*, in version 99 of/,
    ],
  ])("a journal of %s is refused whole, with the folder to delete", async (_, change, message) => {
    await write(resumed(1), resumed(2));
    const changed = readFileSync(file(), "utf8").split("\n").map(change).join("\n");
    writeFileSync(file(), changed);
    for (const read of [() => write(), () => tryReadPlanJournal(place())]) {
      await expect(read()).rejects.toMatchObject({ code: "plan-version", message: expect.stringMatching(message) });
      await expect(read()).rejects.toMatchObject({
        message: expect.stringContaining(`delete the folder ${join(folder, "p")} `),
      });
    }
    expect(readFileSync(file(), "utf8")).toBe(changed);
  });

  test("of garbage at the end is removed", async () => {
    await write(resumed(1));
    appendFileSync(file(), "\0".repeat(40));
    expect(await write()).toEqual([resumed(1)]);
  });
});

test("a plan is never run by two processes at once", async () => {
  await withPlanJournal(place(), async () => {
    expect(await withPlanJournal(place(), async () => "in")).toEqual({ kind: "busy", processId: process.pid });
  });
  expect(await withPlanJournal(place(), async () => "in")).toEqual({ kind: "done", value: "in" });
});

test.each(["", "..", "a/b", "a b"])("%j is no name of a plan", async (plan) => {
  await expect(withPlanJournal({ folder, plan }, async () => 1)).rejects.toThrow(/is no valid name of a plan/);
});

describe.skipIf(process.platform === "win32")("a process that is killed", () => {
  const script = fileURLToPath(new URL("fixtures/run-complex-plan.ts", import.meta.url));
  const run = (hangAt: number) => {
    const child = spawn(process.execPath, ["--import", "tsx", script, join(top, "work"), folder, String(hangAt)]);
    let output = "";
    child.stdout.on("data", (data) => {
      output += data;
    });
    let errors = "";
    child.stderr.on("data", (data) => {
      errors += data;
    });
    return { child, ended: once(child, "exit").then(() => ({ output, errors })), output: () => output };
  };

  // Before the model's first answer is stored, and after its second, before its edit is stored.
  test.each([3, 5])(
    "before event %i is written continues to the same texts and repeats no answered request",
    async (event) => {
      mkdirSync(join(top, "work"));
      mkdirSync(folder);
      for (const [path, text] of Object.entries(complexFiles)) writeFileSync(join(top, "work", path), text);
      const first = run(event);
      while (!first.output().includes("hanging")) await new Promise((resolve) => setTimeout(resolve, 30));
      first.child.kill("SIGKILL");
      await first.ended;
      const kept = (await tryReadPlanJournal(place()))!.events;
      expect(kept.length).toBe(event);
      const { output, errors } = await run(-1).ended;
      expect(errors).toBe("");
      const answer = JSON.parse(output, (_, value) => value);
      const changes = planEventFromJson(JSON.stringify(answer.value)) as never as {
        changes: readonly { uri: string; edit: { apply(text: string): string } }[];
      };
      const after = Object.fromEntries(
        changes.changes.map(({ uri, edit }) => [uri, edit.apply(complexFiles[uri as keyof typeof complexFiles])]),
      );
      expect(after).toEqual(complexFilesAfter);
      // One of the three requests was repeated because its answer was lost.
      const answered = kept.filter(({ kind }) => kind === "model-answered").length;
      const requests = readFileSync(join(folder, "questions"), "utf8").length;
      expect(requests).toBe(3 + (event === 3 ? 1 : 0));
      expect(answered).toBe(event === 3 ? 0 : 2);
      for (const [path, text] of Object.entries(complexFiles))
        expect(readFileSync(join(top, "work", path), "utf8")).toBe(text);
      expect(existsSync(join(folder, "p", "lock"))).toBe(false);
    },
  );
});
