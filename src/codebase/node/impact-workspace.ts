import { languageOf } from "../../syntax/language.ts";
import type { Syntax } from "../../syntax/syntax.ts";
import { EmendError } from "../../text/errors.ts";
import type { FileSystem } from "../file-system.ts";
import { BlockReader } from "../graph/block-reader.ts";
import { changedGraph, type ReadableGraph } from "../graph/changed-graph.ts";
import type { CodeBlock } from "../graph/code-block.ts";
import { DependencyGraph } from "../graph/dependency-graph.ts";
import { NameReferences } from "../graph/name-references.ts";
import type { FileReferences, ReferenceSource, TypeFinding } from "../graph/reference.ts";
import { isScript } from "../graph/script-project.ts";
import { WorkspaceGraph } from "../graph/workspace-graph.ts";
import { analyseImpact, type ImpactReport } from "../impact/impact-analysis.ts";
import type { ImpactCoverage, LanguageCoverage, TypesCoverage } from "../impact/impact-coverage.ts";
import type { ImpactGraphs } from "../impact/may-impact.ts";
import { readSources } from "../read-sources.ts";
import { printSkipReason } from "../skip-reason.ts";
import type { SkippedPath, WorkspaceFile } from "../survey.ts";
import { joinPath } from "../workspace-path.ts";
import type { ChangedTexts, ChangeSkipReason } from "./changed-texts.ts";
import { parseScriptTree } from "./parse-script-tree.ts";
import { joinWitnesses, PythonTypes, type PythonTypesOptions, type PythonWitness, pyrightIn } from "./pyright-types.ts";
import { filesOfDisk, filesWithTexts, textsWithMark } from "./typescript-files.ts";
import { TypeScriptSource, type TypeScriptSourceOptions } from "./typescript-source.ts";

/** What {@link ImpactWorkspace.open} is given. */
export interface ImpactWorkspaceOptions {
  /** The absolute path of the workspace, links resolved. */
  readonly root: string;
  /** What a walk of it found. */
  readonly files: ReadonlyMap<string, WorkspaceFile>;
  readonly skipped: readonly SkippedPath[];
  /** The change; the workspace is opened as it was before it. */
  readonly change: ChangedTexts;
  readonly fileSystem: FileSystem;
  /** It stays its owner's. */
  readonly syntax: Pick<Syntax, "load" | "tryParse">;
  readonly onProgress?: (progress: ImpactProgress) => void;
  /** How the type checker is opened; from the packages of Emend itself unless told. */
  readonly openTypes?: (options: TypeScriptSourceOptions) => Promise<TypeScriptSource>;
  /** How pyright is started, or `null` for none; the one that is installed unless told. */
  readonly openPython?: PythonTypesOptions["open"] | null;
  readonly signal?: AbortSignal;
}

/** How far it has come: files read, files whose references are known, the type checker at work, the analysis itself. */
export interface ImpactProgress {
  readonly phase: "reading" | "types" | "references" | "impact";
  readonly done: number;
  /** 0 where nobody knows. */
  readonly of: number;
}

/**
 * A workspace on the disk as it was before a change, with all that is needed to say what the change may affect.
 *
 * Only files of the languages that changed are read. Where there is no type checker, or it fails, the rest is done without it, and
 * {@link coverage} says so.
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
  #checker: { readonly source: TypeScriptSource; readonly before: readonly TypeFinding[] } | undefined;
  #types: TypesCoverage = { kind: "not-needed" };
  #python: PythonTypes | undefined;
  #unresolved = 0;

  private constructor(options: ImpactWorkspaceOptions) {
    this.#options = options;
    this.#reader = new BlockReader({ parseScript: parseScriptTree, syntax: options.syntax });
  }

  /** Opens it. Rejects with the signal's reason; nothing else that goes wrong with files or tools ends it. */
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

  /** The dependency graphs before the change, and as it would leave it once that was looked at. */
  get graphs(): ImpactGraphs {
    return { before: this.#graph, ...(this.#after && { after: this.#after }) };
  }

  /** What was looked at, and what was not. */
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
      ...{ blocks, edges, types: this.#types, unresolvedNames: this.#unresolved },
      ...(this.#python && { python: this.#python.coverage }),
      skippedChanges: change.skipped.map(({ path, reason }) => ({ path, reason: printChangeSkip(reason) })),
      skipped: skippedByReason(this.#options.skipped),
    };
  }

  /** The text of a file before the change, as far as its language was read. */
  textOf(path: string): string | undefined {
    return this.#texts.get(path);
  }

  /** The blocks of a text; those asked for last of each file are kept. */
  blocksOf(path: string, text: string): readonly CodeBlock[] {
    const known = this.#blocks.get(path);
    if (known?.text === text) return known.blocks;
    const blocks = dataLanguages.has(this.#languageOf(path)) ? [] : (this.#reader.tryBlocks(path, text) ?? []);
    this.#blocks.set(path, { text, blocks });
    return blocks;
  }

  /** What the change may affect. */
  async analyse({ maxHops }: { readonly maxHops?: number } = {}): Promise<ImpactReport> {
    const { change, signal, onProgress } = this.#options;
    this.#after = await this.#graphAfter();
    const request = {
      changed: change.changed,
      graphs: this.graphs,
      textOf: (path: string) => this.#texts.get(path),
      reachOf: this.#reachOf,
      blocksOf: (path: string, text: string) => this.blocksOf(path, text),
      treeOf: (path: string, text: string) => this.#reader.tryScript(path, text),
      ...(maxHops !== undefined && { maxHops }),
      ...(signal && { signal }),
    };
    if (this.#python !== undefined) onProgress?.({ phase: "types", done: 0, of: 0 });
    const python = await this.#python?.look({ ...request, graph: this.#graph });
    onProgress?.({ phase: "impact", done: 0, of: 0 });
    try {
      return await analyseImpact({ ...request, ...this.#witnessed(python) });
    } catch (error) {
      if (this.#checker === undefined) throw error;
      this.#noTypes(error);
      return analyseImpact({ ...request, ...this.#witnessed(python) });
    }
  }

  async #graphAfter(): Promise<ReadableGraph> {
    const { change, signal } = this.#options;
    const look = () =>
      changedGraph({
        ...{ graph: this.#graph, changed: change.changed, sources: this.#sources, signal },
        textOf: (path) => this.#texts.get(path),
        blocksOf: (path, text) => this.blocksOf(path, text),
      });
    try {
      return await look();
    } catch (error) {
      if (this.#checker === undefined) throw error;
      const { source } = this.#checker;
      this.#noTypes(error);
      this.#sources = this.#sources.filter((one) => one !== source);
      return look();
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const checker = this.#checker;
    this.#checker = undefined;
    await this.#python?.[Symbol.asyncDispose]();
    await checker?.source[Symbol.asyncDispose]();
  }

  /** What is asked for errors. That pyright finds none says little of code that has no types, so silence counts for scripts alone. */
  #witnessed(python: PythonWitness | undefined) {
    const checker = this.#checker;
    const scripts = checker && { checker: checker.source, before: checker.before };
    const witness = joinWitnesses([scripts, python].filter((one) => one !== undefined));
    return witness === undefined ? {} : { witness: { ...witness, checks: isScript } };
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
      this.#noTypes(error);
      await this.#buildGraph(readable);
    }
    for (const path of readable) this.#note(path, this.#graph.blocksOf(path).length > 0 ? "blocks" : "none");
    for (const path of change.changed.keys()) this.#note(path, "none");
  }

  async #buildGraph(paths: readonly string[]): Promise<void> {
    const { onProgress, signal } = this.#options;
    this.#unresolved = 0;
    const readText = async (path: string) => this.#texts.get(path);
    const names = new NameReferences({ syntax: this.#options.syntax, paths, readText });
    if (paths.some((path) => this.#languageOf(path) === "python")) this.#openPython(names);
    this.#sources = this.#checker === undefined ? [names] : [this.#checker.source, names];
    const workspace = new WorkspaceGraph({
      reader: { load: async () => undefined, tryBlocks: (path, text) => [...this.blocksOf(path, text)] },
      sources: this.#sources.map((source) => heard(source, (answer) => this.#hear(answer))),
    });
    await workspace.build(paths, readText, {
      onProgress: ({ asked, files }) => onProgress?.({ phase: "references", done: asked, of: files }),
      ...(signal && { signal }),
    });
    this.#graph = workspace.graph;
    this.#reachOf = (paths) => workspace.reachOf(paths);
  }

  #hear({ path, precision, unresolved }: FileReferences): void {
    this.#note(path, precision);
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
    // A diff is made to files as they are; those before it may be among those that it names.
    for (const [path, { before }] of change.changed) {
      if (before !== undefined) this.#texts.set(path, before);
    }
  }

  async #openTypes(paths: readonly string[]): Promise<void> {
    const { root, change, openTypes = TypeScriptSource.open, onProgress, signal } = this.#options;
    onProgress?.({ phase: "types", done: 0, of: 0 });
    const told = new Map<string, string | null>(textsWithMark(root, this.#texts));
    for (const [path, text] of change.before) told.set(joinPath(root, path), text ?? null);
    try {
      const source = await openTypes({
        root,
        paths,
        readText: (path) => this.#textForConfig(path),
        files: filesWithTexts(filesOfDisk, told),
        ...(signal && { signal }),
      });
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
      this.#noTypes(error);
    }
  }

  /** It is started when the change is analysed, if at all. */
  #openPython(names: NameReferences): void {
    const { root, change, openPython = pyrightIn({ root }) } = this.#options;
    const paths = [...change.before.keys(), ...change.changed.keys()];
    this.#python = new PythonTypes({
      ...{ root, names, open: openPython ?? undefined },
      textOf: (path) => this.#texts.get(path),
      blocksOf: (path) => this.#graph.blocksOf(path),
      told: new Map(paths.map((path) => [path, this.#texts.get(path)])),
    });
  }

  /** What the disk has of a configuration, also in packages, unless the change is about it. */
  async #textForConfig(path: string): Promise<string | undefined> {
    const { root, fileSystem, change } = this.#options;
    if (change.before.has(path)) return change.before.get(path);
    try {
      return new TextDecoder().decode(await fileSystem.readFile(joinPath(root, path)));
    } catch {
      // Whoever asks looks at several places, most of which are empty.
      return undefined;
    }
  }

  /** Goes on without types. Only a signal ends the analysis. */
  #noTypes(error: unknown): void {
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

  /** Languages whose files refer to each other. */
  #familyOf(path: string): string {
    return isScript(path) ? scriptFamily : this.#languageOf(path);
  }

  /** Of several files the best that is known of any holds for the language. */
  #note(path: string, precision: LanguageCoverage["precision"]): void {
    const language = this.#languageOf(path);
    const known = this.#precision.get(language) ?? "unchanged";
    if (precisions.indexOf(precision) < precisions.indexOf(known)) this.#precision.set(language, precision);
  }
}

/** A source whose answers are heard on the way to who asked. It stays its owner's. */
function heard(source: ReferenceSource, hear: (answer: FileReferences) => void): ReferenceSource {
  return {
    languages: source.languages,
    update: (texts, options) => source.update(texts, options),
    async referencesOf(paths, options) {
      const answers = await source.referencesOf(paths, options);
      for (const answer of answers) hear(answer);
      return answers;
    },
    [Symbol.asyncDispose]: async () => undefined,
  };
}

/** They have trees, and no blocks that anything depends on by name. */
const dataLanguages: ReadonlySet<string> = new Set([
  ...["json", "jsonc", "json5", "yaml", "toml", "xml", "html", "css", "scss", "less"],
]);

const scriptFamily = "scripts";
const precisions: readonly LanguageCoverage["precision"][] = ["types", "names", "blocks", "none", "unchanged"];

/** Says why a changed file is not read: `a merge is not finished in it`. */
export function printChangeSkip(reason: ChangeSkipReason): string {
  if (reason.kind === "submodule") return "a submodule, which is a repository of its own";
  if (reason.kind === "conflict") return "a merge is not finished in it";
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
