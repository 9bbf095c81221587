import { hasReasoningTag } from "../answers/index.ts";
import { type Clock, resultWithin } from "../async/index.ts";
import { chatTemplateReporter } from "./clients/chat-template.ts";
import { RouteMissing } from "./clients/explain-failure.ts";
import { ModelServer } from "./clients/model-server.ts";
import { countTokens, hasTokenizer } from "./clients/prompt-limits.ts";
import { type ServerSurvey, surveyServer } from "./clients/survey-server.ts";
import { findServer, isModelServer, preferredModel, printNoServer } from "./discovery/find-servers.ts";
import {
  type ChatMessage,
  type FillRequest,
  type Model,
  type ModelCallOptions,
  type ModelEnd,
  promptLimits,
  type TextPart,
} from "./model.ts";
import { ModelError } from "./model-error.ts";
import type { ModelHost, ModelSettings } from "./model-host.ts";
import { parseModelName, printModelSetting, type ServerModelName, shownModelName } from "./model-name.ts";
import type { ModelProblem, ModelReport } from "./model-report.ts";
import { clientOf, fillWayOf, modelOf, templateOf } from "./open-model.ts";
import { type FillTemplate, fillTemplates } from "./templates/families.ts";

/** How a model is tried. */
export interface ProbeOptions extends ModelCallOptions {
  /** What it is wanted for; default: to fill. */
  readonly face?: "fill" | "chat";
  /** Whether the reading of a long prompt is timed, up to 20 s; default: `true`. */
  readonly timesPrompt?: boolean;
}

/**
 * Tries a model and reports whether its server is reachable, what the server reports about itself,
 * whether the model fills or chats, and how quickly. Every problem is in the report, with the
 * command or setting that helps, a name that no server has included. Sends two short fills and one
 * with 2,000 tokens, or two short chats, and a few requests about the server.
 *
 * Rejects only with the signal's own reason.
 */
export async function probeModel(
  name: string | ServerModelName,
  host: ModelHost,
  options: ProbeOptions = {},
): Promise<ModelReport> {
  options.signal?.throwIfAborted();
  const read = typeof name === "string" ? parseModelName(name) : { name, issues: [] };
  if (read.name === undefined || read.name.provider === "builtin" || read.name.provider === "gguf") {
    const message = read.issues[0]?.message ?? `No server has \`${name}\`.`;
    return { ...nothing, name: shownModelName(name), problems: [{ code: "name", message }] };
  }
  return await new Probe(read.name, host, options).run();
}

const nothing = { isReachable: false, can: { fill: false, chat: false, next: false } } as const;

/** Properties that a server reports only of a requested model. */
const ofModels: ReadonlySet<ModelProblem["code"]> = new Set(["not-found", "context-too-long", "unsupported"]);

/** The first primes: enough text to measure by, and nothing that prose or a comment begins with. */
const sample: FillRequest = {
  path: "primes.js",
  language: "javascript",
  prefix: "// The first twenty prime numbers.\nconst primes = [",
  suffix: "];\n",
  maxLines: 3,
  maxTokens: 64,
  temperature: 0,
};

/**
 * Whether anything that answers to HTTP may have failed so, a server without models included:
 * without a route, or without a request that was sent to it.
 */
function isOfAnything(error: ModelError): boolean {
  return error instanceof RouteMissing || (error.code === "unsupported" && error.status === undefined);
}

/** A chat request for as much text as {@link sample} requests. */
const question: ChatMessage = {
  role: "user",
  text: "Write the first twenty prime numbers with commas between them, and nothing else.",
};

/**
 * The most milliseconds of silence of a server after a request about itself, which needs no model.
 */
const surveyMs = 5_000;

/** The most milliseconds of a whole answer about itself. */
const surveyTotalMs = 15_000;

/** The tokens of a prompt by which reading is measured; at most half of the context. */
const promptTokens = 2_000;

/** The most milliseconds that it may take. */
const promptLimitMs = 20_000;

class Probe {
  readonly #server: ModelServer;
  /** The same server with shorter time limits, for requests about itself. */
  readonly #surveyed: ModelServer;
  readonly #host: ModelHost;
  readonly #options: ProbeOptions;
  readonly #problems: ModelProblem[] = [];
  /** Whether anything showed that a server with models answers. */
  #isServer = false;
  #report: ModelReport;

  constructor(name: ServerModelName, host: ModelHost, options: ProbeOptions) {
    const { firstByteMs = surveyMs, idleMs = surveyMs, totalMs = surveyTotalMs, ...settings } = host.settings ?? {};
    const limits = {
      firstByteMs: Math.min(firstByteMs, surveyMs),
      idleMs: Math.min(idleMs, surveyMs),
      totalMs: Math.min(totalMs, surveyTotalMs),
    };
    this.#server = new ModelServer(name, { ...host, settings: { ...host.settings, retries: 0 } });
    this.#surveyed = new ModelServer(name, { ...host, settings: { ...settings, ...limits, retries: 0 } });
    this.#host = host;
    this.#options = options;
    this.#report = { ...nothing, name: shownModelName(name), problems: this.#problems };
  }

  async run(): Promise<ModelReport> {
    const { can, isReachable } = await this.#run();
    const isOfUse = this.#options.face === "chat" ? can.chat : can.fill;
    if (isReachable && !isOfUse && !this.#isServer) await this.#nameOther();
    return this.#report;
  }

  /** Where something else than the named server answers: what it is, in place of what it lacks. */
  async #nameOther(): Promise<void> {
    const { name, facts } = this.#server;
    // What a company's own address has, is not asked without a key.
    if (facts.needsKey) return;
    const found = await findServer(name.baseUrl, this.#host, this.#options);
    if (isModelServer(found) && found.provider === name.provider) return;
    const served = isModelServer(found) ? preferredModel(found) : undefined;
    const instead = served === undefined ? "Check the address" : `Its model is called \`${served.name}\``;
    const problem: ModelProblem = isModelServer(found)
      ? { code: "other-server", message: `${found.title} answers at ${found.url}. ${instead}, or run \`emend setup\`.` }
      : { code: "no-model-server", message: printNoServer(found) };
    this.#problems.splice(0, this.#problems.length, problem);
    this.#add({ can: nothing.can });
  }

  async #run(): Promise<ModelReport> {
    const model = await this.#try(async () => {
      await this.#server.loadKey(this.#options.signal);
      return modelOf(this.#server, this.#host);
    });
    const { name: keyFrom } = this.#server.key;
    if (keyFrom !== undefined) this.#add({ keyFrom });
    if (model === undefined) return this.#report;
    if (this.#options.face === "chat") return await this.#runChat(model);
    const fillBy = fillWayOf(this.#server);
    const template = templateOf(this.#server)?.name;
    // The answer shows whether a server has means of its own.
    if (fillBy !== "server") this.#add({ fillBy, ...(template === undefined ? {} : { template }) });
    const survey = await this.#try(() => this.#survey());
    if (survey === undefined) return this.#report;
    this.#addSurvey(survey, model);
    if (fillBy === "template" && hasTokenizer(this.#surveyed)) await this.#checkTemplate();
    const fills = await this.#fill(model);
    const next = await this.#quietly(async () => (await model.next?.({ ...sample, limit: 1 }, this.#options))?.length);
    const chats = model.chat !== undefined && !(await this.#hasForeignTemplate());
    return this.#add({ can: { fill: fills, chat: chats, next: (next ?? 0) > 0 } });
  }

  /** Whether the model would refuse a chat, since it has no chat template. */
  async #hasForeignTemplate(): Promise<boolean> {
    const parts = { client: clientOf(this.#surveyed), clock: this.#host.clock };
    const template = await chatTemplateReporter(this.#surveyed, parts)?.(this.#options);
    this.#options.signal?.throwIfAborted();
    return template?.isForeign === true;
  }

  async #runChat(model: Model): Promise<ModelReport> {
    this.#add({ tried: "chat" });
    const survey = await this.#try(() => this.#survey());
    if (survey === undefined) return this.#report;
    this.#addSurvey(survey, model);
    return this.#add({ can: { fill: false, chat: await this.#chat(model), next: false } });
  }

  async #survey(): Promise<ServerSurvey> {
    const { settings, facts } = this.#surveyed;
    const begun = this.#host.clock.now();
    try {
      return await surveyServer(this.#surveyed, this.#options);
    } catch (error) {
      if (!(error instanceof ModelError) || error.code !== "timed-out") throw error;
      const isSlow = this.#host.clock.now() - begun >= settings.totalMs!;
      const what = isSlow ? "does not end what it says" : "says nothing";
      const limit = `${(isSlow ? settings.totalMs! : settings.firstByteMs!) / 1000} s`;
      const message = `${facts.title} takes connections, and ${what} about itself within ${limit}, the limit of this try. Look at its log, or at what else listens at ${this.#surveyed.name.baseUrl}.`;
      throw new ModelError("timed-out", message, { url: error.url, cause: error });
    }
  }

  #add(known: Partial<ModelReport>): ModelReport {
    this.#report = { ...this.#report, ...known };
    return this.#report;
  }

  /**
   * Does what may fail; a failure is a problem of the report, and a server that refuses is one that
   * is there.
   */
  async #try<T>(work: () => T | Promise<T>, hint: () => Promise<string> = async () => ""): Promise<T | undefined> {
    try {
      return await work();
    } catch (error) {
      this.#options.signal?.throwIfAborted();
      if (!(error instanceof ModelError)) throw error;
      this.#isServer ||= !isOfAnything(error);
      this.#problems.push({
        code: error.code,
        message: error.message + (error.code === "unsupported" ? await hint() : ""),
      });
      if (error.status !== undefined)
        this.#add({ isReachable: true, server: this.#report.server ?? this.#titleAfter(error) });
      return undefined;
    }
  }

  /** Does what need not succeed. */
  async #quietly<T>(work: () => Promise<T>): Promise<T | undefined> {
    try {
      return await work();
    } catch (error) {
      this.#options.signal?.throwIfAborted();
      if (error instanceof ModelError) return undefined;
      throw error;
    }
  }

  #setting(key: keyof ModelSettings): string {
    return `\`${printModelSetting(this.#server.name, key)}\``;
  }

  #title(version?: string): string {
    const { facts, name } = this.#server;
    const title = name.provider === "openai-compatible" ? "a server" : facts.title;
    return `${title}${version === undefined ? "" : ` ${version}`} at ${name.baseUrl}`;
  }

  /**
   * The name of what refused a request. The server's own title only for a company's own address, or
   * for an error that only a server with models reports. For a web page, or a status that anything
   * in between may send, only the address is certain.
   */
  #titleAfter(error: ModelError): string {
    const { facts, name } = this.#server;
    if (error.code === "not-an-answer") return `something else at ${name.baseUrl}`;
    const isHome = facts.needsKey && name.baseUrl === facts.home;
    const isOfModel = ofModels.has(error.code) && !(error instanceof RouteMissing);
    return isHome || isOfModel ? this.#title() : `something at ${name.baseUrl} that answers ${error.status}`;
  }

  #addSurvey(
    { isReachable, isKnown, version, models, contextTokens, family, training }: ServerSurvey,
    model: Model,
  ): void {
    const { facts, name, settings } = this.#server;
    this.#isServer ||= isKnown || !isReachable;
    const known = [model.contextTokens, contextTokens].filter((tokens) => tokens !== undefined);
    this.#add({
      ...(isReachable ? { isReachable } : {}),
      ...(isKnown ? { server: this.#title(version) } : {}),
      ...(known.length === 0 ? {} : { contextTokens: Math.min(...known) }),
      ...(family === undefined ? {} : { family }),
      ...(training === undefined ? {} : { training }),
    });
    if (models !== undefined && name.model !== undefined && !models.includes(name.model)) {
      const shown = models.length === 0 ? "none" : models.slice(0, 8).join(", ");
      const cure =
        facts.fetchModel === undefined
          ? "Name one of these."
          : `Run \`${facts.fetchModel(name.model)}\`, or name one of these.`;
      const message = `${facts.title} does not list ${JSON.stringify(name.model)}; it has ${shown}. ${cure}`;
      this.#problems.push({ code: "model-not-listed", message });
    }
    if (contextTokens !== undefined && (settings.contextTokens ?? 0) > contextTokens) {
      const message = `${this.#setting("contextTokens")} is ${settings.contextTokens}, and the server takes ${contextTokens}. Set it to that, or start the server with more.`;
      this.#problems.push({ code: "context-too-large", message });
    }
  }

  /**
   * Whether the marks of the template are the model's own; a server without that request is neither
   * for nor against it.
   */
  async #checkTemplate(): Promise<void> {
    const template = templateOf(this.#server)!;
    const strange = await this.#quietly(() => tryFindStrangeMark(this.#surveyed, template, this.#options));
    if (strange === undefined) return;
    const fitting = await this.#fitting();
    const cure =
      fitting.length === 0
        ? `No known template fits; set ${this.#setting("fillBy")} to \`chat\`.`
        : `Set ${this.#setting("template")} to ${fitting.join(" or ")}.`;
    const message = `The model does not know ${strange}, a mark of the template ${template.name}: it is of another family. ${cure}`;
    this.#problems.push({ code: "template-mismatch", message });
  }

  async #fitting(): Promise<readonly string[]> {
    if (!hasTokenizer(this.#surveyed)) return [];
    return (await this.#quietly(() => fittingTemplates(this.#surveyed, this.#options))) ?? [];
  }

  /** Tests whether it fills; its time, and what is strange about it, is reported. */
  async #fill(model: Model): Promise<boolean> {
    if (model.fill === undefined) {
      this.#problems.push({
        code: "unsupported",
        message: "The model can only chat, and there is no chat here to fill by.",
      });
      return false;
    }
    const isCompletion = fillWayOf(this.#server) !== "chat";
    const filled = await this.#try(
      async () => {
        if (isCompletion) {
          const { request } = await clientOf(this.#server).fill(sample, this.#options);
          this.#add({ endpoint: this.#server.mask(this.#server.urlOf(request)) });
        }
        // The first answer may wait for the model to be loaded.
        const first = { ...sample, prefix: "const one = ", suffix: ";\n", maxTokens: 1 };
        await this.#time(model.fill!(first, this.#options));
        return await this.#time(model.fill!(sample, this.#options));
      },
      async () => {
        const fitting = await this.#fitting();
        this.#add({ fittingTemplates: fitting });
        return fitting.length === 0 ? "" : ` Its tokeniser has the marks of ${fitting.join(" and ")}.`;
      },
    );
    if (filled === undefined) return false;
    const { text, isBehindReasoning: _, ...speed } = filled;
    const wrongTemplate = `Its template is of another family, or it is a model that converses: take a base model, set ${this.#setting("template")}, or set ${this.#setting("fillBy")} to \`chat\`.`;
    this.#add({
      isReachable: true,
      fillBy: fillWayOf(this.#server),
      server: this.#report.server ?? this.#title(),
      ...speed,
    });
    if (text.trim() === "") {
      const cure = isCompletion ? wrongTemplate : "Another model may do better.";
      this.#problems.push({
        code: "silent",
        message: `It fills the hole in \`const primes = […]\` with nothing. ${cure}`,
      });
    } else if (isCompletion && /^\s*(```|[A-Z][a-z]+('s)? [a-z])/.test(text)) {
      this.#problems.push({
        code: "prose",
        message: `It answers in prose: ${JSON.stringify(text.slice(0, 40))}. ${wrongTemplate}`,
      });
    }
    if (isCompletion && this.#options.timesPrompt !== false) await this.#quietly(() => this.#readPrompt(model));
    return true;
  }

  /** Measures how quickly a prompt is read. */
  async #readPrompt(model: Model): Promise<void> {
    const limits = { ...this.#options, tokens: promptTokens, limitMs: promptLimitMs, clock: this.#host.clock };
    const timing = await timePrompt(model, limits);
    if (timing === undefined) return;
    const { tokens, tookMs } = timing;
    if (tookMs !== undefined) {
      this.#add({ promptTokensPerSecond: (tokens * 1000) / tookMs });
      return;
    }
    const message = `It did not read ${tokens.toLocaleString("en")} tokens within ${promptLimitMs / 1000} s, so ghost text starts with a short prompt, and comes late. Take a smaller model.`;
    this.#problems.push({ code: "slow-prompt", message });
  }

  /** Tests whether it chats; its time is reported. */
  async #chat(model: Model): Promise<boolean> {
    if (model.chat === undefined) {
      this.#problems.push({ code: "unsupported", message: "The model cannot chat, so it takes no instructions." });
      return false;
    }
    const answered = await this.#try(async () => {
      // The first answer may wait for the model to be loaded.
      await this.#time(model.chat!({ messages: [question], maxTokens: 16 }, this.#options));
      return await this.#time(model.chat!({ messages: [question] }, this.#options));
    });
    if (answered === undefined) return false;
    const { text, isBehindReasoning, ...speed } = answered;
    const chatAnswer = { text, isReasoned: isBehindReasoning || hasReasoningTag(text) };
    this.#add({ isReachable: true, server: this.#report.server ?? this.#title(), chatAnswer, ...speed });
    if (text.trim() !== "") return true;
    this.#problems.push({ code: "silent", message: "It answers with nothing. Another model may do better." });
    return false;
  }

  async #time(
    answer: AsyncGenerator<TextPart, ModelEnd>,
  ): Promise<
    { readonly text: string; readonly isBehindReasoning: boolean } & Pick<
      ModelReport,
      "firstTokenMs" | "tokensPerSecond"
    >
  > {
    const { clock } = this.#host;
    const begun = clock.now();
    const times: number[] = [];
    let text = "";
    let isBehindReasoning = false;
    let generated: ModelEnd["generated"];
    for (;;) {
      const { done, value } = await answer.next();
      if (done === true) {
        generated = value.generated;
        break;
      }
      text += value.text;
      isBehindReasoning ||= value.isBehindReasoning === true;
      times.push(clock.now());
    }
    const [first] = times;
    const last = times.at(-1);
    if (first === undefined || last === undefined) return { text, isBehindReasoning };
    // Pieces may arrive in one packet, so what the server reports counts where it does.
    const { tokens, ms } = generated ?? { tokens: times.length - 1, ms: last - first };
    const isTimed = tokens >= leastTimed.tokens && ms >= (generated === undefined ? leastTimed.ms : Number.MIN_VALUE);
    const tokensPerSecond = isTimed ? (tokens * 1000) / ms : undefined;
    const firstTokenMs = first - begun;
    return { text, isBehindReasoning, firstTokenMs, ...(tokensPerSecond === undefined ? {} : { tokensPerSecond }) };
  }
}

/** A rate of fewer tokens, or by our clock of a shorter time, says nothing of the server. */
const leastTimed = { tokens: 8, ms: 20 };

/**
 * Half of this many tokens is enough to time the reading of a prompt: of a longer prompt, a server
 * with a small batch reads only that many.
 */
const enoughTokens = 512;

/** How the reading of a prompt is timed. */
export interface TimePromptOptions extends ModelCallOptions {
  readonly clock: Clock;
  /** The length of the prompt; at most half of the context is used. */
  readonly tokens: number;
  /** The most milliseconds that it may take. */
  readonly limitMs: number;
}

/**
 * Measures how quickly a model that fills reads a prompt: how many tokens its server read, and the
 * milliseconds, at least 1, as the server reports them, else until the first part of the answer;
 * `undefined` milliseconds where they are more than the limit. Resolves with `undefined` where the
 * server had kept most of the prompt. Rejects with `ModelError` where the server fails.
 */
export async function timePrompt(
  model: Model,
  { clock, tokens, limitMs, ...options }: TimePromptOptions,
): Promise<{ readonly tokens: number; readonly tookMs: number | undefined } | undefined> {
  const begun = clock.now();
  const { language, path } = sample;
  const { counter, contextTokens } = await promptLimits(model, { language, ...options });
  const wanted = Math.min(tokens, Math.floor((contextTokens ?? Number.POSITIVE_INFINITY) / 2));
  const tokensOf = (text: string) => counter?.count(text) ?? Math.ceil(text.length / 3);
  let prefix = `// Numbers of ${begun}.\n`;
  for (let i = 1; tokensOf(prefix) < wanted && i < wanted; i++)
    prefix += `const value${i} = ${i} * (${begun} + total);\n`;
  const sent = clock.now();
  const answer = model.fill!({ path, language, prefix, suffix: "\n", maxTokens: 1 }, options);
  try {
    const first = await resultWithin(answer.next(), { clock, limitMs });
    if (first === undefined) return { tokens: wanted, tookMs: undefined };
    const tookMs = Math.max(1, clock.now() - sent);
    const end = await resultWithin(endOf(answer, first), { clock, limitMs: Math.max(1, limitMs - tookMs) });
    const { tokens: evaluated = tokensOf(prefix), ms } = end?.evaluated ?? {};
    // What the server had kept was not read now.
    return evaluated < Math.min(wanted, enoughTokens) / 2
      ? undefined
      : { tokens: evaluated, tookMs: Math.max(1, ms ?? tookMs) };
  } finally {
    // A server that reads on would be slow for whatever follows.
    void answer.return({ reason: "length" }).catch(() => undefined);
  }
}

/** The end of an answer after a part of it. */
async function endOf(
  answer: AsyncGenerator<TextPart, ModelEnd>,
  part: IteratorResult<TextPart, ModelEnd>,
): Promise<ModelEnd> {
  let now = part;
  while (now.done !== true) now = await answer.next();
  return now.value;
}

/**
 * The first special token of a template that the server does not read as one token, which shows
 * that the template is of another model family. `undefined` when each is read as one token. Rejects
 * with `ModelError` when the server fails.
 */
async function tryFindStrangeMark(
  server: ModelServer,
  template: FillTemplate,
  { signal }: ModelCallOptions,
): Promise<string | undefined> {
  for (const mark of marksOf(template)) {
    if ((await countTokens(server, mark, signal)) !== 1) return mark;
  }
  return undefined;
}

/**
 * The names of the templates whose special tokens the server's tokeniser reads as one token each;
 * empty when none fits. Rejects with `ModelError` when the server fails.
 */
async function fittingTemplates(server: ModelServer, { signal }: ModelCallOptions): Promise<readonly string[]> {
  const counts = new Map<string, number>();
  for (const mark of new Set(fillTemplates.flatMap(marksOf))) counts.set(mark, await countTokens(server, mark, signal));
  return fillTemplates
    .filter((template) => marksOf(template).every((mark) => counts.get(mark) === 1))
    .map(({ name }) => name);
}

/** The special tokens that a template's own prompt is made of. */
function marksOf({ fill, specialTokens }: FillTemplate): readonly string[] {
  return specialTokens.filter((token) => fill.includes(token));
}
