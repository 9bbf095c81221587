import type { FoundServer, ModelServerFound, ServedModel, ServedModelTrial } from "../../model/index.ts";

/** The parameters of `emend/setup`, whose result is a {@link SetupReport}. */
export interface SetupParams {
  /** Where to look instead of the usual ports of this machine, as typed. */
  readonly servers?: readonly string[];
  /** A company's model, or the company alone, instead of a server: `mistral`, `openai:gpt-5`. */
  readonly hosted?: string;
  /** Whether to take out again what was written. */
  readonly reset?: boolean;
}

/**
 * What a person sees of the steps that set up a model, and decides: at a terminal, or on the page.
 */
export interface SetupDialog {
  /** How the steps are started again, as a sentence. */
  readonly again: string;
  show(step: SetupStep): void;
  /**
   * The models to try of those that were found; `preferred` has one of each server. Rejects as
   * {@link confirm} does.
   */
  chooseModels(choice: SetupChoice): Promise<readonly SetupCandidate[]>;
  /**
   * `undefined` where there is no person to answer. Rejects with the reason of the signal that ends
   * the steps.
   */
  confirm(question: SetupQuestion): Promise<boolean | undefined>;
  /**
   * The program that prints a key, with its arguments; `undefined` where the person names none.
   * Rejects as {@link confirm} does.
   */
  askForKeyCommand(question: string): Promise<readonly string[] | undefined>;
}

/** A step, with a text for a person. */
export type SetupStep =
  /** The servers that answer, after models that were being loaded were waited for. */
  | { readonly kind: "found"; readonly servers: readonly FoundServer[] }
  /** A model is being loaded. */
  | { readonly kind: "waiting"; readonly text: string }
  /** `name` as in settings. */
  | { readonly kind: "trying"; readonly name: string; readonly text: string }
  /** The text is what the model is good for, and its speed, without its name. */
  | { readonly kind: "tried"; readonly trial: ServedModelTrial; readonly text: string };

/** A model that can be tried, with its server. */
export interface SetupCandidate {
  readonly server: ModelServerFound;
  readonly model: ServedModel;
}

/** The models to choose from. */
export interface SetupChoice {
  readonly candidates: readonly SetupCandidate[];
  readonly preferred: readonly SetupCandidate[];
}

/** A question whose answer is the line that a person typed; `null` where there is none. */
export interface SetupKeyQuestion {
  readonly question: string;
}

/** What is done only after a confirmation. */
export interface SetupQuestion {
  /**
   * `contact`: send requests to a server on another machine that the person named; without it the
   * steps end. `look`: send them to one of the settings. `next`: use a model for next edits,
   * too. `write`: write settings. `trust`: let the settings of a workspace count.
   */
  readonly kind: "contact" | "look" | "next" | "write" | "trust";
  /** What will be done, such as the lines to write; empty where the question contains it. */
  readonly details: string;
  readonly question: string;
  /** What counts over the settings to write: sentences, with what to change. */
  readonly outranked: readonly string[];
  /** What an empty line at a terminal means. */
  readonly ifEmpty: "yes" | "no";
}

/** What the steps came to. Fields may be added; none changes its meaning. */
export interface SetupReport {
  /**
   * `no-model`: servers were found, and none has a model that can be used. `not-written`: the
   * settings were not confirmed, or the file is code.
   */
  readonly kind: "written" | "unchanged" | "not-written" | "no-model" | "no-server" | "reset";
  readonly servers: readonly FoundServer[];
  readonly tried: readonly ServedModelTrial[];
  /** The models for ghost text, for instructions, and for next edits where that was chosen. */
  readonly model?: string;
  readonly editModel?: string;
  readonly nextModel?: string;
  /** The absolute path of the settings file. */
  readonly file: string;
  readonly settings: readonly { readonly key: string; readonly value: unknown }[];
  /** Sentences for a person: what to install, to change or to know. */
  readonly notes: readonly string[];
  readonly completion?: SampleCompletion;
}

/** A completion at a place in the person's own code, whose rest of the line was taken away. */
export interface SampleCompletion {
  /** Absolute. */
  readonly file: string;
  /** From 1; columns in UTF-16 code units. */
  readonly line: number;
  readonly column: number;
  /** Whether the file is one of Emend's examples, since the workspace has no sources. */
  readonly isExample: boolean;
  /** The model that wrote it; absent without a suggestion. */
  readonly model?: string;
  readonly text: string;
  /** Why there is no suggestion, or none by the model that was set up. */
  readonly reason?: string;
  /** The text around the place, with the completion in it; absent in the output of `--json`. */
  readonly shown?: string;
}

/**
 * The answer of `emend/trust`, which trusts the workspace in the user's own settings file.
 * `by-hand`: the file is code, and the user has to add `line`. `already-trusted`: nothing was
 * written.
 */
export type TrustReport =
  | { readonly kind: "trusted"; readonly file: string }
  | { readonly kind: "by-hand"; readonly file: string; readonly line: string }
  | { readonly kind: "already-trusted" };

/** The answer of `emend/setup/state`. */
export interface SetupState {
  /** Whether `emend/setup` with `reset` would take something out of the user's own file. */
  readonly canReset: boolean;
}
