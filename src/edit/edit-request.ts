import type { FormatName } from "../formats/index.ts";
import type { ContextText } from "../model/index.ts";

/** An instruction, and the files it is about. */
export interface EditRequest {
  /** The instruction in the person's own words and language. */
  readonly instruction: string;
  /**
   * The files that may be changed, with their current texts. New files may be created beside them.
   */
  readonly files: readonly EditFile[];
  /**
   * Paths of files that do not exist yet and that the instruction is about; others may be created,
   * too.
   */
  readonly newPaths?: readonly string[];
  /** Texts that the model may read and not change. */
  readonly context?: readonly ContextText[];
  /** The edit format of the answer; `auto` chooses by model and files. */
  readonly format: FormatName | "auto";
  /** How often the model may be requested to correct its answer, 0 to 10; the default is 3. */
  readonly maxRetries?: number;
  /** Whether the last retry may ask for complete files; the default is false. */
  readonly allowsWholeFiles?: boolean;
}

/** A file that may be changed. */
export interface EditFile {
  /** The path from the workspace's root, with `/`. */
  readonly path: string;
  readonly text: string;
  /** The id of the language in the registry. */
  readonly language: string;
}
