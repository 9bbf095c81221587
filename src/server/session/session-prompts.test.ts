import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { GhostTextRequest } from "../../complete/index.ts";
import { EditHistory } from "../../context/index.ts";
import { type Model, openModel } from "../../model/index.ts";
import { canTestLlamaServer, type LlamaServer, startLlamaServer } from "../../model/node/fixtures/llama-server.ts";
import { writeTinyModel } from "../../model/node/fixtures/tiny-model.ts";
import { webHost } from "../../model/node/index.ts";
import { removeFolder } from "../../text/node/fixtures/remove-folder.ts";
import { disk, waitingClock } from "../../workspace/node/index.ts";
import { SessionPrompts } from "./session-prompts.ts";
import { loadSessionSettings } from "./session-settings.ts";

const folder = mkdtempSync(join(tmpdir(), "emend-prompts-"));
const contextTokens = 2048;
/** A quarter of the context is for the answer. */
const room = contextTokens - contextTokens / 4;

const texts = {
  "code, a token for each byte": Array.from(
    { length: 300 },
    (_, i) => `export const value${i} = total(${i}, "some text");\n`,
  ),
  "Chinese, three tokens for each character": Array.from(
    { length: 300 },
    (_, i) => `// 计算所有商品的总价${i}，并在需要时加上税。\n`,
  ),
  "both by turns": Array.from({ length: 300 }, (_, i) => `export const 总价${i} = total(${i}); // 变更した行だけ\n`),
};

test.each([
  ["short", 0],
  ["longer than the context", 1],
])("a prompt of a file that is %s is counted by the server %i times", async (name, counts) => {
  let counted = 0;
  const counter = { name: "bytes", isExact: false, count: (text: string) => text.length };
  const model: Model = {
    name: "llamacpp:http://127.0.0.1:1",
    limits: async () => ({ contextTokens, counter }),
    countPrompt: async () => ++counted,
  };
  const source = { fileSystem: disk, userFolder: folder, environment: {}, flags: [], openModel: () => model };
  const prompts = new SessionPrompts({
    settings: await loadSessionSettings(source, { root: folder, editor: {} }),
    ...{ index: undefined, history: new EditHistory(), uncommitted: undefined, clock: waitingClock },
    openFiles: async () => [],
  });
  const text = "const a = 1;\n".repeat(name === "short" ? 30 : 300);
  const document = { uri: "file:///a.ts", language: "typescript", version: 1, text };
  const prompt = await prompts.promptFor({ document, path: "src/a.ts", offset: 200, trigger: "invoked" }, model);
  expect(counted).toBe(counts);
  expect([prompt.counter.name, prompt.serverTokens]).toEqual(["bytes", counts === 0 ? undefined : 1]);
});

describe.runIf(canTestLlamaServer())("a prompt for llama.cpp's real server, with byte tokens", () => {
  let server: LlamaServer;

  beforeAll(async () => {
    const file = join(folder, "tiny.gguf");
    const after = { "<HOLE>": { "1": 6 }, "1": { ";": 6 }, ";": { "</s>": 6 } };
    writeFileSync(file, writeTinyModel({ after, contextTokens: 4096 }));
    server = await startLlamaServer(file, "-c", String(contextTokens));
  }, 60_000);
  afterAll(() => {
    server[Symbol.dispose]();
    removeFolder(folder);
  });

  test.each(Object.keys(texts))("has 85 %% to 103 %% of the tokens that there is room for: %s", async (name) => {
    const lines = texts[name as keyof typeof texts];
    const model = openModel(`llamacpp:${server.url}`, webHost({ environment: {}, settings: { promptMs: 0 } }));
    const source = { fileSystem: disk, userFolder: folder, environment: {}, flags: [], openModel: () => model };
    const settings = await loadSessionSettings(source, { root: folder, editor: {} });
    const prompts = new SessionPrompts({
      ...{ settings, index: undefined, history: new EditHistory(), uncommitted: undefined, clock: waitingClock },
      openFiles: async () => [{ path: "src/other.ts", language: "typescript", text: lines.join("") }],
    });
    const text = `${lines.slice(0, 200).join("")}const one = ;\n${lines.slice(200).join("")}`;
    const path = "src/a.ts";
    const document = { uri: "file:///a.ts", language: "typescript", version: 1, text };
    const place: GhostTextRequest = { document, path, offset: text.indexOf("const one = ") + 12, trigger: "invoked" };
    // Only the first prompt may not wait until everything is known.
    await prompts.promptFor(place, model);
    const { prefix, suffix, context } = await prompts.promptFor(place, model);
    const request = { path, language: "typescript", prefix, suffix, context };
    const share = (await model.countPrompt!(request))! / room;
    expect(share).toBeGreaterThan(0.85);
    expect(share).toBeLessThan(1.03);
    expect((await model.fill!(request).next()).value).toMatchObject({ text: "1" });
  });
});
