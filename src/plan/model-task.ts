import type { ContextText } from "../model/index.ts";
import type { TextRange } from "../text/index.ts";

/**
 * What a model is asked about a step. Plain data, which with the file's text and the model's answers says all: a plan that was killed asks the
 * same again.
 */
export interface ModelTask {
  readonly path: string;
  /** The language's id in the registry. */
  readonly language: string;
  /** Where it may write: the block first, then where imports stand. In UTF-16 units of the file as it is when the step is begun. */
  readonly regions: readonly TextRange[];
  readonly instruction: string;
  /** Texts to read, in the order in which they are shown. */
  readonly context: readonly ContextText[];
  /** How many tokens the question has, as estimated. */
  readonly tokens: number;
}
