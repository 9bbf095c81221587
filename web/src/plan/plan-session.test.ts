import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { PlanView, StepStanding, StepView } from "../../../src/plan/page/plan-view.ts";
import type { PlanViewParams } from "../../../src/server/protocol/plan-protocol.ts";
import { ScriptedPage } from "../fixtures/scripted-page.ts";
import { nearStep, tryWalk } from "./picture-walk.ts";
import { pictureOf } from "./plan-picture.ts";
import { PlanSession } from "./plan-session.ts";
import { type PlanWish, readWish, usualWish } from "./plan-wish.ts";
import { progressOf, tallyOf } from "./standings.ts";
import { filterSteps, toggleStanding, usualFilter } from "./step-filter.ts";

const letters: Readonly<Record<string, StepStanding>> = {
  ...{ "*": "changed", ".": "pending", "?": "asked", "+": "done", "=": "unchanged" },
  ...{ "!": "obligation", x: "rejected", "-": "dropped" },
};

/** Steps from their standings, a letter each; they are called `f1`, `f2`, … */
function stepsOf(written: string): readonly StepView[] {
  return [...written].map((letter, index) => {
    const name = `f${index + 1}`;
    const path = `src/${name}.ts`;
    return {
      ...{ id: index + 1, standing: letters[letter]!, name, path, block: `function ${name} in ${path}` },
      ...{ round: 1 + (index >> 1), likelihood: 0.5, reasons: [], wishes: [] },
    };
  });
}

/** Links as `1>2`. */
function linksOf(written: string) {
  return written.split(" ").flatMap((link) => {
    const [from, to] = link.split(">").map(Number);
    return to === undefined ? [] : [{ from: from!, to, relation: "called-by" }];
  });
}

function viewOf(standings: string, part: Partial<PlanViewParams> = {}): PlanViewParams {
  const view: PlanView = {
    ...{ plan: "p1", base: "c0ffee", progress: "Round 1", tokens: { shown: 0, written: 0 } },
    ...{ steps: stepsOf(standings), links: [], verdicts: [] },
  };
  return { plan: "p1", view, isRunning: true, notes: [], isApplied: false, ...part };
}

describe("a session", () => {
  let page: ScriptedPage;
  let session: PlanSession;
  beforeEach(() => {
    page = new ScriptedPage({ "a.ts": "1\n" });
    session = new PlanSession(page.services);
  });
  afterEach(() => session[Symbol.dispose]());
  const answer = async (method: string, value: unknown) => (await page.next(`emend/plan/${method}`)).answer(value);
  const begin = async () => {
    const started = session.start({ seed: "main..." });
    await answer("start", { plan: "p1" });
    await answer("show", viewOf("*."));
    await answer("list", { plans: [] });
    await started;
  };

  test("follows only the plan that it started", async () => {
    await begin();
    page.tell("emend/plan/view", viewOf("*+."));
    page.tell("emend/plan/view", { ...viewOf("*"), plan: "another" });
    expect(session.shown.value?.view.steps).toHaveLength(3);
    page.tell("emend/plan/view", viewOf("*+!", { isRunning: false, notes: ["It was stopped."] }));
    expect(session.shown.value?.isRunning).toBe(false);
    expect(page.said).toEqual(["It was stopped."]);
  });

  test("keeps the end of a plan that was reported before its first view", async () => {
    const started = session.start({});
    await answer("start", { plan: "p1" });
    const shown = await page.next("emend/plan/show");
    page.tell("emend/plan/view", viewOf("*", { isRunning: false, problem: "No git is here." }));
    shown.answer(viewOf("*", { isRunning: false }));
    await answer("list", { plans: [] });
    await started;
    expect(session.shown.value?.problem).toBe("No git is here.");
  });

  test("reports a refused request, and shows no plan", async () => {
    const started = session.start({});
    (await page.next("emend/plan/start")).fail("src/a.ts is not saved. Save it first.");
    await started;
    expect(session.problem.value).toBe("src/a.ts is not saved. Save it first.");
    expect([session.shown.value, session.busy.value]).toEqual([undefined, undefined]);
  });

  test("rejects a step with an optional reason", async () => {
    await begin();
    const rejected = session.reject(2, "  ");
    const { params, answer: reply } = await page.next("emend/plan/reject");
    expect(params).toEqual({ plan: "p1", step: 2 });
    reply({ plan: "p1" });
    await answer("show", viewOf("*x"));
    await answer("list", { plans: [] });
    await rejected;
    expect(session.shown.value?.view.steps[1]?.standing).toBe("rejected");
  });

  test("stops, and continues with a chat's answer for a step", async () => {
    await begin();
    const stopped = session.stop();
    expect(session.busy.value).toBe("Stopping");
    const { params } = await page.next("emend/plan/stop").then((request) => {
      request.answer(null);
      return request;
    });
    expect(params).toEqual({ plan: "p1" });
    await stopped;
    page.tell("emend/plan/view", viewOf("*!", { isRunning: false }));
    await answer("list", { plans: [] });
    const gone = session.goOn({ answer: { step: 2, text: "what it said" } });
    const request = await page.next("emend/plan/continue");
    expect(request.params).toEqual({ plan: "p1", answer: { step: 2, text: "what it said" } });
    request.answer({ plan: "p1" });
    await answer("show", viewOf("*+"));
    await answer("list", { plans: [] });
    await gone;
    expect(session.shown.value?.isRunning).toBe(true);
  });

  test("applies a plan, and undoes it", async () => {
    await begin();
    const diff = "--- a/a.ts\n+++ b/a.ts\n@@ -1 +1 @@\n-1\n+2\n";
    page.tell("emend/plan/view", viewOf("*+", { isRunning: false, diff }));
    await answer("list", { plans: [] });
    const applied = session.apply({ isSeen: false });
    const request = await page.next("emend/plan/apply");
    page.texts.set("a.ts", "2\n");
    request.answer({ isApplied: true, files: ["a.ts"] });
    await answer("show", viewOf("*+", { isRunning: false, isApplied: true, diff }));
    await answer("list", { plans: [] });
    await applied;
    expect(session.applied.value).toMatchObject({ files: [{ path: "a.ts", before: "1\n", after: "2\n" }] });
    const undone = session.undo();
    await answer("show", viewOf("*+", { isRunning: false, diff }));
    await answer("list", { plans: [] });
    await undone;
    expect(page.texts.get("a.ts")).toBe("1\n");
    expect(session.applied.value?.isUndone).toBe(true);
  });

  test("reports why a plan was not applied", async () => {
    await begin();
    const applied = session.apply({ isSeen: false });
    await answer("apply", { isApplied: false, failureReason: "a.ts changed since the plan was there.", files: [] });
    await applied;
    expect(session.problem.value).toBe("a.ts changed since the plan was there.");
    expect(session.applied.value).toBeUndefined();
  });
});

describe("the picture of a plan", () => {
  test("has a column for each depth, or each round", () => {
    const plan = { steps: stepsOf("*+++"), links: linksOf("1>2 1>3 3>4") };
    const byDepth = pictureOf(plan, "depth");
    expect(byDepth.heads.map(({ text }) => text)).toEqual(["where it begins", "one step on", "2 steps on"]);
    expect(pictureOf(plan, "round").heads.map(({ text }) => text)).toEqual(["round 1", "round 2"]);
    expect(byDepth.ways).toHaveLength(3);
  });

  test("continues a long column beside it, without overlaps", () => {
    const steps = stepsOf(`*${"+".repeat(300)}`);
    const links = steps.slice(1).map(({ id }) => ({ from: 1, to: id, relation: "called-by" }));
    const picture = pictureOf({ steps, links }, "depth");
    expect(picture.heads).toHaveLength(2);
    expect(new Set(picture.steps.map(({ x, y }) => `${x} ${y}`)).size).toBe(301);
    expect(Math.max(...picture.steps.map(({ y }) => y))).toBeLessThan(1200);
    expect(picture.steps.every(({ x, y }) => x < picture.width && y < picture.height)).toBe(true);
  });

  // Columns: 1 | 2 3 | 4, where 3 led to 4, and 5 stands alone beneath 1.
  const picture = pictureOf({ steps: stepsOf("*+++."), links: linksOf("1>2 1>3 3>4") }, "depth");
  test.each([
    ["1 right", 2],
    ["2 down", 3],
    ["3 up", 2],
    ["3 right", 4],
    ["2 right", 4],
    ["4 left", 3],
    ["3 left", 1],
    ["1 left", undefined],
    ["1 up", undefined],
    ["1 down", 5],
    ["5 right", 3],
    ["4 first", 1],
    ["1 last", 4],
  ] as const)("from step %s is step %j", (written, to) => {
    const [from, direction] = written.split(" ");
    expect(tryWalk(picture, Number(from), direction as "left")).toBe(to);
  });

  test("starts at the first step when none is chosen", () => {
    expect(tryWalk(picture, undefined, "down")).toBe(1);
    expect(tryWalk({ steps: [], ways: [] }, undefined, "down")).toBeUndefined();
  });

  test("finds the steps on the paths to and from a step", () => {
    expect([...nearStep(picture.ways, 3)].sort()).toEqual([1, 3, 4]);
    expect([...nearStep(picture.ways, 5)]).toEqual([5]);
  });
});

test("steps are counted by status, and progress does not count the seeds", () => {
  expect(tallyOf(stepsOf("*++!.-")).map((pair) => pair.join(" "))).toEqual([
    ...["pending 1", "obligation 1", "changed 1", "done 2", "dropped 1"],
  ]);
  expect(progressOf(stepsOf("*+=!.-")).share).toBe(0.75);
  expect(progressOf(stepsOf("*")).share).toBe(0);
});

test("steps are filtered by words and by status", () => {
  const ids = (filter: typeof usualFilter) => filterSteps(stepsOf("*+-!"), filter).map(({ id }) => id);
  expect(ids(usualFilter)).toEqual([1, 2, 4]);
  expect(ids({ ...usualFilter, words: "function F2" })).toEqual([2]);
  expect(ids(toggleStanding(toggleStanding(usualFilter, "dropped"), "done"))).toEqual([1, 3, 4]);
});

describe("the form of a plan", () => {
  const cursor = { uri: "file:///a.ts", line: 4 };
  test.each<[name: string, part: Partial<PlanWish>, asked: object]>([
    ["nothing", {}, {}],
    ["a range", { beginning: "range", range: " main... " }, { seed: "main..." }],
    ["the cursor", { beginning: "cursor", instruction: "Take a rate." }, { at: cursor, instruction: "Take a rate." }],
    [
      "checks",
      { beginning: "findings", oracles: "npx tsc\n\n make \n" },
      { seed: "findings", oracles: ["npx tsc", "make"] },
    ],
    ["no model", { asksModel: false }, { models: [] }],
    ["limits", { maxSteps: "30", maxTokens: "9" }, { maxSteps: 30, maxTokens: 9 }],
  ])("%s", (_, part, asked) => {
    expect(readWish({ ...usualWish, ...part }, cursor)).toEqual({ kind: "ready", params: asked });
  });

  test.each<[part: Partial<PlanWish>, what: string]>([
    [{ beginning: "range" }, "Name a range"],
    [{ beginning: "cursor" }, "Say what"],
    [{ beginning: "cursor", instruction: "x" }, "Open a file"],
    [{ beginning: "findings" }, "Name a check"],
    [{ maxRounds: "many" }, "whole number"],
  ])("%j is reported as incomplete", (part, what) => {
    const read = readWish({ ...usualWish, ...part }, undefined);
    expect(read).toMatchObject({ kind: "missing", what: expect.stringContaining(what) });
  });
});
