import type { EditRequest, RegionGuidance } from "../edit/index.ts";
import type { EditSettings } from "../server/session/index.ts";
import type { ReviewOptions } from "./review-edit.ts";

/** What may be said on the command line of `emend edit`. */
export interface EditOptions extends ReviewOptions {
  /** The instruction; `-` reads it from standard input. */
  readonly message: string | undefined;
  /** Files to be read only. */
  readonly read: readonly string[] | undefined;
  /** The workspace; that of the first file unless told. */
  readonly root: string | undefined;
  /** The models in order of preference, which count more than any configuration. */
  readonly model: readonly string[] | undefined;
  readonly format: string | undefined;
  readonly maxRetries: number | undefined;
  /** The command that judges a change; `false` for none, whatever the configuration says. */
  readonly check: string | false | undefined;
  /** Whether the project's formatter may be used. */
  readonly formatter: boolean;
  /** Whether the person trusts the workspace: its configuration, and its formatter. */
  readonly trust: boolean;
  /** Print what to paste into any chat. */
  readonly prompt: boolean;
  /** Copy what `prompt` would print, instead. */
  readonly copy: boolean;
  /** The file with what a chat said, or `-`. */
  readonly answer: string | undefined;
  /** The regions as typed, which alone are rewritten; all of the files may be changed unless told. */
  readonly at: readonly string[] | undefined;
  /** Whether new text of regions is held to the grammar. */
  readonly guide: RegionGuidance;
  /** Tell what was refused on the way. */
  readonly explain: boolean;
}

/** An instruction, and all that holds for it. */
export interface AskedEdit {
  readonly request: EditRequest;
  readonly root: string;
  readonly settings: EditSettings;
  /** What is to be told with the outcome, one line each. */
  readonly notes: readonly string[];
  readonly options: EditOptions;
}
