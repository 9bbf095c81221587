import type { FileChangeTexts } from "../text/index.ts";
import type { AnswerReader } from "./answer-reader.ts";

/** The names of the formats. */
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

/** A way for a model to write edits. */
export interface EditFormat {
  readonly name: FormatName;
  /** What the format is, in half a line. */
  readonly title: string;
  /** How to answer, as a model is told: Markdown, in English, with examples. */
  readonly instructions: string;
  /** A file as a model is shown it: with line numbers where the format needs them, in a fence that the text cannot close. */
  showFile(file: ShownFile): string;
  /** Begins to read an answer. */
  read(options: ReadOptions): AnswerReader;
  /**
   * The answer that asks for exactly these changes, as short as the format allows.
   *
   * Throws `EmendError` `not-encodable` where the format cannot say it.
   * Law: reading and placing the answer gives each file's text `after`, byte for byte.
   */
  encode(changes: readonly FileChangeTexts[]): string;
}

/** A file of the request. */
export interface ShownFile {
  /** From the root, with `/`. */
  readonly path: string;
  readonly text: string;
}

/** What a reader knows of the request. */
export interface ReadOptions {
  /** The paths that the model was shown. Where it is one alone, the answer need not name it. */
  readonly paths: readonly string[];
}
