import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { tryParseBaseUrl } from "./base-url.ts";
import { type ModelName, parseModelName, printModelName, printModelNameInFull } from "./model-name.ts";
import { type ServerProvider, serverFacts } from "./providers.ts";

/** Provider, address, model. */
const summary = (name: ModelName | undefined) => {
  if (name === undefined) return "nothing";
  if (name.provider === "builtin") return "builtin";
  if (name.provider === "gguf") return `gguf ${name.path}`;
  return [name.provider, name.baseUrl, ...(name.model === undefined ? [] : [name.model])].join(" ");
};

describe("a model name is parsed:", () => {
  const cases: readonly (readonly [string, string])[] = [
    ["builtin", "builtin"],
    [" Builtin ", "builtin"],
    ["gguf:/models/a b.gguf", "gguf /models/a b.gguf"],
    ["gguf:C:\\models\\a.gguf", "gguf C:\\models\\a.gguf"],
    ["ollama:qwen2.5-coder:1.5b", "ollama http://127.0.0.1:11434 qwen2.5-coder:1.5b"],
    ["ollama:hf.co/org/model:Q4_K_M", "ollama http://127.0.0.1:11434 hf.co/org/model:Q4_K_M"],
    ["ollama:http://box:11434#a:b", "ollama http://box:11434 a:b"],
    ["ollama:box:11434#a", "ollama http://box:11434 a"],
    ["llamacpp", "llamacpp http://127.0.0.1:8012"],
    ["llamacpp:http://127.0.0.1:8012", "llamacpp http://127.0.0.1:8012"],
    ["llamacpp:box:9000/", "llamacpp http://box:9000"],
    ["llamacpp:8080", "llamacpp http://127.0.0.1:8080"],
    ["llamacpp::8080/v1", "llamacpp http://127.0.0.1:8080"],
    ["llamacpp:8080#m", "llamacpp http://127.0.0.1:8080 m"],
    ["ollama:11435#a:b", "ollama http://127.0.0.1:11435 a:b"],
    ["vllm::8001#Qwen/Q", "vllm http://127.0.0.1:8001 Qwen/Q"],
    ["lmstudio:http://1235#m", "lmstudio http://127.0.0.1:1235 m"],
    ["openai-compatible:8000#m", "openai-compatible http://127.0.0.1:8000 m"],
    ["openai-compatible:http://127.0.0.1:1/v1#m", "openai-compatible http://127.0.0.1:1 m"],
    ["openai-compatible:api.example.com#m", "openai-compatible https://api.example.com m"],
    ["openai:gpt-x", "openai https://api.openai.com gpt-x"],
    ["mistral:codestral-latest", "mistral https://api.mistral.ai codestral-latest"],
    ["mistral:https://codestral.mistral.ai#codestral-latest", "mistral https://codestral.mistral.ai codestral-latest"],
    ["deepseek:deepseek-chat", "deepseek https://api.deepseek.com deepseek-chat"],
    ["vllm:Qwen/Qwen2.5-Coder-7B", "vllm http://127.0.0.1:8000 Qwen/Qwen2.5-Coder-7B"],
    ["vllm:http://gpu:8000#Qwen/Q", "vllm http://gpu:8000 Qwen/Q"],
    ["lmstudio:a-model", "lmstudio http://127.0.0.1:1234 a-model"],
    ["anthropic:claude", "anthropic https://api.anthropic.com claude"],
    ["google:gemini", "google https://generativelanguage.googleapis.com gemini"],
  ];
  for (const [text, read] of cases)
    test(`${text} → ${read}`, () => expect(summary(parseModelName(text).name)).toBe(read));
});

describe("an invalid model name is refused with the expected form:", () => {
  const cases: readonly (readonly [string, string, RegExp])[] = [
    ["", "empty", /`builtin`/],
    ["builtin:big", "unexpected-rest", /leave `:big` out/],
    ["gguf:", "model-missing", /gguf:\/models/],
    ["/models/a.gguf", "provider-missing", /`gguf:\/models\/a.gguf`/],
    ["http://127.0.0.1:8012", "provider-missing", /`llamacpp:http:\/\/127.0.0.1:8012`/],
    ["qwen2.5-coder:1.5b", "provider-unknown", /`ollama:qwen2.5-coder:1.5b`/],
    ["llama.cpp:http://a", "provider-unknown", /write `llamacpp:http:\/\/a`/],
    ["lm-studio:m", "provider-unknown", /write `lmstudio:m`/],
    ["olama:m", "provider-unknown", /write `ollama:m`/],
    ["llama:127.0.0.1:8012", "provider-unknown", /write `llamacpp:127.0.0.1:8012`/],
    ["llama-server:http://a", "provider-unknown", /write `llamacpp:http:\/\/a`/],
    ["ollama:127.0.0.1:8012", "model-missing", /write `ollama:http:\/\/127.0.0.1:8012#MODEL`/],
    ["lmstudio:mybox:1234", "model-missing", /write `lmstudio:http:\/\/mybox:1234#MODEL`/],
    ["ollama:11434", "model-missing", /write `ollama:http:\/\/127.0.0.1:11434#MODEL`/],
    ["vllm::8000/v1", "model-missing", /write `vllm:http:\/\/127.0.0.1:8000#MODEL`/],
    ["openai-compatible:8000", "model-missing", /`openai-compatible:http:\/\/127.0.0.1:8000#MODEL`/],
    ["llamacpp:80120", "url-broken", /no address/],
    ["vllm:localhost", "model-missing", /write `vllm:http:\/\/localhost#MODEL`/],
    ["llamacpp:http//127.0.0.1:8012", "url-broken", /write `llamacpp:http:\/\/127.0.0.1:8012`/],
    ["ollama:https:/a#m", "url-broken", /write `ollama:https:\/\/a#m`/],
    ["ollama", "model-missing", /`ollama:MODEL`/],
    ["vllm:http://gpu:8000", "model-missing", /`vllm:http:\/\/gpu:8000#MODEL`/],
    ["openai-compatible:", "url-missing", /`openai-compatible:http:/],
    ["openai-compatible:#m", "url-missing", /#m`/],
    ["llamacpp:ftp://a", "url-broken", /`http:\/\/127.0.0.1:8012`/],
    ["llamacpp:http://a b", "url-broken", /no address/],
    ["llamacpp:http://me:secret@a", "url-credentials", /LLAMA_API_KEY/],
  ];
  for (const [text, code, message] of cases) {
    test(`${text} → ${code}`, () => {
      const { name, issues } = parseModelName(text);
      expect(name).toBeUndefined();
      expect(issues.map((issue) => issue.code)).toEqual([code]);
      expect(issues[0]!.message).toMatch(message);
      expect(issues[0]!.message).not.toContain("secret");
    });
  }
});

test.each([
  ["llamacpp", "llamacpp", "llamacpp:http://127.0.0.1:8012"],
  ["ollama:http://127.0.0.1:11434#a:b", "ollama:a:b", "ollama:http://127.0.0.1:11434#a:b"],
  ["llamacpp:8080", "llamacpp:http://127.0.0.1:8080", "llamacpp:http://127.0.0.1:8080"],
  ["builtin", "builtin", "builtin"],
])("the name %s is printed as %s, and in full as %s", (text, printed, full) => {
  const name = parseModelName(text).name!;
  expect([printModelName(name), printModelNameInFull(name)]).toEqual([printed, full]);
  expect(parseModelName(full).name).toEqual(name);
});

describe("a server address is parsed in any form:", () => {
  const cases: readonly (readonly [ServerProvider, string, string])[] = [
    ["openai-compatible", "http://a:1/", "http://a:1"],
    ["openai-compatible", "http://a:1/v1/", "http://a:1"],
    ["openai-compatible", "http://a:1/v1/completions", "http://a:1"],
    ["openai-compatible", "http://a:1/v1/chat/completions/", "http://a:1"],
    ["openai-compatible", "HTTP://A:1//v1//", "http://a:1"],
    ["openai-compatible", "https://openrouter.ai/api/v1", "https://openrouter.ai/api"],
    ["openai-compatible", "https://a.example/v1beta/openai/", "https://a.example/v1beta/openai"],
    ["openai-compatible", "https://a.example/v4", "https://a.example/v4"],
    ["mistral", "https://codestral.mistral.ai/v1/fim/completions", "https://codestral.mistral.ai"],
    ["deepseek", "https://api.deepseek.com/beta/completions", "https://api.deepseek.com"],
    ["ollama", "http://a:11434/api/generate", "http://a:11434"],
    ["ollama", "http://a:11434/api", "http://a:11434"],
    ["ollama", "a:11434/v1", "http://a:11434"],
    ["llamacpp", "localhost:8012/infill", "http://localhost:8012"],
    ["llamacpp", "127.0.0.1/prefix/completion", "http://127.0.0.1/prefix"],
    ["llamacpp", "[::1]:8012", "http://[::1]:8012"],
    ["llamacpp", "8012", "http://127.0.0.1:8012"],
    ["llamacpp", ":8012/v1", "http://127.0.0.1:8012"],
    ["llamacpp", "https://8012", "https://127.0.0.1:8012"],
    ["llamacpp", "10.0.0.7", "http://10.0.0.7"],
    ["llamacpp", "gpu", "http://gpu"],
    ["llamacpp", "models.example.com/llama/", "https://models.example.com/llama"],
    ["lmstudio", "http://a:1234/api/v0", "http://a:1234"],
  ];
  for (const [provider, text, url] of cases) {
    test(`${provider} ${text} → ${url}`, () => expect(tryParseBaseUrl(text, provider)?.url).toBe(url));
  }
});

const nameText = fc.stringMatching(/^[A-Za-z0-9._/-]{1,12}(:[a-z0-9.]{1,4})?$/);
const urlText = fc
  .tuple(
    fc.constantFrom("http://", "https://", ""),
    fc.constantFrom("a", "a.example", "127.0.0.1", "[::1]"),
    fc.constantFrom("", ":80", ":8012"),
    fc.constantFrom("", "/", "/v1", "/v1/completions", "/x/v1/", "/api/v1"),
  )
  .map((parts) => parts.join(""));

test("a printed model name parses to the same name", () => {
  const providers = fc.constantFrom(...(Object.keys(serverFacts) as ServerProvider[]));
  fc.assert(
    fc.property(providers, fc.option(urlText), nameText, (provider, url, model) => {
      const { name } = parseModelName(url === null ? `${provider}:${model}` : `${provider}:${url}#${model}`);
      fc.pre(name !== undefined);
      expect(parseModelName(printModelName(name)).name).toEqual(name);
    }),
  );
});

test("law: parsing any text as a model name gives a name or an issue", () => {
  fc.assert(
    fc.property(fc.string(), (text) => {
      const { name, issues } = parseModelName(text);
      expect(issues.length).toBe(name === undefined ? 1 : 0);
    }),
  );
});
