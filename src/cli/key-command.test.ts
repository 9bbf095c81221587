import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterEach, beforeAll, beforeEach, describe, expect, onTestFinished, test } from "vitest";
import {
  createProtocolConnection,
  type ProtocolConnection,
  StreamMessageReader,
  StreamMessageWriter,
} from "vscode-languageserver/node";
import { ScriptedServer } from "../model/node/fixtures/scripted-server.ts";
import { removeFolder } from "../text/node/fixtures/remove-folder.ts";
import { connectToPage, startServe } from "./fixtures/page-client.ts";
import { renamed, Shop } from "./fixtures/plan-shop.ts";
import { buildPackage, main } from "./fixtures/run-cli.ts";

beforeAll(buildPackage, 300_000);

let top: string;
let server: ScriptedServer;
let environment: Record<string, string>;

beforeEach(async () => {
  top = realpathSync(mkdtempSync(join(tmpdir(), "emend-key-command-")));
  const event = { choices: [{ index: 0, text: "one;", finish_reason: "stop" }] };
  server = await ScriptedServer.start(({ method }) =>
    method === "GET"
      ? { status: 404, chunks: ["{}"] }
      : {
          headers: { "content-type": "text/event-stream" },
          chunks: [`data: ${JSON.stringify(event)}\n\ndata: [DONE]\n\n`],
        },
  );
  environment = {
    ...{ PATH: process.env["PATH"]!, HOME: top, XDG_CONFIG_HOME: join(top, "config") },
    ...{ EMEND_STATE_DIR: join(top, "state"), EMEND_CACHE_DIR: join(top, "cache") },
  };
  write("work/src/a.ts", "export const one = 1;\nexport const two = \n");
});
afterEach(async () => {
  await server[Symbol.asyncDispose]();
  removeFolder(top);
});

function write(path: string, text: string): void {
  mkdirSync(dirname(join(top, path)), { recursive: true });
  writeFileSync(join(top, path), text);
}

const mark = () => join(top, "ran");
/** A command that leaves a mark with its environment, and prints a key. */
const keyCommand = () => [
  process.execPath,
  "-e",
  'require("fs").writeFileSync(process.argv[1], JSON.stringify(process.env)); console.log("k3y-of-command")',
  mark(),
];
const model = () => `openai-compatible:${server.url}/v1#m`;
const withCommand = () => ({ models: { [model()]: { keyCommand: keyCommand() } } });
const writeOwn = (settings: object) => write("config/emend/emend.config.json", JSON.stringify(settings));
const keysSeen = () => server.seen.map(({ headers }) => headers["authorization"]);

async function emend(args: readonly string[], more: Record<string, string> = {}) {
  const child = spawn(process.execPath, [main, ...args], {
    ...{ cwd: join(top, "work"), env: { ...environment, ...more }, stdio: ["ignore", "pipe", "pipe"] },
  });
  let out = "";
  child.stdout!.on("data", (text) => {
    out += text;
  });
  child.stderr!.on("data", (text) => {
    out += text;
  });
  const [exitCode] = await once(child, "close");
  return { out, exitCode };
}

const place = ["complete", "src/a.ts:2:20"];

describe("a command for a model's key", { timeout: 120_000 }, () => {
  test("in the user's own file runs at the first request, and its key is sent and never shown", async () => {
    writeOwn({ model: model(), ...withCommand() });
    const { out, exitCode } = await emend(place);
    expect([exitCode, keysSeen()]).toEqual([0, expect.arrayContaining(["Bearer k3y-of-command"])]);
    const status = await emend(["status"]);
    expect(status.out).toMatch(/\n {2}Key +from models\["openai-compatible:.*"\]\.keyCommand\n/);
    expect(out + status.out).not.toContain("k3y");
  });

  test.each<[string, () => readonly string[], Record<string, string>]>([
    [
      "a workspace",
      () => {
        write("work/emend.config.json", JSON.stringify(withCommand()));
        return [];
      },
      {},
    ],
    [
      "a trusted workspace",
      () => {
        write("work/emend.config.json", JSON.stringify(withCommand()));
        return ["--trust"];
      },
      {},
    ],
    [
      "code of a trusted workspace",
      () => {
        write("work/emend.config.mjs", `export default ${JSON.stringify(withCommand())}`);
        return ["--trust"];
      },
      {},
    ],
    ["a variable", () => [], { EMEND_MODELS_KEY_COMMAND: "touch,ran" }],
  ])("in %s does not run", async (_, prepare, variables) => {
    writeOwn({ model: model() });
    await emend([...place, ...prepare()], variables);
    expect([existsSync(mark()), existsSync(join(top, "work/ran"))]).toEqual([false, false]);
    expect([...new Set(keysSeen())]).toEqual([undefined]);
  });

  /** Sends a client's settings with the command, and requests ghost text. */
  async function completeWith(connection: ProtocolConnection): Promise<void> {
    const uri = pathToFileURL(join(top, "work")).href;
    await connection.sendRequest("initialize", {
      ...{ processId: process.pid, rootUri: uri, workspaceFolders: [{ uri, name: "work" }] },
      ...{
        capabilities: {},
        initializationOptions: { emend: withCommand(), settings: withCommand(), isTrusted: true },
      },
    });
    await connection.sendNotification("initialized", {});
    await connection.sendNotification("workspace/didChangeConfiguration", { settings: { emend: withCommand() } });
    const textDocument = { uri: `${uri}/src/a.ts`, languageId: "typescript", version: 1 };
    const text = readFileSync(join(top, "work/src/a.ts"), "utf8");
    await connection.sendNotification("textDocument/didOpen", { textDocument: { ...textDocument, text } });
    await connection.sendRequest("textDocument/inlineCompletion", {
      ...{ textDocument, position: { line: 1, character: 19 }, context: { triggerKind: 1 } },
    });
    expect([...new Set(keysSeen())]).toEqual([undefined]);
    expect(existsSync(mark())).toBe(false);
  }

  test("in an editor's settings does not run", async () => {
    writeOwn({ model: model() });
    const child = spawn(process.execPath, [main, "lsp", "--stdio"], {
      ...{ cwd: join(top, "work"), env: environment, stdio: ["pipe", "pipe", "ignore"] },
    });
    const connection = createProtocolConnection(
      new StreamMessageReader(child.stdout!),
      new StreamMessageWriter(child.stdin!),
    );
    onTestFinished(() => {
      connection.dispose();
      child.kill("SIGKILL");
    });
    connection.listen();
    await completeWith(connection);
  });

  test("in the page's settings does not run", async () => {
    writeOwn({ model: model() });
    const page = await startServe(["--no-open"], { folder: join(top, "work"), environment });
    onTestFinished(() => void page.child.kill("SIGKILL"));
    const connection = await connectToPage(page.url);
    onTestFinished(() => connection.dispose());
    await completeWith(connection);
  });
});

describe("programs that Emend starts get no key of a model", { timeout: 120_000 }, () => {
  const keys = {
    OPENAI_COMPATIBLE_API_KEY: "",
    MISTRAL_API_KEY: "k3y-1",
    GEMINI_API_KEY: "k3y-2",
    EMEND_HEADERS: "x: k3y-3",
  };

  test.skipIf(process.platform === "win32")("git and a command for a key, by the built program", async () => {
    write("bin/git", `#!/bin/sh\nenv >> "${join(top, "git")}"\nexit 1\n`);
    chmodSync(join(top, "bin/git"), 0o755);
    writeOwn({ model: model(), ...withCommand() });
    await emend(place, { ...keys, OTHER: "kept", PATH: `${join(top, "bin")}:${environment["PATH"]}` });
    for (const seen of [readFileSync(join(top, "git"), "utf8"), readFileSync(mark(), "utf8")]) {
      expect(seen).toContain("kept");
      expect(seen).not.toMatch(/k3y|MISTRAL_API_KEY|EMEND_HEADERS/);
    }
    expect(keysSeen()).toContain("Bearer k3y-of-command");
  });

  test.skipIf(process.platform === "win32")("a verification command of a plan", async () => {
    const work = new Shop();
    work.commit({ "check.sh": `env > "${join(top, "verify")}"\n` });
    work.write({ "src/price.ts": renamed });
    const variables = { ...work.environment, ...keys, OTHER: "kept" };
    await work.run(["plan", "--verify", "tsc:sh check.sh", "--yes"], { environment: variables });
    const seen = readFileSync(join(top, "verify"), "utf8");
    expect(seen).toContain("OTHER=kept");
    expect(seen).not.toMatch(/k3y/);
  });
});
