import { open } from "node:fs/promises";
import { availableParallelism } from "node:os";
import { SerialQueue } from "../../async/index.ts";
import { EmendError, errorMessage, InvariantError, invariant, oneLine } from "../../text/index.ts";
import { defaultNextTokens } from "../clients/next-tokens.ts";
import { maxTokensOf, type WirePart } from "../clients/server-client.ts";
import { cutAtStops, cutText } from "../clients/stream-text.ts";
import type {
  FillGuide,
  FillRequest,
  Model,
  ModelCallOptions,
  ModelEnd,
  NextRequest,
  NextToken,
  RawRequest,
  TextPart,
  TokenCounter,
} from "../model.ts";
import { ModelError } from "../model-error.ts";
import { printModelSetting } from "../model-name.ts";
import { printFillWay } from "../model-report.ts";
import type { FillTemplate } from "../templates/families.ts";
import {
  type Llama,
  type LlamaModel,
  type LlamaPackage,
  type LlamaSequence,
  loadLlamaPackage,
} from "./llama-package.ts";
import { beginningOf, type LocalPrompt, localPromptOf } from "./local-prompt.ts";

/** How a model file is opened. */
export interface LocalModelOptions extends ModelCallOptions {
  /** The fill-in-the-middle template; default: the tokens that the file itself names. */
  readonly template?: string | FillTemplate | undefined;
  /**
   * The most tokens of a prompt and its answer; default: 8192, or what the model was made for if
   * that is less.
   */
  readonly contextTokens?: number | undefined;
  /** Whether a graphics card may do the work; default: true. */
  readonly usesGpu?: boolean | undefined;
  /**
   * How many threads of the processor do the work; default: half of what it has, for a person works
   * on the rest.
   */
  readonly threads?: number | undefined;
  /** Loads `node-llama-cpp`; default: from beside Emend. */
  readonly load?: (() => Promise<LlamaPackage>) | undefined;
}

/**
 * The default size of a context in tokens: more costs memory that a person may want for something
 * else.
 */
const defaultContextTokens = 8192;

/** So many tokens are read before the signal is tested again. */
const tokensAtOnce = 128;

/**
 * Opens the model in a GGUF file, to run in this process by llama.cpp. The caller disposes of it.
 *
 * Rejects with {@link ModelError}: `not-found` where there is no file, `unsupported` where it is no
 * model file, where llama.cpp cannot run it, and where `node-llama-cpp` is not installed. Rejects
 * with the signal's reason. An unknown template is an error of the first fill.
 */
export async function openLocalModel(path: string, options: LocalModelOptions = {}): Promise<LocalModel> {
  const { signal, load = loadLlamaPackage, usesGpu = true } = options;
  await checkFile(path);
  signal?.throwIfAborted();
  const { getLlama } = await load();
  let llama: Llama | undefined;
  let complaint = "";
  const logger = (_: string, message: string): void => {
    // The first one is the cause, what comes after it are the consequences.
    if (complaint === "") complaint = message;
  };
  const gpu = usesGpu ? "auto" : false;
  try {
    llama = await getLlama({ gpu, build: "never", logLevel: "error", logger, progressLogs: false });
    signal?.throwIfAborted();
    const model = await llama.loadModel({ modelPath: path, ...(signal === undefined ? {} : { loadSignal: signal }) });
    const contextSize = options.contextTokens ?? Math.min(model.trainContextSize, defaultContextTokens);
    const threads = options.threads ?? Math.max(1, Math.floor(availableParallelism() / 2));
    const context = await model.createContext({ contextSize, threads });
    signal?.throwIfAborted();
    return new LocalModel(path, { llama, model, sequence: context.getSequence(), template: options.template });
  } catch (error) {
    // Not waited for: it may never end once the garbage collector has taken the model that could
    // not be loaded.
    llama?.dispose().catch(() => {});
    signal?.throwIfAborted();
    if (error instanceof EmendError) throw error;
    const detail = complaint !== "" ? complaint : errorMessage(error);
    throw new ModelError("unsupported", `llama.cpp cannot run ${path}: ${clauseOf(detail)}.`, { cause: error });
  }
}

export interface OpenParts {
  readonly llama: Llama;
  readonly model: LlamaModel;
  readonly sequence: LlamaSequence;
  readonly template: string | FillTemplate | undefined;
}

/**
 * A model that runs in this process. Questions are answered one after the other; what two of them
 * have in common at their beginnings is read once. The owner disposes of it, and sends no request
 * after that.
 */
export class LocalModel implements Model, AsyncDisposable {
  readonly name: string;
  readonly followsGuide = true;
  readonly contextTokens: number;
  readonly tokenCounter: TokenCounter;
  readonly fillWay: string;
  readonly #parts: OpenParts;
  readonly #turns = new SerialQueue();
  #prompt: LocalPrompt | undefined;
  #disposed: Promise<void> | undefined;

  /** See {@link openLocalModel}. */
  constructor(path: string, parts: OpenParts) {
    this.name = `gguf:${path}`;
    this.contextTokens = parts.sequence.contextSize;
    this.#parts = parts;
    const { template } = parts;
    const name = typeof template === "object" ? template.name : template;
    this.fillWay = name === undefined ? "the tokens that its file names" : printFillWay("template", name);
    this.tokenCounter = {
      name: this.name,
      isExact: true,
      count: (text) => parts.model.tokenize(text, false, "trimLeadingSpace").length,
    };
  }

  /**
   * Streams text for a hole. Rejects with the signal's reason on abort, and with
   * {@link ModelError}: with code "unsupported" where the model has no format for a hole, with
   * "context-too-long" where the prompt does not fit, and with "server-failed" where llama.cpp
   * fails.
   */
  async *fill(request: FillRequest, { signal }: ModelCallOptions = {}): AsyncGenerator<TextPart, ModelEnd> {
    signal?.throwIfAborted();
    const { cuts } = this.#promptFor();
    const { maxLines = 1 } = request;
    const tokens = this.#tokensOf(request);
    return yield* cutText(this.#generate(tokens, request, signal), { cuts, maxLines });
  }

  /**
   * Streams the continuation of a prompt. Special tokens of the answer that do not end it are text,
   * as a server prints them.
   *
   * Rejects with the signal's reason on abort, and with {@link ModelError}: with code
   * "context-too-long" where the prompt does not fit, and with "server-failed" where llama.cpp
   * fails.
   */
  async *completeRaw(request: RawRequest, { signal }: ModelCallOptions = {}): AsyncGenerator<TextPart, ModelEnd> {
    signal?.throwIfAborted();
    this.#checkOpen();
    const { model } = this.#parts;
    const { stop = [] } = request;
    const tokens = this.#fitting([...beginningOf(model), ...model.tokenize(request.prompt, true, "trimLeadingSpace")]);
    const generated = this.#generate(tokens, { ...request, showsSpecial: true }, signal);
    return yield* cutAtStops(generated, { stops: stop });
  }

  /** Reads the prompt of a fill, so that the fill answers sooner. Rejects as {@link fill} does. */
  async warm(request: FillRequest, { signal }: ModelCallOptions = {}): Promise<void> {
    const tokens = this.#tokensOf(request);
    using _turn = await this.#turns.take(signal);
    try {
      await this.#read(tokens.slice(0, -1), signal);
    } catch (error) {
      throw this.#failure(error, signal);
    }
  }

  /**
   * The likeliest next tokens that are text, likeliest first, and the end of the answer as the
   * empty text. Rejects as {@link fill} does.
   */
  async next(request: NextRequest, { signal }: ModelCallOptions = {}): Promise<readonly NextToken[]> {
    const { model, sequence } = this.#parts;
    const tokens = this.#tokensOf(request);
    using _turn = await this.#turns.take(signal);
    try {
      await this.#read(tokens.slice(0, -1), signal);
      const input = [tokens.at(-1)!, { generateNext: { probabilities: true } }] as const;
      const [answer] = await sequence.controlledEvaluate([[...input]]);
      signal?.throwIfAborted();
      return toNextTokens(model, answer?.next.probabilities ?? new Map(), tokens, request.limit ?? defaultNextTokens);
    } catch (error) {
      throw this.#failure(error, signal);
    }
  }

  /** Frees the memory of the model. */
  [Symbol.asyncDispose](): Promise<void> {
    const { model, llama } = this.#parts;
    this.#disposed ??= model.dispose().then(() => llama.dispose());
    return this.#disposed;
  }

  async *#generate(
    tokens: readonly number[],
    request: Generation,
    signal: AbortSignal | undefined,
  ): AsyncGenerator<WirePart, void> {
    const { model, sequence } = this.#parts;
    const { guide, temperature = 0, showsSpecial = false } = request;
    const room = Math.min(maxTokensOf(request), sequence.contextSize - tokens.length);
    using _turn = await this.#turns.take(signal);
    try {
      await this.#read(tokens.slice(0, -1), signal);
      const sampling = { temperature, yieldEogToken: true } as const;
      let shown: readonly number[] = tokens;
      let written = "";
      let count = 0;
      while (count < room) {
        let held: readonly number[] = [];
        let isRefused = false;
        for await (const { token, confidence } of sequence.evaluateWithMetadata(
          shown.slice(-1),
          { confidence: true },
          sampling,
        )) {
          signal?.throwIfAborted();
          const logProbability = Math.log(confidence);
          if (model.isEogToken(token) || (!showsSpecial && model.isSpecialToken(token))) {
            isRefused = guide?.mayEnd(written) === false;
            if (isRefused) break;
            yield { logProbability, end: "finished" };
            return;
          }
          held = [...held, token];
          const text = model.detokenize(held, showsSpecial, shown);
          // A character may take several tokens, though no more than it has bytes.
          if (isWhole(text) || held.length >= 4) {
            await guide?.prepare?.(written + text);
            isRefused = guide?.allows(written + text) === false;
            if (isRefused) break;
            shown = [...shown, ...held];
            written += text;
            held = [];
          }
          count += 1;
          yield { logProbability, text: held.length === 0 ? text : "" };
          if (count >= room) break;
        }
        if (!isRefused || guide === undefined) break;
        const other = await this.#choose(shown, { guide, written, temperature, signal });
        if (other === undefined) {
          yield { end: "guide" };
          return;
        }
        const logProbability = Math.log(other.probability);
        if (other.text === "") {
          yield { logProbability, end: "finished" };
          return;
        }
        shown = [...shown, other.token];
        written += other.text;
        count += 1;
        yield { logProbability, text: other.text };
      }
      yield { end: "length" };
    } catch (error) {
      throw this.#failure(error, signal);
    }
  }

  /**
   * The token that goes behind `tokens`, of those that the guide allows; the end of the answer has
   * no text. The model computes again for all its tokens, which takes as long as writing one: it
   * was held to the guide only where it left it.
   */
  async #choose(tokens: readonly number[], choice: GuidedChoice): Promise<Candidate | undefined> {
    const { model, sequence } = this.#parts;
    const { signal, temperature } = choice;
    await this.#read(tokens.slice(0, -1), signal);
    const [answer] = await sequence.controlledEvaluate([[tokens.at(-1)!, { generateNext: { probabilities: true } }]]);
    signal?.throwIfAborted();
    const allowed = allowedTokens(model, answer?.next.probabilities ?? new Map(), tokens, choice);
    const candidates: Candidate[] = [];
    for (const candidate of allowed) {
      if (candidate.text !== "") await choice.guide.prepare?.(choice.written + candidate.text);
      if (candidate.text !== "" && !choice.guide.allows(choice.written + candidate.text)) continue;
      if (temperature === 0) return candidate;
      if (candidates.push(candidate) >= maxDrawn) break;
    }
    return drawn(candidates, temperature);
  }

  /** Makes `tokens` what the sequence has read, from where it differs. */
  async #read(tokens: readonly number[], signal: AbortSignal | undefined): Promise<void> {
    const { sequence } = this.#parts;
    const { firstDifferentIndex: start } = sequence.compareContextTokens(tokens);
    const end = sequence.nextTokenIndex;
    if (start < end) await sequence.eraseContextTokenRanges([{ start, end }]);
    for (let at = start; at < tokens.length; at += tokensAtOnce) {
      signal?.throwIfAborted();
      await sequence.evaluateWithoutGeneratingNewTokens(tokens.slice(at, at + tokensAtOnce));
    }
    signal?.throwIfAborted();
  }

  #tokensOf(request: FillRequest): readonly number[] {
    return this.#fitting(this.#promptFor().tokensOf(request));
  }

  #fitting(tokens: readonly number[]): readonly number[] {
    const limit = this.contextTokens;
    if (tokens.length < limit) return tokens;
    const message = `The prompt has ${tokens.length} tokens, and ${this.name} has room for ${limit}. Lower \`context.maxTokens\`, or raise \`${printModelSetting(this.name, "contextTokens")}\`.`;
    throw new ModelError("context-too-long", message);
  }

  #promptFor(): LocalPrompt {
    this.#checkOpen();
    const { model, template } = this.#parts;
    this.#prompt ??= localPromptOf(model, template, this.name);
    return this.#prompt;
  }

  #checkOpen(): void {
    invariant(this.#disposed === undefined, () => `${this.name} was disposed of`);
  }

  #failure(error: unknown, signal: AbortSignal | undefined): unknown {
    if (signal?.aborted) return signal.reason;
    if (error instanceof EmendError || error instanceof InvariantError) return error;
    const detail = errorMessage(error);
    return new ModelError("server-failed", `llama.cpp failed with ${this.name}: ${clauseOf(detail)}.`, {
      cause: error,
    });
  }
}

/** What is written, and how. */
interface Generation extends Pick<FillRequest, "guide" | "maxTokens" | "temperature"> {
  /** Whether special tokens that do not end the answer are its text; default: they end it. */
  readonly showsSpecial?: boolean;
}

/** How a token is chosen that a guide allows. */
interface GuidedChoice {
  readonly guide: FillGuide;
  /** The answer so far. */
  readonly written: string;
  readonly temperature: number;
  readonly signal: AbortSignal | undefined;
}

/** A token that may come next, with its text; none for one that ends the answer. */
interface Candidate {
  readonly token: number;
  readonly text: string;
  /** Above 0, up to 1. */
  readonly probability: number;
}

/** How many of the likeliest tokens are looked at where the guide refuses all that are likelier. */
const maxLookedAt = 4000;

/** Of how many allowed tokens one is drawn. */
const maxDrawn = 40;

/**
 * The tokens that a guide allows, likeliest first: those that are text by themselves, and those
 * that end the answer.
 */
function* allowedTokens(
  model: LlamaModel,
  probabilities: ReadonlyMap<number, number>,
  before: readonly number[],
  { guide, written }: GuidedChoice,
): Generator<Candidate, undefined> {
  // They come sorted.
  for (const [token, probability] of take(probabilities, maxLookedAt)) {
    if (probability <= 0) return undefined;
    const ends = model.isEogToken(token);
    if (!ends && model.isSpecialToken(token)) continue;
    const text = ends ? "" : model.detokenize([token], false, before);
    if (!ends && (text === "" || !isWhole(text))) continue;
    if (ends ? guide.mayEnd(written) : guide.allows(written + text)) yield { token, text, probability };
  }
  return undefined;
}

/** One of the candidates by chance, the more likely the less the temperature counts. */
function drawn(candidates: readonly Candidate[], temperature: number): Candidate | undefined {
  const weights = candidates.map(({ probability }) => probability ** (1 / temperature));
  let left = Math.random() * weights.reduce((sum, weight) => sum + weight, 0);
  for (const [i, candidate] of candidates.entries()) {
    left -= weights[i]!;
    if (left <= 0) return candidate;
  }
  return candidates[0];
}

function* take<Value>(values: Iterable<Value>, count: number): Generator<Value, void> {
  let taken = 0;
  for (const value of values) {
    if (taken++ >= count) return;
    yield value;
  }
}

/**
 * The tokens as text, likeliest first: those that are text by themselves, and one that ends the
 * answer.
 */
function toNextTokens(
  model: LlamaModel,
  probabilities: ReadonlyMap<number, number>,
  before: readonly number[],
  limit: number,
): readonly NextToken[] {
  const byText = new Map<string, number>();
  for (const [token, probability] of probabilities) {
    const ends = model.isEogToken(token);
    if (!ends && model.isSpecialToken(token)) continue;
    const text = ends ? "" : model.detokenize([token], false, before);
    // They come sorted. Of several tokens with the same text the others are so unlikely that they
    // need not be looked for.
    if ((ends || (text !== "" && isWhole(text))) && !byText.has(text)) byText.set(text, probability);
    if (byText.size >= limit) break;
  }
  return [...byText].map(([text, probability]) => ({ text, probability }));
}

/** Whether a text has no half of a character. */
function isWhole(text: string): boolean {
  return !text.includes("\uFFFD");
}

/** Rejects with {@link ModelError} unless there is a GGUF file at `path`. */
async function checkFile(path: string): Promise<void> {
  const head = new Uint8Array(4);
  try {
    await using file = await open(path, "r");
    await file.read(head, 0, 4, 0);
  } catch (cause) {
    const { code = "" } = cause as { readonly code?: string };
    if (code === "ENOENT" || code === "ENOTDIR") {
      throw new ModelError("not-found", `There is no model file ${path}. Check the path behind \`gguf:\`.`, { cause });
    }
    throw new ModelError("unsupported", `The model file ${path} cannot be read (${code}).`, { cause });
  }
  if (String.fromCharCode(...head) === "GGUF") return;
  const message = `${path} is no GGUF file. Fetch the model in that form, or convert it with llama.cpp's convert_hf_to_gguf.py.`;
  throw new ModelError("unsupported", message);
}

/** A message of another program, to be put into a sentence of ours. */
function clauseOf(text: string): string {
  return oneLine(text).replace(/\.$/, "");
}
