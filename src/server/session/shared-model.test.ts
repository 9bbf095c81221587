import { expect, test } from "vitest";
import type { FillRequest, Model } from "../../model/index.ts";
import { SharedModel } from "./shared-model.ts";

const request: FillRequest = { path: "a.ts", language: "typescript", prefix: "", suffix: "" };

function make() {
  const log: string[] = [];
  const model: Model & AsyncDisposable = {
    name: "gguf:/a.gguf",
    contextTokens: 512,
    followsGuide: true,
    async *fill() {
      yield { kind: "text-delta", text: "a" };
      yield { kind: "text-delta", text: "b" };
      return { reason: "finished" };
    },
    async next() {
      return [];
    },
    [Symbol.asyncDispose]() {
      log.push("dispose");
      // As node-llama-cpp does at times.
      return new Promise(() => undefined);
    },
  };
  return { log, shared: new SharedModel(model, () => log.push("free")) };
}

test("has the optional methods of the model", async () => {
  const { shared } = make();
  const held = shared.tryHold()!;
  expect(Object.keys(held).sort()).toEqual(["contextTokens", "fill", "followsGuide", "name", "next"]);
  expect(await held.next!(request)).toEqual([]);
});

test("is freed once, when the last holder has disposed of it", () => {
  const { shared, log } = make();
  const [first, second] = [shared.tryHold()!, shared.tryHold()!];
  first[Symbol.dispose]();
  first[Symbol.dispose]();
  expect(log).toEqual([]);
  second[Symbol.dispose]();
  second[Symbol.dispose]();
  expect(log).toEqual(["free", "dispose"]);
  expect(shared.tryHold()).toBeUndefined();
});

test("is not freed while an answer is read to its end", async () => {
  const { shared, log } = make();
  const held = shared.tryHold()!;
  const answer = held.fill!(request);
  expect((await answer.next()).value).toEqual({ kind: "text-delta", text: "a" });
  held[Symbol.dispose]();
  expect(log).toEqual([]);
  expect((await answer.next()).value).toEqual({ kind: "text-delta", text: "b" });
  expect(log).toEqual([]);
  expect(await answer.next()).toEqual({ done: true, value: { reason: "finished" } });
  expect(log).toEqual(["free", "dispose"]);
});

test("is not freed before the reader of an answer stops", async () => {
  const { shared, log } = make();
  const held = shared.tryHold()!;
  const answer = held.fill!(request);
  expect((await answer.next()).value).toEqual({ kind: "text-delta", text: "a" });
  held[Symbol.dispose]();
  expect(log).toEqual([]);
  await answer.return({ reason: "silent" });
  expect(log).toEqual(["free", "dispose"]);
});
