import type { FormatName } from "../formats/index.ts";
import type { ContextText } from "../model/index.ts";

/** An instruction, and the files it is about. */
export interface EditRequest {
  /** What is to be done, in the person's own words and language. */
  readonly instruction: string;
  /** The files that may be changed, as they are now. New files may be made beside them. */
  readonly files: readonly EditFile[];
  /** Paths of files that are not there yet and that the instruction is about; others may be made, too. */
  readonly newPaths?: readonly string[];
  /** Texts to be read only. */
  readonly context?: readonly ContextText[];
  /** How the model is to answer; `auto` chooses by model and files. */
  readonly format: FormatName | "auto";
  /** How often the model may be asked to mend its answer, from 0 to 10; 3 unless told. */
  readonly maxRetries?: number;
  /** Whether the model may be asked for whole files as a last resort; not unless told. */
  readonly allowsWholeFiles?: boolean;
}

/** A file that may be changed. */
export interface EditFile {
  /** From the workspace's root, with `/`. */
  readonly path: string;
  readonly text: string;
  /** The language's id in the registry. */
  readonly language: string;
}
