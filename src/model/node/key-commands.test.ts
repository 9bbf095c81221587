import { mkdtempSync, readFileSync, realpathSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { removeFolder } from "../../text/node/fixtures/remove-folder.ts";
import type { ModelSettings } from "../model-host.ts";
import { openModel } from "../open-model.ts";
import { probeModel } from "../probe-model.ts";
import { ScriptedServer } from "./fixtures/scripted-server.ts";
import { KeyCommands } from "./key-commands.ts";
import { webHost } from "./web-host.ts";

let folder: string;
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), "emend-key-")));
});
afterEach(() => removeFolder(folder));

const path = { PATH: process.env["PATH"] };

describe("a command that prints a key", () => {
  test.each([
    ["the first line", "console.log('  k3y \\nmore')", { kind: "key", key: "k3y" }],
    ["none", "console.log('\\nk3y')", { kind: "failed", why: "printed nothing in its first line" }],
    ["a failure", "console.log('k3y'); process.exit(3)", { kind: "failed", why: "exited with 3" }],
    ["no end", "setTimeout(() => {}, 60_000)", { kind: "failed", why: "took longer than 3 s" }],
  ])("gives %s", async (_, code, expected) => {
    const keys = new KeyCommands({ environment: path, timeoutMs: 3_000 });
    const answer = await keys.keyOf([process.execPath, "-e", code]);
    expect(answer).toEqual(
      "why" in expected ? { ...expected, why: `\`${process.execPath}\` ${expected.why}` } : expected,
    );
  });

  test("that is not there is a failure", async () => {
    const answer = await new KeyCommands({ environment: path }).keyOf(["no-such-program-of-keys"]);
    expect(answer).toEqual({ kind: "failed", why: "`no-such-program-of-keys` could not be started" });
  });

  test("runs once, without a shell, outside of the workspace, and without other keys", async () => {
    const log = join(folder, "log");
    const code = `require("fs").appendFileSync(process.argv[1], JSON.stringify([process.cwd(), process.argv[2], process.env]) + "\\n"); console.log("k3y")`;
    const environment = {
      ...path,
      MISTRAL_API_KEY: "other",
      OPENAI_COMPATIBLE_API_KEY: "x",
      EMEND_HEADERS: "a: b",
      OWN: "1",
    };
    const keys = new KeyCommands({ environment });
    const command = [process.execPath, "-e", code, log, "$(touch x); *"];
    expect(await Promise.all([keys.keyOf(command), keys.keyOf(command)])).toEqual([
      { kind: "key", key: "k3y" },
      { kind: "key", key: "k3y" },
    ]);
    const runs = readFileSync(log, "utf8").trimEnd().split("\n");
    expect(runs).toHaveLength(1);
    const [cwd, argument, seen] = JSON.parse(runs[0]!);
    expect([cwd === process.cwd(), argument, seen["OWN"]]).toEqual([false, "$(touch x); *", "1"]);
    for (const name of ["MISTRAL_API_KEY", "OPENAI_COMPATIBLE_API_KEY", "EMEND_HEADERS"])
      expect(seen).not.toHaveProperty(name);
  });
});

describe("a model with a command for its key", () => {
  const printing = (key: string): ModelSettings => ({ keyCommand: [process.execPath, "-e", `console.log("${key}")`] });

  async function start(environment: Record<string, string>, settings: ModelSettings, status = 200) {
    const event = {
      content: "2",
      stop: true,
      choices: [{ index: 0, text: "2", delta: { content: "2" }, finish_reason: "stop" }],
    };
    const server = await ScriptedServer.start(() => ({
      status,
      headers: { "content-type": "text/event-stream" },
      chunks:
        status === 200
          ? [`data: ${JSON.stringify(event)}\n\ndata: [DONE]\n\n`]
          : ['{"error":"k3y-of-command is wrong"}'],
    }));
    onTestFinished(() => server[Symbol.asyncDispose]());
    const host = webHost({ environment: { ...path, ...environment }, settings: { retries: 0, ...settings } });
    const name = `openai-compatible:${server.url}/v1#m`;
    return { server, name, host, model: openModel(name, host) };
  }
  const place = { path: "a.ts", language: "typescript", prefix: "const a = ", suffix: "" };
  const messages = [{ role: "user", text: "a" }] as const;

  test.each([
    ["which its fills and chats send", {}, printing("k3y-of-command"), "Bearer k3y-of-command"],
    ["unless a variable holds one", { OPENAI_COMPATIBLE_API_KEY: "k3y" }, printing("other"), "Bearer k3y"],
  ])("gets it, %s", async (_, environment, settings, authorization) => {
    const { server, model } = await start(environment, settings);
    for await (const _part of model.fill!(place));
    for await (const _part of model.chat!({ messages }));
    expect(server.seen.map(({ headers }) => headers["authorization"])).toEqual([authorization, authorization]);
  });

  test.each(["fill", "chat"] as const)("shows no key where the server refuses a %s", async (face) => {
    const { model } = await start({}, printing("k3y-of-command"), 401);
    const answer = face === "fill" ? model.fill!(place) : model.chat!({ messages });
    const error: Error = await answer.next().then(
      () => expect.fail("no error"),
      (reason) => reason,
    );
    expect(error).toMatchObject({
      code: "key-refused",
      message: expect.stringContaining("].keyCommand. Check it. It said: … is wrong"),
    });
  });

  test.each(["fill", "chat"] as const)("sends no %s where the command fails", async (face) => {
    const { server, model } = await start({}, { keyCommand: ["no-such-program-of-keys"] });
    const answer = face === "fill" ? model.fill!(place) : model.chat!({ messages });
    await expect(answer.next()).rejects.toMatchObject({
      code: "no-key",
      message: expect.stringMatching(
        /^There is no key of `models\[".*"\]\.keyCommand`, since `no-such-program-of-keys` could not be started\. Run/,
      ),
    });
    expect(server.seen).toEqual([]);
  });

  test.each([
    ["a command", {}, printing("k3y-of-command"), /^models\[.*\]\.keyCommand$/],
    ["a variable", { OPENAI_COMPATIBLE_API_KEY: "k3y-of-variable" }, {}, /^OPENAI_COMPATIBLE_API_KEY$/],
  ])("a probe reports that the key came from %s, and not the key", async (_, environment, settings, from) => {
    const { name, host } = await start(environment, settings);
    const report = await probeModel(name, host);
    expect(report.keyFrom).toMatch(from);
    expect(JSON.stringify(report)).not.toMatch(/k3y/);
  });
});
