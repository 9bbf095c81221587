import { expect, test } from "vitest";
import type { Clock } from "../../async/index.ts";
import type { Fetch } from "../model-host.ts";
import { ModelServer } from "./model-server.ts";
import { streamFill } from "./stream-text.ts";

/**
 * A server whose answer comes piece by piece, when the test releases it, and a clock that the test
 * advances.
 */
function bench() {
  const tasks = new Set<() => void>();
  const clock: Clock = {
    now: () => 0,
    after(_delayMs, task) {
      tasks.add(task);
      return { [Symbol.dispose]: () => void tasks.delete(task) };
    },
  };
  const waiting: ((piece: string | undefined) => void)[] = [];
  let connection: AbortSignal | undefined;
  const fetch: Fetch = async (_url, { signal }) => {
    connection = signal;
    const read = () =>
      new Promise<{ done: boolean; value?: Uint8Array }>((resolve) => {
        waiting.push((piece) =>
          resolve(piece === undefined ? { done: true } : { done: false, value: new TextEncoder().encode(piece) }),
        );
      });
    return { status: 200, headers: { get: () => null }, body: { getReader: () => ({ read }) } };
  };
  const name = { provider: "llamacpp", baseUrl: "http://nowhere" } as const;
  return {
    server: new ModelServer(name, { fetch, clock, key: () => undefined }),
    /** Sends a piece, or the end. */
    async send(piece: string | undefined) {
      while (waiting.length === 0) await null;
      waiting.shift()!(piece);
      for (let i = 0; i < 20; i++) await null;
    },
    isClosed: () => connection!.aborted,
    strike: () => {
      for (const task of [...tasks]) task();
    },
    waits: () => tasks.size,
  };
}

const request = { routes: ["/infill"], framing: "sse" } as const;

async function begin() {
  const b = bench();
  const answer = await b.server.open(request);
  const first = answer.messages.next();
  await b.send('data: {"stop":true}\n\n');
  expect((await first).value).toEqual({ stop: true });
  return { ...b, answer };
}

test("a complete answer is read to the end of its response, so that the connection can be reused", async () => {
  const { answer, send, isClosed, waits } = await begin();
  answer.finish();
  answer.leave();
  expect(isClosed()).toBe(false);
  await send("data: [DONE]\n\n");
  // Nothing is open any more that closing could break.
  expect(waits()).toBe(0);
});

test("a complete answer whose response does not end is abandoned after a while", async () => {
  const { answer, isClosed, strike } = await begin();
  answer.finish();
  expect(isClosed()).toBe(false);
  strike();
  expect(isClosed()).toBe(true);
});

test("the response of an abandoned answer is closed at once", async () => {
  const { answer, isClosed } = await begin();
  answer.leave();
  answer.leave();
  expect(isClosed()).toBe(true);
});

test("a fill with a reported end keeps its connection open, and one that stops earlier closes it", async () => {
  for (const end of ["finished", undefined] as const) {
    const b = bench();
    const read = () => ({ text: "one\ntwo", ...(end === undefined ? {} : { end }) });
    const stream = streamFill(b.server, { request, cuts: [], read }, { maxLines: 1 }, {});
    const first = stream.next();
    await b.send('data: {"text":"…"}\n\n');
    expect((await first).value).toMatchObject({ text: "one" });
    expect((await stream.next()).done).toBe(true);
    expect(b.isClosed()).toBe(end === undefined);
  }
});
