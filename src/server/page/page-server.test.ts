import { once } from "node:events";
import { connect } from "node:net";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { WebSocket } from "ws";
import { ServedWorld } from "./fixtures/served-world.ts";

let world: ServedWorld;
beforeAll(async () => {
  world = new ServedWorld();
  await world.open();
});
afterAll(() => world[Symbol.asyncDispose]());

const pathOfPage = () => new URL(world.page.url).pathname;

describe("the page", () => {
  test("has an address on this machine only, with the token", () => {
    expect(world.page.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/[\w-]{43}\/$/);
  });

  test("is sent with all security headers", async () => {
    const { status, headers, text } = await world.send({ target: "" });
    expect({ status, text }).toEqual({ status: 200, text: "<!doctype html><title>Emend</title>\n" });
    expect(headers).toMatchObject({
      "content-type": "text/html; charset=utf-8",
      "cache-control": "no-cache",
      "x-content-type-options": "nosniff",
      "x-frame-options": "DENY",
      "referrer-policy": "no-referrer",
      "cross-origin-opener-policy": "same-origin",
      "cross-origin-resource-policy": "same-origin",
    });
    const policy = headers["content-security-policy"] as string;
    expect(policy.split("; ")).toEqual(
      expect.arrayContaining(["default-src 'none'", "script-src 'self'", "frame-ancestors 'none'", "base-uri 'none'"]),
    );
    expect(policy).not.toMatch(/unsafe-eval|script-src[^;]*unsafe|\*/);
    expect(headers).not.toHaveProperty("access-control-allow-origin");
  });

  test("lets the browser cache its parts, whose names change with their contents", async () => {
    const { status, headers } = await world.send({ target: "assets/index-4fTq2x.js" });
    expect(status).toBe(200);
    expect(headers["content-type"]).toBe("text/javascript; charset=utf-8");
    expect(headers["cache-control"]).toBe("private, max-age=31536000, immutable");
  });

  test("finds a file of a newer build after a request for the page", async () => {
    world.write("../page/assets/new-1.css", "a {}");
    expect((await world.send({ target: "assets/new-1.css" })).status).toBe(404);
    await world.send({ target: "" });
    expect((await world.send({ target: "assets/new-1.css" })).status).toBe(200);
  });

  test("answers a HEAD request without a body", async () => {
    const { status, headers, text } = await world.send({ method: "HEAD", target: "" });
    expect({ status, text }).toEqual({ status: 200, text: "" });
    expect(headers["content-length"]).toBe("36");
  });

  test("redirects from a ticket once", async () => {
    const ticket = new URL(world.page.newTicketUrl()).pathname;
    const answer = await world.send({ target: ticket });
    expect(answer.status).toBe(302);
    expect(answer.headers.location).toBe(pathOfPage());
    expect(answer.headers["cache-control"]).toBe("no-store");
    expect((await world.send({ target: ticket })).status).toBe(404);
  });

  test("answers the workspace's root and name", async () => {
    expect(JSON.parse((await world.send({ target: "api/workspace" })).text)).toEqual({
      ...{ root: world.root, rootUri: `file://${world.root}`, name: "work", version: "0.0.0-test" },
    });
  });
});

describe("nothing but the page's own parts is sent", () => {
  test.each([
    "assets/../index.html",
    "../page/index.html",
    "..%2foutside%2fsecret.txt",
    "assets/..%2f..%2foutside%2fsecret.txt",
    "assets//index-4fTq2x.js",
    "/etc/passwd",
    "assets/",
    "assets",
    "%00",
    "a.ts",
    "__proto__",
    "api/file/../../index.html",
    "api/__proto__",
    "toString",
  ])("%s", async (target) => expect((await world.send({ target: `${pathOfPage()}${target}` })).status).toBe(404));
});

describe("methods that a route does not support", () => {
  test.each([
    ["POST", "", "GET, HEAD"],
    ["DELETE", "assets/index-4fTq2x.js", "GET, HEAD"],
    ["POST", "api/workspace", "GET"],
    ["PUT", "api/files?folder=", "GET"],
    ["POST", "api/paths", "GET"],
    ["POST", "api/file?path=a.ts", "GET, PUT, DELETE"],
    ["PATCH", "api/file?path=a.ts", "GET, PUT, DELETE"],
    ["POST", "api/changes", "GET"],
    ["OPTIONS", "api/file?path=a.ts", "GET, PUT, DELETE"],
    ["TRACE", "", "GET, HEAD"],
  ])("%s %s", async (method, target, allowed) => {
    const { status, headers } = await world.send({ method, target });
    expect(status).toBe(405);
    expect(headers.allow).toBe(allowed);
  });
});

/** Headers of those who are not the page. `PORT` is the page's, `NEXT` the one behind it. */
const strangers: readonly (readonly [title: string, headers: Readonly<Record<string, string>>])[] = [
  ["a name that was made to lead here", { host: "evil.example:PORT" }],
  ["another port", { host: "127.0.0.1:NEXT" }],
  ["another site", { origin: "http://evil.example" }],
  ["a page of another port", { origin: "http://127.0.0.1:NEXT" }],
  ["a page without an origin", { origin: "null" }],
  ["what comes from elsewhere by a browser's header", { "sec-fetch-site": "cross-site" }],
];

function headersOf(given: Readonly<Record<string, string>>): Record<string, string> {
  const { port } = world.page;
  const filled = (text: string) => text.replace("PORT", `${port}`).replace("NEXT", `${port + 1}`);
  return Object.fromEntries(Object.entries(given).map(([name, text]) => [name, filled(text)]));
}

describe("unauthorized requests get no information and change nothing", () => {
  test.each(strangers)("%s", async (_, given) => {
    const headers = headersOf(given);
    const before = world.snapshot("work");
    for (const [method, target] of [
      ["GET", "api/workspace"],
      ["GET", "api/file?path=a.ts"],
      ["GET", "api/files?folder="],
      ["GET", "api/paths"],
      ["GET", "api/changes"],
      ["PUT", "api/file?path=new.ts"],
      ["DELETE", "api/file?path=a.ts"],
    ] as const) {
      const answer = await world.send({ method, target, headers: { "if-none-match": "*", ...headers } });
      expect(answer.status).toBe(403);
      expect(answer.text).toMatch(/^(This host is not served|Only the page itself may send requests)\.\n$/);
      expect(answer.headers).toMatchObject({ "x-content-type-options": "nosniff", "cache-control": "no-store" });
    }
    expect(world.snapshot("work")).toBe(before);
  });

  test.each(["/", "/api/file?path=a.ts", "/lsp", "/favicon.ico", "/wrong/api/file?path=a.ts"])(
    "%s, without the token",
    async (target) => {
      const { status, text } = await world.send({ target });
      expect(status).toBe(404);
      expect(text).toBe("There is nothing here. Open the complete URL that `emend serve` printed.\n");
    },
  );

  test("of a proxy, and without a host", async () => {
    for (const line of [`GET ${world.page.url}api/workspace HTTP/1.1`, "GET * HTTP/1.1", "GET . HTTP/1.1"]) {
      const socket = connect(world.page.port, "127.0.0.1");
      socket.end(`${line}\r\nHost: 127.0.0.1:${world.page.port}\r\nConnection: close\r\n\r\n`);
      let text = "";
      for await (const part of socket.setEncoding("utf8")) text += part;
      expect(text).toMatch(/^HTTP\/1\.1 40[04] /);
      expect(text).not.toContain(world.root);
    }
  });
});

describe("a socket is opened for the page alone", () => {
  async function statusOf(target: string, headers: Record<string, string> = {}): Promise<number | "open"> {
    const { host, ...others } = headers;
    const socket = new WebSocket(`ws://127.0.0.1:${world.page.port}${target}`, {
      headers: { ...others, ...(host !== undefined && { Host: host }) },
    });
    try {
      const answered = once(socket, "unexpected-response").then(([, { statusCode }]) => statusCode as number);
      const opened = once(socket, "open").then(() => "open" as const);
      opened.catch(() => undefined);
      answered.catch(() => undefined);
      return await Promise.race([answered, opened]);
    } finally {
      socket.on("error", () => undefined);
      socket.terminate();
    }
  }

  test.each(strangers)("%s", async (_, given) => {
    expect(await statusOf(`${pathOfPage()}lsp`, headersOf(given))).toBe(403);
  });

  test.each([
    ["/lsp", 404],
    ["/wrong/lsp", 404],
    ["PAGE", 404],
    ["PAGElsp/", 404],
    ["PAGEapi/file?path=a.ts", 404],
    ["PAGElsp", "open"],
    ["PAGElsp?again=1", "open"],
  ] as const)("%s -> %s", async (target, expected) => {
    expect(await statusOf(target.replace("PAGE", pathOfPage()))).toBe(expected);
  });

  test("from the page's own origin", async () => {
    const { origin } = new URL(world.page.url);
    expect(await statusOf(`${pathOfPage()}lsp`, { origin })).toBe("open");
  });
});

test("none of these requests is an error of the server", () => expect(world.problems).toEqual([]));
