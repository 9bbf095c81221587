import type { Switches } from "../../complete/index.ts";
import type { NextEditFormatName } from "../formats/next-edit-format.ts";
import { defaultPromptInputSettings, type PromptInputSettings } from "../providers/model/prompt-input-settings.ts";
import type { NextEditOrigin } from "../providers/next-edit-provider.ts";
import type { Eagerness } from "./arbitration.ts";

/**
 * All limits and switches of the next edit engine. Complete: the engine has no defaults of its own.
 */
export interface NextEditSettings {
  /** Where next edits come automatically. An invoked request is answered everywhere. */
  readonly switches: Switches;
  readonly eagerness: Eagerness;
  /**
   * The least likelihood of an automatic suggestion by eagerness, from 0 to 1. An invoked request
   * uses `eager` first.
   */
  readonly leastLikelihoodByEagerness: Readonly<Record<Eagerness, number>>;
  /**
   * The least likelihood for an invoked request, where neither a provider nor a model has a
   * likelier edit. 0.05.
   */
  readonly leastLikelihood: number;
  /** The origins whose providers are used. All. */
  readonly origins: readonly NextEditOrigin[];
  /**
   * Debounce in milliseconds before a model is called, and in a long document before any provider
   * is. 200.
   */
  readonly debounceMs: number;
  /**
   * From how many UTF-16 units on a document is long: analysing it after each key would delay the
   * next key. 250,000, about 8,000 lines.
   */
  readonly longDocumentCharacters: number;
  /** How long no next edit comes automatically after a rejection, in milliseconds. 5,000. */
  readonly afterRejectionMs: number;
  /** The most lines of an edit, before or after it. 40. */
  readonly maxLines: number;
  /** Whether edits of white space only are suggested. False. */
  readonly whiteSpace: boolean;
  /** Whether edits of imports only are suggested. True. */
  readonly imports: boolean;
  /** The most UTF-16 units of a document. 2,000,000. */
  readonly maxDocumentCharacters: number;
  /** The most proposals that are checked for one request. 20. */
  readonly maxChecked: number;
  /**
   * How long a type check may take, in milliseconds, before an edit is suggested without it. 2,000.
   */
  readonly typesMs: number;
  /**
   * The most megabytes of memory of the type checker's process, which is ended beyond it. 2,048.
   */
  readonly maxTypesMemoryMb: number;
  /** How long a model may take for its first edit, in milliseconds. 10,000. */
  readonly timeoutMs: number;
  /**
   * The format of the model's prompt and answer. Default: the one the model is known to be trained
   * for.
   */
  readonly format?: NextEditFormatName;
  /** Limits of the prompt input. */
  readonly context: PromptInputSettings;
}

/** The default of each setting. */
export const defaultNextEditSettings: NextEditSettings = {
  switches: { enabled: true, languages: {}, fileTypes: {}, folders: {} },
  eagerness: "normal",
  leastLikelihoodByEagerness: { quiet: 0.8, normal: 0.6, eager: 0.3 },
  leastLikelihood: 0.05,
  origins: ["example", "name", "fix", "impact", "model"],
  debounceMs: 200,
  longDocumentCharacters: 250_000,
  afterRejectionMs: 5_000,
  maxLines: 40,
  whiteSpace: false,
  imports: true,
  maxDocumentCharacters: 2_000_000,
  maxChecked: 20,
  typesMs: 2_000,
  maxTypesMemoryMb: 2_048,
  timeoutMs: 10_000,
  context: defaultPromptInputSettings,
};
