/**
 * Tokens by their bytes: a node for each beginning of a token, in the order in which a walk meets
 * them.
 *
 * Below `node` lie the nodes up to `end[node]`; its children are `node + 1`, and from each child on
 * the one at its end.
 */
export class TokenTrie {
  /** The last byte of each node's beginning; 0 for the root, which is node 0. */
  readonly byte: Uint8Array;
  readonly parent: Int32Array;
  readonly end: Uint32Array;
  /** The tokens, in the order of their bytes. */
  readonly ids: Uint32Array;
  /** Where in `ids` the tokens of a node start; those of all below it go up to that of its end. */
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
    /** The nodes of the beginnings of the token that was added last. */
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

  /** How many nodes there are. */
  get size(): number {
    return this.byte.length;
  }

  /** The bytes between `from` and `node`, which lies below it. */
  bytesBetween(from: number, node: number): Uint8Array {
    const bytes: number[] = [];
    for (let at = node; at !== from; at = this.parent[at]!) bytes.push(this.byte[at]!);
    return Uint8Array.from(bytes.reverse());
  }
}

function sortedByBytes(tokens: readonly (Uint8Array | undefined)[]): readonly number[] {
  // As texts with a character for each byte, since those are compared fast.
  const ids = new Map<string, number[]>();
  tokens.forEach((token, id) => {
    if (token === undefined) return;
    const text = String.fromCharCode(...token);
    const same = ids.get(text);
    if (same === undefined) ids.set(text, [id]);
    else same.push(id);
  });
  return [...ids.keys()].sort().flatMap((text) => ids.get(text)!);
}

function commonLength(a: Uint8Array, b: Uint8Array): number {
  const length = Math.min(a.length, b.length);
  let common = 0;
  while (common < length && a[common] === b[common]) common++;
  return common;
}
