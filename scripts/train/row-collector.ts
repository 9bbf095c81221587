import { nearContexts } from "../../src/model/builtin/context-walker.ts";
import { Corpus } from "../../src/model/builtin/corpus.ts";
import { Evidence, lineEndId } from "../../src/model/builtin/evidence.ts";
import { Knowledge } from "../../src/model/builtin/knowledge.ts";
import { lexRulesOf } from "../../src/model/builtin/lex-rules.ts";
import { OpenDocument } from "../../src/model/builtin/open-document.ts";
import { isLearnable, languageIdOf } from "./learnable.ts";
import type { Place } from "./places.ts";
import type { Rows } from "./rows.ts";
import { type TrueToken, tokensOf, tokensWithin } from "./true-tokens.ts";

/**
 * The share of places whose file is taken to end there.
 *
 * A person who writes a new file has nothing after the cursor, and files at rest always have.
 */
const cutShare = 0.12;

/**
 * Files longer than this many UTF-16 units are learnt, and have no places: opening one for each
 * place takes long.
 */
const maxOpenCharacters = 150_000;

/** A workspace that is learnt, and turns places in it into rows to train the mixer with. */
export class RowCollector {
  readonly #knowledge: Knowledge;
  readonly #near: Corpus;
  readonly #evidence: Evidence;
  readonly #rows: Rows;
  readonly #random: () => number;

  /** `characters` is about how much will be learnt. */
  constructor(rows: Rows, characters: number, random: () => number) {
    this.#knowledge = new Knowledge(characters);
    const { vocabulary, corpus, imports } = this.#knowledge;
    this.#near = new Corpus(vocabulary, nearContexts, 1 << 14);
    this.#evidence = new Evidence(vocabulary, corpus, imports);
    this.#rows = rows;
    this.#random = random;
  }

  /** How many rows there are, those of other collectors included. */
  get rowCount(): number {
    return this.#rows.length;
  }

  /** Learns a file, or forgets it if its text is of a sort that the tool does not read. */
  learn(path: string, text: string): void {
    if (isLearnable(path, text)) this.#knowledge.learn(path, languageIdOf(path, text), text);
    else this.forget(path);
  }

  /** Forgets a file. */
  forget(path: string): void {
    this.#knowledge.forget(path);
  }

  /**
   * Adds the rows of places that are all in one file, which must not be learnt: one for each token
   * of the true line.
   */
  collect(places: readonly Place[]): void {
    const [first] = places;
    if (first === undefined) return;
    const { path, text } = first;
    if (!isLearnable(path, text) || text.length > maxOpenCharacters) return;
    const { lexer, vocabulary } = this.#knowledge;
    const language = languageIdOf(path, text);
    const tokens = tokensOf(lexer, vocabulary, language, text);
    for (const place of places) this.#collectPlace(place, language, tokensWithin(tokens, place.offset, place.end));
  }

  #collectPlace({ path, text, offset, lineEnd }: Place, language: string, truth: readonly TrueToken[]): void {
    const { lexer, vocabulary } = this.#knowledge;
    const isCut = this.#random() < cutShare;
    const [prefix, suffix] = [text.slice(0, offset), isCut ? "" : text.slice(lineEnd)];
    const rules = lexRulesOf(language);
    const document = new OpenDocument({
      ...{ vocabulary, lexer, rules, prefix, suffix, path },
      counted: 1,
      corpus: this.#near,
    });
    try {
      // A place inside an operator or a number is none that the model is evaluated at.
      const [first] = truth;
      if (first === undefined || Math.max(0, offset - first.start) !== document.typed.length) return;
      for (const [index, token] of truth.entries()) this.#collectToken(document, token, index === 0);
      this.#evidence.gather(document, "");
      this.#push(lineEndId);
    } finally {
      document[Symbol.dispose]();
    }
  }

  #collectToken(document: OpenDocument, { name, kind, gap }: TrueToken, isFirst: boolean): void {
    const { vocabulary } = this.#knowledge;
    const id = vocabulary.get(name, 0, name.length, kind);
    this.#evidence.gather(document, isFirst ? document.typed : "");
    this.#push(id);
    const known = id < 0 ? document.coin(name, kind) : id;
    document.write((known << 2) | gap);
  }

  #push(trueId: number): void {
    const { count, ids } = this.#evidence;
    const found = ids.subarray(0, count).indexOf(trueId);
    this.#rows.push(this.#evidence, found < 0 ? count : found);
  }
}
