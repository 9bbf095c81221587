import { type BlockId, blockId, type CodeBlock, pathOfBlockId } from "./code-block.ts";
import type { FileReferences, Reference } from "./reference.ts";
import type { Dependency, Relation } from "./relation.ts";

/** One file's part of the graph. */
export interface GraphFile {
  readonly path: string;
  readonly blocks: readonly CodeBlock[];
  /** What its names mean, in terms of all files as they are now. */
  readonly references: FileReferences;
}

/**
 * Blocks of a workspace's files, and how they depend on one another.
 *
 * It is an index that is kept up to date, a file at a time: a file's edges are those that go out from its blocks. Edges name
 * their ends by {@link BlockId}, so what others say of a file stays true while text moves inside it.
 *
 * Law: after any updates it equals the graph made from nothing of the same blocks and references.
 * Source: the dependency graph of CodePlan (Bairi et al. 2024, section 2.2.1).
 */
export class DependencyGraph {
  readonly #files = new Map<string, FileEntry>();
  /** Of each block that is depended on: the edges into it, by the file they come from. */
  readonly #incoming = new Map<BlockId, Map<string, Dependency[]>>();

  /** The paths of its files, in the order they came. */
  get paths(): Iterable<string> {
    return this.#files.keys();
  }

  /** How many blocks and edges there are. */
  get size(): { readonly files: number; readonly blocks: number; readonly edges: number } {
    let blocks = 0;
    let edges = 0;
    for (const { byId, outgoing } of this.#files.values()) {
      blocks += byId.size;
      for (const list of outgoing.values()) edges += list.length;
    }
    return { files: this.#files.size, blocks, edges };
  }

  /**
   * Takes files in, or in place of what they were. All of them are there before an edge is drawn, so files may refer to each
   * other; references into files that are not there are no edges.
   */
  update(files: readonly GraphFile[]): void {
    for (const file of files) {
      this.#cut(file.path);
      this.#files.set(file.path, entryOf(file.blocks));
    }
    for (const { path, references } of files) this.#draw(path, references.references);
  }

  /** Takes a file out. Edges of others into it stay until those files are updated: they say what is missing now. */
  remove(path: string): void {
    this.#cut(path);
    this.#files.delete(path);
  }

  /** The block of this id, or `undefined` where there is none now. */
  tryBlock(id: BlockId): CodeBlock | undefined {
    return this.#files.get(pathOfBlockId(id))?.byId.get(id);
  }

  /** The blocks of a file, in the order of its text; none where it is not known. */
  blocksOf(path: string): readonly CodeBlock[] {
    return this.#files.get(path)?.blocks ?? [];
  }

  /** The innermost block around an offset of a file. */
  blockAt(path: string, offset: number): CodeBlock | undefined {
    return this.#files.get(path)?.at(offset);
  }

  /** What a block depends on. */
  dependenciesOf(id: BlockId): readonly Dependency[] {
    return this.#files.get(pathOfBlockId(id))?.outgoing.get(id) ?? [];
  }

  /** What depends on a block: the file of each edge in the order of its update, and in it the order of the text. */
  *dependentsOf(id: BlockId): Generator<Dependency> {
    const files = this.#incoming.get(id);
    if (files !== undefined) for (const edges of files.values()) yield* edges;
  }

  /** The files that depend on any block of this one, itself left out. */
  dependentFiles(path: string): Set<string> {
    const found = new Set<string>();
    for (const id of this.#files.get(path)?.byId.keys() ?? []) {
      for (const from of this.#incoming.get(id)?.keys() ?? []) found.add(from);
    }
    found.delete(path);
    return found;
  }

  #cut(path: string): void {
    for (const edges of this.#files.get(path)?.outgoing.values() ?? []) {
      for (const { to } of edges) {
        const files = this.#incoming.get(to);
        files?.delete(path);
        if (files?.size === 0) this.#incoming.delete(to);
      }
    }
    this.#files.get(path)?.outgoing.clear();
  }

  #draw(path: string, references: readonly Reference[]): void {
    const file = this.#files.get(path)!;
    const drawn = new Set<string>();
    const draw = (from: BlockId, relation: Relation, to: BlockId) => {
      const key = `${from}\n${relation}\n${to}`;
      if (from === to || drawn.has(key)) return;
      drawn.add(key);
      const edge = { from, relation, to };
      listOf(file.outgoing, from).push(edge);
      let files = this.#incoming.get(to);
      if (files === undefined) {
        files = new Map();
        this.#incoming.set(to, files);
      }
      listOf(files, path).push(edge);
    };
    for (const block of file.blocks) {
      const owner = block.owner === undefined ? undefined : ownerOf(block, file.blocks);
      if (owner !== undefined)
        draw(blockId(block), block.kind === "constructor" ? "constructs" : "child-of", blockId(owner));
    }
    for (const reference of references) {
      const from = file.at(reference.start);
      const target = this.#files.get(reference.targetPath);
      const to = target?.at(reference.targetStart);
      if (from === undefined || target === undefined || to === undefined) continue;
      const relation = relationOf(reference, from);
      draw(blockId(from), relation, blockId(to));
      if (from.kind === "test" && relation !== "child-of") draw(blockId(from), "tests", blockId(to));
      if (relation !== "instantiates" || to.kind !== "class") continue;
      const made = target.constructors.get(to.name);
      if (made !== undefined) draw(blockId(from), relation, blockId(made));
    }
  }
}

interface FileEntry {
  readonly blocks: readonly CodeBlock[];
  readonly byId: ReadonlyMap<BlockId, CodeBlock>;
  /** The constructors, by the names of their classes. */
  readonly constructors: ReadonlyMap<string, CodeBlock>;
  readonly outgoing: Map<BlockId, Dependency[]>;
  at(offset: number): CodeBlock | undefined;
}

function entryOf(blocks: readonly CodeBlock[]): FileEntry {
  const constructors = new Map<string, CodeBlock>();
  for (const block of blocks) {
    if (block.kind === "constructor" && block.owner !== undefined) constructors.set(block.owner, block);
  }
  return {
    blocks,
    byId: new Map(blocks.map((block) => [blockId(block), block])),
    constructors,
    outgoing: new Map(),
    at: blockFinder(blocks),
  };
}

/** Finds the innermost of nested or disjoint blocks around an offset: a walk over their borders, searched by halves. */
export function blockFinder(blocks: readonly CodeBlock[]): (offset: number) => CodeBlock | undefined {
  const starts: number[] = [];
  const owners: (CodeBlock | undefined)[] = [];
  const open: CodeBlock[] = [];
  const border = (offset: number) => {
    const owner = open.at(-1);
    if (starts.at(-1) === offset) owners[owners.length - 1] = owner;
    else if (owners.at(-1) !== owner) {
      starts.push(offset);
      owners.push(owner);
    }
  };
  const close = (until: number) => {
    while (open.length > 0 && open.at(-1)!.range.end <= until) border(open.pop()!.range.end);
  };
  const sorted = [...blocks].sort((a, b) => a.range.start - b.range.start || b.range.end - a.range.end);
  for (const block of sorted) {
    close(block.range.start);
    open.push(block);
    border(block.range.start);
  }
  close(Number.POSITIVE_INFINITY);
  return (offset) => {
    let low = 0;
    let high = starts.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (starts[middle]! <= offset) low = middle + 1;
      else high = middle;
    }
    return owners[low - 1];
  };
}

/** Where several blocks bear the owner's name, such as an interface and a class, the one around it is meant. */
function ownerOf(block: CodeBlock, blocks: readonly CodeBlock[]): CodeBlock | undefined {
  return blocks.find(
    ({ name, range }) => name === block.owner && range.start <= block.range.start && block.range.end <= range.end,
  );
}

function relationOf({ role }: Reference, from: CodeBlock): Relation {
  switch (role) {
    case "import":
      return "imports";
    case "re-export":
      return from.kind === "import" ? "imports" : "re-exports";
    case "call":
      return "calls";
    case "instantiate":
      return "instantiates";
    case "extend":
      return "derives-from";
    case "override":
      return "overrides";
    case "type":
      return "uses-type";
    case "value":
      return "uses";
    case "shape":
      return "satisfies";
    case "merge":
      return "merges-with";
  }
}

function listOf<K, V>(map: Map<K, V[]>, key: K): V[] {
  let list = map.get(key);
  if (list === undefined) {
    list = [];
    map.set(key, list);
  }
  return list;
}
