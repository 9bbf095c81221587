import type { Switches } from "../complete/index.ts";
import type { Eagerness } from "./arbitration.ts";
import type { NextEditFormatName } from "./next-edit-format.ts";
import type { NextEditOrigin } from "./next-edit-source.ts";
import { defaultSceneSettings, type SceneSettings } from "./scene-at.ts";

/** Every limit and switch of the engine of next edits, complete: the engine has no second defaults. */
export interface NextEditSettings {
  /** For whom next edits come by themselves. Whoever asks for one gets it everywhere. */
  readonly switches: Switches;
  readonly eagerness: Eagerness;
  /** The least likelihood, from 0 to 1, of what is offered by itself, by eagerness. Whoever asks gets what `eager` does first. */
  readonly leastLikelihood: Readonly<Record<Eagerness, number>>;
  /** The least likelihood of what whoever asks is offered where nothing likelier is known, nor a model knows anything. 0.05. */
  readonly leastLikelihoodAsked: number;
  /** Who proposes. All. */
  readonly origins: readonly NextEditOrigin[];
  /** How long to wait for the next key before a model is asked, in milliseconds, and before anybody is asked in a long document. 200. */
  readonly debounceMs: number;
  /** From how many UTF-16 units on a document is long: reading it after each key would be in the way of the next one. 250,000, some 8,000 lines. */
  readonly longDocumentCharacters: number;
  /** How long nothing comes by itself after a rejection, in milliseconds. 5,000. */
  readonly afterRejectionMs: number;
  /** The most lines of an edit, before or after. 40. */
  readonly maxLines: number;
  /** Whether edits of white space alone, and of imports alone, are withheld. True, false. */
  readonly holdsWhiteSpace: boolean;
  readonly holdsImports: boolean;
  /** The most UTF-16 units of a document. 2,000,000. */
  readonly maxDocumentCharacters: number;
  /** The most proposals that are checked for one request. 20. */
  readonly maxChecked: number;
  /** How long types are waited for, in milliseconds, before an edit is offered without having heard them. 2,000. */
  readonly typesMs: number;
  /** How long a model may take for its first edit, in milliseconds. 10,000. */
  readonly modelMs: number;
  /** How the model is asked; what it is known to be trained for unless told. */
  readonly format?: NextEditFormatName;
  /** What a model is shown. */
  readonly scene: SceneSettings;
}

export const defaultNextEditSettings: NextEditSettings = {
  switches: { enabled: true, languages: {}, fileTypes: {}, folders: {} },
  eagerness: "normal",
  leastLikelihood: { quiet: 0.8, normal: 0.6, eager: 0.3 },
  leastLikelihoodAsked: 0.05,
  origins: ["example", "name", "fix", "impact", "model"],
  debounceMs: 200,
  longDocumentCharacters: 250_000,
  afterRejectionMs: 5_000,
  maxLines: 40,
  holdsWhiteSpace: true,
  holdsImports: false,
  maxDocumentCharacters: 2_000_000,
  maxChecked: 20,
  typesMs: 2_000,
  modelMs: 10_000,
  scene: defaultSceneSettings,
};
