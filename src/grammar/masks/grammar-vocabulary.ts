import { placesOfAgain } from "../hole/suffix-names.ts";
import type { CompiledGrammar } from "../tables/compiled-grammar.ts";
import { LexemeForest, type LexemeTree } from "./lexeme-forest.ts";
import { LineForest } from "./line-tokens.ts";
import { TokenSets } from "./token-set.ts";
import { Verdicts } from "./verdicts.ts";
import type { Vocabulary } from "./vocabulary.ts";

/** How much is kept of what a grammar makes of a vocabulary. */
export interface GrammarVocabularyOptions {
  /**
   * How many verdicts on tops of stacks are kept, and as many more on what lies below; 10,000
   * unless told: about 150 MB for a large grammar.
   */
  readonly maxVerdicts?: number;
}

/**
 * What a grammar makes of the tokens of a vocabulary: found out as it is asked for, and kept for
 * all texts, within bounds.
 */
export class GrammarVocabulary {
  readonly grammar: CompiledGrammar;
  readonly vocabulary: Vocabulary;
  readonly forest: LexemeForest;
  readonly verdicts: Verdicts;
  readonly lines: LineForest;
  /** The texts right before names that are written a second time. */
  #signs: readonly string[] | undefined;

  constructor(
    grammar: CompiledGrammar,
    vocabulary: Vocabulary,
    { maxVerdicts = 10_000 }: GrammarVocabularyOptions = {},
  ) {
    this.grammar = grammar;
    this.vocabulary = vocabulary;
    const sets = new TokenSets(vocabulary.size);
    this.forest = new LexemeForest(grammar, vocabulary.trie, sets);
    this.verdicts = new Verdicts(grammar, this.forest, vocabulary.size, maxVerdicts);
    this.lines = new LineForest(grammar, this.forest, sets);
  }

  /**
   * Whether a name may begin to be written a second time in `text`, which continues from `before`;
   * see `GrammarSource.same`.
   */
  mayBeginAgain(before: string, text: string): boolean {
    this.#signs ??= [...placesOfAgain(this.grammar).keys()];
    return this.#signs.some((sign) => {
      const joined = before.slice(1 - sign.length, before.length) + text;
      const at = joined.indexOf(sign);
      return at >= 0 && at + sign.length < joined.length;
    });
  }

  /**
   * Reads all tokens from every place of the lexer that tokens lead to, rather than when a text
   * first comes there.
   */
  prepare(): void {
    const { forest, grammar } = this;
    const seen = new Set<LexemeTree>();
    const trees: LexemeTree[] = [];
    const add = (tree: LexemeTree) => {
      if (seen.has(tree)) return;
      seen.add(tree);
      trees.push(tree);
    };
    const modesAfter = modesAfterTerminals(grammar);
    const allModes = grammar.lex.modes.map((_, mode) => mode);
    for (const mode of allModes) add(forest.start(mode));
    for (const tree of trees) {
      for (const { each } of tree.open) for (const { open } of each) add(forest.inside(open, false));
      for (const { match, isTrivia, rests } of tree.edges) {
        const modes = isTrivia
          ? allModes
          : new Set(grammar.lex.matches[match]!.readings.flatMap((reading) => modesAfter[reading.at(-1)!]!));
        for (const mode of modes) for (const each of rests) add(forest.after(each, mode));
      }
    }
  }
}

/** The modes of the states that each terminal leads to. */
function modesAfterTerminals({ tables, modesOf }: CompiledGrammar): readonly (readonly number[])[] {
  const terminals = tables.terminals.length;
  return tables.terminals.map((_, terminal) => {
    const modes = new Set<number>();
    for (let state = 0; state < tables.stateCount; state++) {
      const target = tables.shift[state * terminals + terminal]!;
      if (target !== 0) for (const mode of modesOf[target]!) modes.add(mode);
    }
    return [...modes];
  });
}
