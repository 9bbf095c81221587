import { addToGroup, EmendError } from "../../text/index.ts";

/** A token of a model: its number, and its text or bytes, which need not be UTF-8 by themselves. */
export interface Token {
  readonly id: number;
  readonly text: string | Uint8Array;
}

/** The tokens of a vocabulary without text. */
export interface SpecialTokens {
  /** Tokens that end the text. */
  readonly end?: readonly number[];
  /** Other tokens without text, such as those that mark the parts of a prompt. */
  readonly other?: readonly number[];
}

/** The tokens of a model. Their numbers may have gaps. */
export class Vocabulary {
  /** One more than the highest number. */
  readonly size: number;
  readonly end: readonly number[];
  readonly trie: TokenTrie;
  /** The bytes of all tokens, with the start and end of each. */
  readonly #bytes: Uint8Array;
  readonly #start: Uint32Array;
  readonly #end: Uint32Array;

  /**
   * Throws {@link EmendError} `vocabulary-invalid` where a number is invalid or occurs twice, a
   * token has no text, or there is no token with text.
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
    // One array instead of hundreds of thousands.
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

  /** The bytes of token `id`; `undefined` for special tokens and unknown numbers. */
  bytesOf(id: number): Uint8Array | undefined {
    const start = this.#start[id];
    const end = this.#end[id];
    return start === undefined || end === undefined || start === end ? undefined : this.#bytes.subarray(start, end);
  }
}

/** More than any model has; it limits the size of a mask. */
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

/**
 * A trie of tokens by their bytes: a node for each prefix of a token, in depth-first order.
 *
 * The descendants of `node` are the nodes after it and before `end[node]`; its first child is
 * `node + 1`, and the next sibling of a child is the node at its end.
 */
export class TokenTrie {
  /** The last byte of each node's prefix; 0 for the root, which is node 0. */
  readonly byte: Uint8Array;
  readonly parent: Int32Array;
  readonly end: Uint32Array;
  /** The tokens, in the order of their bytes. */
  readonly ids: Uint32Array;
  /**
   * The index in `ids` of a node's first token; the tokens of a node and all its descendants end
   * before the first one of `end[node]`.
   */
  readonly firstToken: Uint32Array;

  /** `tokens`: the bytes of each token, by number. */
  constructor(tokens: readonly (Uint8Array | undefined)[]) {
    const sorted = sortedByBytes(tokens);
    this.ids = Uint32Array.from(sorted);
    const size = sorted.reduce(
      (sum, id, i) => sum + tokens[id]!.length - (i === 0 ? 0 : commonLength(tokens[sorted[i - 1]!]!, tokens[id]!)),
      1,
    );
    this.byte = new Uint8Array(size);
    this.parent = new Int32Array(size);
    this.end = new Uint32Array(size);
    this.firstToken = new Uint32Array(size + 1);
    this.parent[0] = -1;
    /** The nodes on the path of the token that was added last. */
    const path: number[] = [0];
    let last: Uint8Array = new Uint8Array();
    let nodes = 1;
    for (const [index, id] of sorted.entries()) {
      const token = tokens[id]!;
      const common = commonLength(last, token);
      while (path.length > common + 1) this.end[path.pop()!] = nodes;
      for (let at = common; at < token.length; at++) {
        this.byte[nodes] = token[at]!;
        this.parent[nodes] = path[at]!;
        this.firstToken[nodes] = index;
        path.push(nodes++);
      }
      last = token;
    }
    while (path.length > 0) this.end[path.pop()!] = nodes;
    this.firstToken[nodes] = sorted.length;
  }

  /** The number of nodes. */
  get size(): number {
    return this.byte.length;
  }

  /** The bytes on the path from `from` to its descendant `node`. */
  bytesBetween(from: number, node: number): Uint8Array {
    const bytes: number[] = [];
    for (let at = node; at !== from; at = this.parent[at]!) bytes.push(this.byte[at]!);
    return Uint8Array.from(bytes.reverse());
  }
}

function sortedByBytes(tokens: readonly (Uint8Array | undefined)[]): readonly number[] {
  // Sorted as strings with one character for each byte, since strings compare fast.
  const ids = new Map<string, number[]>();
  tokens.forEach((token, id) => {
    if (token === undefined) return;
    const text = String.fromCharCode(...token);
    addToGroup(ids, text, id);
  });
  return [...ids.keys()].sort().flatMap((text) => ids.get(text)!);
}

function commonLength(a: Uint8Array, b: Uint8Array): number {
  const length = Math.min(a.length, b.length);
  let common = 0;
  while (common < length && a[common] === b[common]) common++;
  return common;
}
