import type { SuggestionChange } from "./outcome.ts";

/** What was done to a model's text before it was offered, in a few words for a person. */
export function printChange(change: SuggestionChange): string {
  return words[change];
}

const words: Readonly<Record<SuggestionChange, string>> = {
  "kept-whole-lines": "the connection broke: whole lines were kept",
  "trimmed-at-block": "cut where the block ends",
  "trimmed-at-statement": "cut where the statement ends",
  "trimmed-lines": "cut to the lines that are wanted here",
  "cut-repetition": "a repetition was cut off",
  "cut-following-lines": "lines that stand below already were cut off",
  "cut-special-token": "cut at a token of the model's own",
  "cut-talk": "talk about the text was taken off",
  "cut-invisible": "characters that cannot be seen were taken out",
  "cut-fence": "the fence around it was taken off",
  "cut-echo": "what stands before the cursor was not said again",
  "cut-other-word": "another word than the one at the cursor was taken off",
  "cut-closers": "closing brackets that are there already were taken off",
  "indentation-fitted": "indented like the lines around",
  "named-open-element": "the closing tag got the name of the element that is open",
  "shortened-for-syntax": "shortened, so that the syntax holds",
  "shortened-for-members": "shortened to members that types have",
};
