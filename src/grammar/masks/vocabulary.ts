import { EmendError } from "../../text/index.ts";
import { TokenTrie } from "./token-trie.ts";

/**
 * A token of a model: its number, and the text that it stands for or its bytes, which need not be
 * UTF-8 by themselves.
 */
export interface Token {
  readonly id: number;
  readonly text: string | Uint8Array;
}

/** What a vocabulary has besides tokens that stand for text. */
export interface SpecialTokens {
  /** Tokens that end the text. */
  readonly end?: readonly number[];
  /** Tokens that stand for no text, such as those that mark the parts of a prompt. */
  readonly other?: readonly number[];
}

/** The tokens of a model. Numbers may be left out. */
export class Vocabulary {
  /** One more than the highest number. */
  readonly size: number;
  readonly end: readonly number[];
  readonly trie: TokenTrie;
  /** The bytes of all tokens, and where those of each start and end. */
  readonly #bytes: Uint8Array;
  readonly #start: Uint32Array;
  readonly #end: Uint32Array;

  /**
   * Throws {@link EmendError} where a number is none or given twice, a token is empty, or there are
   * none.
   */
  constructor(tokens: Iterable<Token>, { end = [], other = [] }: SpecialTokens = {}) {
    const encoder = new TextEncoder();
    const special = new Set<number>();
    for (const id of [...end, ...other]) {
      checkId(id);
      if (special.has(id)) throw twice(id);
      special.add(id);
    }
    const given: Uint8Array[] = [];
    let length = 0;
    let highest = Math.max(-1, ...special);
    for (const { id, text } of tokens) {
      checkId(id);
      if (special.has(id) || given[id] !== undefined) throw twice(id);
      const bytes = typeof text === "string" ? encoder.encode(text) : text;
      if (bytes.length === 0) {
        throw new EmendError(
          "vocabulary-invalid",
          `Token ${id} stands for no text, so nothing would end a row of them. Name it among the special tokens.`,
        );
      }
      given[id] = bytes;
      length += bytes.length;
      highest = Math.max(highest, id);
    }
    if (given.length === 0) {
      throw new EmendError("vocabulary-invalid", "The vocabulary has no token that stands for text.");
    }
    this.size = highest + 1;
    this.end = end;
    this.trie = new TokenTrie(given);
    // One piece of memory, rather than hundreds of thousands.
    this.#bytes = new Uint8Array(length);
    this.#start = new Uint32Array(this.size);
    this.#end = new Uint32Array(this.size);
    let at = 0;
    given.forEach((bytes, id) => {
      this.#bytes.set(bytes, at);
      this.#start[id] = at;
      at += bytes.length;
      this.#end[id] = at;
    });
  }

  /** What token `id` adds to a text; `undefined` for special tokens and numbers that are none. */
  bytesOf(id: number): Uint8Array | undefined {
    const start = this.#start[id];
    const end = this.#end[id];
    return start === undefined || end === undefined || start === end ? undefined : this.#bytes.subarray(start, end);
  }
}

/** More than any model has: the bits of a mask stay small. */
const maxTokens = 1 << 24;

function checkId(id: number): void {
  if (Number.isInteger(id) && id >= 0 && id < maxTokens) return;
  throw new EmendError(
    "vocabulary-invalid",
    `${id} is no number of a token: they are whole, from 0 to ${maxTokens - 1}.`,
  );
}

function twice(id: number): EmendError {
  return new EmendError("vocabulary-invalid", `Token ${id} is given twice.`);
}
