import { literalsAroundSecondNames } from "../hole/suffix-names.ts";
import type { CompiledGrammar } from "../tables/compiled-grammar.ts";
import { modesAfterTerminals } from "../tables/modes-after-terminals.ts";
import { LexemeForest, type LexemeTree } from "./lexeme-forest.ts";
import { LineForest } from "./line-tokens.ts";
import { TokenSets } from "./token-set.ts";
import type { Vocabulary } from "./token-vocabulary.ts";
import { Verdicts } from "./verdicts.ts";

/** Options of {@link GrammarVocabulary}. */
export interface GrammarVocabularyOptions {
  /**
   * The most verdicts on tops of stacks that are kept, and as many on deeper stacks. Default:
   * 10,000, about 150 MB for a large grammar.
   */
  readonly maxVerdicts?: number;
}

/**
 * How a grammar reads the tokens of a vocabulary: computed on demand, and kept for all texts,
 * within limits.
 */
export class GrammarVocabulary {
  readonly grammar: CompiledGrammar;
  readonly vocabulary: Vocabulary;
  readonly forest: LexemeForest;
  readonly verdicts: Verdicts;
  readonly lines: LineForest;
  /** The literals right before second occurrences of names. */
  #literalsBefore: readonly string[] | undefined;

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
   * Whether the second occurrence of a name may begin in `text`, which follows `before`; see
   * `GrammarSource.same`.
   */
  mayBeginSecondName(before: string, text: string): boolean {
    this.#literalsBefore ??= [...literalsAroundSecondNames(this.grammar).keys()];
    return this.#literalsBefore.some((literal) => {
      const joined = before.slice(1 - literal.length, before.length) + text;
      const at = joined.indexOf(literal);
      return at >= 0 && at + literal.length < joined.length;
    });
  }

  /** Reads all tokens from every lexer state that tokens lead to, so that no text has to do it. */
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
