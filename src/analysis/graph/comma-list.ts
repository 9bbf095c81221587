import type { ListRules } from "../../languages/index.ts";
import type { TextRange } from "../../text/index.ts";

/**
 * Splits `[start, end)` of a text at the commas that are outside of brackets and of literals. The
 * pieces are trimmed, with offsets in the whole text; empty ones are left out.
 */
export function commaList(text: string, { start, end }: TextRange, rules: ListRules): TextRange[] {
  const pieces: TextRange[] = [];
  let from = start;
  const push = (to: number) => {
    const piece = text.slice(from, to);
    const inner = piece.trim();
    if (inner !== "") {
      const first = from + piece.indexOf(inner);
      pieces.push({ start: first, end: first + inner.length });
    }
    from = to + 1;
  };
  for (const at of outerOffsets(text, { start, end }, rules)) if (text[at] === ",") push(at);
  push(end);
  return pieces;
}

/**
 * The offset in `[start, end)` of the first `=` that assigns a value, outside of all brackets and
 * quotes, or `undefined`.
 */
export function assignmentSign(text: string, range: TextRange, rules: ListRules): number | undefined {
  for (const at of outerOffsets(text, range, rules)) {
    if (text[at] !== "=") continue;
    if (text[at + 1] === "=" || text[at + 1] === ">" || /[=!<>+\-*/%&|^]/.test(text[at - 1] ?? "")) continue;
    return at;
  }
  return undefined;
}

/**
 * The range between the bracket at the offset `open` and its closing one, literals in `quotes`
 * (default: `"` and `'`) skipped. An unclosed bracket extends to the end of the text.
 */
export function insideBrackets(text: string, open: number, quotes = defaultQuotes): TextRange {
  let depth = 0;
  for (let at = open; at < text.length; at = next(text, at, quotes)) {
    if ("([{".includes(text[at]!)) depth++;
    else if (")]}".includes(text[at]!) && --depth === 0) return { start: open + 1, end: at };
  }
  return { start: open + 1, end: text.length };
}

const defaultQuotes = "\"'";

function* outerOffsets(
  text: string,
  { start, end }: TextRange,
  { angles = false, quotes = defaultQuotes }: ListRules,
): Generator<number> {
  const [openers, closers] = angles ? ["([{<", ")]}>"] : ["([{", ")]}"];
  let depth = 0;
  for (let at = start; at < end; at = next(text, at, quotes)) {
    const character = text[at]!;
    const isArrow = character === ">" && /[-=]/.test(text[at - 1] ?? "");
    if (openers.includes(character)) depth++;
    else if (closers.includes(character) && !isArrow) depth = Math.max(0, depth - 1);
    else if (depth === 0) yield at;
  }
}

/** The offset after the character, or the string literal, that starts at `at`. */
function next(text: string, at: number, quotes: string): number {
  const quote = text[at]!;
  if (!quotes.includes(quote)) return at + 1;
  for (let end = at + 1; end < text.length && text[end] !== "\n"; end++) {
    if (text[end] === "\\") end++;
    else if (text[end] === quote) return end + 1;
  }
  return at + 1;
}
