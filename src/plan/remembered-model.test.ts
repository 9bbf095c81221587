import { expect, test } from "vitest";
import type { Model, ModelEnd } from "../model/index.ts";
import type { ModelAnswer } from "./plan-event.ts";
import { rememberedModel } from "./remembered-model.ts";

const request = { messages: [{ role: "user", text: "Why?" }] } as const;

function remembering(pieces: readonly (string | Error)[], reason: ModelEnd["reason"] = "finished") {
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

/** What the consumer receives: each piece and the end; it leaves after `most` pieces. */
async function receive(model: Model, most = 99, signal?: AbortSignal): Promise<readonly string[]> {
  const received: string[] = [];
  const parts = model.chat!(request, signal && { signal });
  for (;;) {
    const step = await parts.next();
    if (step.done) return [...received, `(${step.value.reason})`];
    received.push(step.value.text);
    if (received.length === most) {
      await parts.return({ reason: "finished" });
      return received;
    }
  }
}

test("an answer is passed on line by line, stored before its end, and not requested twice", async () => {
  const { remember, answers, calls } = remembering(["a", "b\nc", "\n\nd"]);
  const lines = ["ab\n", "c\n", "\n", "d", "(finished)"];
  expect(await receive(remember())).toEqual(lines);
  expect([...answers.values()]).toEqual([
    { text: "ab\nc\n\nd", end: "finished", shownTokens: 2, writtenTokens: expect.any(Number) },
  ]);
  expect(await receive(remember())).toEqual(lines);
  expect(calls).toEqual(["Why?"]);
});

test("an equal request of another step is another request", async () => {
  const { remember, calls } = remembering(["a"]);
  await receive(remember(1));
  await receive(remember(2));
  expect(calls.length).toBe(2);
});

test("an answer that was left early is repeated up to the same line and is then cut off", async () => {
  const { remember, calls } = remembering(["a\nb\n", "c\nd"]);
  expect(await receive(remember(), 3)).toEqual(["a\n", "b\n", "c\n"]);
  expect(await receive(remember())).toEqual(["a\n", "b\n", "c\n", "(length)"]);
  expect(calls.length).toBe(1);
});

test("a call that its consumer aborts stores what was passed on; one that fails stores nothing", async () => {
  const failed = remembering(["a\n", new Error("broken")]);
  await expect(receive(failed.remember())).rejects.toThrow("broken");
  expect(failed.answers.size).toBe(0);

  const enough = new AbortController();
  const stopped = remembering(["a\n", new Error("stopped")]);
  enough.abort();
  await expect(receive(stopped.remember(), 99, enough.signal)).rejects.toThrow("stopped");
  expect([...stopped.answers.values()]).toMatchObject([{ text: "a\n", end: "stopped" }]);
});

test("an answer that the end of the plan cuts off is not stored", async () => {
  const { remember, answers, stopping } = remembering(["a\n", new Error("over")]);
  stopping.abort();
  await expect(receive(remember(), 99, stopping.signal)).rejects.toThrow("over");
  expect(answers.size).toBe(0);
});

test("the end of an answer is stored", async () => {
  const { remember } = remembering(["a"], "content-filter");
  await receive(remember());
  expect(await receive(remember())).toEqual(["a", "(content-filter)"]);
});
