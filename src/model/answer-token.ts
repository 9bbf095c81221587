/** A part of an answer, and its explanation. */
export interface AnswerToken {
  /** The token with the white space before it. */
  readonly text: string;
  /** How likely it was at its place, from 0 to 1. */
  readonly probability: number;
  /** The contexts that proposed it, the strongest first, such as `last 3 tokens, workspace`. */
  readonly contexts: readonly string[];
  /**
   * The longest match of the text before in the learnt files that this token followed, where there
   * was one.
   */
  readonly match?: TokenMatch;
}

/** A place in a learnt file that the same text precedes as the token of the answer. */
export interface TokenMatch {
  /** The learnt file. */
  readonly path: string;
  /**
   * The position of the token in the file, in the model's own tokens; see
   * `BuiltinModel.lineOfToken`.
   */
  readonly tokenIndex: number;
  /** How many tokens before it agree, at most 40. */
  readonly length: number;
}
