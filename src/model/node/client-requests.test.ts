import { describe, expect, onTestFinished, test } from "vitest";
import { redacted } from "../fixtures/redacted.ts";
import type { FillRequest, Model } from "../model.ts";
import type { Fetch, ModelSettings } from "../model-host.ts";
import { openModel } from "../open-model.ts";
import { type Script, type ScriptedReply, ScriptedServer, type SeenRequest } from "./fixtures/scripted-server.ts";
import { webHost } from "./web-host.ts";

const request: FillRequest = {
  path: "src/a.ts",
  language: "typescript",
  prefix: "one();\nconst two = ",
  suffix: ";\n",
  maxLines: 3,
  maxTokens: 40,
  temperature: 0.2,
  context: [{ path: "src/b.ts", text: redacted("export const b = 1;\n") }],
};

const json = (value: object) => ({ headers: { "content-type": "application/json" }, chunks: [JSON.stringify(value)] });

const show = (more: object = {}) =>
  json({
    template: "{{ if .Suffix }}<PRE> {{ .Prompt }} <SUF>{{ .Suffix }} <MID>{{ else }}{{ .Prompt }}{{ end }}",
    capabilities: ["completion", "insert"],
    model_info: { "general.architecture": "llama", "llama.context_length": 4096 },
    ...more,
  });

async function open(
  name: (url: string) => string,
  script: Script,
  {
    settings,
    environment = {},
  }: { readonly settings?: ModelSettings; readonly environment?: Record<string, string> } = {},
) {
  const server = await ScriptedServer.start(script);
  onTestFinished(() => server[Symbol.asyncDispose]());
  const host = webHost({ environment, settings: { retries: 0, ...settings } });
  return { server, model: openModel(name(server.url), host) };
}

async function textOf(model: Model, extra: Partial<FillRequest> = {}): Promise<string> {
  let text = "";
  for await (const part of model.fill!({ ...request, ...extra })) text += part.text;
  return text;
}

async function endOf(model: Model) {
  const stream = model.fill!(request);
  for (;;) {
    const { done, value } = await stream.next();
    if (done) return value;
  }
}

const choice = (fields: object) => json({ choices: [{ index: 0, finish_reason: "stop", ...fields }] });

describe("a fill sends the request", () => {
  const shown = { model: "m", keep_alive: "30m", truncate: false, shift: false, stream: true };
  const limits = { max_tokens: 40, stream: true, temperature: 0.2 };
  const asComment = "// src/b.ts:\n// export const b = 1;\n";
  const cases: readonly (readonly [string, string, ModelSettings, string, object])[] = [
    [
      "llama.cpp to mark the hole, with the line's beginning behind it",
      "llamacpp:URL",
      {},
      "/infill",
      {
        ...{ cache_prompt: true, n_predict: 40, stream: true, temperature: 0.2 },
        ...{ input_prefix: "one();\n", input_suffix: ";\n", prompt: "const two = " },
        input_extra: [{ filename: "src/b.ts", text: redacted("export const b = 1;\n") }],
      },
    ],
    [
      "llama.cpp by a template",
      "llamacpp:URL",
      { template: "starcoder", probabilities: true, maxStops: 1 },
      "/completion",
      {
        ...{ cache_prompt: true, n_predict: 40, stream: true, temperature: 0.2, n_probs: 1 },
        prompt: `<fim_prefix>${asComment}one();\nconst two = <fim_suffix>;\n<fim_middle>`,
        stop: ["<|endoftext|>"],
      },
    ],
    [
      "Ollama to mark the hole, with as much context as the model has",
      "ollama:URL#m",
      {},
      "/api/generate",
      {
        ...{ ...shown, prompt: `${asComment}one();\nconst two = `, suffix: ";\n" },
        options: { num_predict: 40, temperature: 0.2, num_ctx: 4096 },
      },
    ],
    [
      "Ollama by a template, with as much context as the settings say",
      "ollama:URL#m",
      {
        template: "granite4",
        contextTokens: 2048,
        request: { keep_alive: "-1m", options: { num_gpu: 0 } },
        maxStops: 2,
      },
      "/api/generate",
      {
        ...{ ...shown, keep_alive: "-1m", raw: true },
        prompt: `<|fim_prefix|>${asComment}one();\nconst two = <|fim_suffix|>;\n<|fim_middle|>`,
        options: {
          num_predict: 40,
          temperature: 0.2,
          stop: ["<|end_of_text|>", "<|fim_pad|>"],
          num_ctx: 2048,
          num_gpu: 0,
        },
      },
    ],
    [
      "an OpenAI-compatible server to mark the hole",
      "openai-compatible:URL#m",
      {},
      "/v1/completions",
      { model: "m", ...limits, prompt: `${asComment}one();\nconst two = `, suffix: ";\n" },
    ],
    [
      "vLLM by a template, special tokens and probabilities included",
      "vllm:URL#m",
      { template: "granite4" },
      "/v1/completions",
      {
        ...{ model: "m", ...limits, logprobs: 1, skip_special_tokens: false },
        prompt: `<|fim_prefix|>${asComment}one();\nconst two = <|fim_suffix|>;\n<|fim_middle|>`,
        stop: ["<|end_of_text|>", "<|fim_pad|>", "<|fim_prefix|>", "<|fim_suffix|>", "<|fim_middle|>"],
      },
    ],
    [
      "Mistral, other files named as Codestral learnt them",
      "mistral:URL#m",
      {},
      "/v1/fim/completions",
      {
        ...{ model: "m", ...limits, suffix: ";\n" },
        prompt: "+++++ src/b.ts\nexport const b = 1;\n+++++ src/a.ts\none();\nconst two = ",
      },
    ],
    [
      "DeepSeek, other files named as its models learnt them",
      "deepseek:URL#m",
      {},
      "/beta/completions",
      {
        ...{ model: "m", ...limits, suffix: ";\n" },
        prompt: "#src/b.ts\nexport const b = 1;\n#src/a.ts\none();\nconst two = ",
      },
    ],
  ];
  for (const [name, model, settings, route, body] of cases) {
    test(name, async () => {
      const answer = json({
        content: "2",
        stop: true,
        response: "2",
        done: true,
        choices: [{ text: "2", finish_reason: "stop" }],
      });
      const { server, model: opened } = await open(
        (url) => model.replace("URL", url),
        (seen) => (seen.route === "/api/show" ? show() : answer),
        { settings },
      );
      expect(await textOf(opened)).toBe("2");
      expect(server.seen.at(-1)).toMatchObject({ method: "POST", route });
      expect(server.seen.at(-1)!.body).toEqual(body);
    });
  }
});

describe("a raw prompt is sent unchanged", () => {
  const prompt = "<|file_sep|>a.ts\n";
  const stop = ["<|file_sep|>", "</s>"];
  const limits = { max_tokens: 40, stream: true, temperature: 0 };
  const cases: readonly (readonly [string, string, ModelSettings, string, object])[] = [
    [
      "by llama.cpp",
      "llamacpp:URL",
      {},
      "/completion",
      { cache_prompt: true, n_predict: 40, stream: true, temperature: 0, prompt, stop },
    ],
    [
      "by Ollama, though it marks no hole",
      "ollama:URL#m",
      {},
      "/api/generate",
      {
        ...{ model: "m", keep_alive: "30m", truncate: false, shift: false, stream: true, raw: true, prompt },
        options: { num_predict: 40, temperature: 0, stop, num_ctx: 4096 },
      },
    ],
    [
      "by an OpenAI-compatible server that fills by a chat",
      "openai-compatible:URL/v1#m",
      { fillBy: "chat", probabilities: true },
      "/v1/completions",
      { model: "m", ...limits, logprobs: 1, prompt, stop },
    ],
    [
      "by vLLM without a template, special tokens included",
      "vllm:URL#m",
      { maxStops: 1, probabilities: false },
      "/v1/completions",
      { model: "m", ...limits, skip_special_tokens: false, prompt, stop: ["<|file_sep|>"] },
    ],
    [
      "by LM Studio, whatever its template is",
      "lmstudio:URL#m",
      { template: "starcoder" },
      "/v1/completions",
      { model: "m", ...limits, prompt, stop },
    ],
  ];
  for (const [name, model, settings, route, body] of cases) {
    test(name, async () => {
      const answer = json({
        ...{ content: "2", stop: true, response: "2", done: true },
        choices: [{ text: "2", finish_reason: "stop" }],
      });
      const { server, model: opened } = await open(
        (url) => model.replace("URL", url),
        (seen) => (seen.route === "/api/show" ? show({ capabilities: ["completion"], template: "" }) : answer),
        { settings },
      );
      const texts: string[] = [];
      for await (const { text } of opened.completeRaw!({ prompt, stop, maxTokens: 40, temperature: 0 }))
        texts.push(text);
      expect(texts).toEqual(["2"]);
      expect(server.seen.at(-1)).toMatchObject({ method: "POST", route });
      expect(server.seen.at(-1)!.body).toEqual(body);
    });
  }

  test.each(["mistral", "deepseek", "openai", "anthropic", "google"])("never by %s", async (provider) => {
    const { model } = await open(
      (url) => `${provider}:${url}#m`,
      () => choice({ text: "2" }),
    );
    expect(model.completeRaw).toBeUndefined();
  });
});

describe("the loaded model is reported", () => {
  const cases: readonly (readonly [string, string, Readonly<Record<string, object>>, object])[] = [
    [
      "by llama.cpp",
      "llamacpp:URL",
      { "/props": { model_alias: "org/zeta-2", model_path: "/m/z.gguf" } },
      { family: "org/zeta-2", file: "/m/z.gguf" },
    ],
    [
      "by llama.cpp, whose name is the file",
      "llamacpp:URL",
      { "/props": { model_alias: "/m/zeta-2.gguf", model_path: "/m/zeta-2.gguf" } },
      { family: "/m/zeta-2.gguf" },
    ],
    [
      "by an older llama.cpp",
      "llamacpp:URL",
      { "/props": { model_path: "/m/zeta-2.gguf" } },
      { family: "/m/zeta-2.gguf" },
    ],
    [
      "by Ollama",
      "ollama:URL#mine",
      {
        "/api/version": { version: "1.0.0" },
        "/api/show": { model_info: { "general.name": "Zeta 2", "general.finetune": "Instruct" } },
      },
      { family: "Zeta 2", training: "instruct" },
    ],
    [
      "by vLLM",
      "vllm:URL#mine",
      {
        "/v1/models": {
          data: [
            { id: "x", root: "y" },
            { id: "mine", root: "org/zeta" },
          ],
        },
      },
      { family: "org/zeta" },
    ],
    ["by a server that lists names", "openai-compatible:URL#mine", { "/v1/models": { data: [{ id: "mine" }] } }, {}],
    ["by one that tells nothing", "openai-compatible:URL#mine", {}, {}],
  ];
  for (const [name, model, routes, expected] of cases) {
    test(`${name}, and requested once`, async () => {
      const { server, model: opened } = await open(
        (url) => model.replace("URL", url),
        ({ route }) => (routes[route] === undefined ? { status: 404, chunks: ["not here"] } : json(routes[route])),
      );
      expect(await opened.describe!()).toEqual(expected);
      const requestCount = server.seen.length;
      expect(await opened.describe!()).toEqual(expected);
      expect(server.seen.length).toBe(requestCount);
    });
  }

  test("a server that refuses to report its model is requested again", async () => {
    let isBusy = true;
    const { model } = await open(
      (url) => `llamacpp:${url}`,
      () => (isBusy ? { status: 503, chunks: ["loading"] } : json({ model_alias: "zeta" })),
    );
    await expect(model.describe!()).rejects.toMatchObject({ code: "busy" });
    isBusy = false;
    expect(await model.describe!()).toEqual({ family: "zeta" });
  });
});

describe("the next tokens are reported", () => {
  const request = { path: "a.ts", language: "typescript", prefix: "f", suffix: "", limit: 2 };
  const logprobs = (name: string) => [
    { [name]: "(", logprob: Math.log(0.75) },
    { [name]: "oo", logprob: Math.log(0.125) },
    { [name]: "\ufffd", logprob: Math.log(0.1) },
  ];
  const cases: readonly (readonly [string, string, object, object])[] = [
    [
      "by llama.cpp",
      "llamacpp:URL",
      { completion_probabilities: [{ token: "(", logprob: -1, top_logprobs: logprobs("token") }] },
      { n_predict: 1, n_probs: 2 },
    ],
    [
      "by an old llama.cpp",
      "llamacpp:URL",
      {
        completion_probabilities: [
          {
            content: "(",
            probs: [
              { tok_str: "oo", prob: 0.125 },
              { tok_str: "(", prob: 0.75 },
            ],
          },
        ],
      },
      { n_predict: 1, n_probs: 2 },
    ],
    ["by Ollama", "ollama:URL#m", { logprobs: [{ token: "(", top_logprobs: logprobs("token") }] }, { top_logprobs: 2 }],
    [
      "by vLLM",
      "openai-compatible:URL#m",
      { choices: [{ logprobs: { top_logprobs: [{ oo: Math.log(0.125), "(": Math.log(0.75) }] } }] },
      { max_tokens: 1, logprobs: 2 },
    ],
  ];
  for (const [name, model, answer, expected] of cases) {
    test(name, async () => {
      const { server, model: opened } = await open(
        (url) => model.replace("URL", url),
        ({ route }) => (route === "/api/show" ? show() : json(answer)),
      );
      const tokens = await opened.next!(request);
      expect(tokens.map(({ text }) => text)).toEqual(["(", "oo"]);
      expect(tokens[0]!.probability).toBeCloseTo(0.75);
      expect(server.seen.at(-1)!.body).toMatchObject({ ...expected, stream: false });
    });
  }

  test("not by a server without a list of tokens, whose error explains that", async () => {
    const { model } = await open(
      (url) => `openai-compatible:${url}#m`,
      () => choice({ text: "(" }),
    );
    await expect(model.next!(request)).rejects.toMatchObject({ code: "unsupported" });
  });
  test("never by Mistral", async () => {
    const { model } = await open(
      (url) => `mistral:${url}#m`,
      () => choice({ text: "(" }),
    );
    expect(model.next).toBeUndefined();
  });
});

describe("the probability of an answer", () => {
  test("is the product of its token probabilities", async () => {
    const { model } = await open(
      (url) => `vllm:${url}#m`,
      () => choice({ text: "a b", logprobs: { tokens: ["a", " b"], token_logprobs: [Math.log(0.5), Math.log(0.5)] } }),
      { settings: { template: "qwen" } },
    );
    const end = await endOf(model);
    expect(end.reason).toBe("finished");
    expect(end.probability).toBeCloseTo(0.25);
  });
  test("is absent where the server reports none", async () => {
    const { model } = await open(
      (url) => `openai-compatible:${url}#m`,
      () => choice({ text: "a" }),
    );
    expect(await endOf(model)).toEqual({ reason: "finished" });
  });
});

describe("preparing a request", () => {
  test("makes llama.cpp read the prompt without generating text", async () => {
    const { server, model } = await open(
      (url) => `llamacpp:${url}`,
      () => json({ content: "", stop: true }),
    );
    await model.warm!(request);
    expect(server.seen[0]!.body).toMatchObject({ n_predict: 0, stream: false, input_prefix: "one();\n" });
  });
  test("makes Ollama read the prompt for one token, with the context size of fills", async () => {
    const { server, model } = await open(
      (url) => `ollama:${url}#m`,
      ({ route }) => (route === "/api/show" ? show() : json({ response: "x", done: true, done_reason: "length" })),
    );
    await model.warm!(request);
    expect(server.seen.at(-1)!.route).toBe("/api/generate");
    const { prompt, suffix, ...body } = server.seen.at(-1)!.body;
    expect(body).toEqual({
      ...{ model: "m", keep_alive: "30m", truncate: false, shift: false, stream: false },
      options: { num_ctx: 4096, num_predict: 1 },
    });
    for await (const _ of model.fill!(request));
    expect(server.seen.at(-1)!.body).toMatchObject({ prompt, suffix });
  });
  test.each<[provider: string, settings: ModelSettings]>([
    ["openai-compatible", {}],
    ["vllm", { template: "qwen" }],
    ["lmstudio", { template: "qwen" }],
  ])("makes a server of the kind %s on this machine read the prompt for one token", async (provider, settings) => {
    const { server, model } = await open(
      (url) => `${provider}:${url}#m`,
      () => choice({ text: "x", finish_reason: "length" }),
      { settings },
    );
    await model.warm!(request);
    const { max_tokens, temperature, stream, ...warmed } = server.seen.at(-1)!.body;
    expect([server.seen.at(-1)!.route, max_tokens, temperature, stream]).toEqual(["/v1/completions", 1, 0, false]);
    for await (const _ of model.fill!(request));
    expect(server.seen.at(-1)!.body).toMatchObject(warmed);
  });
  test.each([
    ["another machine", "vllm:http://10.0.0.1:8000#m"],
    ["another machine", "openai-compatible:https://models.example/v1#m"],
    ["a company", "openai:gpt-5"],
    ["a company", "mistral:codestral-latest"],
    ["a company", "deepseek:deepseek-chat"],
  ])("is never requested from %s: %s", (_, name) => {
    expect(openModel(name, webHost({ environment: {} })).warm).toBeUndefined();
  });
});

describe("a client of Ollama", () => {
  const whole = json({ response: "x", done: true });
  test("requests the model's details once", async () => {
    const { server, model } = await open(
      (url) => `ollama:${url}#m`,
      ({ route }) => (route === "/api/show" ? show() : whole),
    );
    await textOf(model);
    await textOf(model);
    expect(server.seen.map(({ route }) => route)).toEqual(["/api/show", "/api/generate", "/api/generate"]);
  });
  describe("chats by /api/chat", () => {
    const messages = [
      { role: "system", text: "Be brief." },
      { role: "user", text: "Say é." },
    ] as const;
    const chunk = (message: object, done = false) => `${JSON.stringify({ message, done, done_reason: "stop" })}\n`;
    const openChatting = (capabilities: readonly string[], chunks: readonly string[], settings: ModelSettings = {}) =>
      open(
        (url) => `ollama:${url}#m`,
        ({ route }) =>
          route === "/api/show"
            ? show({ capabilities })
            : { headers: { "content-type": "application/x-ndjson" }, chunks },
        { settings },
      );
    const whole = {
      ...{ model: "m", keep_alive: "30m", truncate: false, shift: false, stream: true },
      messages: [
        { role: "system", content: "Be brief." },
        { role: "user", content: "Say é." },
      ],
    };

    test.each<[string, readonly string[], ModelSettings, object]>([
      ["with as much context as the model has", [], {}, { options: { num_predict: 40, num_ctx: 4096 } }],
      [
        "with as much as the settings say, which is what fills have",
        [],
        { contextTokens: 2048 },
        { options: { num_predict: 40, num_ctx: 2048 } },
      ],
      [
        "with the reasoning of a model that can think apart",
        ["thinking"],
        {},
        { think: true, options: { num_predict: 40, num_ctx: 4096 } },
      ],
      [
        "without reasoning where the user wants none",
        ["thinking"],
        { request: { think: false, options: { num_gpu: 0 } } },
        { think: false, options: { num_predict: 40, num_ctx: 4096, num_gpu: 0 } },
      ],
    ])("%s", async (_, capabilities, settings, body) => {
      const { server, model } = await openChatting(capabilities, [chunk({ content: "é" }, true)], settings);
      const texts: string[] = [];
      for await (const { text } of model.chat!({ messages, maxTokens: 40 })) texts.push(text);
      expect(texts).toEqual(["é"]);
      expect(server.seen.map(({ route }) => route)).toEqual(["/api/show", "/api/chat"]);
      expect(server.seen[1]!.body).toEqual({ ...whole, ...body });
    });

    test("and text behind reasoning is marked, which is not held back for a closing tag", async () => {
      const thinking = ["It is", " é."].map((text) => chunk({ thinking: text, content: "" }));
      const { model } = await openChatting(["thinking"], [...thinking, chunk({ content: "é" }), chunk({}, true)]);
      const parts: unknown[] = [];
      for await (const part of model.chat!({ messages })) parts.push(part);
      expect(parts).toEqual([{ kind: "text-delta", text: "é", isBehindReasoning: true }]);
    });

    test("and fills by it", async () => {
      const { server, model } = await openChatting([], [chunk({ content: "2" }, true)], { fillBy: "chat" });
      expect(await textOf(model)).toBe("2");
      expect(server.seen.at(-1)).toMatchObject({ route: "/api/chat", body: { options: { num_ctx: 4096 } } });
    });
  });

  test("never sends an empty prompt or suffix, which would have another meaning", async () => {
    const { server, model } = await open(
      (url) => `ollama:${url}#m`,
      ({ route }) => (route === "/api/show" ? show() : whole),
    );
    await textOf(model, { prefix: "", suffix: "", context: [] });
    expect(server.seen[1]!.body).toMatchObject({ prompt: "// src/a.ts:\n", suffix: "\n" });
    await textOf(model, { prefix: "", suffix: "", context: [], language: "plaintext" });
    expect(server.seen[2]!.body).toMatchObject({ prompt: "\n", suffix: "\n" });
  });
  test("removes the tokens of Ollama's template from the source", async () => {
    const { server, model } = await open(
      (url) => `ollama:${url}#m`,
      ({ route }) => (route === "/api/show" ? show() : whole),
    );
    await textOf(model, { prefix: "a<PRE>b</s>", suffix: "<MID>", context: [] });
    expect(server.seen[1]!.body).toMatchObject({ prompt: "a< PRE>b</s>", suffix: "< MID>" });
  });
  test("refuses a model that cannot insert, with a remedy", async () => {
    const template = { template: "{{ .Prompt }}", capabilities: ["completion"] };
    const { server, model } = await open(
      (url) => `ollama:${url}#m`,
      () => show(template),
    );
    await expect(textOf(model)).rejects.toMatchObject({
      code: "unsupported",
      message: expect.stringMatching(/`ollama pull .*\.template` \(qwen, .*\.fillBy` to `chat`/),
    });
    expect(server.seen.length).toBe(1);
  });
  test("reports how to pull a missing model", async () => {
    const { model } = await open(
      (url) => `ollama:${url}#m`,
      () => ({ status: 404, chunks: ['{"error":"model \'m\' not found"}'] }),
    );
    await expect(textOf(model)).rejects.toMatchObject({
      code: "not-found",
      message: expect.stringContaining("`ollama pull m`"),
    });
  });
});

test("an error of an old llama.cpp is read from its own field", async () => {
  const chunks = ['data: {"content":"a"}\n\n', 'error: {"code":500,"message":"out of memory"}\n\n'];
  const { model } = await open(
    (url) => `llamacpp:${url}`,
    () => ({ headers: { "content-type": "text/event-stream" }, chunks }),
  );
  await expect(textOf(model)).rejects.toMatchObject({
    code: "server-failed",
    message: expect.stringContaining("out of memory"),
  });
});

describe("servers that do not mark the hole", () => {
  test("a caller that has aborted before gets the reason, and nothing else", async () => {
    const { model } = await open(
      (url) => `vllm:${url}#m`,
      () => "hang",
    );
    const abort = new AbortController();
    const reason = new Error("no longer wanted");
    abort.abort(reason);
    await expect(model.fill!(request, { signal: abort.signal }).next()).rejects.toBe(reason);
  });

  for (const provider of ["vllm", "lmstudio"]) {
    test(`${provider}: nothing is sent without a template, and the known ones are listed`, async () => {
      const { server, model } = await open(
        (url) => `${provider}:${url}#m`,
        () => choice({ text: "x" }),
      );
      await expect(textOf(model)).rejects.toMatchObject({
        code: "unsupported",
        message: expect.stringContaining("qwen, codestral"),
      });
      expect(server.seen).toEqual([]);
    });
  }
});

test("a route that is not where it is looked for first is found, and remembered", async () => {
  const script: Script = ({ route }) =>
    route === "/completions" ? choice({ text: "x" }) : { status: 404, chunks: ["no"] };
  const { server, model } = await open((url) => `openai-compatible:${url}#m`, script);
  expect(await textOf(model)).toBe("x");
  expect(await textOf(model)).toBe("x");
  expect(server.seen.map(({ route }) => route)).toEqual(["/v1/completions", "/completions", "/completions"]);
});

test("when no route is there, all that were tried are named", async () => {
  const { server, model } = await open(
    (url) => `openai-compatible:${url}#m`,
    () => ({ status: 404, chunks: ["no"] }),
  );
  const message = `has no route ${server.url}/v1/completions, nor ${server.url}/completions.`;
  await expect(textOf(model)).rejects.toMatchObject({ code: "not-found", message: expect.stringContaining(message) });
});

test("an address with a version of its own keeps it", async () => {
  const { server, model } = await open(
    (url) => `openai-compatible:${url}/api/v3/#m`,
    () => choice({ text: "x" }),
  );
  await textOf(model);
  expect(server.seen[0]!.route).toBe("/api/v3/completions");
});

describe("the key of a model server", () => {
  const authorization = (seen: SeenRequest) => seen.headers["authorization"];
  const environment = {
    MISTRAL_API_KEY: "company-secret",
    OPENAI_COMPATIBLE_API_KEY: "own-secret",
    LLAMA_API_KEY: "local",
  };
  test("is sent to its own server", async () => {
    const { server, model } = await open(
      (url) => `llamacpp:${url}`,
      () => json({ content: "x", stop: true }),
      { environment },
    );
    await textOf(model);
    expect(authorization(server.seen[0]!)).toBe("Bearer local");
  });
  test("of a company is sent to no other address", async () => {
    const { server, model } = await open(
      (url) => `mistral:${url}#m`,
      () => choice({ text: "x" }),
      { environment },
    );
    await textOf(model);
    expect(authorization(server.seen[0]!)).toBe("Bearer own-secret");
  });
  test("of Codestral is sent to Codestral's host", async () => {
    const authorizations: (string | undefined)[] = [];
    const fetch: Fetch = (_url, { headers }) => {
      authorizations.push(headers["authorization"]);
      return Promise.reject(new Error("no network here"));
    };
    for (const address of ["", "https://codestral.mistral.ai#"]) {
      const host = webHost({ environment: { ...environment, CODESTRAL_API_KEY: "codestral-secret" } });
      const model = openModel(`mistral:${address}codestral-latest`, { ...host, fetch });
      await expect(textOf(model)).rejects.toMatchObject({ code: "unreachable" });
    }
    expect(authorizations).toEqual(["Bearer company-secret", "Bearer codestral-secret"]);
  });
  test("of a company is reported as missing before anything is sent", async () => {
    const fetch = () => Promise.reject(new Error("something was sent"));
    const model = openModel("mistral:codestral-latest", { ...webHost({ environment: {} }), fetch });
    await expect(textOf(model)).rejects.toMatchObject({
      code: "no-key",
      message: expect.stringContaining("MISTRAL_API_KEY"),
    });
  });
  test("that is refused is named by its variable and never shown", async () => {
    const reply = { status: 401, chunks: ['{"error":{"message":"Incorrect key: local"}}'] };
    const { model } = await open(
      (url) => `llamacpp:${url}`,
      () => reply,
      { environment },
    );
    await expect(textOf(model)).rejects.toMatchObject({
      code: "key-refused",
      message: expect.stringMatching(/LLAMA_API_KEY.*Incorrect key: …/),
    });
  });
});

describe("headers of model requests", () => {
  test("are taken from the settings, with values of environment variables, and from the environment", async () => {
    const environment = { TEAM: "blue", EMEND_HEADERS: "X-All: 1\nX-Team: red" };
    // biome-ignore lint/suspicious/noTemplateCurlyInString: this is how settings name a variable.
    const settings = { headers: { "X-Team": "team ${TEAM}", Authorization: "Basic abc" } };
    const script: Script = () => json({ content: "x", stop: true });
    const { server, model } = await open((url) => `llamacpp:${url}`, script, { environment, settings });
    await textOf(model);
    expect(server.seen[0]!.headers).toMatchObject({ "x-team": "team blue", "x-all": "1", authorization: "Basic abc" });
  });
  test("with an unset environment variable are refused with its name", async () => {
    // biome-ignore lint/suspicious/noTemplateCurlyInString: this is how settings name a variable.
    const host = webHost({ environment: {}, settings: { headers: { "X-Team": "${TEAM}" } } });
    expect(() => openModel("llamacpp", host)).toThrow(/X-Team wants the environment variable TEAM/);
  });
});

describe("opening a model is refused", () => {
  const host = webHost({ environment: {} });
  test("for an unknown template, with a list of the known ones", () => {
    const settings = { template: "gpt" };
    expect(() => openModel("llamacpp", { ...host, settings })).toThrow(/no template `gpt`.*there are qwen, codestral/);
  });
  test("for an invalid name, with the expected form", () => {
    expect(() => openModel("qwen:7b", host)).toThrow(/`ollama:qwen:7b`/);
  });
  test("for a model that no server has", () =>
    expect(() => openModel("builtin", host)).toThrow(/No server has `builtin`/));
});

test("a user-defined template is used unchanged", async () => {
  const template = {
    name: "mine",
    models: "mine",
    fill: "«{prefix}|{suffix}»",
    stops: ["»"],
    specialTokens: ["«", "»"],
  };
  const { server, model } = await open(
    (url) => `llamacpp:${url}`,
    () => json({ content: "x»y", stop: true }),
    { settings: { template } },
  );
  expect(await textOf(model, { prefix: "a", suffix: "b»", context: [] })).toBe("x");
  expect(server.seen[0]!.body).toMatchObject({ prompt: "«a|b» »", stop: ["»"] });
});

describe("row 51: a server whose template ends with an opening tag of reasoning", () => {
  const answer = "It is a, b.\n</think>\n\nadd(1, 2)";
  const event = (value: object) => `data: ${JSON.stringify(value)}\n\n`;
  const infill = [
    event({ content: answer.slice(0, 20), stop: false }),
    event({ content: answer.slice(20), stop: true }),
  ];

  test.each([
    ["<|im_start|>assistant\n<think>\n", "<think>It is a, b.\n</think>\n\nadd(1, 2)"],
    ["<|im_start|>assistant\n", answer],
  ])("llama.cpp, by /props: %j", async (template, expected) => {
    const { server, model } = await open(
      (url) => `llamacpp:${url}`,
      ({ route }) =>
        route === "/props"
          ? json({ chat_template: template })
          : { headers: { "content-type": "text/event-stream" }, chunks: infill },
    );
    expect(await textOf(model, { maxLines: 10 })).toBe(expected);
    await textOf(model, { maxLines: 10 });
    expect(server.seen.filter(({ route }) => route === "/props")).toHaveLength(1);
  });

  test.each([
    ["without /props", { status: 404, chunks: ["no such route"] }],
    ["whose /props fails", { status: 500, chunks: ["broken"] }],
    ["that tells no template", json({ n_ctx: 1 })],
  ])("llama.cpp %s", async (_, props) => {
    const { model } = await open(
      (url) => `llamacpp:${url}`,
      ({ route }) =>
        route === "/props" ? props : { headers: { "content-type": "text/event-stream" }, chunks: infill },
    );
    expect(await textOf(model, { maxLines: 10 })).toBe(answer);
  });

  test("Ollama, by /api/show", async () => {
    const template = "{{ if .Suffix }}<PRE>{{ .Prompt }}<SUF>{{ .Suffix }}{{ end }}<think>\n{{ .Response }}";
    const { model } = await open(
      (url) => `ollama:${url}#m`,
      ({ route }) =>
        route === "/api/show" ? show({ template }) : json({ response: `so it is\n${answer}`, done: true }),
    );
    expect(await textOf(model, { maxLines: 10 })).toBe(`<think>so it is\n${answer}`);
  });
});

describe("a conversation with llama.cpp's server", () => {
  const chatml =
    "{%- for message in messages -%}\n  {{- '<|im_start|>' + message.role + '\n' + message.content + '<|im_end|>\n' -}}\n{%- endfor -%}\n{%- if add_generation_prompt -%}\n  {{- '<|im_start|>assistant\n' -}}\n{%- endif -%}";
  const answer = {
    headers: { "content-type": "text/event-stream" },
    chunks: [
      'data: {"choices":[{"index":0,"delta":{"content":"2, 3"},"finish_reason":"stop"}]}\n\n',
      "data: [DONE]\n\n",
    ],
  };
  const missing = { status: 404, chunks: ["no such route"] };
  const tokens = (count: number) => json({ tokens: Array.from({ length: count }, (_, i) => i) });
  /** What a first and a second chat with the model give, and the routes of all requests. */
  async function chatWith(props: ScriptedReply, tokenize: ScriptedReply) {
    const { server, model } = await open(
      (url) => `llamacpp:${url}`,
      ({ route }) => (route === "/props" ? props : route === "/tokenize" ? tokenize : answer),
    );
    const chat = async () => {
      const parts: string[] = [];
      for await (const { text } of model.chat!({ messages: [{ role: "user", text: "Primes?" }] })) parts.push(text);
      return parts.join("");
    };
    const results = [await chat().catch(String), await chat().catch(String)];
    return {
      canChat: await model.canChat!(),
      results: results.map((each) => each.replaceAll(server.url, "URL")),
      routes: server.seen.map(({ route }) => route),
    };
  }

  test("is refused before it is sent where the model has no template, nor the marks of the default", async () => {
    const { results, routes, canChat } = await chatWith(json({ chat_template: chatml }), tokens(6));
    expect(canChat).toBe(false);
    const refusal =
      "EmendError: `llamacpp:URL` has no chat template, so it completes code and takes no instructions. `emend setup` finds a model that chats and sets `edit.model`; where this one was trained to chat, start its server with the template of its training: `--chat-template llama3` or another name but `chatml`, which llama.cpp reports where a model has none, too, or `--chat-template-file`.";
    expect(results).toEqual([refusal, refusal]);
    expect(routes).toEqual(["/props", "/tokenize"]);
  });

  test.each<[what: string, props: ScriptedReply, tokenize: ScriptedReply]>([
    ["the marks of the default are tokens of the model", json({ chat_template: chatml }), tokens(1)],
    ["the model has a template", json({ chat_template: `{{ bos_token }}${chatml}` }), tokens(6)],
    ["the server reports no template", json({ n_ctx: 512 }), tokens(6)],
    ["the server reports nothing", missing, tokens(6)],
    ["the server counts no tokens", json({ chat_template: chatml }), missing],
  ])("is sent where %s", async (_, props, tokenize) => {
    const { results, routes, canChat } = await chatWith(props, tokenize);
    expect(canChat).toBe(true);
    expect(results).toEqual(["2, 3", "2, 3"]);
    expect(routes.filter((route) => route === "/props")).toHaveLength(1);
  });
});
