import { type CodeTokens, lineFeed } from "./code-tokens.ts";

/** The most tokens of what a bracket is put around. */
const maxTokens = 400;

const closers: Readonly<Record<string, string>> = { "(": ")", "[": "]", "{": "}" };

/** The bracket that closes the only one which tokens leave open; `undefined` where they leave none open, or several. */
export function closerOf(said: readonly string[]): string | undefined {
  const open: string[] = [];
  for (const text of said) {
    const closer = closers[text];
    if (closer !== undefined) open.push(closer);
    else if (/^[)\]}]$/.test(text) && open.pop() !== text) return undefined;
  }
  return open.length === 1 ? open[0] : undefined;
}

/** Whether an argument, an element, or what is given to a name or given back may begin at a token. */
export function beginsOperand({ list }: CodeTokens, index: number): boolean {
  return /^(?:[([{,=:?]|=>|return|await|yield|\?\?|\|\||&&)$/.test(list[index - 1]?.text ?? "");
}

/**
 * The index of the token behind what begins at a token and ends on its line: a bracket that closes around it, a comma, a semicolon, or the line ending;
 * `undefined` where it goes on in other lines, and for nothing.
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
    // A bracket that closes nowhere.
    if (/^[([{]$/.test(text)) return undefined;
  }
  return undefined;
}
