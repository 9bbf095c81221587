import type { Clock } from "../../async/index.ts";
import type { GhostTextRequest } from "../../complete/index.ts";
import {
  type CodeIndex,
  type EditHistory,
  estimatingCounter,
  GrowingPrompt,
  type GrowthPlace,
  type OpenFile,
  type PlacedPiece,
  type Prompt,
  PromptBuilder,
} from "../../context/index.ts";
import {
  type Model,
  type ModelCallOptions,
  type PromptLimits,
  type PromptLimitsOptions,
  printModelSetting,
  promptLimits,
  type TokenCounter,
} from "../../model/index.ts";
import { getOrInsert } from "../../text/index.ts";
import type { SessionSettings } from "./session-settings.ts";
import type { Uncommitted } from "./uncommitted.ts";

/** What prompts are made of. */
export interface SessionPromptsParts {
  readonly settings: SessionSettings;
  /** The workspace's texts, where there is a workspace. */
  readonly index: CodeIndex | undefined;
  /** The recent edits, with the times of `clock`. */
  readonly history: EditHistory;
  /** The uncommitted changes, where they are known. */
  readonly uncommitted: Pick<Uncommitted, "diff"> | undefined;
  readonly clock: Clock;
  /** The files that are open in the editor and may be read, most recently viewed first. */
  openFiles(): Promise<readonly OpenFile[]>;
}

/**
 * Builds the prompts of a session. The built-in model has learnt the workspace; other models get
 * context from it in the prompt.
 */
export class SessionPrompts {
  readonly #parts: SessionPromptsParts;
  readonly #builder: PromptBuilder;
  readonly #growing = new GrowingPrompt();
  readonly #estimates = new Map<string, TokenCounter>();

  constructor(parts: SessionPromptsParts) {
    this.#parts = parts;
    const { index, settings } = parts;
    this.#builder = new PromptBuilder({ settings: settings.prompt, ...(index && { index }) });
  }

  /** The prompt of `model` for a request. Rejects with the signal's reason. */
  promptFor(request: GhostTextRequest, model: Model, options: ModelCallOptions = {}): Prompt | Promise<Prompt> {
    return model.name === "builtin" ? wholeTextPrompt(request) : this.#fittingPrompt(request, model, options);
  }

  /**
   * Has the server evaluate the next larger prompt of a place, where the model is too slow for the
   * whole; resolves to whether there was one. Rejects as `warm` does, and with the signal's reason.
   */
  async growPrompt(request: GhostTextRequest, model: Model, options: ModelCallOptions): Promise<boolean> {
    if (model.pace === undefined || model.warm === undefined) return false;
    const { language } = request.document;
    const { full, place } = await this.#assemble(request, model, await limitsOf(model, { ...options, language }));
    options.signal?.throwIfAborted();
    const prompt = place && this.#growing.next(full, place);
    if (prompt === undefined) return false;
    await model.warm({ path: request.path, language, ...textsOf(prompt) }, options);
    return true;
  }

  /**
   * The prompt that fits as the server counts it, where it counts: it is made again where the count
   * shows that the text has other tokens than was known.
   */
  async #fittingPrompt(request: GhostTextRequest, model: Model, options: ModelCallOptions): Promise<Prompt> {
    const { language } = request.document;
    for (let round = 1; ; round++) {
      const limits = await limitsOf(model, { ...options, language });
      const { full, place } = await this.#assemble(request, model, limits);
      const prompt = place === undefined ? full : this.#growing.part(full, place);
      const isShort = limits.counter !== undefined && prompt.tokens <= prompt.budget.maxTokens * shortShare;
      if (model.countPrompt === undefined || isShort || round === maxRounds) return prompt;
      const serverTokens = await model.countPrompt({ path: request.path, language, ...textsOf(prompt) }, options);
      if ((await promptLimits(model, { ...options, language })).counter !== limits.counter) continue;
      return { ...prompt, ...(serverTokens !== undefined && { serverTokens }) };
    }
  }

  async #assemble(
    request: GhostTextRequest,
    model: Model,
    limits: PromptLimits,
  ): Promise<{ readonly full: Prompt; readonly place?: GrowthPlace }> {
    const { settings, index, history, uncommitted, clock } = this.#parts;
    const openDocuments = await this.#parts.openFiles();
    const { path } = request;
    const { prefix, suffix } = sidesOf(request);
    const document = { ...request.document, text: prefix + suffix };
    const { language } = document;
    const counter = limits.counter ?? getOrInsert(this.#estimates, language, () => estimatingCounter(language));
    const full = this.#builder.assemble({
      ...{ document, path, offset: prefix.length, openDocuments, counter },
      ...(settings.recentEdits && { history, nowMs: clock.now() }),
      ...(settings.gitDiff && uncommitted && { gitDiff: uncommitted.diff }),
      budget: settings.budgetOf(limits),
    });
    const { pace } = model;
    if (pace === undefined) return { full };
    return {
      full,
      place: {
        ...{ key: `${model.name} ${path}`, text: document.text, offset: prefix.length, counter },
        isReadable: (other) =>
          other === path || index?.has(other) === true || openDocuments.some((open) => open.path === other),
        freshTokens: (prompt) => pace.freshTokens({ path, language, ...textsOf(prompt) }),
      },
    };
  }
}

/** The texts on both sides of the cursor; the selected completion item counts as inserted. */
function sidesOf({ document: { text }, offset, picked }: GhostTextRequest) {
  return {
    prefix: text.slice(0, picked?.start ?? offset) + (picked?.text ?? ""),
    suffix: text.slice(picked?.end ?? offset),
  };
}

/** The limits of a prompt of ghost text: also how much of it the server may have to evaluate. */
async function limitsOf(model: Model, options: PromptLimitsOptions): Promise<PromptLimits> {
  const [limits, freshTokens] = await Promise.all([promptLimits(model, options), model.pace?.freshLimit(options)]);
  const { tokensPerSecond } = model.pace ?? {};
  const pace = tokensPerSecond && { tokensPerSecond, setting: printModelSetting(model.name, "promptMs") };
  return { ...limits, ...(freshTokens !== undefined && { freshTokens }), ...(pace && { pace }) };
}

function textsOf({ prefix, suffix, context }: Pick<Prompt, "prefix" | "suffix" | "context">) {
  return { prefix, suffix, context };
}

/** How often a prompt is made at most until it fits. */
const maxRounds = 3;

/**
 * A prompt that takes at most this share of its budget, by what was learnt of the model, has all
 * that there is, and fits: it is not counted by the server.
 */
const shortShare = 1 / 2;

/** About how many UTF-16 code units a token has. */
const charactersPerToken = 4;

/**
 * The prompt of a model that has learnt its workspace: the whole text on both sides of the cursor,
 * with the selected completion item in its place, and no context.
 */
function wholeTextPrompt(request: GhostTextRequest): Prompt {
  const { prefix, suffix } = sidesOf(request);
  const { path } = request;
  const piece = (kind: "before-cursor" | "after-cursor", side: string): PlacedPiece => ({
    ...{ kind, path, text: side, priority: 1, status: { kind: "written" } },
    tokens: Math.ceil(side.length / charactersPerToken),
  });
  const pieces = [piece("before-cursor", prefix), piece("after-cursor", suffix)];
  const tokens = pieces.reduce((sum, each) => sum + each.tokens, 0);
  return {
    ...{ prefix, suffix, context: [], pieces, tokens },
    budget: { maxTokens: tokens, suffixShare: 0.5 },
    counter: { name: "an estimate", isExact: false },
  };
}
