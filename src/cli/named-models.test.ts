import { beforeEach, expect, test } from "vitest";
import { ModelError } from "../model/index.ts";
import { NamedModels } from "./named-models.ts";

let log: string[];
let models: NamedModels;

beforeEach(() => {
  log = [];
  models = new NamedModels({
    environment: {},
    async openLocal(path, { contextTokens }) {
      log.push(`open ${path} ${contextTokens ?? "unless told"}`);
      if (path === "/gone.gguf") throw new ModelError("not-found", `There is no model file ${path}.`);
      return {
        name: `gguf:${path}`,
        async [Symbol.asyncDispose]() {
          log.push(`close ${path}`);
        },
      };
    },
  });
});

test("opens a model on a server by its name without a request", async () => {
  const model = await models.open("llamacpp:http://127.0.0.1:9000", {});
  expect([model.name, model.fill !== undefined]).toEqual(["llamacpp:http://127.0.0.1:9000", true]);
});

test("keeps what is known of a server while a model with equal settings is held", async () => {
  const name = "llamacpp:http://127.0.0.1:9000";
  const first = await models.open(name, { retries: 1 });
  const second = await models.open(name, { retries: 1 });
  first[Symbol.dispose]();
  const third = await models.open(name, { retries: 1 });
  expect(second.pace).toBe(first.pace);
  expect(third.pace).toBe(first.pace);
  expect((await models.open(name, { retries: 2 })).pace).not.toBe(first.pace);
  second[Symbol.dispose]();
  third[Symbol.dispose]();
  expect((await models.open(name, { retries: 1 })).pace).not.toBe(first.pace);
});

test("opens a model file once for equal settings, and closes it once", async () => {
  await Promise.all([models.open("gguf:/a.gguf", {}), models.open("gguf:/a.gguf", {})]);
  await models.open("gguf:/a.gguf", { contextTokens: 512 });
  await models[Symbol.asyncDispose]();
  await models[Symbol.asyncDispose]();
  expect(log).toEqual(["open /a.gguf unless told", "open /a.gguf 512", "close /a.gguf", "close /a.gguf"]);
});

test("closes a model file after its last holder, and opens it again for the next", async () => {
  const open = () => models.open("gguf:/a.gguf", {});
  const [first, second] = [await open(), await open()];
  first[Symbol.dispose]();
  expect(log).toEqual(["open /a.gguf unless told"]);
  second[Symbol.dispose]();
  expect(log).toEqual(["open /a.gguf unless told", "close /a.gguf"]);
  expect((await open()).name).toBe("gguf:/a.gguf");
  expect(log.at(-1)).toBe("open /a.gguf unless told");
});

test("opens a model file again after a failure", async () => {
  for (let i = 0; i < 2; i += 1) {
    await expect(models.open("gguf:/gone.gguf", {})).rejects.toThrow("There is no model file /gone.gguf.");
  }
  await models[Symbol.asyncDispose]();
  expect(log).toEqual(["open /gone.gguf unless told", "open /gone.gguf unless told"]);
});
