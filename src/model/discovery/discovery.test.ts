import { afterEach, describe, expect, test } from "vitest";
import { type Script, ScriptedServer } from "../node/fixtures/scripted-server.ts";
import { webHost } from "../node/web-host.ts";
import {
  type FoundServer,
  findServer,
  findServers,
  isModelServer,
  localServerUrls,
  type ModelServerFound,
  preferredModel,
} from "./find-servers.ts";
import { recommendedBelow, recommendedFor, recommendedModels, tryRecommended } from "./recommended-models.ts";
import { tryServedModel } from "./try-served-model.ts";

const host = webHost({ environment: { LLAMA_API_KEY: "key-of-mine", OPENAI_COMPATIBLE_API_KEY: "key-of-mine" } });

const opened: ScriptedServer[] = [];
afterEach(async () => {
  for (const server of opened.splice(0)) await server[Symbol.asyncDispose]();
});

async function serve(script: Script): Promise<ScriptedServer> {
  const server = await ScriptedServer.start(script);
  opened.push(server);
  return server;
}

/** Answers by route with JSON, or with a status; all else is missing. */
function routes(answers: Readonly<Record<string, unknown>>): Script {
  return ({ route }) => {
    const answer = answers[route];
    if (typeof answer === "string") return { status: Number(answer.slice(0, 3)), chunks: [answer.slice(4)] };
    return answer === undefined
      ? { status: 404, chunks: ["Not found"] }
      : { headers: { "content-type": "application/json" }, chunks: [JSON.stringify(answer)] };
  };
}

const loading = '503 {"error":{"code":503,"message":"Loading model","type":"unavailable_error"}}';
const page = "<!doctype html><title>My own page</title>";
const llamacpp = (id: string, more = {}) => ({
  "/props": { build_info: "b1", default_generation_settings: { n_ctx: 512 }, ...more },
  "/v1/models": { object: "list", data: [{ id, owned_by: "llamacpp" }] },
});

/**
 * A server in one line: its kind and title, and its models, `*` for loaded ones, `~` for
 * embeddings.
 */
function printed(server: FoundServer | undefined, port: string): string {
  if (server === undefined) return "nothing";
  if (!isModelServer(server)) return server.kind;
  const models = server.models.map(
    ({ name, isLoaded, isEmbedding }) => `${isLoaded ? "*" : ""}${isEmbedding ? "~" : ""}${name}`,
  );
  const preferred = preferredModel(server)?.name ?? "none";
  return [`${server.kind} ${server.title} ${server.version ?? "-"}`, ...models, `-> ${preferred}`]
    .join(" | ")
    .replaceAll(port, "PORT");
}

describe("a server is known by its answers to GET requests without a key", () => {
  test.each<[what: string, script: Script, found: string]>([
    ["llama.cpp", routes(llamacpp("/m/a.gguf")), "ready llama.cpp b1 | *llamacpp:PORT | -> llamacpp:PORT"],
    [
      "llama.cpp's router",
      routes({
        ...llamacpp("x", { role: "router" }),
        "/v1/models": {
          data: [
            { id: "a", owned_by: "llamacpp", status: { value: "unloaded" } },
            { id: "b", owned_by: "llamacpp", status: { value: "loaded" } },
          ],
        },
      }),
      "ready llama.cpp b1 | llamacpp:PORT#a | *llamacpp:PORT#b | -> llamacpp:PORT#b",
    ],
    [
      "llama.cpp without a model",
      routes({ ...llamacpp("x", { role: "router" }), "/v1/models": { data: [] } }),
      "no-model llama.cpp b1 | -> none",
    ],
    [
      "llama.cpp with a model for embeddings",
      routes(llamacpp("/m/nomic-embed-text.gguf")),
      "no-model llama.cpp b1 | *~llamacpp:PORT | -> none",
    ],
    ["llama.cpp while it loads", routes({ "/props": loading, "/v1/models": loading }), "loading llama.cpp - | -> none"],
    [
      "llama.cpp while it loads, with the model's name",
      routes({ ...llamacpp("a.gguf"), "/props": loading }),
      "loading llama.cpp - | llamacpp:PORT | -> llamacpp:PORT",
    ],
    [
      "Ollama",
      routes({
        "/api/version": { version: "0.9" },
        "/api/tags": {
          models: [
            { name: "mine:7b" },
            { name: "vectors", details: { family: "nomic-bert" } },
            { name: "qwen2.5-coder:3b-base" },
            { name: "qwen2.5-coder:1.5b-base" },
          ],
        },
        "/api/ps": { models: [] },
      }),
      "ready Ollama 0.9 | ollama:PORT#mine:7b | ~ollama:PORT#vectors | ollama:PORT#qwen2.5-coder:3b-base | ollama:PORT#qwen2.5-coder:1.5b-base | -> ollama:PORT#qwen2.5-coder:1.5b-base",
    ],
    [
      "Ollama with a loaded model",
      routes({
        "/api/version": { version: "0.9" },
        "/api/tags": { models: [{ name: "qwen2.5-coder:1.5b-base" }, { name: "mine:7b" }] },
        "/api/ps": { models: [{ name: "mine:7b" }] },
      }),
      "ready Ollama 0.9 | ollama:PORT#qwen2.5-coder:1.5b-base | *ollama:PORT#mine:7b | -> ollama:PORT#mine:7b",
    ],
    [
      "Ollama without a model",
      routes({ "/api/version": { version: "0.9" }, "/api/tags": { models: [] } }),
      "no-model Ollama 0.9 | -> none",
    ],
    [
      "LM Studio",
      routes({
        "/v1/models": { data: [{ id: "a" }] },
        "/api/v0/models": {
          data: [
            { id: "v", type: "embeddings", state: "loaded" },
            { id: "a", state: "not-loaded" },
          ],
        },
      }),
      "ready LM Studio - | *~lmstudio:PORT#v | lmstudio:PORT#a | -> lmstudio:PORT#a",
    ],
    [
      "vLLM",
      routes({ "/v1/models": { data: [{ id: "a", owned_by: "vllm" }] } }),
      "ready vLLM - | *vllm:PORT#a | -> vllm:PORT#a",
    ],
    [
      "another server with OpenAI's protocol",
      routes({ "/v1/models": { data: [{ id: "a" }] } }),
      "ready a server with OpenAI's protocol - | *openai-compatible:PORT#a | -> openai-compatible:PORT#a",
    ],
    ["a web server", () => ({ headers: { "content-type": "text/html" }, chunks: [page] }), "unknown"],
    ["a web server with JSON", routes({ "/props": { name: "app" }, "/api/version": { app: 1 } }), "unknown"],
    ["a web server that fails", () => ({ status: 500, chunks: [page] }), "unknown"],
    ["a server that closes", () => "break", "unreachable"],
  ])("%s", async (_, script, found) => {
    const server = await serve(script);
    expect(printed(await findServer(server.url, host), server.url)).toBe(found);
    expect(new Set(server.seen.map(({ method }) => method))).toEqual(new Set(["GET"]));
    expect(server.seen.filter(({ headers }) => headers["authorization"] !== undefined)).toEqual([]);
  });

  test("what takes a connection and says nothing is silent", async () => {
    const server = await serve(() => "hang");
    const clock = { ...host.clock, after: (_: number, task: () => void) => host.clock.after(50, task) };
    expect(await findServer(server.url, { ...host, clock })).toEqual({ kind: "silent", url: server.url });
  });

  test("addresses where nothing listens are left out", async () => {
    const closed = await ScriptedServer.start(() => "break");
    await closed[Symbol.asyncDispose]();
    const { url } = await serve(routes(llamacpp("a.gguf")));
    expect(await findServer(closed.url, host)).toEqual({ kind: "unreachable", url: closed.url });
    expect((await findServers([closed.url, url], host)).map((server) => server.url)).toEqual([url]);
  });
});

describe("the addresses of this machine", () => {
  test.each([
    [undefined, []],
    ["0.0.0.0", []],
    ["127.0.0.1:11500", ["http://127.0.0.1:11500"]],
    [":11500", ["http://127.0.0.1:11500"]],
    ["http://localhost:11500/", ["http://localhost:11500"]],
    ["[::]:11500", ["http://127.0.0.1:11500"]],
    ["http://127.0.0.1", ["http://127.0.0.1"]],
    ["https://localhost", ["https://localhost"]],
    ["::1", ["http://[::1]:11434"]],
    ["[::1]", ["http://[::1]:11434"]],
    ["::", []],
    ["'127.0.0.1:11500'", ["http://127.0.0.1:11500"]],
    ["gpu.example.org", []],
  ])("OLLAMA_HOST=%s", (ollamaHost, added) => {
    const ports = [8012, 8080, 9931, 11434, 1234, 8000];
    expect(localServerUrls(ollamaHost)).toEqual([...ports.map((port) => `http://127.0.0.1:${port}`), ...added]);
  });
});

describe("a model is tried with a hole and with a chat", () => {
  const completion = (text: string) => ({
    chunks: [`data: ${JSON.stringify({ choices: [{ text, finish_reason: "stop" }] })}\n\ndata: [DONE]\n\n`],
  });
  const chunk = (delta: object, end: string | null) =>
    `data: ${JSON.stringify({ id: "1", object: "chat.completion.chunk", choices: [{ index: 0, delta, finish_reason: end }] })}\n\n`;
  const chat = (delta: object) => ({
    headers: { "content-type": "text/event-stream" },
    chunks: [chunk(delta, null), chunk({}, "stop"), "data: [DONE]\n\n"],
  });
  const lmstudio: Script = ({ route, method, body }) => {
    if (method === "GET")
      return routes({
        "/v1/models": { data: [{ id: body }] },
        "/api/v0/models": { data: [{ id: "qwen2.5-coder-7b" }] },
      })({ route, method, body, headers: {} });
    if (route.includes("chat")) return chat({ content: "<think>Hm.</think>2, 3, 5, 7" });
    return completion(" 2, 3, 5");
  };

  test("a server without a template gets that of the recommended list, and reasoning is recognized", async () => {
    const server = (await findServer((await serve(lmstudio)).url, host)) as Extract<FoundServer, { kind: "ready" }>;
    const trial = await tryServedModel(server, preferredModel(server)!, host);
    expect(trial).toMatchObject({
      fills: true,
      chats: true,
      settings: { template: "qwen" },
      chat: { chatAnswer: { isReasoned: true } },
    });
    expect(trial.why).toBe("The template is qwen: it is that of Qwen2.5-Coder 7B.");
  });

  test("one whose chat is no answer to the question does not chat", async () => {
    const { url } = await serve((request) =>
      request.method === "GET" || !request.route.includes("chat")
        ? lmstudio(request)
        : chat({ content: "numbers = [1, 2]" }),
    );
    const server = (await findServer(url, host)) as Extract<FoundServer, { kind: "ready" }>;
    expect(await tryServedModel(server, preferredModel(server)!, host)).toMatchObject({ fills: true, chats: false });
  });

  test("one that only chats has no template, and says why it does not fill", async () => {
    const { url } = await serve((request) =>
      request.method === "GET"
        ? routes(llamacpp("a.gguf"))(request)
        : request.route.includes("chat")
          ? chat({ content: "2, 3, 5, 7" })
          : { status: 501, chunks: ['{"error":{"code":501,"message":"Infill is not supported by this model"}}'] },
    );
    const server = (await findServer(url, host)) as Extract<FoundServer, { kind: "ready" }>;
    const trial = await tryServedModel(server, preferredModel(server)!, host);
    expect(trial).toMatchObject({
      fills: false,
      chats: true,
      settings: {},
      chat: { chatAnswer: { isReasoned: false } },
    });
    expect(trial.why).toContain("cannot fill in the middle");
  });
});

describe("a model that reads 512 tokens in over 2 s is too slow, and a smaller one is named", () => {
  const large = { default_generation_settings: { n_ctx: 8192 } };
  test.each<[tokensPerSecond: number, prompts: readonly number[], slow: unknown]>([
    [1000, [1, 4], undefined],
    [300, [1, 4], undefined],
    [
      200,
      [1, 1],
      expect.stringMatching(
        /^`llamacpp:\S+` reads (199|200) tokens a second, so a prompt of 512 tokens takes 2\.6 s, .* 3B is smaller: /,
      ),
    ],
    [
      20,
      [1],
      expect.stringMatching(
        /takes 25\.\d s, and ghost text comes late\. Qwen2\.5-Coder 1\.5B is smaller: `llama-server --fim-qwen-1\.5b-default` fetches it, 1\.6 GB\.$/,
      ),
    ],
  ])("at %i tokens a second", async (tokensPerSecond, prompts, slow) => {
    // Time passes only while a long prompt is read. A character is a token.
    let now = 0;
    const long: number[] = [];
    const { url } = await serve((request) => {
      const { route, body } = request;
      if (route === "/tokenize") return routes({ [route]: { tokens: [...body.content] } })(request);
      if (route !== "/infill") return routes(llamacpp("/m/coder-7b.gguf", large))(request);
      const { length } = [body.input_prefix, ...body.input_extra.map(({ text }: { text: string }) => text)].join("");
      if (length > 200) {
        now += (length * 1000) / tokensPerSecond;
        long.push(length);
      }
      return routes({ [route]: { content: "2, 3", stop: true } })(request);
    });
    const clock = { after: (_: number, task: () => void) => host.clock.after(60_000, task), now: () => now };
    const server = (await findServer(url, host)) as Extract<FoundServer, { kind: "ready" }>;
    const trial = await tryServedModel(server, preferredModel(server)!, { ...host, clock });
    expect([trial.fills, trial.slow]).toEqual([true, slow]);
    const { promptTokensPerSecond: measured = 0 } = trial.fill!;
    expect(Math.abs(measured - tokensPerSecond) / tokensPerSecond).toBeLessThan(0.05);
    // A slow model is not sent the longer prompt, and once more only where there is time for it.
    expect(long.map((length) => Math.round(length / 500))).toEqual(prompts);
  });
});

describe("the size of a model is what its server reports, else what its name states", () => {
  const ollama = (name: string, parameter_size?: string) => ({
    "/api/version": { version: "1" },
    "/api/tags": { models: [{ name, details: { parameter_size } }] },
    "/api/ps": { models: [] },
  });
  const listed = (id: string, n_params?: number) => ({
    ...llamacpp(id),
    "/v1/models": { data: [{ id, owned_by: "llamacpp", meta: n_params && { n_params } }] },
  });
  test.each<[what: string, answers: Readonly<Record<string, unknown>>, billions: number | undefined]>([
    ["llama.cpp", listed("/m/fill.gguf", 1_500_000), 0.0015],
    ["llama.cpp, of a wrong name", listed("/m/coder-7b.gguf", 3.1e9), 3.1],
    ["a name", listed("/m/coder-7b-q8_0.gguf"), 7],
    ["a name of millions", listed("/m/coder-500M.gguf"), 0.5],
    ["a name without a size", listed("/m/fill-q8_0.gguf"), undefined],
    ["Ollama", ollama("mine:latest", "500M"), 0.5],
    ["Ollama's name", ollama("coder:1.5b-base"), 1.5],
  ])("%s", async (_, answers, billions) => {
    const { url } = await serve(routes(answers));
    const [model] = ((await findServer(url, host)) as ModelServerFound).models;
    expect(model!.billions).toBe(billions);
  });
});

describe("recommended models", () => {
  test("each is found by its name in any case, and has a download for two servers at least", () => {
    for (const model of recommendedModels) {
      const servers = Object.entries(model.servers);
      expect(servers.length).toBeGreaterThan(1);
      for (const [provider, { id }] of servers)
        expect(tryRecommended(provider as "ollama", id.toUpperCase())).toBe(model);
    }
  });

  test.each([
    ["ollama", 4, "qwen2.5-coder:1.5b-base"],
    ["ollama", 8, "qwen2.5-coder:1.5b-base"],
    ["ollama", 15, "qwen2.5-coder:3b-base"],
    ["ollama", 64, "qwen2.5-coder:7b-base"],
    ["lmstudio", 8, "qwen2.5-coder-7b"],
    ["openai", 8, undefined],
  ] as const)("for %s and %i GB", (provider, memoryGb, id) => {
    expect(recommendedFor(provider, memoryGb)?.id).toBe(id);
  });

  test.each([
    ["ollama", 7, 200, "qwen2.5-coder:3b-base"],
    ["ollama", 7, 60, "qwen2.5-coder:1.5b-base"],
    ["ollama", 7, 5, "qwen2.5-coder:1.5b-base"],
    ["ollama", 1.5, 60, undefined],
    ["ollama", 0.0015, 60, undefined],
    ["ollama", undefined, 200, undefined],
    ["lmstudio", 3, 200, undefined],
  ] as const)("below %s %s billions, which read %i tokens a second", (provider, billions, tokensPerSecond, below) => {
    expect(recommendedBelow(provider, billions, { tokensPerSecond, wanted: 256 })?.id).toBe(below);
  });
});
