import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, onTestFinished, test } from "vitest";
import { ModelError } from "../model-error.ts";
import { parseModelName, printModelName } from "../model-name.ts";
import { callModel, modelCalls } from "./fixtures/model-calls.ts";
import { scriptNames } from "./fixtures/scripted-names.ts";
import { ScriptedServer } from "./fixtures/scripted-server.ts";
import { readProxies } from "./proxies.ts";
import { webHost } from "./web-host.ts";

const calls = modelCalls.filter(({ name }) =>
  /^(llamacpp fill|openai-compatible (raw|chat|describe)|ollama chat)$/.test(name),
);

/** A proxy that answers every CONNECT with a status, and counts them. */
async function startProxy(status: number) {
  let connects = 0;
  const proxy = createServer().on("connect", (_, socket) => {
    connects += 1;
    socket.on("error", () => {});
    socket.end(`HTTP/1.1 ${status} No\r\ncontent-length: 0\r\n\r\n`);
  });
  await new Promise<void>((resolve) => proxy.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    proxy.closeAllConnections();
    proxy.close();
  });
  return { address: `127.0.0.1:${(proxy.address() as AddressInfo).port}`, connects: () => connects };
}

/** The failure of a request to a name that no machine is known by. */
async function failureOf(call: (typeof calls)[number], environment: Record<string, string>): Promise<ModelError> {
  const asked = scriptNames();
  const host = webHost({ environment, settings: { retries: 0 } });
  const error: unknown = await callModel(call, "http://models.invalid:9000", host).catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(ModelError);
  const isDirect = environment["NO_PROXY"] !== undefined;
  const expected = isDirect
    ? ["models.invalid"]
    : JSON.stringify(environment).includes("proxy.invalid:")
      ? ["proxy.invalid"]
      : [];
  expect([...new Set(asked)]).toEqual(expected);
  return error as ModelError;
}

describe.each(calls)("row 52: a proxy before $name", (call) => {
  test.each([
    [403, "does not allow"],
    [407, "wants a name and a password"],
    [502, "does not reach"],
    [504, "in time"],
    [500, "Look at its log"],
  ])("that answers CONNECT with %i is named, with its variable and status", async (status, cure) => {
    const proxy = await startProxy(status);
    const error = await failureOf(call, { HTTP_PROXY: `http://me:s3cret@${proxy.address}` });
    expect(error.code).toBe("unreachable");
    for (const part of [`answered ${status}`, proxy.address, "HTTP_PROXY", cure]) expect(error.message).toContain(part);
    expect(error.message).not.toMatch(/s3cret|broke/);
    expect(proxy.connects()).toBe(1);
  });

  test.each([
    ["HTTP_PROXY", "proxy.invalid:3128", "proxy.invalid:3128"],
    ["http_proxy", "http://proxy.invalid:3128", "proxy.invalid:3128"],
    ["HTTP_PROXY", "::::", '"::::"'],
    ["http_proxy", "http://", '"http://"'],
    ["HTTP_PROXY", "ftp://proxy.invalid", '"ftp://proxy.invalid"'],
    ["HTTP_PROXY", "127.0.0.1:1", "127.0.0.1:1"],
  ])("%s=%s is named", async (variable, value, shown) => {
    const error = await failureOf(call, { [variable]: value });
    expect(error.code).toBe("unreachable");
    for (const part of [variable, shown]) expect(error.message).toContain(part);
  });

  test("without a scheme is one of http", async () => {
    const proxy = await startProxy(403);
    expect((await failureOf(call, { HTTP_PROXY: proxy.address })).message).toContain("answered 403");
  });

  test.each(["*", "example.com,*", "* example.com", "models.invalid", ".invalid", "models.invalid:9000", "*.invalid"])(
    "is left aside by NO_PROXY=%s",
    async (noProxy) => {
      const proxy = await startProxy(403);
      const error = await failureOf(call, { HTTP_PROXY: proxy.address, NO_PROXY: noProxy });
      expect(error.message).not.toContain("HTTP_PROXY");
      expect(proxy.connects()).toBe(0);
    },
  );
});

describe("row 52: which proxy a request takes", () => {
  const all = { HTTP_PROXY: "h:1", HTTPS_PROXY: "s:2" };
  test.each([
    ["http://a.example", all, "http://h:1"],
    ["https://a.example", all, "http://s:2"],
    ["https://a.example", { HTTP_PROXY: "h:1" }, "http://h:1"],
    ["http://a.example", { HTTPS_PROXY: "s:2" }, undefined],
    ["http://a.example", { ...all, http_proxy: "http://l:3" }, "http://l:3"],
    ["http://127.0.0.1:8012", all, undefined],
    ["http://localhost:8012", all, undefined],
    ["http://[::1]:8012", all, undefined],
    ["http://a.example", { ...all, NO_PROXY: "*" }, undefined],
    ["http://a.example", { ...all, NO_PROXY: "example" }, undefined],
    ["http://a.example", { ...all, NO_PROXY: "ample" }, "http://h:1"],
    ["http://a.example:81", { ...all, NO_PROXY: "a.example:80" }, "http://h:1"],
  ])("%s with %j: %s", (url, environment, expected) => {
    expect(readProxies(environment).proxyFor(url)?.url).toBe(expected);
  });
});

describe("row 52: the query of an address", () => {
  test.each(modelCalls)("is sent by $name", async ({ modelAt, ask, name }) => {
    const server = await ScriptedServer.start(() => ({ status: 400, chunks: ['{"error":"no"}'] }));
    onTestFinished(() => server[Symbol.asyncDispose]());
    const at = (url: string) => modelAt(`${url}/v1?api-version=2&x=a%20b`);
    await callModel(
      { name, ask, modelAt: at },
      server.url,
      webHost({ environment: {}, settings: { retries: 0 } }),
    ).catch(() => {});
    expect(server.seen.length).toBeGreaterThan(0);
    for (const { route } of server.seen) expect(route).toMatch(/\?(?:.*&)?api-version=2&x=a%20b(?:&|$)/);
  });

  test.each([
    "openai-compatible:http://host/api?api-version=2#m",
    "llamacpp:http://127.0.0.1:8012?slot=1",
    "vllm:http://host:8000?a=b&c=d#org/model",
  ])("%s reads as the same name again", (text) => {
    const { name } = parseModelName(text);
    expect(printModelName(name!)).toBe(text);
    expect(parseModelName(printModelName(name!)).name).toEqual(name);
  });
});
