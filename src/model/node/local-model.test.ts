import { existsSync, readFileSync } from "node:fs";
import { mkdtemp, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { InvariantError } from "../../text/index.ts";
import { canTest } from "../../text/node/fixtures/promised-tools.ts";
import { removeFolder } from "../../text/node/fixtures/remove-folder.ts";
import { redacted } from "../fixtures/redacted.ts";
import type { FillRequest, ModelEnd } from "../model.ts";
import { ModelError } from "../model-error.ts";
import { testNextFace } from "../next-face.laws.ts";
import { type TinyModelScript, tinyProbabilities, tinyTokens, writeTinyModel } from "./fixtures/tiny-model.ts";
import { type Llama, type LlamaPackage, llamaVersion, loadLlamaPackage } from "./llama-package.ts";
import { type LocalModel, type LocalModelOptions, openLocalModel } from "./local-model.ts";

const root = new URL("../../../", import.meta.url);
const installed = new URL(".cache/llama/node_modules/node-llama-cpp/dist/index.js", root);
const isInstalled = canTest({
  name: "node-llama-cpp",
  isInstalled: existsSync(installed),
  install: "scripts/install-node-llama-cpp",
});

let llama: Promise<Llama> | undefined;

/**
 * The package, which gets llama.cpp ready once: that takes a second. It is not disposed of, for
 * that would wait without an end for models that could not be loaded and are no more.
 */
async function load(): Promise<LlamaPackage> {
  const { getLlama } = (await import(fileURLToPath(installed))) as LlamaPackage;
  return {
    getLlama: async (options) => {
      llama ??= getLlama(options);
      const { loadModel } = await llama;
      return { loadModel: loadModel.bind(await llama), dispose: async () => {} };
    },
  };
}

const machine = { load, usesGpu: false, threads: 1 } as const;

let folder: string;
const models: LocalModel[] = [];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "emend-model-"));
});

afterEach(async () => {
  for (const model of models.splice(0)) await model[Symbol.asyncDispose]();
});

afterAll(async () => {
  removeFolder(folder);
});

let files = 0;

async function write(bytes: Uint8Array): Promise<string> {
  const path = join(folder, `${files++}.gguf`);
  await writeFile(path, bytes);
  return path;
}

async function open(script: TinyModelScript, options: LocalModelOptions = {}): Promise<LocalModel> {
  const model = await openLocalModel(await write(writeTinyModel(script)), { ...machine, ...options });
  models.push(model);
  return model;
}

/** A place in a text, at the mark `|`. */
function place(marked: string, more: Partial<FillRequest> = {}): FillRequest {
  const [prefix, suffix] = marked.split("|");
  return { path: "a.ts", language: "typescript", prefix: prefix!, suffix: suffix!, ...more };
}

async function fill(model: LocalModel, request: FillRequest, signal?: AbortSignal) {
  const pieces: string[] = [];
  const answer = model.fill(request, signal === undefined ? {} : { signal });
  let step = await answer.next();
  for (; !step.done; step = await answer.next()) pieces.push(step.value.text);
  return { pieces, text: pieces.join(""), end: step.value as ModelEnd };
}

/** The tiny model's tokens of a text. */
function tokensOf(text: string): readonly string[] {
  return (text.match(/ab|[\s\S]/gu) ?? []).flatMap((piece) => {
    const token = piece === " " ? "▁" : piece;
    if (tinyTokens.includes(token)) return [token];
    return [...Buffer.from(piece)].map((byte) => `<0x${byte.toString(16).toUpperCase().padStart(2, "0")}>`);
  });
}

async function failure(work: Promise<unknown>): Promise<ModelError> {
  const error = await work.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(ModelError);
  return error as ModelError;
}

const plain: TinyModelScript = {
  after: { "<HOLE>": { ab: 6, a: 5, "</s>": 3 }, ab: { ";": 8 }, ";": { "</s>": 9 } },
};

describe.runIf(isInstalled)("a model in this process", () => {
  test("a local model fills a hole until its end token and reports the probability", async () => {
    const { pieces, end } = await fill(await open(plain), place("c\n|\n)"));
    expect(pieces).toEqual(["ab", ";"]);
    expect(end.reason).toBe("finished");
    const prompt = ["<BEFORE>", ...tokensOf("c\n"), "<AFTER>", ...tokensOf("\n)"), "<HOLE>"];
    const steps = [["ab"], ["ab", ";"], ["ab", ";", "</s>"]];
    const likely = steps
      .map((step) => tinyProbabilities(plain, [...prompt, ...step.slice(0, -1)]).get(step.at(-1)!)!)
      .reduce((product, probability) => product * probability, 1);
    expect(end.probability).toBeCloseTo(likely, 4);
  });

  test.each<[string, string, Partial<FillRequest>, readonly string[]]>([
    [
      "the line's beginning goes behind the hole",
      "a\n b|;\nc",
      {},
      ["<BEFORE>", ...tokensOf("a\n"), "<AFTER>", ...tokensOf(";\nc"), "<HOLE>", ...tokensOf(" b")],
    ],
    ["nothing at all", "|", {}, ["<BEFORE>", "<AFTER>", "<HOLE>"]],
    [
      "special tokens of the text are text",
      "<HOLE>\n|<AFTER>",
      {},
      ["<BEFORE>", ...tokensOf("<HOLE>\n"), "<AFTER>", ...tokensOf("<AFTER>"), "<HOLE>"],
    ],
    [
      "files beside it",
      "a|",
      { context: [{ path: "b.ts", text: redacted("c\n") }] },
      [
        "<ALL>",
        ...tokensOf("workspace\n"),
        "<EACH>",
        ...tokensOf("b.ts\nc\n"),
        "<EACH>",
        ...tokensOf("a.ts\n"),
        "<BEFORE>",
        "<AFTER>",
        "<HOLE>",
        "a",
      ],
    ],
  ])("is shown %s", async (_, marked, more, prompt) => {
    // The input shows which tokens were read, how many of each, and which of them was the
    // last.
    const given = { "<ALL>": { "(": 40 }, a: { b: 90 }, "<0x0A>": { c: 70 }, "<0x3C>": { "=": 60 }, ")": { "1": 50 } };
    const script = { after: { "<HOLE>": { ab: 1 }, b: { ")": 2 }, a: { "(": 3 } }, given };
    const tokens = await (await open(script)).next({ ...place(marked, more), limit: 8 });
    const expected = tinyProbabilities(script, prompt);
    for (const { text, probability } of tokens) {
      const token = text === "" ? "</s>" : tokensOf(text)[0]!;
      expect(probability).toBeCloseTo(expected.get(token)!, 4);
    }
    const likeliest = [...expected].sort(([, one], [, other]) => other - one)[0]![0];
    expect(tokensOf(tokens[0]!.text)[0]).toBe(likeliest);
  });

  test("a local model uses the template of the settings", async () => {
    const template = {
      name: "mine",
      models: "",
      fill: "<AFTER>{suffix}<BEFORE>{prefix}<HOLE>",
      stops: [";"],
      specialTokens: ["<BEFORE>", "<AFTER>", "<HOLE>"],
    };
    const script = { ...plain, given: { ")": { "=": 40 } }, hasHole: false };
    const model = await open(script, { template });
    expect((await fill(model, place("c|"))).pieces).toEqual(["ab"]);
    const [first] = await model.next(place("<HOLE>|)))"));
    const prompt = ["<AFTER>", ...tokensOf(")))"), "<BEFORE>", ...tokensOf("< HOLE>"), "<HOLE>"];
    expect(first).toEqual({ text: "=", probability: expect.closeTo(tinyProbabilities(script, prompt).get("=")!, 4) });
  });

  test("a local model without fill tokens lists the known templates, as it does for an unknown template", async () => {
    const model = await open({ ...plain, hasHole: false });
    for (const work of [fill(model, place("|")), model.next(place("|"))]) {
      const { code, message } = await failure(work);
      expect(code).toBe("unsupported");
      expect(message).toMatch(/names no tokens for a hole.*qwen, /);
    }
    const other = await open(plain, { template: "quen" });
    expect((await failure(fill(other, place("|")))).message).toMatch(/There is no template `quen` for `gguf:.*qwen, /);
  });

  test.each<[string, readonly string[], TinyModelScript["after"], string]>([
    ["goes on from special tokens", ["<EACH>"], { "<EACH>": { ab: 9 }, ab: { "</s>": 9 } }, "ab"],
    ["says special tokens that are no stop", [], { "<EACH>": { "<ALL>": 9 }, "<ALL>": { "</s>": 9 } }, "<ALL>"],
    ["ends at a stop", ["<ALL>"], { "<EACH>": { a: 9 }, a: { "<ALL>": 9 }, "<ALL>": { b: 9 } }, "a"],
    ["has no lines", ["b"], { "<EACH>": { "<0x0A>": 9 }, "<0x0A>": { b: 9 }, b: { a: 9 } }, "\n"],
  ])("a prompt that is completed as it is %s", async (_, stop, after, expected) => {
    const model = await open({ after, hasHole: false });
    const answer = model.completeRaw({ prompt: "c<EACH>", stop, temperature: 0 });
    let text = "";
    let step = await answer.next();
    for (; !step.done; step = await answer.next()) text += step.value.text;
    expect([text, step.value.reason]).toEqual([expected, "finished"]);
  });

  test("a local model reports a prompt that does not fit and an answer at its limit", async () => {
    const model = await open({ after: { a: { a: 9 } }, hasHole: false, contextTokens: 64 });
    const long = model.completeRaw({ prompt: "a".repeat(64) });
    expect((await failure(long.next())).code).toBe("context-too-long");
    const answer = model.completeRaw({ prompt: "a", maxTokens: 2 });
    expect(await answer.next()).toMatchObject({ value: { text: "a" } });
    await answer.next();
    expect(await answer.next()).toMatchObject({ done: true, value: { reason: "length", limit: "tokens" } });
  });

  test("answers of a local model have at most the requested lines and tokens", async () => {
    const model = await open({ after: { "<HOLE>": { a: 9 }, a: { "<0x0A>": 9 }, "<0x0A>": { a: 9 } } });
    expect(await fill(model, place("|"))).toMatchObject({ text: "a", end: { reason: "length", limit: "lines" } });
    expect((await fill(model, place("|", { maxLines: 3 }))).text).toBe("a\na\na");
    const { text, end } = await fill(model, place("|", { maxLines: 99, maxTokens: 4 }));
    expect({ text, end }).toMatchObject({ text: "a\na\n", end: { reason: "length", limit: "tokens" } });
  });

  test.each<[string, (text: string) => boolean, (text: string) => boolean, string, Partial<ModelEnd>]>([
    ["what is likeliest is refused", (text) => !text.includes("ab"), () => true, "a", { reason: "finished" }],
    ["the end is refused", () => true, (text) => text === "ab;2", "ab;2", { reason: "finished" }],
    ["all is allowed", () => true, () => true, "ab;", { reason: "finished" }],
    ["nothing more is", (text) => "ab;".startsWith(text), () => false, "ab;", { reason: "length", limit: "guide" }],
    ["nothing at all is", (text) => text === "", () => false, "", { reason: "length", limit: "guide" }],
    ["a character of several tokens", (text) => !/[é;]/.test(text), () => true, "ab", { reason: "finished" }],
  ])("a guide is followed: %s", async (_, allows, mayEnd, text, end) => {
    const script: TinyModelScript = {
      after: {
        "<HOLE>": { ab: 6, a: 5, "</s>": 3 },
        ab: { ";": 18, "<0xC3>": 16, "</s>": 9 },
        a: { "</s>": 9 },
        ";": { "</s>": 19, "2": 9 },
        "<0xC3>": { "<0xA9>": 9 },
        "2": { "</s>": 9 },
      },
    };
    const model = await open(script);
    for (const temperature of [0, 0.05]) {
      expect(await fill(model, place("|", { guide: { allows, mayEnd }, temperature }))).toMatchObject({ text, end });
    }
    // It leaves nothing behind that would change the next answer.
    expect(await fill(model, place("|"))).toMatchObject({ text: "ab;", end: { reason: "finished" } });
  });

  test("a character of several tokens is streamed whole by a local model", async () => {
    const bytes = ["<HOLE>", ...tokensOf("é"), ";", "</s>"];
    const after = Object.fromEntries(bytes.slice(0, -1).map((token, i) => [token, { [bytes[i + 1]!]: 9 }]));
    const model = await open({ after });
    expect((await fill(model, place("|"))).pieces).toEqual(["é", ";"]);
    // Its first byte alone is no text.
    expect((await model.next(place("|", {}))).every(({ text }) => !text.includes("\uFFFD"))).toBe(true);
  });

  test("a local model evaluates the common prefix of two prompts once", async () => {
    let read = 0;
    const model = await open(plain, { load: async () => counting(await load(), (count) => (read += count)) });
    const before = `${"c = 1;\n".repeat(12)}`;
    const counts: number[] = [];
    for (const line of ["a", "a", "aa", "aa(c", ""]) {
      read = 0;
      await fill(model, place(`${before}${line}|;\n`));
      counts.push(read);
    }
    // The last token of a prompt is always read again, to get what follows it.
    expect(counts).toEqual([tokensOf(`${before};\na`).length + 3, 1, 1, 2, 1]);
    read = 0;
    await model.warm(place(`${before}|;\n`));
    expect(read).toBe(0);
  });

  test("concurrent requests to a local model are answered one after the other", async () => {
    const model = await open({ after: { a: { ";": 9 }, c: { "=": 9 }, ";": { "</s>": 9 }, "=": { "</s>": 9 } } });
    const lines = ["a", "c", "a", "c"];
    const texts = await Promise.all(lines.map(async (line) => (await fill(model, place(`${line}|`))).text));
    expect(texts).toEqual([";", "=", ";", "="]);
  });

  test("an abort of a request to a local model rejects with its reason at any moment, and the next request is answered", async () => {
    const model = await open({ after: { "<HOLE>": { a: 9 }, a: { a: 9 }, b: { ";": 9 }, ";": { "</s>": 9 } } });
    const reason = { moot: true };
    const stopped = new AbortController();
    stopped.abort(reason);
    await expect(fill(model, place("|"), stopped.signal)).rejects.toBe(reason);
    await expect(model.warm(place("|"), { signal: stopped.signal })).rejects.toBe(reason);

    const inTheMiddle = new AbortController();
    const endless = model.fill(place("|", { maxTokens: 400 }), { signal: inTheMiddle.signal });
    expect((await endless.next()).value).toEqual({ kind: "text-delta", text: "a" });
    const waiting = new AbortController();
    const second = fill(model, place("c|"), waiting.signal);
    waiting.abort(reason);
    await expect(second).rejects.toBe(reason);
    inTheMiddle.abort(reason);
    await expect(endless.next()).rejects.toBe(reason);
    expect((await fill(model, place("b|"))).text).toBe(";");
  });

  test("leaving the stream of a local model early lets the next request run", async () => {
    const model = await open({ after: { "<HOLE>": { a: 9 }, a: { a: 9 }, b: { ";": 9 }, ";": { "</s>": 9 } } });
    for await (const { text } of model.fill(place("|"))) {
      expect(text).toBe("a");
      break;
    }
    expect((await fill(model, place("b|"))).text).toBe(";");
  });

  test("a local model refuses a prompt without room for an answer, and an answer ends at the context limit", async () => {
    const model = await open({ after: { "<HOLE>": { a: 9 }, a: { a: 9 } } }, { contextTokens: 256 });
    const limit = model.contextTokens;
    const { code, message } = await failure(fill(model, place(`${"b".repeat(limit)}|`)));
    expect(code).toBe("context-too-long");
    expect(message).toContain(`has ${limit + 3} tokens`);
    const { text, end } = await fill(model, place(`${"b".repeat(limit - 8)}\n|`, { maxTokens: 99 }));
    expect({ length: text.length, end }).toMatchObject({ length: 4, end: { reason: "length", limit: "tokens" } });
  });

  test("a local model counts tokens and reports its name and context size", async () => {
    const model = await open(plain);
    expect(model.tokenCounter).toMatchObject({ isExact: true, name: model.name });
    for (const text of ["", "ab a\n", "é", "<HOLE>"])
      expect(model.tokenCounter.count(text)).toBe(tokensOf(text).length);
    expect(model.name).toMatch(/^gguf:.*\.gguf$/);
    expect(model.contextTokens).toBe(512);
  });

  test("a local model is disposed of once and refuses later requests", async () => {
    const model = await open(plain);
    await model[Symbol.asyncDispose]();
    await model[Symbol.asyncDispose]();
    await expect(fill(model, place("|"))).rejects.toBeInstanceOf(InvariantError);
  });

  test("a truncated model file is refused with its path", async () => {
    const path = await write(writeTinyModel(plain).subarray(0, 5000));
    const { code, message } = await failure(openLocalModel(path, machine));
    expect(code).toBe("unsupported");
    expect(message).toContain(`llama.cpp cannot run ${path}: `);
  });

  testNextFace("a model in this process", async () => ({
    model: await open({ after: { ...plain.after, c: { "<0xC3>": 4, "</s>": 2 } }, given: { ")": { "=": 40 } } }),
    places: ["|", "a|))", "c|", "ab\nc = 1\n|;\n"].map((marked) => place(marked)),
  }));
});

describe("a model file that cannot be opened", () => {
  const never = () => expect.fail("the file is looked at first");

  test("because it does not exist", async () => {
    const path = join(folder, "none.gguf");
    const { code, message } = await failure(openLocalModel(path, { load: never }));
    expect({ code, message }).toEqual({
      code: "not-found",
      message: `There is no model file ${path}. Check the path behind \`gguf:\`.`,
    });
  });

  test("because it is not a model file, or a folder", async () => {
    for (const bytes of [new Uint8Array(), Buffer.from("GGU"), Buffer.from("<html>")]) {
      const path = await write(bytes);
      expect((await failure(openLocalModel(path, { load: never }))).message).toContain(`${path} is no GGUF file.`);
    }
    expect((await failure(openLocalModel(folder, { load: never }))).code).toBe("unsupported");
  });

  test("because the signal has aborted", async () => {
    const controller = new AbortController();
    controller.abort("moot");
    const path = await write(Buffer.from("GGUF"));
    await expect(openLocalModel(path, { load: never, signal: controller.signal })).rejects.toBe("moot");
  });

  const isBeside = existsSync(new URL("node_modules/node-llama-cpp", root));
  test.skipIf(isBeside)("because the package is not installed, with the command that installs it", async () => {
    const { code, message } = await failure(loadLlamaPackage());
    expect(code).toBe("unsupported");
    expect(message).toContain(`\`npm install node-llama-cpp@${llamaVersion}\``);
  });

  test("the llama package version in the message is that of package.json", () => {
    const { peerDependencies, peerDependenciesMeta } = JSON.parse(readFileSync(new URL("package.json", root), "utf8"));
    expect(peerDependencies).toMatchObject({ "node-llama-cpp": llamaVersion });
    expect(peerDependenciesMeta).toMatchObject({ "node-llama-cpp": { optional: true } });
  });
});

/** The package, telling how many tokens its sequences read. */
function counting(original: LlamaPackage, onCount: (count: number) => void): LlamaPackage {
  const spied = (method: string, count: (argument: readonly unknown[]) => number) => (target: object) =>
    new Proxy(target, {
      get: (object, name) => {
        const value = Reflect.get(object, name);
        if (typeof value !== "function") return value;
        return (...given: readonly unknown[]) => {
          if (name === method) onCount(count(given[0] as readonly unknown[]));
          return value.apply(object, given);
        };
      },
    });
  const sequence = (target: object) =>
    spied(
      "evaluateWithMetadata",
      ({ length }) => length,
    )(spied("evaluateWithoutGeneratingNewTokens", ({ length }) => length)(target));
  const wrap = (target: object, method: string, inner: (made: never) => object) =>
    new Proxy(target, {
      get: (object, name) => {
        const value = Reflect.get(object, name);
        if (typeof value !== "function") return value;
        return (...given: readonly unknown[]) => {
          const made = value.apply(object, given);
          if (name !== method) return made;
          return made instanceof Promise ? made.then((it) => inner(it as never)) : inner(made as never);
        };
      },
    });
  return wrap(original, "getLlama", (llama) =>
    wrap(llama, "loadModel", (model) =>
      wrap(model, "createContext", (context) => wrap(context, "getSequence", sequence)),
    ),
  ) as LlamaPackage;
}
