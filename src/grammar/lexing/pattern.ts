/** A regular expression over code points, as a value; `parsePattern` reads one from text. */
export type Pattern =
  | { readonly kind: "characters"; readonly set: CharacterSet }
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "sequence"; readonly items: readonly Pattern[] }
  | { readonly kind: "choice"; readonly items: readonly Pattern[] }
  /** From `min` to `max` times; `max` is `Infinity` for no limit. */
  | { readonly kind: "repeat"; readonly item: Pattern; readonly min: number; readonly max: number };

/**
 * Code points as sorted, disjoint, inclusive ranges: `[first, last, first, last, ...]`, without
 * surrogates.
 */
export type CharacterSet = readonly number[];
