import { afterAll, expect, test } from "vitest";
import { openSyntax } from "../syntax/node/index.ts";
import {
  complexAnswers,
  complexFiles,
  complexFilesAfter,
  complexInstruction,
  complexSeed,
} from "./fixtures/complex-numbers.ts";
import { playPlan } from "./fixtures/play-plan.ts";

const syntax = openSyntax();
afterAll(() => syntax[Symbol.dispose]());

const scene = {
  files: complexFiles,
  seeds: [complexSeed],
  instruction: complexInstruction,
  answers: complexAnswers,
  syntax,
};

test("a library's change is carried to those that call it, and to those that call them", async () => {
  const { texts, transcript, state } = await playPlan(scene);
  expect(texts).toEqual(complexFilesAfter);
  expect(state.ended).toEqual({ why: "content" });
  await expect(transcript).toMatchFileSnapshot("./fixtures/transcripts/complex-numbers.txt");
});

test("the model is told the change that caused the step, what the block uses, and why", async () => {
  const { model } = await playPlan(scene);
  const asked = model.asked.find((question) => question.includes("it is about the function process"))!;
  await expect(asked).toMatchFileSnapshot("./fixtures/transcripts/complex-numbers-process.md");
});

test("a kill at any event boundary comes to the same texts, and repeats no question", async () => {
  const whole = await playPlan(scene);
  for (let kept = 0; kept <= whole.lines.length; kept++) {
    const journal = whole.lines.slice(0, kept);
    const again = await playPlan({ ...scene, journal });
    expect(again.texts, `after ${kept} events`).toEqual(whole.texts);
    expect(again.transcript).toEqual(whole.transcript);
    const answered = journal.filter((line) => line.includes('"kind":"model-answered"')).length;
    expect(again.model.asked.length).toBe(whole.model.asked.length - answered);
  }
});
