import { FenceState } from "./fence.ts";

/**
 * The names of the tags between which models write their reasoning, such as `<think>`. Tags are in
 * lower case and have no attributes. All engines use this list.
 */
export const reasoningTagNames = ["think", "thinking", "thought", "reasoning"] as const;

const names = reasoningTagNames.join("|");
const anyTag = new RegExp(`</?(?:${names})>`);
const anyOpening = new RegExp(`<(?:${names})>`);
const nextOpening = new RegExp(`\\s*<(${names})>`, "y");
const leadingTag = new RegExp(`^\\s*</?(?:${names})>`);
const closingRow = new RegExp(`^[ \\t]*</(${names})>[ \\t]*\\r?$`);
const leadingEnd = new RegExp(`^</(?:${names})>(.*)$`, "s");
const trailingEnd = new RegExp(`</(?:${names})>$`);

/** Whether a text contains an opening or closing tag of reasoning. */
export function hasReasoningTag(text: string): boolean {
  return anyTag.test(text);
}

/** Whether a text contains an opening tag of reasoning. */
export function hasReasoningOpening(text: string): boolean {
  return anyOpening.test(text);
}

/** Whether a row begins with a tag of reasoning, opening or closing, after white space. */
export function beginsWithReasoningTag(row: string): boolean {
  return leadingTag.test(row);
}

/**
 * Returns the name of the closing tag that a row consists of, with blanks around it and a `\r`
 * behind it allowed; `undefined` for any other row.
 */
export function closingReasoningRow(row: string): string | undefined {
  return closingRow.exec(row)?.[1];
}

/** Whether more text could make a text begin with an opening tag of reasoning. */
export function mayBeginReasoning(text: string): boolean {
  const begun = text.trimStart();
  return reasoningTagNames.some((name) => `<${name}>`.startsWith(begun));
}

/** How far reasoning goes at the beginning of a text. */
export interface LeadingReasoning {
  /** UTF-16 units up to the last closing tag; all of the text while a tag is open. */
  readonly length: number;
  /** The name of the tag that is open at the end of the text. */
  readonly open: string | undefined;
}

/**
 * Reads the reasoning at the beginning of a text: one or several pieces from an opening tag to the
 * closing tag of the same name, with white space before each. `inside` is the tag that is open
 * already where the text begins. Tags behind other text belong to it.
 */
export function readReasoning(text: string, inside?: string): LeadingReasoning {
  let length = 0;
  let open = inside;
  for (;;) {
    if (open === undefined) {
      nextOpening.lastIndex = length;
      const [opening, name] = nextOpening.exec(text) ?? [];
      if (opening === undefined) return { length, open };
      length += opening.length;
      open = name!;
    }
    const close = `</${open}>`;
    const end = text.indexOf(close, length);
    if (end < 0) return { length: text.length, open };
    length = end + close.length;
    open = undefined;
  }
}

/**
 * {@link readReasoning} row by row, while an answer arrives. Servers pass reasoning on as part of
 * the answer where they do not know the model's tags. See {@link afterLoneReasoningEnd} for a tag
 * that only closes.
 */
export class ReasoningRows {
  #hasBegun = false;
  #open: string | undefined;
  #isAhead = true;

  /** Whether reasoning has begun. */
  get hasBegun(): boolean {
    return this.#hasBegun;
  }

  /** Whether reasoning has begun and not ended. */
  get isOpen(): boolean {
    return this.#open !== undefined;
  }

  /**
   * Takes the next row, without its line ending. Returns it, or its text after reasoning;
   * `undefined` where nothing of it belongs to the answer.
   */
  take(row: string): string | undefined {
    if (!this.#isAhead) return row;
    const { length, open } = readReasoning(row, this.#open);
    this.#open = open;
    this.#hasBegun ||= open !== undefined || length > 0;
    if (open !== undefined) return undefined;
    const rest = length === 0 ? row : row.slice(length).trimStart();
    if (rest.trim() === "") return length === 0 ? row : undefined;
    this.#isAhead = false;
    return rest;
  }
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

/**
 * Removes the reasoning at the beginning of a complete answer, and blank lines behind it; returns
 * an empty text where it does not end. Without an opening tag, everything up to a lone closing tag
 * is removed.
 *
 * A lone closing tag inside of a fence is code.
 */
export function withoutReasoning(answer: string): string {
  const { length, open } = readReasoning(answer);
  if (open !== undefined) return "";
  if (length > 0) return withoutBlankStart(answer.slice(length));
  const rows = answer.split("\n");
  const fence = new FenceState();
  for (const [index, row] of rows.entries()) {
    if (hasReasoningOpening(row)) return answer;
    fence.take(row);
    const behind = fence.isOpen ? undefined : afterLoneReasoningEnd(row.trimEnd());
    if (behind !== undefined) return withoutBlankStart([behind, ...rows.slice(index + 1)].join("\n"));
  }
  return answer;
}

/**
 * A text without blanks at its start and, where the rest of its first line is blank, without the
 * blank lines there. The indentation of the next line belongs to the text.
 */
export function withoutBlankStart(text: string): string {
  return text.slice(/^[ \t]*(?:\r?\n|$)(?:[ \t]*\r?\n)*|^[ \t]*/.exec(text)![0].length);
}
