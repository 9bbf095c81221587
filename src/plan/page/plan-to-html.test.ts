import fc from "fast-check";
import { afterAll, describe, expect, test } from "vitest";
import { readMarkup } from "../../analysis/impact/reports/fixtures/read-markup.ts";
import { listAndGraphScript } from "../../analysis/index.ts";
import { openSyntax } from "../../syntax/node/index.ts";
import { complexAnswers, complexFiles, complexInstruction, complexSeed } from "../fixtures/complex-numbers.ts";
import { type PlayedPlan, playPlan } from "../fixtures/play-plan.ts";
import { foldPlan } from "../plan-state.ts";
import { keepingScript, planStyle, toPlanHtml } from "./plan-to-html.ts";
import { type PlanView, planViewOf, type StepView, type StepViewStatus } from "./plan-view.ts";
import { stepDepths } from "./step-depths.ts";

const syntax = openSyntax();
afterAll(() => syntax[Symbol.dispose]());

const price = { shownToken: 3e-6, writtenToken: 15e-6 };

function playComplex(most?: number): Promise<PlayedPlan> {
  return playPlan({
    ...{ files: complexFiles, seeds: [complexSeed], instruction: complexInstruction, answers: complexAnswers, syntax },
    check: () => [],
    ...(most !== undefined && { most }),
  });
}

function pageOf({ state, events }: PlayedPlan): string {
  return toPlanHtml(planViewOf(state, events, { price, maxCost: 2 }));
}

test("toPlanHtml gives the recorded page, without its style and script", async () => {
  const page = pageOf(await playComplex());
  const body = page.replace(/(<(style|script)>)[\s\S]*?(<\/\2>)/g, "$1…$3");
  await expect(body).toMatchFileSnapshot("../fixtures/pages/complex-numbers.html.txt");
});

test("toPlanHtml puts the graph first and adds a style where that is requested, and marks code", () => {
  const view = { ...viewOf(["a"], ["done"]), end: "Run `emend plan apply`." };
  const page = toPlanHtml(view, { style: "body { color: red; }", isGraphFirst: true });
  expect(page.indexOf('id="graph-title"')).toBeLessThan(page.indexOf('id="steps-title"'));
  expect(page).toMatch(/body \{ color: red; \}\s*<\/style>/);
  expect(page).toContain("Run <code>emend plan apply</code>.");
});

test("toPlanHtml reloads the page while the plan runs and not after its end", async () => {
  expect(pageOf(await playComplex(3))).toContain('<meta http-equiv="refresh" content="2" />');
  expect(pageOf(await playComplex())).not.toContain('http-equiv="refresh"');
});

test("a step waits for a model only while the plan runs", async () => {
  const { events } = await playComplex();
  const states = events.map((_, at) => foldPlan(events.slice(0, at + 1)));
  const requesting = states.find(({ begun }) => begun.size > 0)!;
  const requested = (...view: Parameters<typeof planViewOf>) =>
    planViewOf(...view).steps.filter(({ status }) => status === "requested").length;
  expect(requested(requesting, [])).toBe(requesting.begun.size);
  expect(requested(requesting, [], { isStopped: true })).toBe(0);
  expect(requested({ ...requesting, ended: { why: "failed" } }, [])).toBe(0);
});

/** A step with a name only. */
function stepOf(id: number, name: string, status: StepViewStatus): StepView {
  return {
    ...{ id, status, name, path: name, block: `function ${name} in ${name}`, round: 1, likelihood: 0.5 },
    ...{
      reasons: [name],
      note: name,
      author: name,
      diff: `--- a\n+++ b\n@@ -1 +1 @@\n-${name}\n+${name}\n`,
      proposals: [name],
    },
  };
}

function viewOf(names: readonly string[], statuses: readonly StepViewStatus[]): PlanView {
  return {
    ...{
      plan: names[0]!,
      title: names[0]!,
      instruction: names[0]!,
      base: names[0]!,
      end: names[0]!,
      progress: names[0]!,
    },
    tokens: { shown: 1, written: 2 },
    steps: names.map((name, index) => stepOf(index + 1, name, statuses[index % statuses.length]!)),
    links: names.slice(1).map((name, index) => ({ from: index + 1, to: index + 2, relation: name })),
    verdicts: [
      {
        round: 0,
        verifier: names[0]!,
        verdict: "findings",
        summary: names[0]!,
        findings: names,
        count: names.length + 3,
      },
    ],
  };
}

const wild = ["<script>alert(1)</script>", '"></li><b onclick="x">', "]]>", "a & b", "line\nend", "\u0000\ud800", ""];
const anyName = fc.oneof(fc.constantFrom(...wild), fc.string({ unit: "binary", maxLength: 12 }));
const anyStatus = fc.constantFrom<StepViewStatus>(
  "changed",
  "pending",
  "requested",
  "done",
  "unchanged",
  "obligation",
  "rejected",
  "dropped",
);
const anyView = fc
  .tuple(fc.array(anyName, { minLength: 1, maxLength: 8 }), fc.array(anyStatus, { minLength: 1, maxLength: 8 }))
  .map(([names, statuses]) => viewOf(names, statuses));

describe("for any names of blocks, files, notes and commands", () => {
  test("the page is well-formed, contains each step, and has no external reference", () => {
    fc.assert(
      fc.property(anyView, (view) => {
        const elements = readMarkup(toPlanHtml(view));
        const steps = elements.filter(({ name, attributes }) => name === "li" && attributes.has("data-id"));
        expect(steps.length).toBe(view.steps.length);
        expect(elements.filter(({ name }) => name === "script").length).toBe(1);
        for (const { name, attributes } of elements) {
          expect(["a", "link", "img", "iframe", "object", "use", "base"]).not.toContain(name);
          for (const attribute of attributes.keys())
            expect(attribute).not.toMatch(/^(src|href|xlink:href|action|on.*)$/);
        }
      }),
    );
  });
});

test("the page's own style and script contain no external reference, and the script is valid", () => {
  for (const part of [planStyle, keepingScript]) {
    expect(part).not.toMatch(/https?:|\/\/[a-z]|@import|url\(|fetch|XMLHttpRequest|WebSocket|import\(/i);
    expect(part).not.toMatch(/[<&]/);
  }
  expect(() => new Function(`${listAndGraphScript}${keepingScript}`)).not.toThrow();
});

test("of many steps those with changes are drawn, and the number of others is shown", () => {
  const names = Array.from({ length: 400 }, (_, index) => `f${index}`);
  const page = toPlanHtml(viewOf(names, ["unchanged", "done", "obligation"]));
  expect(page).toContain("250 steps are not drawn");
  const drawn = readMarkup(page).flatMap(({ attributes }) => attributes.get("class")?.match(/^node (.*)$/)?.[1] ?? []);
  expect([drawn.length, drawn.includes("unchanged")]).toEqual([150, false]);
});

test.each([
  ["1>2 2>3 1>3", "1:0 2:1 3:2"],
  ["3>1 1>2", "1:1 2:2 3:0"],
  ["", "1:0 2:0 3:0"],
])("stepDepths of %j are %j", (written, depths) => {
  const links = written.split(" ").flatMap((link) => {
    const [from, to] = link.split(">").map(Number);
    return to === undefined ? [] : [{ from: from!, to, relation: "used-by" }];
  });
  const found = stepDepths([{ id: 1 }, { id: 2 }, { id: 3 }], links);
  expect(
    [...found]
      .sort(([a], [b]) => a - b)
      .map((pair) => pair.join(":"))
      .join(" "),
  ).toBe(depths);
});

test("stepDepths ends for a cycle", () => {
  const links = [
    { from: 1, to: 2, relation: "" },
    { from: 2, to: 1, relation: "" },
  ];
  expect(stepDepths([{ id: 1 }, { id: 2 }], links).size).toBe(2);
});
