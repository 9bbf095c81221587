import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { PlanView, StepView, StepViewStatus } from "../../../src/plan/page/plan-view.ts";
import type { PlanViewParams } from "../../../src/server/protocol/plan-protocol.ts";
import { ScriptedPage } from "../fixtures/scripted-page.ts";
import { layOutGraph } from "./graph-layout.ts";
import { relatedSteps, tryNavigate } from "./graph-navigation.ts";
import { defaultDraft, type PlanFormDraft, readDraft } from "./plan-form-draft.ts";
import { PlanSession } from "./plan-session.ts";
import { defaultFilter, filterSteps, toggleStatus } from "./step-filter.ts";
import { progressOf, tallyOf } from "./step-statuses.ts";

const letters: Readonly<Record<string, StepViewStatus>> = {
  ...{ "*": "changed", ".": "pending", "?": "requested", "+": "done", "=": "unchanged" },
  ...{ "!": "obligation", x: "rejected", "-": "dropped" },
};

/** Steps from their statuses, a letter each, with the names `f1`, `f2`, … */
function stepsOf(written: string): readonly StepView[] {
  return [...written].map((letter, index) => {
    const name = `f${index + 1}`;
    const path = `src/${name}.ts`;
    return {
      ...{ id: index + 1, status: letters[letter]!, name, path, block: `function ${name} in ${path}` },
      ...{ round: 1 + (index >> 1), likelihood: 0.5, reasons: [], proposals: [] },
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

function viewOf(statuses: string, part: Partial<PlanViewParams> = {}): PlanViewParams {
  const view: PlanView = {
    ...{ plan: "p1", title: "A change", base: "c0ffee", progress: "Round 1", tokens: { shown: 0, written: 0 } },
    ...{ steps: stepsOf(statuses), links: [], verdicts: [] },
  };
  return { plan: "p1", view, isRunning: true, notes: [], isApplied: false, ...part };
}

describe("PlanSession", () => {
  let page: ScriptedPage;
  let session: PlanSession;
  let isPanelVisible: boolean;
  beforeEach(() => {
    page = new ScriptedPage({ "a.ts": "1\n" });
    isPanelVisible = true;
    session = new PlanSession({ ...page.services, isPanelVisible: () => isPanelVisible });
  });
  afterEach(() => session[Symbol.dispose]());
  const answer = async (method: string, value: unknown) => (await page.next(`emend/plan/${method}`)).answer(value);
  const start = async () => {
    const started = session.start({ seed: "main..." });
    await answer("start", { plan: "p1" });
    await answer("show", viewOf("*."));
    await answer("list", { plans: [] });
    await started;
  };

  test("follows only the plan that it started", async () => {
    await start();
    page.send("emend/plan/view", viewOf("*+."));
    page.send("emend/plan/view", { ...viewOf("*"), plan: "another" });
    expect(session.shown.value?.view.steps).toHaveLength(3);
    page.send("emend/plan/view", viewOf("*+!", { isRunning: false, notes: ["It was stopped."] }));
    expect(session.shown.value?.isRunning).toBe(false);
    expect(page.messages).toEqual(["It was stopped."]);
  });

  test.each([
    ["only in the panel where that is visible", true, []],
    ["also in a message where the panel is not visible", false, ["No git is here."]],
  ])("shows the problem of a plan %s", async (_, isVisible, messages) => {
    await start();
    isPanelVisible = isVisible;
    page.send("emend/plan/view", viewOf("*.", { isRunning: false, problem: "No git is here." }));
    expect(session.shown.value?.problem).toBe("No git is here.");
    expect(page.messages).toEqual(messages);
  });

  test("shows a running plan as stopped when the connection is lost, and a stopped one as it is", async () => {
    await start();
    page.send("emend/plan/view", viewOf("*?.", { activity: "Asking a model" }));
    session.disconnected();
    const { view, ...rest } = session.shown.value!;
    expect(rest).toMatchObject({ isRunning: false, problem: expect.stringContaining("Continue resumes it.") });
    expect(rest.activity).toBeUndefined();
    expect(view.steps.map(({ status }) => status)).toEqual(["changed", "pending", "pending"]);
    page.send("emend/plan/view", viewOf("*+", { isRunning: false }));
    session.disconnected();
    expect(session.shown.value?.problem).toBeUndefined();
  });

  test("keeps the end of a plan that was reported before its first view", async () => {
    const started = session.start({});
    await answer("start", { plan: "p1" });
    const shown = await page.next("emend/plan/show");
    page.send("emend/plan/view", viewOf("*", { isRunning: false, problem: "No git is here." }));
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
    await start();
    const rejected = session.reject(2, "  ");
    const { params, answer: reply } = await page.next("emend/plan/reject");
    expect(params).toEqual({ plan: "p1", step: 2 });
    reply({ plan: "p1" });
    await answer("show", viewOf("*x"));
    await answer("list", { plans: [] });
    await rejected;
    expect(session.shown.value?.view.steps[1]?.status).toBe("rejected");
  });

  test("stops, and continues with a chat's answer for a step", async () => {
    await start();
    const stopped = session.stop();
    expect(session.busy.value).toBe("Stopping");
    const { params } = await page.next("emend/plan/stop").then((request) => {
      request.answer(null);
      return request;
    });
    expect(params).toEqual({ plan: "p1" });
    await stopped;
    page.send("emend/plan/view", viewOf("*!", { isRunning: false }));
    await answer("list", { plans: [] });
    const continued = session.continue({ answer: { step: 2, text: "the answer" } });
    const request = await page.next("emend/plan/continue");
    expect(request.params).toEqual({ plan: "p1", answer: { step: 2, text: "the answer" } });
    request.answer({ plan: "p1" });
    await answer("show", viewOf("*+"));
    await answer("list", { plans: [] });
    await continued;
    expect(session.shown.value?.isRunning).toBe(true);
  });

  test("applies a plan, and undoes it", async () => {
    await start();
    const diff = "--- a/a.ts\n+++ b/a.ts\n@@ -1 +1 @@\n-1\n+2\n";
    page.send("emend/plan/view", viewOf("*+", { isRunning: false, diff }));
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

  test("undoes the files of a plan that have not changed since, and then the others", async () => {
    await start();
    page.texts.set("b.ts", "1\n");
    const paths = ["a.ts", "b.ts"];
    const diff = paths.map((path) => `--- a/${path}\n+++ b/${path}\n@@ -1 +1 @@\n-1\n+2\n`).join("");
    page.send("emend/plan/view", viewOf("*+", { isRunning: false, diff }));
    await answer("list", { plans: [] });
    const applied = session.apply({ isSeen: false });
    const request = await page.next("emend/plan/apply");
    for (const path of paths) page.texts.set(path, "2\n");
    request.answer({ isApplied: true, files: paths });
    const shown = async () => {
      await answer("show", viewOf("*+", { isRunning: false, diff }));
      await answer("list", { plans: [] });
    };
    await shown();
    await applied;
    page.texts.set("b.ts", "3\n");
    const undone = session.undo();
    await shown();
    await undone;
    expect(Object.fromEntries(page.texts)).toEqual({ "a.ts": "1\n", "b.ts": "3\n" });
    expect(session.applied.value).toMatchObject({ files: [{ path: "b.ts" }], isUndone: false });
    expect(session.problem.value).toContain("b.ts has changed since");
    page.texts.set("b.ts", "2\n");
    const again = session.undo();
    await shown();
    await again;
    expect(page.texts.get("b.ts")).toBe("1\n");
    expect([session.applied.value?.isUndone, session.problem.value]).toEqual([true, undefined]);
  });

  /** Opens a plan that was applied before, while its file has this text. */
  const reopen = async (text: string) => {
    page.texts.set("a.ts", text);
    const diff = "--- a/a.ts\n+++ b/a.ts\n@@ -1 +1 @@\n-1\n+2\n";
    const shown = session.show("p1");
    await answer("show", viewOf("*+", { isRunning: false, isApplied: text === "2\n", diff }));
    await answer("changes", { files: [{ path: "a.ts", before: "1\n", after: "2\n" }] });
    await shown;
  };

  test("undoes a plan that was applied before a reload", async () => {
    await reopen("2\n");
    const undone = session.undo();
    await answer("show", viewOf("*+", { isRunning: false }));
    await answer("list", { plans: [] });
    await undone;
    expect([page.texts.get("a.ts"), session.applied.value?.isUndone]).toEqual(["1\n", true]);
  });

  test.each([
    ["undone", "1\n"],
    ["changed", "3\n"],
  ])("offers no undo of a plan that was applied before a reload, and %s since", async (_, text) => {
    await reopen(text);
    expect(session.applied.value).toBeUndefined();
  });

  test("reports why a plan was not applied", async () => {
    await start();
    const applied = session.apply({ isSeen: false });
    await answer("apply", { isApplied: false, failureReason: "a.ts has changed since the plan started.", files: [] });
    await applied;
    expect(session.problem.value).toBe("a.ts has changed since the plan started.");
    expect(session.applied.value).toBeUndefined();
  });
});

describe("the graph of a plan", () => {
  test("has a column for each depth, or each round", () => {
    const plan = { steps: stepsOf("*+++"), links: linksOf("1>2 1>3 3>4") };
    const byDepth = layOutGraph(plan, "depth");
    expect(byDepth.heads.map(({ text }) => text)).toEqual(["start", "1 step later", "2 steps later"]);
    expect(layOutGraph(plan, "round").heads.map(({ text }) => text)).toEqual(["round 1", "round 2"]);
    expect(byDepth.links).toHaveLength(3);
  });

  test("continues a long column beside it, without overlaps", () => {
    const steps = stepsOf(`*${"+".repeat(300)}`);
    const links = steps.slice(1).map(({ id }) => ({ from: 1, to: id, relation: "called-by" }));
    const layout = layOutGraph({ steps, links }, "depth");
    expect(layout.heads).toHaveLength(2);
    expect(new Set(layout.steps.map(({ x, y }) => `${x} ${y}`)).size).toBe(301);
    expect(Math.max(...layout.steps.map(({ y }) => y))).toBeLessThan(1200);
    expect(layout.steps.every(({ x, y }) => x < layout.width && y < layout.height)).toBe(true);
  });

  // Columns: 1 5 | 2 3 | 4, where 3 caused 4.
  const layout = layOutGraph({ steps: stepsOf("*+++."), links: linksOf("1>2 1>3 3>4") }, "depth");
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
  ] as const)("the arrow key or command in %j selects step %j", (written, to) => {
    const [from, direction] = written.split(" ");
    expect(tryNavigate(layout, Number(from), direction as "left")).toBe(to);
  });

  test("selects the first step when no step is selected", () => {
    expect(tryNavigate(layout, undefined, "down")).toBe(1);
    expect(tryNavigate({ steps: [], links: [] }, undefined, "down")).toBeUndefined();
  });

  test("finds the steps on the paths to and from a step", () => {
    expect([...relatedSteps(layout.links, 3)].sort()).toEqual([1, 3, 4]);
    expect([...relatedSteps(layout.links, 5)]).toEqual([5]);
  });
});

test("tallyOf counts steps by status, and progressOf does not count the seeds", () => {
  expect(tallyOf(stepsOf("*++!.-")).map((pair) => pair.join(" "))).toEqual([
    ...["pending 1", "obligation 1", "changed 1", "done 2", "dropped 1"],
  ]);
  expect(progressOf(stepsOf("*+=!.-")).share).toBe(0.75);
  expect(progressOf(stepsOf("*")).share).toBe(0);
});

test("filterSteps filters steps by words and by status", () => {
  const ids = (filter: typeof defaultFilter) => filterSteps(stepsOf("*+-!"), filter).map(({ id }) => id);
  expect(ids(defaultFilter)).toEqual([1, 2, 4]);
  expect(ids({ ...defaultFilter, words: "function F2" })).toEqual([2]);
  expect(ids(toggleStatus(toggleStatus(defaultFilter, "dropped"), "done"))).toEqual([1, 3, 4]);
});

describe("the form of a plan", () => {
  const cursor = { uri: "file:///a.ts", line: 4 };
  test.each<[name: string, part: Partial<PlanFormDraft>, params: object]>([
    ["default values", {}, {}],
    ["a range", { startFrom: "range", range: " main... " }, { seed: "main..." }],
    ["the cursor", { startFrom: "cursor", instruction: "Take a rate." }, { at: cursor, instruction: "Take a rate." }],
    [
      "verification commands",
      { startFrom: "findings", verifiers: "npx tsc\n\n make \n" },
      { seed: "findings", verifiers: ["npx tsc", "make"] },
    ],
    ["no model", { usesModel: false }, { models: [] }],
    ["limits", { maxSteps: "30", maxTokens: "9" }, { maxSteps: 30, maxTokens: 9 }],
  ])("with %s gives the parameters of the request", (_, part, params) => {
    expect(readDraft({ ...defaultDraft, ...part }, cursor)).toEqual({ kind: "ready", params });
  });

  test.each<[part: Partial<PlanFormDraft>, what: string]>([
    [{ startFrom: "range" }, "commit range"],
    [{ startFrom: "cursor" }, "Enter an instruction"],
    [{ startFrom: "cursor", instruction: "x" }, "Open a file"],
    [{ startFrom: "findings" }, "verification command"],
    [{ maxRounds: "many" }, "integer"],
  ])("%j is reported as incomplete", (part, what) => {
    const read = readDraft({ ...defaultDraft, ...part }, undefined);
    expect(read).toMatchObject({ kind: "missing", what: expect.stringContaining(what) });
  });
});
