export {
  type GrammarFile,
  grammarFor,
  loadGrammar,
  loadGrammarFile,
  loadGrammarSource,
  threadSlices,
} from "./load-grammar.ts";
