import type { Ask } from "./ask.ts";
import type { Lenience, Refusal } from "./refusal.ts";

/** What a reader found out, in the order of the answer. */
export type AnswerPart =
  | { readonly kind: "ask"; readonly ask: Ask }
  /** The model says that there is nothing to change. */
  | { readonly kind: "no-change"; readonly row: number }
  | { readonly kind: "lenience"; readonly lenience: Lenience }
  | { readonly kind: "refusal"; readonly refusal: Refusal }
  /** What was told so far was thought aloud, and is not meant. */
  | { readonly kind: "restart" };

/**
 * Reads one answer while it arrives, in whole lines.
 *
 * Never throws, whatever the text. What cannot be read is a part of its own.
 * Law: the parts are the same for any way of cutting the answer into pieces.
 */
export interface AnswerReader {
  /** Takes the next piece of the answer. Gives the parts that it completes. */
  push(piece: string): readonly AnswerPart[];
  /**
   * Takes the end of the answer. Gives the parts that were still open: an ask that the format sees as complete, or a
   * `cut-off` refusal. `isCut` says that the model was stopped before it was done.
   */
  end(isCut: boolean): readonly AnswerPart[];
  /** The ask that is being written, as far as whole lines tell; for a preview. */
  readonly open: Ask | undefined;
  /**
   * The asks that are being written, in a row that has begun with `row` and was not pushed: those of formats that put whole
   * edits into one row, whose `open` says nothing. All but the last one are complete; of that, whole lines only.
   */
  openIn?(row: string): readonly Ask[];
}

/** What a whole answer says. */
export interface AnswerContent {
  readonly asks: readonly Ask[];
  /** Whether the model says that there is nothing to change. */
  readonly saysNoChange: boolean;
  readonly leniences: readonly Lenience[];
  readonly refusals: readonly Refusal[];
}

/** Puts parts together, those behind the last `restart`. Where there is none at all, that is a `no-edits` refusal. */
export function contentOf(all: readonly AnswerPart[]): AnswerContent {
  const parts = all.slice(all.findLastIndex(({ kind }) => kind === "restart") + 1);
  const asks = parts.flatMap((part) => (part.kind === "ask" ? [part.ask] : []));
  const leniences = parts.flatMap((part) => (part.kind === "lenience" ? [part.lenience] : []));
  const refusals = parts.flatMap((part) => (part.kind === "refusal" ? [part.refusal] : []));
  const saysNoChange = parts.some(({ kind }) => kind === "no-change");
  const isEmpty = asks.length === 0 && refusals.length === 0 && !saysNoChange;
  return { asks, saysNoChange, leniences, refusals: isEmpty ? [noEdits] : refusals };
}

const noEdits: Refusal = {
  kind: "no-edits",
  message: "The answer holds no edit in this format.",
  row: undefined,
  path: undefined,
};

/** Reads a whole answer at once. */
export function readAnswer(reader: AnswerReader, answer: string, isCut = false): AnswerContent {
  return contentOf([...reader.push(answer), ...reader.end(isCut)]);
}
