import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, onTestFinished, test } from "vitest";
import { FakeClock } from "../../async/fixtures/fake-clock.ts";
import type { GhostTextRequest } from "../../complete/index.ts";
import { CodeIndex, EditHistory } from "../../context/index.ts";
import { type Model, openModel } from "../../model/index.ts";
import { canTestLlamaServer, startLlamaServer } from "../../model/node/fixtures/llama-server.ts";
import { SlowScriptedServer } from "../../model/node/fixtures/slow-scripted-server.ts";
import { writeTinyModel } from "../../model/node/fixtures/tiny-model.ts";
import { webHost } from "../../model/node/index.ts";
import { removeFolder } from "../../text/node/fixtures/remove-folder.ts";
import { disk } from "../../workspace/node/index.ts";
import { SessionPrompts } from "./session-prompts.ts";
import { loadSessionSettings } from "./session-settings.ts";

const folder = mkdtempSync(join(tmpdir(), "emend-growing-"));
afterAll(() => removeFolder(folder));

/** Prompts for a scripted server, whose time passes while it evaluates, and a person who types. */
async function open(tokensPerSecond: number, name = "llamacpp:http://127.0.0.1:1") {
  const clock = new FakeClock();
  const server = new SlowScriptedServer({ clock, tokensPerSecond });
  const model = openModel(name, {
    ...webHost({ environment: {} }),
    clock,
    fetch: server.fetch,
  });
  return { clock, server, ...(await openPrompts(model, clock)) };
}

async function openPrompts(model: Model, clock: FakeClock) {
  const index = new CodeIndex();
  for (let i = 0; i < 20; i++) {
    const lines = Array.from({ length: 40 }, (_, n) => `export const cart${i}n${n} = total(item${n}, rate);\n`);
    index.set(`src/cart-${i}.ts`, "typescript", lines.join(""));
  }
  const source = { fileSystem: disk, userFolder: folder, environment: {}, flags: [], openModel: () => model };
  const settings = await loadSessionSettings(source, { root: folder, editor: {} });
  const prompts = new SessionPrompts({
    ...{ settings, index, history: new EditHistory(), uncommitted: undefined, clock, openFiles: async () => [] },
  });
  let text = Array.from({ length: 60 }, (_, i) => `const own${i} = total(cart${i % 20}, rate);\n`).join("");
  let offset = 900;
  const request = (): GhostTextRequest => {
    const document = { uri: "file:///a.ts", language: "typescript", version: 1, text };
    return { document, path: "src/a.ts", offset, trigger: "automatic" };
  };
  const meanwhile = async <T>(work: Promise<T>): Promise<T> => {
    let isOver = false;
    const end = () => {
      isOver = true;
    };
    work.then(end, end);
    for (;;) {
      for (let i = 0; i < 5 && !isOver; i++) await new Promise((resolve) => setImmediate(resolve));
      if (isOver) return await work;
      clock.advance(10);
    }
  };
  return {
    index,
    meanwhile,
    type: (key: string) => {
      text = text.slice(0, offset) + key + text.slice(offset);
      offset += key.length;
    },
    ask: async () => {
      const { prefix, suffix, context } = await meanwhile(Promise.resolve(prompts.promptFor(request(), model)));
      const place = { path: "src/a.ts", language: "typescript", prefix, suffix, context };
      await meanwhile((async () => void (await model.fill!(place).next()))());
    },
    grow: (signal = new AbortController().signal) => prompts.growPrompt(request(), model, { signal }),
  };
}

test.each([
  ["llamacpp:http://127.0.0.1:1", 1.1],
  // Without its timings it takes a request to learn the tokens of a character.
  ["openai-compatible:http://127.0.0.1:1#m", 1.4],
])("a slow server never has more to evaluate than it can in 2 s, and keeps what has grown: %s", async (name, first) => {
  const { server, ask, grow, meanwhile, type } = await open(60, name);
  await ask();
  while (await meanwhile(grow()));
  type("x");
  await ask();
  const [, ...prompts] = server.prompts;
  expect(prompts.length).toBeGreaterThan(10);
  // Its tokens are those of `/tokenize` on average only.
  expect(prompts[0]!.freshTokens).toBeLessThanOrEqual(120 * first);
  expect(Math.max(...prompts.slice(1).map(({ freshTokens }) => freshTokens))).toBeLessThanOrEqual(120 * 1.1);
  const last = prompts.at(-1)!;
  expect(last.isFill).toBe(true);
  expect(last.cachedTokens).toBeGreaterThan(1000);
  expect(last.freshTokens).toBeLessThan(60);
});

test("a key stops the growth, and the next prompt is answered in time", async () => {
  const { clock, server, ask, grow, type } = await open(60);
  await ask();
  for (let i = 0; i < 5; i++) {
    const stop = new AbortController();
    const growing = grow(stop.signal);
    const settled = growing.then(
      () => "grown",
      () => "stopped",
    );
    const before = server.prompts.length;
    for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve));
    clock.advance(300);
    stop.abort(new Error("a key"));
    expect(await settled).toBe("stopped");
    type("y");
    const began = clock.now();
    await ask();
    expect(server.prompts.length).toBeGreaterThan(before);
    expect(clock.now() - began).toBeLessThanOrEqual(2000 * 1.1);
  }
});

test("a prompt that has grown loses the texts of a file that may not be read any more", async () => {
  const { index, server, ask, grow, meanwhile, type } = await open(60);
  await ask();
  while (await meanwhile(grow()));
  const path = /src\/cart-\d+\.ts/.exec(server.prompts.at(-1)!.text)![0];
  index.delete(path);
  type("x");
  await ask();
  expect(server.prompts.at(-1)!.text).not.toContain(path);
});

test("a fast server gets the whole prompt at once, and nothing grows", async () => {
  const { server, ask, grow, meanwhile } = await open(20_000);
  await ask();
  const [, first] = server.prompts;
  expect(first!.freshTokens).toBeGreaterThan(1000);
  expect(await meanwhile(grow())).toBe(false);
  expect(server.prompts).toHaveLength(2);
});

const real = "llama.cpp's real server finds a prompt that has grown in its cache";
test.runIf(canTestLlamaServer()).each([
  { provider: "llamacpp", limit: 700, learning: 0, leastCached: 1500 },
  // It has no route that counts: how short the tokens are shows after a warm-up.
  { provider: "openai-compatible", limit: 300, learning: 2, leastCached: 1000 },
])(`${real}: $provider`, async ({ provider, limit, learning, leastCached }) => {
  const file = join(folder, "tiny.gguf");
  const after = { "<HOLE>": { "1": 6 }, "1": { ";": 6 }, ";": { "</s>": 6 } };
  writeFileSync(file, writeTinyModel({ after, contextTokens: 8192 }));
  const server = await startLlamaServer(file, "-c", "8192");
  onTestFinished(() => server[Symbol.dispose]());
  const counts: { readonly cache_n: number; readonly prompt_n: number }[] = [];
  const opened = openModel(`${provider}:${server.url}#m`, {
    ...webHost({ environment: {} }),
    async fetch(url, request) {
      const response = await fetch(url, request);
      const text = await response.text();
      const timings = /"timings":(\{[^}]*\})/.exec(text)?.[1];
      if (timings !== undefined) counts.push(JSON.parse(timings));
      return new Response(text, response);
    },
  });
  const pace = opened.pace!;
  expect(await pace.freshLimit()).toBeGreaterThan(0);
  expect(pace.tokensPerSecond).toBeGreaterThan(0);
  // How quick it is depends on the machine.
  const freshTokens: typeof pace.freshTokens = (request) => pace.freshTokens(request);
  const model = { ...opened, pace: { tokensPerSecond: limit / 2, freshLimit: async () => limit, freshTokens } };
  const { ask, grow, meanwhile, type } = await openPrompts(model, new FakeClock());
  await ask();
  for (let step = 0; step < 4; step++) expect(await meanwhile(grow())).toBe(true);
  type("x");
  await ask();
  const [, ...prompts] = counts;
  expect(prompts.at(-1)!.cache_n).toBeGreaterThan(leastCached);
  expect(prompts.at(-1)!.prompt_n).toBeLessThan(limit / 2);
  expect(Math.max(...prompts.slice(learning).map(({ prompt_n }) => prompt_n))).toBeLessThanOrEqual(limit * 1.1);
});
