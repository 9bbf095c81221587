import { expect, test } from "vitest";
import { FakeClock } from "../../../async/fixtures/fake-clock.ts";
import { type Model, type ModelDescription, ModelError } from "../../../model/index.ts";
import { InvariantError } from "../../../text/index.ts";
import type { NextEditFormatName } from "../../formats/next-edit-format.ts";
import type { KnownModel } from "../../formats/next-edit-formats.ts";
import { chooseFormat } from "./choose-next-format.ts";

const known: KnownModel = { name: "llamacpp:http://127.0.0.1:8012", can: { fill: true, chat: true } };

interface ChooseCase {
  readonly named?: NextEditFormatName;
  readonly known?: Partial<KnownModel>;
  readonly signal?: AbortSignal | undefined;
}

function choose(answer: () => Promise<ModelDescription>, { named, known: more, signal }: ChooseCase = {}) {
  const clock = new FakeClock();
  const signals: AbortSignal[] = [];
  const model: Model = {
    name: known.name,
    describe: ({ signal } = {}) => {
      signals.push(signal!);
      return answer();
    },
  };
  const options = { model, known: { ...known, ...more }, clock, limitMs: 1000, ...(signal && { signal }) };
  return { clock, signals, choice: chooseFormat(named, options) };
}

test.each<[string, ModelDescription, string]>([
  ["a model that was trained for a format", { family: "org/zeta-2.1-GGUF" }, "zeta-2.1"],
  ["a model file named after a format", { family: "/models/zeta-2.Q4_K_M.gguf" }, "zeta-2"],
  ["a renamed model file of a format", { family: "work", file: "/models/zeta-2.Q4_K_M.gguf" }, "zeta-2"],
  ["an instruct model", { family: "Qwen2.5 Coder 7B", training: "instruct" }, "chat"],
  ["a model of an unknown family", { family: "starcoder2" }, "fill-in-the-middle"],
  ["nothing known", {}, "fill-in-the-middle"],
])("a server whose description names %s determines the format", async (_, described, format) => {
  expect(await choose(async () => described).choice).toMatchObject({ kind: "chosen", format: { name: format } });
});

test.each<[string, ChooseCase]>([
  ["the settings name a format", { named: "unified" }],
  ["the model's name determines it", { known: { name: "ollama:zeta-2" } }],
  ["its family is known already", { known: { family: "starcoder2" } }],
])("the server is not asked for a description when %s", async (_, signals) => {
  const bench = choose(async () => ({ family: "zeta" }), signals);
  expect(await bench.choice).not.toMatchObject({ format: { name: "zeta" } });
  expect(bench.signals).toEqual([]);
});

test("a model that fills by chat gets the chat format", async () => {
  const model: Model = { name: "openai:gpt", fillsByChat: true };
  const options = { model, known: { ...known, name: model.name }, clock: new FakeClock(), limitMs: 1000 };
  expect(await chooseFormat(undefined, options)).toMatchObject({ format: { name: "chat" } });
});

test("the model's name decides when the server fails to describe the model or times out", async () => {
  const refused = choose(() => Promise.reject(new ModelError("busy", "Ask again.")));
  expect(await refused.choice).toMatchObject({ format: { name: "fill-in-the-middle" } });
  const silent = choose(() => new Promise(() => {}));
  silent.clock.advance(1000);
  expect(await silent.choice).toMatchObject({ format: { name: "fill-in-the-middle" } });
  expect(silent.signals[0]!.aborted).toBe(true);
});

test("an abort ends the request for a description and rejects with its reason; an InvariantError is thrown", async () => {
  const abort = new AbortController();
  const bench = choose(() => new Promise(() => {}), { signal: abort.signal });
  const reason = new Error("no longer wanted");
  abort.abort(reason);
  expect(bench.signals[0]!.aborted).toBe(true);
  await expect(bench.choice).rejects.toBe(reason);
  const error = new InvariantError("we broke it");
  await expect(choose(() => Promise.reject(error)).choice).rejects.toBe(error);
});
