import { expect, test } from "vitest";
import { type PlanCase, playPlan } from "./fixtures/play-plan.ts";
import { ScriptedStep } from "./fixtures/scripted-step.ts";
import { type Finding, finding } from "./verification/finding.ts";

const files = {
  "a.ts": "export function a(): number {\n  return 1;\n}\n\nexport function b(): number {\n  return 2;\n}\n",
};

function error(line: number, message: string, code = "E1"): Finding {
  return finding({ path: "a.ts", line, column: 2, severity: "error", source: "check", code, message });
}

/**
 * The steps of a plan with given findings in the line of `a`, as `1 a done`, and the end of the
 * plan.
 */
async function runGivenFindings(findings: readonly Finding[], more: Partial<PlanCase>) {
  const planCase = { files, seeds: [{ kind: "findings", given: { source: "log", findings } } as const], ...more };
  const { state } = await playPlan(planCase);
  return [...state.graph.steps.map(({ id, block, status }) => `${id} ${block.name} ${status}`), state.ended!.why];
}

test("given findings are used once, because later rounds have other texts", async () => {
  const modelStep = new ScriptedStep({});
  expect(await runGivenFindings([error(1, "wrong")], { modelStep })).toEqual(["1 a unchanged", "done"]);
  expect(modelStep.requests).toEqual(["a"]);
});

test("a given finding that the command still reports starts a new round", async () => {
  const modelStep = new ScriptedStep({ a: (text) => text.replace("1;", "11;") });
  const check: PlanCase["check"] = () => [error(1, "wrong"), error(5, "old, and of no concern")];
  const ends = await runGivenFindings([error(1, "wrong")], { modelStep, check, limits: { maxVisits: 2 } });
  expect(ends).toEqual(["1 a done", "2 a done", "3 a obligation", "obligations"]);
});

test("a given finding outside all blocks is reported at the end", async () => {
  const { state } = await playPlan({
    files,
    seeds: [{ kind: "findings", given: { source: "log", findings: [error(3, "between")] } }],
  });
  expect(state.ended).toEqual({
    why: "obligations",
    note: "Errors outside all blocks: a.ts:4:3 error E1 (check) between",
  });
});

test("a plan that was killed while it stored given findings comes to the same end", async () => {
  const given = { kind: "findings", given: { source: "log", findings: [error(1, "wrong")] } } as const;
  const planCase = { files, seeds: [given], check: () => [] };
  const complete = await playPlan(planCase);
  for (let count = 0; count <= complete.lines.length; count++) {
    const again = await playPlan({ ...planCase, journal: complete.lines.slice(0, count) });
    expect(again.transcript).toBe(complete.transcript);
  }
});
