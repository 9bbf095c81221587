import { setImmediate } from "node:timers/promises";
import { isScript } from "../../names/index.ts";
import { languageOf, type Syntax } from "../../syntax/index.ts";
import { EmendError } from "../../text/index.ts";
import type { FileSystem, SkippedPath, WorkspaceFile } from "../../workspace/index.ts";
import { joinPath, printSkipReason, readSources } from "../../workspace/index.ts";
import type { ChangedTexts, ChangeSkipReason } from "../../workspace/node/index.ts";
import type { Diagnostic } from "../diagnostics/diagnostic.ts";
import { BlockReader } from "../graph/block-reader.ts";
import { changedGraph, type ReadableGraph } from "../graph/changed-graph.ts";
import type { CodeBlock } from "../graph/code-block.ts";
import { DependencyGraph } from "../graph/dependency-graph.ts";
import { languageTraits } from "../graph/language-traits.ts";
import { NameReferences } from "../graph/name-references.ts";
import type { FileReferences, ReferenceSource } from "../graph/reference.ts";
import { WorkspaceGraph } from "../graph/workspace-graph.ts";
import { analyseImpact, type ImpactReport } from "../impact/impact-analysis.ts";
import type { ImpactCoverage, LanguageCoverage, TypesCoverage } from "../impact/impact-coverage.ts";
import type { ImpactGraphs } from "../impact/may-impact.ts";
import { parseScriptTree } from "./parse-script-tree.ts";
import {
  joinTypeCheckers,
  type PythonTypeChecker,
  PythonTypes,
  type PythonTypesOptions,
  pyrightIn,
} from "./pyright-types.ts";
import { RestartingTypeScript } from "./restarting-typescript.ts";
import { resourceOf } from "./typescript-culprits.ts";
import { filesOfDisk, filesWithTexts, maxCheckedBytes, textsWithMark } from "./typescript-files.ts";
import type { TypeScriptSource, TypeScriptSourceOptions } from "./typescript-source.ts";

/** The options of {@link ImpactWorkspace.open}. */
export interface ImpactWorkspaceOptions {
  /** The absolute path of the workspace, links resolved. */
  readonly root: string;
  /** The files and skipped paths of a walk of the workspace. */
  readonly files: ReadonlyMap<string, WorkspaceFile>;
  readonly skipped: readonly SkippedPath[];
  /** The change to analyse. The workspace is opened in its state before the change. */
  readonly change: ChangedTexts;
  readonly fileSystem: FileSystem;
  /** Owned by the caller, who disposes of it. */
  readonly syntax: Pick<Syntax, "load" | "tryParse" | "tryParseInSlices">;
  readonly onProgress?: (progress: ImpactProgress) => void;
  /** Opens the type checker. Default: TypeScript from Emend's own packages. */
  readonly openTypes?: (options: TypeScriptSourceOptions) => Promise<TypeScriptSource>;
  /** The memory limit of a type checker's process, in megabytes; default: 2,048. */
  readonly maxTypesMemoryMb?: number | undefined;
  /** Starts pyright; `null` for none. Default: the installed pyright. */
  readonly openPython?: PythonTypesOptions["open"] | null;
  readonly signal?: AbortSignal;
}

/**
 * The progress of an analysis: files read, the type checker's start, files whose references are
 * known, the analysis itself.
 */
export interface ImpactProgress {
  readonly phase: "reading" | "types" | "references" | "impact";
  readonly done: number;
  /** The total; 0 when it is unknown. */
  readonly of: number;
}

/**
 * A workspace in its state before a change, with everything that the impact analysis of the change
 * needs.
 *
 * Only files of the changed languages are read. Without a type checker, or when it fails, the
 * analysis uses names only; {@link coverage} reports that.
 */
export class ImpactWorkspace implements AsyncDisposable {
  readonly #options: ImpactWorkspaceOptions;
  readonly #reader: BlockReader;
  #graph = new DependencyGraph();
  #after: ReadableGraph | undefined;
  #reachOf: (paths: readonly string[]) => readonly string[] | undefined = () => undefined;
  #sources: readonly ReferenceSource[] = [];
  readonly #texts = new Map<string, string>();
  readonly #blocks = new Map<string, { readonly text: string; readonly blocks: readonly CodeBlock[] }>();
  readonly #precision = new Map<string, LanguageCoverage["precision"]>();
  #checker: { readonly source: RestartingTypeScript; readonly before: readonly Diagnostic[] } | undefined;
  #types: TypesCoverage = { kind: "not-needed" };
  #python: PythonTypes | undefined;
  #unresolved = 0;

  private constructor(options: ImpactWorkspaceOptions) {
    this.#options = options;
    this.#reader = new BlockReader({ parseScript: parseScriptTree, syntax: options.syntax });
  }

  /**
   * Opens the workspace in its state before the change: reads the files, starts the type checker
   * and builds the graph. Rejects with the signal's reason on abort; failures of files and tools
   * are reported by {@link coverage} instead.
   */
  static async open(options: ImpactWorkspaceOptions): Promise<ImpactWorkspace> {
    const workspace = new ImpactWorkspace(options);
    try {
      await workspace.#open();
      return workspace;
    } catch (error) {
      await workspace[Symbol.asyncDispose]();
      throw error;
    }
  }

  /**
   * The dependency graph before the change, and after {@link analyse} also the one after the
   * change.
   */
  get graphs(): ImpactGraphs {
    return { before: this.#graph, ...(this.#after && { after: this.#after }) };
  }

  /** What was analysed and what was left out. */
  get coverage(): ImpactCoverage {
    const { files, change } = this.#options;
    const counts = new Map<string, number>();
    const paths = new Set([...files.keys(), ...change.changed.keys()]);
    for (const path of paths) counts.set(this.#languageOf(path), (counts.get(this.#languageOf(path)) ?? 0) + 1);
    const { blocks, edges } = this.#graph.size;
    return {
      languages: [...counts]
        .map(([language, count]) => {
          return { language, files: count, precision: this.#precision.get(language) ?? ("unchanged" as const) };
        })
        .sort((a, b) => Number(a.precision === "unchanged") - Number(b.precision === "unchanged") || b.files - a.files),
      ...{ blocks, edges, types: this.#typesCoverage, unresolvedNames: this.#unresolved },
      ...(this.#python && { python: this.#python.coverage }),
      skippedChanges: change.skipped.map(({ path, reason }) => ({ path, reason: printSkippedChange(reason) })),
      skipped: skippedByReason(this.#options.skipped),
    };
  }

  get #typesCoverage(): TypesCoverage {
    const leftOut = Array.from(this.#checker?.source.leftOut ?? [], ([path, excess]) => ({
      path,
      reason: resourceOf(excess),
    }));
    return this.#types.kind === "checked" && leftOut.length > 0 ? { ...this.#types, leftOut } : this.#types;
  }

  /** The text of a file before the change; `undefined` when the file was not read. */
  textOf(path: string): string | undefined {
    return this.#texts.get(path);
  }

  /**
   * The blocks of a text, in its order; empty for data formats and languages without a grammar. The
   * last result of each path is cached.
   */
  blocksOf(path: string, text: string): readonly CodeBlock[] {
    const known = this.#blocks.get(path);
    if (known?.text === text) return known.blocks;
    const blocks =
      languageTraits(this.#languageOf(path)).isData === true ? [] : (this.#reader.tryBlocks(path, text) ?? []);
    this.#blocks.set(path, { text, blocks });
    return blocks;
  }

  /**
   * Analyses what the change may affect, within `maxHops` (default: 3) steps of the graph. A type
   * checker that fails is dropped, which {@link coverage} reports. Rejects with the signal's reason
   * on abort.
   */
  async analyse({ maxHops }: { readonly maxHops?: number } = {}): Promise<ImpactReport> {
    const { change, signal, onProgress } = this.#options;
    this.#after = await this.#graphAfter();
    const request = {
      changed: change.changed,
      graphs: this.graphs,
      textOf: (path: string) => this.#texts.get(path),
      reachOf: this.#reachOf,
      yieldThread,
      blocksOf: (path: string, text: string) => this.blocksOf(path, text),
      treeOf: (path: string, text: string) => this.#reader.tryScript(path, text),
      ...(maxHops !== undefined && { maxHops }),
      ...(signal && { signal }),
    };
    if (this.#python !== undefined) onProgress?.({ phase: "types", done: 0, of: 0 });
    const python = await this.#python?.checkerFor({ ...request, graph: this.#graph });
    onProgress?.({ phase: "impact", done: 0, of: 0 });
    try {
      return await analyseImpact({ ...request, ...this.#checkers(python) });
    } catch (error) {
      if (this.#checker === undefined) throw error;
      this.#dropTypes(error);
      return analyseImpact({ ...request, ...this.#checkers(python) });
    }
  }

  async #graphAfter(): Promise<ReadableGraph> {
    const { change, signal } = this.#options;
    const build = () =>
      changedGraph({
        ...{ graph: this.#graph, changed: change.changed, sources: this.#sources, signal, yieldThread },
        textOf: (path) => this.#texts.get(path),
        blocksOf: (path, text) => this.blocksOf(path, text),
      });
    try {
      return await build();
    } catch (error) {
      if (this.#checker === undefined) throw error;
      const { source } = this.#checker;
      this.#dropTypes(error);
      this.#sources = this.#sources.filter((one) => one !== source);
      return build();
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const checker = this.#checker;
    this.#checker = undefined;
    await this.#python?.[Symbol.asyncDispose]();
    await checker?.source[Symbol.asyncDispose]();
  }

  /**
   * The type checkers that the analysis uses. Only for scripts does the absence of diagnostics
   * count: pyright reports few for code without type annotations.
   */
  #checkers(python: PythonTypeChecker | undefined) {
    const checker = this.#checker;
    const scripts = checker && { checker: checker.source, before: checker.before };
    const joined = joinTypeCheckers([scripts, python].filter((one) => one !== undefined));
    return joined === undefined ? {} : { checker: { ...joined, checks: isScript } };
  }

  async #open(): Promise<void> {
    const { change, files, signal } = this.#options;
    const languages = new Set(Array.from(change.changed.keys(), (path) => this.#familyOf(path)));
    const paths = new Set(files.keys());
    for (const [path, text] of change.before) {
      if (text === undefined) paths.delete(path);
      else paths.add(path);
    }
    const wanted = [...paths].filter((path) => languages.has(this.#familyOf(path)));
    await this.#reader.load([...wanted, ...change.changed.keys()]);
    await this.#read(wanted);
    signal?.throwIfAborted();

    const readable = wanted.filter((path) => this.#texts.has(path));
    if (languages.has(scriptFamily)) {
      const configs = [...paths].filter((path) => /(^|\/)([tj]sconfig[^/]*|package)\.json$/.test(path));
      await this.#openTypes([...readable.filter(isScript), ...configs]);
    }
    try {
      await this.#buildGraph(readable);
    } catch (error) {
      if (this.#checker === undefined) throw error;
      this.#dropTypes(error);
      await this.#buildGraph(readable);
    }
    for (const path of readable) this.#notePrecision(path, this.#graph.blocksOf(path).length > 0 ? "blocks" : "none");
    for (const path of change.changed.keys()) this.#notePrecision(path, "none");
  }

  async #buildGraph(paths: readonly string[]): Promise<void> {
    const { onProgress, signal } = this.#options;
    this.#unresolved = 0;
    const readText = async (path: string) => this.#texts.get(path);
    const names = new NameReferences({ syntax: this.#options.syntax, paths, readText, yieldThread });
    if (paths.some((path) => languageTraits(this.#languageOf(path)).server === "pyright")) this.#openPython(names);
    this.#sources = this.#checker === undefined ? [names] : [this.#checker.source, names];
    const workspace = new WorkspaceGraph({
      reader: { load: async () => undefined, tryBlocksInSlices: async (path, text) => [...this.blocksOf(path, text)] },
      sources: this.#sources.map((source) => observed(source, (answer) => this.#record(answer))),
      yieldThread,
    });
    await workspace.build(paths, readText, {
      onProgress: ({ resolved, files }) => onProgress?.({ phase: "references", done: resolved, of: files }),
      ...(signal && { signal }),
    });
    this.#graph = workspace.graph;
    this.#reachOf = (paths) => workspace.reachOf(paths);
  }

  #record({ path, precision, unresolved }: FileReferences): void {
    this.#notePrecision(path, precision);
    this.#unresolved += unresolved;
  }

  async #read(paths: readonly string[]): Promise<void> {
    const { root, fileSystem, signal, change, onProgress } = this.#options;
    const onDisk: string[] = [];
    for (const path of paths) {
      const text = change.before.get(path);
      if (text === undefined) onDisk.push(path);
      else this.#texts.set(path, text);
    }
    let done = 0;
    for await (const answer of readSources(root, onDisk, { fileSystem, signal })) {
      if (answer.kind === "source") this.#texts.set(answer.path, answer.text);
      done += 1;
      onProgress?.({ phase: "reading", done, of: onDisk.length });
    }
    // A diff applies to the files on the disk, whose texts are its texts before.
    for (const [path, { before }] of change.changed) {
      if (before !== undefined) this.#texts.set(path, before);
    }
  }

  async #openTypes(paths: readonly string[]): Promise<void> {
    const { root, change, openTypes, maxTypesMemoryMb, onProgress, signal } = this.#options;
    onProgress?.({ phase: "types", done: 0, of: 0 });
    const overlay = new Map<string, string | null>(textsWithMark(root, this.#texts));
    for (const [path, text] of change.before) overlay.set(joinPath(root, path), text ?? null);
    try {
      const source = await RestartingTypeScript.open(
        {
          root,
          paths,
          readText: (path) => this.#textForConfig(path),
          files: filesWithTexts(filesOfDisk, overlay),
          ...(maxTypesMemoryMb !== undefined && { limits: { maxMemoryMb: maxTypesMemoryMb } }),
          ...(signal && { signal }),
        },
        openTypes,
      );
      this.#checker = { source, before: [] };
      const before = await source.errorsOf(undefined, signal ? { signal } : {});
      this.#checker = { source, before };
      this.#types = {
        kind: "checked",
        files: [...source.scripts].length,
        ...(source.optionsFrom !== undefined && { optionsFrom: source.optionsFrom }),
        errorsBefore: before.length,
      };
    } catch (error) {
      this.#dropTypes(error);
    }
  }

  /** Prepares pyright; it starts when the change is analysed, if at all. */
  #openPython(names: NameReferences): void {
    const { root, change, maxTypesMemoryMb } = this.#options;
    const { openPython = pyrightIn({ root, maxMemoryMb: maxTypesMemoryMb }) } = this.#options;
    const paths = [...change.before.keys(), ...change.changed.keys()];
    this.#python = new PythonTypes({
      ...{ root, names, open: openPython ?? undefined },
      textOf: (path) => this.#texts.get(path),
      blocksOf: (path) => this.#graph.blocksOf(path),
      overlay: new Map(paths.map((path) => [path, this.#texts.get(path)])),
    });
  }

  /** The text of a configuration file before the change, also of one in a package. */
  async #textForConfig(path: string): Promise<string | undefined> {
    const { root, fileSystem, change } = this.#options;
    if (change.before.has(path)) return change.before.get(path);
    try {
      return new TextDecoder().decode(await fileSystem.readFile(joinPath(root, path), { maxBytes: maxCheckedBytes }));
    } catch {
      // TypeScript tries several paths, most of which do not exist.
      return undefined;
    }
  }

  /**
   * Continues without types after a failure of the checker. Throws the signal's reason, and any
   * error that is no {@link EmendError}.
   */
  #dropTypes(error: unknown): void {
    this.#options.signal?.throwIfAborted();
    if (!(error instanceof EmendError)) throw error;
    this.#types = { kind: "failed", message: error.message };
    const checker = this.#checker;
    this.#checker = undefined;
    void checker?.source[Symbol.asyncDispose]();
  }

  #languageOf(path: string): string {
    return this.#options.files.get(path)?.language ?? languageOf(path).id;
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

/** A source that reports each result to a callback. The caller still owns `source`. */
function observed(source: ReferenceSource, onResult: (answer: FileReferences) => void): ReferenceSource {
  return {
    languages: source.languages,
    update: (texts, options) => source.update(texts, options),
    async referencesOf(paths, options) {
      const answers = await source.referencesOf(paths, options);
      for (const answer of answers) onResult(answer);
      return answers;
    },
    [Symbol.asyncDispose]: async () => undefined,
  };
}

const scriptFamily = "scripts";
const precisions: readonly LanguageCoverage["precision"][] = ["types", "names", "blocks", "none", "unchanged"];

/**
 * Why a changed file is not read, for people, such as `it contains an unresolved merge conflict`.
 */
export function printSkippedChange(reason: ChangeSkipReason): string {
  if (reason.kind === "submodule") return "a submodule, which is a repository of its own";
  if (reason.kind === "conflict") return "it contains an unresolved merge conflict";
  if (reason.kind === "git-filter") {
    return `git-filter ${reason.driver}: filters of git run only in a workspace that you trust, with --trust or \`trust\` in your own configuration`;
  }
  return printSkipReason(reason);
}

const maxExamples = 3;

function skippedByReason(skipped: readonly SkippedPath[]): ImpactCoverage["skipped"] {
  const byKind = new Map<string, string[]>();
  for (const { path, reason } of skipped) {
    if (reason.kind === "version-control") continue;
    const list = byKind.get(reason.kind);
    if (list === undefined) byKind.set(reason.kind, [path]);
    else list.push(path);
  }
  return [...byKind]
    .map(([reason, paths]) => ({ reason, count: paths.length, examples: paths.slice(0, maxExamples) }))
    .sort((a, b) => b.count - a.count);
}
