/**
 * Whether prompts fit into the context of the model, by llama.cpp's real server:
 * `npm run bench:context-size`.
 *
 * `bench/README.md` describes what is counted.
 */
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { seededRandom } from "../scripts/train/seeded-random.ts";
import type { Clock } from "../src/async/index.ts";
import { AcceptanceModel, GhostTextEngine } from "../src/complete/index.ts";
import { CodeIndex, EditHistory } from "../src/context/index.ts";
import { type FetchResponse, type ModelHost, type ModelSettings, openModel } from "../src/model/index.ts";
import { startLlamaServer } from "../src/model/node/fixtures/llama-server.ts";
import { writeTinyModel } from "../src/model/node/fixtures/tiny-model.ts";
import { webHost } from "../src/model/node/index.ts";
import { loadSessionSettings, SessionPrompts } from "../src/server/session/index.ts";
import { openSyntax } from "../src/syntax/node/index.ts";
import { readSources, walkWorkspace } from "../src/workspace/index.ts";
import { disk, toPortablePath, waitingClock } from "../src/workspace/node/index.ts";
import { type Bar, printBars } from "./bar.ts";

const usage = `npm run bench:context-size -- [FOLDER] [options]
  FOLDER           whose sources are completed; default: this repository
  --model FILE     a GGUF file instead of the model with byte tokens that is made for this
  --contexts LIST  sizes in tokens; default: 2048,4096,8192,32768
  --places N       places for all sizes together, half of them in generated Chinese files; default: 200
  --seed N         default: 1
  --json FILE      writes all figures`;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    model: { type: "string" },
    contexts: { type: "string", default: "2048,4096,8192,32768" },
    places: { type: "string", default: "200" },
    seed: { type: "string", default: "1" },
    json: { type: "string" },
  },
});
const contexts = values.contexts.split(",").map(Number);
const each = Math.ceil(Number(values.places) / contexts.length);
if (contexts.some((size) => !(size >= 256)) || !(each > 0)) {
  console.error(usage);
  process.exit(2);
}

/** A file, and a place in it. */
interface Place {
  readonly path: string;
  readonly language: string;
  readonly text: string;
  readonly offset: number;
}

/** What became of one request. */
interface Measured {
  /** Absent where there was ghost text. */
  readonly reason?: string;
  /** Tokens of the prompt that was answered, as the server counts them. */
  readonly promptTokens?: number;
}

/** What became of one place. */
interface Pair {
  readonly path: string;
  /** Whether the file alone has as many tokens as the prompt may have. */
  readonly hasMuch: boolean;
  readonly reported: Measured;
  readonly byHand: Measured;
}

/** What became of the places of one context. */
interface Measurement {
  /** The size that the server allows, in tokens. */
  readonly size: number;
  readonly pairs: readonly Pair[];
}

/** No time limit of a model ends a request, however slow the machine is, in milliseconds. */
const longMs = 600_000;
const maxTokens = 8192;
/** What is kept for the answer: 16 lines of 40 tokens, at most a quarter of the context. */
const kept = (size: number) => Math.min(640, size / 4);
/** The most tokens that a prompt may have. */
const allowed = (size: number) => Math.min(maxTokens, size - kept(size));
const random = seededRandom(Number(values.seed));
const index = new CodeIndex();
const work = realpathSync(mkdtempSync(join(tmpdir(), "emend-context-size-")));
const figures: object[] = [];
const bars: Bar[] = [];
try {
  await readFolder(toPortablePath(realpathSync(resolve(positionals[0] ?? join(import.meta.dirname, "..")))));
  for (let i = 0; i < 20; i++) index.set(`chinese/file-${i}.ts`, "typescript", chineseSource());
  const file = values.model ?? join(work, "bytes.gguf");
  if (values.model === undefined) {
    const after = { "<HOLE>": { "1": 6 }, "1": { ";": 6 }, ";": { "</s>": 6 } };
    writeFileSync(file, writeTinyModel({ after, contextTokens: Math.max(...contexts) }));
  }
  for (const size of contexts) {
    using server = await startLlamaServer(file, "-c", String(size));
    report(size, await measure(server.url, choosePlaces(each)));
  }
} finally {
  rmSync(work, { recursive: true, force: true });
}
console.log(printBars(bars));
if (values.json !== undefined) {
  const file = { bench: "context-size", node: process.version, model: values.model ?? "byte tokens", figures, bars };
  writeFileSync(values.json, `${JSON.stringify(file, undefined, 2)}\n`);
}

async function readFolder(root: string): Promise<void> {
  const paths: string[] = [];
  for await (const item of walkWorkspace(root, { fileSystem: disk })) if (item.kind === "file") paths.push(item.path);
  for await (const answer of readSources(root, paths, { fileSystem: disk, unknownLanguages: "skip" })) {
    if (answer.kind === "source") index.set(answer.path, answer.language, answer.text);
  }
}

/** A source with Chinese comments, texts and names, of 300 lines. */
function chineseSource(): string {
  const word = (length: number) =>
    Array.from({ length }, () => String.fromCharCode(0x4e00 + Math.floor(random() * 0x3000))).join("");
  return Array.from({ length: 100 }, (_, i) => {
    const name = word(4);
    return `// ${word(24)}，${word(12)}。\nexport const ${name}${i} = "${word(16)}";\nexport const ${name}长${i} = ${name}${i}.length;\n`;
  }).join("");
}

/** Places behind ` = `, the rest of whose line is taken out: every second one in a Chinese file. */
function choosePlaces(count: number): readonly Place[] {
  const paths = [...index.paths].sort();
  const groups = [
    paths.filter((path) => !path.startsWith("chinese/")),
    paths.filter((path) => path.startsWith("chinese/")),
  ];
  return Array.from({ length: count }, (_, i) => {
    const group = groups[i % 2]!;
    for (;;) {
      const path = group[Math.floor(random() * group.length)]!;
      const { text, language } = index.file(path)!;
      const lines = [...text.matchAll(/^.*\w = (?=.*;$)/gm)];
      if (lines.length > 0 && /script/.test(language)) {
        const line = lines[Math.floor(random() * lines.length)]!;
        const offset = line.index + line[0].length;
        return { path, language, text: text.slice(0, offset) + text.slice(text.indexOf("\n", offset)), offset };
      }
    }
  });
}

/**
 * Requests every place with the size that the server reports, and at once with the same size set by
 * hand: where the prompt is the same, the server need not evaluate it again.
 */
async function measure(url: string, places: readonly Place[]): Promise<Measurement> {
  const size = await sizeOf(url);
  await using reported = await openSession(url, {});
  await using byHand = await openSession(url, { contextTokens: size });
  const pairs: Pair[] = [];
  for (const place of places) {
    const hasMuch = (await tokensOf(url, place.text)) >= allowed(size);
    pairs.push({
      ...{ path: place.path, hasMuch },
      reported: await reported.complete(place),
      byHand: await byHand.complete(place),
    });
  }
  return { size, pairs };
}

/**
 * The size that a server allows: at most that of the model's file, whatever it was started with.
 */
async function sizeOf(url: string): Promise<number> {
  const props = (await (await fetch(`${url}/props`)).json()) as {
    readonly default_generation_settings: { readonly n_ctx: number };
  };
  return props.default_generation_settings.n_ctx;
}

/** An engine of ghost text with a model of these settings. */
async function openSession(
  url: string,
  modelSettings: ModelSettings,
): Promise<AsyncDisposable & { complete(place: Place): Promise<Measured> }> {
  let promptTokens: number | undefined;
  // Both requests of a place have the same answer where they have the same prompt: it is not
  // sampled, and no rounding depends on what the server keeps; the model with byte tokens needs no
  // such care. No prompt is made shorter because the machine is slow.
  const own = {
    request: { temperature: 0, cache_prompt: values.model === undefined },
    ...{ promptMs: 0, totalMs: longMs, firstByteMs: longMs, idleMs: longMs },
  };
  const host = webHost({ environment: {}, settings: { ...own, ...modelSettings } });
  const { clock } = host;
  const patient: Clock = { now: () => clock.now(), after: (delayMs, task) => clock.after(delayMs * 100, task) };
  const counting: ModelHost = {
    ...host,
    clock: patient,
    fetch: async (to, request) => watched(await host.fetch(to, request), (tokens) => (promptTokens = tokens)),
  };
  const settings = await loadSessionSettings(
    {
      ...{
        fileSystem: disk,
        userFolder: work,
        environment: {},
        openModel: () => openModel(`llamacpp:${url}`, counting),
      },
      flags: [
        { flag: "model", path: ["model"], value: [`llamacpp:${url}`] },
        { flag: "timeout", path: ["complete", "timeoutMs"], value: 600_000 },
      ],
    },
    { root: work, editor: {} },
  );
  const prompts = new SessionPrompts({
    ...{ settings, index, history: new EditHistory(), uncommitted: undefined, clock: waitingClock },
    openFiles: async () => [],
  });
  const syntax = openSyntax();
  const engine = new GhostTextEngine({
    ...{
      clock: waitingClock,
      syntax,
      acceptance: new AcceptanceModel(),
      settings: { ...settings.ghostText, promptMs: 60_000 },
    },
    models: settings.models.flatMap((model) => (model === "builtin" ? [] : [model])),
    access: () => ({ kind: "allowed" }),
    prompt: (request, model, options) => prompts.promptFor(request, model, options),
  });
  return {
    async complete({ path, language, text, offset }) {
      promptTokens = undefined;
      const document = { uri: `file:///${path}`, language, version: 1, text };
      const outcome = await engine.complete({ document, path, offset, trigger: "invoked" });
      return {
        ...(outcome.kind === "no-suggestion" && { reason: describe(outcome.reason) }),
        ...(promptTokens !== undefined && { promptTokens }),
      };
    },
    async [Symbol.asyncDispose]() {
      engine[Symbol.dispose]();
      syntax[Symbol.dispose]();
    },
  };
}

/** The kind of a reason, with the code of a failure. */
function describe(reason: { readonly kind: string; readonly message?: string }): string {
  return /model-failed|timed-out/.test(reason.kind) ? `${reason.kind}: ${JSON.stringify(reason)}` : reason.kind;
}

/** Passes on an answer, and the number of its prompt's tokens. */
function watched(response: FetchResponse, onTokens: (tokens: number) => void): FetchResponse {
  const { body } = response;
  if (body === null) return response;
  const decoder = new TextDecoder();
  let text = "";
  return {
    status: response.status,
    headers: response.headers,
    body: {
      getReader() {
        const reader = body.getReader();
        return {
          async read() {
            const piece = await reader.read();
            if (piece.value !== undefined && text.length < 10_000) {
              text += decoder.decode(piece.value, { stream: true });
              const tokens = /"tokens_evaluated":(\d+)/.exec(text)?.[1];
              if (tokens !== undefined) onTokens(Number(tokens));
            }
            return piece;
          },
        };
      },
    },
  };
}

async function tokensOf(url: string, content: string): Promise<number> {
  const answer = await fetch(`${url}/tokenize`, { method: "POST", body: JSON.stringify({ content }) });
  return ((await answer.json()) as { readonly tokens: readonly number[] }).tokens.length;
}

function report(started: number, { size, pairs }: Measurement): void {
  const suggestions = (who: "reported" | "byHand") => pairs.filter((pair) => pair[who].reason === undefined).length;
  const errors = pairs.flatMap(({ reported: { reason = "" } }) =>
    /^(model-failed|timed-out)/.test(reason) ? [reason] : [],
  );
  const full = pairs.flatMap(({ hasMuch, reported: { promptTokens } }) =>
    hasMuch && promptTokens !== undefined ? [promptTokens / allowed(size)] : [],
  );
  const shares = full.sort((a, b) => a - b);
  figures.push({ started, size, pairs });
  const name = size === started ? String(size) : `${size} (started with ${started})`;
  console.log(
    `${name}: ${suggestions("reported")} of ${pairs.length} suggestions, ${suggestions("byHand")} with the size set; ` +
      `${errors.length} errors; ${shares.length} long files, share of prompts ${shares.map((share) => share.toFixed(2)).join(" ")}`,
  );
  for (const reason of new Set(errors)) console.log(`  ${reason}`);
  bars.push(
    { name: `${name}: errors`, value: errors.length, bar: 0, sense: "at-most" },
    { name: `${name}: least share of the prompt`, value: shares[0] ?? 1, bar: 0.85, sense: "at-least" },
    {
      name: `${name}: suggestions fewer than by hand`,
      value: suggestions("byHand") - suggestions("reported"),
      bar: 0,
      sense: "at-most",
    },
  );
}
