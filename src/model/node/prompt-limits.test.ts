import { describe, expect, onTestFinished, test } from "vitest";
import { FakeClock } from "../../async/fixtures/fake-clock.ts";
import { shrinkFill } from "../clients/fill-within-context.ts";
import { redacted } from "../fixtures/redacted.ts";
import { type FillRequest, promptLimits } from "../model.ts";
import type { ModelSettings } from "../model-host.ts";
import { openModel } from "../open-model.ts";
import { type Script, ScriptedServer, type SeenRequest } from "./fixtures/scripted-server.ts";
import { webHost } from "./web-host.ts";

const language = "typescript";
const json = (value: object, status = 200) => ({
  status,
  headers: { "content-type": "application/json" },
  chunks: [JSON.stringify(value)],
});

/** A model of a server that plays a script: a token for each byte where it has `/tokenize`. */
async function open(provider: string, script: Script, settings: ModelSettings = {}) {
  const server = await ScriptedServer.start(script);
  onTestFinished(() => server[Symbol.asyncDispose]());
  const clock = new FakeClock();
  const host = { ...webHost({ environment: {}, settings: { retries: 0, ...settings } }), clock };
  return { server, clock, model: openModel(`${provider}:${server.url}${provider === "llamacpp" ? "" : "#m"}`, host) };
}

const tokenized = ({ body }: SeenRequest) =>
  json({ tokens: Array.from(new TextEncoder().encode(body.content ?? body.prompt)) });
const props = (n_ctx: number) => json({ default_generation_settings: { n_ctx } });
const bytesServer =
  (contextTokens: number, fill: (request: SeenRequest) => ReturnType<Script> = () => "break"): Script =>
  (request) => {
    if (request.route === "/props") return props(contextTokens);
    return request.route === "/tokenize" ? tokenized(request) : fill(request);
  };

describe("the limits of a prompt", () => {
  test.each<[string, string, object, Record<string, object>, number | undefined]>([
    ["llama.cpp's slot", "llamacpp", {}, { "/props": { default_generation_settings: { n_ctx: 4096 } } }, 4096],
    ["the settings before llama.cpp", "llamacpp", { contextTokens: 1000 }, {}, 1000],
    ["vLLM's model", "vllm", {}, { "/v1/models": { data: [{ id: "m", max_model_len: 2048 }] } }, 2048],
    [
      "LM Studio's loaded model",
      "lmstudio",
      {},
      { "/api/v0/models": { data: [{ id: "m", loaded_context_length: 512 }] } },
      512,
    ],
    [
      "another server's model",
      "openai-compatible",
      {},
      { "/v1/models": { data: [{ id: "m", max_model_len: 99 }] } },
      99,
    ],
    ["Ollama, which is given its size", "ollama", {}, {}, 8192],
    ["a server that does not report it: none", "openai-compatible", {}, { "/v1/models": { data: [] } }, undefined],
  ])("come from %s, and the server is asked once", async (_, provider, settings, answers, contextTokens) => {
    const { server, model } = await open(
      provider,
      ({ route }) => (answers[route] === undefined ? json({}, 404) : json(answers[route])),
      settings,
    );
    for (let i = 0; i < 3; i++) {
      expect((await promptLimits(model, { language })).contextTokens).toBe(contextTokens);
    }
    const routes = server.seen.map(({ route, body }) => `${route} ${body?.content ?? body?.prompt ?? ""}`);
    expect(new Set(routes).size).toBe(routes.length);
  });

  test("are unknown where the server is silent, and no prompt waits for them again", async () => {
    const { server, clock, model } = await open("llamacpp", () => "hang");
    const first = promptLimits(model, { language });
    await server.requests(3);
    await clock.advance(600);
    expect(await first).toEqual({});
    await clock.advance(5_000);
    expect(await promptLimits(model, { language })).toEqual({});
    expect(server.seen.filter(({ route }) => route === "/props")).toHaveLength(1);
  });

  test("are requested again once the server has loaded its model", async () => {
    let isLoading = true;
    const loading = json({ error: { code: 503, message: "Loading model" } }, 503);
    const { server, clock, model } = await open("llamacpp", (request) =>
      isLoading ? loading : bytesServer(4096)(request),
    );
    expect(await promptLimits(model, { language })).toEqual({});
    isLoading = false;
    expect(await promptLimits(model, { language })).toEqual({});
    await clock.advance(2_000);
    expect(await promptLimits(model, { language })).toMatchObject({ contextTokens: 4096 });
    expect(server.seen.filter(({ route }) => route === "/props")).toHaveLength(2);
  });

  test("count by the tokens of an answered prompt where the server has no tokeniser to ask", async () => {
    const done = { response: "x", done: true, done_reason: "stop", prompt_eval_count: 600 };
    const { model } = await open("ollama", ({ route }) =>
      json(route === "/api/show" ? { capabilities: ["insert"] } : done),
    );
    const prefix = "const a = 1;\n".repeat(100);
    for await (const _ of model.fill!({ path: "a.ts", language, prefix, suffix: "" }));
    const { counter } = await promptLimits(model, { language });
    expect(counter!.count(prefix)).toBe(600);
  });

  test("count as the server's tokeniser does, code and Chinese", async () => {
    const { model } = await open("llamacpp", bytesServer(4096));
    const { counter } = await promptLimits(model, { language });
    expect(counter!.count("const a = 1;")).toBe(12);
    expect(counter!.count("计算")).toBe(6);
  });
});

describe("the fields of /infill, a batch of which has 2,048 tokens", () => {
  const line = (name: string, i: number) => `${name} ${String(i).padStart(10)};\n`;
  const lines = (name: string, count: number) => Array.from({ length: count }, (_, i) => line(name, i)).join("");
  const request: FillRequest = {
    ...{ path: "src/a.ts", language, prefix: `${lines("before", 200)}let b = `, suffix: `;\n${lines("after", 100)}` },
    context: [{ path: "src/b.ts", text: redacted("export const b = 1;\n") }],
  };
  const sent = async (contextTokens: number, place = request) => {
    const { server, model } = await open("llamacpp", bytesServer(contextTokens));
    await promptLimits(model, { language });
    await model.fill!(place)
      .next()
      .catch(() => undefined);
    return server.seen.find(({ route }) => route === "/infill")!.body;
  };

  test("get what is far from the cursor as texts of other places", async () => {
    const body = await sent(16_384);
    const [other, after, before] = body.input_extra.map(({ text }: { readonly text: string }) => text);
    expect(other).toBe(request.context![0]!.text);
    expect(before + body.input_prefix + body.prompt).toBe(request.prefix);
    expect(body.input_suffix + after).toBe(request.suffix);
    expect(body.input_prefix.length).toBeLessThanOrEqual(1536);
    expect(body.input_suffix.length).toBeLessThanOrEqual(512 - 96);
    expect(body.input_prefix).toMatch(/^before +\d+;/);
  });

  test("keep the text before the cursor where it is split while a line is written", async () => {
    const one = await sent(16_384);
    const prefix = request.prefix.replace("let b", `${lines("before", 1)}let b`);
    const other = await sent(16_384, { ...request, prefix });
    expect(other.input_extra.at(-1)).toEqual(one.input_extra.at(-1));
  });

  test.each([
    ["beyond the rest of the context", 4096, 2048],
    ["of which the batch takes the whole context", 2048, 0],
  ])("get what is far behind a cursor near the start of a file as comments: %s", async (_, contextTokens, room) => {
    const place = { ...request, prefix: "let b = ", suffix: `;\n${lines("after", 125)}` };
    const body = await sent(contextTokens, place);
    const extra: string[] = body.input_extra.map(({ text }: { readonly text: string }) => text);
    const comments: string[] = body.input_prefix.split("\n").map((text: string) => text.replace(/^\/\/ /, ""));
    const seen = [...extra.join("").split("\n"), ...comments, ...body.input_suffix.split("\n")].join("\n");
    for (let i = 0; i < 125; i++) expect(seen).toContain(line("after", i));
    expect(seen).toContain(request.context![0]!.text);
    expect(extra.join("").length).toBeLessThanOrEqual(room);
    expect(body.input_suffix.length).toBeLessThanOrEqual(512 - 96);
  });

  test.each([
    [512, 512],
    [1024, 1024],
    [2048, 2048],
    [4096, 2048],
  ])("are cut for a batch of %i after a prompt of which the server read less", async (batch, known) => {
    const { server, model } = await open(
      "llamacpp",
      bytesServer(8192, ({ route, body }) => {
        if (route !== "/infill") return json({}, 404);
        const extra = body.input_extra.map(
          (each: { filename: string; text: string }) => `\n${each.filename}\n${each.text}`,
        );
        const around =
          Math.min(body.input_prefix.length, (batch * 3) / 4) + Math.min(body.input_suffix.length, batch / 4);
        const room = 8192 - batch;
        const tokens_evaluated = around + body.prompt.length + Math.min(extra.join("").length, room);
        const part = (stop: boolean) => `data: ${JSON.stringify({ content: "1", stop, tokens_evaluated })}\n\n`;
        return { headers: { "content-type": "text/event-stream" }, chunks: [part(false), part(true)] };
      }),
    );
    await promptLimits(model, { language });
    for (let i = 0; i < 3; i++) for await (const _ of model.fill!(request));
    const [first, , last] = server.seen.filter(({ route }) => route === "/infill").map(({ body }) => body);
    expect(first.input_prefix.length).toBeGreaterThan(1024);
    expect(last.input_prefix.length).toBeLessThanOrEqual((known * 3) / 4);
    expect(last.input_prefix.length).toBeGreaterThan((known * 3) / 4 - known / 4);
    // What is further away goes to the texts of other places, and nothing is left out.
    const texts = last.input_extra.map(({ text }: { readonly text: string }) => text);
    expect(texts.at(-1) + last.input_prefix + last.prompt).toBe(request.prefix);
  });

  test("get other places as comments where the batch takes the whole context", async () => {
    const prefix = "before();\nlet b = ";
    const body = await sent(2048, { ...request, prefix, suffix: "" });
    expect(body.input_extra).toEqual([]);
    expect(body.input_prefix).toBe("// src/b.ts:\n// export const b = 1;\nbefore();\n");
  });
});

describe("a prompt that the server refuses as too long", () => {
  const context = [1, 2, 3].map((i) => ({ path: `src/${i}.ts`, text: redacted("x".repeat(90)) }));
  const request: FillRequest = {
    ...{
      path: "src/a.ts",
      language,
      prefix: "before\n".repeat(100),
      suffix: "after\n".repeat(50),
      maxTokens: 40,
      context,
    },
  };
  const done = { headers: { "content-type": "text/event-stream" }, chunks: ['data: {"content":"x","stop":true}\n\n'] };
  const refusal = (message: string) => json({ error: { code: 400, message, type: "invalid_request_error" } }, 400);
  const sizeOf = ({ body }: SeenRequest) => JSON.stringify(body).length;
  async function answerOf(message: string, refusals: number) {
    let refused = 0;
    const { server, model } = await open("llamacpp", ({ route }) => {
      if (route !== "/infill") return json({}, 404);
      return refused++ < refusals ? refusal(message) : done;
    });
    const answer = await model.fill!(request)
      .next()
      .then(
        ({ value }) => value,
        (error: { readonly code: string }) => error.code,
      );
    return { answer, sent: server.seen.filter(({ route }) => route === "/infill"), model };
  }

  test.each([
    [
      "with its sizes",
      "request (1400 tokens) exceeds the available context size (1000 tokens), try increasing it",
      0.72,
    ],
    ["without sizes", "the request exceeds the available context size", 0.62],
  ])("is sent again at once with less of it: %s", async (_, message, most) => {
    const { answer, sent } = await answerOf(message, 1);
    expect(answer).toMatchObject({ text: "x" });
    const [first, second] = sent.map(sizeOf);
    expect(second! / first!).toBeLessThan(most);
    expect(sent[1]!.body.prompt).toBe(sent[0]!.body.prompt);
  });

  test("fails where it is too long for the second time", async () => {
    const { answer, sent } = await answerOf("the request exceeds the available context size", 9);
    expect(answer).toBe("context-too-long");
    expect(sent).toHaveLength(2);
  });

  test("is counted by the server, which names only what it has not cut itself", async () => {
    const long = { ...request, prefix: "before\n".repeat(2000) };
    let refused = 0;
    const { server, model } = await open(
      "llamacpp",
      bytesServer(2048, () =>
        refused++ === 0 ? refusal("request (2051 tokens) exceeds the available context size (2048 tokens)") : done,
      ),
    );
    expect((await model.fill!(long).next()).value).toMatchObject({ text: "x" });
    const { input_prefix, input_suffix } = server.seen.filter(({ route }) => route === "/infill").at(-1)!.body;
    expect(input_prefix.length + input_suffix.length).toBeLessThan(2048);
  });

  test("shows the size of the context to the next prompt", async () => {
    const message =
      "This model's maximum context length is 1000 tokens. However, you requested 1440 tokens (1400 in the prompt, 40 in the completion).";
    const { model } = await answerOf(message, 1);
    expect((await promptLimits(model, { language })).contextTokens).toBe(1000);
  });

  test.each([
    [1, 3, "before\n".repeat(100), "after\n".repeat(50)],
    [0.9, 1, "before\n".repeat(100), "after\n".repeat(50)],
    [0.5, 0, "before\n".repeat(78), "after\n".repeat(16)],
    [0, 0, "", ""],
  ])("keeps the nearest text at a share of %s", (share, others, prefix, suffix) => {
    expect(shrinkFill(request, share)).toMatchObject({ context: context.slice(3 - others), prefix, suffix });
  });
});
