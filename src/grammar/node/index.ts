export { grammarFor, loadGrammar, loadGrammarSource } from "./load-grammar.ts";
export { type GrammarFile, loadGrammarFile } from "./load-grammar-file.ts";
export { threadSlices } from "./thread-slices.ts";
