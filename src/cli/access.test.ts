import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from "vitest";
import type { Model } from "../model/index.ts";
import { type ScriptedChatServer, serveChat } from "../model/node/fixtures/scripted-chat-server.ts";
import { TestClient } from "../server/fixtures/test-client.ts";
import { removeFolder } from "../text/node/fixtures/remove-folder.ts";
import { disk } from "../workspace/node/index.ts";
import type { CliRun } from "./fixtures/run-cli.ts";
import { runAtTerminal } from "./fixtures/test-terminal.ts";

let top: string;
let work: string;

/** In every text that no model may see. */
const marker = "hunter2secret";

beforeEach(() => {
  top = realpathSync(mkdtempSync(join(tmpdir(), "emend-access-")));
  work = join(top, "work");
  mkdirSync(work);
  execFileSync("git", ["init", "--quiet"], { cwd: work });
  const kept = `export const ${marker} = 1;\nexport function show(): number {\n  return ${marker};\n}\n`;
  put({
    ...{ ".env": `DB_PASSWORD=${marker}\n`, ".emendignore": "private\nbuild/own.ts\n", ".gitignore": "build/\n" },
    ...{ "private/p.ts": kept, "build/own.ts": kept, "build/git.ts": "export const built = 1;\n" },
    "src/a.ts": "export const one = 1;\nexport function two(): number {\n  return one;\n}\n",
    ...{ "src/env.txt": "-> ../.env", "src/again.txt": "-> env.txt", "src/p.ts": "-> ../private/p.ts" },
    ...{ pub: "-> private", out: "-> build" },
  });
  const author = ["-c", "user.name=Somebody", "-c", "user.email=somebody@example.org", "-c", "commit.gpgsign=false"];
  execFileSync("git", [...author, "commit", "--quiet", "--allow-empty", "--message=start"], { cwd: work });
  vi.stubEnv("XDG_CONFIG_HOME", join(top, "config"));
});
afterEach(() => {
  vi.unstubAllEnvs();
  removeFolder(top);
});

/** Writes files of the workspace; `-> target` makes a link. */
function put(files: Readonly<Record<string, string>>): void {
  for (const [path, text] of Object.entries(files)) {
    const absolute = join(work, path);
    mkdirSync(dirname(absolute), { recursive: true });
    if (text.startsWith("-> ")) symlinkSync(text.slice(3), absolute);
    else writeFileSync(absolute, text);
  }
}

const environment = () => ({
  ...{ EMEND_STATE_DIR: join(top, "state"), EMEND_CACHE_DIR: join(top, "cache") },
  ...{ XDG_CONFIG_HOME: join(top, "config") },
});

function run(args: readonly string[], input = ""): Promise<CliRun> {
  return runAtTerminal(args, { workingFolder: work, environment: environment(), input });
}

/** A chat server that answers nothing of use, and the flag that names it. */
async function serve(): Promise<ScriptedChatServer & { readonly flag: readonly string[] }> {
  const server = await serveChat("openai", { deltas: ["@@ none\n@@ end\n"] });
  onTestFinished(() => server[Symbol.asyncDispose]());
  return { ...server, flag: ["--model", `openai-compatible:${server.url}#scripted`] };
}

const requestTexts = (server: ScriptedChatServer) => JSON.stringify(server.calls.map(({ body }) => body));

/** Everything below a folder, as one text. */
function allText(folder: string): string {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), "latin1"))
    .join("\n");
}

/**
 * Ways to a file that no model may see: by its name, by a link to it, by a link to a link, through
 * a linked folder.
 */
const keptFiles = [
  [".env", "secret"],
  ["src/env.txt", "secret"],
  ["src/again.txt", "secret"],
  ["private/p.ts", "ignored"],
  ["src/p.ts", "ignored"],
  ["pub/p.ts", "ignored"],
  ["build/own.ts", "ignored"],
  ["out/own.ts", "ignored"],
] as const;

describe.each(keptFiles)("row 6: no command shows %s to a model, since it is %s", (path, code) => {
  const commands: readonly (readonly [name: string, args: readonly string[]])[] = [
    ["edit FILE", ["edit", path, "-m", "add a comment"]],
    ["edit --read FILE", ["edit", "src/a.ts", "--read", path, "-m", "add a comment"]],
    ["edit --prompt", ["edit", "src/a.ts", "--read", path, "-m", "add a comment", "--prompt"]],
    ["fill", ["fill", path, "--at", "1:8"]],
    ["complete", ["complete", `${path}:1:8`]],
    ["next", ["next", `${path}:1:8`]],
    ["plan", ["plan", "rename it", "--at", `${path}:2`]],
  ];
  // The engines' own answer for ignored files is an ordinary one; `complete` prints the place to
  // the person.
  const answering = code === "ignored" ? ["complete", "next"] : [];

  test.each(commands.filter(([name]) => !answering.includes(name)))("%s", async (name, args) => {
    const server = await serve();
    const { out, err, exitCode } = await run([...args, ...(name === "edit --prompt" ? [] : server.flag)]);
    expect(requestTexts(server)).not.toContain(marker);
    expect(out + err).not.toContain(marker);
    expect([out, exitCode === 0]).toEqual(["", false]);
    expect(err).toMatch(code === "secret" ? /secret/ : /\.emendignore:/);
  });

  test.each(commands.filter(([name]) => answering.includes(name)))("%s", async (_, args) => {
    const server = await serve();
    const { out } = await run([...args, ...server.flag]);
    expect(requestTexts(server)).not.toContain(marker);
    expect(out).toContain("ignored by .emendignore:");
  });

  test("complete with the built-in model, and apply", async () => {
    const completed = await run(["complete", `${path}:1:8`, "--no-cache"]);
    expect([completed.exitCode, completed.out]).toEqual([5, ""]);
    const applied = await run(
      ["apply", "-"],
      JSON.stringify({ file_path: path, old_string: "nowhere", new_string: "b" }),
    );
    expect(applied.exitCode).toBe(5);
    expect(applied.out + applied.err).not.toContain(marker);
  });
});

test("row 6: a file that only git ignores is read when the user names it", async () => {
  const server = await serve();
  const { err } = await run(["edit", "src/a.ts", "--read", "build/git.ts", "-m", "use it", ...server.flag]);
  expect(err).toContain("build/git.ts is ignored by .gitignore:1: build/; it was read because you named it.");
  expect(requestTexts(server)).toContain("export const built = 1;");
});

test("row 6: the typed path of a link is checked as well as its target", async () => {
  put({ private2: "-> src" });
  writeFileSync(join(work, ".emendignore"), "private*\n");
  const server = await serve();
  for (const args of [
    ["edit", "private2/a.ts", "-m", "x"],
    ["fill", "private2/a.ts", "--at", "1:8"],
    ["complete", "private2/a.ts:1:8"],
    ["next", "private2/a.ts:1:8"],
  ]) {
    const { out, err } = await run([...args, ...server.flag]);
    expect(out + err).toContain(".emendignore:1: private*");
  }
  expect(server.calls).toEqual([]);
});

test("row 6: excluded files are not learnt or indexed through links", async () => {
  await run(["learn"]);
  expect(allText(join(top, "cache"))).toContain("two");
  expect(allText(join(top, "cache"))).not.toContain(marker);
});

describe("row 6: the language server", () => {
  const prompts: string[] = [];
  const model: Model = {
    name: "openai-compatible:http://127.0.0.1:1/v1#scripted",
    async *fill(request) {
      prompts.push(JSON.stringify(request));
      yield { kind: "text-delta", text: "1" };
      return { reason: "finished" };
    },
  };
  const uriOf = (path: string) => pathToFileURL(join(work, path)).href;

  async function start(folders: readonly string[] = [work]): Promise<TestClient> {
    prompts.length = 0;
    const client = await TestClient.start({
      model,
      host: { fileSystem: disk },
      initialize: { workspaceFolders: folders.map((folder) => ({ uri: pathToFileURL(folder).href, name: "w" })) },
    });
    onTestFinished(() => client[Symbol.asyncDispose]());
    await client.waitUntilLearnt();
    return client;
  }

  test.each(keptFiles)("completes nothing in %s, which is %s", async (path, kind) => {
    const client = await start();
    const document = await client.open(uriOf(path), `const value = ${marker};\nconst other = |`, "typescript");
    expect(await client.complete(document)).toEqual([]);
    expect(await client.lastReasonKind()).toBe(`${kind}-file`);
    expect(prompts).toEqual([]);
  });

  test("gets nothing of excluded open documents and their edits", async () => {
    const client = await start();
    for (const [path] of keptFiles) {
      const { textDocument } = await client.open(uriOf(path), `export const two = ${marker};\n`, "typescript");
      const contentChanges = [
        { range: { start: { line: 0, character: 0 }, end: { line: 0, character: 0 } }, text: `${marker} ` },
      ];
      await client.connection.sendNotification("textDocument/didChange", {
        textDocument: { ...textDocument, version: 90 },
        contentChanges,
      });
    }
    const document = await client.open(
      uriOf("src/b.ts"),
      "export const two = 2;\nexport const three = two + |",
      "typescript",
    );
    await client.complete(document);
    expect(prompts.join()).toContain("export const three");
    expect(prompts.join()).not.toContain(marker);
  });

  test("judges a link outside of all folders by its target", async () => {
    symlinkSync(join(work, ".env"), join(top, "loose.txt"));
    const client = await start([]);
    const document = await client.open(pathToFileURL(join(top, "loose.txt")).href, `A=${marker}\nB=|`, "plaintext");
    expect(await client.complete(document)).toEqual([]);
    expect(await client.lastReasonKind()).toBe("secret-file");
  });

  test("still completes through a link to a file that may be read", async () => {
    put({ "src/fine.ts": "-> a.ts" });
    const client = await start();
    const document = await client.open(uriOf("src/fine.ts"), "export const one = |;\n", "typescript");
    expect((await client.complete(document)).length).toBe(1);
  });
});
