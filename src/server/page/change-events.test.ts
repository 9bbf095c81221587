import { once } from "node:events";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { get, type IncomingMessage } from "node:http";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { ServedWorld } from "./fixtures/served-world.ts";

let world: ServedWorld;
beforeEach(async () => {
  world = new ServedWorld();
  await world.open();
});
afterEach(() => world[Symbol.asyncDispose]());

/** Listens as a page does; the answer waits for an event of each of these paths. */
async function listen() {
  const [stream] = (await once(get(`${world.page.url}api/changes`), "response")) as [IncomingMessage];
  const changed = new Set<string>();
  let look: () => void = () => undefined;
  stream.setEncoding("utf8").on("data", (text: string) => {
    for (const [, data] of text.matchAll(/^data: (.*)$/gm))
      for (const path of JSON.parse(data!).paths) changed.add(path);
    look();
  });
  const changesOf = (...paths: readonly string[]) =>
    new Promise<void>((resolve) => {
      look = () => paths.every((path) => changed.has(path)) && resolve();
      look();
    });
  return { stream, changed, changesOf };
}

test("change events report created, changed and deleted files in folders that the page has listed", async () => {
  const { stream, changed, changesOf } = await listen();
  expect(stream.headers).toMatchObject({
    "content-type": "text/event-stream; charset=utf-8",
    "cache-control": "no-store",
  });
  writeFileSync(join(world.root, "new.ts"), "");
  await changesOf("new.ts");
  changed.clear();
  writeFileSync(join(world.root, "new.ts"), "let a;\n");
  await changesOf("new.ts");
  changed.clear();
  rmSync(join(world.root, "new.ts"));
  await changesOf("new.ts");
});

test("watches a folder once it is listed, also an ignored one", async () => {
  const { changed, changesOf } = await listen();
  await world.send({ target: "api/files?folder=dist" });
  await world.send({ target: "api/files?folder=in" });
  // The watcher takes a folder up when it gets to it.
  const writing = setInterval(() => {
    writeFileSync(join(world.root, "dist/more.js"), String(Math.random()));
    writeFileSync(join(world.root, "src/more.ts"), String(Math.random()));
  }, 50);
  await changesOf("dist/more.js", "in/more.ts");
  clearInterval(writing);
  expect(changed).not.toContain("src/more.ts");
});

test("a folder that is deleted and created again is still watched", async () => {
  const { changed, changesOf } = await listen();
  await world.send({ target: "api/files?folder=src" });
  rmSync(join(world.root, "src"), { recursive: true });
  await changesOf("src");
  mkdirSync(join(world.root, "src"));
  changed.clear();
  const writing = setInterval(() => writeFileSync(join(world.root, "src/b.ts"), String(Math.random())), 50);
  await changesOf("src/b.ts");
  clearInterval(writing);
});

test("reports a save of the page by its own path only", async () => {
  const { changed, changesOf } = await listen();
  const headers = { "if-none-match": "*" };
  expect((await world.file("PUT", "mine.ts", { headers, body: "let a;\n" })).status).toBe(200);
  await changesOf("mine.ts");
  expect([...changed].filter((path) => path.includes(".tmp"))).toEqual([]);
});

test("limits listeners so that a browser has a connection left", async () => {
  const listening = await Promise.all(Array.from({ length: 5 }, listen));
  const { status, text } = await world.send({ target: "api/changes" });
  expect({ status, code: JSON.parse(text).code }).toEqual({ status: 503, code: "too-many-pages" });
  listening[0]!.stream.on("error", () => undefined).destroy();
  await expect.poll(() => listen().then(({ stream }) => stream.statusCode), { timeout: 10_000 }).toBe(200);
});

test("ends the stream when the server ends", async () => {
  const { stream } = await listen();
  const ended = new Promise((resolve) => stream.on("error", () => undefined).on("close", resolve));
  await world.page[Symbol.asyncDispose]();
  await ended;
  expect(world.problems).toEqual([]);
});
