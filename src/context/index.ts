export { CodeIndex, type CodeIndexOptions, type FoundWindow, type IndexedFile, type QueryWord } from "./code-index.ts";
export { EditHistory, type EditHistoryOptions, printPastEdit } from "./edit-history.ts";
export { byLine, type PastEdit, stepsOf } from "./edit-steps.ts";
export { nearestDiagnostics, type PromptDiagnostic, type SymbolDeclaration } from "./editor-pieces.ts";
export {
  explainPrompt,
  explainPromptLimit,
  printPieceOrigin,
  printPromptSize,
  printShortfall,
} from "./explain-prompt.ts";
export { GrowingPrompt, type GrowthPlace } from "./growing-prompt.ts";
export {
  hideSecrets,
  hideSecretsInLines,
  hideSecretsInPlace,
  messageLanguage,
  type ShownText,
} from "./hide-secrets.ts";
export type { ContextPiece, PieceKind, PlacedPiece, Prompt, PromptBudget, PromptLimit } from "./prompt.ts";
export { PromptBuilder, type PromptBuilderOptions, type PromptRequest } from "./prompt-builder.ts";
export { defaultPromptSettings, type PromptSettings } from "./prompt-settings.ts";
export {
  type NeighbourFile,
  type OpenFile,
  type SimilarityMode,
  SimilarSnippets,
  type SimilarSnippetsOptions,
  type Snippet,
} from "./similar-snippets.ts";
export type { Reach, Stop } from "./text-costs.ts";
export { TextCosts } from "./text-costs.ts";
export { type ExactTokeniser, estimatingCounter, exactTokenisers, openTokenCounter } from "./token-counters.ts";
export type { WordTable } from "./word-table.ts";
export type { WordedLines } from "./worded-lines.ts";
