import type { SuggestionChange } from "./outcome.ts";

/** Describes in a few words how a model's text was changed before it was suggested. */
export function printChange(change: SuggestionChange): string {
  return words[change];
}

const words: Readonly<Record<SuggestionChange, string>> = {
  "kept-whole-lines": "the connection broke: whole lines were kept",
  "trimmed-at-block": "cut where the block ends",
  "trimmed-at-statement": "cut where the statement ends",
  "trimmed-lines": "cut to the number of lines that is allowed here",
  "cut-repetition": "a repetition was removed",
  "cut-following-lines": "lines that repeat the text below were removed",
  "cut-special-token": "cut at a special token of the model",
  "cut-talk": "talk about the text was removed",
  "cut-invisible": "invisible characters were removed",
  "cut-fence": "the code fence around it was removed",
  "cut-echo": "repeated text from before the cursor was removed",
  "cut-other-word": "a word that is not the one at the cursor was removed",
  "cut-closers": "closing brackets that are already there were removed",
  "indentation-fitted": "indented like the surrounding lines",
  "named-open-element": "the closing tag was given the name of the open element",
  "shortened-for-syntax": "shortened to avoid a syntax error",
  "shortened-for-members": "shortened to members that the types have",
};
