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

const planCase = {
  files: complexFiles,
  seeds: [complexSeed],
  instruction: complexInstruction,
  answers: complexAnswers,
  syntax,
};

test("a library's change is followed to its callers and their callers", async () => {
  const { texts, transcript, state } = await playPlan(planCase);
  expect(texts).toEqual(complexFilesAfter);
  expect(state.ended).toEqual({ why: "done" });
  await expect(transcript).toMatchFileSnapshot("./fixtures/transcripts/complex-numbers.txt");
});

test("the prompt contains the change that caused the step, the block's dependencies and the reason", async () => {
  const { model } = await playPlan(planCase);
  const request = model.requests.find((question) => question.includes("it is about the function process"))!;
  await expect(request).toMatchFileSnapshot("./fixtures/transcripts/complex-numbers-process.md");
});

test("after a kill at any event the plan comes to the same texts and repeats no request", async () => {
  const complete = await playPlan(planCase);
  for (let count = 0; count <= complete.lines.length; count++) {
    const journal = complete.lines.slice(0, count);
    const again = await playPlan({ ...planCase, journal });
    expect(again.texts, `after ${count} events`).toEqual(complete.texts);
    expect(again.transcript).toEqual(complete.transcript);
    const answered = journal.filter((line) => line.includes('"kind":"model-answered"')).length;
    expect(again.model.requests.length).toBe(complete.model.requests.length - answered);
  }
});
