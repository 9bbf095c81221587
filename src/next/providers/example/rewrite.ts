import type { PastEdit } from "../../../context/index.ts";
import { type CodeTokens, lineFeed } from "./example-tokens.ts";

/** The pattern of one token or group of a stretch. */
export type PatternItem =
  | { readonly kind: "sign"; readonly text: string }
  /**
   * A word that may be another one elsewhere: the same at all places where the example has
   * `sample`.
   */
  | { readonly kind: "word"; readonly sample: string }
  /** Balanced tokens up to the next item; `sample` is their text in the example. */
  | { readonly kind: "group"; readonly hole: number; readonly sample: string };

/** Returns the text that an item matches in its example. */
export function itemText(item: PatternItem): string {
  return item.kind === "sign" ? item.text : item.sample;
}

/**
 * Counts the line endings among items. Those inside groups are not counted, because they differ
 * from place to place.
 */
export function lineFeedsIn(items: readonly PatternItem[]): number {
  return items.filter((item) => item.kind === "sign" && item.text === lineFeed).length;
}

/**
 * A part of the new text: fixed text, a word that may be another one elsewhere, or the content of a
 * group.
 */
export type ResultPart =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "word"; readonly sample: string }
  | { readonly kind: "group"; readonly hole: number };

/** Whether a rewrite puts something around an operand, such as an argument or a returned value. */
export function isWrap({ items }: Pick<Example, "items">): boolean {
  return items.length === 1 && items[0]!.kind === "group";
}

/** The blanks at both ends of a stretch, before and after the edit. */
export interface Gaps {
  readonly leadBefore: string;
  readonly leadAfter: string;
  readonly tailBefore: string;
  readonly tailAfter: string;
}

/** A rewritten stretch of tokens, with the tokens around it before the edit. */
export interface Example {
  readonly edit: PastEdit;
  readonly before: CodeTokens;
  /** The stretch in `before`, `[from, to)`. */
  readonly from: number;
  readonly to: number;
  /** The pattern that a stretch must match elsewhere. */
  readonly items: readonly PatternItem[];
  readonly result: readonly ResultPart[];
  /** The tokens of the new text. */
  readonly newTokens: readonly string[];
  /** The indentation that the new lines are relative to. */
  readonly indent: string;
  readonly gaps: Gaps;
  /** Whether the stretch is everything that the edit changed. */
  readonly isWhole: boolean;
  /**
   * How many runs of lines the edit changed, and the share of the edit's changed tokens that are in
   * this stretch, in [0, 1].
   */
  readonly runs: number;
  readonly share: number;
  /** Its line in the present text, from 0. */
  readonly line: number;
}

/** A rewrite of stretches of tokens: examples of the same change. */
export interface Rewrite {
  /** Equal for equal rewrites, whatever their words and groups are. */
  readonly key: string;
  /** The newest first; at least one. */
  readonly examples: readonly [Example, ...Example[]];
}
