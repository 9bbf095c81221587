import { defaultGhostTextSettings, type GhostTextSettings } from "../complete/index.ts";
import { defaultPromptSettings, type PromptBudget, type PromptSettings } from "../context/index.ts";
import { defaultNextEditSettings, type NextEditSettings } from "../next/index.ts";
import type { Config } from "./schema/settings.ts";

/** The ghost text engine's settings, as the configuration wants them. */
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
 * The settings of the engine of next edits, as the configuration wants them. `model` and `recordTo`
 * are for the host.
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
 * The prompt builder's settings, as the configuration wants them.
 *
 * `recentEdits`, `diagnostics`, `symbols` and `gitDiff` are for the host, which does not hand over
 * what is off.
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

/**
 * A prompt's budget: what the configuration allows, and no more than a model with `contextTokens`
 * has room for.
 */
export function promptBudgetOf(
  { context }: Pick<Config, "context">,
  { contextTokens, answerTokens }: { readonly contextTokens: number | undefined; readonly answerTokens: number },
): PromptBudget {
  const room = contextTokens === undefined ? context.maxTokens : Math.max(0, contextTokens - answerTokens);
  return { maxTokens: Math.min(context.maxTokens, room), suffixShare: context.suffixShare };
}
