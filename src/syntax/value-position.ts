import { isWord, type ScanState } from "./scan-state.ts";

/**
 * Whether an operand is expected at `state.at`, so that `/` begins a regular expression and is no
 * division; `true` at the start of the text.
 *
 * A heuristic on the text before, as in syntax highlighters; only a parser is certain.
 */
export function isValuePosition(state: ScanState): boolean {
  const { text, at } = state;
  const before = previousSignificant(state);
  if (before < 0) return true;
  const code = text.charCodeAt(before);
  const adjacent = before + 1;
  if (state.regionEnds.at(-1) === adjacent) return false;
  if (isWord(code) || code === 36 || ((code === 63 || code === 33) && isRubyName(state, before))) {
    return isWordBeforeValue(state, adjacent);
  }
  switch (text[before]) {
    case ")":
      return closesCondition(state, before);
    case "]":
      return false;
    case "}":
      return text.slice(adjacent, at).includes("\n");
    case "+":
    case "-":
      return text[before - 1] !== text[before];
    case "!":
      return !(isWord(text.charCodeAt(before - 1)) || text[before - 1] === ")" || text[before - 1] === "]");
    default:
      return true;
  }
}

const scriptKeywords = new Set(
  "return typeof instanceof in of new delete void throw case do else yield await default extends".split(" "),
);
const rubyKeywords = new Set(
  "if unless when and or not return while until elsif then else do in case puts p".split(" "),
);
const conditions = new Set(["if", "while", "for", "with"]);

/** Whether the word that ends at `end` is followed by a value. */
function isWordBeforeValue(state: ScanState, end: number): boolean {
  const { text, at } = state;
  const word = state.wordBefore(end);
  const isProperty = text[end - word.length - 1] === ".";
  if (state.rules.language.quirks.percentLiterals !== true) return !isProperty && scriptKeywords.has(word);
  if (!isProperty && rubyKeywords.has(word)) return true;
  // Ruby's own heuristic: `puts /x/` has a space before the slash and none after it, a division has
  // both or none.
  return end < at && !/[\s=]/.test(text[at + 1] ?? " ");
}

function isRubyName(state: ScanState, offset: number): boolean {
  return state.rules.language.quirks.percentLiterals === true && isWord(state.text.charCodeAt(offset - 1));
}

/**
 * Whether the bracket at `offset` ends the condition of a statement, as in `if (x) /re/.test(y)`.
 */
function closesCondition(state: ScanState, offset: number): boolean {
  if (state.brackets.offsets.at(-1) !== offset) return false;
  let end = state.brackets.lastOpener;
  while (end > 0 && /\s/.test(state.text[end - 1]!)) end--;
  return conditions.has(state.wordBefore(end));
}

/** The offset of the last character before `state.at` that is neither blank nor comment, or -1. */
function previousSignificant(state: ScanState): number {
  let at = state.at - 1;
  for (let region = state.regionStarts.length - 1; ; region--) {
    while (at >= 0 && /\s/.test(state.text[at]!)) at--;
    if (region < 0 || state.regionEnds[region] !== at + 1 || state.regionKinds[region] !== "comment") return at;
    at = state.regionStarts[region]! - 1;
  }
}
