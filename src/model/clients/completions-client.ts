import { hasVersion, isLoopback } from "../base-url.ts";
import type { FillRequest, ModelCallOptions, NextRequest, NextToken, RawRequest } from "../model.ts";
import { ModelError } from "../model-error.ts";
import type { ServerProvider } from "../providers.ts";
import { allSpecialTokens, type FillTemplate, fillTemplateByName, unmistakableTokens } from "../templates/families.ts";
import { contextComments, escapeTokens, renderFill, renderOthers } from "../templates/render-fill.ts";
import { fillCure } from "./explain-failure.ts";
import type { ModelServer, ServerRequest } from "./model-server.ts";
import { defaultNextTokens, type ListedToken, toNextTokens } from "./next-tokens.ts";
import { type Message, numberIn, objectIn, objectsIn, sumOf, textIn } from "./server-answer.ts";
import { cutsOf, maxTokensOf, type ServerClient, stopField, type TextCall, type WirePart } from "./server-client.ts";

/**
 * Servers that complete a text over OpenAI's older protocol, and the two companies that gave it a
 * route of their own for filling: a prompt of `template`, or else `prompt` and `suffix`.
 */
export class CompletionsClient implements ServerClient {
  readonly #server: ModelServer;
  readonly #template: FillTemplate | undefined;
  readonly #dialect: Dialect;
  readonly next?: NonNullable<ServerClient["next"]>;
  readonly completeRaw?: NonNullable<ServerClient["completeRaw"]>;
  /**
   * Has the server evaluate the prompt of a fill, for which it writes one token; absent where that
   * may cost money. Rejects as {@link fill} and {@link ModelServer.ask} do.
   */
  readonly warm?: NonNullable<ServerClient["warm"]>;

  constructor(server: ModelServer, template: FillTemplate | undefined) {
    this.#server = server;
    this.#template = template;
    this.#dialect = dialects[server.name.provider] ?? {};
    if (this.#dialect.listsNext !== false) this.next = (request, options) => this.#next(request, options);
    if (this.#dialect.takesRaw !== true) return;
    this.completeRaw = (request) => this.#completeRaw(request);
    if (isLoopback(server.name.baseUrl)) this.warm = (request, options) => this.#warm(request, options);
  }

  /**
   * The request for a fill. Throws {@link ModelError} with code "unsupported" where the server does
   * not mark the hole itself and there is no template.
   */
  fill(request: FillRequest): TextCall {
    const template = this.#template ?? this.#dialect.family;
    return {
      request: this.#request(request, "sse", this.#streaming(request)),
      cuts: template === undefined ? unmistakableTokens : cutsOf(template),
      read: readPart,
    };
  }

  /** As {@link ServerClient.promptText}. */
  promptText(request: FillRequest): string {
    if (this.#template !== undefined) return renderFill(this.#template, request);
    const { prompt, suffix } = this.#around(request);
    return prompt + suffix;
  }

  #completeRaw(request: RawRequest): TextCall {
    const { prompt, stop = [] } = request;
    const { model } = this.#server.name;
    const body = this.#server.bodyOf({
      model,
      ...this.#streaming(request),
      ...this.#dialect.withTemplate,
      prompt,
      ...stopField(this.#server, stop),
    });
    return { request: { routes: this.#routes, body, framing: "sse" }, cuts: stop, read: readPart };
  }

  async #warm(request: FillRequest, { signal }: ModelCallOptions): Promise<WirePart> {
    const options = { max_tokens: 1, temperature: 0, stream: false };
    return readPart(await this.#server.ask(this.#request(request, "json", options), signal));
  }

  async #next(request: NextRequest, { signal }: ModelCallOptions): Promise<readonly NextToken[]> {
    const limit = Math.min(request.limit ?? defaultNextTokens, this.#dialect.maxNext ?? 20);
    const options = { max_tokens: 1, logprobs: limit, temperature: 0, stream: false };
    const message = await this.#server.ask(this.#request(request, "json", options), signal);
    return toNextTokens(this.#server, listedIn(message), request.limit ?? defaultNextTokens);
  }

  #request(
    request: FillRequest,
    framing: ServerRequest["framing"],
    options: Readonly<Record<string, unknown>>,
  ): ServerRequest {
    const { name, facts } = this.#server;
    const { withTemplate, needsTemplate = false } = this.#dialect;
    const routes = this.#routes;
    const template = this.#template;
    const common = { model: name.model, ...options };
    if (template !== undefined) {
      const prompt = renderFill(template, request);
      const fields = { ...common, ...withTemplate, prompt, ...stopField(this.#server, template.stops) };
      return { routes, body: this.#server.bodyOf(fields), framing };
    }
    if (needsTemplate) {
      const message = `${facts.title} does not mark the hole itself. ${fillCure(name)}`;
      throw new ModelError("unsupported", message, { url: name.baseUrl });
    }
    return { routes, body: this.#server.bodyOf({ ...common, ...this.#around(request) }), framing };
  }

  get #routes(): readonly string[] {
    const { baseUrl } = this.#server.name;
    return this.#dialect.routes ?? (hasVersion(baseUrl) ? ["/completions"] : ["/v1/completions", "/completions"]);
  }

  /** The request fields of a streamed answer. */
  #streaming(request: Pick<FillRequest, "maxTokens" | "temperature">): Readonly<Record<string, unknown>> {
    const { settings, facts } = this.#server;
    const { temperature } = request;
    const { maxTokens = Number.POSITIVE_INFINITY } = this.#dialect;
    return {
      max_tokens: Math.min(maxTokens, maxTokensOf(request)),
      stream: true,
      ...(temperature === undefined ? {} : { temperature }),
      ...((settings.probabilities ?? facts.probabilities) ? { logprobs: 1 } : {}),
    };
  }

  /** The texts on both sides of the hole, for a server that marks it. */
  #around(request: FillRequest): { readonly prompt: string; readonly suffix: string } {
    const { prefix, suffix } = request;
    const { family } = this.#dialect;
    // For an unknown model family, the special tokens of all families are escaped.
    const tokens = family?.specialTokens ?? allSpecialTokens;
    const plain = (text: string) => escapeTokens(text, tokens);
    return { prompt: plain(this.#others(request)) + plain(prefix), suffix: plain(suffix) };
  }

  /**
   * Texts of other files, for the top of the prefix: in the format of the model's family, or as
   * comments.
   */
  #others({ path, language, context = [] }: FillRequest): string {
    const each = this.#dialect.family?.repository?.each;
    if (each === undefined) return contextComments(context, language);
    // Where others are named the file itself is, too.
    const own = each.replace("{path}", () => path).replace("{text}\n", "");
    return context.length === 0 ? "" : renderOthers(each, context) + own;
  }
}

/** What a server of this protocol has that others have not. */
interface Dialect {
  readonly routes?: readonly string[];
  /** Whether it completes only, and does not mark the hole between two texts. */
  readonly needsTemplate?: boolean;
  /** The family of all its models, where it marks the hole itself. */
  readonly family?: FillTemplate;
  /** The most tokens of an answer that it accepts. */
  readonly maxTokens?: number;
  /** Whether it lists the likeliest next tokens; default: it does. */
  readonly listsNext?: boolean;
  /** The most tokens that it lists. */
  readonly maxNext?: number;
  /**
   * Set where it completes a prompt as it is, special tokens included: a company does not do that
   * with its own models.
   */
  readonly takesRaw?: true;
  /** Sent besides a prompt that is ours. */
  readonly withTemplate?: Readonly<Record<string, unknown>>;
}

const dialects: Partial<Readonly<Record<ServerProvider, Dialect>>> = {
  mistral: { routes: ["/v1/fim/completions"], family: fillTemplateByName("codestral")!, listsNext: false },
  deepseek: { routes: ["/beta/completions"], family: fillTemplateByName("deepseek")!, maxTokens: 4096 },
  openai: { maxNext: 5 },
  "openai-compatible": { takesRaw: true },
  lmstudio: { needsTemplate: true, takesRaw: true },
  // If vLLM dropped special tokens from the text, they could not end the fill, and the model would
  // continue with the next file.
  vllm: { needsTemplate: true, takesRaw: true, withTemplate: { skip_special_tokens: false } },
};

function readPart(message: Message): WirePart {
  const [choice] = objectsIn(message, "choices");
  if (choice === undefined) return {};
  const text =
    textIn(choice, "text") ??
    textIn(objectIn(choice, "delta"), "content") ??
    textIn(objectIn(choice, "message"), "content");
  const logProbabilities = objectIn(choice, "logprobs")["token_logprobs"];
  const logProbability = Array.isArray(logProbabilities)
    ? sumOf(logProbabilities, (value: unknown) => (typeof value === "number" ? value : undefined))
    : undefined;
  const reason = textIn(choice, "finish_reason")?.trim();
  const promptTokens = numberIn(objectIn(message, "usage"), "prompt_tokens");
  return {
    ...(text === undefined ? {} : { text }),
    ...(promptTokens === undefined ? {} : { promptTokens }),
    ...(logProbability === undefined ? {} : { logProbability }),
    // An empty reason is on pieces that are not the last.
    ...(reason === undefined || reason === "" ? {} : { end: endOf(reason) }),
  };
}

function endOf(reason: string): NonNullable<WirePart["end"]> {
  if (reason === "length" || reason === "model_length") return "length";
  return reason === "content_filter" ? "content-filter" : "finished";
}

function listedIn(message: Message): readonly ListedToken[] {
  const [choice] = objectsIn(message, "choices");
  const [first] = objectsIn(objectIn(choice, "logprobs"), "top_logprobs");
  return Object.entries(first ?? {}).map(([text, logProbability]) => ({ text, logProbability }));
}
