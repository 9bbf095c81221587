import { LinkedController } from "../../async/index.ts";
import type { ModelCallOptions } from "../model.ts";
import type { ModelHost, ModelSettings } from "../model-host.ts";
import type { ModelReport } from "../model-report.ts";
import { probeModel } from "../probe-model.ts";
import type { ModelServerFound, ServedModel } from "./find-servers.ts";
import { tryRecommended } from "./recommended-models.ts";

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
  /** Of the attempt to fill, and of the attempt to chat where there was time for it. */
  readonly fill: ModelReport | undefined;
  readonly chat: ModelReport | undefined;
}

/** The most milliseconds for all attempts with one model. */
export const trialMs = 20_000;

/**
 * Tries a model with a hole and with a chat, for {@link trialMs} at most. Where the server has no
 * template of its own, it is tried again with the one whose tokens the model's tokeniser has, or
 * the one of the recommended list. `settings` of the host are the person's own for this model.
 *
 * Rejects only with the signal's own reason.
 */
export async function tryServedModel(
  server: ModelServerFound,
  { name, id }: ServedModel,
  host: ModelHost,
  { signal }: ModelCallOptions = {},
): Promise<ServedModelTrial> {
  const limit = new LinkedController(signal);
  const timer = host.clock.after(trialMs, () => limit.abort(new TrialOver()));
  const probe = async (face: "fill" | "chat", settings: ModelSettings = {}) => {
    try {
      const tried = { ...host, settings: { ...host.settings, ...settings } };
      return await probeModel(name, tried, { face, signal: limit.signal, timesPrompt: false });
    } catch (error) {
      signal?.throwIfAborted();
      if (error instanceof TrialOver) return undefined;
      throw error;
    }
  };
  try {
    const own = await probe("fill");
    const template = own === undefined || canFill(own) ? undefined : templateFor(server, id, own);
    const fill = template === undefined ? own : await probe("fill", { template: template.name });
    const chat = await probe("chat");
    const fills = canFill(fill);
    const chats = chat?.can.chat === true && firstPrimes.test(chat.chatAnswer?.text ?? "");
    return {
      ...{ name, fills, chats, fill, chat },
      settings: template === undefined || !fills ? {} : { template: template.name },
      why: fills ? howItFills(server, fill!, template) : whyItDoesNot(fill),
    };
  } finally {
    timer[Symbol.dispose]();
    limit[Symbol.dispose]();
  }
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
