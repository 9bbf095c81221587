import { defaultGhostTextSettings as ghostText } from "../complete/index.ts";
import { defaultPromptSettings as prompt } from "../context/index.ts";
import { defaultNextEditSettings as next } from "../next/index.ts";
import type { Config } from "./schema/settings.ts";

/**
 * The default settings. Defaults of an engine are taken from the engine, so that each is written
 * once.
 */
export const defaultConfig: Config = {
  model: ["builtin"],
  models: {},
  complete: {
    enabled: true,
    languages: ghostText.switches.languages,
    fileTypes: { ...ghostText.switches.fileTypes, ".env": false },
    folders: ghostText.switches.folders,
    comments: ghostText.comments,
    strings: ghostText.strings,
    eagerness: "normal",
    maxLines: ghostText.maxBlockLines,
    maxLineCharacters: ghostText.maxLineCharacters,
    maxDocumentCharacters: ghostText.maxDocumentCharacters,
    multiLine: ghostText.multiLine,
    debounceMs: "auto",
    timeoutMs: ghostText.timeoutMs,
    ahead: ghostText.ahead,
    guide: ghostText.guide,
    members: ghostText.members,
    nextEdits: true,
  },
  next: {
    enabled: next.switches.enabled,
    languages: next.switches.languages,
    fileTypes: { ...next.switches.fileTypes, ".env": false },
    folders: next.switches.folders,
    eagerness: next.eagerness,
    leastLikelihood: next.leastLikelihood,
    origins: [...next.origins],
    model: [],
    request: {},
    format: next.format ?? "auto",
    context: next.context,
    debounceMs: next.debounceMs,
    afterRejectionMs: next.afterRejectionMs,
    timeoutMs: next.timeoutMs,
    typesMs: next.typesMs,
    maxLines: next.maxLines,
    maxDocumentCharacters: next.maxDocumentCharacters,
    whiteSpace: next.whiteSpace,
    imports: next.imports,
    recordTo: "",
  },
  context: {
    maxTokens: 8192,
    suffixShare: 0.15,
    maxLines: prompt.maxContextLines,
    share: prompt.contextShare,
    similar: { mode: prompt.similarity, maxSnippets: prompt.maxSimilar },
    retrieval: prompt.retrieval,
    imports: true,
    recentEdits: true,
    diagnostics: true,
    symbols: true,
    gitDiff: true,
  },
  edit: { model: [], request: {}, format: "auto", maxRetries: 3, formatter: "auto", verify: "" },
  types: { maxMemoryMb: next.maxTypesMemoryMb },
  trust: [],
};
