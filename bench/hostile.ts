/**
 * What hostile and large texts do to the language server and the command line: `npm run
 * bench:hostile -- --seed N`.
 *
 * `bench/README.md` explains the figures.
 */
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { type Bar, printBars } from "./bar.ts";
import { HostileClient, hangMs, type MeasuredAnswer, placeOf } from "./hostile/hostile-client.ts";
import { type HostileText, hostileTexts } from "./hostile/hostile-texts.ts";
import { InstantServer } from "./hostile/instant-server.ts";
import { MeasuredProcess } from "./hostile/measured-process.ts";

const allFeatures = ["ghost-text", "next-edit", "edit", "fill", "impact", "plan"] as const;
type Feature = (typeof allFeatures)[number];

const { values } = parseArgs({
  options: {
    seed: { type: "string", default: "1" },
    texts: { type: "string", default: "200" },
    features: { type: "string", default: allFeatures.join(",") },
    only: { type: "string" },
    main: { type: "string" },
    json: { type: "string" },
  },
});
const features = values.features.split(",") as Feature[];
if (!/^\d+$/.test(values.seed) || !(Number(values.texts) > 0) || !features.every((one) => allFeatures.includes(one))) {
  console.error(`npm run bench:hostile -- [options]
  --seed N         the seed of the texts; default 1
  --texts N        how many texts; default 200
  --features LIST  of ${allFeatures.join(", ")}; default all
  --only WORDS     only texts whose name has these words, such as "deep-parens json"; several such
                   lists are separated by commas
  --main FILE      another built command line than this one's
  --json FILE      writes all figures`);
  process.exit(2);
}
const main = values.main ?? join(fileURLToPath(new URL("..", import.meta.url)), "dist/cli/main.js");
if (!existsSync(main)) throw new Error("The command line is not built; run `npm run build` first");

/** What the text of one row did to one feature. */
interface Row extends MeasuredAnswer {
  readonly text: string;
  readonly feature: string;
}

const limits = { stallMs: 200, answerMs: 2_000, bytes: 1.5e9 };
const wanted = (values.only ?? "").split(",").map((words) => words.trim().split(" "));
const texts = hostileTexts(Number(values.seed), Number(values.texts)).filter(({ name }) =>
  wanted.some((words) => words.every((word) => name.includes(word))),
);
const top = realpathSync(mkdtempSync(join(tmpdir(), "emend-hostile-")));
const rows: Row[] = [];
/**
 * Heap in use 10 seconds after the last document was closed, and before the first was opened.
 * Bytes.
 */
let heap = { before: 0, after: 0 };
try {
  await using server = await InstantServer.open();
  const environment = makeEnvironment(server.model);
  const inEditor: readonly Feature[] = ["ghost-text", "next-edit"];
  if (features.some((feature) => inEditor.includes(feature))) await measureInEditor(server, environment);
  const byCommand = features.filter((feature) => !inEditor.includes(feature));
  for (const text of byCommand.length > 0 ? texts : []) {
    const root = makeRepository(text, environment);
    server.chatAnswer = answerFor(text);
    for (const feature of byCommand)
      add(text, feature, await runCommand(feature, text, root, environment, server.model));
    rmSync(root, { recursive: true, force: true });
  }
} finally {
  rmSync(top, { recursive: true, force: true });
}

const most = (of: (row: Row) => number) => Math.max(0, ...rows.map(of));
const bars: Bar[] = [
  {
    name: "longest stall of the event loop, ms of processor time",
    value: most((row) => row.stallMs),
    bar: limits.stallMs,
    sense: "at-most",
  },
  {
    name: "longest wait for an answer, ms",
    value: most((row) => row.answerMs),
    bar: limits.answerMs,
    sense: "at-most",
  },
  { name: "errors and hangs", value: rows.filter(({ answer }) => isFailure(answer)).length, bar: 0, sense: "at-most" },
  {
    name: "most memory of all processes together, GB",
    value: most((row) => row.bytes) / 1e9,
    bar: limits.bytes / 1e9,
    sense: "at-most",
  },
];
if (heap.before > 0)
  bars.push({
    name: "heap kept of closed documents, MB",
    value: (heap.after - heap.before) / 1e6,
    bar: 50,
    sense: "at-most",
  });
console.log(print());
if (values.json !== undefined) {
  const file = { bench: "hostile", node: process.version, seed: Number(values.seed), rows, heap, bars };
  writeFileSync(values.json, `${JSON.stringify(file, undefined, 2)}\n`);
}

/** One editor opens text after text, as a person does who looks through a repository. */
async function measureInEditor(server: InstantServer, environment: NodeJS.ProcessEnv): Promise<void> {
  const root = join(top, "editor");
  mkdirSync(join(root, ".git"), { recursive: true });
  mkdirSync(join(root, "src"));
  writeFileSync(join(root, "src/small.ts"), "export const small = 1;\n");
  const start = () => HostileClient.start({ main, cwd: root, environment }, server.model);
  let client = await start();
  try {
    await warmUp(client);
    heap = { before: await client.process.heapBytes(), after: 0 };
    client.process.take();
    for (const text of texts) {
      try {
        if (features.includes("ghost-text")) add(text, "ghost-text", await client.ghostText(text));
        for (const kind of features.includes("next-edit") ? ([2, 1] as const) : [])
          add(text, kind === 2 ? "next-edit" : "next-edit by key", await client.nextEdit(text, kind));
        await client.close(text);
      } catch (error) {
        const figures = client.process.take();
        add(text, "server", { answer: `ERROR ${(error as Error).message}`, answerMs: 0, cpuMs: 0, ...figures });
      }
      if (rows.slice(-3).some(({ text: name, answer }) => name === text.name && isFatal(answer))) {
        await client.stop();
        client = await start();
      }
    }
    await wait(10_000);
    heap = { ...heap, after: await client.process.heapBytes() };
  } finally {
    await client.stop();
  }
}

/** What is loaded with the first request of each kind is no document's. */
async function warmUp(client: HostileClient): Promise<void> {
  for (const [language, path] of [
    ["typescript", "warm.ts"],
    ["python", "warm.py"],
  ] as const) {
    const text = { name: "warm", path: `src/${path}`, language, text: "const value1 = 1;\nvalue1;\n" };
    await client.ghostText(text);
    await client.nextEdit(text, 1);
    await client.close(text);
  }
}

async function runCommand(
  feature: Feature,
  text: HostileText,
  root: string,
  environment: NodeJS.ProcessEnv,
  model: string,
): Promise<MeasuredAnswer> {
  const before = text.text.slice(0, placeOf(text.text));
  const place = `${before.split(/\r\n|\r|\n/).length}:${before.length - Math.max(before.lastIndexOf("\n"), before.lastIndexOf("\r"))}`;
  const args = {
    edit: ["edit", text.path, "-m", "Rename the first value.", "--model", model, "--dry-run", "--json"],
    fill: ["fill", text.path, "--at", place, "--model", model, "--json"],
    impact: ["impact", "--json"],
    plan: ["plan", "--dry-run", "--json"],
    "ghost-text": [],
    "next-edit": [],
  }[feature];
  const measured = new MeasuredProcess({ main, args, cwd: root, environment });
  const begun = performance.now();
  let out = "";
  measured.child.stdin!.end();
  measured.child.stdout!.setEncoding("utf8").on("data", (chunk) => {
    if (out.length < 2_000_000) out += chunk;
  });
  let errorOutput = "";
  measured.child.stderr!.setEncoding("utf8").on("data", (chunk) => {
    errorOutput = `${errorOutput}${chunk}`.slice(0, 10_000);
  });
  const ended = new Promise<string>((resolve) => {
    measured.child.once("close", (code, signal) => resolve(signal ?? `exit ${code}`));
  });
  const stopping = new AbortController();
  const hang = wait(hangMs, "HANG", { signal: stopping.signal }).catch(() => "HANG");
  const end = await Promise.race([ended, hang]);
  stopping.abort();
  const answerMs = performance.now() - begun;
  const cpuMs = measured.cpuMs();
  const figures = measured.take();
  await measured.kill();
  const isCrash = /RangeError|TypeError|InvariantError|\n {4}at |FATAL|"code": ?"internal"/.test(
    errorOutput + out.slice(0, 5_000),
  );
  const isError = isCrash || /SIG/.test(end);
  // A command that refuses prints why; that is shown with its exit code, so that a wrong call of
  // this benchmark does not pass for an answer.
  const why = end === "exit 0" ? "" : ` ${out.slice(0, 300)} ${errorOutput}`.slice(0, 300);
  const answer = end === "HANG" ? end : `${isError ? "ERROR " : ""}${end}${why}`;
  return { answer, answerMs, cpuMs, ...figures };
}

/** A repository whose only change is a longer name in the text. */
function makeRepository({ path, text }: HostileText, environment: NodeJS.ProcessEnv): string {
  const root = mkdtempSync(join(top, "repository-"));
  const git = (...args: string[]) => execFileSync("git", args, { cwd: root, env: environment, stdio: "ignore" });
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
  writeFileSync(join(root, "src/small.ts"), "export const small = 1;\n");
  git("init", "-q");
  git("add", ".");
  git("-c", "user.name=a", "-c", "user.email=a@b.c", "commit", "-qm", "one");
  const at = placeOf(text);
  writeFileSync(join(root, path), `${text.slice(0, at)}QQ${text.slice(at)}`);
  return root;
}

/**
 * An answer that changes the first line of the changed text, where that is short; else it changes
 * nothing that there is.
 */
function answerFor({ path, text }: HostileText): string {
  const at = placeOf(text);
  const first = `${text.slice(0, at)}QQ${text.slice(at)}`.split(/\r\n|\r|\n/, 1)[0]!.slice(0, 200);
  return `${path}\n<<<<<<< SEARCH\n${first}\n=======\n${first} \n>>>>>>> REPLACE\n`;
}

function makeEnvironment(model: string): NodeJS.ProcessEnv {
  const { EMEND_MODEL: _, ...inherited } = process.env;
  const config = join(top, "config");
  mkdirSync(join(config, "emend"), { recursive: true });
  const settings = { model: [model], next: { model: [model], typesMs: 500 }, types: { maxMemoryMb: 1_024 } };
  writeFileSync(join(config, "emend/emend.config.json"), JSON.stringify(settings));
  return {
    ...inherited,
    EMEND_CACHE_DIR: join(top, "cache"),
    XDG_CONFIG_HOME: config,
    XDG_STATE_HOME: join(top, "state"),
  };
}

function add({ name }: HostileText, feature: string, answer: MeasuredAnswer): void {
  const row = { text: name, feature, ...answer };
  rows.push(row);
  // Hours may pass with a version that hangs: what misses a bar is printed at once.
  if (isOver(row)) console.error(lineOf(row));
}

function isFailure(answer: string): boolean {
  return answer.startsWith("ERROR") || answer === "HANG";
}

/** Whether the server can't be requested any more. */
function isFatal(answer: string): boolean {
  return answer === "HANG" || /connection|disposed|ended/i.test(answer);
}

function print(): string {
  const head = `${"text".padEnd(42)}${"feature".padEnd(17)}${"stall ms".padStart(8)}${"answer ms".padStart(10)}${"CPU ms".padStart(7)}${"MB".padStart(7)}  answer`;
  const over = rows.filter(isOver).sort((a, b) => b.stallMs - a.stallMs);
  const all = [...new Set(rows.map(({ feature }) => feature))].map((feature) => {
    const own = rows.filter((row) => row.feature === feature);
    const max = (of: (row: Row) => number) => Math.max(...own.map(of));
    const misses = own.filter(isOver).length;
    return lineOf({
      ...{ text: `all ${own.length}`, feature, answer: `${misses} over a bar` },
      ...{ stallMs: max((row) => row.stallMs), answerMs: max((row) => row.answerMs) },
      ...{ cpuMs: max((row) => row.cpuMs), bytes: max((row) => row.bytes) },
    });
  });
  return `${[head, ...over.map(lineOf), "", ...all].join("\n")}\n\n${printBars(bars)}`;
}

function isOver({ stallMs, answerMs, bytes, answer }: Row): boolean {
  return stallMs > limits.stallMs || answerMs > limits.answerMs || bytes > limits.bytes || isFailure(answer);
}

function lineOf(row: Row): string {
  return [
    row.text.padEnd(42),
    row.feature.padEnd(17),
    row.stallMs.toFixed(0).padStart(8),
    row.answerMs.toFixed(0).padStart(10),
    row.cpuMs.toFixed(0).padStart(7),
    (row.bytes / 1e6).toFixed(0).padStart(7),
    `  ${row.answer.replaceAll(/\s+/g, " ").slice(0, 80)}`,
  ].join("");
}
