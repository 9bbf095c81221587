import { setImmediate } from "node:timers/promises";
import type { AbortOptions } from "../../async/index.ts";
import { type LanguageTraits, languageById } from "../../languages/index.ts";
import { configuresScripts, isScript, type ScriptTree } from "../../names/index.ts";
import { parseScriptTree } from "../../names/node/index.ts";
import { languageOf, type Syntax } from "../../syntax/index.ts";
import { EmendError } from "../../text/index.ts";
import type { ChangedText, FileSystem, WorkspaceFile } from "../../workspace/index.ts";
import { joinPath, readSources, textsWith } from "../../workspace/index.ts";
import type { AtomicChange } from "../changes/atomic-change.ts";
import { ParseCache } from "../changes/parse-cache.ts";
import type { FileDiagnostic, OverlayTypeChecker } from "../diagnostics/type-checker.ts";
import { BlockReader } from "../graph/block-reader.ts";
import { scriptsInReach } from "../graph/change-reach.ts";
import { changedGraph, type ReadableGraph } from "../graph/changed-graph.ts";
import type { CodeBlock } from "../graph/code-block.ts";
import type { DependencyGraph } from "../graph/dependency-graph.ts";
import { NameReferences } from "../graph/name-references.ts";
import type { ReferenceSource } from "../graph/reference.ts";
import { WorkspaceGraph } from "../graph/workspace-graph.ts";
import { analyseImpact, type ImpactReport } from "../impact/impact-analysis.ts";
import type { ImpactCoverage, LanguageCoverage, TypesCoverage } from "../impact/impact-coverage.ts";
import type { ImpactGraphs } from "../impact/may-impact.ts";
import { ExportIndex } from "../repair/export-index.ts";
import { joinTypeCheckers, PythonTypes, type PythonTypesOptions, pyrightIn } from "./pyright-types.ts";
import { RestartingTypeScript } from "./restarting-typescript.ts";
import { printLeftOut } from "./typescript-culprits.ts";
import { filesOfDisk, filesWithTexts, readConfigText, textsWithMark } from "./typescript-files.ts";
import type { TypeScriptSource, TypeScriptSourceOptions } from "./typescript-source.ts";
import { resourceOf } from "./watch-checker.ts";
import type { PresentTexts } from "./workspace-types.ts";

/** The options of {@link WorkspaceAnalysis.open}. */
export interface WorkspaceAnalysisOptions {
  /** The absolute path of the workspace, links resolved. */
  readonly root: string;
  /** The files of a walk of the workspace. */
  readonly files: ReadonlyMap<string, Pick<WorkspaceFile, "language">>;
  /**
   * The files that changes are about. Files in languages that refer to theirs are read when the
   * workspace is opened.
   */
  readonly about: readonly string[];
  /**
   * The only change that the workspace is analysed for. Where the workspace has more scripts than
   * `maxWholeScripts` (default: 5,000), only those are analysed that the change may reach by
   * imports; see {@link scriptsInReach}.
   */
  readonly onlyChange?: ReadonlyMap<string, ChangedText>;
  readonly maxWholeScripts?: number;
  /** Whether data formats, such as JSON, have blocks; default: `false`. */
  readonly hasDataBlocks?: boolean;
  /** The texts of the files, where they are in memory: then the disk is not read. */
  readonly texts?: Pick<PresentTexts, "textOf">;
  /** Texts laid over the disk; `undefined` hides a file. */
  readonly overlay?: ReadonlyMap<string, string | undefined>;
  readonly fileSystem: FileSystem;
  /** Owned by the caller, who disposes of it. */
  readonly syntax: Pick<Syntax, "load" | "tryParse" | "tryParseInSlices">;
  /** Called with the progress of opening. */
  readonly onProgress?: (progress: AnalysisProgress) => void;
  /** Texts longer than this, in UTF-16 units, have no blocks. Default: no limit. */
  readonly maxCharacters?: number;
  /** Opens the type checker; `null` for none. Default: TypeScript from Emend's own packages. */
  readonly openTypes?: ((options: TypeScriptSourceOptions) => Promise<TypeScriptSource>) | null;
  /** The memory limit of a type checker's process, in megabytes; default: 2,048. */
  readonly maxTypesMemoryMb?: number | undefined;
  /** Starts pyright; `null` for none. Default: the installed pyright. */
  readonly openPython?: PythonTypesOptions["open"] | null;
  /** Aborts the opening. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * The progress of an analysis: files read, the type checker's start, files whose references are
 * known, the analysis of a change.
 */
export interface AnalysisProgress {
  readonly phase: "reading" | "types" | "references" | "impact";
  readonly done: number;
  /** The total; 0 when it is unknown. */
  readonly of: number;
}

/** A workspace as a change would leave it. Nothing is changed, neither here nor on the disk. */
export interface ChangedAnalysis {
  /** The dependency graph before the change, and after {@link impact} also the one after it. */
  readonly graphs: ImpactGraphs;
  /**
   * What the change may affect, within `maxHops` (default: 3) steps of the graph. `earlier` are the
   * changes that it follows. Rejects with the signal's reason on abort.
   */
  impact(options?: {
    readonly maxHops?: number;
    readonly earlier?: readonly AtomicChange[] | undefined;
    readonly onProgress?: (progress: AnalysisProgress) => void;
    readonly signal?: AbortSignal | undefined;
  }): Promise<ImpactReport>;
}

/** What repairs of a workspace are checked with. */
export interface RepairChecks {
  /** The type checker, with the current texts. */
  readonly checker: OverlayTypeChecker;
  /** The diagnostics when the workspace was opened. */
  readonly before: readonly FileDiagnostic[];
  /** The text of a file when the workspace was opened. */
  readonly textBefore: (path: string) => string | undefined;
  readonly blocksOf: (path: string, text: string) => readonly CodeBlock[];
  readonly treeOf: (path: string, text: string) => ScriptTree | undefined;
  /** The exports of the current texts. */
  readonly exports: ExportIndex;
}

interface KnownBlocks {
  readonly text: string;
  readonly blocks: readonly CodeBlock[];
}

/**
 * The texts, dependencies and types of a workspace, with any change laid over them.
 *
 * Only files of the languages that changes are about are read. Without a type checker, or when it
 * fails, the analysis uses the graph only; {@link coverage} reports that. The caller disposes of
 * it.
 */
export class WorkspaceAnalysis implements AsyncDisposable {
  readonly #options: WorkspaceAnalysisOptions;
  readonly #reader: BlockReader;
  readonly #texts = new Map<string, string>();
  /** The texts at the start of files that changed; `undefined` where there was no file. */
  readonly #textsBefore = new Map<string, string | undefined>();
  /**
   * By path, the blocks of the last three texts, the latest first: one before a change, one after
   * it, and one with a repair that is tried.
   */
  readonly #blocks = new Map<string, readonly KnownBlocks[]>();
  /** The texts that were read last, with the trees that repairs need. */
  readonly #parsed: ParseCache;
  readonly #precision = new Map<string, LanguageCoverage["precision"]>();
  /** Made when repairs are checked first. */
  #exports: ExportIndex | undefined;
  /** A type checker that failed is removed. */
  readonly #sources: ReferenceSource[] = [];
  /** The same sources, observed, as the graph has them. */
  readonly #graphSources: ReferenceSource[] = [];
  #workspace: WorkspaceGraph;
  #names: NameReferences | undefined;
  #checker: RestartingTypeScript | undefined;
  #types: TypesCoverage = { kind: "not-needed" };
  #python: PythonTypes | undefined;
  #errorsBefore: readonly FileDiagnostic[] = [];
  /** The current diagnostics, outdated for the files in `#stale`. */
  #errors: readonly FileDiagnostic[] = [];
  /** The files whose diagnostics have to be requested again. */
  #stale: ReadonlySet<string> | "all" = new Set();
  #unresolved = 0;
  /** The scripts that are analysed; `undefined` for all. */
  #reach: ReadonlySet<string> | undefined;

  private constructor(options: WorkspaceAnalysisOptions) {
    this.#options = options;
    const { syntax, maxCharacters = Number.POSITIVE_INFINITY } = options;
    this.#reader = new BlockReader({
      ...{ parseScript: parseScriptTree, syntax, maxCharacters, yieldThread },
      onTree: async (path, parsed) => this.#names?.prepare(path, parsed),
    });
    this.#parsed = new ParseCache(this.#reader, { leastTexts: 3, maxCharacters: 100_000 });
    this.#workspace = this.#newGraph();
  }

  /**
   * Reads the files, starts the type checker and builds the graph. Rejects with the signal's reason
   * on abort; failures of files and tools are reported by {@link coverage} instead.
   */
  static async open(options: WorkspaceAnalysisOptions): Promise<WorkspaceAnalysis> {
    const analysis = new WorkspaceAnalysis(options);
    try {
      await analysis.#open();
      return analysis;
    } catch (error) {
      await analysis[Symbol.asyncDispose]();
      throw error;
    }
  }

  /** The dependency graph of the current texts. */
  get graph(): DependencyGraph {
    return this.#workspace.graph;
  }

  /** What was analysed. */
  get coverage(): Omit<ImpactCoverage, "skippedChanges" | "skipped"> {
    const { files, about } = this.#options;
    const counts = new Map<string, number>();
    for (const path of new Set([...files.keys(), ...about]))
      counts.set(this.#languageOf(path), (counts.get(this.#languageOf(path)) ?? 0) + 1);
    const { blocks, edges } = this.graph.size;
    return {
      languages: [...counts]
        .map(([language, count]) => {
          return { language, files: count, precision: this.#precision.get(language) ?? ("unchanged" as const) };
        })
        .sort((a, b) => Number(a.precision === "unchanged") - Number(b.precision === "unchanged") || b.files - a.files),
      ...{ blocks, edges, types: this.#typesCoverage, unresolvedNames: this.#unresolved },
      ...(this.#reach && { scriptsInReach: this.#reach.size }),
      ...(this.#python && this.#hasPython && { python: this.#python.coverage }),
    };
  }

  get #typesCoverage(): TypesCoverage {
    const leftOut = Array.from(this.#checker?.leftOut ?? [], ([path, excess]) => ({
      path,
      reason: resourceOf(excess),
    }));
    return this.#types.kind === "checked" && leftOut.length > 0 ? { ...this.#types, leftOut } : this.#types;
  }

  /**
   * The files that the type checker leaves out because its process exceeded a limit, for people;
   * `undefined` when there are none.
   */
  get leftOut(): string | undefined {
    const leftOut = this.#checker?.leftOut;
    return leftOut === undefined || leftOut.size === 0 ? undefined : printLeftOut(leftOut);
  }

  /** What repairs are checked with; `undefined` without a type checker. */
  get checks(): RepairChecks | undefined {
    if (this.#checker === undefined) return undefined;
    if (this.#exports === undefined) {
      this.#exports = new ExportIndex();
      for (const [path, text] of this.#texts) this.#exports.update(path, this.blocksOf(path, text));
    }
    return {
      ...{ checker: this.#checker, before: this.#errorsBefore, exports: this.#exports },
      textBefore: textsWith(this.#textsBefore, (path) => this.#texts.get(path)),
      blocksOf: (path, text) => this.blocksOf(path, text),
      treeOf: (path, text) => this.#parsed.treeOf(path, text),
    };
  }

  /** The current text of a file; `undefined` when it was not read. */
  textOf(path: string): string | undefined {
    return this.#texts.get(path);
  }

  /**
   * The blocks of a text, in its order; empty for languages without a grammar. The last three
   * results of each path are cached.
   */
  blocksOf(path: string, text: string): readonly CodeBlock[] {
    const known = this.#tryKnownBlocks(path, text);
    if (known !== undefined) return known;
    // A text that is read here is mostly one with a repair that is tried, whose tree is needed too.
    this.#parsed.treeOf(path, text);
    return this.#keepBlocks(path, text, this.#hasBlocks(path) ? this.#parsed.blocksOf(path, text) : []);
  }

  /** As {@link blocksOf}, in slices: afterwards that has the blocks in its cache. */
  async #blocksInSlices(path: string, text: string): Promise<readonly CodeBlock[]> {
    return (
      this.#tryKnownBlocks(path, text) ??
      this.#keepBlocks(path, text, this.#hasBlocks(path) ? await this.#parsed.blocksInSlices(path, text) : [])
    );
  }

  /** Reads the blocks of changed files before and after in slices. */
  async #readBlocks(changed: ReadonlyMap<string, ChangedText>, signal: AbortSignal | undefined): Promise<void> {
    for (const [path, { before, after }] of changed) {
      for (const text of [before, after]) if (text !== undefined) await this.#blocksInSlices(path, text);
      signal?.throwIfAborted();
    }
  }

  /**
   * The workspace with these changes of the current texts laid over. A type checker that fails is
   * dropped, which {@link coverage} reports.
   */
  at(changed: ReadonlyMap<string, ChangedText>): ChangedAnalysis {
    let after: ReadableGraph | undefined;
    const graphs = () => ({ before: this.graph, ...(after && { after }) });
    return {
      get graphs() {
        return graphs();
      },
      impact: async ({ maxHops, earlier, onProgress, signal } = {}) => {
        await this.#readBlocks(changed, signal);
        await this.#withTypesOrWithout(() => this.#refreshErrors(signal), signal);
        const build = () => this.#graphAfter(changed, signal);
        after = await this.#withTypesOrWithout(build, signal);
        const request = {
          ...{ changed, graphs: graphs(), earlier, yieldThread },
          textOf: (path: string) => this.#texts.get(path),
          reachOf: (paths: readonly string[]) => this.#workspace.reachOf(paths),
          blocksOf: (path: string, text: string) => this.blocksOf(path, text),
          treeOf: (path: string, text: string) => this.#parsed.treeOf(path, text),
          ...(maxHops !== undefined && { maxHops }),
          signal,
        };
        if (this.#hasPython) onProgress?.({ phase: "types", done: 0, of: 0 });
        const python = await this.#python?.checkerFor({ ...request, graph: this.graph });
        onProgress?.({ phase: "impact", done: 0, of: 0 });
        return this.#withTypesOrWithout(() => {
          const scripts = this.#checker && { checker: this.#checker, before: this.#errors };
          const joined = joinTypeCheckers([scripts, python].filter((one) => one !== undefined));
          // Only for scripts does the absence of diagnostics count: pyright reports few for code
          // without type annotations.
          return analyseImpact({ ...request, ...(joined && { checker: { ...joined, checks: isScript } }) });
        }, signal);
      },
    };
  }

  /**
   * Applies a change to the texts, the graph and the exports. Rejects with the signal's reason on
   * abort.
   */
  async update(changed: ReadonlyMap<string, ChangedText>, { signal }: AbortOptions = {}): Promise<void> {
    const texts = new Map<string, string | undefined>();
    for (const [path, { before, after }] of changed) {
      if (!this.#textsBefore.has(path)) this.#textsBefore.set(path, before);
      if (after === undefined) {
        this.#texts.delete(path);
        this.#blocks.delete(path);
        this.#exports?.remove(path);
      } else this.#texts.set(path, after);
      texts.set(path, after);
    }
    // Outdate the files that imported the changed ones before, and those that do now.
    this.#outdate(this.#workspace.reachOf(changed.keys()));
    await this.#updateGraph(texts, signal);
    this.#outdate(this.#workspace.reachOf(changed.keys()));
    for (const [path, text] of texts)
      if (text !== undefined) this.#exports?.update(path, await this.#blocksInSlices(path, text));
  }

  /**
   * Reads files that are not in the graph yet; those that cannot be read are skipped. Rejects with
   * the signal's reason on abort.
   */
  async load(paths: readonly string[], { signal }: AbortOptions = {}): Promise<void> {
    const { root, fileSystem } = this.#options;
    const texts = new Map<string, string>();
    const unread = paths.filter((path) => !this.#texts.has(path));
    for await (const answer of readSources(root, unread, { fileSystem, signal }))
      if (answer.kind === "source") texts.set(answer.path, answer.text);
    if (texts.size === 0) return;
    for (const [path, text] of texts) this.#texts.set(path, text);
    await this.#updateGraph(texts, signal);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const checker = this.#checker;
    this.#checker = undefined;
    await this.#python?.[Symbol.asyncDispose]();
    await checker?.[Symbol.asyncDispose]();
  }

  #graphAfter(changed: ReadonlyMap<string, ChangedText>, signal: AbortSignal | undefined): Promise<ReadableGraph> {
    return changedGraph({
      ...{ graph: this.graph, changed, sources: this.#sources, signal, yieldThread },
      textOf: (path) => this.#texts.get(path),
      blocksOf: (path, text) => this.blocksOf(path, text),
    });
  }

  async #updateGraph(texts: ReadonlyMap<string, string | undefined>, signal: AbortSignal | undefined): Promise<void> {
    await this.#withTypesOrWithout(() => this.#workspace.update(texts, { signal }), signal);
  }

  /**
   * Runs `work`, and again without the type checker when that fails. What it found before stays in
   * the graph.
   */
  async #withTypesOrWithout<T>(work: () => Promise<T>, signal: AbortSignal | undefined): Promise<T> {
    const checker = this.#checker;
    try {
      return await work();
    } catch (error) {
      if (checker === undefined) throw error;
      this.#dropTypes(checker, error, signal);
      return work();
    }
  }

  /**
   * Continues without types after a failure of the checker. Throws the signal's reason, and any
   * error that is no {@link EmendError}.
   */
  #dropTypes(checker: RestartingTypeScript | undefined, error: unknown, signal: AbortSignal | undefined): void {
    signal?.throwIfAborted();
    if (!(error instanceof EmendError)) throw error;
    this.#types = { kind: "failed", message: error.message };
    this.#checker = undefined;
    const at = checker === undefined ? -1 : this.#sources.indexOf(checker);
    if (at >= 0) for (const sources of [this.#sources, this.#graphSources]) sources.splice(at, 1);
    checker?.[Symbol.asyncDispose]().catch(() => undefined);
  }

  #outdate(paths: readonly string[] | undefined): void {
    this.#stale = paths === undefined || this.#stale === "all" ? "all" : new Set([...this.#stale, ...paths]);
  }

  async #refreshErrors(signal: AbortSignal | undefined): Promise<void> {
    const stale = this.#stale;
    if (this.#checker === undefined || (stale !== "all" && stale.size === 0)) return;
    const wanted = stale === "all" ? this.#reach : stale;
    const found = await this.#checker.errorsOf(wanted && [...wanted], { signal });
    this.#errors = stale === "all" ? found : [...this.#errors.filter(({ path }) => !stale.has(path)), ...found];
    this.#stale = new Set();
  }

  #hasBlocks(path: string): boolean {
    return this.#options.hasDataBlocks === true || this.#traitsOf(path)?.isData !== true;
  }

  #tryKnownBlocks(path: string, text: string): readonly CodeBlock[] | undefined {
    return this.#blocks.get(path)?.find((known) => known.text === text)?.blocks;
  }

  #keepBlocks(path: string, text: string, blocks: readonly CodeBlock[]): readonly CodeBlock[] {
    this.#blocks.set(path, [{ text, blocks }, ...(this.#blocks.get(path)?.slice(0, 2) ?? [])]);
    return blocks;
  }

  #newGraph(): WorkspaceGraph {
    return new WorkspaceGraph({
      reader: {
        load: (paths) => this.#reader.load(paths),
        tryBlocksInSlices: async (path, text) => [...(await this.#blocksInSlices(path, text))],
      },
      sources: this.#graphSources,
      yieldThread,
    });
  }

  /** A source whose results count for {@link coverage}. */
  #observed(source: ReferenceSource): ReferenceSource {
    const typesAt = source.typesAt?.bind(source);
    return {
      languages: source.languages,
      get revision() {
        return source.revision ?? 0;
      },
      update: (texts, options) => source.update(texts, options),
      referencesOf: async (paths, options) => {
        const found = await source.referencesOf(paths, options);
        for (const { path, precision, unresolved } of found) {
          this.#notePrecision(path, precision);
          this.#unresolved += unresolved;
        }
        return found;
      },
      ...(typesAt && { typesAt }),
      [Symbol.asyncDispose]: async () => undefined,
    };
  }

  async #open(): Promise<void> {
    const { about, files, overlay = new Map<string, string | undefined>(), syntax, signal } = this.#options;
    const families = new Set(about.map((path) => this.#familyOf(path)));
    const paths = new Set(files.keys());
    for (const [path, text] of overlay) {
      if (text === undefined) paths.delete(path);
      else paths.add(path);
    }
    const wanted = [...paths].filter((path) => families.has(this.#familyOf(path)));
    await this.#reader.load([...wanted, ...about]);
    await this.#read(wanted);
    signal?.throwIfAborted();

    const present = wanted.filter((path) => this.#texts.has(path));
    const scripts = present.filter(isScript);
    const configs = [...paths].filter(configuresScripts);
    this.#reach = await this.#scriptsInReach(scripts, configs);
    const readable = present.filter((path) => !isScript(path) || this.#reach?.has(path) !== false);
    if (families.has(scriptFamily) && this.#options.openTypes !== null) await this.#openTypes([...scripts, ...configs]);
    const readText = async (path: string) => this.#texts.get(path);
    const names = new NameReferences({ syntax, paths: readable, readText, yieldThread });
    this.#names = names;
    this.#sources.push(...(this.#checker ? [this.#checker] : []), this.#openPython(names).source);
    this.#graphSources.push(...this.#sources.map((source) => this.#observed(source)));
    await this.#withTypesOrWithout(() => this.#buildGraph(readable), signal);
    for (const path of readable) this.#notePrecision(path, this.graph.blocksOf(path).length > 0 ? "blocks" : "none");
    for (const path of about) this.#notePrecision(path, "none");
  }

  async #scriptsInReach(
    scripts: readonly string[],
    configs: readonly string[],
  ): Promise<ReadonlySet<string> | undefined> {
    const { onlyChange, maxWholeScripts = 5_000 } = this.#options;
    if (onlyChange === undefined || scripts.length <= maxWholeScripts) return undefined;
    const texts = new Map<string, string>();
    for (const path of configs) {
      const text = await this.#textForConfig(path);
      if (text !== undefined) texts.set(path, text);
    }
    return scriptsInReach({
      ...{ changed: onlyChange, configs: texts, yieldThread },
      scripts: new Map(scripts.map((path) => [path, this.#texts.get(path)!])),
    });
  }

  async #buildGraph(paths: readonly string[]): Promise<void> {
    const { onProgress, signal } = this.#options;
    this.#workspace = this.#newGraph();
    this.#unresolved = 0;
    await this.#workspace.build(paths, async (path) => this.#texts.get(path), {
      onProgress: ({ resolved, files }) => onProgress?.({ phase: "references", done: resolved, of: files }),
      signal,
    });
  }

  async #read(paths: readonly string[]): Promise<void> {
    const { root, fileSystem, signal, texts, overlay, onProgress } = this.#options;
    const onDisk: string[] = [];
    for (const path of paths) {
      const text = overlay?.get(path) ?? texts?.textOf(path);
      if (text !== undefined) this.#texts.set(path, text);
      else if (texts === undefined) onDisk.push(path);
    }
    let done = 0;
    for await (const answer of readSources(root, onDisk, { fileSystem, signal })) {
      if (answer.kind === "source") this.#texts.set(answer.path, answer.text);
      done += 1;
      onProgress?.({ phase: "reading", done, of: onDisk.length });
    }
  }

  async #openTypes(paths: readonly string[]): Promise<void> {
    const { root, overlay = [], maxTypesMemoryMb, onProgress, signal } = this.#options;
    onProgress?.({ phase: "types", done: 0, of: 0 });
    const texts = new Map<string, string | null>(textsWithMark(root, this.#texts));
    for (const [path, text] of overlay) texts.set(joinPath(root, path), text ?? null);
    try {
      this.#checker = await RestartingTypeScript.open(
        {
          ...{ root, paths, files: filesWithTexts(filesOfDisk, texts) },
          requested: this.#reach && [...this.#reach],
          readText: async (path) => this.#texts.get(path) ?? (await this.#textForConfig(path)),
          ...(maxTypesMemoryMb !== undefined && { limits: { maxMemoryMb: maxTypesMemoryMb } }),
          signal,
        },
        this.#options.openTypes ?? undefined,
      );
      this.#errorsBefore = await this.#checker.errorsOf(this.#reach && [...this.#reach], { signal });
      this.#errors = this.#errorsBefore;
      const { scripts, optionsFrom } = this.#checker;
      this.#types = {
        kind: "checked",
        files: this.#reach?.size ?? [...scripts].length,
        ...(optionsFrom !== undefined && { optionsFrom }),
        errorsBefore: this.#errorsBefore.length,
      };
    } catch (error) {
      this.#dropTypes(this.#checker, error, signal);
    }
  }

  /** Prepares pyright; it starts when a change of Python is analysed, if at all. */
  #openPython(names: NameReferences): PythonTypes {
    const { root, overlay, maxTypesMemoryMb } = this.#options;
    const { openPython = pyrightIn({ root, maxMemoryMb: maxTypesMemoryMb }) } = this.#options;
    this.#python = new PythonTypes({
      ...{ root, names, open: openPython ?? undefined },
      textOf: (path) => this.#texts.get(path),
      blocksOf: (path) => this.graph.blocksOf(path),
      ...(overlay && { overlay }),
    });
    return this.#python;
  }

  get #hasPython(): boolean {
    return [...this.#texts.keys()].some((path) => this.#traitsOf(path)?.server === "pyright");
  }

  /** The text of a configuration file, with the overlay. */
  async #textForConfig(path: string): Promise<string | undefined> {
    const { root, fileSystem, overlay } = this.#options;
    if (overlay?.has(path) === true) return overlay.get(path);
    return readConfigText(joinPath(root, path), fileSystem);
  }

  #languageOf(path: string): string {
    return this.#options.files.get(path)?.language ?? languageOf(path).id;
  }

  #traitsOf(path: string): LanguageTraits | undefined {
    return languageById(this.#languageOf(path))?.traits;
  }

  /**
   * The language of a file, with all script languages as one, because their files refer to each
   * other.
   */
  #familyOf(path: string): string {
    return isScript(path) ? scriptFamily : this.#languageOf(path);
  }

  /** Records the best precision of any file for the language. */
  #notePrecision(path: string, precision: LanguageCoverage["precision"]): void {
    const language = this.#languageOf(path);
    const known = this.#precision.get(language) ?? "unchanged";
    if (precisions.indexOf(precision) < precisions.indexOf(known)) this.#precision.set(language, precision);
  }
}

/**
 * Yields to the event loop, so that an abort takes effect while texts in memory are read and
 * compared.
 */
const yieldThread = () => setImmediate();

const scriptFamily = "scripts";
const precisions: readonly LanguageCoverage["precision"][] = ["types", "names", "blocks", "none", "unchanged"];
