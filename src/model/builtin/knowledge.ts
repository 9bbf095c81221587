import { farContexts } from "./context-walker.ts";
import { Corpus, type Region } from "./corpus.ts";
import { ImportTable } from "./import-table.ts";
import { lexRulesOf } from "./lex-rules.ts";
import { indentUnitOf, Lexer } from "./lexer.ts";
import { Vocabulary } from "./vocabulary.ts";

/** A learnt file. */
export interface LearntFile {
  /** The id of its language. */
  readonly language: string;
  /** Its length in UTF-16 units. */
  readonly characters: number;
  readonly region: Region;
}

/**
 * What may be forgotten before the tables are built again: tokens, and their share of all;
 * documents, empty or not.
 */
const compactAbove = { tokens: 200_000, share: 0.5, shells: 2_000 };

/** Mean length of a token in UTF-16 units; sizes the tables. */
const charactersPerToken = 3.8;

/**
 * What the built-in model has learnt: the files of a workspace as linked tokens.
 *
 * Law: after a new file is learnt and forgotten, every request gets the answer it got before.
 */
export class Knowledge {
  readonly vocabulary: Vocabulary;
  readonly corpus: Corpus;
  readonly imports = new ImportTable();
  readonly lexer: Lexer;
  readonly files = new Map<string, LearntFile>();
  characters = 0;

  /**
   * `expectedCharacters` sizes the tables for what is to be learnt; more is possible, at some cost.
   */
  constructor(expectedCharacters: number, vocabulary = new Vocabulary(), corpus?: Corpus) {
    this.vocabulary = vocabulary;
    this.corpus = corpus ?? new Corpus(vocabulary, farContexts, Math.ceil(expectedCharacters / charactersPerToken));
    this.lexer = new Lexer(vocabulary);
  }

  /** Learns the file at `path`, in place of an earlier version of it. */
  learn(path: string, language: string, text: string): void {
    this.forget(path);
    this.lexer.lex(text, lexRulesOf(language), indentUnitOf(text));
    const region = this.corpus.append(this.lexer.tokens, this.lexer.length, path);
    this.#keep(path, language, text, region);
  }

  /**
   * {@link learn} in parts of about `characters` UTF-16 units, with a pause after each but the
   * last. During a pause, requests are allowed; learning, forgetting and saving are not. A run that
   * is abandoned has either changed nothing, or has learnt the whole file except for some links.
   */
  *learnInParts(path: string, language: string, text: string, characters: number): Generator<void, void> {
    // A lexer of its own: a request during a pause uses the shared one.
    const lexer = new Lexer(this.vocabulary);
    let isSplit = false;
    try {
      yield* lexer.lexInParts(text, lexRulesOf(language), indentUnitOf(text), characters);
      isSplit = true;
    } finally {
      if (!isSplit) for (let i = 0; i < lexer.length; i++) this.vocabulary.release(lexer.tokens[i]! >> 2);
    }
    this.forget(path);
    const region = this.corpus.place(lexer.tokens, lexer.length, path);
    // From here on, a request in this file can hide the file's own region.
    this.#keep(path, language, text, region);
    yield;
    yield* this.corpus.linkInParts(region, Math.ceil(characters / charactersPerToken));
  }

  /** Forgets the file at `path`; nothing happens when it was never learnt. */
  forget(path: string): void {
    const file = this.files.get(path);
    if (file === undefined) return;
    const { start, end } = file.region;
    const tokens = this.corpus.tokensIn(file.region);
    this.imports.count(this.vocabulary, tokens, start, end, path, -1);
    for (let place = start; place < end; place++) this.vocabulary.release(tokens[place]! >> 2);
    this.corpus.forget(file.region);
    this.files.delete(path);
    this.characters -= file.characters;
    const { dead, length } = this.corpus;
    const shells = this.corpus.documentStarts.length - this.files.size;
    if (
      (dead > compactAbove.tokens && dead > length * compactAbove.share) ||
      shells > Math.max(compactAbove.shells, this.files.size)
    ) {
      this.#compact();
    }
  }

  /** Takes over a file whose tokens are in the corpus already. */
  restore(path: string, file: LearntFile): void {
    const { start, end } = file.region;
    this.imports.countLater(path, () => {
      this.imports.count(this.vocabulary, this.corpus.tokensIn(file.region), start, end, path, 1);
    });
    this.files.set(path, file);
    this.characters += file.characters;
  }

  /**
   * Hides the file at `path` from requests, and returns a function that shows it again; `undefined`
   * when the file was never learnt. Its words stay counted.
   */
  hide(path: string): (() => void) | undefined {
    const file = this.files.get(path);
    if (file === undefined) return undefined;
    this.imports.settle(path);
    return this.corpus.hide(file.region);
  }

  #keep(path: string, language: string, text: string, region: Region): void {
    this.imports.count(this.vocabulary, this.corpus.tokensIn(region), region.start, region.end, path, 1);
    this.files.set(path, { language, characters: text.length, region });
    this.characters += text.length;
  }

  #compact(): void {
    this.imports.settle();
    const moved = this.corpus.compact([...this.files].map(([path, file]) => [path, file.region] as const));
    for (const [path, region] of moved) this.files.set(path, { ...this.files.get(path)!, region });
  }
}
