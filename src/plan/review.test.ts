import { describe, expect, test } from "vitest";
import { minimalEdit, workspaceEdit } from "../text/index.ts";
import { type PlanCase, type PlayedPlan, playPlan } from "./fixtures/play-plan.ts";
import { ScriptedStep } from "./fixtures/scripted-step.ts";
import { type PlanSeed, planEventToJson } from "./plan-event.ts";
import { rejectStep } from "./review.ts";

const fn = (name: string, calls: string) =>
  `${calls === "" ? "" : `import { ${calls} } from "./${calls}.ts";\n\n`}export function ${name}(): number {\n  return ${calls === "" ? "1" : `${calls}()`};\n}\n`;

/** b calls a, c calls b, d calls c, and both too. */
const files = {
  "a.ts": fn("a", ""),
  "b.ts": fn("b", "a"),
  "c.ts": fn("c", "b"),
  "d.ts":
    'import { b } from "./b.ts";\nimport { e } from "./e.ts";\n\nexport function d(): number {\n  return b() + e();\n}\n',
  "e.ts": fn("e", ""),
};
const seedAt = (path: "a.ts" | "e.ts"): PlanSeed => {
  const after = files[path].replace("()", "(x: number)");
  return { kind: "edits", edit: workspaceEdit([{ kind: "edit", uri: path, edit: minimalEdit(files[path], after) }]) };
};
const grown = (name: string) => (text: string) => text.replace(`${name}(): number`, `${name}(x: number): number`);
const script = () =>
  new ScriptedStep({ b: grown("b"), c: grown("c"), d: (text) => text.replace("b() + e()", "b(1) + e(1)") });

const planCase = (): PlanCase => ({ files, seeds: [seedAt("a.ts"), seedAt("e.ts")], modelStep: script() });

const steps = ({ state }: PlayedPlan) =>
  state.graph.steps.map(({ id, block, status }) => `${id} ${block.name} ${status}`);

/**
 * Rejects a step and runs the plan again with a limit of no tokens, so that it stops before the
 * first request.
 */
async function rejected(
  played: PlayedPlan,
  id: number,
  more: Partial<PlanCase> = { limits: { maxTokens: 0 } },
): Promise<PlayedPlan> {
  const answer = rejectStep(played.state, id, "not this way");
  if (answer.kind === "refused") throw new Error(answer.message);
  const journal = [...played.lines, planEventToJson(answer.event)];
  return playPlan({ ...planCase(), journal, options: { continues: true }, ...more });
}

test("the plan under review has the recorded events", async () => {
  expect(steps(await playPlan(planCase()))).toEqual(["1 a done", "2 e done", "3 b done", "4 d done", "5 c done"]);
});

describe("rejectStep", () => {
  test("of a step without consequences reverts its text only", async () => {
    const played = await playPlan(planCase());
    const after = await rejected(played, 5);
    expect(steps(after)).toEqual(["1 a done", "2 e done", "3 b done", "4 d done", "5 c rejected"]);
    expect(after.texts).toEqual({ ...played.texts, "c.ts": files["c.ts"] });
  });

  test("drops steps without another cause and makes the others pending again", async () => {
    const played = await playPlan(planCase());
    const after = await rejected(played, 3);
    expect(steps(after)).toEqual(["1 a done", "2 e done", "3 b rejected", "4 d pending", "5 c dropped"]);
    expect(after.texts).toEqual({
      ...played.texts,
      "b.ts": files["b.ts"],
      "c.ts": files["c.ts"],
      "d.ts": files["d.ts"],
    });
    expect(after.state.graph.step(4).causes).toEqual([
      { kind: "change", from: 2, label: "MMS", relation: "called-by", hops: 1 },
    ]);
    await expect(after.transcript).toMatchFileSnapshot("./fixtures/transcripts/rejection.txt");
  });

  test("lets the plan continue after it", async () => {
    const modelStep = new ScriptedStep({ d: (text) => text.replace("e()", "e(2)") });
    const after = await rejected(await playPlan(planCase()), 3, { modelStep });
    expect(after.texts["d.ts"]).toContain("return b() + e(2);");
    expect(steps(after)).toEqual(["1 a done", "2 e done", "3 b rejected", "4 d done", "5 c dropped"]);
  });

  test("of a step whose lines were changed again makes the later step pending again", async () => {
    const twice = { "a.ts": "export function a(): number {\n  return 1;\n}\n" };
    const seeds = ["first", "second"].map(
      (instruction) => ({ kind: "instruction", block: "a.ts|function:a", instruction }) as const,
    );
    const modelStep = () =>
      new ScriptedStep({ a: (text) => text.replace(/return (\d)/, (_, digit) => `return ${Number(digit) + 1}`) });
    const played = await playPlan({ files: twice, seeds, modelStep: modelStep() });
    expect(played.texts["a.ts"]).toContain("return 3");
    const after = await rejected(played, 1, { files: twice, seeds, modelStep: modelStep() });
    expect(steps(after)).toEqual(["1 a rejected", "2 a done"]);
    expect(after.texts["a.ts"]).toContain("return 2");
  });

  describe("of a step whose block is broken without it", () => {
    const rejectedC = (more: Partial<PlanCase>) =>
      playPlan({ ...planCase(), ...more }).then((played) => rejected(played, 5, { modelStep: script(), ...more }));
    const open = ({ state }: PlayedPlan) => {
      const left = state.graph.steps.filter(({ status }) => status === "obligation");
      return [
        state.ended?.why,
        ...left.map(({ id, block, note, proposal = "" }) => `${id} ${block.name}: ${note}${proposal}`),
      ];
    };
    /** Reports an error in `c` unless it takes `x`. */
    const isBroken = (text: string | undefined) => text !== undefined && !text.includes("c(x: number)");

    test("leaves it to the person with the errors of the type checker", async () => {
      const mechanical: PlanCase["mechanical"] = {
        tryEdit: async () => undefined,
        leftIn: async ({ block, text }) =>
          block.name === "c" && isBroken(text)
            ? { errors: [{ code: "1", message: "b takes 1.", names: [], line: 4 }], proposal: "@@" }
            : { errors: [] },
      };
      const after = await rejectedC({ mechanical });
      expect(open(after)).toEqual([
        "obligations",
        "5 c: Rejected (not this way); the type checker reports an error here without that change.",
      ]);
    });

    test("leaves it to the person with the finding of a verification command, and requests no model", async () => {
      const check: PlanCase["check"] = (texts) =>
        isBroken(texts.get("c.ts")) && texts.get("b.ts")!.includes("x: number")
          ? [{ path: "c.ts", line: 4, column: 0, message: "b takes 1.", code: "1", severity: "error", source: "check" }]
          : [];
      const after = await rejectedC({ check });
      expect(open(after)).toEqual([
        "obligations",
        "6 c: A change of this block was rejected, and a check finds errors here without it.",
      ]);
      expect(after.texts["c.ts"]).toBe(files["c.ts"]);
    });
  });

  test.each([
    [9, "There is no step 9: the plan has 2."],
    [2, "Step 2 is obligation: only a step that is done can be rejected."],
    [
      1,
      "Step 1 is your own change, which a plan does not revert. Reject a step that followed from it, or change it yourself and start a new plan.",
    ],
  ])("refuses step %i", async (id, message) => {
    const { state } = await playPlan({
      files: { "a.ts": files["a.ts"], "b.ts": files["b.ts"] },
      seeds: [seedAt("a.ts")],
    });
    expect(rejectStep(state, id)).toEqual({ kind: "refused", message });
  });
});
