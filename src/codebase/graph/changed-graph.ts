import { type BlockId, type CodeBlock, pathOfBlockId } from "./code-block.ts";
import { DependencyGraph, type GraphEdge, type GraphFile } from "./dependency-graph.ts";
import type { ReferenceSource } from "./reference.ts";

/** What can be asked of a graph whose ways are followed. */
export type ReadableGraph = Pick<DependencyGraph, "tryBlock" | "blocksOf" | "dependenciesOf" | "dependentsOf">;

/** What {@link changedGraph} is given. */
export interface ChangedGraphRequest {
  /** The graph before the change. */
  readonly graph: DependencyGraph;
  /** The texts of the changed files, before and after; `undefined` where there is none. */
  readonly changed: ReadonlyMap<string, { readonly before: string | undefined; readonly after: string | undefined }>;
  /** Who knows what the names of those files mean. They are told the change, and afterwards that it is not made. */
  readonly sources: readonly ReferenceSource[];
  readonly blocksOf: (path: string, text: string) => readonly CodeBlock[];
  readonly languageOf: (path: string) => string;
  readonly signal?: AbortSignal | undefined;
}

/**
 * The graph as a change would leave it, without making it.
 *
 * What the changed files say is asked anew. What all others say stays as it is, also where it would mean something else, such as a call that an added
 * override takes over: the way to that leads over what is overridden.
 */
export async function changedGraph(request: ChangedGraphRequest): Promise<ReadableGraph> {
  const { graph, changed, sources, blocksOf, languageOf, signal } = request;
  const options = signal === undefined ? {} : { signal };
  const files: GraphFile[] = [];
  for (const source of sources) {
    const own = [...changed].filter(([path]) => source.languages.includes(languageOf(path)));
    if (own.length === 0) continue;
    await source.update(new Map(own.map(([path, { after }]) => [path, after])), options);
    try {
      const paths = own.flatMap(([path, { after }]) => (after === undefined ? [] : [path]));
      for (const references of await source.referencesOf(paths, options)) {
        const { path } = references;
        files.push({ path, blocks: blocksOf(path, changed.get(path)!.after!), references });
      }
    } finally {
      await source.update(new Map(own.map(([path, { before }]) => [path, before])));
    }
  }
  return new ChangedGraph(graph, new Set(changed.keys()), files);
}

/** A graph some of whose files are others, or are gone. Blocks and edges of the rest are those of the graph below. */
export class ChangedGraph implements ReadableGraph {
  readonly #below: ReadableGraph;
  readonly #changed: ReadonlySet<string>;
  /** The changed files, with the blocks of those that they refer to. */
  readonly #files = new DependencyGraph();

  constructor(below: ReadableGraph, changed: ReadonlySet<string>, files: readonly GraphFile[]) {
    this.#below = below;
    this.#changed = changed;
    for (const path of new Set(files.flatMap(({ references }) => references.references.map(targetOf)))) {
      if (!changed.has(path)) this.#files.setBlocks(path, below.blocksOf(path));
    }
    this.#files.update(files);
  }

  tryBlock(id: BlockId): CodeBlock | undefined {
    return this.#of(pathOfBlockId(id)).tryBlock(id);
  }

  blocksOf(path: string): readonly CodeBlock[] {
    return this.#of(path).blocksOf(path);
  }

  dependenciesOf(id: BlockId): readonly GraphEdge[] {
    return this.#of(pathOfBlockId(id)).dependenciesOf(id);
  }

  *dependentsOf(id: BlockId): Generator<GraphEdge> {
    for (const edge of this.#below.dependentsOf(id)) if (!this.#changed.has(pathOfBlockId(edge.from))) yield edge;
    for (const edge of this.#files.dependentsOf(id)) if (this.#changed.has(pathOfBlockId(edge.from))) yield edge;
  }

  #of(path: string): ReadableGraph {
    return this.#changed.has(path) ? this.#files : this.#below;
  }
}

function targetOf({ targetPath }: { readonly targetPath: string }): string {
  return targetPath;
}
