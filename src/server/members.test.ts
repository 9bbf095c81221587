import { execFile } from "node:child_process";
import { mkdtempSync, realpathSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { afterEach, expect, onTestFinished, test } from "vitest";
import { filesOfTree, TypeScriptSource } from "../analysis/node/index.ts";
import type { Model } from "../model/index.ts";
import { removeFolder } from "../text/node/fixtures/remove-folder.ts";
import { disk, toPortablePath } from "../workspace/node/index.ts";
import { TestClient } from "./fixtures/test-client.ts";

const files = {
  "tsconfig.json": JSON.stringify({ compilerOptions: { strict: true, types: [], lib: ["es2022"] } }),
  "box.ts": "export interface Box { right: number; left: number }\n",
};

const uri = "file:///w/use.ts";
const typed = "import type { Box } from './box';\n\nexport function width(box: Box) {\n  return box.|\n}\n";

let client: TestClient | undefined;
afterEach(() => client?.[Symbol.asyncDispose]());

/** An editor whose model has one answer, and what is offered then, by key. */
async function offered(answer: string, members: "on" | "off"): Promise<readonly string[]> {
  const model: Model = {
    name: "ollama:scripted",
    async *fill() {
      yield { kind: "text-delta", text: answer };
      return { reason: "finished" };
    },
  };
  const config = { "/w/emend.config.json": JSON.stringify({ complete: { members } }) };
  const onDisk = Object.fromEntries(Object.entries(files).map(([path, text]) => [`/w/${path}`, text]));
  client = await TestClient.start({
    files: { ...onDisk, ...config },
    model,
    host: {
      membersMs: 30_000,
      nextEdits: {
        openTypes: (options) =>
          TypeScriptSource.open({
            ...options,
            files: filesOfTree(options.root, new Map([...Object.entries(files), ["use.ts", typed.replace("|", "")]])),
          }),
      },
    },
  });
  const place = await client.open(uri, typed, "typescript");
  const items = await client.complete(place, { context: { triggerKind: 1 } });
  return items.map(({ insertText }) => (typeof insertText === "string" ? insertText : insertText.value));
}

test.each([
  ["a member that there is", "left - box.right;", "on", ["  return box.left - box.right;"]],
  ["one that is not", "middle;", "on", []],
  ["what comes before one that is not", "left - box.middle;", "on", ["  return box.left - box"]],
  ["anything, unless it is switched on", "middle;", "off", ["  return box.middle;"]],
] as const)("an editor is offered %s", async (_, answer, members, expected) => {
  const all = await offered(answer, members);
  expect(all.map((text) => (text.startsWith("  return") ? text : `  return box.${text}`))).toEqual(expected);
});

/** The type checkers that work in a folder. */
async function checkersIn(root: string): Promise<number> {
  const { stdout } = await promisify(execFile)("ps", ["-A", "-o", "pid=,args="], { maxBuffer: 2 ** 26 });
  // The shell that ends a checker with its owner has the same arguments.
  return stdout.split("\n").filter((line) => line.includes(`--cwd ${root}`) && !line.includes("read -r")).length;
}

test.skipIf(process.platform === "win32")(
  "a session has no type checker while someone types, and one for members and next edits",
  {
    timeout: 120_000,
  },
  async () => {
    const root = toPortablePath(realpathSync(mkdtempSync(join(tmpdir(), "emend-checkers-"))));
    onTestFinished(() => removeFolder(root));
    const config = { "emend.config.json": JSON.stringify({ complete: { members: "on" } }) };
    const text = typed.replace("|", "right * box.right");
    for (const [path, content] of Object.entries({ ...files, ...config, "use.ts": text }))
      writeFileSync(join(root, path), content);
    let answer = "";
    const model: Model = {
      name: "ollama:scripted",
      async *fill() {
        yield { kind: "text-delta", text: answer };
        return { reason: "finished" };
      },
    };
    client = await TestClient.start({
      ...{ model, host: { fileSystem: disk, membersMs: 30_000, nextEdits: {} } },
      initialize: { workspaceFolders: [{ uri: pathToFileURL(root).href, name: "w" }] },
    });
    const { connection } = client;
    const file = pathToFileURL(join(root, "use.ts")).href;
    const place = await client.open(file, text.replace("right * box.right", "|right * box.right"), "typescript");
    let { character } = place.position;
    const type = async (version: number, typedText: string, replaced = 0) => {
      const start = { line: place.position.line, character };
      const range = { start, end: { line: start.line, character: character + replaced } };
      const textDocument = { uri: file, version };
      await connection.sendNotification("textDocument/didChange", {
        textDocument,
        contentChanges: [{ range, text: typedText }],
      });
      character += typedText.length;
    };
    for (let key = 2; key < 52; key += 1) {
      await type(key, "x");
      const position = { line: place.position.line, character };
      // The next key aborts it.
      client.complete({ textDocument: { uri: file }, position }).catch(() => undefined);
      await connection.sendRequest("emend/status");
    }
    expect(await checkersIn(root)).toBe(0);

    character -= 50;
    await type(52, "", 50);
    await type(53, "", "right * box.right".length);
    const position = { line: place.position.line, character };
    await connection.sendRequest("emend/nextEdit", { textDocument: { uri: file, version: 53 }, position });
    expect(await checkersIn(root)).toBe(1);
    answer = "middle;";
    expect(await client.complete({ textDocument: { uri: file }, position })).toEqual([]);
    answer = "left;";
    await type(54, " ");
    const items = await client.complete({ textDocument: { uri: file }, position: { ...position, character } });
    expect(items).toHaveLength(1);
    expect(await checkersIn(root)).toBe(1);
    await client[Symbol.asyncDispose]();
    client = undefined;
    await expect.poll(() => checkersIn(root), { timeout: 5_000 }).toBe(0);
  },
);
