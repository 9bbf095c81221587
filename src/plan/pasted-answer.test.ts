import { afterAll, describe, expect, test } from "vitest";
import { RegionGuides } from "../edit/index.ts";
import { grammarFor, threadSlices } from "../grammar/node/index.ts";
import { openSyntax } from "../syntax/node/index.ts";
import { complexFiles, complexFilesAfter, complexInstruction, complexSeed } from "./fixtures/complex-numbers.ts";
import { NameImpact } from "./fixtures/name-impact.ts";
import { fenced, type PlayedPlan, playPlan } from "./fixtures/play-plan.ts";
import { readPastedAnswer } from "./model-step.ts";
import { openSteps } from "./open-step.ts";
import type { StepId } from "./plan-graph.ts";

const syntax = openSyntax();
afterAll(() => syntax[Symbol.dispose]());
const parts = { syntax, guides: new RegionGuides({ load: grammarFor, slices: threadSlices }) };

const planCase = { files: complexFiles, seeds: [complexSeed], instruction: complexInstruction };

/** The plan without a model, and its open steps. */
async function playAlone() {
  const played = await playPlan(planCase);
  const { graph } = new NameImpact(played.texts);
  const open = await openSteps(played.state, graph, async (path) => played.texts[path]);
  return { ...played, open };
}

function answered(before: PlayedPlan, id: StepId, text: string): Promise<PlayedPlan> {
  const answer = {
    id,
    answer: (question: Parameters<typeof readPastedAnswer>[0]) => readPastedAnswer(question, text, parts),
  };
  return playPlan({ ...planCase, journal: before.lines, options: { continues: true, manualResults: [answer] } });
}

const funcAfter = complexFilesAfter["create.ts"].slice(complexFilesAfter["create.ts"].indexOf("/** A number"));
const processAfter = complexFilesAfter["process.ts"].slice(complexFilesAfter["process.ts"].indexOf("export function"));

test("openSteps contain the prompt for a model", async () => {
  const { open } = await playAlone();
  expect(open.map(({ path, line, name, status }) => `${path}:${line} ${name} ${status}`)).toEqual([
    "create.ts:4 func obligation",
  ]);
  const [system, user] = open[0]!.prompt!;
  expect(system!.text).toContain("in one fence");
  expect(user!.text).toContain("changed its signature (+metadata); this block calls it.");
  expect(user!.text).toContain("+export class Complex {");
});

describe("a pasted answer", () => {
  test("becomes the block's text, and the plan continues with its consequences", async () => {
    const first = await playAlone();
    const second = await answered(first, 2, `Sure, here it is:\n\n${fenced(funcAfter.trimEnd())}`);
    expect(second.texts["create.ts"]).toContain(funcAfter);
    expect(second.state.graph.step(2)).toMatchObject({ status: "done", rewrite: { by: { kind: "person" } } });
    const [next] = second.state.graph.steps.filter(({ status }) => status === "obligation");
    expect(next!.block.name).toBe("process");
    const third = await answered(second, next!.id, fenced(processAfter.trimEnd()));
    expect(third.texts["process.ts"]).toContain(processAfter);
    expect(third.state.ended?.why).toBe("done");
  });

  test("gets a note about the imports that it may need", async () => {
    const second = await answered(await playAlone(), 2, fenced(funcAfter.trimEnd()));
    expect(second.state.graph.step(2).note).toBe(
      "From a pasted answer. The new text uses `Complex`, which the file did not contain: check its imports.",
    );
  });

  test('may be "No changes."', async () => {
    const second = await answered(await playAlone(), 2, "No changes.");
    expect(second.state.graph.step(2)).toMatchObject({
      status: "unchanged",
      note: "The answer was that nothing has to change.",
    });
    expect(second.state.ended?.why).toBe("done");
  });

  test.each([
    ["talk alone", "I am sorry, I cannot help with that."],
    ["what is no code of the language", fenced("export function func( {")],
    ["two texts", `${fenced("a();")}\nor\n${fenced("b();")}`],
  ])("is refused when it contains %s, and the journal stays unchanged", async (_, text) => {
    const first = await playAlone();
    const growing = [...first.lines];
    const answer = {
      id: 2,
      answer: (question: Parameters<typeof readPastedAnswer>[0]) => readPastedAnswer(question, text, parts),
    };
    const again = playPlan({ ...planCase, growing, options: { continues: true, manualResults: [answer] } });
    await expect(again).rejects.toThrow("The answer cannot be used: ");
    expect(growing).toEqual(first.lines);
  });

  test("is refused for a step that is not open", async () => {
    const first = await playAlone();
    await expect(answered(first, 1, "x")).rejects.toThrow(
      "Step 1 is done: only steps that are left to you can be completed by hand.",
    );
    await expect(answered(first, 9, "x")).rejects.toThrow("There is no step 9: the plan has 2.");
  });
});
