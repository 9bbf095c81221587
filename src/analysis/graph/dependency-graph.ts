import { addToGroup, getOrInsert, type TextRange } from "../../text/index.ts";
import { type BlockId, blockId, type CodeBlock, pathOfBlockId } from "./code-block.ts";
import type { FileReferences, Reference } from "./reference.ts";

/** One file of the graph. */
export interface GraphFile {
  readonly path: string;
  readonly blocks: readonly CodeBlock[];
  /** The resolved names of the file, in terms of the current state of all files. */
  readonly references: FileReferences;
}

/** A stored edge. */
export interface GraphEdge extends Dependency {
  /** Whether `from` refers to `to` in its signature as well. */
  readonly isInSignature: boolean;
}

/**
 * The blocks of a workspace's files and the dependencies between them.
 *
 * The graph is updated a file at a time. A file owns the edges that start at its blocks. Edges
 * identify their ends by {@link BlockId}, so edges from other files stay valid while text moves
 * inside a file.
 *
 * Law: the graph depends only on the last blocks and references of each file, not on the order or
 * number of updates. Source: the dependency graph of CodePlan (Bairi et al. 2024, section 2.2.1).
 */
export class DependencyGraph {
  readonly #files = new Map<string, FileEntry>();
  /** For each block: the edges into it, by the path of the file that they start from. */
  readonly #incoming = new Map<BlockId, Map<string, GraphEdge[]>>();
  /**
   * References into files that aren't in the graph yet: by the missing file, then by the referring
   * file.
   */
  readonly #waiting = new Map<string, Map<string, Reference[]>>();

  /** The paths of all files, in insertion order. */
  get paths(): Iterable<string> {
    return this.#files.keys();
  }

  /** The numbers of files, blocks and edges. */
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
   * Adds or replaces files. All files are added before edges are created, so files can refer to
   * each other. References into missing files are kept until those files are added.
   */
  update(files: readonly GraphFile[]): void {
    for (const { path, blocks } of files) this.setBlocks(path, blocks);
    for (const { references } of files) this.setReferences(references);
  }

  /**
   * Adds a file, or replaces its blocks. Its own references are removed; edges from other files
   * into it stay.
   */
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
   * Replaces the references of a file, which must be in the graph. Those outside of its blocks are
   * dropped; those into missing files are kept until these are added.
   */
  setReferences({ path, references }: FileReferences): void {
    this.#cut(path);
    this.#drawOwners(path);
    this.#draw(path, references);
  }

  /**
   * Removes a file. Edges from other files into it stay until those files are updated: they show
   * what is missing now.
   */
  remove(path: string): void {
    this.#cut(path);
    this.#files.delete(path);
  }

  /** The block with this id, or `undefined` if the graph has none. */
  tryBlock(id: BlockId): CodeBlock | undefined {
    return this.#files.get(pathOfBlockId(id))?.byId.get(id);
  }

  /** The blocks of a file in text order; empty for an unknown file. */
  blocksOf(path: string): readonly CodeBlock[] {
    return this.#files.get(path)?.blocks ?? [];
  }

  /**
   * The innermost block around an offset of a file, comments above it included; `undefined` outside
   * of all blocks and for an unknown file.
   */
  blockAt(path: string, offset: number): CodeBlock | undefined {
    return this.#files.get(path)?.at(offset)?.block;
  }

  /**
   * The edges from a block to its dependencies, in the order in which they were added; empty for an
   * unknown block.
   */
  dependenciesOf(id: BlockId): readonly GraphEdge[] {
    return this.#files.get(pathOfBlockId(id))?.outgoing.get(id) ?? [];
  }

  /**
   * The edges from dependents to a block: by file in the order of the files' updates, then in text
   * order.
   */
  *dependentsOf(id: BlockId): Generator<GraphEdge> {
    const files = this.#incoming.get(id);
    if (files !== undefined) for (const edges of files.values()) yield* edges;
  }

  /** All edges, file by file. */
  *edges(): Generator<GraphEdge> {
    for (const { outgoing } of this.#files.values()) for (const edges of outgoing.values()) yield* edges;
  }

  /** The files with a block that depends on a block of this file, without the file itself. */
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
      // Several blocks can have the owner's name, such as an interface and a class: the owner is
      // the one around the block.
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
    const incoming = listOf(
      getOrInsert(this.#incoming, to.id, () => new Map()),
      path,
    );
    if (known >= 0) {
      incoming[incoming.indexOf(outgoing[known]!)] = edge;
      outgoing[known] = edge;
    } else {
      incoming.push(edge);
      outgoing.push(edge);
    }
  }

  #wait(path: string, file: FileEntry, reference: Reference): void {
    addToGroup(
      getOrInsert(this.#waiting, reference.targetPath, () => new Map()),
      path,
      reference,
    );
    file.waitsFor.add(reference.targetPath);
  }
}

/** A block with its id. All edges share the same id string. */
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
   * Classes with exactly one constructor, by name. References to a class with several constructors
   * name the constructor themselves.
   */
  readonly constructors: ReadonlyMap<string, GraphNode>;
  readonly outgoing: Map<BlockId, GraphEdge[]>;
  /** The missing files that this file refers to. */
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
 * Returns a function that finds the innermost block around an offset by binary search, `undefined`
 * outside of all blocks. Blocks must be nested or disjoint.
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
  return getOrInsert(map, key, () => []);
}

/**
 * The relations of a dependent to the block that it depends on. Each has an inverse, as seen from
 * that block.
 *
 * The first seven are the relations of CodePlan (Bairi et al. 2024, section 2.2.1). The others
 * cover TypeScript's structural types, re-exports and tests.
 */
export const inverseRelations = {
  /** A member and its class; a declaration and its namespace. */
  "child-of": "parent-of",
  /** A call of a class's constructor. */
  constructs: "constructed-by",
  /**
   * An import statement and what it names; a block and the import statement whose names it uses.
   */
  imports: "imported-by",
  /** A class and its base class or interface; an interface and those that it extends. */
  "derives-from": "base-of",
  /** A member and the member of the same name in a base class or interface. */
  overrides: "overridden-by",
  calls: "called-by",
  instantiates: "instantiated-by",
  /** A field, variable, enum or enum member, used as a value. */
  uses: "used-by",
  /** A name in a type. */
  "uses-type": "type-used-by",
  /**
   * A value (an object, a function, attributes, a pattern) that must match the other block's type
   * without naming it.
   */
  satisfies: "satisfied-by",
  "re-exports": "re-exported-by",
  /**
   * Two declarations that form one symbol: overloads of interfaces, augmented modules. Its own
   * inverse.
   */
  "merges-with": "merges-with",
  /** A test and what it calls or names. */
  tests: "tested-by",
} as const;

/** A relation as seen from the dependent. */
export type Relation = keyof typeof inverseRelations;

/** A relation as seen from the block that is depended on. */
export type InverseRelation = (typeof inverseRelations)[Relation];

/** An edge of the graph: `from` depends on `to`. */
export interface Dependency {
  readonly from: string;
  readonly relation: Relation;
  readonly to: string;
}
