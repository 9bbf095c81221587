import type { FileChangeTexts } from "../text/index.ts";
import type { AnswerReader } from "./reading/answer-reader.ts";

/** The names of the edit formats. */
export type FormatName =
  | "range"
  | "numbered"
  | "search-replace"
  | "udiff"
  | "v4a"
  | "str-replace"
  | "whole"
  | "elided"
  | "line-commands";

/** A format in which a model writes edits: its instructions, its reader and its encoder. */
export interface EditFormat {
  readonly name: FormatName;
  /** A short description, less than half a line. */
  readonly title: string;
  /** The instructions to the model: Markdown, in English, with examples. */
  readonly instructions: string;
  /**
   * Prints a file for the prompt: with line numbers where the format needs them, in a fence that
   * the text cannot close.
   */
  showFile(file: ShownFile): string;
  /** Creates a reader for one answer. */
  read(options: ReadOptions): AnswerReader;
  /**
   * Encodes changes as an answer, as short as the format allows.
   *
   * Throws `EmendError` `not-encodable` where the format cannot express them.
   * Law: reading and resolving the answer gives each file's text `after`, byte for byte.
   */
  encode(changes: readonly FileChangeTexts[]): string;
}

/** A file of the request. */
export interface ShownFile {
  /** The path from the root, with `/`. */
  readonly path: string;
  readonly text: string;
}

/** What a reader knows about the request. */
export interface ReadOptions {
  /** The paths that the model was shown. If there is only one, the answer need not name it. */
  readonly paths: readonly string[];
}
