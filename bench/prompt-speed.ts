/**
 * When ghost text of a slow model comes, through the language server and a scripted server in the
 * place of llama.cpp: `npm run bench:prompt-speed`.
 *
 * `bench/README.md` describes what is measured.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { fileURLToPath, pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import {
  createProtocolConnection,
  type InlineCompletionList,
  StreamMessageReader,
  StreamMessageWriter,
} from "vscode-languageserver/node";
import { SlowScriptedServer } from "../src/model/node/fixtures/slow-scripted-server.ts";
import type { ServerStatus } from "../src/server/index.ts";
import { waitingClock } from "../src/workspace/node/index.ts";
import { type Bar, printBars } from "./bar.ts";

const { values } = parseArgs({
  options: {
    files: { type: "string", default: "500" },
    "pause-s": { type: "string", default: "30" },
    json: { type: "string" },
  },
});
const files = Number(values.files);
const pauseS = Number(values["pause-s"]);
const main = fileURLToPath(new URL("../dist/cli/main.js", import.meta.url));
if (!(files >= 10) || !(pauseS >= 0) || !existsSync(main)) {
  console.error(`npm run build && npm run bench:prompt-speed -- [options]
  --files N    how many files the repository has; default: 500
  --pause-s N  how long the person pauses after the first ghost text; default: 30
  --json FILE  writes all figures`);
  process.exit(2);
}

/** What one server and one limit come to. */
interface Measured {
  readonly tokensPerSecond: number;
  readonly promptMs: number | "default";
  /** From the first request to its ghost text; absent where there was none. */
  readonly firstMs?: number;
  /** How many requests that took. */
  readonly requests: number;
  /** Tokens of the first prompt, and of the last one before the pause ends. */
  readonly firstTokens: number;
  readonly grownTokens: number;
  /** From each key after the pause to its ghost text; only those that had one. */
  readonly keyMs: readonly number[];
  /** The most tokens that were evaluated for one request. */
  readonly mostFresh: number;
}

const top = realpathSync(mkdtempSync(join(tmpdir(), "emend-prompt-speed-")));
const figures: Measured[] = [];
try {
  writeRepository(join(top, "work"));
  // Settings are read again when their folder is made.
  mkdirSync(join(top, "config/emend"), { recursive: true });
  figures.push(await measure(60, "default"), await measure(60, 0), await measure(5_000, "default"));
} finally {
  rmSync(top, { recursive: true, force: true });
}
const [slow, , fast] = figures as [Measured, Measured, Measured];
const bars: Bar[] = [
  {
    name: "60 tokens a second, first ghost text, s",
    value: (slow.firstMs ?? Number.POSITIVE_INFINITY) / 1000,
    bar: 5,
    sense: "at-most",
  },
  { name: "60 tokens a second, most evaluated at once", value: slow.mostFresh, bar: 132, sense: "at-most" },
  {
    name: "5,000 tokens a second, first prompt",
    value: fast.firstTokens / fast.grownTokens,
    bar: 1,
    sense: "at-least",
  },
];
console.log(figures.map((each) => JSON.stringify(each)).join("\n"));
console.log(printBars(bars));
if (values.json !== undefined) {
  const file = { bench: "prompt-speed", node: process.version, files, pauseS, figures, bars };
  writeFileSync(values.json, `${JSON.stringify(file, undefined, 2)}\n`);
}

/** Files that import from one another, each of 60 lines. */
function writeRepository(root: string): void {
  for (let i = 0; i < files; i++) {
    const folder = join(root, `src/part-${i % 20}`);
    mkdirSync(folder, { recursive: true });
    const other = (i * 7 + 1) % files;
    const lines = Array.from(
      { length: 58 },
      (_, n) => `export const price${i}x${n} = total(item${(n * 3) % 40}, rate${n % 7}) + price${other}x${n % 58};\n`,
    );
    const header = `import { price${other}x0 } from "../part-${other % 20}/file-${other}";\n\n`;
    writeFileSync(join(folder, `file-${i}.ts`), header + lines.join(""));
  }
}

async function measure(tokensPerSecond: number, promptMs: number | "default"): Promise<Measured> {
  const server = new SlowScriptedServer({ clock: waitingClock, tokensPerSecond });
  await using listening = await server.listen();
  const root = join(top, "work");
  const { EMEND_MODEL: _, ...inherited } = process.env;
  const child = spawn(process.execPath, [main, "lsp", "--stdio"], {
    ...{ cwd: root, stdio: ["pipe", "pipe", "inherit"] },
    env: { ...inherited, EMEND_CACHE_DIR: join(top, "cache"), XDG_CONFIG_HOME: join(top, "config") },
  });
  const connection = createProtocolConnection(
    new StreamMessageReader(child.stdout),
    new StreamMessageWriter(child.stdin),
  );
  connection.listen();
  const model = `llamacpp:${listening.url}`;
  const models = promptMs === "default" ? {} : { [model]: { promptMs } };
  await connection.sendRequest("initialize", {
    ...{ processId: process.pid, rootUri: null, capabilities: {} },
    workspaceFolders: [{ uri: pathToFileURL(root).href, name: "work" }],
    initializationOptions: { emend: { model, models } },
  });
  await connection.sendNotification("initialized", {});
  const uri = pathToFileURL(join(root, "src/part-3/file-3.ts")).href;
  const line = "const sum = ";
  const before = Array.from({ length: 40 }, (_, n) => `export const price3x${n} = total(item${n}, rate1);\n`).join("");
  let version = 1;
  let character = line.length;
  const textDocument = { uri, languageId: "typescript", version, text: `${before}${line}\n${before}` };
  await connection.sendNotification("textDocument/didOpen", { textDocument });
  const isLearnt = async () =>
    (await connection.sendRequest<ServerStatus>("emend/status")).sessions[0]?.learning.kind === "learnt";
  while (!(await isLearnt())) await wait(100);

  const ask = async (): Promise<number | undefined> => {
    const begun = performance.now();
    const params = { textDocument: { uri, version }, position: { line: 40, character }, context: { triggerKind: 1 } };
    const { items } = await connection.sendRequest<InlineCompletionList>("textDocument/inlineCompletion", params);
    return items.length === 0 ? undefined : performance.now() - begun;
  };
  const begun = performance.now();
  let requests = 1;
  // On a busy machine the first prompt may not be ready in time.
  for (let came = await ask(); came === undefined && performance.now() - begun < 15_000; requests++) came = await ask();
  const passedMs = performance.now() - begun;
  const firstMs = passedMs < 15_000 ? passedMs : undefined;
  const fills = () => server.prompts.filter(({ isFill }) => isFill);
  const first = fills()[0];
  await wait(promptMs === 0 ? 0 : pauseS * 1000);
  const sizeOf = (prompt: (typeof server.prompts)[number] | undefined) =>
    prompt === undefined ? 0 : prompt.cachedTokens + prompt.freshTokens;
  const grownTokens = Math.max(0, ...server.prompts.map(sizeOf));
  const keyMs: number[] = [];
  for (const key of promptMs === 0 ? "" : "item") {
    const at = { line: 40, character };
    version += 1;
    character += 1;
    await connection.sendNotification("textDocument/didChange", {
      textDocument: { uri, version },
      contentChanges: [{ range: { start: at, end: at }, text: key }],
    });
    const took = await ask();
    if (took !== undefined) keyMs.push(took);
  }
  await stop(child, connection);
  const mostFresh = Math.max(0, ...server.prompts.map(({ freshTokens }) => freshTokens));
  return {
    ...{ tokensPerSecond, promptMs, requests, grownTokens, keyMs: keyMs.map(Math.round), mostFresh },
    ...(firstMs !== undefined && { firstMs: Math.round(firstMs) }),
    firstTokens: sizeOf(first),
  };
}

async function stop(child: ChildProcess, connection: ReturnType<typeof createProtocolConnection>): Promise<void> {
  const ended = once(child, "close");
  await connection.sendRequest("shutdown");
  await connection.sendNotification("exit");
  await ended;
  connection.dispose();
}
