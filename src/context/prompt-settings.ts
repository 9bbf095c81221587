import type { SimilarityMode } from "./similar-snippets.ts";

/** What goes into prompts. */
export interface PromptSettings {
  /** The most lines of other places; default: 240. */
  readonly maxContextLines: number;
  /**
   * The share of the budget that other places may take where the file itself needs all of it;
   * default: 0.35.
   */
  readonly contextShare: number;
  /**
   * The most lines of imported declarations, which are part of those of other places; default: 60.
   */
  readonly maxImportLines: number;
  /** How open files are compared with the place; default: `weighted`. */
  readonly similarity: SimilarityMode | "off";
  /** The most pieces of open files; default: 4. */
  readonly maxSimilar: number;
  /** Whether the whole workspace is searched. */
  readonly retrieval: boolean;
}

/** The default settings. */
export const defaultPromptSettings: PromptSettings = {
  maxContextLines: 240,
  contextShare: 0.35,
  maxImportLines: 60,
  similarity: "weighted",
  maxSimilar: 4,
  retrieval: true,
};
