import { SharedWork } from "../../async/index.ts";
import type { ChatRequest, FillRequest, ModelCallOptions, NextRequest, NextToken, RawRequest } from "../model.ts";
import { ModelError } from "../model-error.ts";
import { type FillTemplate, unmistakableTokens } from "../templates/families.ts";
import { contextComments, escapeTokens, renderFill } from "../templates/render-fill.ts";
import { fillCure } from "./explain-failure.ts";
import type { ModelServer, ServerRequest } from "./model-server.ts";
import { defaultNextTokens, toNextTokens } from "./next-tokens.ts";
import { type Message, numberIn, objectIn, objectsIn, sumOf, textIn } from "./server-answer.ts";
import { cutsOf, maxTokensOf, type ServerClient, stopField, type TextCall, type WirePart } from "./server-client.ts";

/** What Ollama reports about a model. */
export interface OllamaModel {
  /** Whether its template has a place for the text after the cursor. */
  readonly canInsert: boolean;
  /** The special tokens that its template writes. */
  readonly specialTokens: readonly string[];
  /** Whether it can send its reasoning apart from its answer. */
  readonly canThink: boolean;
  /** The template itself, in Go's notation; empty where Ollama does not report it. */
  readonly template: string;
  /** The most tokens that the model itself can take. */
  readonly contextTokens?: number;
}

/**
 * Ollama: `suffix`, where the model's own template marks a hole, or a raw prompt of `template`;
 * and `/api/chat`, since `/v1/chat/completions` takes no size of the context and cuts prompts at
 * the server's default.
 */
export class OllamaClient implements ServerClient {
  readonly #server: ModelServer;
  readonly #template: FillTemplate | undefined;
  #shown: OllamaModel | undefined;
  #showing: SharedWork<OllamaModel> | undefined;

  constructor(server: ModelServer, template: FillTemplate | undefined) {
    this.#server = server;
    this.#template = template;
  }

  /**
   * The request for a fill. Rejects as {@link show} does, and with {@link ModelError} with code
   * "unsupported" where there is no template and the model's own has no place for the text after
   * the cursor.
   */
  async fill(request: FillRequest, { signal }: ModelCallOptions): Promise<TextCall> {
    const template = this.#template;
    const stops = template?.stops ?? [];
    const body = await this.#body(request, signal, this.#limits(request, stops));
    return {
      request: { ...generate, body: this.#server.bodyOf({ ...body, ...this.#streaming() }) },
      cuts:
        template === undefined ? [...unmistakableTokens, ...(await this.show(signal)).specialTokens] : cutsOf(template),
      read: readPart,
    };
  }

  /** The request for the continuation of a prompt. Rejects as {@link show} does. */
  async completeRaw(request: RawRequest, { signal }: ModelCallOptions): Promise<TextCall> {
    const { prompt, stop = [] } = request;
    const common = this.#common(await this.show(signal), this.#limits(request, stop));
    return {
      request: { ...generate, body: this.#server.bodyOf({ ...common, prompt, raw: true, ...this.#streaming() }) },
      cuts: stop,
      read: readPart,
    };
  }

  /**
   * The request for an answer in a chat. A model that can think sends its reasoning apart. Rejects
   * as {@link show} does.
   */
  async chat({ messages, maxTokens }: ChatRequest, { signal }: ModelCallOptions): Promise<TextCall> {
    const shown = await this.show(signal);
    const body = this.#server.bodyOf({
      ...this.#common(shown, maxTokens === undefined ? {} : { num_predict: maxTokens }),
      // With it a model that cannot think is refused.
      ...(shown.canThink && { think: true }),
      messages: messages.map(({ role, text }) => ({ role, content: text })),
      stream: true,
    });
    return { request: { routes: ["/api/chat"], body, framing: "ndjson" }, cuts: [], read: readChatPart };
  }

  /**
   * Has the server evaluate the prompt of a fill, for which it writes one token. Rejects as
   * {@link fill} and {@link ModelServer.ask} do.
   */
  async warm(request: FillRequest, { signal }: ModelCallOptions): Promise<WirePart> {
    const body = this.#server.bodyOf({ ...(await this.#body(request, signal, { num_predict: 1 })), stream: false });
    return readPart(await this.#server.ask({ ...generate, framing: "json", body }, signal));
  }

  /**
   * The likeliest next tokens, likeliest first; 10 unless `limit` is set, at most 20. Rejects as
   * {@link ModelServer.ask} does, and with {@link ModelError} with code "unsupported" where the
   * server lists no tokens or the model cannot fill.
   */
  async next(request: NextRequest, { signal }: ModelCallOptions): Promise<readonly NextToken[]> {
    const limit = Math.min(request.limit ?? defaultNextTokens, maxListed);
    const body = await this.#body(request, signal, { num_predict: 1 });
    const ownBody = this.#server.bodyOf({ ...body, logprobs: true, top_logprobs: limit, stream: false });
    const message = await this.#server.ask({ ...generate, framing: "json", body: ownBody }, signal);
    const [first] = objectsIn(message, "logprobs");
    const listed = objectsIn(first, "top_logprobs").map((token) => ({
      text: token["token"],
      logProbability: token["logprob"],
    }));
    return toNextTokens(this.#server, listed, limit);
  }

  /**
   * The properties of the model in Ollama; requested once, and again after a failure. Rejects as
   * {@link ModelServer.ask} does.
   */
  async show(signal?: AbortSignal): Promise<OllamaModel> {
    if (this.#shown !== undefined) return this.#shown;
    const request = { routes: ["/api/show"], body: { model: this.#server.name.model }, framing: "json" } as const;
    if (this.#showing === undefined || this.#showing.isAbandoned) {
      this.#showing = new SharedWork(async (stop) => toOllamaModel(await this.#server.ask(request, stop)));
    }
    const showing = this.#showing;
    try {
      this.#shown = await showing.wait(signal);
      return this.#shown;
    } catch (error) {
      // The next caller requests them again, unless other callers still wait.
      if (this.#showing === showing && !signal?.aborted) this.#showing = undefined;
      throw error;
    }
  }

  async #body(
    request: FillRequest,
    signal: AbortSignal | undefined,
    options: Readonly<Record<string, unknown>>,
  ): Promise<Readonly<Record<string, unknown>>> {
    const shown = await this.show(signal);
    const common = this.#common(shown, options);
    if (this.#template !== undefined) return { ...common, prompt: renderFill(this.#template, request), raw: true };
    if (!shown.canInsert) {
      const { name } = this.#server;
      const message = `The model ${JSON.stringify(name.model)} has no template in Ollama that fills in the middle. ${fillCure(name)}`;
      throw new ModelError("unsupported", message, { url: name.baseUrl });
    }
    const { prefix, suffix, path, language, context = [] } = request;
    const plain = (text: string) => escapeTokens(text, shown.specialTokens);
    const prompt = plain(contextComments(context, language) + prefix);
    // An empty prompt only loads the model, and an empty suffix is none.
    const start = prompt === "" ? plain(contextComments([{ kind: "task", path, text: "" }], language)) || "\n" : prompt;
    return { ...common, prompt: start, suffix: suffix === "" ? "\n" : plain(suffix) };
  }

  #common(shown: OllamaModel, options: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
    return {
      model: this.#server.name.model,
      ...keep,
      // A prompt that does not fit is refused, and neither cut at its front nor shifted while the
      // answer grows.
      truncate: false,
      shift: false,
      options: { ...options, num_ctx: this.#contextTokens(shown) },
    };
  }

  #limits(
    request: Pick<FillRequest, "maxTokens" | "temperature">,
    stops: readonly string[],
  ): Readonly<Record<string, unknown>> {
    const { temperature } = request;
    return {
      num_predict: maxTokensOf(request),
      ...(temperature === undefined ? {} : { temperature }),
      ...stopField(this.#server, stops),
    };
  }

  #streaming(): Readonly<Record<string, unknown>> {
    const { settings, facts } = this.#server;
    return { stream: true, ...((settings.probabilities ?? facts.probabilities) ? { logprobs: true } : {}) };
  }

  #contextTokens(shown: OllamaModel): number {
    const wanted = this.#server.settings.contextTokens ?? this.#server.facts.contextTokens!;
    return Math.min(wanted, shown.contextTokens ?? wanted);
  }
}

/** How long Ollama keeps the model loaded after a request; its own default is five minutes. */
const keep = { keep_alive: "30m" };

/** Ollama lists no more tokens than this. */
const maxListed = 20;

const generate: Pick<ServerRequest, "routes" | "framing"> = { routes: ["/api/generate"], framing: "ndjson" };

function readPart(message: Message): WirePart {
  const text = textIn(message, "response");
  const promptTokens = numberIn(message, "prompt_eval_count");
  const evaluationNs = numberIn(message, "prompt_eval_duration");
  const [generatedNs, generated] = [numberIn(message, "eval_duration"), numberIn(message, "eval_count")];
  const logProbability = sumOf(objectsIn(message, "logprobs"), (token) => numberIn(token, "logprob"));
  return {
    ...(text === undefined ? {} : { text }),
    ...(promptTokens === undefined ? {} : { promptTokens }),
    // Its number of tokens counts those that it had evaluated before, too.
    ...(evaluationNs === undefined ? {} : { evaluated: { ms: evaluationNs / 1e6 } }),
    ...(generatedNs === undefined || generated === undefined
      ? {}
      : { generated: { ms: generatedNs / 1e6, tokens: generated } }),
    ...(logProbability === undefined ? {} : { logProbability }),
    ...(message["done"] === true ? { end: message["done_reason"] === "length" ? "length" : "finished" } : {}),
  };
}

function readChatPart(message: Message): WirePart {
  const { content, thinking } = objectIn(message, "message");
  return {
    ...readPart({ ...message, response: content }),
    ...(typeof thinking === "string" && thinking !== "" && { isReasoning: true }),
  };
}

function toOllamaModel(message: Message): OllamaModel {
  const template = textIn(message, "template") ?? "";
  const capabilities = Array.isArray(message["capabilities"]) ? message["capabilities"].map(String) : [];
  const info = objectIn(message, "model_info");
  const contextTokens = numberIn(info, `${textIn(info, "general.architecture")}.context_length`);
  return {
    // Before Ollama listed capabilities, the place in the template was all there was to see.
    canInsert: capabilities.includes("insert") || /\{\{[^{}]*\.Suffix\b/.test(template),
    canThink: capabilities.includes("thinking"),
    specialTokens: specialTokensIn(template),
    template,
    ...(contextTokens === undefined ? {} : { contextTokens }),
  };
}

/**
 * The words in angle or square brackets that one of Ollama's templates puts around a prefix and a
 * suffix.
 */
function specialTokensIn(template: string): readonly string[] {
  const [, ...behind] = template.split(/\{\{-?\s*if\s+\.Suffix\s*-?\}\}/);
  const rest = behind.join("\n");
  const end = rest.search(/\{\{-?\s*(?:else|end)/);
  const around = end < 0 ? template : rest.slice(0, end);
  const literal = around.replace(/\{\{(?:(?!\{\{)[\s\S])*?\}\}/g, "\n");
  return [...new Set(literal.match(/<[^\s<>]+>|\[[A-Z_]{3,}\]/g) ?? [])];
}
