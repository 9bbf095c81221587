import { afterEach, describe, expect, test } from "vitest";
import type { ChatRequest, Model, ModelEnd } from "../model.ts";
import { ModelError } from "../model-error.ts";
import { type ChatModelOptions, openChatModel } from "./chat-model.ts";
import type { ChatProtocol } from "./chat-server.ts";
import { type ChatScript, type ScriptedChatServer, serveChat } from "./fixtures/scripted-chat-server.ts";
import { webHost } from "./web-host.ts";

const protocols: readonly ChatProtocol[] = ["openai", "anthropic", "google", "mistral", "openai-compatible"];

const request: ChatRequest = {
  messages: [
    { role: "system", text: "Be brief." },
    { role: "user", text: "Say é." },
    { role: "assistant", text: "é" },
    { role: "user", text: "Again." },
  ],
  maxTokens: 64,
};

const timeouts = { firstPartMs: 60_000, idleMs: 20_000 };

const servers: ScriptedChatServer[] = [];

afterEach(async () => {
  for (const server of servers.splice(0)) await server[Symbol.asyncDispose]();
});

async function serve(protocol: ChatProtocol, ...scripts: readonly ChatScript[]): Promise<ScriptedChatServer> {
  const server = await serveChat(protocol, ...scripts);
  servers.push(server);
  return server;
}

/**
 * Time that passes only in waits between attempts, which pass at once, and are written down.
 */
function openClock() {
  const waits: number[] = [];
  const limits = new Map<() => void, number>();
  return {
    waits,
    /** Lets the silence last. */
    expire: () => {
      for (const task of limits.keys()) task();
    },
    limits: () => [...limits.values()],
    after(delayMs: number, task: () => void): Disposable {
      if (delayMs < 20_000) {
        waits.push(delayMs);
        setImmediate(task);
      } else limits.set(task, delayMs);
      return { [Symbol.dispose]: () => void limits.delete(task) };
    },
  };
}

function open(provider: ChatModelOptions["provider"], url: string, more: Partial<ChatModelOptions> = {}): Model {
  return openChatModel({
    provider,
    model: "m",
    baseUrl: url,
    key: "key-of-mine",
    fetch: globalThis.fetch,
    clock: openClock(),
    timeouts,
    ...more,
  });
}

/** The answer's pieces, and its end or what it failed with. */
async function ask(model: Model, signal?: AbortSignal, chatRequest = request) {
  const pieces: string[] = [];
  try {
    const answer = model.chat!(chatRequest, signal === undefined ? {} : { signal });
    let step = await answer.next();
    for (; !step.done; step = await answer.next()) pieces.push(step.value.text);
    return { pieces, end: step.value as ModelEnd, error: undefined };
  } catch (error) {
    return { pieces, end: undefined, error };
  }
}

async function answerTo(protocol: ChatProtocol, script: ChatScript, more: Partial<ChatModelOptions> = {}) {
  const server = await serve(protocol, script);
  return { ...(await ask(open(protocol, server.url, more))), calls: server.calls };
}

function failure(error: unknown): ModelError {
  expect(error).toBeInstanceOf(ModelError);
  return error as ModelError;
}

describe.each(protocols)("a chat over the %s protocol", (protocol) => {
  test("streams an answer for any division into bytes", async () => {
    const deltas = ["const ", "π = ", '"é🙂\\n"', ";\n"];
    for (const chunkBytes of [1, 2, 3, 7, undefined]) {
      const { pieces, end, error } = await answerTo(protocol, { deltas, ...(chunkBytes && { chunkBytes }) });
      expect(error).toBeUndefined();
      expect(pieces.join("")).toBe(deltas.join(""));
      expect(end).toEqual({ reason: "finished" });
    }
  });

  test("sends the conversation, the limit, the key and the headers", async () => {
    const headers = { "x-team": "blue" };
    const { calls } = await answerTo(protocol, { deltas: ["a"] }, { headers });
    const sent = JSON.stringify(calls[0]!.body);
    for (const text of ["Be brief.", "Say é.", "Again.", "64"]) expect(sent).toContain(text);
    const all = JSON.stringify(calls[0]!.headers);
    expect(all).toContain("key-of-mine");
    expect(calls[0]!.headers["x-team"]).toBe("blue");
  });

  test("sends the user's request options instead of its own, at every depth", async () => {
    const deltas = ["a"];
    const request = { model_options: { a: [1] }, generationConfig: { temperature: 0 } };
    const [{ body }, { body: changed }] = [
      (await answerTo(protocol, { deltas })).calls[0]!,
      (await answerTo(protocol, { deltas }, { request })).calls[0]!,
    ];
    const own = (body["generationConfig"] ?? {}) as object;
    expect(changed).toEqual({ ...body, ...request, generationConfig: { ...own, temperature: 0 } });
  });

  test("sends no authorization without a key", async () => {
    const { calls, error } = await answerTo(protocol, { deltas: ["a"] }, { key: undefined });
    expect(error).toBeUndefined();
    const { authorization, "x-api-key": apiKey, "x-goog-api-key": googleKey } = calls[0]!.headers;
    expect([authorization, apiKey, googleKey]).toEqual([undefined, undefined, undefined]);
  });

  test("reports that the limit ended the answer", async () => {
    expect((await answerTo(protocol, { deltas: ["a"], end: "length" })).end).toEqual({ reason: "length" });
  });

  // The Mistral protocol has no reason for it.
  test.skipIf(protocol === "mistral")("reports that a content filter ended the answer", async () => {
    expect((await answerTo(protocol, { deltas: ["a"], end: "filter" })).end).toEqual({ reason: "content-filter" });
  });

  test("an answer without an end is an error", async () => {
    for (const script of [{ end: "nothing" }, { breaks: true }] satisfies ChatScript[]) {
      const { pieces, error } = await answerTo(protocol, { deltas: ["a", "b"], ...script }, { retries: 0 });
      expect(failure(error).code).toBe("cut-off");
      expect("ab").toContain(pieces.join(""));
    }
  });

  test("an abort closes the connection and rejects with its own reason", async () => {
    const server = await serve(protocol, { deltas: ["a"], end: "never" });
    const controller = new AbortController();
    const answer = open(protocol, server.url).chat!(request, { signal: controller.signal });
    expect((await answer.next()).value).toEqual({ kind: "text-delta", text: "a" });
    const reason = { moot: true };
    const next = answer.next();
    controller.abort(reason);
    await expect(next).rejects.toBe(reason);
    await server.closedEarly;
  });

  test("an abort before the request sends nothing, and an abort before the answer closes the connection", async () => {
    const server = await serve(protocol, { isSilent: true });
    const reason = new Error("moot");
    const before = new AbortController();
    before.abort(reason);
    expect((await ask(open(protocol, server.url), before.signal)).error).toBe(reason);
    expect(server.calls).toHaveLength(0);
    const controller = new AbortController();
    const answer = ask(open(protocol, server.url), controller.signal);
    while (server.calls.length === 0) await new Promise((resolve) => setImmediate(resolve));
    controller.abort(reason);
    expect((await answer).error).toBe(reason);
    await server.closedEarly;
  });

  test("leaving the stream early closes the connection", async () => {
    const server = await serve(protocol, { deltas: ["a", "b"], end: "never" });
    for await (const { text } of open(protocol, server.url).chat!(request)) {
      expect(text).toBe("a");
      break;
    }
    await server.closedEarly;
  });

  test("a server that stops sending times out", async () => {
    for (const script of [{ isSilent: true }, { deltas: ["a"], end: "never" }] satisfies ChatScript[]) {
      const server = await serve(protocol, script);
      const clock = openClock();
      const answer = ask(open(protocol, server.url, { clock, timeouts: { firstPartMs: 70_000, idleMs: 30_000 } }));
      const limit = script.isSilent ? 70_000 : 30_000;
      while (server.calls.length === 0 || clock.limits()[0] !== limit) await new Promise((r) => setTimeout(r, 1));
      clock.expire();
      const { error } = await answer;
      expect(failure(error).code).toBe("timed-out");
      expect(failure(error).message).toContain(`said nothing ${script.isSilent ? "" : "more "}for ${limit / 1000} s`);
      expect(failure(error).message).toContain(script.isSilent ? ".firstByteMs`" : ".idleMs`");
      expect(clock.limits()).toEqual([]);
      await server.closedEarly;
    }
  });

  const table: readonly (readonly [number, string, string, string])[] = [
    [
      400,
      '{"error":{"message":"This model\'s maximum context length is 8 tokens."}}',
      "context-too-long",
      ".contextTokens`",
    ],
    [400, '{"error":{"message":"Bad temperature"}}', "request-refused", "It said: Bad temperature"],
    [401, '{"error":{"message":"Incorrect API key provided: key-of-mine."}}', "key-refused", "provided: …."],
    [403, "", "key-refused", "does not allow this with the key in"],
    [404, '{"error":{"message":"model m not found"}}', "not-found", 'has no model "m"'],
    [404, "<html><h1>404</h1></html>", "not-found", "has no route http://127.0.0.1:"],
    [500, '{"message":"out of memory"}', "server-failed", "out of memory"],
    [500, "Internal\nServer Error", "server-failed", "Internal Server Error"],
  ];
  test.each(table)("HTTP %i %s is `%s`", async (status, body, code, message) => {
    const { error, calls } = await answerTo(protocol, { status, body });
    expect(failure(error)).toMatchObject({ code, status });
    expect(failure(error).message).toContain(message);
    expect(failure(error).message).not.toMatch(/\n|key-of-mine/);
    expect(calls).toHaveLength(1);
  });

  test("a temporary error is retried after the delay that the server requests", async () => {
    const clock = openClock();
    const headers = { "retry-after": "3" };
    const server = await serve(
      protocol,
      { status: 429, body: '{"error":{"message":"Slow down"}}', headers },
      { status: 503, body: '{"error":{"message":"Loading model"}}' },
      { deltas: ["a"] },
    );
    expect((await ask(open(protocol, server.url, { clock }))).pieces).toEqual(["a"]);
    expect(clock.waits).toEqual([3000, 1000]);
  });

  test("a temporary error is not retried forever, nor after a long delay", async () => {
    const clock = openClock();
    const refused = { status: 429, body: '{"error":{"message":"Slow down"}}' };
    expect(failure((await answerTo(protocol, refused, { clock })).error).code).toBe("rate-limited");
    expect(clock.waits).toEqual([500, 1000]);
    const late = { ...refused, headers: { "retry-after": "3600" } };
    expect((await answerTo(protocol, late)).calls).toHaveLength(1);
  });

  test("a request is not retried after its answer has begun", async () => {
    const { pieces, error, calls } = await answerTo(protocol, { deltas: ["a"], error: "overloaded" });
    expect(pieces).toEqual(["a"]);
    expect(failure(error).message).toContain("overloaded");
    expect(failure(error).code).toBe("busy");
    expect(calls).toHaveLength(1);
  });

  test("a web page, an empty body and garbage are errors", async () => {
    const page = { body: "<html>Welcome</html>", headers: { "content-type": "text/html; charset=utf-8" } };
    const html = failure((await answerTo(protocol, page)).error);
    expect(html.code).toBe("not-an-answer");
    expect(html.message).toContain("web page");
    for (const body of ["data: {not json}\n\n", 'data: {"a":1}\n\n', "data: 7\n\n"]) {
      const { error } = await answerTo(protocol, { body, headers: { "content-type": "text/event-stream" } });
      expect(["not-an-answer", "cut-off"]).toContain(failure(error).code);
    }
    expect(failure((await answerTo(protocol, { body: "" })).error).code).toBe("cut-off");
  });
});

describe("a chat with an unreachable server", () => {
  test.each([
    ["ollama", "`OLLAMA_HOST=127.0.0.1:PORT ollama serve`"],
    ["vllm", "`vllm serve m --port PORT`"],
    ["openai", "Check the address"],
  ] as const)("%s: says how to start it", async (provider, cure) => {
    const { url, ...server } = await serveChat("openai", {});
    await server[Symbol.asyncDispose]();
    const clock = openClock();
    const error = failure((await ask(open(provider, url, { clock }))).error);
    expect(error).toMatchObject({ code: "unreachable", url: `${url}/chat/completions`, status: undefined });
    expect(error.message).toContain(`Nothing listens at ${url.replace("/v1", "")}.`);
    expect(error.message).toContain(cure.replace("PORT", new URL(url).port));
    expect(clock.waits).toEqual([]);
  });

  test("on another machine is retried, because it may be starting", async () => {
    const clock = openClock();
    const fetch = () => Promise.reject(new TypeError("fetch failed", { cause: { code: "ECONNREFUSED", port: 8000 } }));
    const { error } = await ask(open("vllm", "http://models.example:8000/v1", { clock, fetch }));
    expect(failure(error).message).toContain("Nothing listens at http://models.example:8000.");
    expect(clock.waits).toEqual([500, 1000]);
  });

  test("reports a missing key before anything is sent", async () => {
    const never = () => expect.fail("nothing may be sent");
    for (const [provider, variable] of [
      ["openai", "OPENAI_API_KEY"],
      ["anthropic", "ANTHROPIC_API_KEY"],
    ] as const) {
      const options = { provider, model: "m", fetch: never, clock: openClock(), timeouts };
      const error = failure((await ask(openChatModel(options))).error);
      expect(error.code).toBe("no-key");
      expect(error.message).toContain(`Set the environment variable ${variable}.`);
    }
  });

  test("reports how to fetch a missing model", async () => {
    const server = await serve("openai", { status: 404, body: '{"error":"model not found"}' });
    const error = failure((await ask(open("ollama", server.url))).error);
    expect(error.message).toContain("`ollama pull m`");
  });

  test("reports a missing address", async () => {
    const options = { provider: "openai-compatible", model: "m", fetch, clock: openClock(), timeouts } as const;
    expect(failure((await ask(openChatModel(options))).error).code).toBe("unsupported");
  });
});

test("a chat model has a name and can only chat", () => {
  const more = { fetch, clock: openClock(), timeouts, contextTokens: 4096 };
  const model = openChatModel({ provider: "ollama", model: "qwen:7b", ...more });
  expect(Object.keys(model).sort()).toEqual(["chat", "contextTokens", "name"]);
  expect(model.name).toBe("ollama:qwen:7b");
});

test("webHost opens a chat model", async () => {
  const server = await serve("anthropic", { deltas: ["é"], chunkBytes: 1 });
  const { openChat } = webHost({ environment: { EMEND_HEADERS: "x-team: blue" } });
  const options = {
    provider: "anthropic",
    name: "anthropic:m",
    model: "m",
    baseUrl: server.url,
    key: "key-of-mine",
  } as const;
  const { pieces, end } = await ask(openChat!({ ...options, keyVariable: "ANTHROPIC_API_KEY", headers: {}, timeouts }));
  expect({ pieces, end }).toEqual({ pieces: ["é"], end: { reason: "finished" } });
  expect(server.calls[0]!.headers).toMatchObject({ "x-team": "blue", "x-api-key": "key-of-mine" });
});
