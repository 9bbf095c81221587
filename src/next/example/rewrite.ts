import type { PastEdit } from "../../context/index.ts";
import { type CodeTokens, lineFeed } from "./code-tokens.ts";

/** What has to stand at one place of the stretch that is rewritten. */
export type PatternItem =
  | { readonly kind: "sign"; readonly text: string }
  /** A word that may be another one elsewhere: the same wherever the example says `sample`. */
  | { readonly kind: "word"; readonly sample: string }
  /** Anything in balance up to what follows; `sample` is what it was in the example. */
  | { readonly kind: "group"; readonly hole: number; readonly sample: string };

/** What an item is in its example. */
export function saidBy(item: PatternItem): string {
  return item.kind === "sign" ? item.text : item.sample;
}

/** How many line endings items are that have to stand there; what groups have of them nobody knows. */
export function lineFeedsIn(items: readonly PatternItem[]): number {
  return items.filter((item) => item.kind === "sign" && item.text === lineFeed).length;
}

/** A piece of the new text: as it is, a word that may be another one elsewhere, or what a group was. */
export type ResultPart =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "word"; readonly sample: string }
  | { readonly kind: "group"; readonly hole: number };

/** Whether a rewrite puts something around whatever stands there: an argument, or what is given back. */
export function isWrap({ items }: Pick<Example, "items">): boolean {
  return items.length === 1 && items[0]!.kind === "group";
}

/** Blanks at both ends of a stretch, before and after. */
export interface Gaps {
  readonly leadBefore: string;
  readonly leadAfter: string;
  readonly tailBefore: string;
  readonly tailAfter: string;
}

/** A stretch of tokens that was written anew, with the tokens around it before the edit. */
export interface Example {
  readonly edit: PastEdit;
  readonly before: CodeTokens;
  /** The stretch in `before`, `[from, to)`. */
  readonly from: number;
  readonly to: number;
  /** What the stretch has to be elsewhere. */
  readonly items: readonly PatternItem[];
  readonly result: readonly ResultPart[];
  /** The tokens of the new text. */
  readonly newTokens: readonly string[];
  /** The indentation that the new lines are relative to. */
  readonly indent: string;
  readonly gaps: Gaps;
  /** Whether it is all that the edit did. */
  readonly isWhole: boolean;
  /** How many runs of lines the edit changed, and how much of all that it changed this is, from 0 to 1. */
  readonly runs: number;
  readonly share: number;
  /** The line of the present text that it is on. */
  readonly line: number;
}

/** How stretches of tokens are written anew: examples that did the same. */
export interface Rewrite {
  /** Says the same for the same rewrite, whatever its words and groups were. */
  readonly key: string;
  /** The newest first; at least one. */
  readonly examples: readonly [Example, ...Example[]];
}
