import type { TextRange } from "../../text/range.ts";
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

/** An edge as the graph keeps it. */
export interface GraphEdge extends Dependency {
  /** Whether it also comes from the part of `from` that others see. */
  readonly isInSignature: boolean;
}

/**
 * Blocks of a workspace's files, and how they depend on one another.
 *
 * It is an index that is kept up to date, a file at a time: a file's edges are those that go out
 * from its blocks. Edges name their ends by {@link BlockId}, so what others say of a file stays
 * true while text moves inside it.
 *
 * Law: of the same blocks and references it is the same graph, in whatever order and in however
 * many updates they come. Source: the dependency graph of CodePlan (Bairi et al. 2024, section
 * 2.2.1).
 */
export class DependencyGraph {
  readonly #files = new Map<string, FileEntry>();
  /** Of each block that is depended on: the edges into it, by the file they come from. */
  readonly #incoming = new Map<BlockId, Map<string, GraphEdge[]>>();
  /**
   * References into files that are not there yet: of each such file, by the file they come from.
   */
  readonly #waiting = new Map<string, Map<string, Reference[]>>();

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
   * Takes files in, or in place of what they were. All of them are there before an edge is drawn,
   * so files may refer to each other; references into files that are not there wait for them.
   */
  update(files: readonly GraphFile[]): void {
    for (const { path, blocks } of files) this.setBlocks(path, blocks);
    for (const { references } of files) this.setReferences(references);
  }

  /** Takes a file in, or in place of what it was, as yet without what its names mean. */
  setBlocks(path: string, blocks: readonly CodeBlock[]): void {
    const isNew = !this.#files.has(path);
    this.#cut(path);
    this.#files.set(path, entryOf(blocks));
    this.#drawOwners(path);
    if (!isNew) return;
    const waiting = this.#waiting.get(path);
    this.#waiting.delete(path);
    for (const [from, references] of waiting ?? []) this.#draw(from, references);
  }

  /**
   * Draws what the names of a file mean, in place of what they meant. The file itself must be
   * there.
   */
  setReferences({ path, references }: FileReferences): void {
    this.#cut(path);
    this.#drawOwners(path);
    this.#draw(path, references);
  }

  /**
   * Takes a file out. Edges of others into it stay until those files are updated: they say what is
   * missing now.
   */
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
    return this.#files.get(path)?.at(offset)?.block;
  }

  /** What a block depends on. */
  dependenciesOf(id: BlockId): readonly GraphEdge[] {
    return this.#files.get(pathOfBlockId(id))?.outgoing.get(id) ?? [];
  }

  /**
   * What depends on a block: the file of each edge in the order of its update, and in it the order
   * of the text.
   */
  *dependentsOf(id: BlockId): Generator<GraphEdge> {
    const files = this.#incoming.get(id);
    if (files !== undefined) for (const edges of files.values()) yield* edges;
  }

  /** All edges, file by file. */
  *edges(): Generator<GraphEdge> {
    for (const { outgoing } of this.#files.values()) for (const edges of outgoing.values()) yield* edges;
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
    const file = this.#files.get(path);
    if (file === undefined) return;
    for (const edges of file.outgoing.values()) {
      for (const { to } of edges) {
        const files = this.#incoming.get(to);
        files?.delete(path);
        if (files?.size === 0) this.#incoming.delete(to);
      }
    }
    file.outgoing.clear();
    for (const target of file.waitsFor) this.#waiting.get(target)?.delete(path);
    file.waitsFor.clear();
  }

  #drawOwners(path: string): void {
    const file = this.#files.get(path)!;
    const open: GraphNode[] = [];
    for (const node of file.nodes) {
      const { block } = node;
      while (open.length > 0 && open.at(-1)!.block.range.end < block.range.end) open.pop();
      // Where several blocks bear the owner's name, such as an interface and a class, the one
      // around it is meant.
      const owner = block.owner === undefined ? undefined : open.findLast((one) => one.block.name === block.owner);
      if (owner !== undefined) {
        const relation = block.kind === "constructor" ? "constructs" : "child-of";
        this.#add(path, file, { from: node, relation, to: owner, isInSignature: true });
      }
      open.push(node);
    }
  }

  #draw(path: string, references: readonly Reference[]): void {
    const file = this.#files.get(path)!;
    let target: FileEntry | undefined;
    let targetPath: string | undefined;
    for (const reference of references) {
      const from = file.at(reference.start);
      if (from === undefined) continue;
      if (reference.targetPath !== targetPath) {
        targetPath = reference.targetPath;
        target = this.#files.get(targetPath);
      }
      if (target === undefined) {
        this.#wait(path, file, reference);
        continue;
      }
      const to = target.at(reference.targetStart);
      if (to === undefined || to === from) continue;
      const relation = relationOf(reference, from.block);
      const isInSignature = from.block.signature.some(
        ({ start, end }) => start <= reference.start && reference.start < end,
      );
      this.#add(path, file, { from, relation, to, isInSignature });
      if (from.block.kind === "test") this.#add(path, file, { from, relation: "tests", to, isInSignature });
      if (relation !== "instantiates" || to.block.kind !== "class") continue;
      const made = target.constructors.get(to.block.name);
      if (made !== undefined && made !== from) this.#add(path, file, { from, relation, to: made, isInSignature });
    }
  }

  #add(path: string, file: FileEntry, { from, relation, to, isInSignature }: DrawnEdge): void {
    const outgoing = listOf(file.outgoing, from.id);
    const known = outgoing.findIndex((edge) => edge.to === to.id && edge.relation === relation);
    if (known >= 0 && (outgoing[known]!.isInSignature || !isInSignature)) return;
    const edge: GraphEdge = { from: from.id, relation, to: to.id, isInSignature };
    let files = this.#incoming.get(to.id);
    if (files === undefined) {
      files = new Map();
      this.#incoming.set(to.id, files);
    }
    const incoming = listOf(files, path);
    if (known >= 0) {
      incoming[incoming.indexOf(outgoing[known]!)] = edge;
      outgoing[known] = edge;
    } else {
      incoming.push(edge);
      outgoing.push(edge);
    }
  }

  #wait(path: string, file: FileEntry, reference: Reference): void {
    let waiting = this.#waiting.get(reference.targetPath);
    if (waiting === undefined) {
      waiting = new Map();
      this.#waiting.set(reference.targetPath, waiting);
    }
    listOf(waiting, path).push(reference);
    file.waitsFor.add(reference.targetPath);
  }
}

/** A block with its id, which all its edges share. */
interface GraphNode {
  readonly id: BlockId;
  readonly block: CodeBlock;
}

interface DrawnEdge {
  readonly from: GraphNode;
  readonly relation: Relation;
  readonly to: GraphNode;
  readonly isInSignature: boolean;
}

interface FileEntry {
  readonly blocks: readonly CodeBlock[];
  readonly nodes: readonly GraphNode[];
  readonly byId: ReadonlyMap<BlockId, CodeBlock>;
  /**
   * The only constructors of classes, by their names. Of several a reference itself tells which.
   */
  readonly constructors: ReadonlyMap<string, GraphNode>;
  readonly outgoing: Map<BlockId, GraphEdge[]>;
  /** The files that are not there yet, which it refers to. */
  readonly waitsFor: Set<string>;
  at(offset: number): GraphNode | undefined;
}

function entryOf(blocks: readonly CodeBlock[]): FileEntry {
  const nodes = blocks.map((block) => ({ id: blockId(block), block }));
  const constructors = new Map<string, GraphNode>();
  const overloaded = new Set<string>();
  for (const node of nodes) {
    const { kind, owner } = node.block;
    if (kind !== "constructor" || owner === undefined) continue;
    if (constructors.has(owner)) overloaded.add(owner);
    else constructors.set(owner, node);
  }
  for (const owner of overloaded) constructors.delete(owner);
  return {
    ...{ blocks, nodes, constructors, outgoing: new Map(), waitsFor: new Set<string>() },
    byId: new Map(nodes.map(({ id, block }) => [id, block])),
    at: innermostFinder(nodes, ({ block }) => block.range),
  };
}

/**
 * Finds the innermost of nested or disjoint blocks around an offset: a walk over their borders,
 * searched by halves.
 */
export function blockFinder(blocks: readonly CodeBlock[]): (offset: number) => CodeBlock | undefined {
  return innermostFinder(blocks, ({ range }) => range);
}

function innermostFinder<T>(items: readonly T[], rangeOf: (item: T) => TextRange): (offset: number) => T | undefined {
  const starts: number[] = [];
  const owners: (T | undefined)[] = [];
  const open: T[] = [];
  const border = (offset: number) => {
    const owner = open.at(-1);
    if (starts.at(-1) === offset) owners[owners.length - 1] = owner;
    else if (owners.at(-1) !== owner) {
      starts.push(offset);
      owners.push(owner);
    }
  };
  const close = (until: number) => {
    while (open.length > 0 && rangeOf(open.at(-1)!).end <= until) border(rangeOf(open.pop()!).end);
  };
  const sorted = [...items].sort((a, b) => rangeOf(a).start - rangeOf(b).start || rangeOf(b).end - rangeOf(a).end);
  for (const item of sorted) {
    const { start } = rangeOf(item);
    close(start);
    open.push(item);
    border(start);
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
