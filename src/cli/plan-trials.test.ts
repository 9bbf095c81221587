import { beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { foldPlan, printPlanEvent } from "../plan/index.ts";
import { type PlanScenario, planScenarios } from "./fixtures/plan-scenarios.ts";
import { PlanTrial } from "./fixtures/plan-trial.ts";
import { buildPackage } from "./fixtures/run-cli.ts";
import { serveBook } from "./fixtures/scripted-book-server.ts";

/**
 * Plans from the command line to the written files: a real repository, the real type checker, the
 * real compiler as the verification command, and a scripted model that answers nothing that it was
 * not shown the reasons for.
 */
describe.each(planScenarios)("$name", (scene) => {
  test("is propagated as expected, and undone byte for byte", async () => {
    const { trial, server, run } = await begin(scene);
    const before = trial.possessions();
    const { exitCode, out } = await run();
    expect([exitCode, textsOf(trial, scene.after)]).toEqual([0, scene.after]);
    expect([...server.pages].sort()).toEqual([...scene.book.keys()]);
    const file = `./fixtures/plan-trials/${scene.name.replaceAll(/\W+/g, "-")}.txt`;
    await expect(`${transcriptOf(trial)}\n\n${out}`).toMatchFileSnapshot(file);
    expect((await trial.run(["undo"])).exitCode).toBe(0);
    expect(trial.possessions()).toEqual(before);
  });

  test("continues to the same end after a kill at any line of its journal, without repeating requests", async () => {
    const { trial, server, run } = await begin(scene);
    await run("--dry-run");
    const { journal } = trial;
    const whole = planOf(trial);
    const requestCount = server.prompts.length;
    const goBack = trial.keepState();
    for (let count = 1; count <= journal.length; count++) {
      for (const files of [scene.files, scene.seed]) trial.write(files);
      goBack([...journal.slice(0, count), journal[count]?.slice(0, 99)].join("\n"));
      const known = journal.slice(0, count).filter((line) => line.includes('"kind":"model-answered"')).length;
      const { exitCode } = await trial.run(["plan", "continue", "--yes"]);
      const came = { exitCode, texts: textsOf(trial, scene.after), plan: planOf(trial) };
      expect(came, `killed behind line ${count}`).toEqual({ exitCode: 0, texts: scene.after, plan: whole });
      expect(server.prompts.splice(requestCount).length).toBe(requestCount - known);
    }
  }, 300_000);
});

describe.skipIf(process.platform === "win32")("kill -9", () => {
  beforeAll(buildPackage, 180_000);

  test("of each process after the first line that it adds leads to the same end", async () => {
    const [scene] = planScenarios;
    const whole = await begin(scene!);
    await whole.run();
    const { trial, server, args } = await begin(scene!);
    const files = trial.files();
    for (let line = 1; line <= whole.trial.journal.length; line++) {
      expect(await trial.runKilled(line === 1 ? args : ["plan", "continue"], { behindLine: 1 })).toBe("SIGKILL");
      expect([trial.journal.length, trial.files()]).toEqual([line, files]);
    }
    expect((await trial.run(["plan", "continue", "--yes"])).exitCode).toBe(0);
    expect(textsOf(trial, scene!.after)).toEqual(scene!.after);
    expect(planOf(trial)).toEqual(planOf(whole.trial));
    expect(server.prompts.length).toBe(whole.server.prompts.length);
    expect([trial.leftovers(), trial.git("worktree", "list").split("\n").length]).toEqual([[], 2]);
  }, 300_000);
});

/** A scene with its seed made, and the model listening. */
async function begin(scene: PlanScenario) {
  const server = await serveBook(scene.book);
  onTestFinished(() => server[Symbol.asyncDispose]());
  const trial = new PlanTrial(scene.files);
  trial.write(scene.seed);
  const instruction = scene.instruction === undefined ? [] : [scene.instruction];
  const verifiers = scene.verifiers.flatMap((verifier) => ["--verify", verifier]);
  const args = ["plan", ...instruction, ...verifiers, "--model", server.model];
  return { trial, server, args, run: (how = "--yes") => trial.run([...args, how]) };
}

/** The texts of these files now. */
function textsOf(trial: PlanTrial, files: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.keys(files).map((path) => [path, trial.read(path)]));
}

/** What happened in a plan. Of simultaneous requests, the answers come in any order. */
function transcriptOf({ events, plain }: PlanTrial): string {
  const isAnswer = (line: string) => line.startsWith("Answer of the model for step ");
  const lines = plain(events.map(printPlanEvent).join("\n")).split("\n");
  for (let start = 0; start < lines.length; start++) {
    let end = start;
    while (end < lines.length && isAnswer(lines[end]!)) end++;
    if (end > start) lines.splice(start, end - start, ...lines.slice(start, end).sort());
    start = Math.max(start, end - 1);
  }
  return lines.join("\n");
}

/** What a plan came to: its graph, its changes, why it ended, and what it cost. */
function planOf({ events, plain }: PlanTrial) {
  const { graph, writes, ended, tokens, round } = foldPlan(events);
  return JSON.parse(plain(JSON.stringify({ steps: graph.steps, writes, ended, tokens, round })));
}
