import { languageOf } from "../../syntax/index.ts";
import { type ChangedText, overlayAt, textsAt } from "../../workspace/index.ts";
import { type BlockId, baseName, blockId, type CodeBlock, pathOfBlockId } from "./code-block.ts";
import { containsAnyName } from "./contains-name.ts";
import { DependencyGraph, type GraphEdge, type GraphFile } from "./dependency-graph.ts";
import type { ReferenceSource } from "./reference.ts";

/** The queries of a dependency graph. */
export type ReadableGraph = Pick<DependencyGraph, "tryBlock" | "blocksOf" | "dependenciesOf" | "dependentsOf">;

/** Input of {@link changedGraph}. */
export interface ChangedGraphRequest {
  /** The graph before the change. */
  readonly graph: DependencyGraph;
  /** The texts of the changed files, before and after; `undefined` where there is none. */
  readonly changed: ReadonlyMap<string, ChangedText>;
  /**
   * The sources that resolve the names of those files. They receive the change, and are reset
   * afterwards.
   */
  readonly sources: readonly ReferenceSource[];
  /** The text of a file before the change. */
  readonly textOf: (path: string) => string | undefined;
  readonly blocksOf: (path: string, text: string) => readonly CodeBlock[];
  readonly signal?: AbortSignal | undefined;
  /** Lets timers, signals and I/O run; called between files. */
  readonly yieldThread?: () => Promise<void>;
}

/**
 * Files that use a new name are resolved again only up to this number: a more common name, such as
 * `get`, carries little information.
 */
const maxContainingFiles = 100;

/**
 * Returns the graph as it would be after a change, without changing the given graph. The sources
 * are reset to the state before the change, also after an error. Rejects with the signal's reason
 * on abort.
 *
 * The names of the changed files are resolved again, and those of files that contain a name that
 * was added. Names in all other files keep their meaning, even where the change would alter it,
 * such as a call that now reaches an added override: that override is found through the member that
 * it overrides.
 */
export async function changedGraph(request: ChangedGraphRequest): Promise<ReadableGraph> {
  const { graph, changed, sources, textOf, blocksOf, signal, yieldThread } = request;
  const options = { signal };
  const containing = await filesContaining(await addedNames(request), request);
  const textAfter = textsAt("after", changed, textOf);
  const files: GraphFile[] = [];
  for (const source of sources) {
    const isOwn = (path: string) => source.languages.includes(languageOf(path).id);
    const own = [...changed].filter(([path]) => isOwn(path));
    if (own.length === 0) continue;
    await source.update(overlayAt("after", own), options);
    try {
      const paths = own.flatMap(([path, { after }]) => (after === undefined ? [] : [path]));
      for (const references of await source.referencesOf([...paths, ...containing.filter(isOwn)], options)) {
        await yieldThread?.();
        signal?.throwIfAborted();
        const { path } = references;
        files.push({ path, blocks: blocksOf(path, textAfter(path) ?? ""), references });
      }
    } finally {
      await source.update(overlayAt("before", own));
    }
  }
  return new ChangedGraph(graph, new Set([...changed.keys(), ...files.map(({ path }) => path)]), files);
}

async function addedNames(request: ChangedGraphRequest): Promise<ReadonlySet<string>> {
  const { changed, blocksOf, signal, yieldThread } = request;
  const names = new Set<string>();
  for (const [path, { before, after }] of changed) {
    await yieldThread?.();
    signal?.throwIfAborted();
    const known = new Set(before === undefined ? [] : blocksOf(path, before).map(blockId));
    for (const block of after === undefined ? [] : blocksOf(path, after))
      if (!known.has(blockId(block)) && isNamed(block)) names.add(baseName(block.simpleName));
  }
  return names;
}

function isNamed({ kind, simpleName }: CodeBlock): boolean {
  return simpleName !== "" && !["import", "export", "statement", "test", "constructor"].includes(kind);
}

/** The other files that contain one of these names; none if there are too many of them. */
async function filesContaining(
  names: ReadonlySet<string>,
  { graph, changed, textOf, signal, yieldThread }: ChangedGraphRequest,
): Promise<readonly string[]> {
  if (names.size === 0) return [];
  const containing: string[] = [];
  for (const path of graph.paths) {
    await yieldThread?.();
    signal?.throwIfAborted();
    if (changed.has(path) || !containsAnyName(textOf(path) ?? "", names)) continue;
    if (containing.length === maxContainingFiles) return [];
    containing.push(path);
  }
  return containing;
}

/**
 * A graph in which some files are replaced or removed. All other blocks and edges are read from the
 * original graph.
 */
export class ChangedGraph implements ReadableGraph {
  readonly #original: ReadableGraph;
  readonly #changed: ReadonlySet<string>;
  /** The changed files, and the blocks that they refer to. */
  readonly #files = new DependencyGraph();

  constructor(original: ReadableGraph, changed: ReadonlySet<string>, files: readonly GraphFile[]) {
    this.#original = original;
    this.#changed = changed;
    for (const path of new Set(files.flatMap(({ references }) => references.references.map(targetOf)))) {
      if (!changed.has(path)) this.#files.setBlocks(path, original.blocksOf(path));
    }
    this.#files.update(files);
  }

  /** The block with this id, after the change for a changed file; `undefined` if there is none. */
  tryBlock(id: BlockId): CodeBlock | undefined {
    return this.#of(pathOfBlockId(id)).tryBlock(id);
  }

  /**
   * The blocks of a file in text order, after the change for a changed file; empty for an unknown
   * or removed file.
   */
  blocksOf(path: string): readonly CodeBlock[] {
    return this.#of(path).blocksOf(path);
  }

  /** The edges from a block to its dependencies; empty for an unknown block. */
  dependenciesOf(id: BlockId): readonly GraphEdge[] {
    return this.#of(pathOfBlockId(id)).dependenciesOf(id);
  }

  /**
   * The edges from dependents to a block: first those of unchanged files, then those of changed
   * ones.
   */
  *dependentsOf(id: BlockId): Generator<GraphEdge> {
    for (const edge of this.#original.dependentsOf(id)) if (!this.#changed.has(pathOfBlockId(edge.from))) yield edge;
    for (const edge of this.#files.dependentsOf(id)) if (this.#changed.has(pathOfBlockId(edge.from))) yield edge;
  }

  #of(path: string): ReadableGraph {
    return this.#changed.has(path) ? this.#files : this.#original;
  }
}

function targetOf({ targetPath }: { readonly targetPath: string }): string {
  return targetPath;
}
