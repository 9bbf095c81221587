import { hasReasoningOpening, leadingReasoningTag, reasoningTagNames } from "../../text/index.ts";
import { closesFence, type Fence, tryReadFence } from "../show-file.ts";

/**
 * Removes the model's reasoning at the beginning of its answer, between `<think>` and `</think>` or
 * similar tags.
 *
 * Servers pass it on as part of the answer where they do not know the model's tags. Elsewhere, such
 * a tag belongs to the answer; see {@link afterLoneReasoningEnd} for one that only closes.
 */
export class ReasoningFilter {
  /** The row in which reasoning began, from 0; `undefined` where there is none. */
  row: number | undefined;
  #tag: string | undefined;
  #isAhead = true;

  /** Whether reasoning has begun and not ended. */
  get isOpen(): boolean {
    return this.#tag !== undefined;
  }

  /**
   * Returns the row, or its text after reasoning; `undefined` where nothing of it belongs to the
   * answer.
   */
  take(row: Row): Row | undefined {
    if (!this.#isAhead) return row;
    let { text } = row;
    for (let isChanged = false; ; isChanged = true) {
      if (this.#tag === undefined) {
        const tag = leadingReasoningTag(text);
        if (tag === undefined) {
          if (text.trim() === "") return isChanged ? undefined : row;
          this.#isAhead = false;
          return isChanged ? { ...row, text } : row;
        }
        this.#tag = tag.name;
        this.row ??= row.index;
        text = text.slice(tag.opening.length);
      }
      const close = `</${this.#tag}>`;
      const end = text.indexOf(close);
      if (end < 0) return undefined;
      this.#tag = undefined;
      text = text.slice(end + close.length).trimStart();
    }
  }
}

/** A row of an answer, from 0, without its line ending. */
export interface Row {
  readonly index: number;
  readonly text: string;
}

/**
 * Whether a row contains an opening tag of reasoning, so that a later closing tag is not a lone
 * one. Also true where the row closes the tag again.
 */
export function opensReasoning(row: string): boolean {
  return hasReasoningOpening(row);
}

/**
 * The text of a row after a closing tag of reasoning that nothing in the answer opens; `undefined`
 * if it has none.
 *
 * The opening tag of such reasoning is at the end of the prompt, where a server's template puts it.
 * The closing one begins or ends its row.
 */
export function afterLoneReasoningEnd(row: string): string | undefined {
  const [, behind] = leadingEnd.exec(row) ?? [];
  return behind?.trimStart() ?? (trailingEnd.test(row.trimEnd()) ? "" : undefined);
}

const names = reasoningTagNames.join("|");
const leadingEnd = new RegExp(`^</(?:${names})>(.*)$`, "s");
const trailingEnd = new RegExp(`</(?:${names})>$`);

/**
 * Removes the reasoning at the beginning of a complete answer; returns an empty text where it does
 * not end. Without an opening tag, everything up to a lone closing tag is removed.
 *
 * A lone closing tag inside of a fence is code.
 */
export function withoutReasoning(answer: string): string {
  let rest = answer;
  for (let tag = leadingReasoningTag(rest); tag !== undefined; tag = leadingReasoningTag(rest)) {
    const close = `</${tag.name}>`;
    const end = rest.indexOf(close, tag.opening.length);
    if (end < 0) return "";
    rest = rest.slice(end + close.length).trimStart();
  }
  if (rest !== answer) return rest;
  const rows = answer.split("\n");
  let fence: Fence | undefined;
  for (const [index, row] of rows.entries()) {
    if (opensReasoning(row)) return answer;
    const found = tryReadFence(row.trimEnd());
    if (fence === undefined) fence = found;
    else if (found !== undefined && closesFence(found, fence)) fence = undefined;
    const behind = fence === undefined ? afterLoneReasoningEnd(row.trimEnd()) : undefined;
    if (behind !== undefined) return [behind, ...rows.slice(index + 1)].join("\n").trimStart();
  }
  return answer;
}
