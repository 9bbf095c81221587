import { expect, test } from "vitest";
import { FakeClock } from "../codebase/fake-clock.ts";
import type { Model } from "../model/index.ts";
import { Ask, type AskOptions } from "./ask.ts";
import { ScriptedModel, type ScriptStep } from "./fixtures/scripted-model.ts";

const request = { path: "a.ts", language: "typescript", prefix: "", suffix: "" };
const flush = () => new Promise((resolve) => void setImmediate(resolve));

function open(steps: readonly ScriptStep[], more: Partial<AskOptions> = {}) {
  const clock = new FakeClock();
  const events: string[] = [];
  const model = new ScriptedModel({ clock, script: () => steps, onEvent: (event) => void events.push(event) });
  const ask = new Ask({
    ...{ model, request, clock, timeoutMs: 1000, patienceMs: 500 },
    isEnough: (text) => text.includes(";"),
    isUsable: (text) => text.includes("\n"),
    ...more,
  });
  return { ask, clock, events };
}

test.each([
  ["all that comes", ["a", "b"], { text: "ab", reason: "finished" }],
  [
    "the model's own end",
    ["a", { reason: "length", probability: 0.5 }],
    { text: "a", reason: "length", probability: 0.5 },
  ],
  ["no more than enough", ["a;", "b"], { text: "a;", reason: "enough" }],
  ["line endings as line feeds", ["a\r", "\nb\rc"], { text: "a\nb\nc", reason: "finished" }],
] as const)("%s", async (_, steps, expected) => {
  expect(await open(steps).ask.answer).toEqual({ kind: "answered", ...expected });
});

test("an answer without an end is cut", async () => {
  const endless = Array.from({ length: 30 }, () => "a".repeat(1000));
  expect(await open(endless).ask.answer).toMatchObject({
    kind: "answered",
    text: "a".repeat(21_000),
    reason: "enough",
  });
});

test("the line feed of a line ending that is still to come is waited for", async () => {
  const { ask, clock } = open(["a\r", 10, "\nb", 10]);
  await flush();
  expect(ask.text).toBe("a");
  clock.advance(10);
  await flush();
  expect(ask.text).toBe("a\nb");
});

test("a failure", async () => {
  const error = new Error("broken");
  expect(await open(["a", error]).ask.answer).toEqual({ kind: "failed", error });
});

test("whoever stops it hears at once, and so does the model", async () => {
  const { ask, clock, events } = open(["a", 100, "b"]);
  await flush();
  ask.abort();
  ask.abort();
  expect(await ask.answer).toEqual({ kind: "aborted" });
  await flush();
  expect(events.at(-1)).toMatch(/stopped/);
  expect(clock.waiting).toBe(0);
});

test("after its time it is given up, even by a model that does not listen", async () => {
  const deaf: Model = {
    name: "deaf",
    async *fill() {
      yield { kind: "text-delta", text: "a" };
      return await new Promise(() => undefined);
    },
  };
  const { ask, clock } = open([], { model: deaf });
  await flush();
  clock.advance(999);
  expect(ask.isOver).toBe(false);
  clock.advance(1);
  expect(await ask.answer).toEqual({ kind: "timed-out", afterMs: 1000 });
  expect(clock.waiting).toBe(0);
});

test("after a while what can be used is enough", async () => {
  const { ask, clock } = open(["a\n", 600, "b"]);
  await flush();
  clock.advance(500);
  expect(await ask.answer).toEqual({ kind: "answered", text: "a\n", reason: "enough" });
  const late = open([550, "a", 10, "\nb", 10, "c"]);
  await flush();
  late.clock.advance(550);
  await flush();
  late.clock.advance(10);
  expect(await late.ask.answer).toEqual({ kind: "answered", text: "a\nb", reason: "enough" });
});

test("watchers hear of every piece and of the end", async () => {
  const { ask } = open(["a", "b"]);
  const seen: string[] = [];
  const watch = ask.watch(() => seen.push(ask.isOver ? "over" : ask.text));
  await ask.answer;
  expect(seen).toEqual(["a", "ab", "over"]);
  watch[Symbol.dispose]();
});
