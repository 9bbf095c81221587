/** What of a declaration is its signature. */
export type DeclarationShape =
  /** All in front of its body. */
  | "function"
  /** All, the bodies of its members aside. */
  | "container"
  /** All of it. */
  | "data"
  /** All in front of its value, unless that is short. */
  | "value"
  /** Nothing; what lies in it is declared. */
  | "namespace";

/** How the declarations of a language are found by the words that begin them. */
export interface DeclarationStyle {
  /**
   * Matches the beginning of a declaration at a line's first code; the groups `name` and `word` say
   * what it is.
   */
  readonly head: RegExp;
  /** What of a declaration that begins with this word is its signature. */
  readonly shapeOf: (word: string) => DeclarationShape;
  /** Whether macros are declarations too. */
  readonly hasMacros?: boolean;
}

/** The shape of a type that such a word declares, in languages with records or delegates. */
export function shapeOfType(word: string): DeclarationShape {
  return /^(?:enum|record|delegate)/.test(word) ? "data" : "container";
}
