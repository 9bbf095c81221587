import { runWithTimeout } from "../../async/index.ts";
import { defaultPromptMs } from "../clients/prompt-pace.ts";
import type { Model, ModelCallOptions } from "../model.ts";
import { ModelError } from "../model-error.ts";
import type { ModelHost, ModelSettings } from "../model-host.ts";
import { shownModelName } from "../model-name.ts";
import type { ModelReport } from "../model-report.ts";
import { openModel } from "../open-model.ts";
import { probeModel, timePrompt } from "../probe-model.ts";
import { serverFacts } from "../providers.ts";
import type { ModelServerFound, ServedModel } from "./find-servers.ts";
import { recommendedBelow, tryRecommended } from "./recommended-models.ts";

/** What a model of a server turned out to be of use for. */
export interface ServedModelTrial {
  /** As settings name it. */
  readonly name: string;
  /** Whether it fills holes in code, with {@link settings}. */
  readonly fills: boolean;
  readonly chats: boolean;
  /** The template that it needs; empty where the server marks the hole itself. */
  readonly settings: { readonly template?: string };
  /** Who marks the hole, and how that is known, or why it can't fill: a sentence. */
  readonly why: string;
  /** Of the attempts to fill and to chat, as far as there was time. */
  readonly fill: ModelReport | undefined;
  readonly chat: ModelReport | undefined;
  /** That it reads prompts too slowly for ghost text, and what to use instead: sentences. */
  readonly slow?: string;
}

/** The most milliseconds for all attempts with one model. */
export const trialMs = 20_000;

/** A model that reads fewer tokens than this within the time is too slow for ghost text. */
const slowBelow = { tokens: 512, ms: defaultPromptMs };

/** The length of the prompt by which reading is timed, where that is quick enough to go on. */
const longPromptTokens = 2_000;

/**
 * Tries a model with a hole and with a chat, and times how it reads a prompt, for {@link trialMs}
 * at most. Where the server has no template of its own, it is tried again with the one whose tokens
 * the model's tokeniser has, or the one of the recommended list. `settings` of the host are the
 * person's own for this model.
 *
 * Rejects only with the signal's own reason.
 */
export async function tryServedModel(
  server: ModelServerFound,
  served: ServedModel,
  host: ModelHost,
  { signal }: ModelCallOptions = {},
): Promise<ServedModelTrial> {
  const { name, id } = served;
  const deadline = host.clock.now() + trialMs;
  const withinTime = async <T>(work: (signal: AbortSignal) => Promise<T>): Promise<T | undefined> => {
    const limitMs = deadline - host.clock.now();
    if (limitMs <= 0) return undefined;
    try {
      return await runWithTimeout(work, { clock: host.clock, limitMs, signal, late: () => new TrialOver() });
    } catch (error) {
      if (error instanceof TrialOver) return undefined;
      throw error;
    }
  };
  const hostWith = (settings: ModelSettings) => ({ ...host, settings: { ...host.settings, ...settings } });
  const probe = (face: "fill" | "chat", settings: ModelSettings = {}) =>
    withinTime((limited) => probeModel(name, hostWith(settings), { face, signal: limited, timesPrompt: false }));
  const own = await probe("fill");
  const template = own === undefined || canFill(own) ? undefined : templateFor(server, id, own);
  const filled = template === undefined ? own : await probe("fill", { template: template.name });
  const chat = await probe("chat");
  const fills = canFill(filled);
  const settings = template === undefined || !fills ? {} : { template: template.name };
  const timing = { clock: host.clock, deadline, ...(signal && { signal }) };
  // The speed of a company's server is not of this machine, and prompts cost money there.
  const isTimed = fills && !serverFacts[server.provider].needsKey;
  const speed = isTimed ? await promptSpeed(openModel(name, hostWith(settings)), timing) : undefined;
  const chats = chat?.can.chat === true && firstPrimes.test(chat.chatAnswer?.text ?? "");
  return {
    ...{ name, fills, chats, chat, settings },
    fill: filled && { ...filled, ...(speed !== undefined && { promptTokensPerSecond: speed }) },
    why: fills ? howItFills(server, filled!, template) : whyItDoesNot(filled),
    ...(speed !== undefined && isSlow(speed) && { slow: howSlow(server, served, speed) }),
  };
}

/**
 * The tokens that a model reads a second, or would read at most where it needs longer than the time
 * that is left. One that seems slow is timed twice, since the machine may be busy, and with the
 * shorter prompt alone. `undefined` where the server fails, and where too little time is left.
 */
async function promptSpeed(
  model: Model,
  { clock, deadline, ...options }: Pick<ModelHost, "clock"> & ModelCallOptions & { readonly deadline: number },
): Promise<number | undefined> {
  const time = async (length: number) => {
    const limitMs = deadline - clock.now();
    if (limitMs < slowBelow.ms) return undefined;
    try {
      const timing = await timePrompt(model, { clock, tokens: length, limitMs, ...options });
      return timing && { limitMs, ...timing };
    } catch (error) {
      options.signal?.throwIfAborted();
      if (!(error instanceof ModelError)) throw error;
      return undefined;
    }
  };
  const first = await time(slowBelow.tokens);
  if (first === undefined) return undefined;
  const speed = (first.tokens * 1000) / (first.tookMs ?? first.limitMs);
  if (first.tookMs === undefined) return speed;
  const second = await time(isSlow(speed) ? slowBelow.tokens : longPromptTokens);
  return second?.tookMs === undefined ? speed : Math.max(speed, (second.tokens * 1000) / second.tookMs);
}

function isSlow(tokensPerSecond: number): boolean {
  return tokensPerSecond * slowBelow.ms < slowBelow.tokens * 1000;
}

function howSlow({ provider }: ModelServerFound, { name, billions }: ServedModel, tokensPerSecond: number): string {
  const seconds = (slowBelow.tokens / tokensPerSecond).toFixed(1);
  const wanted = (slowBelow.tokens * 1000) / slowBelow.ms;
  const smaller = recommendedBelow(provider, billions, { tokensPerSecond, wanted });
  const cure =
    smaller === undefined
      ? "No smaller one is recommended for this server: set `model` to `builtin`, or use a graphics card."
      : `${smaller.title} is smaller: \`${smaller.command}\` fetches it, ${smaller.sizeGb} GB.`;
  return `\`${shownModelName(name)}\` reads ${tokensPerSecond < 10 ? tokensPerSecond.toFixed(1) : Math.round(tokensPerSecond)} tokens a second, so a prompt of ${slowBelow.tokens} tokens takes ${seconds} s, and ghost text comes late. ${cure}`;
}

/**
 * What the answer to the question of the trial holds: a model that was trained to complete alone
 * answers, too.
 */
const firstPrimes = /\b2\D+3\D+5\D+7\b/;

/** The time for a trial is over. */
class TrialOver extends Error {}

/** Problems with which an answer is there, and is of no use. */
const useless: ReadonlySet<string> = new Set(["template-mismatch", "silent", "prose"]);

function canFill(report: ModelReport | undefined): boolean {
  if (report === undefined || !report.can.fill) return false;
  return report.fillBy !== "chat" && !report.problems.some(({ code }) => useless.has(code));
}

interface Template {
  readonly name: string;
  readonly why: string;
}

/**
 * The template worth a try. Of several that fit the tokeniser none is taken, since a wrong one
 * gives bad answers without an error.
 */
function templateFor({ provider }: ModelServerFound, id: string, report: ModelReport): Template | undefined {
  const fitting = report.fittingTemplates ?? [];
  const recommended = tryRecommended(provider, id);
  if (recommended?.template !== undefined && (fitting.length === 0 || fitting.includes(recommended.template))) {
    return { name: recommended.template, why: `it is that of ${recommended.title}` };
  }
  return fitting.length === 1
    ? { name: fitting[0]!, why: "the model's tokeniser has its tokens, and those of no other" }
    : undefined;
}

function howItFills({ title }: ModelServerFound, { fillBy }: ModelReport, template: Template | undefined): string {
  if (template !== undefined) return `The template is ${template.name}: ${template.why}.`;
  return fillBy === "template"
    ? "The template is the one of your settings."
    : `The hole is marked by ${title} itself, so no template is needed.`;
}

function whyItDoesNot(report: ModelReport | undefined): string {
  if (report === undefined) return `It took over ${trialMs / 1000} s to fill a short hole. Try a smaller model.`;
  return report.problems[0]?.message ?? "It can't fill a hole in code.";
}
