import type { Model } from "../model/index.ts";
import type { Syntax } from "../syntax/index.ts";
import type { FileTexts, TextRange, WorkspaceEdit } from "../text/index.ts";

/** What the engine of edits is made of: all that is outside of it. */
export interface EditEngineParts {
  /** The model that is asked; its chat face is used. Without one, only answers that are there already can be judged. */
  readonly model?: Model;
  readonly syntax: Syntax;
  /** Judges a change that parses, such as by running the project's tests on it. */
  readonly check?: EditCheck;
  /** Formats changed files as their project does. */
  readonly formatter?: EditFormatter;
  /** The text of a file as it is now, or `undefined` where there is none; the request's texts are taken for it if absent. */
  readonly textNow?: (path: string) => Promise<string | undefined>;
}

/**
 * Judges an edit of `files`.
 *
 * It rejects with the signal's own reason where that aborts, once it has put back whatever it changed: it is waited for.
 * With `EmendError` it says that it cannot judge, which ends the tries.
 */
export type EditCheck = (
  edit: WorkspaceEdit,
  options: { readonly files: FileTexts; readonly signal?: AbortSignal | undefined },
) => Promise<CheckAnswer>;

/** What a check says: nothing against the change, or what a person would read. */
export type CheckAnswer = { readonly kind: "content" } | { readonly kind: "report"; readonly text: string };

/** Formats one file. It rejects with the signal's own reason where that aborts. */
export type EditFormatter = (
  file: FileToFormat,
  options: { readonly signal?: AbortSignal | undefined },
) => Promise<FormatAnswer>;

/** A changed file that may be formatted. */
export interface FileToFormat {
  readonly path: string;
  readonly text: string;
  /** The ranges of `text` that were changed. Formatting elsewhere is dropped. */
  readonly ranges: readonly TextRange[];
}

/** What became of formatting: the whole text, nothing since no formatter is at home there, or why it failed. */
export type FormatAnswer =
  | { readonly kind: "formatted"; readonly text: string }
  | { readonly kind: "no-formatter" }
  | { readonly kind: "failed"; readonly message: string };
