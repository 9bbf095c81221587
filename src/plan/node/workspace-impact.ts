import { setImmediate } from "node:timers/promises";
import {
  analyseImpact,
  BlockReader,
  type CodeBlock,
  changedGraph,
  type Diagnostic,
  ExportIndex,
  type ImpactReport,
  NameReferences,
  type ReferenceSource,
  WorkspaceGraph,
} from "../../analysis/index.ts";
import {
  filesOfDisk,
  filesWithTexts,
  joinTypeCheckers,
  maxCheckedBytes,
  PythonTypes,
  type PythonTypesOptions,
  parseScriptTree,
  printLeftOut,
  pyrightIn,
  RestartingTypeScript,
  textsWithMark,
} from "../../analysis/node/index.ts";
import { isScript } from "../../names/index.ts";
import { languageOf, type Syntax } from "../../syntax/index.ts";
import { EmendError } from "../../text/index.ts";
import { type ChangedText, type FileSystem, joinPath, readSource, readSources } from "../../workspace/index.ts";
import { CheckedMechanicalEdits } from "../mechanical/checked-mechanical-edits.ts";
import type { BlockGraph, ImpactSource, MechanicalEdits, PartOptions } from "../plan-parts.ts";

/** The options of {@link WorkspaceImpact.open}. */
export interface WorkspaceImpactOptions {
  /** The absolute path of the copy that the plan runs in, in its state before the plan. */
  readonly root: string;
  /** The paths of its files, relative to the root. */
  readonly paths: readonly string[];
  /**
   * The paths of the seeds. Files in languages that refer to theirs are read at the start, others
   * when they are needed.
   */
  readonly about: readonly string[];
  readonly fileSystem: FileSystem;
  /** Owned by the caller. */
  readonly syntax: Pick<Syntax, "load" | "tryParse" | "tryParseInSlices">;
  /** The memory limit of a type checker's process, in megabytes; default: 2,048. */
  readonly maxTypesMemoryMb?: number | undefined;
  /** Starts pyright; `null` for none. Default: the installed pyright. */
  readonly openPython?: PythonTypesOptions["open"] | null;
  /** Called with the progress of opening. */
  readonly onProgress?: (progress: WorkspaceImpactProgress) => void;
  /** Whether diagnostics that existed before the plan are repaired too; default: `false`. */
  readonly repairsOldErrors?: boolean;
  readonly signal?: AbortSignal | undefined;
}

/** The progress of opening. `of` is 0 when it is unknown. */
export interface WorkspaceImpactProgress {
  readonly phase: "reading" | "types" | "references";
  readonly done: number;
  readonly of: number;
}

/**
 * The dependencies of a workspace on the disk, updated with each change of a plan.
 *
 * Without a type checker it uses the graph only; {@link withoutTypes} gives the reason. The caller
 * disposes of it.
 */
export class WorkspaceImpact implements ImpactSource, AsyncDisposable {
  readonly #options: WorkspaceImpactOptions;
  readonly #reader: BlockReader;
  readonly #texts = new Map<string, string>();
  /** The texts before the plan of files that changed; `undefined` where there was no file. */
  readonly #textsBefore = new Map<string, string | undefined>();
  readonly #blocks = new Map<string, { readonly text: string; readonly blocks: readonly CodeBlock[] }>();
  readonly #exports = new ExportIndex();
  #workspace: WorkspaceGraph;
  #sources: readonly ReferenceSource[] = [];
  #checker: RestartingTypeScript | undefined;
  #python: PythonTypes | undefined;
  #errorsBefore: readonly Diagnostic[] = [];
  /** The current diagnostics, outdated for the files in `#stale`. */
  #errors: readonly Diagnostic[] = [];
  /** The files whose diagnostics have to be requested again. */
  #stale: ReadonlySet<string> | "all" = new Set();
  #withoutTypes: string | undefined;

  private constructor(options: WorkspaceImpactOptions) {
    this.#options = options;
    this.#reader = new BlockReader({ parseScript: parseScriptTree, syntax: options.syntax });
    this.#workspace = this.#graphOf([]);
  }

  /** Reads the workspace. Rejects with the signal's reason. */
  static async open(options: WorkspaceImpactOptions): Promise<WorkspaceImpact> {
    const impact = new WorkspaceImpact(options);
    try {
      await impact.#open();
      return impact;
    } catch (error) {
      await impact[Symbol.asyncDispose]();
      throw error;
    }
  }

  get graph(): BlockGraph {
    return this.#workspace.graph;
  }

  /** Why there is no type checker; `undefined` when there is one, or when none is needed. */
  get withoutTypes(): string | undefined {
    return this.#withoutTypes;
  }

  /**
   * The files that the type checker leaves out because its process exceeded a limit, for people;
   * `undefined` when there are none.
   */
  get withoutTypesOf(): string | undefined {
    const leftOut = this.#checker?.leftOut;
    return leftOut === undefined || leftOut.size === 0 ? undefined : printLeftOut(leftOut);
  }

  /**
   * The edits that follow from changes without a model, checked by the type checker; `undefined`
   * without one.
   */
  get mechanical(): MechanicalEdits | undefined {
    if (this.#checker === undefined) return undefined;
    return new CheckedMechanicalEdits({
      checker: this.#checker,
      before: this.#options.repairsOldErrors === true ? [] : this.#errorsBefore,
      textBefore: (path) => (this.#textsBefore.has(path) ? this.#textsBefore : this.#texts).get(path),
      blocksOf: (path, text) => this.blocksOf(path, text),
      treeOf: (path, text) => this.#reader.tryScript(path, text),
      exports: this.#exports,
    });
  }

  /** The blocks of a text. The last result of each path is cached. */
  blocksOf(path: string, text: string): readonly CodeBlock[] {
    const known = this.#blocks.get(path);
    if (known?.text === text) return known.blocks;
    const blocks = this.#reader.tryBlocks(path, text) ?? [];
    this.#blocks.set(path, { text, blocks });
    return blocks;
  }

  /**
   * What a change may affect; the change has not been made yet. When the type checker fails for
   * good, the analysis is repeated without it, see {@link withoutTypes}. Rejects with the signal's
   * reason on abort.
   */
  impactOf(changed: ReadonlyMap<string, ChangedText>, options: PartOptions): Promise<ImpactReport> {
    return this.#withTypesOrWithout(() => this.#impactOf(changed, options), options);
  }

  async #impactOf(changed: ReadonlyMap<string, ChangedText>, { signal }: PartOptions): Promise<ImpactReport> {
    const checker = this.#checker;
    if (checker !== undefined) await this.#refreshErrors(checker, signal);
    const blocksOf = (path: string, text: string) => this.blocksOf(path, text);
    const { graph } = this.#workspace;
    const after = await changedGraph({
      ...{ graph, changed, sources: this.#sources, blocksOf, signal, yieldThread },
      textOf: (path) => this.#texts.get(path),
    });
    const python = await this.#python?.checkerFor({ graph, changed, blocksOf, signal });
    const scripts = checker && { checker, before: this.#errors };
    const joined = joinTypeCheckers([scripts, python].filter((one) => one !== undefined));
    return analyseImpact({
      changed,
      graphs: { before: graph, after },
      textOf: (path) => this.#texts.get(path),
      blocksOf,
      treeOf: (path, text) => this.#reader.tryScript(path, text),
      ...(joined && { checker: { ...joined, checks: isScript } }),
      reachOf: (paths) => this.#workspace.reachOf(paths),
      yieldThread,
      ...(signal && { signal }),
    });
  }

  /**
   * Applies a change to the texts, the graph and the exports. Rejects with the signal's reason on
   * abort.
   */
  async update(changed: ReadonlyMap<string, ChangedText>, { signal }: PartOptions): Promise<void> {
    const texts = new Map<string, string | undefined>();
    for (const [path, { before, after }] of changed) {
      if (!this.#textsBefore.has(path)) this.#textsBefore.set(path, before);
      if (after === undefined) {
        this.#texts.delete(path);
        this.#exports.remove(path);
      } else this.#texts.set(path, after);
      texts.set(path, after);
    }
    // Outdate the files that imported the changed ones before, and those that do now.
    this.#outdate(this.#workspace.reachOf(changed.keys()));
    await this.#updateGraph(texts, { signal });
    this.#outdate(this.#workspace.reachOf(changed.keys()));
    for (const [path, text] of texts) if (text !== undefined) this.#exports.update(path, this.blocksOf(path, text));
  }

  /**
   * Reads files that are not in the graph yet; those that cannot be read are skipped. Rejects with
   * the signal's reason on abort.
   */
  async load(paths: readonly string[], { signal }: PartOptions): Promise<void> {
    const { root, fileSystem } = this.#options;
    const texts = new Map<string, string>();
    for (const path of paths) {
      if (this.#texts.has(path)) continue;
      const answer = await readSource(root, path, { fileSystem }).catch(() => undefined);
      if (answer?.kind === "source") texts.set(path, answer.text);
    }
    if (texts.size === 0) return;
    for (const [path, text] of texts) this.#texts.set(path, text);
    await this.#updateGraph(texts, { signal });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const checker = this.#checker;
    this.#checker = undefined;
    await this.#python?.[Symbol.asyncDispose]();
    await checker?.[Symbol.asyncDispose]();
  }

  async #updateGraph(texts: ReadonlyMap<string, string | undefined>, options: PartOptions): Promise<void> {
    const { signal } = options;
    await this.#withTypesOrWithout(
      () => this.#workspace.update(texts, signal === undefined ? {} : { signal }),
      options,
    );
  }

  /** Runs `work`, and again without the type checker when the type checker fails for good. */
  async #withTypesOrWithout<T>(work: () => Promise<T>, { signal }: PartOptions): Promise<T> {
    const checker = this.#checker;
    try {
      return await work();
    } catch (error) {
      signal?.throwIfAborted();
      if (checker === undefined || this.#checker !== checker || !isEndOfTypes(error)) throw error;
      this.#withoutTypes = error.message;
      this.#checker = undefined;
      await checker[Symbol.asyncDispose]();
      this.#sources = this.#sources.filter((source) => source !== checker);
      await this.#buildGraph([...this.#texts.keys()], signal);
      return work();
    }
  }

  #outdate(paths: readonly string[] | undefined): void {
    this.#stale = paths === undefined || this.#stale === "all" ? "all" : new Set([...this.#stale, ...paths]);
  }

  async #refreshErrors(checker: RestartingTypeScript, signal: AbortSignal | undefined): Promise<void> {
    const stale = this.#stale;
    if (stale !== "all" && stale.size === 0) return;
    const found = await checker.errorsOf(
      stale === "all" ? undefined : [...stale],
      signal === undefined ? {} : { signal },
    );
    this.#errors = stale === "all" ? found : [...this.#errors.filter(({ path }) => !stale.has(path)), ...found];
    this.#stale = new Set();
  }

  #graphOf(sources: readonly ReferenceSource[]): WorkspaceGraph {
    return new WorkspaceGraph({ reader: this.#blockReader, sources, yieldThread });
  }

  get #blockReader(): Pick<BlockReader, "load" | "tryBlocksInSlices"> {
    return {
      load: (paths) => this.#reader.load(paths),
      tryBlocksInSlices: async (path, text) => [...this.blocksOf(path, text)],
    };
  }

  async #open(): Promise<void> {
    const { root, paths, about, fileSystem, syntax, onProgress, signal } = this.#options;
    const families = new Set(about.map(familyOf));
    const wanted = paths.filter((path) => families.has(familyOf(path)));
    await this.#reader.load([...wanted, ...about]);
    let done = 0;
    for await (const answer of readSources(root, wanted, { fileSystem, signal })) {
      if (answer.kind === "source") this.#texts.set(answer.path, answer.text);
      done += 1;
      onProgress?.({ phase: "reading", done, of: wanted.length });
    }
    signal?.throwIfAborted();
    const readable = wanted.filter((path) => this.#texts.has(path));
    if (families.has(scripts)) await this.#openTypes(readable.filter(isScript));
    const readText = (path: string) => this.#readText(path);
    const names = new NameReferences({ syntax, paths: readable, readText, yieldThread });
    // The languages of files that are added later are not known yet; they may be Python.
    this.#python = this.#pythonTypes(names);
    const others = this.#python.source;
    this.#sources = this.#checker === undefined ? [others] : [this.#checker, others];
    await this.#withTypesOrWithout(() => this.#buildGraph(readable, signal), { signal });
    for (const path of readable) this.#exports.update(path, this.blocksOf(path, this.#texts.get(path)!));
  }

  async #buildGraph(paths: readonly string[], signal: AbortSignal | undefined): Promise<void> {
    const { onProgress } = this.#options;
    this.#workspace = this.#graphOf(this.#sources);
    await this.#workspace.build(paths, (path) => this.#readText(path), {
      onProgress: ({ resolved, files }) => onProgress?.({ phase: "references", done: resolved, of: files }),
      ...(signal && { signal }),
    });
  }

  async #readText(path: string): Promise<string | undefined> {
    return this.#texts.get(path);
  }

  async #openTypes(readable: readonly string[]): Promise<void> {
    const { root, paths, maxTypesMemoryMb, onProgress, signal } = this.#options;
    onProgress?.({ phase: "types", done: 0, of: 0 });
    const configs = paths.filter((path) => /(^|\/)([tj]sconfig[^/]*|package)\.json$/.test(path));
    const options = signal === undefined ? {} : { signal };
    try {
      this.#checker = await RestartingTypeScript.open({
        root,
        paths: [...readable, ...configs],
        readText: (path) => this.#configText(path),
        files: filesWithTexts(filesOfDisk, textsWithMark(root, this.#texts)),
        ...(maxTypesMemoryMb !== undefined && { limits: { maxMemoryMb: maxTypesMemoryMb } }),
        ...options,
      });
      this.#errorsBefore = await this.#checker.errorsOf(undefined, options);
      this.#errors = this.#errorsBefore;
    } catch (error) {
      signal?.throwIfAborted();
      if (!(error instanceof EmendError)) throw error;
      this.#withoutTypes = error.message;
      await this[Symbol.asyncDispose]();
    }
  }

  /** Prepares pyright; it starts when a change is about Python. */
  #pythonTypes(names: NameReferences): PythonTypes {
    const { root, maxTypesMemoryMb } = this.#options;
    const { openPython = pyrightIn({ root, maxMemoryMb: maxTypesMemoryMb }) } = this.#options;
    return new PythonTypes({
      ...{ root, names, open: openPython ?? undefined },
      textOf: (path) => this.#texts.get(path),
      blocksOf: (path) => this.#workspace.graph.blocksOf(path),
    });
  }

  /** The text of a configuration file on the disk, also of one in a package. */
  async #configText(path: string): Promise<string | undefined> {
    const { root, fileSystem } = this.#options;
    try {
      return new TextDecoder().decode(await fileSystem.readFile(joinPath(root, path), { maxBytes: maxCheckedBytes }));
    } catch {
      // TypeScript tries several paths, most of which do not exist.
      return undefined;
    }
  }
}

/** Whether an error is a failure of the type checker, and not of this project's invariants. */
function isEndOfTypes(error: unknown): error is EmendError {
  return error instanceof EmendError && error.code.startsWith("typescript-");
}

/**
 * Yields to the event loop, so that an abort takes effect while texts in memory are read and
 * compared.
 */
const yieldThread = () => setImmediate();

const scripts = "scripts";

/**
 * The language of a file, with all script languages as one, because their files refer to each
 * other.
 */
function familyOf(path: string): string {
  return isScript(path) ? scripts : languageOf(path).id;
}
