import { languageById, tryClosingTag } from "../../syntax/index.ts";
import type {
  FillRequest,
  Model,
  ModelCallOptions,
  ModelEnd,
  NextRequest,
  NextToken,
  NoAnswerReason,
  TextPart,
} from "../model.ts";
import type { CompletionAnswer, CompletionRequest } from "./completion.ts";
import { nearContexts } from "./context-walker.ts";
import { Corpus } from "./corpus.ts";
import { Decoder } from "./decoder.ts";
import { Knowledge } from "./knowledge.ts";
import { lexRulesOf } from "./lex-rules.ts";
import { indentUnitOf } from "./lexer.ts";
import { MixerEnsemble } from "./mixer.ts";
import { OpenDocument } from "./open-document.ts";
import { shippedWeights } from "./shipped-weights.ts";

/** What a built-in model starts from. */
export interface BuiltinModelOptions {
  /** What is known already; default: nothing. */
  readonly knowledge?: Knowledge;
  /** About how many characters will be learnt: sizes the tables. Default: 1,000,000. */
  readonly expectedCharacters?: number;
  /** The mixer's weights; default: those that are shipped. */
  readonly weights?: Float32Array;
}

/** How much a built-in model has learnt. */
export interface BuiltinStatistics {
  readonly files: number;
  /** UTF-16 units. */
  readonly characters: number;
  readonly tokens: number;
  readonly distinctTokens: number;
  /** Files of each language, by id. */
  readonly languages: Readonly<Record<string, number>>;
  /** Bytes that the tables hold. */
  readonly bytes: number;
}

/**
 * The language model that needs no server: it learns the workspace, keeps counts instead of
 * weights, and answers in milliseconds.
 *
 * All its work is synchronous; learning a workspace is a loop over files that the caller paces.
 */
export class BuiltinModel implements Model {
  readonly name = "builtin";
  readonly followsGuide = true;
  readonly knowledge: Knowledge;
  readonly #near: Corpus;
  readonly #decoder: Decoder;

  constructor(options: BuiltinModelOptions = {}) {
    this.knowledge = options.knowledge ?? new Knowledge(options.expectedCharacters ?? 1_000_000);
    this.#near = new Corpus(this.knowledge.vocabulary, nearContexts, 1 << 14);
    this.#decoder = new Decoder(this.knowledge, new MixerEnsemble(options.weights ?? shippedWeights()));
  }

  /**
   * Learns the file at `path` (from the workspace's root, with `/`), instead of what was known of
   * it.
   */
  learn(path: string, language: string, text: string): void {
    this.knowledge.learn(path, language, text);
  }

  /** {@link learn} in parts, with a pause after each: see `Knowledge.learnInParts`. */
  learnInParts(path: string, language: string, text: string, characters: number): Generator<void, void> {
    return this.knowledge.learnInParts(path, language, text, characters);
  }

  /** Forgets the file at `path`. Law: learning and then forgetting a file changes no answer. */
  forget(path: string): void {
    this.knowledge.forget(path);
  }

  /** How much is learnt. */
  get statistics(): BuiltinStatistics {
    const { files, characters, corpus, vocabulary } = this.knowledge;
    const languages: Record<string, number> = {};
    for (const { language } of files.values()) languages[language] = (languages[language] ?? 0) + 1;
    return {
      files: files.size,
      characters,
      tokens: corpus.length - corpus.dead - files.size,
      distinctTokens: vocabulary.size,
      languages,
      bytes: corpus.byteLength + vocabulary.byteLength,
    };
  }

  /**
   * What may go at a place, or why nothing is offered.
   *
   * What was learnt of the file itself is left aside for its present text. Takes a few
   * milliseconds.
   */
  complete(request: CompletionRequest): CompletionAnswer {
    const closing = tryClosingTagAnswer(request);
    if (closing !== undefined) return closing;
    return this.#with(request, (document) =>
      this.#decoder.complete(document, {
        maxLines: request.maxLines ?? 1,
        limit: request.limit ?? 1,
        beamWidth,
        minProbability: request.minProbability,
        guide: request.guide,
        attempts: request.attempts,
      }),
    );
  }

  /**
   * Learns from the rest of a line that a person wrote at a place which of the contexts to trust.
   *
   * Report dismissed suggestions too: a model that learns from accepted ones alone trusts what it
   * did already, and offers more that is wrong. With whole lines accepted, 61 of 100 offers were
   * right before and 54 after. Moves only the mixer's weights, a little; the text itself is learnt
   * by {@link learn}. Returns how surprising it was, in bits a token.
   */
  observe(request: NextRequest, written: string): number {
    const { lexer } = this.knowledge;
    return this.#with(request, (document) => {
      const line = /^[^\r\n]*/.exec(written)![0];
      const before = request.prefix.slice(
        request.prefix.lastIndexOf("\n") + 1,
        request.prefix.length - document.typed.length,
      );
      lexer.lex(
        before + document.typed + line + document.lineEnding,
        lexRulesOf(request.language),
        document.indentUnit,
      );
      const tokens = Array.from(lexer.tokens.subarray(0, lexer.length));
      document.keep(tokens);
      const first = lexer.starts.subarray(0, lexer.length).findIndex((start) => start >= before.length);
      return first < 0 ? 0 : this.#decoder.observe(document, tokens.slice(first));
    });
  }

  /**
   * {@link complete} as a stream of one part; of none where nothing is offered, and the reason is
   * `silent`. A guide that must find out more of an answer is called until it accepts one. Rejects
   * with the signal's reason.
   */
  async *fill(request: FillRequest, options: ModelCallOptions = {}): AsyncGenerator<TextPart, ModelEnd> {
    const { guide } = request;
    options.signal?.throwIfAborted();
    let answer = this.complete(request);
    for (let round = 0; guide?.prepare !== undefined && answer.kind === "offered"; round++) {
      const { text } = answer.completions[0];
      await guide.prepare(text);
      options.signal?.throwIfAborted();
      if (guide.allows(text)) break;
      if (round === maxRounds) return { reason: "silent" };
      answer = this.complete(request);
    }
    if (answer.kind === "no-suggestion") return { reason: "silent", withheld: heldGuess(answer) };
    const [{ text, probability, tokens, isUnfinished, isForced }] = answer.completions;
    yield { kind: "text-delta", text };
    const evidence = { probability, evidence: tokens, ...(isForced && { isForced }) };
    return isUnfinished ? { reason: "length", limit: "guide", ...evidence } : { reason: "finished", ...evidence };
  }

  /**
   * The likeliest next tokens at a place, likeliest first; 10 unless `limit` is set. Rejects with
   * the signal's reason.
   */
  async next(request: NextRequest, options: ModelCallOptions = {}): Promise<readonly NextToken[]> {
    options.signal?.throwIfAborted();
    return this.#with(request, (document) => this.#decoder.next(document, request.limit ?? 10));
  }

  /**
   * The line, from 0, on which the token at `tokenIndex` of a learnt file begins, found in the
   * file's `text`; `undefined` when the text has no such token, having changed since.
   */
  lineOfToken(language: string, text: string, tokenIndex: number): number | undefined {
    const { lexer, vocabulary } = this.knowledge;
    lexer.lex(text, lexRulesOf(language), indentUnitOf(text));
    const start = tokenIndex < lexer.length ? lexer.starts[tokenIndex]! : -1;
    for (let i = 0; i < lexer.length; i++) vocabulary.release(lexer.tokens[i]! >> 2);
    return start < 0 ? undefined : text.slice(0, start).split(/\r\n|\n|\r/).length - 1;
  }

  #with<T>(request: NextRequest, ask: (document: OpenDocument) => T): T {
    const { prefix, suffix, path } = request;
    const { vocabulary, lexer } = this.knowledge;
    const rules = lexRulesOf(request.language);
    const show = this.knowledge.hide(path);
    const counted = show === undefined ? 1 : 2;
    let document: OpenDocument | undefined;
    try {
      document = new OpenDocument({ vocabulary, lexer, rules, prefix, suffix, path, counted, corpus: this.#near });
      return ask(document);
    } finally {
      document?.[Symbol.dispose]();
      show?.();
    }
  }
}

function heldGuess({ reason, best }: Extract<CompletionAnswer, { kind: "no-suggestion" }>): NoAnswerReason {
  const why = silences[reason];
  return best === undefined ? { why } : { why, text: best.text, probability: best.probability };
}

const silences: Readonly<Record<Extract<CompletionAnswer, { kind: "no-suggestion" }>["reason"], string>> = {
  "nothing-known": "it knows no text that continues like this",
  unsure: "it is not confident enough",
  "line-complete": "the line is probably complete",
};

/** How often an answer is looked for again after the guide has found something against it. */
const maxRounds = 12;

/** How many beginnings are followed at a time. */
const beamWidth = 1;

/**
 * The rest of a closing tag that a place lies in: the text determines which element it closes, so
 * nothing learnt is used.
 *
 * `undefined` where the place lies in no closing tag, or the guide does not let the tag be ended
 * so.
 */
function tryClosingTagAnswer({
  language,
  prefix,
  suffix,
  guide,
}: Pick<CompletionRequest, "language" | "prefix" | "suffix" | "guide">): CompletionAnswer | undefined {
  const known = languageById(language);
  const tag = known && tryClosingTag(prefix, known);
  if (tag === undefined) return undefined;
  const { typed, names } = tag;
  const behind = /^[\p{L}\p{N}_$.:-]*/u.exec(suffix)![0];
  const fits = (name: string) => name.startsWith(typed) && name.slice(typed.length).endsWith(behind);
  const name = names.find(fits);
  if (name === undefined) return { kind: "no-suggestion", reason: "nothing-known" };
  const missing = name.slice(typed.length, name.length - behind.length);
  const isEnded = /^\s*>/.test(suffix.slice(behind.length));
  const text = missing + (behind === "" && !isEnded ? ">" : "");
  if (text === "") return { kind: "no-suggestion", reason: "line-complete" };
  if (guide?.allows(text) === false) return undefined;
  const completion = { text, probability, tokens: [{ text, probability, contexts: ["the element that is open"] }] };
  return { kind: "offered", completions: [completion] };
}

/** A tag that is not closed yet may be one that the person forgot to close further up. */
const probability = 0.99;
