import { expect, test } from "vitest";
import type { Model, ModelEnd } from "../model/index.ts";
import type { ModelAnswer } from "./plan-event.ts";
import { rememberedModel } from "./remembered-model.ts";

const request = { messages: [{ role: "user", text: "Why?" }] } as const;

function scene(pieces: readonly (string | Error)[], reason: ModelEnd["reason"] = "finished") {
  const answers = new Map<string, ModelAnswer>();
  const calls: string[] = [];
  const model: Model = {
    name: "m",
    async *chat({ messages }) {
      calls.push(messages.at(-1)!.text);
      for (const piece of pieces) {
        if (piece instanceof Error) throw piece;
        yield { kind: "text-delta", text: piece };
      }
      return { reason };
    },
  };
  const stopping = new AbortController();
  const remember = (step = 1) =>
    rememberedModel(model, {
      ...{ step, signal: stopping.signal, tryAnswer: (question) => answers.get(question) },
      record: async (question, answer) => void answers.set(question, answer),
    });
  return { answers, calls, remember, stopping };
}

/** What is heard: each piece, how it ended; `most` pieces at most. */
async function hear(model: Model, most = 99, signal?: AbortSignal): Promise<readonly string[]> {
  const heard: string[] = [];
  const parts = model.chat!(request, signal && { signal });
  for (;;) {
    const step = await parts.next();
    if (step.done) return [...heard, `(${step.value.reason})`];
    heard.push(step.value.text);
    if (heard.length === most) {
      await parts.return({ reason: "finished" });
      return heard;
    }
  }
}

test("an answer is heard line by line, kept before its end is told, and not asked for twice", async () => {
  const { remember, answers, calls } = scene(["a", "b\nc", "\n\nd"]);
  const lines = ["ab\n", "c\n", "\n", "d", "(finished)"];
  expect(await hear(remember())).toEqual(lines);
  expect([...answers.values()]).toEqual([
    { text: "ab\nc\n\nd", end: "finished", shownTokens: 2, writtenTokens: expect.any(Number) },
  ]);
  expect(await hear(remember())).toEqual(lines);
  expect(calls).toEqual(["Why?"]);
});

test("another step's question is another", async () => {
  const { remember, calls } = scene(["a"]);
  await hear(remember(1));
  await hear(remember(2));
  expect(calls.length).toBe(2);
});

test("what was left early is heard again as far, and then is cut off", async () => {
  const { remember, calls } = scene(["a\nb\n", "c\nd"]);
  expect(await hear(remember(), 3)).toEqual(["a\n", "b\n", "c\n"]);
  expect(await hear(remember())).toEqual(["a\n", "b\n", "c\n", "(length)"]);
  expect(calls.length).toBe(1);
});

test("a call that its listener stopped has said what was heard; one that failed has said nothing", async () => {
  const failed = scene(["a\n", new Error("broken")]);
  await expect(hear(failed.remember())).rejects.toThrow("broken");
  expect(failed.answers.size).toBe(0);

  const enough = new AbortController();
  const stopped = scene(["a\n", new Error("stopped")]);
  enough.abort();
  await expect(hear(stopped.remember(), 99, enough.signal)).rejects.toThrow("stopped");
  expect([...stopped.answers.values()]).toMatchObject([{ text: "a\n", end: "stopped" }]);
});

test("what a plan's end cut off is no answer", async () => {
  const { remember, answers, stopping } = scene(["a\n", new Error("over")]);
  stopping.abort();
  await expect(hear(remember(), 99, stopping.signal)).rejects.toThrow("over");
  expect(answers.size).toBe(0);
});

test("how it ended is kept, too", async () => {
  const { remember } = scene(["a"], "content-filter");
  await hear(remember());
  expect(await hear(remember())).toEqual(["a", "(content-filter)"]);
});
