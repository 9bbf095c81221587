import { describe, expect, test } from "vitest";
import { parseModelName, type ServerModelName } from "../model-name.ts";
import {
  explainNoAnswer,
  explainRefusal,
  isBrokenConnection,
  isLocalConnectionRefused,
  messageIn,
  type RequestTarget,
  serverMessage,
} from "./explain-failure.ts";

function targetOf(model: string, key?: string): RequestTarget {
  const name = parseModelName(model).name as ServerModelName;
  return { name, url: `${name.baseUrl}/route`, tried: [], keyNames: ["A_KEY", "B_KEY"], keyName: key && "B_KEY", key };
}

describe("errors of model servers are explained with a remedy", () => {
  const cases: readonly (readonly [string, number, string, string, RegExp])[] = [
    ["ollama:m", 404, `{"error":"model 'm' not found"}`, "not-found", /no model "m"\. Run `ollama pull m`/],
    ["ollama:m", 404, `{"error":"model \\"m\\" not found, try pulling it first"}`, "not-found", /`ollama pull m`/],
    [
      "ollama:m",
      400,
      `{"error":"\\"m\\" does not support insert"}`,
      "unsupported",
      /`ollama pull .*`models\["ollama:m"\]\.template` \(qwen,.*`models\["ollama:m"\]\.fillBy`/,
    ],
    [
      "ollama:m",
      400,
      `{"error":"the input length exceeds the context length"}`,
      "context-too-long",
      /^The prompt does not fit into the context of Ollama\. Emend requests 8,192 tokens of it\. For more, set "models": { "ollama:m": { "contextTokens": 16384 } } in your emend\.config\.json/,
    ],
    [
      "ollama:m",
      500,
      `{"error":"llama runner process has terminated: exit status 2"}`,
      "server-failed",
      /exit status 2/,
    ],
    [
      "llamacpp",
      503,
      `{"error":{"code":503,"message":"Loading model","type":"unavailable_error"}}`,
      "busy",
      /still loading/,
    ],
    [
      "llamacpp",
      501,
      `{"error":{"code":501,"message":"Infill is not supported by this model: prefix token is missing. ","type":"not_supported_error"}}`,
      "unsupported",
      /This model cannot fill/,
    ],
    [
      "llamacpp",
      400,
      `{"error":{"code":400,"message":"the request exceeds the available context size, try increasing it","type":"exceed_context_size_error","n_prompt_tokens":9000,"n_ctx":4096}}`,
      "context-too-long",
      /--ctx-size/,
    ],
    [
      "llamacpp",
      404,
      `{"error":{"code":404,"message":"File Not Found","type":"not_found_error"}}`,
      "not-found",
      /no route http:\/\/127.0.0.1:8012\/route\..*llama.cpp listens there/,
    ],
    [
      "vllm:m",
      404,
      '{"object":"error","message":"The model `m` does not exist.","type":"NotFoundError","code":404}',
      "not-found",
      /Run `vllm serve m`/,
    ],
    [
      "vllm:m",
      400,
      `{"error":{"message":"This model's maximum context length is 4096 tokens. However, you requested 5000 tokens","type":"BadRequestError"}}`,
      "context-too-long",
      /--max-model-len/,
    ],
    ["vllm:m", 400, `{"error":{"message":"suffix is not currently supported"}}`, "unsupported", /The model "m"/],
    ["vllm:m", 404, `{"detail":"Not Found"}`, "not-found", /no route/],
    ["lmstudio:m", 200, `{"error":"Unexpected endpoint or method. (GET /api/v0/models)"}`, "not-found", /no route/],
    [
      "openai:m",
      404,
      `{"error":{"message":"This is a chat model and not supported in the v1/completions endpoint.","type":"invalid_request_error"}}`,
      "unsupported",
      /\.fillBy` to `chat`/,
    ],
    [
      "openai:m",
      404,
      `{"error":{"message":"The model \`m\` does not exist or you do not have access to it.","code":"model_not_found"}}`,
      "not-found",
      /`emend status` lists/,
    ],
    [
      "mistral:m",
      422,
      `{"object":"error","message":{"detail":[{"type":"missing","msg":"Field required"}]}}`,
      "request-refused",
      /It said: Field required/,
    ],
    ["mistral:m", 429, `{"message":"Requests rate limit exceeded"}`, "rate-limited", /rate limit exceeded/],
    [
      "deepseek:m",
      402,
      `{"error":{"message":"Insufficient Balance"}}`,
      "request-refused",
      /402\. It said: Insufficient Balance/,
    ],
    [
      "openai-compatible:http://a#m",
      502,
      "<html><h1>502 Bad Gateway</h1></html>",
      "busy",
      /not ready \(502\)\. Ask again in a moment\.$/,
    ],
    ["openai-compatible:http://a#m", 401, "{}", "no-key", /A_KEY or B_KEY/],
  ];
  for (const [model, status, body, code, message] of cases) {
    test(`${model} ${status} ${serverMessage(body).slice(0, 50)} → ${code}`, () => {
      const error = explainRefusal(targetOf(model), { status, body });
      expect(error).toMatchObject({ code, status });
      expect(error.message).toMatch(message);
    });
  }

  const streamed: readonly (readonly [string, string, string, RegExp])[] = [
    ["anthropic:m", '{"error":{"type":"overloaded_error","message":"Overloaded"}}', "busy", /is not ready\. Ask/],
    ["google:m", '{"error":{"message":"Quota exceeded"}}', "rate-limited", /^Google answers no more requests/],
    ["ollama:m", '{"error":"error loading model"}', "server-failed", /^Ollama failed\. Its log/],
    ["openai:m", "", "server-failed", /^OpenAI failed\. Ask again in a moment\.$/],
  ];
  for (const [model, body, code, message] of streamed) {
    test(`${model} in a stream ${body} → ${code}`, () => {
      const error = explainRefusal(targetOf(model), { status: undefined, body });
      expect(error).toMatchObject({ code, status: undefined });
      expect(error.message).toMatch(message);
    });
  }

  test("a bad request of Google is explained as a wrong key", () => {
    const body = '[{"error":{"code":400,"message":"API key not valid. Please pass a valid API key."}}]';
    const error = explainRefusal(targetOf("google:m", "a-key"), { status: 400, body });
    expect(error.code).toBe("key-refused");
    expect(error.message).toMatch(/^Google does not know the key in B_KEY/);
  });

  test("a refused key is named by its variable and never shown", () => {
    const error = explainRefusal(targetOf("openai:m", "sk-123"), { status: 401, body: "Incorrect key: sk-123." });
    expect(error.code).toBe("key-refused");
    expect(error.message).toBe("OpenAI does not know the key in B_KEY. Check it. It said: Incorrect key: ….");
  });
});

describe("network failures are explained with a remedy", () => {
  const cases: readonly (readonly [string, unknown, RegExp, boolean])[] = [
    [
      "ollama:m",
      { code: "ECONNREFUSED", port: 11434 },
      /^Nothing listens at http:\/\/127\.0\.0\.1:11434\. Start it with `ollama serve`/,
      true,
    ],
    ["ollama:m", { code: "ECONNREFUSED", errors: [{ code: "ECONNREFUSED", port: 11434 }] }, /^Nothing listens/, true],
    ["llamacpp:http://a.example", { code: "ECONNREFUSED", port: 80 }, /`llama-server -m MODEL.gguf --port 80`/, true],
    ["openai:m", { code: "ECONNREFUSED", port: 3128 }, /^The proxy .* port 3128\..*HTTPS_PROXY/, true],
    ["mistral:m", { code: "ENOTFOUND" }, /^No machine/, false],
    ["vllm:https://a#m", { code: "ERR_SSL_WRONG_VERSION_NUMBER" }, /Write `http:\/\/`/, false],
    ["vllm:https://a#m", { code: "SELF_SIGNED_CERT_IN_CHAIN" }, /NODE_EXTRA_CA_CERTS/, false],
    ["openai-compatible:http://a#m", { code: "ECONNRESET" }, /^The connection to the server at http:/, true],
    ["lmstudio:m", { code: "ECONNRESET" }, /broke before an answer came \(ECONNRESET\)/, true],
    ["llamacpp:http://127.0.0.1:9", new Error("bad port"), /^No client asks port 9, .* Let llama\.cpp listen/, false],
    ["lmstudio:m", "what", /broke before an answer came\. /, false],
  ];
  for (const [model, cause, message, isAgain] of cases) {
    test(`${model} ${JSON.stringify(cause)}`, () => {
      const thrown = new TypeError("fetch failed", { cause });
      const error = explainNoAnswer(targetOf(model), thrown);
      expect(error).toMatchObject({ code: "unreachable", cause: thrown });
      expect(error.message).toMatch(message);
      expect(isBrokenConnection(thrown)).toBe(isAgain);
    });
  }
});

test.each([
  ["http://127.0.0.1:8012/infill", "ECONNREFUSED", true],
  ["http://localhost:11434/api/generate", "ECONNREFUSED", true],
  ["https://[::1]/v1", "ECONNREFUSED", true],
  ["http://127.0.0.1:8012", "ECONNRESET", false],
  ["http://127.0.0.1.example:80", "ECONNREFUSED", false],
  ["http://box:8012", "ECONNREFUSED", false],
])("%s, %s: whether no program listens on this machine", (url, code, isRefused) => {
  expect(isLocalConnectionRefused(url, new TypeError("fetch failed", { cause: { code } }))).toBe(isRefused);
});

test.each<[string, string]>([
  ["plain\n  text ", "plain text"],
  ["", ""],
  ["<html><h1>502</h1></html>", ""],
  ['"a text"', "a text"],
  ['{"error":"no"}', "no"],
  ['{"error":{"code":1,"message":"no"}}', "no"],
  ['[{"error":{"message":"no"}}]', "no"],
  ['{"error":true,"message":"no"}', "no"],
  ['{"message":{"detail":[{"type":"missing","msg":"no"}]}}', "no"],
  ['{"code":1}', '{"code":1}'],
])("the server message in %j is %j", (body, message) => expect(serverMessage(body)).toBe(message));

test("a long server message is truncated", () => expect(serverMessage("x ".repeat(1000)).length).toBe(300));

test("a cyclic value has no server message", () => {
  const error: { error?: unknown } = {};
  error.error = error;
  expect(messageIn(error)).toBeUndefined();
});
