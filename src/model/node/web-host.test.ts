import { createServer } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { describe, expect, onTestFinished, test } from "vitest";
import type { Fetch, ModelHost } from "../model-host.ts";
import { openModel } from "../open-model.ts";
import { scriptNames } from "./fixtures/scripted-names.ts";
import { ScriptedServer } from "./fixtures/scripted-server.ts";
import { webHost } from "./web-host.ts";

/** A proxy that leads every tunnel to `target`, and remembers where each was to go. */
async function startProxy(target: string) {
  const targets: string[] = [];
  const proxy = createServer();
  proxy.on("connect", ({ url }, socket) => {
    targets.push(url ?? "");
    const { port, hostname } = new URL(target);
    const through = connect(Number(port), hostname, () => {
      socket.write("HTTP/1.1 200 OK\r\n\r\n");
      through.pipe(socket);
      socket.pipe(through);
    });
    for (const end of [through, socket]) end.on("error", () => {});
  });
  await new Promise<void>((resolve) => proxy.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    proxy.closeAllConnections();
    proxy.close();
  });
  return { targets, url: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}` };
}

async function startModel() {
  const server = await ScriptedServer.start(() => ({ chunks: ['{"content":"x","stop":true}'] }));
  onTestFinished(() => server[Symbol.asyncDispose]());
  return server;
}

async function fill(address: string, host: ModelHost): Promise<string> {
  const request = { path: "a.ts", language: "typescript", prefix: "", suffix: "" };
  let text = "";
  for await (const part of openModel(`llamacpp:${address}`, host).fill!(request)) text += part.text;
  return text;
}

describe("the proxy of the environment for model requests", () => {
  for (const name of ["HTTP_PROXY", "http_proxy"]) {
    test(`is used, by ${name}`, async () => {
      const server = await startModel();
      const proxy = await startProxy(server.url);
      expect(await fill("http://models.example:9000", webHost({ environment: { [name]: proxy.url } }))).toBe("x");
      expect(proxy.targets).toEqual(["models.example:9000"]);
    });
  }
  test("is not used for this machine", async () => {
    const server = await startModel();
    const proxy = await startProxy(server.url);
    const environment = { HTTP_PROXY: proxy.url };
    scriptNames();
    for (const host of ["127.0.0.1", "localhost"]) {
      expect(await fill(server.url.replace("127.0.0.1", host), webHost({ environment }))).toBe("x");
    }
    expect(proxy.targets).toEqual([]);
  });
  test("is not used for the names in NO_PROXY", async () => {
    const server = await startModel();
    const proxy = await startProxy(server.url);
    const environment = { HTTP_PROXY: proxy.url, NO_PROXY: "models.invalid" };
    const asked = scriptNames();
    await expect(fill("http://models.invalid:9000", webHost({ environment }))).rejects.toMatchObject({
      code: "unreachable",
    });
    expect([...new Set(asked)]).toEqual(["models.invalid"]);
    expect(proxy.targets).toEqual([]);
  });
  test("is named in the error if it is unreachable", async () => {
    const proxy = await startProxy("http://127.0.0.1:1");
    const environment = { HTTP_PROXY: proxy.url.replace(/\d+$/, "1") };
    const host = webHost({ environment, settings: { retries: 0 } });
    await expect(fill("http://models.example:9000", host)).rejects.toMatchObject({
      code: "unreachable",
      message: expect.stringMatching(/^The proxy on the way .* port 1\..*HTTP_PROXY/),
    });
  });
});

test("keys that are set but empty count as missing", () => {
  const host = webHost({ environment: { A: "", B: "b" } });
  expect([host.key("A"), host.key("B"), host.key("C")]).toEqual([undefined, "b", undefined]);
});

test("the platform's fetch can be used as the fetch of a host", async () => {
  const server = await startModel();
  const fetch: Fetch = globalThis.fetch;
  expect(await fill(server.url, { ...webHost({ environment: {} }), fetch })).toBe("x");
});

test("a task of the model clock can be cancelled", async () => {
  const { clock } = webHost({ environment: {} });
  const ran: string[] = [];
  clock.after(0, () => ran.push("never"))[Symbol.dispose]();
  await new Promise<void>((resolve) => clock.after(1, resolve));
  expect(ran).toEqual([]);
});
