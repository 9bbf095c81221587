import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterEach, beforeAll, beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { buildPackage } from "./fixtures/run-cli.ts";
import { ServerWorkspace } from "./fixtures/server-workspace.ts";

let work: ServerWorkspace;
/** How long a poll waits: a busy machine starts a server within half a minute. */
const patience = { timeout: 60_000 };
const children: ChildProcess[] = [];

beforeAll(buildPackage, 300_000);
beforeEach(() => {
  work = new ServerWorkspace();
});
afterEach(() => {
  for (const child of children.splice(0)) child.kill("SIGKILL");
  work[Symbol.dispose]();
});

/** A real `emend lsp`, spoken to in bytes. */
class RawClient {
  readonly child: ChildProcess;
  readonly ended: Promise<number | null>;
  err = "";
  #out = Buffer.alloc(0);

  constructor(environment: Readonly<Record<string, string>> = {}) {
    const [node, main, lsp] = work.command;
    this.child = spawn(node, [main!, lsp!], {
      ...{ env: { ...work.environment, ...environment }, cwd: work.root, stdio: "pipe" },
    });
    children.push(this.child);
    this.child.stdin!.on("error", () => undefined);
    this.child.stdout!.on("data", (bytes: Buffer) => {
      this.#out = Buffer.concat([this.#out, bytes]);
    });
    this.child.stderr!.setEncoding("utf8").on("data", (text: string) => {
      this.err += text;
    });
    this.ended = once(this.child, "close").then(([code]) => code as number | null);
  }

  write(bytes: string | Uint8Array): void {
    this.child.stdin!.write(bytes);
  }

  send(message: unknown): void {
    this.write(framed(JSON.stringify(message)));
  }

  /** The error code of each answer behind the id of its request, sorted; 0 of a result. */
  answers(): string {
    const found: string[] = [];
    for (let at = 0; ; ) {
      const headEnd = this.#out.indexOf("\r\n\r\n", at);
      if (headEnd < 0) return sorted(found.join(" "));
      const length = Number(/Content-Length: (\d+)/.exec(this.#out.toString("latin1", at, headEnd))![1]);
      at = headEnd + 4 + length;
      const { id, method, error } = JSON.parse(this.#out.toString("utf8", headEnd + 4, at));
      if (method === undefined) found.push(`${id}:${error?.code ?? 0}`);
    }
  }
}

function sorted(answers: string): string {
  return answers.split(" ").sort().join(" ");
}

function framed(body: string): string {
  return `Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;
}

const initialize = {
  jsonrpc: "2.0",
  id: 1,
  method: "initialize",
  params: { processId: null, rootUri: null, capabilities: {} },
};
const shutdown = { jsonrpc: "2.0", id: 9, method: "shutdown" };
const exit = { jsonrpc: "2.0", method: "exit" };
const status = (id: number) => ({ jsonrpc: "2.0", id, method: "emend/status" });

describe("row 18: a header that cannot be read ends the server with one line and exit code 1:", () => {
  const body = JSON.stringify(initialize);
  const heads: readonly (readonly [what: string, head: string | Uint8Array, message: string])[] = [
    ["no Content-Length", "Content-Type: application/vscode-jsonrpc\r\n\r\n", "without Content-Length"],
    ["no header at all", "\r\n", "without Content-Length"],
    ["a word", "Content-Length: many\r\n\r\n", '"many"'],
    ["nothing", "Content-Length:\r\n\r\n", '""'],
    ["a negative number", "Content-Length: -5\r\n\r\n", '"-5"'],
    ["a fraction", "Content-Length: 1.5\r\n\r\n", '"1.5"'],
    ["a number and a word", "Content-Length: 12 bytes\r\n\r\n", '"12 bytes"'],
    ["another base", "Content-Length: 0x10\r\n\r\n", '"0x10"'],
    ["a huge number", "Content-Length: 99999999999999999999\r\n\r\n", "more than"],
    ["two numbers", "Content-Length: 5\r\nContent-Length: 6\r\n\r\n", "5 and 6"],
    ["a line without a colon", "Content-Length 5\r\n\r\n", '"Content-Length 5'],
    ["a space before the colon", "Content-Length : 5\r\n\r\n", '"Content-Length : 5'],
    ["lines that end with LF alone", `Content-Length: ${body.length}\n\n`, "CRLF"],
    ["no header but JSON", `${body}\n`, "CRLF"],
    ["a line without an end", "x".repeat(10_000), "more than 8192 bytes"],
    ["another encoding", `Content-Length: ${body.length}\r\nContent-Type: a/b; charset=utf-16\r\n\r\n`, "only UTF-8"],
    ["bytes that are no text", Uint8Array.of(0xff, 0xfe, 0, 13, 10, 13, 10), "header line"],
  ];
  test.each(heads)("%s", { timeout: 90_000 }, async (_, head, message) => {
    const client = new RawClient();
    client.write(head);
    expect(await client.ended).toBe(1);
    expect(client.err).toMatch(/^emend: The client sent [^\n]*\n$/);
    expect(client.err).toContain(message);
  });

  test("in the middle of a session", { timeout: 90_000 }, async () => {
    const client = new RawClient();
    client.send(initialize);
    await expect.poll(() => client.answers(), patience).toBe("1:0");
    client.write("Content-Length: x\r\n\r\n{}");
    expect([await client.ended, client.err.split("\n").length]).toEqual([1, 2]);
  });

  test("after a shutdown too", { timeout: 90_000 }, async () => {
    const client = new RawClient();
    for (const message of [initialize, shutdown]) client.send(message);
    await expect.poll(() => client.answers(), patience).toBe("1:0 9:0");
    client.write("Content-Length: x\r\n\r\n{}");
    expect(await client.ended).toBe(1);
  });
});

describe("row 18: the lifecycle of the protocol is held to:", () => {
  // `id:code` of each answer, 0 for a result.
  const sessions: readonly (readonly [
    what: string,
    beforeExit: readonly unknown[],
    answers: string,
    exitCode: number,
  ])[] = [
    ["a request before initialize", [status(5), initialize, shutdown], "5:-32002 1:0 9:0", 0],
    ["shutdown before initialize", [shutdown], "9:-32002", 1],
    ["an unknown request before initialize", [{ ...status(5), method: "no/such" }], "5:-32002", 1],
    ["a second initialize", [initialize, { ...initialize, id: 2 }, shutdown], "2:-32600 1:0 9:0", 0],
    ["a request after shutdown", [initialize, shutdown, status(5)], "1:0 9:0 5:-32600", 0],
    ["initialize after shutdown", [initialize, shutdown, { ...initialize, id: 3 }], "1:0 9:0 3:-32600", 0],
    ["a second shutdown", [initialize, shutdown, { ...shutdown, id: 10 }], "1:0 9:0 10:-32600", 0],
    ["exit without shutdown", [initialize], "1:0", 1],
    ["exit alone", [], "", 1],
    ["a batch", [[status(5), status(6)], initialize, shutdown], "null:-32600 1:0 9:0", 0],
    ["a number", [12, initialize, shutdown], "null:-32600 1:0 9:0", 0],
    ["null", [null, initialize, shutdown], "null:-32600 1:0 9:0", 0],
    ["neither method nor result", [{ jsonrpc: "2.0", id: 4 }, initialize, shutdown], "4:-32600 1:0 9:0", 0],
    ["a method that is no text", [{ ...status(4), method: 7 }, initialize, shutdown], "4:-32600 1:0 9:0", 0],
    [
      "a notification before initialize is dropped",
      [{ jsonrpc: "2.0", method: "textDocument/didOpen", params: {} }, initialize, shutdown],
      "1:0 9:0",
      0,
    ],
  ];
  test.each(sessions)("%s", { timeout: 90_000 }, async (_, beforeExit, answers, exitCode) => {
    const client = new RawClient();
    for (const message of beforeExit) client.send(message);
    await expect.poll(() => client.answers(), patience).toBe(sorted(answers));
    client.send(exit);
    expect(await client.ended).toBe(exitCode);
    const noShutdown = "emend: The client ended without `shutdown`. Editors start this command: see docs/editors.md.\n";
    expect([client.answers(), client.err]).toEqual([sorted(answers), exitCode === 0 ? "" : noShutdown]);
  });

  const bodies: readonly (readonly [what: string, body: Uint8Array])[] = [
    ["is not JSON", Buffer.from('{"jsonrpc": "2.0", oh')],
    ["is empty", Buffer.from("")],
    [
      "is not UTF-8",
      Buffer.concat([Buffer.from('{"jsonrpc":"2.0","id":4,"method":"'), Uint8Array.of(0xc3, 0x28), Buffer.from('"}')]),
    ],
  ];
  test.each(bodies)(
    "a body that %s is answered with -32700, and the next message is read",
    { timeout: 90_000 },
    async (_, body) => {
      const client = new RawClient();
      client.write(Buffer.concat([Buffer.from(`Content-Length: ${body.length}\r\n\r\n`), body]));
      client.send(initialize);
      await expect.poll(() => client.answers(), patience).toBe("1:0 null:-32700");
      for (const message of [shutdown, exit]) client.send(message);
      expect(await client.ended).toBe(0);
      expect(client.err).toMatch(/^emend: Skipped a message of the client that is not JSON in UTF-8[^\n]*\n$/);
    },
  );
});

describe.skipIf(process.platform === "win32")("row 10: a server whose thread is blocked ends with its client:", () => {
  const blocks: readonly (readonly [what: string, code: string])[] = [
    ["by a loop", "for (;;);"],
    ["by microtasks without end", "const again = () => Promise.resolve().then(again); again();"],
    ["by one long wait", "Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);"],
  ];
  /** The environment of a server whose thread runs `code` once {@link block} was called. */
  function blockable(code: string): Readonly<Record<string, string>> {
    const preload = join(work.root, "block.mjs");
    writeFileSync(
      preload,
      `import { existsSync } from "node:fs";
       import { isMainThread } from "node:worker_threads";
       const timer = setInterval(() => {
         if (!isMainThread || !process.argv.includes("lsp")) return clearInterval(timer);
         if (!existsSync(${JSON.stringify(join(work.root, "block"))})) return;
         clearInterval(timer);
         process.stderr.write("blocked");
         ${code}
       }, 20);`,
    );
    return { NODE_OPTIONS: `--import ${pathToFileURL(preload).href}` };
  }
  const block = () => writeFileSync(join(work.root, "block"), "");

  /** A server that has answered `initialize`, and whose thread is blocked. */
  async function startBlocked(code: string): Promise<RawClient> {
    const client = new RawClient(blockable(code));
    client.send(initialize);
    await expect.poll(() => client.answers(), patience).toBe("1:0");
    block();
    await expect.poll(() => client.err, patience).toContain("blocked");
    return client;
  }

  test.each(blocks)("%s, when its input ends", { timeout: 120_000 }, async (_, code) => {
    const client = await startBlocked(code);
    client.child.stdin!.end();
    await expect.poll(() => client.child.signalCode, patience).toBe("SIGKILL");
  });

  test.each(blocks)("%s, when its client is killed", { timeout: 180_000 }, async (_, code) => {
    const [node, main, lsp] = work.command;
    const script = `
      const { spawn } = require("node:child_process");
      const child = spawn(${JSON.stringify(node)}, ${JSON.stringify([main, lsp])}, { stdio: ["pipe", "pipe", "pipe"] });
      child.stdin.write(${JSON.stringify(framed(JSON.stringify(initialize)))});
      child.stdout.once("data", () => process.stdout.write(child.pid + " answered\\n"));
      child.stderr.on("data", (text) => process.stdout.write(text));
      setInterval(() => {}, 1000);`;
    const client = spawn(node, ["-e", script], {
      ...{ env: { ...work.environment, ...blockable(code) }, cwd: work.root, stdio: ["ignore", "pipe", "inherit"] },
    });
    children.push(client);
    let out = "";
    client.stdout.setEncoding("utf8").on("data", (text: string) => {
      out += text;
    });
    await expect.poll(() => out, patience).toContain("answered");
    const server = Number.parseInt(out, 10);
    onTestFinished(() => {
      if (isAlive(server)) process.kill(server, "SIGKILL");
    });
    block();
    await expect.poll(() => out, patience).toContain("blocked");
    client.kill("SIGKILL");
    await expect.poll(() => isAlive(server), patience).toBe(false);
  });

  test("an idle server ends by itself with its exit code", { timeout: 90_000 }, async () => {
    const client = new RawClient();
    client.send(initialize);
    await expect.poll(() => client.answers(), patience).toBe("1:0");
    client.child.stdin!.end();
    expect(await client.ended).toBe(1);
  });

  test("a server that was blocked for a while continues", { timeout: 90_000 }, async () => {
    const client = await startBlocked("const end = Date.now() + 4_000; while (Date.now() < end);");
    client.send(status(2));
    await expect.poll(() => client.answers(), patience).toBe("1:0 2:0");
    for (const message of [shutdown, exit]) client.send(message);
    expect(await client.ended).toBe(0);
  });
});

function isAlive(processId: number): boolean {
  try {
    process.kill(processId, 0);
    return true;
  } catch {
    return false;
  }
}
