export { type GrammarFile, grammarFor, loadGrammar, loadGrammarFile, loadGrammarSource } from "./load-grammar.ts";
export { threadSlices } from "./thread-slices.ts";
