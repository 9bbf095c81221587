import type { LanguageTraits } from "../analysis/index.ts";
import type { LanguageGrammar } from "../grammar/index.ts";
import type { Language } from "../syntax/index.ts";

/** What prompts, ghost text and next edits know of a language. */
export interface EngineSupport {
  /**
   * UTF-16 code units a token: measured with o200k_base on files of public repositories, times
   * 0.85. Default: 3.
   */
  readonly charactersPerToken?: number;
  /** The language whose files use one another with those of this one. Default: its own. */
  readonly family?: string;
  /**
   * How an unfinished line may go on, where ` x` alone does not do. A line break takes the
   * indentation along.
   */
  readonly endings?: readonly string[];
  /** Whether elements with tags occur in its code. */
  readonly hasElements?: boolean;
}

/** All that is known of a language: the slice of each layer, joined. */
export interface LanguageSupport extends EngineSupport {
  readonly language: Language;
  /** What the analysis of blocks and of changes knows of it; empty for most languages. */
  readonly traits: LanguageTraits;
  /** Whether its trees have names that a rename follows. */
  readonly hasTreeNames: boolean;
  /** How its names are resolved without a type checker; absent where they are not. */
  readonly nameResolution?: "classes" | "names";
  /** The grammar by which holes are filled. */
  readonly grammar?: LanguageGrammar;
}
