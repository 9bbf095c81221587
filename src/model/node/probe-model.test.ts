import { describe, expect, onTestFinished, test } from "vitest";
import type { Model } from "../model.ts";
import type { ModelSettings, OpenChat } from "../model-host.ts";
import { printModelReport } from "../model-report.ts";
import { probeModel } from "../probe-model.ts";
import { type Script, type ScriptedReply, ScriptedServer } from "./fixtures/scripted-server.ts";
import { webHost } from "./web-host.ts";

const json = (value: object): ScriptedReply => ({
  headers: { "content-type": "application/json" },
  chunks: [JSON.stringify(value)],
});

/** Routes that answer always the same; all others are missing. */
const routes =
  (table: Readonly<Record<string, ScriptedReply>>): Script =>
  ({ route }) =>
    table[route] ?? { status: 404, chunks: ["nothing here"] };

/** A chat that answers these pieces. */
const chatting =
  (...pieces: readonly string[]): OpenChat =>
  ({ name }): Model => ({
    name,
    async *chat() {
      for (const text of pieces) yield { kind: "text-delta", text };
      return { reason: "finished" };
    },
  });

interface Setting {
  readonly settings?: ModelSettings;
  readonly openChat?: OpenChat;
  readonly environment?: Readonly<Record<string, string>>;
  readonly face?: "fill" | "chat";
  /** Waits of 20 s end after so many milliseconds. */
  readonly longWaitMs?: number;
}

/** What is found out about the model at `URL`, as it is printed, with its times left out. */
async function probe(
  name: string,
  script: Script,
  { settings = {}, openChat, environment = {}, face = "fill", longWaitMs = 20_000 }: Setting = {},
) {
  const server = await ScriptedServer.start(script);
  onTestFinished(() => server[Symbol.asyncDispose]());
  let now = 0;
  const { openChat: _, ...host } = webHost({ environment, settings });
  // Each look at the clock is 10 ms later than the one before.
  const clock = {
    ...host.clock,
    after: (delayMs: number, task: () => void) => host.clock.after(delayMs === 20_000 ? longWaitMs : delayMs, task),
    now: () => {
      now += 10;
      return now;
    },
  };
  const outside = { ...host, clock, ...(openChat === undefined ? {} : { openChat }) };
  const report = await probeModel(name.replace("URL", server.url), outside, { face });
  const printed = printModelReport(report)
    .replaceAll(server.url, "URL")
    .replace(/\d+ ms.*/, "# ms");
  return { report, printed, seen: server.seen, url: server.url };
}

const primes = { content: "2, 3, 5", stop: true };
const props = json({ default_generation_settings: { n_ctx: 4096 }, build_info: "b5000" });

test("a probe reports every ability of a llama.cpp server", async () => {
  const answer = ({ body }: { readonly body?: { readonly n_probs?: number } }) =>
    json({
      ...primes,
      ...(body?.n_probs === undefined
        ? {}
        : { completion_probabilities: [{ top_logprobs: [{ token: "2", logprob: 0 }] }] }),
    });
  const { report, printed } = await probe("llamacpp:URL", (seen) => (seen.route === "/props" ? props : answer(seen)), {
    openChat: chatting(),
  });
  expect(printed).toBe(
    [
      "llamacpp:URL",
      "  Server    llama.cpp b5000 at URL",
      "  Fills by  the server's own template, at URL/infill",
      "  Model     4,096 tokens of context",
      "  Can       fill, chat (not tried), next",
      "  Speed     first token after # ms",
    ].join("\n"),
  );
  expect(report).toMatchObject({ isReachable: true, contextTokens: 4096, problems: [] });
  expect(report.firstTokenMs).toBeGreaterThan(0);
  // A report can be written as JSON.
  expect(JSON.parse(JSON.stringify(report))).toEqual(report);
});

test("a probe says that a model chats only where it has a chat template, or the marks of the default", async () => {
  const defaultTemplate =
    "{%- for message in messages -%}\n  {{- '<|im_start|>' + message.role + '\n' + message.content + '<|im_end|>\n' -}}\n{%- endfor -%}\n{%- if add_generation_prompt -%}\n  {{- '<|im_start|>assistant\n' -}}\n{%- endif -%}";
  const script =
    (tokens: number): Script =>
    ({ route }) => {
      if (route === "/props") return json({ build_info: "b5000", chat_template: defaultTemplate });
      return json(route === "/tokenize" ? { tokens: Array.from({ length: tokens }) } : primes);
    };
  const can = async (tokens: number) =>
    (await probe("llamacpp:URL", script(tokens), { openChat: chatting() })).report.can;
  expect(await can(6)).toMatchObject({ fill: true, chat: false });
  expect(await can(1)).toMatchObject({ fill: true, chat: true });
});

describe("the speed of an answer is what the server reports, else that of the parts after the first", () => {
  // Each part is 10 ms later than the one before, by the clock of the test.
  test.each<[parts: number, timings: object | undefined, tokensPerSecond: number | undefined]>([
    [9, undefined, 100],
    [8, undefined, undefined],
    [2, { predicted_n: 40, predicted_ms: 500 }, 80],
    [20, { predicted_n: 40, predicted_ms: 0.5 }, 80_000],
    [20, { predicted_n: 1, predicted_ms: 0.001 }, undefined],
    [20, { predicted_n: 7, predicted_ms: 70 }, undefined],
    [20, { predicted_n: 20, predicted_ms: 0 }, undefined],
  ])("%i parts, %j", async (parts, timings, tokensPerSecond) => {
    const frames = Array.from({ length: parts }, () => 'data: {"content":"2,","stop":false}\n\n');
    const last = `data: ${JSON.stringify({ content: "", stop: true, timings })}\n\n`;
    const answer = { headers: { "content-type": "text/event-stream" }, chunks: [...frames, last] };
    const { report } = await probe("llamacpp:URL", ({ route }) => (route === "/props" ? props : answer));
    expect(report.firstTokenMs).toBeGreaterThan(0);
    expect(report.tokensPerSecond).toBe(tokensPerSecond);
  });
});

test.each<[what: string, timings: object, promptTokensPerSecond: number | undefined]>([
  ["what the server reports", { prompt_n: 1900, prompt_ms: 950 }, 2000],
  ["what it reports of a batch of 512", { prompt_n: 384, prompt_ms: 192 }, 2000],
  ["nothing where the server had kept the prompt", { prompt_n: 1, prompt_ms: 9, cache_n: 1999 }, undefined],
])("the speed of reading a prompt is %s", async (_, timings, promptTokensPerSecond) => {
  const { report } = await probe("llamacpp:URL", ({ route }) =>
    route === "/props" ? props : json({ ...primes, timings }),
  );
  expect(report.promptTokensPerSecond).toBe(promptTokensPerSecond);
  expect(report.problems).toEqual([]);
});

test("a probe measures how quickly a prompt of 2,000 tokens is read, or of half of the context", async () => {
  for (const [n_ctx, tokens] of [
    [8192, 2000],
    [1024, 512],
  ] as const) {
    const script: Script = ({ route, body }) => {
      if (route === "/props") return json({ default_generation_settings: { n_ctx } });
      return json(route === "/tokenize" ? { tokens: Array.from({ length: body.content.length }) } : primes);
    };
    const { report, seen } = await probe("llamacpp:URL", script);
    expect(report.promptTokensPerSecond).toBeGreaterThan(0);
    const { body } = seen.filter(({ route }) => route === "/infill").at(-2)!;
    const texts = [...body.input_extra.map(({ text }: { readonly text: string }) => text), body.input_prefix];
    const { length } = texts.join("");
    expect([length >= tokens, length < tokens + 60]).toEqual([true, true]);
  }
});

test("a probe says so where a prompt of 2,000 tokens takes longer than 20 s to read, and leaves the request", async () => {
  const script: Script = ({ route, body }) => {
    if (route === "/props") return json({ default_generation_settings: { n_ctx: 8192 } });
    return body?.input_prefix?.length > 1000 ? "hang" : json(primes);
  };
  const { report } = await probe("llamacpp:URL", script, { longWaitMs: 50 });
  expect(report.promptTokensPerSecond).toBeUndefined();
  expect(report.problems).toEqual([
    { code: "slow-prompt", message: expect.stringContaining("It did not read 2,000 tokens within 20 s") },
  ]);
  expect(report.can.fill).toBe(true);
});

test("a probe reports the training and the context size of an Ollama model", async () => {
  const show = json({
    capabilities: ["completion", "insert"],
    model_info: {
      "general.architecture": "qwen2",
      "qwen2.context_length": 32768,
      "general.finetune": "Instruct",
      "general.name": "Zeta",
    },
  });
  const { report, printed } = await probe(
    "ollama:URL#m",
    routes({
      "/api/version": json({ version: "0.12.3" }),
      "/api/show": show,
      "/api/generate": json({ response: "2, 3", done: true }),
    }),
  );
  expect(report).toMatchObject({
    family: "Zeta",
    training: "instruct",
    contextTokens: 8192,
    can: { fill: true, next: false },
  });
  expect(printed).toContain("Ollama 0.12.3 at URL");
  expect(printed).toContain("Zeta, trained to converse, 8,192 tokens of context");
});

test("a probe prints a model loaded from a file by the file's name", async () => {
  const answers = routes({
    "/props": json({ build_info: "b5000", model_path: "/home/me/models/zeta-2.gguf" }),
    "/infill": json(primes),
  });
  const { report, printed } = await probe("llamacpp:URL", answers);
  expect(report.family).toBe("/home/me/models/zeta-2.gguf");
  expect(printed).toMatch(/Model +zeta-2\.gguf\n/);
});

describe("a probe reports a problem with its remedy", () => {
  const models = json({ data: [{ id: "a", max_model_len: 2048 }, { id: "b" }] });
  const completed = json({ choices: [{ text: "2, 3", finish_reason: "stop" }] });
  /** A tokeniser that knows these tokens, and cuts all else into two. */
  const knowing =
    (...tokens: readonly string[]): Script =>
    ({ route, body }) => {
      if (route === "/props") return props;
      if (route === "/v1/models") return models;
      if (route === "/v1/completions") return completed;
      if (route === "/completion") return json(primes);
      if (route === "/infill")
        return { status: 501, chunks: ['{"error":{"message":"infill is not supported by this model"}}'] };
      return json({ tokens: tokens.includes(body.content ?? body.prompt) ? [1] : [1, 2] });
    };
  const bars = ["<|fim_prefix|>", "<|fim_suffix|>", "<|fim_middle|>"];

  const cases: readonly (readonly [string, string, Script, Setting, string, RegExp])[] = [
    ["a name that cannot be read", "qwen:7b", routes({}), {}, "name", /`ollama:qwen:7b`/],
    ["a name that no server has", "builtin", routes({}), {}, "name", /No server/],
    [
      "an unknown template",
      "llamacpp:URL",
      routes({}),
      { settings: { template: "x" } },
      "unsupported",
      /there are qwen/,
    ],
    ["a key that is not there", "openai:gpt", routes({}), { openChat: chatting("2") }, "no-key", /OPENAI_API_KEY/],
    [
      "a key that is refused",
      "llamacpp:URL",
      () => ({ status: 401, chunks: [] }),
      { environment: { LLAMA_API_KEY: "k" } },
      "key-refused",
      /in LLAMA_API_KEY/,
    ],
    [
      "a web page",
      "llamacpp:URL",
      () => ({ headers: { "content-type": "text/html" }, chunks: ["<html>"] }),
      {},
      "not-an-answer",
      /web page/,
    ],
    [
      "a model that is not there",
      "ollama:URL#m",
      routes({
        "/api/version": json({ version: "1" }),
        "/api/show": { status: 404, chunks: ['{"error":"model \'m\' not found"}'] },
      }),
      {},
      "not-found",
      /`ollama pull m`/,
    ],
    [
      "a model that is not listed",
      "lmstudio:URL#m",
      routes({ "/v1/models": models, "/v1/completions": completed }),
      { settings: { template: "qwen" } },
      "model-not-listed",
      /it has a, b\. Run `lms get m`/,
    ],
    [
      "more context than there is",
      "openai-compatible:URL#a",
      routes({ "/v1/models": models, "/v1/completions": completed }),
      { settings: { contextTokens: 8192 } },
      "context-too-large",
      /is 8192, and the server takes 2048/,
    ],
    [
      "a server that marks no hole",
      "vllm:URL#a",
      knowing(...bars),
      {},
      "unsupported",
      /marks of qwen and granite4 and codegemma/,
    ],
    [
      "a template of another family",
      "vllm:URL#a",
      knowing("<PRE>", "<SUF>", "<MID>"),
      { settings: { template: "qwen" } },
      "template-mismatch",
      /does not know <\|fim_prefix\|>.*Set `models\["vllm:\S+#a"\]\.template` to codellama/,
    ],
    [
      "a template where none fits",
      "llamacpp:URL",
      knowing(),
      { settings: { template: "qwen" } },
      "template-mismatch",
      /No known template fits/,
    ],
    [
      "a model without marks",
      "llamacpp:URL",
      knowing(...bars),
      {},
      "unsupported",
      /\.template` \(qwen.* marks of qwen/,
    ],
    [
      "silence",
      "llamacpp:URL",
      ({ route }) => (route === "/props" ? props : json({ content: "", stop: true })),
      {},
      "silent",
      /with nothing/,
    ],
    [
      "prose",
      "llamacpp:URL",
      ({ route }) => (route === "/props" ? props : json({ content: "Here are the primes", stop: true })),
      {},
      "prose",
      /"Here are the primes".*\.fillBy` to `chat`/,
    ],
    [
      "no way to chat",
      "anthropic:m",
      routes({}),
      { environment: { ANTHROPIC_API_KEY: "k" } },
      "unsupported",
      /no chat here/,
    ],
  ];
  for (const [name, model, script, setting, code, message] of cases) {
    test(name, async () => {
      const { report, printed } = await probe(model, script, setting);
      expect(report.problems.map((problem) => problem.code)).toEqual([code]);
      const found = report.problems[0]!;
      expect(found.message).toMatch(message);
      expect(found.message).not.toContain("\n");
      expect(printed).toMatch(/^ {2}Problem /m);
    });
  }

  test("an unreachable server", async () => {
    const server = await ScriptedServer.start(() => "hang");
    await server[Symbol.asyncDispose]();
    const report = await probeModel(`ollama:${server.url}#m`, webHost({ environment: {} }));
    expect(report).toMatchObject({ isReachable: false, can: { fill: false } });
    expect(report.problems).toEqual([
      {
        code: "unreachable",
        message: `Nothing listens at ${server.url}. Start it with \`OLLAMA_HOST=${new URL(server.url).host} ollama serve\`.`,
      },
    ]);
    expect(printModelReport(report)).toContain("no answer");
  });
});

test("a probe reports that a model without fill-in-the-middle fills by chat", async () => {
  const setting = { openChat: chatting("2, ", "3"), environment: { ANTHROPIC_API_KEY: "k" } };
  const { report, printed, seen } = await probe("anthropic:claude", routes({}), setting);
  expect(report).toMatchObject({ fillBy: "chat", can: { fill: true, chat: true, next: false }, problems: [] });
  expect(printed).toContain("an instruction in a chat, for want of something better");
  expect(seen).toEqual([]);
});

test("a probe for chat tests only the chat of a model", async () => {
  const environment = { ANTHROPIC_API_KEY: "k" };
  const setting = { openChat: chatting("2, ", "3"), environment, face: "chat" } as const;
  const { report, printed } = await probe("anthropic:claude", routes({}), setting);
  expect(report).toMatchObject({ tried: "chat", can: { fill: false, chat: true, next: false }, problems: [] });
  expect(printed).toMatch(/^ {2}Can +chat\n {2}Speed +first token after # ms$/m);
  expect(printed).not.toContain("Fills by");
  const silent = await probe("anthropic:claude", routes({}), { ...setting, openChat: chatting(" ") });
  expect(silent.report).toMatchObject({ can: { chat: false }, problems: [{ code: "silent" }] });
});

test("a probe does not guess what an unanswered server is", async () => {
  const page: Script = () => ({ headers: { "content-type": "text/html" }, chunks: ["<html>"] });
  expect((await probe("llamacpp:URL", page)).printed).toMatch(/^ {2}Server +something else at URL$/m);
  const models = json({ data: [{ id: "m" }] });
  const generic = routes({ "/v1/models": models, "/v1/completions": json({ choices: [{ text: "2" }] }) });
  expect((await probe("openai-compatible:URL#m", generic)).printed).toMatch(/^ {2}Server +a server at URL$/m);
  for (const model of ["openai:m", "anthropic:m", "google:m", "mistral:m"]) {
    const { report, printed, seen } = await probe(model, routes({}), { openChat: chatting("2") });
    expect(report).toMatchObject({
      isReachable: false,
      can: { fill: false, chat: false },
      problems: [{ code: "no-key" }],
    });
    expect(printed).not.toMatch(/Server|chat \(/);
    expect(seen).toEqual([]);
  }
});

describe("a probe names the server that it has recognized", () => {
  const status =
    (status: number): Script =>
    () => ({ status, chunks: ["no"] });
  const empty: Script = () => json({});
  test.each<[what: string, model: string, script: Script, server: string]>([
    ["500 everywhere", "llamacpp:URL", status(500), "something at URL that answers 500"],
    ["401 everywhere", "ollama:URL#m", status(401), "something at URL that answers 401"],
    ["404 everywhere", "vllm:URL#m", status(404), "it answers, and does not say what it is"],
    ["nothing in it", "llamacpp:URL", empty, "something else at URL"],
    ["nothing in it", "ollama:URL#m", empty, "something else at URL"],
    ["nothing in it", "lmstudio:URL#m", empty, "it answers, and does not say what it is"],
    [
      "a failure after it has said what it is",
      "llamacpp:URL",
      (seen) => (seen.route === "/props" ? props : { status: 500, chunks: ["no"] }),
      "llama.cpp b5000 at URL",
    ],
  ])("%s at %s", async (_, model, script, server) => {
    const { report, printed } = await probe(model, script);
    expect(printed).toContain(`  Server   ${server}\n`);
    expect(printed).not.toContain("Fills by");
    expect(report).toMatchObject({ isReachable: true, can: { fill: false }, problems: [{}] });
    expect(report.problems[0]!.message).not.toContain("stopped in the middle");
  });

  test("and reports an answer in another protocol", async () => {
    const { report } = await probe("llamacpp:URL", empty);
    expect(report.problems).toEqual([
      {
        code: "not-an-answer",
        message: expect.stringMatching(
          /^llama\.cpp answered "\{\}" at \S+\/infill, which is no model's answer\. Check/,
        ),
      },
    ]);
  });

  test("and does not report fill-in-the-middle where the server has none", async () => {
    const { report, printed } = await probe("vllm:URL#m", routes({ "/v1/models": json({ data: [{ id: "m" }] }) }));
    expect(report).toMatchObject({ problems: [{ code: "unsupported" }] });
    expect(report.fillBy).toBeUndefined();
    expect(printed).toMatch(/^ {2}Server +vLLM at URL$/m);
    expect(printed).not.toContain("Fills by");
  });
});

describe("a probe says where no server with models answers, and where another one does", () => {
  const json404: ScriptedReply = { status: 404, chunks: ['{"detail":"Not Found"}'] };
  const noPost: ScriptedReply = { status: 501, chunks: ["<html>Unsupported method"] };
  const ollama = {
    "/api/version": json({ version: "0.12.3" }),
    "/api/tags": json({ models: [{ name: "coder:1.5b" }] }),
  };
  const none =
    "no-model-server: What answers at URL is no server with models. Check the address, or start the server there.";
  const other =
    "other-server: Ollama answers at URL. Its model is called `ollama:URL#coder:1.5b`, or run `emend setup`.";
  const cases: readonly (readonly [what: string, model: string, script: Script, problem: string])[] = [
    ["a server of files", "llamacpp:URL", ({ method }) => (method === "GET" ? json404 : noPost), none],
    ["a server of files", "openai-compatible:URL#m", ({ method }) => (method === "GET" ? json404 : noPost), none],
    ["a server of files", "ollama:URL#m", ({ method }) => (method === "GET" ? json404 : noPost), none],
    ["a web interface", "vllm:URL#m", routes({}), none],
    ["a web interface", "lmstudio:URL#m", () => json404, none],
    ["Ollama", "llamacpp:URL", routes(ollama), other],
    [
      "an Ollama without models",
      "vllm:URL#m",
      routes({ ...ollama, "/api/tags": json({ models: [] }) }),
      "other-server: Ollama answers at URL. Check the address, or run `emend setup`.",
    ],
  ];
  for (const [what, model, script, problem] of cases) {
    for (const face of ["fill", "chat"] as const) {
      test(`${what} at ${model}, tried with a ${face}`, async () => {
        const openChat = webHost({ environment: {} }).openChat!;
        const { report, printed, url } = await probe(model, script, { openChat, face });
        expect(report.problems.map(({ code, message }) => `${code}: ${message.replaceAll(url, "URL")}`)).toEqual([
          problem,
        ]);
        expect(printed).toContain("nothing yet");
      });
    }
  }

  test.each<[what: string, model: string, script: Script, code: string]>([
    [
      "one that only completes",
      "openai-compatible:URL#m",
      routes({ "/v1/completions": { status: 404, chunks: ['{"error":"model m not found"}'] } }),
      "not-found",
    ],
    [
      "one that is busy",
      "openai-compatible:URL#m",
      routes({ "/v1/completions": { status: 503, chunks: ["later"] } }),
      "busy",
    ],
    ["llama.cpp without this route", "llamacpp:URL", routes({ "/props": props }), "not-found"],
  ])("but not of %s", async (_, model, script, code) => {
    const { report } = await probe(model, script);
    expect(report.problems.map((problem) => problem.code)).toEqual([code]);
  });
});

test("a probe of a server that never answers times out", async () => {
  const server = await ScriptedServer.start(() => "hang");
  onTestFinished(() => server[Symbol.asyncDispose]());
  const host = webHost({ environment: {} });
  const waits: number[] = [];
  const clock = {
    ...host.clock,
    after(delayMs: number, task: () => void) {
      waits.push(delayMs);
      return host.clock.after(0, task);
    },
    now: () => 0,
  };
  const report = await probeModel(`llamacpp:${server.url}`, { ...host, clock });
  expect(waits).toEqual([5000]);
  expect(report).toMatchObject({ isReachable: false, problems: [{ code: "timed-out" }] });
  expect(report.problems[0]!.message).toBe(
    `llama.cpp takes connections, and says nothing about itself within 5 s, the limit of this try. Look at its log, or at what else listens at ${server.url}.`,
  );
  expect(printModelReport(report)).toMatch(/^ {2}Server +no answer$/m);
});

test("an aborted probe rejects with the reason of the signal", async () => {
  const server = await ScriptedServer.start(() => "hang");
  onTestFinished(() => server[Symbol.asyncDispose]());
  const abort = new AbortController();
  const reason = new Error("no longer wanted");
  const report = probeModel(`llamacpp:${server.url}`, webHost({ environment: {} }), { signal: abort.signal });
  await server.requests(1);
  abort.abort(reason);
  await expect(report).rejects.toBe(reason);
});
