import { type AbortOptions, SerialQueue } from "../../async/index.ts";
import { isScript } from "../../names/index.ts";
import { languageOf } from "../../syntax/index.ts";
import { addToGroup, getOrInsert } from "../../text/index.ts";
import type { BlockReader } from "./block-reader.ts";
import { type BlockId, blockId, type CodeBlock, pathOfBlockId } from "./code-block.ts";
import { DependencyGraph } from "./dependency-graph.ts";
import {
  anyName,
  type BlockState,
  blockStateOf,
  blocksWithInferredChange,
  type ChangedNames,
  changedExports,
  changedNames,
  changesGlobals,
  exportedNames,
  type FileEdit,
  type FileState,
  globalBlocks,
  hasOpenBody,
  hasSameBlocks,
  importsAnyOf,
  isJavaScript,
  mayResolveTo,
} from "./file-state.ts";
import type { FileReferences, ModuleSpecifier, ReferenceSource } from "./reference.ts";

/** Dependencies of a {@link WorkspaceGraph}, which doesn't dispose them. */
export interface WorkspaceGraphOptions {
  readonly reader: Pick<BlockReader, "load" | "tryBlocksInSlices">;
  /**
   * The reference sources. The first that supports a language is used for it. Files of other
   * languages have blocks, but no edges.
   */
  readonly sources: readonly ReferenceSource[];
  /**
   * Lets timers, signals and I/O run, as `setImmediate` does. Needed because resolved promises
   * alone don't.
   */
  readonly yieldThread: () => Promise<void>;
}

/** The progress of building or updating a graph. */
export interface GraphProgress {
  /** The number of files whose names are resolved, of `files` in total. */
  readonly resolved: number;
  readonly files: number;
}

/** Options of {@link WorkspaceGraph.build}. */
export interface BuildOptions {
  readonly onProgress?: (progress: GraphProgress) => void;
  readonly signal?: AbortSignal | undefined;
}

/** The result of an update. */
export interface GraphUpdate {
  /** The files whose names were resolved again, including those that changed. */
  readonly resolved: readonly string[];
  /**
   * The blocks whose visible part changed, and those whose meaning follows theirs; also blocks that
   * were added or removed.
   */
  readonly changed: readonly BlockId[];
}

/**
 * The dependency graph of a whole workspace, updated incrementally.
 *
 * After an edit, the file itself is read and its names are resolved. Which other files are resolved
 * again follows CodePlan's Table 1, third column ("Dependency Graph Changes"), file by file:
 *
 * | edit | paper | here |
 * | --- | --- | --- |
 * | body of a method or function | its calls and uses | the file alone; if its inferred type changed, as a signature |
 * | signature; field; class header; type | all that refer to it | each file with an edge to the block or to one whose meaning follows |
 * | added or deleted block | edges of the block, and to it | as a signature; members also change their class |
 * | import | users of what it names | the file alone, and as a signature where the import is visible to others |
 * | export; added or removed names | (none) | files that import the name, through re-exports |
 * | added or removed file | (none) | files with a module specifier that may resolve to it |
 * | globals, `declare module`, configuration | (none) | everything |
 *
 * A block's meaning follows another's if its signature names it, or if its type is inferred and it
 * names it anywhere. A signature is compared by its text, so two types that print alike aren't
 * confused. An inferred type that prints as before counts as unchanged, unless it consists of
 * members, which may be declared elsewhere now. Law: after any updates, the graph equals one that
 * is built from the same texts. Source: Bairi et al. 2024, section 2.2 and Table 1.
 */
export class WorkspaceGraph {
  readonly graph = new DependencyGraph();
  readonly #options: WorkspaceGraphOptions;
  readonly #files = new Map<string, FileState>();
  /** For each file: the files that import it. */
  readonly #importers = new Map<string, Set<string>>();
  /** Files whose names have to be resolved. Kept when an update is aborted. */
  readonly #queued = new Set<string>();
  /** The texts that are not in the graph yet. Kept when an update is aborted. */
  readonly #pending = new Map<string, string | undefined>();
  /** Whether a source has to resolve all names again. Kept when an update is aborted. */
  #isOutdated = false;
  #turns = new SerialQueue();

  constructor(options: WorkspaceGraphOptions) {
    this.#options = options;
  }

  /**
   * Reads files and resolves all their names; files without a text are left out. The sources must
   * know the files. Rejects with the signal's reason on abort; the next update then resolves the
   * names of the files that were read.
   */
  build(
    paths: readonly string[],
    readText: (path: string) => Promise<string | undefined>,
    { onProgress, signal }: BuildOptions = {},
  ): Promise<GraphUpdate> {
    return this.#turns.run(async () => {
      await this.#options.reader.load(paths);
      for (const [index, path] of paths.entries()) {
        if (index % filesRead === 0) await this.#options.yieldThread();
        signal?.throwIfAborted();
        const text = await readText(path);
        if (text !== undefined) this.#put(path, await this.#read(path, text));
      }
      const resolved = await this.#resolveQueued(new Set(), onProgress, signal);
      return { resolved, changed: [] };
    });
  }

  /**
   * Applies new texts of files, and passes them to the sources; `undefined` removes a file. Calls
   * run one after another. Rejects with the signal's reason on abort; the next update then applies
   * these texts too, because the sources may have them already.
   */
  update(changes: ReadonlyMap<string, string | undefined>, { signal }: AbortOptions = {}): Promise<GraphUpdate> {
    return this.#turns.run(async () => {
      const earlier = new Set(this.#pending.keys());
      for (const [path, text] of changes) this.#pending.set(path, text);
      await this.#options.reader.load(this.#pending.keys());
      const edits: FileEdit[] = [];
      for (const [path, text] of this.#pending) {
        signal?.throwIfAborted();
        const after = text === undefined ? undefined : await this.#read(path, text);
        edits.push({ path, before: this.#files.get(path), after });
      }
      const inferred = edits.flatMap((edit) => ({ edit, blocks: blocksWithInferredChange(edit) })).filter(hasBlocks);
      // The sources may have the texts of an aborted update, so its types before are not known.
      const typesBefore = await this.#typesOf(inferred, "before", { without: earlier, signal });
      await this.#updateSources(signal);
      const typesAfter = await this.#typesOf(inferred, "after", { signal });

      const propagation = new ChangePropagation(this.graph, (path) => this.#enqueue(path));
      this.#enqueueAll(edits);
      for (const edit of edits) this.#compare(edit, propagation);
      for (const [index, type] of typesBefore.entries()) {
        if (type.printed !== typesAfter[index]!.printed || type.printed?.includes("{") !== false)
          propagation.add(type.id);
      }
      await this.#options.yieldThread();
      for (const { path, after } of edits) {
        if (after === undefined) this.#drop(path);
        else this.#put(path, after);
      }
      this.#pending.clear();
      const resolved = await this.#resolveQueued(propagation.changed, undefined, signal, propagation);
      return { resolved, changed: [...propagation.changed] };
    });
  }

  /**
   * The files that a change of these may affect, sorted, including themselves: their transitive
   * importers. `undefined` if any file may be affected, because one of these is visible without an
   * import, or is no script.
   */
  reachOf(paths: Iterable<string>): readonly string[] | undefined {
    const reach = new Set<string>();
    const pending = [...paths];
    for (let path = pending.pop(); path !== undefined; path = pending.pop()) {
      if (reach.has(path)) continue;
      reach.add(path);
      const file = this.#files.get(path);
      if (!isScript(path) || (file?.globals.size ?? 0) > 0) return undefined;
      pending.push(...(this.#importers.get(path) ?? []));
      if (file === undefined) pending.push(...this.#importersOfMissing(path));
    }
    return [...reach].sort();
  }

  /** The files with a module specifier that may resolve to a file that doesn't exist yet. */
  *#importersOfMissing(path: string): Generator<string> {
    for (const [importer, { modules }] of this.#files)
      if (modules.some(({ specifier }) => mayResolveTo(specifier, path))) yield importer;
  }

  async #read(path: string, text: string): Promise<FileState> {
    const blocks = (await this.#options.reader.tryBlocksInSlices(path, text)) ?? [];
    const states = new Map<BlockId, BlockState>();
    for (const [index, block] of blocks.entries()) {
      if (index % blocksAtOnce === blocksAtOnce - 1) await this.#options.yieldThread();
      states.set(blockId(block), blockStateOf(block, text));
    }
    const isModule =
      /^[ \t]*(?:import|export)\b/m.test(text) || (isJavaScript(path) && /\b(?:require|exports)\b/.test(text));
    const globals = isScript(path) ? globalBlocks(blocks, text, isModule) : [];
    return { blocks, states, globals: new Set(globals.map(blockId)), modules: [] };
  }

  #put(path: string, state: FileState): void {
    this.#unlink(path);
    this.#files.set(path, state);
    this.graph.setBlocks(path, state.blocks);
    this.#enqueue(path);
  }

  /** Queues a file to be resolved. Files without a source are skipped. */
  #enqueue(path: string): void {
    if (this.#sourceOf(path) !== undefined) this.#queued.add(path);
  }

  #drop(path: string): void {
    this.#unlink(path);
    this.#files.delete(path);
    this.#queued.delete(path);
    this.graph.remove(path);
  }

  #unlink(path: string): void {
    for (const { path: target } of this.#files.get(path)?.modules ?? []) {
      if (target !== undefined) this.#importers.get(target)?.delete(path);
    }
  }

  #sourceOf(path: string): ReferenceSource | undefined {
    const { id } = languageOf(path);
    return this.#options.sources.find(({ languages }) => languages.includes(id));
  }

  /** Passes the pending texts to the sources. */
  async #updateSources(signal: AbortSignal | undefined): Promise<void> {
    for (const source of this.#options.sources) {
      const { revision } = source;
      try {
        await source.update(new Map(this.#pending), { signal });
      } finally {
        this.#isOutdated ||= source.revision !== revision;
      }
    }
  }

  /** Queues all files if an edit changes something that is visible without an import. */
  #enqueueAll(edits: readonly FileEdit[]): void {
    const isAffectingAll = this.#isOutdated || edits.some(changesGlobals);
    this.#isOutdated = false;
    // A source that resolves by name alone may resolve a name to any declaration that has it.
    const byName = new Set(
      edits.flatMap((edit) => {
        const source = this.#sourceOf(edit.path);
        return source !== undefined && source.typesAt === undefined && !hasSameBlocks(edit) ? [source] : [];
      }),
    );
    if (!isAffectingAll && byName.size === 0) return;
    for (const path of this.#files.keys()) {
      const source = this.#sourceOf(path);
      if (source !== undefined && (isAffectingAll || byName.has(source))) this.#queued.add(path);
    }
  }

  async #typesOf(
    inferred: readonly { readonly edit: FileEdit; readonly blocks: readonly BlockId[] }[],
    when: "before" | "after",
    { without, signal }: { readonly without?: ReadonlySet<string>; readonly signal: AbortSignal | undefined },
  ): Promise<{ readonly id: BlockId; readonly printed: string | undefined }[]> {
    const all = inferred.map(async ({ edit, blocks }) => {
      const source = without?.has(edit.path) === true ? undefined : this.#sourceOf(edit.path);
      const starts = blocks.map((id) => edit[when]!.states.get(id)!.block.nameRange?.start ?? -1);
      const printed = await source?.typesAt?.(edit.path, starts, { signal });
      return blocks.map((id, index) => ({ id, printed: printed?.[index] }));
    });
    return (await Promise.all(all)).flat();
  }

  /**
   * Finds the blocks of an edited file whose visible part changed, and the names that were added or
   * removed.
   */
  #compare({ path, before, after }: FileEdit, propagation: ChangePropagation): void {
    for (const [id, one] of before?.states ?? []) {
      const now = after?.states.get(id);
      if (
        now === undefined ||
        now.signatureHash !== one.signatureHash ||
        (hasOpenBody(one, now) && now.textHash !== one.textHash)
      ) {
        propagation.add(id);
        if (one.addsMember) propagation.addTargets(id);
      }
    }
    for (const [id, one] of after?.states ?? []) {
      const was = before?.states.get(id);
      if (was === undefined) propagation.addNew(one.block, path);
      if (one.addsMember && was?.textHash !== one.textHash) propagation.deferTargets(id);
    }
    if (before === undefined || after === undefined) {
      for (const [importer, { modules }] of this.#files) {
        for (const module of modules)
          if (mayResolveTo(module.specifier, path)) this.#markImport(importer, module, anyName, propagation);
      }
    }
    const changed = changedNames(exportedNames(before?.blocks ?? []), exportedNames(after?.blocks ?? []));
    // What an export re-exports under the same name may have changed.
    const reexported = exportedNames([...changedExports(before, after), ...changedExports(after, before)]);
    const names = new Set([...changed, ...(reexported.size > 0 ? [...changedNames(reexported, new Set())] : [])]);
    if (names.size > 0) this.#propagateNames(path, names, propagation);
  }

  /** Queues the files that import one of these names from a file, and follows re-exports. */
  #propagateNames(path: string, names: ChangedNames, propagation: ChangePropagation): void {
    if (!propagation.isFirstVisit(path, names)) return;
    for (const importer of this.#importers.get(path) ?? []) {
      for (const module of this.#files.get(importer)?.modules ?? []) {
        if (module.path === path) this.#markImport(importer, module, names, propagation);
      }
    }
  }

  #markImport(importer: string, module: ModuleSpecifier, names: ChangedNames, propagation: ChangePropagation): void {
    const block = this.graph.blockAt(importer, module.start);
    if (block === undefined) return;
    const isExport = block.kind === "export";
    // For a re-export from a module only the exported names are known, not the original ones.
    if (block.kind === "import" && (block.parts?.length ?? 0) > 0 && !importsAnyOf(block, names)) return;
    propagation.add(blockId(block));
    this.#enqueue(importer);
    const exports = isExport ? [block] : this.graph.blocksOf(importer).filter(({ kind }) => kind === "export");
    const passed = new Set(exports.flatMap(({ parts = [] }) => parts.map(({ name }) => name)));
    if (passed.delete("*")) for (const name of names) passed.add(name);
    if (exports.some(({ simpleName }) => simpleName === "default")) passed.add("default");
    if (passed.size > 0) this.#propagateNames(importer, passed, propagation);
  }

  /**
   * Resolves all queued files, and those that are queued meanwhile, until the queue is empty. Each
   * file is resolved at most once, so the loop ends.
   */
  async #resolveQueued(
    changed: ReadonlySet<BlockId>,
    onProgress: BuildOptions["onProgress"],
    signal: AbortSignal | undefined,
    propagation?: ChangePropagation,
  ): Promise<string[]> {
    const resolved = new Set<string>();
    const started = new Set<string>();
    for (;;) {
      const paths = [...this.#queued].filter((path) => this.#files.has(path) && !started.has(path));
      if (paths.length === 0) break;
      for (const path of paths) started.add(path);
      const files = resolved.size + paths.length;
      for (const [source, own] of this.#bySource(paths)) {
        for (let at = 0; at < own.length; at += filesAtOnce) {
          await this.#options.yieldThread();
          signal?.throwIfAborted();
          const some = own.slice(at, at + filesAtOnce);
          for (const references of await source.referencesOf(some, { signal })) {
            this.#setReferences(references);
            resolved.add(references.path);
          }
          onProgress?.({ resolved: resolved.size, files });
        }
      }
      if (changed.size > 0) for (const path of paths) propagation?.follow(path);
      else propagation?.settle();
    }
    this.#queued.clear();
    return [...resolved];
  }

  #bySource(paths: readonly string[]): Map<ReferenceSource, string[]> {
    const groups = new Map<ReferenceSource, string[]>();
    for (const path of paths) {
      const source = this.#sourceOf(path);
      if (source !== undefined) addToGroup(groups, source, path);
    }
    return groups;
  }

  #setReferences(references: FileReferences): void {
    const { path, modules = [] } = references;
    this.#unlink(path);
    this.#files.set(path, { ...this.#files.get(path)!, modules });
    for (const { path: target } of modules) {
      if (target !== undefined) getOrInsert(this.#importers, target, () => new Set()).add(path);
    }
    this.graph.setReferences(references);
  }
}

/**
 * Number of files that are resolved or read before timers and signals run and the signal is
 * checked.
 */
const filesAtOnce = 64;
const filesRead = 8;

/** Number of blocks of one file that are read before timers and signals run. */
const blocksAtOnce = 4_096;

/** The changed blocks of one update, and all blocks whose meaning follows theirs. */
class ChangePropagation {
  readonly changed = new Set<BlockId>();
  readonly #graph: DependencyGraph;
  readonly #enqueue: (path: string) => void;
  readonly #visited = new Set<string>();
  readonly #deferred: BlockId[] = [];

  constructor(graph: DependencyGraph, enqueue: (path: string) => void) {
    this.#graph = graph;
    this.#enqueue = enqueue;
  }

  /** Whether these names of a file are passed on for the first time. */
  isFirstVisit(path: string, names: ChangedNames): boolean {
    const key = `${path} ${[...names].sort().join(" ")}`;
    return !this.#visited.has(key) && this.#visited.add(key) !== undefined;
  }

  /** Marks a block as changed, and the blocks that follow it. */
  add(id: BlockId): void {
    const pending = [id];
    for (let at = pending.pop(); at !== undefined; at = pending.pop()) {
      if (this.changed.has(at)) continue;
      this.changed.add(at);
      for (const edge of this.#graph.dependentsOf(at)) {
        if (edge.relation === "child-of" || edge.relation === "constructs") continue;
        this.#enqueue(pathOfBlockId(edge.from));
        const from = this.#graph.tryBlock(edge.from);
        if (from !== undefined && from.kind !== "import" && isVisibleUse(from, edge.isInSignature))
          pending.push(edge.from);
      }
      const block = this.#graph.tryBlock(at);
      if (block !== undefined) pending.push(...this.#ownersOf(block, block.path));
    }
  }

  /** Marks a new block, and its owner as changed. */
  addNew(block: CodeBlock, path: string): void {
    for (const owner of this.#ownersOf(block, path)) this.add(owner);
    this.changed.add(blockId(block));
  }

  /** Marks the blocks in the same file that a block refers to. */
  addTargets(id: BlockId): void {
    for (const { to } of this.#graph.dependenciesOf(id)) if (pathOfBlockId(to) === pathOfBlockId(id)) this.add(to);
  }

  /** Like {@link addTargets}, deferred until the block's references are resolved. */
  deferTargets(id: BlockId): void {
    this.#deferred.push(id);
  }

  /** Marks blocks of a resolved file that follow a changed block through a new edge. */
  follow(path: string): void {
    this.settle();
    for (const block of this.#graph.blocksOf(path)) {
      const id = blockId(block);
      if (this.changed.has(id) || block.kind === "import") continue;
      const follows = this.#graph
        .dependenciesOf(id)
        .some(
          ({ relation, to, isInSignature }) =>
            relation !== "child-of" &&
            relation !== "constructs" &&
            this.changed.has(to) &&
            isVisibleUse(block, isInSignature),
        );
      if (follows) this.add(id);
    }
  }

  settle(): void {
    for (const id of this.#deferred.splice(0)) this.addTargets(id);
  }

  #ownersOf({ owner }: CodeBlock, path: string): BlockId[] {
    if (owner === undefined) return [];
    return this.#graph.blocksOf(path).flatMap((one) => (one.name === owner ? [blockId(one)] : []));
  }
}

/**
 * Whether a reference of a block is visible to others: it is in the signature, or the block's type
 * is inferred.
 */
function isVisibleUse({ path, infersType }: CodeBlock, isInSignature: boolean): boolean {
  return isInSignature || infersType === true || isJavaScript(path);
}

function hasBlocks({ blocks }: { readonly blocks: readonly BlockId[] }): boolean {
  return blocks.length > 0;
}
