import { once } from "node:events";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createProtocolConnection, type Message, type ProtocolConnection } from "vscode-languageserver/node";
import { WebSocket } from "ws";
import { FakeClock } from "../../async/fixtures/fake-clock.ts";
import type { LanguageServerTransport } from "../protocol-gate.ts";
import { ServedWorld } from "./fixtures/served-world.ts";
import { webSocketTransport } from "./web-socket-transport.ts";

let world: ServedWorld;
const clock = new FakeClock();
/** What serves a socket in a test. */
let serve: (transport: LanguageServerTransport, signal: AbortSignal) => Promise<void>;

beforeEach(async () => {
  world = new ServedWorld();
  await world.open({ clock, serveLanguage: (transport, { signal }) => serve(transport, signal) });
});
afterEach(() => world[Symbol.asyncDispose]());

const ended = ({ reader }: LanguageServerTransport, signal: AbortSignal) =>
  new Promise<void>((resolve) => {
    reader.onClose(() => resolve());
    signal.addEventListener("abort", () => resolve());
  });

async function open(): Promise<WebSocket> {
  const socket = new WebSocket(`${world.page.url.replace("http", "ws")}lsp`, { perMessageDeflate: false });
  socket.on("error", () => undefined);
  await once(socket, "open");
  return socket;
}

/** With which code and words a socket is closed. */
async function closing(socket: WebSocket): Promise<readonly [number, string]> {
  const [code, words] = await once(socket, "close");
  return [code, String(words)];
}

describe("messages over a socket", () => {
  test("sends each message as text, and skips invalid ones", async () => {
    const received: Message[] = [];
    const errors: string[] = [];
    serve = (transport, signal) => {
      transport.reader.onError((error) => void errors.push(error.message));
      transport.reader.listen((message) => {
        received.push(message);
        void transport.writer.write({ jsonrpc: "2.0", method: "heard" } as Message);
      });
      return ended(transport, signal);
    };
    const socket = await open();
    for (const text of ["nonsense", "[]", "null", "1", "{}", '[{"jsonrpc":"2.0"}]']) socket.send(text);
    socket.send('{"jsonrpc":"2.0","method":"ping","params":{"text":"ä\u2028😀"}}');
    const [answer] = await once(socket, "message");
    expect(JSON.parse(String(answer))).toEqual({ jsonrpc: "2.0", method: "heard" });
    expect(received).toEqual([{ jsonrpc: "2.0", method: "ping", params: { text: "ä\u2028😀" } }]);
    expect(errors).toHaveLength(6);
    expect(errors[0]).toBe("This is not a message: nonsense");
  });

  test("refuses binary messages", async () => {
    serve = (transport, signal) => {
      transport.reader.listen(() => undefined);
      return ended(transport, signal);
    };
    const socket = await open();
    socket.send(Uint8Array.of(1, 2));
    expect(await closing(socket)).toEqual([1003, "Messages are text."]);
  });

  test("closes the socket on an oversized message", async () => {
    serve = (transport, signal) => {
      transport.reader.listen(() => undefined);
      return ended(transport, signal);
    };
    const socket = await open();
    socket.send("x".repeat(64_000_001));
    expect((await closing(socket))[0]).toBe(1009);
  });

  test("connects a JSON-RPC library in both directions, with large texts", async () => {
    const connected: ProtocolConnection[] = [];
    serve = (transport, signal) => {
      const connection = createProtocolConnection(transport.reader, transport.writer);
      connection.onRequest("double", (text: string) => text + text);
      connection.listen();
      connected.push(connection);
      return ended(transport, signal);
    };
    const { reader, writer } = webSocketTransport(await open());
    const client = createProtocolConnection(reader, writer);
    client.onRequest("name", () => "page");
    client.listen();
    const text = "line\n".repeat(500_000);
    expect(await client.sendRequest("double", text)).toBe(text + text);
    expect(await connected[0]!.sendRequest("name")).toBe("page");
    client.dispose();
  });

  test("rejects pending writes when the page disconnects", async () => {
    let write!: () => Promise<void>;
    serve = (transport, signal) => {
      write = () => transport.writer.write({ jsonrpc: "2.0" });
      return ended(transport, signal);
    };
    const socket = await open();
    await write();
    socket.terminate();
    await expect(
      (async () => {
        for (;;) await write();
      })(),
    ).rejects.toThrow();
  });

  test("disconnects a page that reads nothing before the memory is full", async () => {
    let trouble: unknown;
    const written = new Promise<void>((resolve) => {
      serve = async (transport, signal) => {
        const message = { jsonrpc: "2.0", text: "x".repeat(1_000_000) } as Message;
        const writes = Array.from({ length: 200 }, () => transport.writer.write(message));
        trouble = (await Promise.allSettled(writes)).find(({ status }) => status === "rejected");
        resolve();
        return ended(transport, signal);
      };
    });
    const socket = await open();
    socket.pause();
    await written;
    expect(trouble).toBeDefined();
  });
});

describe("the life of a socket", () => {
  test("disconnects a page that no longer answers", async () => {
    let gone!: Promise<void>;
    serve = (transport, signal) => {
      gone = ended(transport, signal);
      return gone;
    };
    const socket = await open();
    const pings = once(socket, "ping");
    clock.advance(30_000);
    await pings;
    // Its answer is on its way; one that is paused sends none.
    await expect.poll(() => clock.waiting).toBeGreaterThan(0);
    socket.pause();
    clock.advance(30_000);
    clock.advance(30_000);
    await gone;
  });

  test("closes every socket with a code when the server ends", async () => {
    const signals: AbortSignal[] = [];
    serve = (transport, signal) => {
      signals.push(signal);
      return ended(transport, signal);
    };
    const closings = (await Promise.all([open(), open()])).map(closing);
    await world.page[Symbol.asyncDispose]();
    expect(await Promise.all(closings)).toEqual([
      [1001, "The server has ended."],
      [1001, "The server has ended."],
    ]);
    expect(signals.map(({ aborted }) => aborted)).toEqual([true, true]);
  });

  test("closes a socket whose language server crashed, and no other", async () => {
    let crash!: () => void;
    serve = () =>
      new Promise((_, reject) => {
        crash = () => reject(new Error("oh"));
      });
    const first = await open();
    serve = ended;
    const second = await open();
    crash();
    await closing(first);
    expect(world.problems).toEqual(["A language server ended: oh"]);
    expect(second.readyState).toBe(WebSocket.OPEN);
  });

  test("allows sixteen sockets, and another after one has closed", async () => {
    serve = ended;
    const sockets = await Promise.all(Array.from({ length: 16 }, open));
    const seventeenth = new WebSocket(`${world.page.url.replace("http", "ws")}lsp`);
    const [, { statusCode }] = await once(seventeenth, "unexpected-response");
    expect(statusCode).toBe(503);
    sockets[0]!.close();
    await expect.poll(() => open().then(() => "open", String), { timeout: 10_000 }).toBe("open");
  });
});
