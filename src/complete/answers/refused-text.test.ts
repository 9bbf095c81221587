import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { memberTable } from "../../grammar/fixtures/member-table.ts";
import { closing } from "../../syntax/node/fixtures/closing.ts";
import { openSyntax } from "../../syntax/node/index.ts";
import { Scene, type SceneOptions } from "../fixtures/scene.ts";
import type { ScriptedModelOptions, ScriptStep } from "../fixtures/scripted-model.ts";
import { printRefusal, tryFirstLine } from "./refused-text.ts";

const syntax = openSyntax();
beforeAll(() => syntax.load("typescript"));
afterAll(() => syntax[Symbol.dispose]());

/** What is reported of a scene's answer once an `x` was typed at the `|`. */
async function outcomeOf(text: string, steps: readonly ScriptStep[], options: Partial<SceneOptions> = {}) {
  const scene = closing(new Scene({ syntax, text, models: { remote: () => steps }, ...options }));
  await scene.type("x");
  await scene.pass(1000);
  return scene.outcome!;
}

/** What was refused of an answer, a line each. */
async function refused(text: string, answer: string, options: Partial<SceneOptions> = {}) {
  const outcome = await outcomeOf(text, [answer], options);
  return outcome.refused?.map((one) => `${one.line} (${one.kind} of ${one.model}): ${printRefusal(one)}`);
}

describe("the outcome lists rejected text of answers", () => {
  test.each<[text: string, answer: string, refusals: readonly string[] | undefined]>([
    ["const a = |\n", " + 1;", undefined],
    [
      "const a = |\n",
      " + 1;\nconst b = 2;\nconst c = 3;",
      ["const b = 2; (cut of remote): cut to the number of lines that is allowed here"],
    ],
    [
      "const a = |\n",
      " + 1;<|endoftext|>more",
      ["<|endoftext|>more (cut of remote): cut at a special token of the model"],
    ],
    ["const a = |\n", " + b c;", ["c; (cut of remote): shortened to avoid a syntax error"]],
    [
      "const a = |;\n",
      "(g(1)",
      [
        "(g(1) (thrown-away of remote): The answer, and every beginning of it, would break the syntax: its brackets have no partners",
      ],
    ],
    [
      "const a = |\n",
      "<|fim_pad|>",
      [
        "<|fim_pad|> (thrown-away of remote): The model's answer was empty after text that is already there was removed.",
      ],
    ],
  ])("%j with %j", async (text, answer, refusals) => {
    expect(await refused(text, answer)).toEqual(refusals);
  });

  test("text that the grammar guide rejects is listed", async () => {
    const guide = () => ({ allows: (text: string) => !text.includes("!"), mayEnd: () => true });
    const settings = { guide: "always" } as const;
    expect(await refused("const a = |\n", " + b!.c;", { guide, settings })).toEqual([
      "!.c; (cut of remote): shortened to avoid a syntax error",
    ]);
    const script: ScriptedModelOptions["script"] = ({ guide: own }) => {
      own?.allows(" + b");
      own?.allows(" + b\n  + c!");
      return [" + b;"];
    };
    const outcome = await outcomeOf("const a = |\n", [], { guide, followsGuide: true, models: { remote: script } });
    expect(outcome.refused).toEqual([{ kind: "not-allowed", line: "+ c!", model: "remote", by: "grammar" }]);
  });

  test("names that are no members of the type are listed", async () => {
    const source = memberTable({ ring: "area move" });
    const options = { members: () => source, settings: { members: "on" } } as const;
    const refusals = await refused("const a = ring.|\n", "aera();", options);
    expect(refusals).toContain("xaera (not-allowed of remote): types have no such member");
  });
});

describe("the log of a model request", () => {
  test("the wait for the first part of a streamed answer is a step of the trace", async () => {
    const pieces = await outcomeOf("const a = |\n", [40, " + ", 20, "1;"]);
    expect(pieces.trace.filter(({ step }) => step === "first-token" || step === "model")).toMatchObject([
      { step: "first-token", tookMs: 40 },
      { step: "model", tookMs: 20 },
    ]);
    const whole = await outcomeOf("const a = |\n", [40, " + 1;"]);
    expect(whole.trace.map(({ step }) => step)).not.toContain("first-token");
  });

  test("a cached answer has the prompt and the evidence of its request", async () => {
    const evidence = [{ text: " +", probability: 0.5, contexts: ["last token"] }];
    const scene = closing(
      new Scene({
        ...{ syntax, text: "const a = |\n" },
        models: { remote: () => [" + 1;", { reason: "finished", probability: 0.4, evidence }] },
      }),
    );
    await scene.type("x");
    await scene.pass(1000);
    expect(scene.outcome).toMatchObject({ evidence, prompt: { prefix: "const a = x" } });
    await scene.type(" ");
    await scene.pass(1000);
    expect(scene.show()).toMatch(/^typed-as-suggested: /);
    expect(scene.outcome).toMatchObject({ evidence, prompt: { prefix: "const a = x" } });
  });

  test("the reason and the withheld text of a model without an answer are listed", async () => {
    const withheld = { why: "it is not confident enough", text: " + 1;", probability: 0.1 };
    const outcome = await outcomeOf("const a = |\n", [{ reason: "silent", withheld }]);
    expect(outcome).toMatchObject({
      reason: { kind: "model-silent", why: "it is not confident enough" },
      refused: [{ line: "+ 1;", model: "remote", reason: { why: "its answer has a probability of only 10 %" } }],
    });
  });
});

test.each([
  ["", undefined],
  [" \n\t\n", undefined],
  ["\n  return a;  \n}", "return a;"],
  ["x".repeat(200), `${"x".repeat(119)}…`],
])("the first line of %j is %j", (text, line) => {
  expect(tryFirstLine(text)).toBe(line);
});
