import type { FillRequest, ModelCallOptions, NextRequest, NextToken, RawRequest } from "../model.ts";
import { allSpecialTokens, type FillTemplate, unmistakableTokens } from "../templates/families.ts";
import { escapeTokens, renderFill } from "../templates/render-fill.ts";
import type { ModelServer, ServerRequest } from "./model-server.ts";
import { defaultNextTokens, type ListedToken, toNextTokens } from "./next-tokens.ts";
import { type Message, numberIn, objectsIn, sumOf, textIn } from "./server-answer.ts";
import { cutsOf, maxTokensOf, type ServerClient, stopField, type TextCall, type WirePart } from "./server-client.ts";

/**
 * The llama.cpp server: `/infill`, where the server has the model's own fill tokens, or
 * `/completion` with a prompt of `template`.
 *
 * In `/infill` the lines before the cursor's line go before the hole and the beginning of that line
 * goes after it, so that the rest of the prompt stays unchanged while a line is typed, and the
 * server need not process it again.
 */
export class LlamacppClient implements ServerClient {
  readonly #server: ModelServer;
  readonly #template: FillTemplate | undefined;

  constructor(server: ModelServer, template: FillTemplate | undefined) {
    this.#server = server;
    this.#template = template;
  }

  fill(request: FillRequest): TextCall {
    return {
      request: this.#request(request, "sse", this.#streaming(request)),
      cuts: this.#template === undefined ? unmistakableTokens : cutsOf(this.#template),
      read: readPart,
    };
  }

  completeRaw(request: RawRequest): TextCall {
    const { prompt, stop = [] } = request;
    const fields = { ...this.#common(), ...this.#streaming(request), prompt, ...stopField(this.#server, stop) };
    const body = this.#server.bodyOf(fields);
    return { request: { routes: ["/completion"], body, framing: "sse" }, cuts: stop, read: readPart };
  }

  /**
   * Has the server read the prompt of a fill, without an answer. Rejects as {@link ModelServer.ask}
   * does.
   */
  async warm(request: FillRequest, { signal }: ModelCallOptions): Promise<void> {
    await this.#server.ask(this.#request(request, "json", { n_predict: 0, stream: false }), signal);
  }

  /**
   * The likeliest next tokens, likeliest first; 10 unless `limit` is set. Rejects as
   * {@link ModelServer.ask} does, and with `ModelError` with code "unsupported" where the server
   * lists no tokens.
   */
  async next(request: NextRequest, { signal }: ModelCallOptions): Promise<readonly NextToken[]> {
    const limit = request.limit ?? defaultNextTokens;
    const options = { n_predict: 1, n_probs: limit, stream: false };
    const message = await this.#server.ask(this.#request(request, "json", options), signal);
    return toNextTokens(this.#server, listedIn(message), limit);
  }

  #request(
    request: FillRequest,
    framing: ServerRequest["framing"],
    options: Readonly<Record<string, unknown>>,
  ): ServerRequest {
    const { prefix, suffix, context } = request;
    const common = { ...this.#common(), ...options };
    const template = this.#template;
    if (template !== undefined) {
      const prompt = renderFill(template, request);
      const body = this.#server.bodyOf({ ...common, prompt, ...stopField(this.#server, template.stops) });
      return { routes: ["/completion"], body, framing };
    }
    const line = prefix.lastIndexOf("\n") + 1;
    const body = this.#server.bodyOf({
      ...common,
      input_prefix: prefix.slice(0, line),
      input_suffix: suffix,
      input_extra: (context ?? []).map(({ path, text }) => ({ filename: path, text })),
      // The server reads special tokens in this field only, and in all others text as text.
      prompt: escapeTokens(prefix.slice(line), allSpecialTokens),
    });
    return { routes: ["/infill"], body, framing };
  }

  /** The request fields of a streamed answer. */
  #streaming(request: Pick<FillRequest, "maxTokens" | "temperature">): Readonly<Record<string, unknown>> {
    const { temperature } = request;
    const { settings, facts } = this.#server;
    return {
      n_predict: maxTokensOf(request),
      stream: true,
      ...(temperature === undefined ? {} : { temperature }),
      ...((settings.probabilities ?? facts.probabilities) ? { n_probs: 1 } : {}),
    };
  }

  #common(): Readonly<Record<string, unknown>> {
    const { model } = this.#server.name;
    return { ...(model === undefined ? {} : { model }), cache_prompt: true };
  }
}

function readPart(message: Message): WirePart {
  const text = textIn(message, "content");
  const logProbability = sumOf(objectsIn(message, "completion_probabilities"), (token) => numberIn(token, "logprob"));
  const isLimit = message["stop_type"] === "limit" || message["stopped_limit"] === true;
  return {
    ...(text === undefined ? {} : { text }),
    ...(logProbability === undefined ? {} : { logProbability }),
    ...(message["stop"] === true ? { end: isLimit ? "length" : "finished" } : {}),
  };
}

function listedIn(message: Message): readonly ListedToken[] {
  const [first] = objectsIn(message, "completion_probabilities");
  const listed = objectsIn(first, "top_logprobs");
  if (listed.length > 0) {
    return listed.map((token) => ({
      text: token["token"],
      logProbability: token["logprob"],
      // A token that ends the answer has neither text nor bytes; a part of a character has bytes.
      isEnd: token["token"] === "" && Array.isArray(token["bytes"]) && token["bytes"].length === 0,
    }));
  }
  // Servers of 2024 and before sent probabilities instead of logarithms.
  return objectsIn(first, "probs").map((token) => ({
    text: token["tok_str"],
    logProbability: Math.log(numberIn(token, "prob") ?? 0),
  }));
}
