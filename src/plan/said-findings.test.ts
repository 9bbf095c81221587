import { expect, test } from "vitest";
import { type PlanScene, playPlan } from "./fixtures/play-plan.ts";
import { ScriptedStep } from "./fixtures/scripted-step.ts";
import { type Finding, finding } from "./oracles/finding.ts";

const files = {
  "a.ts": "export function a(): number {\n  return 1;\n}\n\nexport function b(): number {\n  return 2;\n}\n",
};

function error(line: number, message: string, code = "E1"): Finding {
  return finding({ path: "a.ts", line, column: 2, severity: "error", source: "check", code, message });
}

/** A plan that begins with what was said of the line of `a`, and what became of it: `1 a done`. */
async function playSaid(findings: readonly Finding[], more: Partial<PlanScene>) {
  const scene = { files, seeds: [{ kind: "findings", said: { by: "log", findings } } as const], ...more };
  const { state } = await playPlan(scene);
  return [...state.graph.steps.map(({ id, block, status }) => `${id} ${block.name} ${status}`), state.ended!.why];
}

test("what was said is asked about once: a later look is not at those texts", async () => {
  const modelStep = new ScriptedStep({});
  expect(await playSaid([error(1, "wrong")], { modelStep })).toEqual(["1 a unchanged", "content"]);
  expect(modelStep.asked).toEqual(["a"]);
});

test("an oracle that still says it sends the plan on, though it said so before", async () => {
  const modelStep = new ScriptedStep({ a: (text) => text.replace("1;", "11;") });
  const check: PlanScene["check"] = () => [error(1, "wrong"), error(5, "old, and of no concern")];
  const ends = await playSaid([error(1, "wrong")], { modelStep, check, limits: { maxVisits: 2 } });
  expect(ends).toEqual(["1 a done", "2 a done", "3 a obligation", "obligations"]);
});

test("what lies in no block is told at the end", async () => {
  const { state } = await playPlan({
    files,
    seeds: [{ kind: "findings", said: { by: "log", findings: [error(3, "between")] } }],
  });
  expect(state.ended).toEqual({
    why: "obligations",
    note: "Errors that lie in no block: a.ts:4:3 error E1 (check) between",
  });
});

test("a plan that was killed while it took in what was said goes on to the same end", async () => {
  const said = { kind: "findings", said: { by: "log", findings: [error(1, "wrong")] } } as const;
  const scene = { files, seeds: [said], check: () => [] };
  const whole = await playPlan(scene);
  for (let kept = 0; kept <= whole.lines.length; kept++) {
    const again = await playPlan({ ...scene, journal: whole.lines.slice(0, kept) });
    expect(again.transcript).toBe(whole.transcript);
  }
});
