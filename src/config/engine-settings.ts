import { defaultGhostTextSettings, type GhostTextSettings } from "../complete/index.ts";
import { defaultPromptSettings, type PromptBudget, type PromptLimit, type PromptSettings } from "../context/index.ts";
import {
  keptForAnswer,
  type ModelSettings,
  type PromptLimits,
  parseModelName,
  printModelName,
} from "../model/index.ts";
import { defaultNextEditSettings, type NextEditSettings } from "../next/index.ts";
import type { Config } from "./schema/settings.ts";

/**
 * The ghost text engine's settings for the configuration; what has no setting keeps the engine's
 * default. `eagerness` becomes the acceptance threshold, and a number in `debounceMs` a fixed
 * debounce.
 */
export function ghostTextSettingsOf({ complete }: Pick<Config, "complete">): GhostTextSettings {
  const { enabled, languages, fileTypes, folders, eagerness, maxLines, debounceMs } = complete;
  const { comments, strings, multiLine, maxLineCharacters, maxDocumentCharacters, timeoutMs } = complete;
  const { ahead, guide, members } = complete;
  const defaults = defaultGhostTextSettings;
  return {
    ...defaults,
    switches: { enabled, languages, fileTypes, folders },
    ...{ comments, strings, multiLine, maxLineCharacters, maxDocumentCharacters, timeoutMs },
    ...{ ahead, guide, members },
    acceptanceThreshold: thresholds[eagerness],
    maxStatementLines: Math.min(defaults.maxStatementLines, maxLines),
    maxBlockLines: maxLines,
    debounce: debounceMs === "auto" ? defaults.debounce : { ...defaults.debounce, minMs: debounceMs, spanMs: 0 },
  };
}

/**
 * The least score with which ghost text comes by itself, see
 * `GhostTextSettings.acceptanceThreshold`.
 */
const thresholds: Readonly<Record<Config["complete"]["eagerness"], number>> = {
  quiet: 0.35,
  normal: defaultGhostTextSettings.acceptanceThreshold,
  eager: 0,
};

/**
 * The settings of the next edit engine for the configuration; what has no setting keeps the
 * engine's default. `model` and `recordTo` are for the host.
 */
export function nextEditSettingsOf({ next, types }: Pick<Config, "next" | "types">): NextEditSettings {
  const { enabled, languages, fileTypes, folders, format } = next;
  const { eagerness, leastLikelihood, origins, context, whiteSpace, imports } = next;
  const { debounceMs, afterRejectionMs, timeoutMs, typesMs, maxLines, maxDocumentCharacters } = next;
  return {
    ...defaultNextEditSettings,
    switches: { enabled, languages, fileTypes, folders },
    ...{ eagerness, leastLikelihood, origins, context, whiteSpace, imports },
    ...{ debounceMs, afterRejectionMs, timeoutMs, typesMs, maxLines, maxDocumentCharacters },
    ...(format !== "auto" && { format }),
    maxTypesMemoryMb: types.maxMemoryMb,
  };
}

/**
 * The prompt builder's settings for the configuration; what has no setting keeps the builder's
 * default. Without `imports`, imported declarations get no lines.
 *
 * `recentEdits`, `diagnostics`, `symbols` and `gitDiff` are for the host, which does not pass what
 * is off.
 */
export function promptSettingsOf({ context }: Pick<Config, "context">): PromptSettings {
  return {
    ...defaultPromptSettings,
    maxContextLines: context.maxLines,
    contextShare: context.share,
    maxImportLines: context.imports ? defaultPromptSettings.maxImportLines : 0,
    similarity: context.similar.mode,
    maxSimilar: context.similar.maxSnippets,
    retrieval: context.retrieval,
  };
}

/** What a million tokens cost, in the person's own currency. */
export interface ModelPrice {
  /** Of those that a model is shown. */
  readonly input: number;
  /** Of those that it writes. */
  readonly output: number;
}

/**
 * The settings in `models` for the model with this name, `undefined` if there are none. Names are
 * compared in their normal form; of two equal keys the last counts.
 */
export function tryModelSettings(config: Pick<Config, "models">, name: string): ModelSettings | undefined {
  return tryEntry(config, name);
}

/**
 * The price of a million tokens of a model in `models`, found as {@link tryModelSettings} finds it;
 * `undefined` if it is not set.
 */
export function tryModelPrice(config: Pick<Config, "models">, name: string): ModelPrice | undefined {
  return tryEntry(config, name)?.price;
}

function tryEntry({ models }: Pick<Config, "models">, name: string): Config["models"][string] | undefined {
  const wanted = spelling(name);
  const key = Object.keys(models).findLast((known) => spelling(known) === wanted);
  return key === undefined ? undefined : models[key];
}

function spelling(text: string): string {
  const { name } = parseModelName(text);
  return name === undefined ? text : printModelName(name);
}

/**
 * The budget of the next prompt in tokens: what the configuration allows, at most what the model's
 * context has room for beside its answer of up to `answerTokens`, and of that at most `freshTokens`
 * that the server has not evaluated yet.
 */
export function promptBudgetOf(
  { context }: Pick<Config, "context">,
  {
    contextTokens,
    freshTokens,
    pace,
    answerTokens,
  }: Pick<PromptLimits, "contextTokens" | "freshTokens" | "pace"> & { readonly answerTokens: number },
): PromptBudget {
  const { suffixShare } = context;
  const kept = keptForAnswer(answerTokens, contextTokens);
  const room = contextTokens === undefined ? Number.POSITIVE_INFINITY : contextTokens - kept;
  const maxTokens = Math.min(context.maxTokens, room);
  const isLimited = freshTokens !== undefined && freshTokens < maxTokens;
  const limit: PromptLimit =
    contextTokens !== undefined && room < context.maxTokens
      ? { kind: "context", contextTokens, answerTokens: kept }
      : { kind: "setting", key: "context.maxTokens" };
  return { maxTokens, suffixShare, limit, ...(isLimited && { freshTokens, ...(pace && { pace }) }) };
}
