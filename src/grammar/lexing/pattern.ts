/**
 * A regular expression over characters (code points), as a value.
 *
 * `parsePattern` reads one from the usual notation.
 */
export type Pattern =
  | { readonly kind: "characters"; readonly set: CharacterSet }
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "sequence"; readonly items: readonly Pattern[] }
  | { readonly kind: "choice"; readonly items: readonly Pattern[] }
  /** Between `min` and `max` times; `max` is `Infinity` for no limit. */
  | { readonly kind: "repeat"; readonly item: Pattern; readonly min: number; readonly max: number };

/**
 * Code points as sorted, disjoint, inclusive ranges: `[first, last, first, last, ...]`. Surrogates
 * are never among them.
 */
export type CharacterSet = readonly number[];
