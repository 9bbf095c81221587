import type { FillRequest, ModelCallOptions, NextRequest, NextToken, RawRequest, TokenCounter } from "../model.ts";
import { allSpecialTokens, type FillTemplate, unmistakableTokens } from "../templates/families.ts";
import { contextComments, escapeTokens, renderFill } from "../templates/render-fill.ts";
import type { ModelServer, ServerRequest } from "./model-server.ts";
import { defaultNextTokens, type ListedToken, toNextTokens } from "./next-tokens.ts";
import type { PromptMeter } from "./prompt-meter.ts";
import { type Message, numberIn, objectIn, objectsIn, sumOf, textIn } from "./server-answer.ts";
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
   * Has the server evaluate the prompt of a fill, without an answer. Rejects as
   * {@link ModelServer.ask} does.
   */
  async warm(request: FillRequest, { signal }: ModelCallOptions): Promise<WirePart> {
    return readPart(await this.#server.ask(this.#request(request, "json", { n_predict: 0, stream: false }), signal));
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
    const common = { ...this.#common(), ...options };
    const template = this.#template;
    if (template !== undefined) {
      const prompt = renderFill(template, request);
      const body = this.#server.bodyOf({ ...common, prompt, ...stopField(this.#server, template.stops) });
      return { routes: ["/completion"], body, framing };
    }
    const { before, line, after, extra } = infillTexts(request, this.#server.meter);
    const body = this.#server.bodyOf({
      ...common,
      input_prefix: before,
      input_suffix: after,
      input_extra: extra.map(({ path, text }) => ({ filename: path, text })),
      // The server reads special tokens in this field only, and in all others text as text.
      prompt: escapeTokens(line, allSpecialTokens),
    });
    return { routes: ["/infill"], body, framing };
  }

  /** As {@link ServerClient.promptText}, with a line feed for each special token of `/infill`. */
  promptText(request: FillRequest): string {
    return this.#textIn(request, (before, after) => `${before}\n${after}\n`);
  }

  /** Learns the batch of a server that reads less of a prompt than one of the known batch. */
  promptReader(request: FillRequest): (tokens: number) => void {
    const { meter } = this.#server;
    const sentFor = meter.batchTokens;
    let isRead = false;
    return (tokens) => {
      // Each message of an answer has the number. The texts were for the batch that was known then.
      if (!isRead && meter.batchTokens === sentFor) this.#learnBatch(request, tokens);
      isRead = true;
    };
  }

  #learnBatch(request: FillRequest, tokens: number): void {
    const { meter } = this.#server;
    const counter = meter.counter(request.language);
    const { contextTokens } = meter;
    if (this.#template !== undefined || counter === undefined || contextTokens === undefined) return;
    const { before, line, after, extra } = infillTexts(request, meter);
    const others = extra.map(({ path, text }) => `\n${path}\n${text}`).join("");
    const [beforeTokens, lineTokens, afterTokens, otherTokens] = [before, line, after, others].map((text) =>
      counter.count(text),
    ) as [number, number, number, number];
    const readOf = (batchTokens: number) => {
      const batch = Math.min(batchTokens, contextTokens);
      const room = contextTokens - batch;
      const end = Math.max(0, batch * afterShare - lineTokens);
      const around = Math.min(beforeTokens, batch * (1 - afterShare)) + lineTokens + Math.min(afterTokens, end);
      return around + Math.min(otherTokens, room);
    };
    for (let batch = meter.batchTokens; batch > leastBatch; batch /= 2) {
      const missing = readOf(batch) - tokens;
      // Counts are estimates. Half of the batch has to explain what they and chance do not.
      const isCut = missing > Math.max(batch / 8, readOf(batch) / 12);
      if (!isCut || Math.abs(readOf(batch / 2) - tokens) >= missing / 2) return;
      meter.batchTokens = batch / 2;
    }
  }

  /** The text of a server that was started with `--spm-infill`. */
  suffixFirstText(request: FillRequest): string {
    return this.#textIn(request, (before, after) => `${after}\n${before}\n`);
  }

  #textIn(request: FillRequest, join: (before: string, after: string) => string): string {
    if (this.#template !== undefined) return renderFill(this.#template, request);
    const { before, line, after, extra } = infillTexts(request, this.#server.meter);
    const others = extra.map(({ path, text }) => `\n${path}\n${text}`).join("");
    return escapeTokens(`\nmyproject\n${others}\nfilename\n\n${join(before + line, after)}`, allSpecialTokens);
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

/** The texts of a request to `/infill`: around the cursor, the start of its line, other places. */
interface InfillTexts {
  readonly before: string;
  readonly line: string;
  readonly after: string;
  readonly extra: NonNullable<FillRequest["context"]>;
}

/** No smaller batch is expected. */
const leastBatch = 256;

/** The part of a batch that is for the text after the cursor, with its line before it. */
const afterShare = 1 / 4;

/** How many tokens of {@link afterShare} are kept for the start of the cursor's line. */
const lineTokens = 96;

/** Text before the cursor is moved in steps of this share of its room, so that it seldom moves. */
const stepShare = 1 / 8;

/**
 * Spreads a prompt over the fields of `/infill`, each of which the server cuts by limits of its
 * own: three quarters of a batch before the cursor, a quarter after it, and texts of other places
 * within the rest of the context. What is further from the cursor becomes one of those. Where the
 * text before the cursor is short, and other texts take more than the rest of the context, what
 * they take more becomes comments before the text.
 *
 * Source: ggml-org/llama.cpp: `format_prompt_infill` of its server.
 */
function infillTexts(request: FillRequest, meter: PromptMeter): InfillTexts {
  const { path, language, prefix, suffix, context = [] } = request;
  const lineStart = prefix.lastIndexOf("\n") + 1;
  const line = prefix.slice(lineStart);
  const before = prefix.slice(0, lineStart);
  const counter = meter.counter(language);
  const { contextTokens } = meter;
  if (counter === undefined || contextTokens === undefined) return { before, line, after: suffix, extra: context };
  const batch = Math.min(meter.batchTokens, contextTokens);
  const start = splitBefore(before, counter, batch * (1 - afterShare));
  const end = Math.max(lineEnd(suffix, 0), splitAfter(suffix, counter, batch * afterShare - lineTokens));
  const far = [suffix.slice(end), before.slice(0, start)].filter((text) => text !== "");
  const near = { before: before.slice(start), line, after: suffix.slice(0, end) };
  const extra = [...context, ...far.map((text) => ({ kind: "task", path, text }) as const)];
  const { fitting, rest } = divideTexts(extra, counter, contextTokens - batch - counter.count(infillMarks));
  const comments = start > 0 ? "" : contextComments(rest, language);
  return comments === "" ? { ...near, extra } : { ...near, before: comments + near.before, extra: fitting };
}

/** What the server adds to the texts of other places, with a line feed for each special token. */
const infillMarks = "\nmyproject\n\nfilename\n";

/** The texts that take at most `room` tokens, and the rest, divided at the end of a line. */
function divideTexts(
  texts: InfillTexts["extra"],
  counter: TokenCounter,
  room: number,
): { readonly fitting: InfillTexts["extra"]; readonly rest: InfillTexts["extra"] } {
  let left = room;
  const fitting: InfillTexts["extra"][number][] = [];
  const rest: InfillTexts["extra"][number][] = [];
  for (const each of texts) {
    const { path, text } = each;
    left -= counter.count(`\n${path}\n`);
    const end = rest.length > 0 ? 0 : splitAfter(text, counter, left);
    left -= counter.count(text.slice(0, end));
    if (end === text.length) fitting.push(each);
    else if (end === 0) rest.push(each);
    else {
      fitting.push({ kind: "task", path, text: text.slice(0, end) });
      rest.push({ kind: "task", path, text: text.slice(end) });
    }
  }
  return { fitting, rest };
}

/**
 * Where the text begins of which at most `room` tokens stay. Lines that are written at its end
 * leave it where it is until they fill a step.
 */
function splitBefore(text: string, counter: TokenCounter, room: number): number {
  let start = 0;
  for (let rest = counter.count(text); rest > room; ) {
    for (let step = 0; step < room * stepShare && start < text.length; ) {
      const end = lineEnd(text, start);
      const tokens = counter.count(text.slice(start, end));
      [start, step, rest] = [end, step + tokens, rest - tokens];
    }
  }
  return start;
}

/** The end of the lines that take at most `room` tokens. */
function splitAfter(text: string, counter: TokenCounter, room: number): number {
  if (counter.count(text) <= room) return text.length;
  let end = 0;
  for (let tokens = 0; end < text.length; ) {
    const next = lineEnd(text, end);
    tokens += counter.count(text.slice(end, next));
    if (tokens > room) break;
    end = next;
  }
  return end;
}

function lineEnd(text: string, from: number): number {
  return text.indexOf("\n", from) + 1 || text.length;
}

function readPart(message: Message): WirePart {
  const text = textIn(message, "content");
  const logProbability = sumOf(objectsIn(message, "completion_probabilities"), (token) => numberIn(token, "logprob"));
  const timings = objectIn(message, "timings");
  const [ms, tokens] = [numberIn(timings, "prompt_ms"), numberIn(timings, "prompt_n")];
  const [generatedMs, generated] = [numberIn(timings, "predicted_ms"), numberIn(timings, "predicted_n")];
  const promptTokens = numberIn(message, "tokens_evaluated");
  const isLimit = message["stop_type"] === "limit" || message["stopped_limit"] === true;
  return {
    ...(text === undefined ? {} : { text }),
    ...(logProbability === undefined ? {} : { logProbability }),
    ...(promptTokens === undefined ? {} : { promptTokens }),
    ...(ms === undefined || tokens === undefined ? {} : { evaluated: { ms, tokens } }),
    ...(generatedMs === undefined || generated === undefined
      ? {}
      : { generated: { ms: generatedMs, tokens: generated } }),
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
