/** A symbol of a production. */
export interface ContextFreeSymbol {
  readonly kind: "terminal" | "nonterminal";
  readonly name: string;
}

/** What a nonterminal may stand for; an empty `right` is the empty word. */
export interface ContextFreeProduction {
  readonly left: string;
  readonly right: readonly ContextFreeSymbol[];
}
