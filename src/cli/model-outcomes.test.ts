import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { type Ending, endings, serveEnding } from "../model/node/fixtures/ending-server.ts";
import { canTestLlamaServer, startLlamaServer } from "../model/node/fixtures/llama-server.ts";
import { type Script, ScriptedServer } from "../model/node/fixtures/scripted-server.ts";
import { writeTinyModel } from "../model/node/fixtures/tiny-model.ts";
import { removeFolder } from "../text/node/fixtures/remove-folder.ts";
import { buildPackage, type CliRun, runCli } from "./fixtures/run-cli.ts";
import { runAtTerminal } from "./fixtures/test-terminal.ts";

const folder = mkdtempSync(join(tmpdir(), "emend-outcomes-"));
const environment = {
  EMEND_CACHE_DIR: join(folder, "cache"),
  EMEND_STATE_DIR: join(folder, "state"),
  XDG_CONFIG_HOME: join(folder, "config"),
};
const diff = join(folder, "history.diff");
let works = 0;

beforeAll(() => {
  const lines = [
    "--- a/src/b.ts",
    "+++ b/src/b.ts",
    "@@ -1,2 +1,2 @@",
    "-export const on",
    "+export const one",
    " export const two = 2;",
  ];
  writeFileSync(diff, `${lines.join("\n")}\n`);
});

afterAll(() => removeFolder(folder));

/** A workspace of its own whose settings make a model's server be waited for only shortly. */
function openWork(model: string): string {
  works += 1;
  const work = join(folder, `work-${works}`);
  mkdirSync(join(work, "src"), { recursive: true });
  writeFileSync(join(work, "package.json"), "{}\n");
  writeFileSync(join(work, "src/b.ts"), "export const one\nexport const two = 2;\n");
  const limits = { firstByteMs: 400, idleMs: 400, totalMs: 3_000, retries: 1 };
  writeFileSync(join(work, "emend.config.json"), JSON.stringify({ models: { [model]: limits } }));
  return work;
}

/** Every command that asks a model. */
const commands: readonly (readonly [name: string, args: (model: string) => readonly string[]])[] = [
  ["complete", (model) => ["complete", "src/b.ts:1:17", "--model", model, "--trust", "--no-cache"]],
  ["fill", (model) => ["fill", "src/b.ts", "--at", "1:17", "--model", model, "--trust", "--no-cache"]],
  ["next", (model) => ["next", "src/b.ts:1:17", "--history", diff, "--model", model, "--trust"]],
  ["edit", (model) => ["edit", "src/b.ts", "-m", "Give one a value", "--model", model, "--trust"]],
  ["plan", (model) => ["plan", "Give one a value", "--at", "src/b.ts:1", "--model", model, "--trust"]],
  ["status", (model) => ["status", "--model", model, "--trust"]],
];

/**
 * One outcome, which is printed: an exit code that is Emend's own, and one JSON object or a text
 * for a person.
 */
function expectOneOutcome({ exitCode, out, err }: CliRun, isJson: boolean): void {
  expect([exitCode, err]).not.toEqual([13, expect.anything()]);
  expect(exitCode).not.toBeNull();
  expect(err).not.toMatch(/unsettled top-level await|at .*\.(?:js|ts):\d+/);
  expect(isJson ? "kind" in JSON.parse(out) : `${out}${err}`.trim() !== "", out).toBe(true);
}

async function serve(ending: Ending): Promise<string> {
  const server = await serveEnding(ending);
  onTestFinished(() => server[Symbol.asyncDispose]());
  return `llamacpp:${server.url}`;
}

describe.each(commands)("row 13: every call of `emend %s` ends with one outcome", (name, args) => {
  test.each(endings)("$name", { timeout: 60_000 }, async (ending) => {
    const model = await serve(ending);
    // The slower commands take turns, so that each ending is printed in one of both forms.
    const isSlow = /next|edit|plan/.test(name);
    const forms = [[], ["--json"]];
    for (const json of isSlow ? [forms[endings.indexOf(ending) % 2]!] : forms) {
      const run = await runAtTerminal([...args(model), ...json], { workingFolder: openWork(model), environment });
      expectOneOutcome(run, json.length > 0);
    }
  });
});

describe("row 13: in a separate process", () => {
  beforeAll(buildPackage, 300_000);

  test.each(endings)("`emend complete` ends with one outcome where $name", { timeout: 60_000 }, async (ending) => {
    const model = await serve(ending);
    const run = await runCli([...commands[0]![1](model), "--json"], { folder: openWork(model), environment });
    expectOneOutcome(run, true);
  });

  test.each(commands)(
    "`emend %s` ends with one outcome when everything arrives at once",
    { timeout: 60_000 },
    async (_, args) => {
      const model = await serve(endings.find(({ name }) => name.includes("15,000 pieces"))!);
      for (const json of [[], ["--json"]]) {
        expectOneOutcome(
          await runCli([...args(model), ...json], { folder: openWork(model), environment }),
          json.length > 0,
        );
      }
    },
  );

  const second = (out: string) =>
    JSON.parse(out) as { readonly kind: string; readonly model?: string; readonly text: string };
  test.each([
    "it answers with nothing and closes",
    "it says 400 Bad: the request exceeds the available context size",
    "it says 500 Oops: out of memory",
    "it closes without a word",
    "it ends with [DONE] alone",
  ])("the second model answers, and is named, when of the first %s", { timeout: 60_000 }, async (name) => {
    const model = await serve(endings.find((ending) => ending.name === name)!);
    const work = openWork(model);
    const lines = Array.from({ length: 20 }, (_, index) => `total = add(total, price${index}, quantity);`);
    writeFileSync(join(work, "src/b.ts"), `${lines.join("\n")}\ntotal = add(\n`);
    const place = ["complete", "src/b.ts:21:13", "--model", `${model}`, "--model", "builtin", "--trust", "--no-cache"];
    const json = await runCli([...place, "--json"], { folder: work, environment });
    expect(second(json.out)).toMatchObject({
      ...{ kind: "offered", model: "builtin" },
      failures: [{ model, sentence: expect.stringMatching(/\w/) }],
    });
    const plain = await runCli(place, { folder: work, environment });
    expect(plain.out).toContain("by builtin");
    expect(plain.err).toContain(`${model}: `);
  });
});

describe.runIf(canTestLlamaServer())("row 13: with the real llama.cpp server", () => {
  let url = "";
  let stop = () => {};

  beforeAll(async () => {
    const file = join(folder, "tiny.gguf");
    const after = { "<HOLE>": { "=": 6 }, "=": { "1": 6 }, "1": { ";": 6 }, ";": { "</s>": 6 } };
    writeFileSync(file, writeTinyModel({ after, contextTokens: 4096 }));
    const server = await startLlamaServer(file, "-c", "512", "-b", "448");
    stop = () => server[Symbol.dispose]();
    url = server.url;
  }, 60_000);
  beforeAll(buildPackage, 300_000);
  afterAll(() => stop());

  test("`emend complete` prints one outcome twelve times, with and without --json", { timeout: 240_000 }, async () => {
    const model = `llamacpp:${url}`;
    const work = openWork("llamacpp");
    for (let i = 0; i < 12; i++) {
      const isJson = i % 2 === 0;
      const args = ["complete", "src/b.ts:1:17", "--model", model, ...(isJson ? ["--json"] : [])];
      expectOneOutcome(await runCli(args, { folder: work, environment }), isJson);
    }
  });

  test("every other command with a model ends with one outcome", { timeout: 240_000 }, async () => {
    const model = `llamacpp:${url}`;
    for (const [, args] of commands) {
      expectOneOutcome(await runCli([...args(model), "--json"], { folder: openWork(model), environment }), true);
    }
  });
});

describe("a server that says nothing to `emend edit`", { timeout: 60_000 }, () => {
  const loading = { status: 503, chunks: ['{"error":{"code":503,"message":"Loading model"}}'] };
  const ok = { headers: { "content-type": "application/json" }, chunks: ['{"status":"ok"}'] };

  test.each<[what: string, health: ReturnType<Script>, advice: string]>([
    [
      "is paused",
      "hang",
      "URL accepts connections, but answers nothing, not even /health: its process is paused or hangs.",
    ],
    ["is loading its model", loading, "It is still loading the model: ask again, or set `"],
    [
      "is busy",
      ok,
      "It answers other requests, so it is busy with a long prompt or another answer: ask again, or set `",
    ],
  ])("%s", async (_, health, advice) => {
    const server = await ScriptedServer.start(({ route }) => (route === "/health" ? health : "hang"));
    onTestFinished(() => server[Symbol.asyncDispose]());
    const model = `llamacpp:${server.url}`;
    const args = ["edit", "src/b.ts", "-m", "Give one a value", "--model", model, "--trust"];
    const { exitCode, out, err } = await runCli(args, { folder: openWork(model), environment });
    expect(exitCode).toBe(1);
    const said = `${out}${err}`;
    expect(said).toContain(`llama.cpp said nothing for 0.4 s. ${advice.replace("URL", server.url)}`);
    expect(said.includes("loading the model")).toBe(health === loading);
    expect(server.seen.some(({ route }) => route === "/health")).toBe(true);
  });
});
