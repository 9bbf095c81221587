import { expect, test } from "vitest";
import { FakeClock } from "../../async/fixtures/fake-clock.ts";
import type { Clock } from "../../async/index.ts";
import { type Model, ModelError } from "../../model/index.ts";
import { ScriptedModel, type ScriptStep } from "../fixtures/scripted-model.ts";
import { ModelRequest, type ModelRequestOptions } from "./model-request.ts";

const request = { path: "a.ts", language: "typescript", prefix: "", suffix: "" };
const flush = () => new Promise((resolve) => void setImmediate(resolve));

/** An answer from which nothing had to be taken off. */
const answered = { kind: "answered", changes: [] } as const;

function open(steps: readonly ScriptStep[], more: Partial<ModelRequestOptions> = {}) {
  const clock = new FakeClock();
  const events: string[] = [];
  const model = new ScriptedModel({ clock, script: () => steps, onEvent: (event) => void events.push(event) });
  const ask = new ModelRequest({
    ...{ model, request, clock, timeoutMs: 1000, patienceMs: 500, maxLineCharacters: 50_000 },
    bare: (text) => ({ text, changes: [] }),
    isEnough: (text) => text.includes(";"),
    isUsable: (text) => text.includes("\n"),
    ...more,
  });
  return { ask, clock, events };
}

/** A clock whose timers never fire, but those that only let other timers run. */
function breathing(now: () => number): Clock {
  const after = (delayMs: number, task: () => void) => {
    if (delayMs === 0) setImmediate(task);
    return { [Symbol.dispose]: () => undefined };
  };
  return { now, after };
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
] as const)("the answer of a model request: %s", async (_, steps, expected) => {
  expect(await open(steps).ask.answer).toEqual({ ...answered, ...expected });
});

test("a model request cuts an answer that does not end", async () => {
  const endless = Array.from({ length: 30 }, () => "a".repeat(1000));
  expect(await open(endless).ask.answer).toMatchObject({
    kind: "answered",
    text: "a".repeat(21_000),
    reason: "enough",
  });
});

test("a model request waits for the line feed after a carriage return", async () => {
  const { ask, clock } = open(["a\r", 10, "\nb", 10]);
  await flush();
  expect(ask.text).toBe("a");
  clock.advance(10);
  await flush();
  expect(ask.text).toBe("a\nb");
});

test("a model request reports the error of the model", async () => {
  const error = new Error("broken");
  expect(await open(["a", error]).ask.answer).toEqual({ kind: "failed", error });
});

test.each([
  ["a();\nb();\nc", "a();\nb();\n"],
  ["a();\r\nb(", "a();\n"],
  ["a();", undefined],
  ["\n  ", undefined],
])("of %j the whole lines are kept where the connection breaks: %j", async (part, text) => {
  const error = new ModelError("cut-off", "The server stopped.");
  const answer = await open([part, error], { isEnough: () => false }).ask.answer;
  const kept = { kind: "answered", text, changes: ["kept-whole-lines"], reason: "cut-off", error };
  expect(answer).toEqual(text === undefined ? { kind: "failed", error } : kept);
});

test("stopping a model request settles it at once and aborts the model", async () => {
  const { ask, clock, events } = open(["a", 100, "b"]);
  await flush();
  ask.abort();
  ask.abort();
  expect(await ask.answer).toEqual({ kind: "aborted" });
  await flush();
  expect(events.at(-1)).toMatch(/stopped/);
  expect(clock.waiting).toBe(0);
});

test("a model request times out even if the model ignores the signal", async () => {
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

test("after its patience a model request settles with the usable part of the answer", async () => {
  const { ask, clock } = open(["a\n", 600, "b"]);
  await flush();
  clock.advance(500);
  expect(await ask.answer).toEqual({ ...answered, text: "a\n", reason: "enough" });
  const late = open([550, "a", 10, "\nb", 10, "c"]);
  await flush();
  late.clock.advance(550);
  await flush();
  late.clock.advance(10);
  expect(await late.ask.answer).toEqual({ ...answered, text: "a\nb", reason: "enough" });
});

test.each([
  ["one line in many pieces", Array.from({ length: 50 }, () => "foo+"), "foo+foo+fo"],
  ["one line at once", ["foo+".repeat(50)], "foo+foo+fo"],
  ["a wide line between others", [`a\n${"b".repeat(20)}\nc\n`], `a\n${"b".repeat(10)}`],
])("a line that is too wide ends the answer: %s", async (_, steps, text) => {
  const { answer } = open(steps, { maxLineCharacters: 10 }).ask;
  expect(await answer).toEqual({ ...answered, text, reason: "enough" });
});

test("a model request can be stopped while buffered parts are read", async () => {
  let now = 0;
  const model: Model = {
    name: "fast",
    async *fill() {
      for (; now < 5000; now++) yield { kind: "text-delta", text: "a" };
      return { reason: "finished" };
    },
  };
  const { ask } = open([], { model, clock: breathing(() => now), timeoutMs: 9000 });
  setImmediate(() => ask.abort());
  expect(await ask.answer).toEqual({ kind: "aborted" });
  expect(now).toBeLessThan(100);
});

test("a model request times out even if parts come so fast that no timer fires", async () => {
  let now = 0;
  const clock = breathing(() => now);
  const checked: string[] = [];
  const model: Model = {
    name: "fast",
    async *fill() {
      for (; now < 5000; now++) yield { kind: "text-delta", text: now === 700 ? "\n" : "a" };
      return { reason: "finished" };
    },
  };
  const isUsable = (text: string) => checked.push(text) < 0;
  expect(await open([], { model, clock, isUsable }).ask.answer).toEqual({ kind: "timed-out", afterMs: 1000 });
  // Only another line can make of use what was of none.
  expect(checked).toEqual([`${"a".repeat(700)}\n`]);
  now = 0;
  const late = await open([], { model, clock, isUsable: (text) => text.includes("\n") }).ask.answer;
  expect(late).toEqual({ ...answered, text: `${"a".repeat(700)}\n`, reason: "enough" });
});

test("watchers of a model request are notified of every part and of the end", async () => {
  const { ask } = open(["a", "b"]);
  const seen: string[] = [];
  const watch = ask.watch(() => seen.push(ask.isOver ? "over" : ask.text));
  await ask.answer;
  expect(seen).toEqual(["a", "ab", "over"]);
  watch[Symbol.dispose]();
});
