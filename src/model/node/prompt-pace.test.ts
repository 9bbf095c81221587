import { describe, expect, onTestFinished, test } from "vitest";
import { FakeClock } from "../../async/fixtures/fake-clock.ts";
import { redacted } from "../fixtures/redacted.ts";
import type { FillRequest } from "../model.ts";
import type { ModelSettings } from "../model-host.ts";
import { openModel } from "../open-model.ts";
import { ScriptedServer } from "./fixtures/scripted-server.ts";
import { SlowScriptedServer } from "./fixtures/slow-scripted-server.ts";
import { webHost } from "./web-host.ts";

/** A model of a scripted server, and time that passes while something is waited for. */
function open(
  tokensPerSecond: number,
  settings: ModelSettings = {},
  { name = "llamacpp:http://127.0.0.1:1", isSuffixFirst = false } = {},
) {
  const clock = new FakeClock();
  const hasTimings = name.startsWith("llamacpp");
  const server = new SlowScriptedServer({ clock, tokensPerSecond, hasTimings, isSuffixFirst });
  const model = openModel(name, { ...webHost({ environment: {}, settings }), clock, fetch: server.fetch });
  const meanwhile = async <T>(work: Promise<T>): Promise<T> => {
    let isOver = false;
    const end = () => {
      isOver = true;
    };
    work.then(end, end);
    for (;;) {
      await new Promise((resolve) => setImmediate(resolve));
      if (isOver) return await work;
      clock.advance(10);
    }
  };
  const fill = async (request: FillRequest) => {
    for await (const _ of model.fill!(request));
  };
  return { clock, server, model, meanwhile, fill, limit: () => meanwhile(model.pace!.freshLimit()) };
}

const line = "const value = total(items, rate) + one;\n";
const place = (prefix: string, suffix = "\n", contexts = 1): FillRequest => ({
  ...{ path: "src/a.ts", language: "typescript", prefix, suffix },
  context: Array.from({ length: contexts }, (_, i) => ({ path: `src/${i}.ts`, text: redacted(line.repeat(20)) })),
});

describe("the tokens that a server evaluates in promptMs", () => {
  test.each<[string, number, ModelSettings, number, number]>([
    ["60 a second, measured before the first prompt", 60, {}, 120, 3],
    ["1,000 a second", 1000, {}, 2000, 3],
    ["1,000 a second in 500 ms", 1000, { promptMs: 500 }, 500, 3],
    ["at least 64", 60, { promptMs: 10 }, 64, 3],
    ["what could have been evaluated in the time that was waited", 20, {}, 106, 1],
  ])("are %s", async (_, rate, settings, expected, within) => {
    const { limit } = open(rate, settings);
    const tokens = (await limit())!;
    expect(Math.abs(tokens - expected)).toBeLessThanOrEqual(within);
  });

  test("follow what later requests show, also where only the time of an answer is known", async () => {
    const name = "openai-compatible:http://127.0.0.1:1#m";
    const clock = new FakeClock();
    const server = await ScriptedServer.start(() => {
      clock.advance(1050);
      const choice = { choices: [{ text: "x", finish_reason: "stop" }] };
      return { headers: { "content-type": "text/event-stream" }, chunks: [`data: ${JSON.stringify(choice)}\n\n`] };
    });
    onTestFinished(() => server[Symbol.asyncDispose]());
    const host = { ...webHost({ environment: {} }), clock };
    const model = openModel(name.replace("http://127.0.0.1:1", server.url), host);
    // The short prompt has 26 tokens by the usual rates, and 50 ms are not for it.
    const first = (await model.pace!.freshLimit())!;
    expect(first).toBe(64);
    for await (const _ of model.fill!(place(line.repeat(100))));
    expect((await model.pace!.freshLimit())!).toBeGreaterThan(1000);
  });

  test.each<[string, string, ModelSettings]>([
    ["a company's", "mistral:codestral-latest", {}],
    ["one on another machine", "llamacpp:http://10.0.0.1:8080", {}],
    ["one whose settings turn the limit off", "llamacpp:http://127.0.0.1:1", { promptMs: 0 }],
    ["one that fills by chat", "llamacpp:http://127.0.0.1:1", { fillBy: "chat" }],
  ])("are not measured where the server is %s", (_, name, settings) => {
    expect(open(60, settings, { name }).model.pace).toBeUndefined();
  });

  test("are unknown where the server is not there, which is tried again after 2 s", async () => {
    const { clock, limit, model, server } = open(60);
    let isThere = false;
    const host = webHost({ environment: {}, settings: { retries: 0 } });
    const late = openModel(model.name, {
      ...{ ...host, clock },
      fetch: (url, request) => (isThere ? server.fetch(url, request) : Promise.reject(new Error("no"))),
    });
    expect(await late.pace!.freshLimit()).toBeUndefined();
    isThere = true;
    expect(await late.pace!.freshLimit()).toBeUndefined();
    clock.advance(2000);
    await limit();
    expect(server.prompts).toHaveLength(1);
  });
});

describe("the tokens that are left to evaluate", () => {
  test("are those behind what the server evaluated last", async () => {
    const { fill, meanwhile, model, server } = open(1000);
    await meanwhile(model.limits!({ language: "typescript" }));
    await meanwhile(fill(place(line.repeat(10))));
    for (const request of [place(line.repeat(10)), place(`${line.repeat(10)}const b = `), place(line, "\n", 3)]) {
      const left = model.pace!.freshTokens(request);
      await meanwhile(fill(request));
      expect(Math.abs(server.prompts.at(-1)!.freshTokens - left)).toBeLessThanOrEqual(0.1 * left + 4);
    }
  });

  test.each([
    ["last", false],
    ["first", true],
  ])(
    "depend on the side that is changed, where the server reads the text after the cursor %s",
    async (_, isSuffixFirst) => {
      const { fill, meanwhile, model, server } = open(1000, {}, { isSuffixFirst });
      await meanwhile(model.limits!({ language: "typescript" }));
      const request = (prefix: string, suffix: string) =>
        place(line.repeat(20) + prefix, `\n${suffix}${line.repeat(10)}`);
      await meanwhile(fill(request("", "")));
      // The first change shows the order.
      await meanwhile(fill(request("const b = ", "")));
      for (const next of [request("const b = 1", ""), request("const b = 1", "one();\n"), request("a", "one();\n")]) {
        const left = model.pace!.freshTokens(next);
        await meanwhile(fill(next));
        expect(Math.abs(server.prompts.at(-1)!.freshTokens - left)).toBeLessThanOrEqual(0.15 * left + 4);
      }
    },
  );

  test.each([
    ["a fill", false],
    ["an evaluation ahead", true],
  ])("are fewer by what %s evaluated until it was stopped", async (_, isAhead) => {
    const { clock, limit, fill, meanwhile, model } = open(60);
    await limit();
    await meanwhile(model.limits!({ language: "typescript" }));
    await meanwhile(fill(place(line)));
    const next = place(line, "\n", 3);
    const before = model.pace!.freshTokens(next);
    const stop = new AbortController();
    const reason = new Error("a key");
    const options = { signal: stop.signal };
    const answer = isAhead
      ? model.warm!(next, options)
      : model.fill!(next, options)
          .next()
          .then(() => undefined);
    const settled = expect(answer).rejects.toBe(reason);
    await new Promise((resolve) => setImmediate(resolve));
    clock.advance(1000);
    stop.abort(reason);
    await settled;
    expect(Math.abs(before - model.pace!.freshTokens(next) - 60)).toBeLessThanOrEqual(8);
  });
});
