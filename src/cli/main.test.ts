import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { serveChat } from "../model/node/fixtures/scripted-chat-server.ts";
import { ScriptedServer } from "../model/node/fixtures/scripted-server.ts";
import { fixtures } from "../syntax/node/fixtures/read-fixtures.ts";
import { openSyntax } from "../syntax/node/index.ts";
import { removeFolder } from "../text/node/fixtures/remove-folder.ts";
import type { CompleteReport } from "./complete/complete.ts";
import type { EngineReport } from "./complete/complete-by-engine.ts";
import type { ConfigReport } from "./config.ts";
import { buildPackage, type CliOptions, type CliRun, repository, runCli } from "./fixtures/run-cli.ts";
import type { LearnReport } from "./learn.ts";
import type { StatusReport } from "./status.ts";

let top: string;
let work: string;
let cacheFolder: string;

beforeAll(buildPackage);
beforeEach(() => {
  top = realpathSync(mkdtempSync(join(tmpdir(), "emend-cli-")));
  work = join(top, "work");
  cacheFolder = join(top, "cache");
  mkdirSync(join(work, ".git"), { recursive: true });
});
afterEach(() => {
  chmodSync(work, 0o700);
  removeFolder(top);
});

function write(path: string, content: string | Uint8Array): void {
  mkdirSync(dirname(join(work, path)), { recursive: true });
  writeFileSync(join(work, path), content);
}

function run(args: string, options: Partial<CliOptions> = {}): Promise<CliRun> {
  const environment = { EMEND_CACHE_DIR: cacheFolder, XDG_CONFIG_HOME: join(top, "config"), ...options.environment };
  return runCli(args.split(" "), { folder: work, ...options, environment });
}

async function json<Report>(args: string, options: Partial<CliOptions> = {}): Promise<Report> {
  const { out, err, exitCode } = await run(`${args} --json`, options);
  expect([err, exitCode]).toEqual(["", 0]);
  return JSON.parse(out) as Report;
}

/** Code that repeats one statement so often that its continuation is certain. */
const clear = `${"export function first(items: readonly string[]): string {\n  return items.at(0) ?? missing(items);\n}\n".repeat(12)}`;
const cursor = { line: 38, column: 13 };
const source = `${clear}export function first(items: readonly string[]): string {\n  return ite\n}\n`;

describe("complete", () => {
  test("prints the place with marked ghost text and its likelihood", async () => {
    write("src/a.ts", source);
    const { out, err, exitCode } = await run(`complete src/a.ts:${cursor.line}:${cursor.column}`);
    expect([err, exitCode]).toEqual(["", 0]);
    expect(out).toMatch(
      /^ {2}35 │ .*\n {2}36 │ \}\n {2}37 │ export function first.*\n {2}38 │ {3}return ite«ms.*»\n {2}39 │ \}\n\n\d+% sure\n$/,
    );
  });

  test("prints colours on terminals, or with FORCE_COLOR", async () => {
    write("src/a.ts", source);
    const place = `complete src/a.ts:${cursor.line}:${cursor.column}`;
    const coloured = await run(place, { environment: { FORCE_COLOR: "1" } });
    expect(coloured.out).toContain("ite\u001b[2mms");
    expect(coloured.out).not.toContain("«");
    const plain = await run(place, { environment: { FORCE_COLOR: "1", NO_COLOR: "1" } });
    expect(plain.out).not.toContain("\u001b");
  });

  test("prints JSON with alternatives and explanation, the second time from the cache", async () => {
    write("src/a.ts", source);
    write("src/b.ts", clear);
    const args = `complete src/a.ts:${cursor.line}:${cursor.column} --all --explain`;
    const first = await json<CompleteReport>(args);
    expect(first).toMatchObject({
      kind: "offered",
      checked: "whole",
      file: "src/a.ts",
      ...cursor,
      language: "typescript",
    });
    expect(first.text).toMatch(/^ms/);
    expect(first.alternatives?.[0]).toEqual({ text: first.text, probability: first.probability });
    expect(first.explanation?.map(({ text }) => text).join("")).toBe(first.text);
    const matched = first.explanation?.find(({ match }) => match?.path === "src/b.ts");
    expect(clear.split("\n")[matched!.match!.line! - 1]).toContain(matched!.text.trim());
    expect(first.workspace).toEqual({
      root: work,
      cache: "absent",
      files: 2,
      learnt: 2,
      forgotten: 0,
      isComplete: true,
    });

    const second = await json<CompleteReport>(args);
    expect(second.workspace).toMatchObject({ cache: "kept", files: 2, learnt: 0 });
    expect([second.text, second.probability]).toEqual([first.text, first.probability]);
    expect(readdirSync(work).sort()).toEqual([".git", "src"]);
  });

  test("--explain prints where each part comes from", async () => {
    write("src/a.ts", source);
    write("src/b.ts", clear);
    const { out } = await run(`complete src/a.ts:${cursor.line}:${cursor.column} --explain --all`);
    expect(out).toMatch(/\n {2}"ms" +>?\d+% {2}\S.* ← src\/b\.ts:\d+ \(\d+ equal tokens\)\n/);
    expect(out).toContain("2 files known, 2 learnt and 0 forgotten now (cache: absent).");
    expect(out).toMatch(/Alternatives:\n {2}1\. +>?\d+% {2}«ms/);
  });

  test("--stdin reads the unsaved text, also of a missing file", async () => {
    write("src/b.ts", clear);
    const args = `complete src/new.ts:${cursor.line}:${cursor.column} --stdin`;
    expect(await json<CompleteReport>(args, { input: source })).toMatchObject({ kind: "offered", file: "src/new.ts" });
    const binary = await run(args, { input: new Uint8Array([1, 0, 2]) });
    expect(binary).toMatchObject({ exitCode: 5, out: "" });
  });

  test("--max-lines allows more lines", async () => {
    write("a.ts", source);
    const many = await json<CompleteReport>(`complete a.ts:${cursor.line}:${cursor.column} --max-lines 3`);
    expect(many.text.split("\n").length).toBeLessThanOrEqual(3);
  });

  test("--no-cache neither reads nor writes", async () => {
    write("a.ts", source);
    const place = `complete a.ts:${cursor.line}:${cursor.column}`;
    expect(await json<CompleteReport>(`${place} --no-cache`)).toMatchObject({ workspace: { cache: "off" } });
    expect(readdirSync(top)).toEqual(["work"]);
    await run(place);
    expect(await json<CompleteReport>(`${place} --no-cache`)).toMatchObject({ workspace: { cache: "off", learnt: 1 } });
  });

  test.each([
    ["is cut short", "it is cut short", (bytes: Buffer) => bytes.subarray(0, 500)],
    [
      "has changed where a request reads it",
      "a table does not fit its checksums",
      (bytes: Buffer) => {
        // The groups of links, which stay on the disk, lie before the checksums of all tables and
        // the head. Each table of so small an index has one page, if any.
        const headAt = bytes.length - bytes.readUInt32LE("emend index\n".length + 6);
        const { tables, deflated, groups } = JSON.parse(bytes.toString("utf8", headAt)) as Record<string, unknown[]>;
        const all = [...tables!.map((table) => (table as number[])[0]), ...deflated!.map(() => 1), ...groups!];
        const end = headAt - all.filter((stored) => stored !== 0).length * 4;
        return bytes.fill(7, end - 200, end);
      },
    ],
  ])("reports and replaces a cache that %s", async (_, detail, change) => {
    write("a.ts", source);
    const place = `complete a.ts:${cursor.line}:${cursor.column}`;
    await run(place);
    const path = join(cacheFolder, "indexes", readdirSync(join(cacheFolder, "indexes"))[0]!);
    writeFileSync(path, change(readFileSync(path)));
    const again = await run(place);
    expect(again).toMatchObject({
      exitCode: 0,
      err: `The cached index was broken (${detail}) and was learnt again.\n`,
    });
    expect(again.out).toContain("«ms");
    expect(await json<CompleteReport>(place)).toMatchObject({ workspace: { cache: "kept" } });
  });

  test("prints the reason without a suggestion, with exit code 0", async () => {
    write("a.ts", "");
    const silent = await json<CompleteReport>("complete a.ts:1:1");
    expect(silent).toMatchObject({ kind: "no-suggestion", text: "", probability: 0 });
    expect(silent.reason).toMatch(/^(nothing-known|line-complete)$/);
    const { out, exitCode } = await run("complete a.ts:1:1");
    expect(exitCode).toBe(0);
    expect(out).toMatch(/^ {2}1 │ «»\n\nNo suggestion: .+\n$/);
  });

  test("--workspace names another folder, which must hold the file", async () => {
    write("one/a.ts", source);
    write("two/b.ts", clear);
    const place = `one/a.ts:${cursor.line}:${cursor.column}`;
    const wide = await json<CompleteReport>(`complete ${place} --workspace .`);
    expect(wide).toMatchObject({ file: "one/a.ts", workspace: { root: work, files: 2 } });
    expect(await run(`complete ${place} --workspace two`)).toEqual({
      exitCode: 2,
      out: "",
      err: "emend: one/a.ts is not in the workspace two. Give a folder that contains it.\n",
    });
  });
});

/** A server that speaks as llama.cpp does, and fills with `text`, until the test ends. */
async function startLlamacpp(text: string): Promise<ScriptedServer> {
  const props = { default_generation_settings: { n_ctx: 4096 }, build_info: "b5000" };
  const frame = (content: string, stop: boolean) => `data: ${JSON.stringify({ content, stop, stop_type: "eos" })}\n\n`;
  const server = await ScriptedServer.start(({ route }) =>
    route === "/props"
      ? { headers: { "content-type": "application/json" }, chunks: [JSON.stringify(props)] }
      : { headers: { "content-type": "text/event-stream" }, chunks: [frame(text, false), frame("", true)] },
  );
  onTestFinished(() => server[Symbol.asyncDispose]());
  return server;
}

/** The address of a port without a listener. */
async function addressWithoutServer(): Promise<string> {
  const server = await ScriptedServer.start(() => "break");
  await server[Symbol.asyncDispose]();
  return server.url;
}

describe("complete where models are named", () => {
  const place = `complete src/a.ts:${cursor.line}:${cursor.column}`;
  beforeEach(() => {
    write("src/a.ts", `import { last } from "./last";\n${source.slice(source.indexOf("\n") + 1)}`);
    write("src/last.ts", "export declare function last(items: readonly string[]): string;\n");
  });

  test("sends the place and its imports to the named model, and prints its answer", async () => {
    const server = await startLlamacpp("ms.at(-1) ?? last(items);");
    const report = await json<EngineReport>(`${place} --explain --all --model llamacpp:${server.url}`);
    expect(report).toMatchObject({
      ...{ kind: "offered", text: "ms.at(-1) ?? last(items);", model: `llamacpp:${server.url}`, issues: [] },
      ...{ file: "src/a.ts", ...cursor, workspace: { root: work, indexed: 2, isComplete: true } },
      alternatives: [{ text: "ms.at(-1) ?? last(items);", model: `llamacpp:${server.url}` }],
    });
    expect(report.prompt?.prefix).toMatch(/return ite$/);
    expect(report.prompt?.pieces.find(({ kind }) => kind === "imports")).toMatchObject({
      ...{ path: "src/last.ts", status: { kind: "written" } },
    });
    expect(report.trace?.map(({ step }) => step)).toContain("check");
    expect(report.acceptance?.score).toBeGreaterThan(0);
    const { body } = server.seen.find(({ route }) => route === "/infill")!;
    expect(body.input_prefix + body.prompt).toContain("return ite");
    expect(JSON.stringify(body.input_extra)).toContain("declare function last");
  });

  test.each([
    ["src/top.ts", "import { last } from './last';\nconst all = last([]);\n|\n", "return all;", undefined],
    ["src/top.ts", "import { last } from './last';\nfor (const one of last([])) {\n  |\n}\n", "break;", "break;"],
    ["src/top.js", "const total = 1 + 2;\n|\n", "return total;", undefined],
    ["src/in.js", "export function sum(total) {\n  |\n}\n", "return total;", "return total;"],
    ["top.py", "total = 1 + 2\n|\n", "return total", undefined],
    ["top.py", "def f(total):\n    |\n", "return total", "return total"],
    ["top.py", "def f(total):\n    |\n", "await total()", undefined],
    ["top.go", "package a\n\nfunc f() int {\n\t|\n}\n", "continue", undefined],
  ])("in %s with %j, `%s` is only suggested where the language allows it", async (path, text, answer, suggested) => {
    const server = await startLlamacpp(answer);
    const [before, after] = text.split("|") as [string, string];
    const at = `${path}:${before.split("\n").length}:${before.split("\n").at(-1)!.length + 1}`;
    const report = await json<EngineReport>(`complete ${at} --stdin --model llamacpp:${server.url}`, {
      input: before + after,
    });
    expect([report.text, report.reason]).toEqual(
      suggested === undefined ? ["", "breaks-syntax"] : [suggested, undefined],
    );
  });

  test("prints each piece of the prompt with its tokens for people", async () => {
    const server = await startLlamacpp("ms.at(-1);");
    const { out, err, exitCode } = await run(`${place} --explain --model llamacpp:${server.url}`);
    expect([err, exitCode]).toEqual(["", 0]);
    for (const part of [
      /return ite«ms\.at\(-1\);»\n/,
      /^by llamacpp:http\S+$/m,
      /^gate +[\d.]+ ms {2}Ghost text is on at this place\.$/m,
      /^imports +src\/last\.ts\S* +\d+ +[\d.]+ {2}written$/m,
      /^similar .* left out: adds nothing that others do not have$|^before-cursor .* written$/m,
      /^acceptance 0\.\d\d$/m,
      /^\d+ tokens of at most \d,\d+ by .*, 15 % for what follows the cursor$/m,
      /^The limit of \d,\d+ is the context of the model, 4,096 tokens, without \d+ for the answer/m,
      /^2 files searched\. /m,
    ]) {
      expect(out).toMatch(part);
    }
  });

  test("reports an unreachable server with cause and remedy, and requests the next model", async () => {
    const name = `llamacpp:${await addressWithoutServer()}`;
    const alone = await run(`${place} --model ${name}`);
    expect(alone).toMatchObject({ exitCode: 1, err: "" });
    expect(alone.out).toMatch(/\n\nNo suggestion: The model failed \(unreachable\): .*http:\S+\d.* .*[Ss]tart .*\n$/);
    const both = await json<EngineReport>(`${place} --model ${name} --model builtin`);
    expect(both).toMatchObject({ kind: "offered", model: "builtin" });
    expect(both.text).toMatch(/^ms/);
  });

  test("reports a model that cannot be opened as the reason", async () => {
    const { out, exitCode } = await run(`${place} --model gguf:/no/such.gguf`);
    expect(exitCode).toBe(1);
    expect(out).toContain("No suggestion: No model can fill in code: There is no model file /no/such.gguf.");
  });

  test("uses the model of the configuration in a trusted workspace only", async () => {
    const server = await startLlamacpp("ms.at(-1);");
    write("emend.config.json", JSON.stringify({ model: `llamacpp:${server.url}` }));
    expect(await json<EngineReport>(`${place} --trust`)).toMatchObject({ kind: "offered", text: "ms.at(-1);" });
    const local = await run(place);
    expect(local.err).toMatch(/^`model` \(emend\.config\.json:1\) is put aside: .* your own file, .*\n$/);
    expect(server.seen.filter(({ route }) => route === "/infill")).toHaveLength(1);
    write("emend.config.json", JSON.stringify({ model: "llamacpp:http://0.0.0.0:1" }));
    const untrusted = await run(place);
    expect(untrusted.err).toMatch(
      /^`model` \(emend\.config\.json:1\) is put aside: .* use --trust, or run `emend trust .*\n$/,
    );
    expect(untrusted.out).toMatch(/% sure\n$/);
    expect((await run(`${place} --trust`)).out).toContain("No suggestion: The model failed");
  });

  test("sends no ignored file and no file with a key to a model", async () => {
    const server = await startLlamacpp("ms.at(-1);");
    write(".gitignore", "a.ts\n");
    const ignored = await json<EngineReport>(`${place} --model llamacpp:${server.url}`);
    expect(ignored).toMatchObject({
      kind: "no-suggestion",
      reason: "ignored-file",
      noSuggestion: { by: ".gitignore:1: a.ts" },
    });
    const secret = await json<EngineReport>(`complete src/new.ts:1:1 --stdin --model llamacpp:${server.url}`, {
      input: "\n-----BEGIN PRIVATE KEY-----\nMIIEow\n-----END PRIVATE KEY-----\n",
    });
    expect(secret).toMatchObject({ kind: "no-suggestion", reason: "secret-file" });
    expect(server.seen).toEqual([]);
  });

  test.each([
    ["--model nope", 2, "`nope` does not say who serves it"],
    ["--model builtin --min-probability 0.5", 2, "--min-probability is for the built-in model by itself."],
    ["--model gguf:/nowhere/tiny.gguf", 1, "There is no model file /nowhere/tiny.gguf."],
  ])("%s", async (args, exitCode, message) => {
    const answer = await run(`${place} ${args}`);
    expect(answer.exitCode).toBe(exitCode);
    expect(answer.err).toContain(message);
  });
});

describe("learn and status", () => {
  test("learns, completes, and learns a change", async () => {
    write("src/a.ts", clear);
    write("src/b.py", "def f():\n    return 1\n".repeat(20));
    write("logo.png", "");
    const before = await json<StatusReport>("status");
    expect(before).toMatchObject({ kind: "not-learnt", root: work, files: 2, cache: "absent" });

    const learnt = await json<LearnReport>("learn");
    expect(learnt).toMatchObject({
      ...{ kind: "learnt", root: work, learnt: 2, forgotten: 0, cache: "absent" },
      statistics: { files: 2, languages: { typescript: 1, python: 1 } },
      skipped: [{ kind: "binary", count: 1, examples: [{ path: "logo.png" }] }],
    });
    const after = await json<StatusReport>("status");
    expect(after).toMatchObject({
      ...{ kind: "learnt", files: 2 },
      index: {
        statistics: learnt.statistics,
        bytesOnDisk: learnt.bytesOnDisk,
        isComplete: true,
        added: 0,
        changed: 0,
        gone: 0,
      },
    });

    rmSync(join(work, "src/b.py"));
    write("src/a.ts", `${clear}// longer\n`);
    write("src/c.ts", "export {};\n");
    expect(await json<StatusReport>("status")).toMatchObject({ index: { added: 1, changed: 1, gone: 1 } });
    expect(await json<LearnReport>("learn .")).toMatchObject({ learnt: 2, forgotten: 1, cache: "kept" });
    // A change that is too small to be saved after a completion is saved here.
    expect(await json<StatusReport>("status")).toMatchObject({ index: { added: 0, changed: 0, gone: 0 } });
  });

  test("status prints text for a terminal", async () => {
    write("a.ts", clear);
    write("id.pem", "x");
    expect((await run("learn")).out).toMatch(
      /^Learnt 1 file in [\d.]+ m?s: 1 file, [\d,]+ tokens known, kept in [\d.]+ kB\.\n$/,
    );
    expect((await run("learn")).out).toMatch(/^Nothing has changed: 1 file, /);
    const { out } = await run("status");
    for (const line of [
      /^Workspace {3}\S+work$/m,
      /^Learnt {6}1 file$/m,
      /^Languages {3}typescript 1$/m,
      /^Since then {2}nothing has changed$/m,
    ]) {
      expect(out).toMatch(line);
    }
    expect(out).toMatch(/Skipped\n {2}1 secret +id\.pem \(secret by its name: .*\)\n$/);
  });

  test("reports an empty workspace", async () => {
    const message = `There are no source files in ${work}. Give the folder that contains them.`;
    expect(await run("learn")).toEqual({ exitCode: 7, out: "", err: `emend: ${message}\n` });
    expect(await run("learn --json")).toEqual({
      ...{ exitCode: 7, err: "" },
      out: `${JSON.stringify({ kind: "error", code: "empty-workspace", message, exitCode: 7 })}\n`,
    });
  });
});

describe("emend status requests the models", () => {
  beforeEach(() => write("a.ts", clear));

  test("tries models in a folder without sources, and reports that", async () => {
    rmSync(join(work, "a.ts"));
    const none = await run("status");
    expect(none).toMatchObject({ exitCode: 7, err: "" });
    expect(none.out).toMatch(/^Workspace.*\nSources {4}none; give the folder that contains them\nModels {5}builtin/);
    write("id.pem", "x");
    const server = await startLlamacpp("2, 3, 5, 7");
    const works = await run(`status --model llamacpp:${server.url}`);
    expect(works.exitCode).toBe(7);
    expect(works.out).toMatch(
      /^Sources {4}none; what was skipped is listed below\n[\s\S]*first token after[\s\S]*id\.pem/m,
    );
    const away = await run(`status --json --model llamacpp:${await addressWithoutServer()}`);
    expect(away.exitCode).toBe(1);
    expect(JSON.parse(away.out)).toMatchObject({ kind: "not-learnt", files: 0, models: [{ isReachable: false }] });
  });

  test("reports what each model can do, or what helps, and fails if one is unusable", async () => {
    const server = await startLlamacpp("2, 3, 5, 7");
    const works = `llamacpp:${server.url}`;
    const away = `llamacpp:${await addressWithoutServer()}`;
    const fine = await run(`status --model ${works}`);
    expect(fine).toMatchObject({ exitCode: 0, err: "" });
    expect(fine.out).toMatch(/\n\nllamacpp:\S+\n {2}Server +llama\.cpp b5000 at \S+\n/);
    expect(fine.out).toMatch(
      / {2}Model +4,096 tokens of context\n {2}Can +fill.*\n {2}Speed +first token after \d+ ms/,
    );

    const { out, exitCode } = await run(`doctor --model ${away} --model gguf:/nowhere.gguf --model builtin --json`);
    expect(exitCode).toBe(1);
    const { models } = JSON.parse(out) as StatusReport;
    expect(models).toMatchObject([
      { name: away, isReachable: false, can: { fill: false }, problems: [{ code: "unreachable" }] },
      { name: "gguf:/nowhere.gguf", isReachable: false, problems: [{ code: "not-found" }] },
      { name: "builtin", isReachable: true, can: { fill: true }, problems: [] },
    ]);
    expect(models[0]!.problems[0]!.message).toMatch(
      /^Nothing listens at http.*\. Start it with `llama-server .* --port \d+`\.$/,
    );
  });

  test("tries the configured models, and reports problems of the configuration", async () => {
    const server = await startLlamacpp("2, 3, 5, 7");
    const model = [`llamacpp:${server.url}`, "builtin"];
    write("emend.config.json", JSON.stringify({ model, complete: { maxLine: 3 } }, undefined, 2));
    const message = "`complete.maxLine` (emend.config.json:7) is no setting. Did you mean `complete.maxLines`?";
    const { out, err, exitCode } = await run("status --trust --json");
    expect([err, exitCode]).toEqual(["", 1]);
    const report = JSON.parse(out) as StatusReport;
    expect(report.models.map(({ name }) => name)).toEqual(model);
    expect(report.issues).toMatchObject([{ code: "unknown-key", from: "emend.config.json:7", message }]);
    expect((await run("status --trust")).out).toContain(`\n\nConfiguration\n  error    ${message}\n`);
  });

  test("tries models that are named for edits only", async () => {
    const server = await serveChat("openai", { deltas: ["2, 3, 5, 7"] });
    onTestFinished(() => server[Symbol.asyncDispose]());
    const chats = `openai-compatible:${server.url}#m`;
    const away = `ollama:${await addressWithoutServer()}#m`;
    write("emend.config.json", JSON.stringify({ edit: { model: [chats] } }));
    const fine = await run("status --trust");
    expect(fine.exitCode).toBe(0);
    expect(fine.out).toMatch(/^Models +builtin;.*\nEdits +openai-compatible:\S+#m\n\nopenai-compatible:\S+\n/m);
    expect(fine.out).toMatch(/^ {2}Can +chat\n {2}Speed +first token after/m);
    write("emend.config.json", JSON.stringify({ edit: { model: [away, "builtin"] } }));
    const { out, exitCode } = await run("status --json --trust");
    expect(exitCode).toBe(1);
    expect(JSON.parse(out)).toMatchObject({
      models: [{ name: "builtin", problems: [] }],
      editModels: [
        { isReachable: false, problems: [{ code: "unreachable" }] },
        { name: "builtin", problems: [{ code: "unsupported" }] },
      ],
    });
    expect((await run("status --trust")).out).toContain("  Problem  It cannot chat, so it takes no instructions: ");
    expect((await run("status --model builtin")).exitCode).toBe(0);
  });
});

describe("config", () => {
  test("prints the settings and their origins", async () => {
    write("emend.config.json", JSON.stringify({ complete: { maxLines: 4, languages: { go: false } } }, undefined, 2));
    const environment = { EMEND_MODEL: "ollama:tiny" };
    const { out, err, exitCode } = await run("config", { environment });
    expect([err, exitCode]).toEqual(["", 0]);
    for (const line of [
      /^model +\["ollama:tiny"\] +EMEND_MODEL$/m,
      /^complete\.maxLines +4 +emend\.config\.json:3$/m,
      /^complete\.languages\.go +false +emend\.config\.json:5$/m,
      /^complete\.languages\.markdown +false +the defaults$/m,
      /^context\.maxTokens +8192 +the defaults$/m,
    ]) {
      expect(out).toMatch(line);
    }
    expect(await json<ConfigReport>("config", { environment })).toMatchObject({
      ...{ root: work, isTrusted: false, issues: [], files: [join(work, "emend.config.json")] },
      config: { model: ["ollama:tiny"], complete: { maxLines: 4 } },
      origins: { model: { kind: "variable", name: "EMEND_MODEL" } },
    });
  });

  test.each([
    ["an unknown setting and a wrong value", { complete: { maxLnes: 4 }, next: { eagerness: "loud" } }, {}, 1],
    ["a variable that sets nothing", {}, { EMEND_MODELL: "builtin" }, 1],
    [
      "only a warning: a server elsewhere, in a workspace that is not trusted",
      { model: "ollama:http://a.test#m" },
      {},
      0,
    ],
  ])("ends with an exit code for scripts: %s", async (_, config, environment, exitCode) => {
    write("emend.config.json", JSON.stringify(config));
    const plain = await run("config", { environment });
    const inJson = await run("config --json", { environment });
    const { issues } = JSON.parse(inJson.out) as ConfigReport;
    expect([plain.exitCode, inJson.exitCode, inJson.err]).toEqual([exitCode, exitCode, ""]);
    expect(plain.err).toBe(issues.map(({ message }) => `${message}\n`).join(""));
    expect(new Set(issues.map(({ severity }) => severity))).toEqual(new Set([exitCode === 0 ? "warning" : "error"]));
    expect(plain.out).toMatch(/^context\.maxTokens +8192 +the defaults$/m);
  });

  test("schema prints the JSON schema", async () => {
    const { out, exitCode } = await run("config schema");
    expect(exitCode).toBe(0);
    expect(JSON.parse(out)).toMatchObject({ type: "object", properties: { model: { default: "builtin" } } });
  });
});

describe("errors are one line, with a code", () => {
  beforeEach(() => {
    write("a.ts", "one\ntwo\n");
    write("binary.ts", new Uint8Array([97, 0, 98]));
    write("latin.ts", new Uint8Array([0x61, 0xe9, 0x0a]));
    write("large.ts", "x;\n".repeat(700_000));
    write(".env", "KEY=1\n");
    write("key.ts", "-----BEGIN PRIVATE KEY-----\nabc\n");
    write("logo.png", "");
    symlinkSync(join(work, ".env"), join(work, "innocent.ts"));
  });

  test.each([
    ["complete nothing.ts:1:1", 3, "There is no file nothing.ts. Check the path, or give its text with --stdin."],
    ["complete a.ts/b.ts:1:1", 3, "There is no file a.ts/b.ts. Check the path, or give its text with --stdin."],
    ["complete .:1:1", 3, ". is a folder. Give a file in it."],
    ["complete a.ts:9:1", 4, "Line 9 is outside of a.ts, which has 3 lines. Give a line from 1 to 3."],
    [
      "complete a.ts:1:9",
      4,
      "Column 9 is outside of line 1 of a.ts, which has 3 UTF-16 units. Give a column from 1 to 4.",
    ],
    ["complete a.ts:1", 2, '"a.ts:1" is not FILE:LINE:COL: it has no column. Write for example src/main.ts:12:5.'],
    ["complete a.ts:0:1", 2, '"a.ts:0:1" counts from 0: lines and columns count from 1.'],
    ["complete binary.ts:1:1", 5, "binary.ts is not text: it holds a NUL. Give a source file."],
    ["complete logo.png:1:1", 5, "logo.png is not text: .png. Give a source file."],
    ["complete latin.ts:1:1", 5, "latin.ts is not UTF-8: it has bytes that no UTF-8 text has. Save it as UTF-8."],
    [
      "complete large.ts:1:1",
      5,
      "large.ts has 2,100,000 characters, more than the 2,000,000 characters of complete.maxDocumentCharacters. Split it, or raise that setting.",
    ],
    ["complete .env:1:1", 5, ".env is not read, because it may hold secrets (.env, by its name). Give a source file."],
    [
      "complete key.ts:1:1",
      5,
      "key.ts is not read, because it may hold secrets (-----BEGIN PRIVATE KEY-----, by its content). Give a source file.",
    ],
    [
      "complete innocent.ts:1:1",
      5,
      "innocent.ts is not read, because it may hold secrets (.env, by its name). Give a source file.",
    ],
    ["complete a.ts:1:1 --workspace nowhere", 3, "There is no folder nowhere. Check the path."],
    [
      "complete a.ts:1:1 --workspace a.ts",
      3,
      "The workspace a.ts is not a folder. Give the folder that contains the sources.",
    ],
    ["learn a.ts", 3, "The workspace a.ts is not a folder. Give the folder that contains the sources."],
    ["status nowhere", 3, "There is no folder nowhere. Check the path."],
    ["config schem", 3, "There is no folder schem. Check the path. The only subcommand is `emend config schema`."],
    ["check nothing.ts", 3, "There is no file nothing.ts. Check the path: it is relative to this folder."],
    [
      "complete a.ts:1:1 --model ollama:127.0.0.1:8012",
      2,
      "`127.0.0.1:8012` is an address, and no model is named: write `ollama:http://127.0.0.1:8012#MODEL`.",
    ],
    ["complete a.ts:1:1 --jsn", 2, "Unknown option '--jsn' (Did you mean --json?) Try `emend complete --help`."],
    ["plan --oracle x", 2, "The option --oracle is now --verify. Try `emend plan --help`."],
    ["edit a.ts --no-check", 2, "The option --no-check is now --no-verify. Try `emend edit --help`."],
    ["check a.ts --oracle x", 2, "Unknown option '--oracle'. Try `emend check --help`."],
    ["complete", 2, "Missing required argument 'FILE:LINE:COL'. Try `emend complete --help`."],
    [
      "complete a.ts:1:1 --max-lines none",
      2,
      "Option '--max-lines <n>' argument 'none' is invalid. Give a number from 1 to 100. Try `emend complete --help`.",
    ],
    ["compleet a.ts:1:1", 2, "Unknown command 'compleet' (Did you mean complete?) Try `emend --help`."],
  ])("for emend %s", async (args, exitCode, message) => {
    expect(await run(args)).toEqual({ exitCode, out: "", err: `emend: ${message}\n` });
  });

  test("a command without its subcommand prints its help", async () => {
    const { out, err, exitCode } = await run("grammar");
    expect([out, err.split("\n")[0], exitCode]).toEqual(["", "Usage: emend grammar [options] [command]", 2]);
  });

  test("as JSON", async () => {
    const { out, err, exitCode } = await run("complete a.ts:9:1 --json");
    expect([err, exitCode]).toEqual(["", 4]);
    expect(JSON.parse(out)).toMatchObject({ kind: "error", code: "outside-text", exitCode: 4 });
  });

  test("limits the size of a file by the setting of editors", async () => {
    write("wide.ts", `${clear.slice(0, clear.lastIndexOf("return items"))}\n${"// é\n".repeat(300)}`);
    const environment = { EMEND_COMPLETE_MAX_DOCUMENT_CHARACTERS: "1000" };
    const limit = "more than the 1,000 characters of complete.maxDocumentCharacters. Split it, or raise that setting.";
    expect((await run("complete wide.ts:1:1", { environment })).err).toMatch(/^emend: wide\.ts has [\d,]+ (bytes|ch)/);
    const input = "x = 1;\n".repeat(150);
    const { err, exitCode } = await run("complete new.ts:1:1 --stdin", { environment, input });
    expect([err, exitCode]).toEqual([`emend: new.ts has 1,050 characters, ${limit}\n`, 5]);
    expect((await run("complete wide.ts:1:1")).exitCode).toBe(0);
  });

  test("with EMEND_DEBUG the stack is shown", async () => {
    const { err } = await run("complete nothing.ts:1:1", { environment: { EMEND_DEBUG: "1" } });
    expect(err).toMatch(/^emend: There is no file .*\n.*\n {4}at /);
  });

  // Root may read everything, and Windows has no such permissions.
  test.skipIf(process.platform === "win32" || process.getuid?.() === 0)("for missing permissions", async () => {
    chmodSync(join(work, "a.ts"), 0);
    const message = "There is no permission to read a.ts. Change its permissions, or run as its owner.";
    expect(await run("complete a.ts:1:1")).toEqual({ exitCode: 6, out: "", err: `emend: ${message}\n` });
  });

  test("reports a cache that cannot be written, and answers", async () => {
    write("file", "");
    const environment = { EMEND_CACHE_DIR: join(work, "file") };
    const { out, err, exitCode } = await run("complete a.ts:1:1 --workspace .", { environment });
    expect(exitCode).toBe(0);
    expect(out).toContain("1 │");
    expect(err).toContain("Use --no-cache, or set EMEND_CACHE_DIR.\n");
  });
});

test.skipIf(process.platform === "win32")("Ctrl-C ends emend complete with exit code 130", async () => {
  write("a.ts", "");
  // It waits for standard input, which never ends.
  const whenStarted = (interrupt: () => void) => setTimeout(interrupt, 600);
  const { err, exitCode } = await run("complete a.ts:1:1 --stdin", { whenStarted });
  expect([err, exitCode]).toEqual(["emend: Interrupted.\n", 130]);
});

test.skipIf(process.platform === "win32")(
  "Ctrl-C during learning ends with exit code 130 and leaves no temporary files",
  async () => {
    for (let i = 0; i < 14; i += 1) write(`${i}.ts`, `export const a${i} = ${i};\n`.repeat(30_000));
    const whenStarted = (interrupt: () => void) => setTimeout(interrupt, 900);
    const { err, out, exitCode } = await run("learn", { whenStarted });
    expect([err, out, exitCode]).toEqual(["emend: Interrupted.\n", "", 130]);
    expect(readdirSync(top)).toEqual(["work"]);
  },
);

describe("the help text", () => {
  test("is printed by emend --help, emend help and emend alone", async () => {
    const [long, word, alone] = await Promise.all([run("--help"), run("help"), runCli([], { folder: work })]);
    expect(long).toMatchObject({ exitCode: 0, err: "" });
    expect([word.out, alone.out]).toEqual([long.out, long.out]);
    for (const words of ["complete", "learn", "status", "130  interrupted by Ctrl-C"])
      expect(long.out).toContain(words);
    expect((await run("help complete")).out).toContain("count from 1; columns count UTF-16 code units");
  });

  test("emend --version", async () => {
    const { version } = JSON.parse(readFileSync(join(repository, "package.json"), "utf8")) as {
      readonly version: string;
    };
    expect(await run("--version")).toEqual({ exitCode: 0, out: `${version}\n`, err: "" });
  });
});

describe("emend complete works for every language", () => {
  const syntax = openSyntax();
  afterAll(() => syntax[Symbol.dispose]());

  /** The text before, in and after the end of a line, which begins in the middle of a word. */
  function cut(text: string): { readonly before: string; readonly rest: string; readonly after: string } {
    const words = [...text.matchAll(/(?<=[^\S\n].*)\b[a-z]\w{5,}/gi)];
    const at = words[Math.floor(words.length / 2)]!.index + 4;
    const [rest] = /^.*/.exec(text.slice(at))!;
    return { before: text.slice(0, at), rest, after: text.slice(at + rest.length) };
  }

  test.each(fixtures.map((fixture) => [fixture.name, fixture] as const))("%s", async (name, { language, text }) => {
    const file = name.slice(name.indexOf("/") + 1);
    const { before, rest, after } = cut(text);
    // Another file contains the rest of the line.
    write(`known/${file}`, text);
    write(file, before + after);
    const lines = before.split("\n");
    const place = `${file}:${lines.length}:${lines.at(-1)!.length + 1}`;
    const report = await json<CompleteReport>(`complete ${place} --no-cache --min-probability 0`);
    expect({ ...report, place }).toMatchObject({ kind: "offered", language });
    const [word] = /^\w+/.exec(rest)!;
    expect(report.text.slice(0, word.length)).toBe(word);
    const errors = (text: string) => syntax.syntaxErrors({ uri: file, language, text });
    expect((await errors(before + report.text + after)).length).toBeLessThanOrEqual(
      (await errors(before + after)).length,
    );
  });
});

test("emend complete completes a line of Emend's own source", async () => {
  const path = "src/text/lines.ts";
  const text = readFileSync(join(repository, path), "utf8");
  const marker = "return start;";
  const at = text.indexOf(marker) + "return sta".length;
  const input = text.slice(0, at) + text.slice(at + "rt;".length);
  const lines = text.slice(0, at).split("\n");
  const args = `complete ${path}:${lines.length}:${lines.at(-1)!.length + 1} --stdin --workspace . --min-probability 0`;
  const report = await json<CompleteReport>(args, { folder: repository, input });
  // How much of it is learnt in the time that a person waits is the machine's business.
  expect(report).toMatchObject({ kind: "offered", file: path, language: "typescript" });
  expect(report.text).toMatch(/^rt/);
  expect(report.workspace.files).toBeGreaterThan(20);
});
