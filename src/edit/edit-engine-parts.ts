import type { Model } from "../model/index.ts";
import type { Syntax } from "../syntax/index.ts";
import type { FileTexts, TextRange, WorkspaceEdit } from "../text/index.ts";

/** The dependencies of the edit engine: everything outside of it. */
export interface EditEngineParts {
  /** The model that is called through `chat`. Without one, only existing answers can be checked. */
  readonly model?: Model;
  readonly syntax: Syntax;
  /** Verifies a change that parses, for example with the project's tests. */
  readonly verify?: EditVerification;
  /** Formats changed files with the project's formatter. */
  readonly formatter?: EditFormatter;
  /**
   * Reads the current text of a file; `undefined` where there is no file. Without this function,
   * the texts of the request count as current.
   */
  readonly textNow?: (path: string) => Promise<string | undefined>;
}

/**
 * Verifies an edit of `files`.
 *
 * On abort it restores whatever it changed and then rejects with the signal's reason; the engine
 * waits for that. It rejects with `EmendError` when it cannot verify at all, which ends the
 * retries.
 */
export type EditVerification = (
  edit: WorkspaceEdit,
  options: { readonly files: FileTexts; readonly signal?: AbortSignal | undefined },
) => Promise<VerificationResult>;

/** The result of a verification; `report` is for people and for the model. */
export type VerificationResult = { readonly kind: "passed" } | { readonly kind: "failed"; readonly report: string };

/** Formats one file. Rejects with the signal's own reason when that aborts. */
export type EditFormatter = (
  file: FileToFormat,
  options: { readonly signal?: AbortSignal | undefined },
) => Promise<FormatAnswer>;

/** A changed file that may be formatted. */
export interface FileToFormat {
  readonly path: string;
  readonly text: string;
  /** The changed ranges of `text`. Formatting outside of them is dropped. */
  readonly ranges: readonly TextRange[];
}

/**
 * The result of formatting: the formatted full text, no formatter for this file, or the reason of a
 * failure.
 */
export type FormatAnswer =
  | { readonly kind: "formatted"; readonly text: string }
  | { readonly kind: "no-formatter" }
  | { readonly kind: "failed"; readonly message: string };
