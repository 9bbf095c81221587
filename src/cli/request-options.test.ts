import { mkdirSync, mkdtempSync, realpathSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { ScriptedServer } from "../model/node/fixtures/scripted-server.ts";
import { removeFolder } from "../text/node/fixtures/remove-folder.ts";
import type { GitRepository } from "./fixtures/git-repository.ts";
import { openNextShop } from "./fixtures/next-shop.ts";
import { runAtTerminal } from "./fixtures/test-terminal.ts";

let shop: GitRepository;
let top: string;
let server: ScriptedServer;

beforeEach(async () => {
  shop = openNextShop();
  top = realpathSync(mkdtempSync(join(tmpdir(), "emend-request-")));
  vi.stubEnv("XDG_CONFIG_HOME", join(top, "config"));
  server = await ScriptedServer.start(() => ({ status: 404, chunks: ["{}"] }));
});
afterEach(async () => {
  vi.unstubAllEnvs();
  await server[Symbol.asyncDispose]();
  shop.remove();
  removeFolder(top);
});

/** Runs a command with settings in the user's own file; the bodies that were sent. */
async function bodiesOf(args: readonly string[], settings: object) {
  mkdirSync(join(top, "config/emend"), { recursive: true });
  writeFileSync(join(top, "config/emend/emend.config.json"), JSON.stringify(settings));
  const environment = { EMEND_STATE_DIR: join(top, "state"), EMEND_CACHE_DIR: join(top, "cache") };
  await runAtTerminal(args, { workingFolder: shop.folder, environment });
  return server.seen.filter(({ body }) => body !== undefined).map(({ body }) => body);
}

test.each([
  ["complete", ["complete", "src/price.ts:2:3"], { temperature: 0.7, seed: 1, nested: { a: 1, b: 1 } }],
  ["next", ["next"], { temperature: 0.7, seed: 2, nested: { a: 1, b: 2 } }],
  ["edit", ["edit", "src/price.ts", "-m", "rename"], { temperature: 0.7, seed: 3, nested: { a: 1, b: 3 } }],
])("emend %s sends the request options of the model, and over them those of its own section", async (_, args, sent) => {
  const name = `openai-compatible:${server.url}/v1#m`;
  shop.write({ "src/price.ts": "export function cents(price: number): number {\n  return price * 1;\n}\n" });
  const bodies = await bodiesOf(args, {
    model: name,
    models: { [name]: { request: { temperature: 0.7, seed: 1, nested: { a: 1, b: 1 } } } },
    next: { model: name, format: "chat", origins: ["model"], request: { seed: 2, nested: { b: 2 } } },
    edit: { model: name, request: { seed: 3, nested: { b: 3 } } },
  });
  expect(bodies.length).toBeGreaterThan(0);
  for (const body of bodies) expect(body).toMatchObject(sent);
});
