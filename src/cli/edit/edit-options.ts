import type { EditRequest, RegionGuidance } from "../../edit/index.ts";
import type { EditSettings } from "../../server/session/index.ts";
import type { ReviewOptions } from "./review-edit.ts";

/** The options of `emend edit`. */
export interface EditOptions extends ReviewOptions {
  /** The instruction; `-` reads it from standard input. */
  readonly message: string | undefined;
  /** Files that are shown to the model but not changed. */
  readonly read: readonly string[] | undefined;
  /** The workspace; that of the first file by default. */
  readonly root: string | undefined;
  /** The models in order of preference; they override the configuration. */
  readonly model: readonly string[] | undefined;
  readonly format: string | undefined;
  readonly maxRetries: number | undefined;
  /** The verification command; `false` for none, overriding the configuration. */
  readonly verify: string | false | undefined;
  /** Whether the project's formatter may be used. */
  readonly formatter: boolean;
  /** Whether the person trusts the workspace: its configuration, and its formatter. */
  readonly trust: boolean;
  /** Print the prompt for any chat instead of requesting a model. */
  readonly prompt: boolean;
  /** Copy the prompt to the clipboard instead of printing it. */
  readonly copy: boolean;
  /** The file with a chat's answer, or `-` for standard input. */
  readonly answer: string | undefined;
  /**
   * The regions to rewrite, as typed; nothing else is changed. Without them, all of the files may
   * be changed.
   */
  readonly at: readonly string[] | undefined;
  /** Whether the new text of regions is constrained by the grammar. */
  readonly guide: RegionGuidance;
  /** Print the refused answers too. */
  readonly explain: boolean;
}

/** An instruction with its workspace, settings and options. */
export interface EditTask {
  readonly request: EditRequest;
  readonly root: string;
  readonly settings: EditSettings;
  /** Notes to print with the outcome, one line each. */
  readonly notes: readonly string[];
  readonly options: EditOptions;
}
