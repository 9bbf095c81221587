import { type CodeTokens, lineFeed } from "./code-tokens.ts";

/** The most tokens of an operand. */
const maxTokens = 400;

const closers: Readonly<Record<string, string>> = { "(": ")", "[": "]", "{": "}" };

/**
 * Returns the closing bracket of the only bracket that tokens leave open; `undefined` where they
 * leave none or several open.
 */
export function closerOf(tokens: readonly string[]): string | undefined {
  const open: string[] = [];
  for (const text of tokens) {
    const closer = closers[text];
    if (closer !== undefined) open.push(closer);
    else if (/^[)\]}]$/.test(text) && open.pop() !== text) return undefined;
  }
  return open.length === 1 ? open[0] : undefined;
}

/**
 * Whether an operand may begin at a token: an argument, an element, or an assigned or returned
 * value.
 */
export function beginsOperand({ list }: CodeTokens, index: number): boolean {
  return /^(?:[([{,=:?]|=>|return|await|yield|\?\?|\|\||&&)$/.test(list[index - 1]?.text ?? "");
}

/**
 * Returns the index of the token after an operand that begins at `from` and ends on its line: a
 * closing bracket, a comma, a semicolon, or the line ending. `undefined` where it continues in
 * other lines or is empty.
 */
export function operandEnd({ list, partners }: CodeTokens, from: number): number | undefined {
  for (let at = from; at < list.length && at < from + maxTokens; at++) {
    const { text } = list[at]!;
    if (partners[at]! > at) {
      for (const close = partners[at]!; at < close; at++) if (list[at]!.text === lineFeed) return undefined;
      continue;
    }
    const isOver = /^[,;)\]}]$/.test(text) || text === lineFeed;
    if (isOver) return at === from ? undefined : at;
    // A bracket that is not closed.
    if (/^[([{]$/.test(text)) return undefined;
  }
  return undefined;
}
