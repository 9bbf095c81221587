import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { pipeline } from "node:stream/promises";
import { describe, expect, onTestFinished, test } from "vitest";
import { ModelError } from "../model-error.ts";
import type { ModelSettings } from "../model-host.ts";
import { probeModel } from "../probe-model.ts";
import { callModel, type ModelCall, modelCalls } from "./fixtures/model-calls.ts";
import { webHost } from "./web-host.ts";

const megabyte = 1024 * 1024;

/**
 * A server that writes an answer for as long as its client reads; `sent` is how much the client
 * took.
 */
async function start(answer: (response: ServerResponse, route: string) => AsyncGenerator<string, void>) {
  let sent = 0;
  let open = 0;
  const server = createServer(async (request, response) => {
    open += 1;
    response.on("close", () => {
      open -= 1;
    });
    for await (const _ of request);
    const pieces = answer(response, request.url ?? "");
    const counted = async function* () {
      for await (const piece of pieces) {
        sent += piece.length;
        yield piece;
      }
    };
    // The client hangs up in the middle, which is an error of the pipeline.
    await pipeline(counted, response).catch(() => {});
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    sent: () => sent,
    /** Settles when the client has closed all connections. */
    async quiet() {
      while (open > 0) await new Promise((resolve) => setTimeout(resolve, 5));
    },
  };
}

async function* repeated(piece: string, count: number): AsyncGenerator<string, void> {
  for (let i = 0; i < count; i++) yield piece;
}

async function* dripped(pieces: Iterable<string>, everyMs: number): AsyncGenerator<string, void> {
  for (const piece of pieces) {
    await new Promise((resolve) => setTimeout(resolve, everyMs));
    yield piece;
  }
}

function* forever(pieces: string): Generator<string, void> {
  for (;;) yield* pieces;
}

async function failureOf(call: ModelCall, url: string, settings: ModelSettings): Promise<ModelError> {
  const host = webHost({ environment: {}, settings: { retries: 0, ...settings } });
  const error: unknown = await callModel(call, url, host).catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(ModelError);
  return error as ModelError;
}

/** The memory that `work` adds while it runs, in megabytes, looked at every few milliseconds. */
async function memoryOf(work: () => Promise<unknown>): Promise<number> {
  const before = process.memoryUsage().rss;
  let most = before;
  const watch = setInterval(() => {
    most = Math.max(most, process.memoryUsage().rss);
  }, 5);
  await work().finally(() => clearInterval(watch));
  return (most - before) / megabyte;
}

/** One of each way to read a stream. */
const readers: ReadonlySet<string> = new Set([
  ...["llamacpp fill", "openai-compatible raw", "openai chat", "anthropic chat", "google chat"],
]);
const streaming = modelCalls.filter(({ name }) => readers.has(name));

/**
 * An event that is text for every protocol of a chat and of a completion, with a field that makes
 * it `length` long.
 */
function eventFor({ name }: ModelCall, length: number): string {
  const pad = "x".repeat(length);
  const event =
    name === "anthropic chat"
      ? { type: "content_block_delta", index: 0, delta: { type: "text_delta", text: "a" }, pad }
      : name === "google chat"
        ? { candidates: [{ content: { role: "model", parts: [{ text: "a" }] } }], pad }
        : { content: "a", choices: [{ index: 0, text: "a", delta: { content: "a" }, finish_reason: null }], pad };
  return `data: ${JSON.stringify(event)}\n\n`;
}

function begin(response: ServerResponse, contentType = "text/event-stream", status = 200): void {
  response.writeHead(status, { "content-type": contentType });
}

describe.each(streaming)("row 11: an answer of $name", (call) => {
  test("that is one endless line ends at the line limit", async () => {
    const server = await start((response) => {
      begin(response);
      return repeated("data: x".repeat(megabyte / 7), 200);
    });
    const error = await failureOf(call, server.url, {});
    expect(error).toMatchObject({ code: "not-an-answer", message: expect.stringContaining("16,777,216 characters") });
    await server.quiet();
    expect(server.sent()).toBeLessThan(40 * megabyte);
  });

  test("that is endless events ends at the answer limit, in bounded memory", async () => {
    const event = eventFor(call, 100_000);
    const server = await start((response) => {
      begin(response);
      return repeated(event, 2_000);
    });
    const added = await memoryOf(async () => {
      const error = await failureOf(call, server.url, {});
      expect(error).toMatchObject({ code: "not-an-answer", message: expect.stringContaining("64 MB") });
    });
    await server.quiet();
    expect(server.sent()).toBeLessThan(90 * megabyte);
    expect(added).toBeLessThan(300);
  });

  test("that is endless white space ends at the limit", async () => {
    const server = await start((response) => {
      begin(response);
      return repeated("\n".repeat(megabyte), 200);
    });
    expect((await failureOf(call, server.url, {})).code).toBe("not-an-answer");
    await server.quiet();
    expect(server.sent()).toBeLessThan(90 * megabyte);
  });
});

describe("row 11: the time of every call is limited", () => {
  test.each([
    ["one character of an event", 'data: {"pad":"xxxxxxxxx', 200, "text/event-stream"],
    ["events that say nothing", ": still here\n\n", 200, "text/event-stream"],
    ["characters of a page that refuses", "no", 500, "text/plain"],
    ["white space", " ", 200, "application/json"],
  ])("where a server sends %s now and then", async (_, pieces, status, type) => {
    const server = await start((response) => {
      begin(response, type, status);
      return dripped(forever(pieces), 10);
    });
    const begun = performance.now();
    const timedOut = /^timed-out: .*within 0\.3 s.*totalMs/;
    const limited = async (call: ModelCall) => {
      const error = await failureOf(call, server.url, { totalMs: 300 });
      // Of a page that refuses, the beginning is enough to report that.
      const pattern = status === 200 ? timedOut : new RegExp(`${timedOut.source}|^server-failed: `);
      expect(`${error.code}: ${error.message}`, call.name).toMatch(pattern);
    };
    await Promise.all(modelCalls.map(limited));
    expect(performance.now() - begun).toBeLessThan(10_000);
    await server.quiet();
  });
});

describe.each(modelCalls)("row 11: an error page of $name", (call) => {
  test.each([
    ["as text", "text/plain", "no "],
    ["as JSON", "application/json", '{"error":{"message":"no'],
    ["as a web page", "text/html", "<p>no</p>"],
    ["as one line", "application/json", "x".repeat(1000)],
  ])("is read only at its beginning: %s", async (_, type, piece) => {
    const server = await start((response) => {
      begin(response, type, 500);
      return repeated(piece.repeat(Math.ceil(100_000 / piece.length)), 1_000);
    });
    const error = await failureOf(call, server.url, {});
    expect(error).toMatchObject({ code: "server-failed", status: 500 });
    expect(error.message.length).toBeLessThan(1_000);
    await server.quiet();
    // What the sockets of both sides hold is sent before the client's end is noticed.
    expect(server.sent()).toBeLessThan(12 * megabyte);
  });
});

test("row 11: an endless list of models of a server is limited", async () => {
  const server = await start((response) => {
    begin(response, "application/json");
    return repeated(`{"data":[${'{"id":"m"},'.repeat(10_000)}`, 2_000);
  });
  const report = await probeModel(`openai-compatible:${server.url}#m`, webHost({ environment: {} }));
  expect(report.problems.map(({ code }) => code)).toEqual(["not-an-answer"]);
  await server.quiet();
  expect(server.sent()).toBeLessThan(40 * megabyte);
});

test("row 11: an answer within the limits is complete: 2 MB of text in 20,000 events", async () => {
  const delta = "x".repeat(100);
  const choice = { index: 0, delta: { content: delta }, text: delta };
  const event = (finish_reason: string | null) =>
    `data: ${JSON.stringify({ id: "1", choices: [{ ...choice, finish_reason }] })}\n\n`;
  async function* events() {
    yield* repeated(event(null), 19_999);
    yield event("stop");
  }
  const server = await start((response) => {
    begin(response);
    return events();
  });
  for (const name of ["openai-compatible chat", "openai-compatible raw"]) {
    const call = modelCalls.find((one) => one.name === name)!;
    expect((await callModel(call, server.url, webHost({ environment: {} }))).length, name).toBe(2_000_000);
  }
});
