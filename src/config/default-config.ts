import { defaultGhostTextSettings as ghostText } from "../complete/index.ts";
import { defaultPromptSettings as prompt } from "../context/index.ts";
import type { Config } from "./schema/settings.ts";

/** What is set unless told. What an engine sets by itself is taken from there, so that it is said once. */
export const defaultConfig: Config = {
  model: ["builtin"],
  models: {},
  complete: {
    enabled: true,
    languages: ghostText.switches.languages,
    fileTypes: { ...ghostText.switches.fileTypes, ".env": false },
    folders: ghostText.switches.folders,
    comments: ghostText.inComments,
    strings: ghostText.inStrings,
    eagerness: "normal",
    maxLines: ghostText.maxBlockLines,
    maxLineCharacters: ghostText.maxLineCharacters,
    maxDocumentCharacters: ghostText.maxDocumentCharacters,
    multiLine: ghostText.multiline,
    debounceMs: "auto",
    timeoutMs: ghostText.modelMs,
    ahead: ghostText.ahead,
    guide: ghostText.guide,
    members: ghostText.members,
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
  edit: { model: [], format: "auto", maxRetries: 3, formatter: "auto", check: "" },
  trust: [],
};
