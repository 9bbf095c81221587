import type { ContextText } from "../model/index.ts";
import type { TextRange } from "../text/index.ts";

/**
 * A model's task for a step. Plain data; together with the file's text and the model's answers it
 * determines the requests, so a killed plan repeats the same ones.
 */
export interface ModelTask {
  readonly path: string;
  /** The language's id in the registry. */
  readonly language: string;
  /**
   * The regions that the model may rewrite: the block first, then the imports. In UTF-16 units of
   * the file's text when the step starts.
   */
  readonly regions: readonly TextRange[];
  readonly instruction: string;
  /** Context texts, in the order of the prompt. */
  readonly context: readonly ContextText[];
  /** The estimated number of tokens of the prompt. */
  readonly tokens: number;
}
