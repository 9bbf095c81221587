import { expect, test } from "vitest";
import { FakeClock } from "../codebase/fake-clock.ts";
import { type Model, type ModelDescription, ModelError } from "../model/index.ts";
import { InvariantError } from "../text/index.ts";
import { chooseFormat } from "./choose-format.ts";
import type { KnownModel } from "./formats/format-for.ts";
import type { NextEditFormatName } from "./next-edit-format.ts";

const known: KnownModel = { name: "llamacpp:http://127.0.0.1:8012", can: { fill: true, chat: true } };

interface Asked {
  readonly named?: NextEditFormatName;
  readonly known?: Partial<KnownModel>;
  readonly signal?: AbortSignal;
}

function choose(answer: () => Promise<ModelDescription>, { named, known: more, signal }: Asked = {}) {
  const clock = new FakeClock();
  const asked: AbortSignal[] = [];
  const model: Model = {
    name: known.name,
    describe: ({ signal } = {}) => {
      asked.push(signal!);
      return answer();
    },
  };
  const options = { model, known: { ...known, ...more }, clock, limitMs: 1000, ...(signal && { signal }) };
  return { clock, asked, choice: chooseFormat(named, options) };
}

test.each<[string, ModelDescription, string]>([
  ["trained for a format", { family: "org/zeta-2.1-GGUF" }, "zeta-2.1"],
  ["a file", { family: "/models/zeta-2.Q4_K_M.gguf" }, "zeta-2"],
  ["a file with another name", { family: "work", file: "/models/zeta-2.Q4_K_M.gguf" }, "zeta-2"],
  ["trained to converse", { family: "Qwen2.5 Coder 7B", training: "instruct" }, "chat"],
  ["trained for nothing that is known", { family: "starcoder2" }, "fill-in-the-middle"],
  ["nothing", {}, "fill-in-the-middle"],
])("a server that says that it has %s", async (_, described, format) => {
  expect(await choose(async () => described).choice).toMatchObject({ kind: "chosen", format: { name: format } });
});

test.each<[string, Asked]>([
  ["the settings name a format", { named: "unified" }],
  ["the name says enough", { known: { name: "ollama:zeta-2" } }],
  ["it was asked before", { known: { family: "starcoder2" } }],
])("the server is not asked where %s", async (_, asked) => {
  const bench = choose(async () => ({ family: "zeta" }), asked);
  expect(await bench.choice).not.toMatchObject({ format: { name: "zeta" } });
  expect(bench.asked).toEqual([]);
});

test("a model that fills by a chat is asked in a chat", async () => {
  const model: Model = { name: "openai:gpt", fillsByChat: true };
  const options = { model, known: { ...known, name: model.name }, clock: new FakeClock(), limitMs: 1000 };
  expect(await chooseFormat(undefined, options)).toMatchObject({ format: { name: "chat" } });
});

test("a server that does not tell, or not in time, leaves it at the name", async () => {
  const refused = choose(() => Promise.reject(new ModelError("busy", "Ask again.")));
  expect(await refused.choice).toMatchObject({ format: { name: "fill-in-the-middle" } });
  const silent = choose(() => new Promise(() => {}));
  silent.clock.advance(1000);
  expect(await silent.choice).toMatchObject({ format: { name: "fill-in-the-middle" } });
  expect(silent.asked[0]!.aborted).toBe(true);
});

test("an abort stops the question and rejects with its reason; a broken rule is thrown", async () => {
  const abort = new AbortController();
  const bench = choose(() => new Promise(() => {}), { signal: abort.signal });
  const reason = new Error("no longer wanted");
  abort.abort(reason);
  expect(bench.asked[0]!.aborted).toBe(true);
  await expect(bench.choice).rejects.toBe(reason);
  const error = new InvariantError("we broke it");
  await expect(choose(() => Promise.reject(error)).choice).rejects.toBe(error);
});
