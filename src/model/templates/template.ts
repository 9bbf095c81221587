/**
 * How one family of models is shown a hole in a file, as data.
 *
 * A pattern is text with the slots `{prefix}` and `{suffix}` in the order in which the family was
 * trained to read them, and `{path}` and `{language}` where it wants those. A token for the
 * beginning of a text is the server's to add.
 */
export interface FillTemplate {
  /** The family's name, as a person writes it. */
  readonly name: string;
  /** The models it is for, in words for a person. */
  readonly models: string;
  /** The whole prompt where nothing but the file is shown. */
  readonly fill: string;
  /** For texts of other places. Without it they are shown as comments above the prefix. */
  readonly repository?: {
    /** One other place, with the slots `{path}` and `{text}`. */
    readonly each: string;
    /** The whole prompt, with the slot `{others}` for all of them. */
    readonly fill: string;
  };
  /** Texts that end an answer, the most needed first, for a host may take only some of them. */
  readonly stops: readonly string[];
  /** Every text that the family's tokeniser may read as one special token. */
  readonly specialTokens: readonly string[];
}
