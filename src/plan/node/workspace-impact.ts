import {
  analyseImpact,
  BlockReader,
  type ChangedText,
  type CodeBlock,
  changedGraph,
  ExportIndex,
  type FileSystem,
  type ImpactReport,
  isScript,
  joinPath,
  NameReferences,
  type ReferenceSource,
  readSource,
  readSources,
  type TypeFinding,
  WorkspaceGraph,
} from "../../codebase/index.ts";
import {
  filesOfDisk,
  filesWithTexts,
  joinWitnesses,
  PythonTypes,
  type PythonTypesOptions,
  parseScriptTree,
  pyrightIn,
  TypeScriptSource,
  textsWithMark,
} from "../../codebase/node/index.ts";
import { languageOf, type Syntax } from "../../syntax/index.ts";
import { EmendError } from "../../text/index.ts";
import { CheckedMechanicalEdits } from "../mechanical/checked-mechanical-edits.ts";
import type { ImpactSource, MechanicalEdits, PartOptions } from "../plan-parts.ts";
import type { BlockGraph } from "../step-question.ts";

/** What {@link WorkspaceImpact.open} is given. */
export interface WorkspaceImpactOptions {
  /** The absolute path of the copy that the plan is carried out in, as the plan begins. */
  readonly root: string;
  /** The paths of its files, from the root. */
  readonly paths: readonly string[];
  /** Paths that the plan begins with: files of languages that refer to theirs are read, others only when they are asked for. */
  readonly about: readonly string[];
  readonly fileSystem: FileSystem;
  /** It stays its owner's. */
  readonly syntax: Pick<Syntax, "load" | "tryParse">;
  /** How pyright is started, or `null` for none; the one that is installed unless told. */
  readonly openPython?: PythonTypesOptions["open"] | null;
  /** Hears what is being done. */
  readonly onProgress?: (progress: WorkspaceImpactProgress) => void;
  /** Whether errors that were there before the plan are to be mended, too; none unless told. */
  readonly mendsOldErrors?: boolean;
  readonly signal?: AbortSignal | undefined;
}

/** How far opening is. `of` is 0 where nobody knows. */
export interface WorkspaceImpactProgress {
  readonly phase: "reading" | "types" | "references";
  readonly done: number;
  readonly of: number;
}

/**
 * What depends on what in a workspace on the disk, kept up to date with each change of a plan.
 *
 * Where there is no type checker, the graph alone tells, and {@link withoutTypes} says why. Whoever opened it disposes it.
 */
export class WorkspaceImpact implements ImpactSource, AsyncDisposable {
  readonly #options: WorkspaceImpactOptions;
  readonly #reader: BlockReader;
  readonly #texts = new Map<string, string>();
  /** Of files that changed: their texts before the plan, `undefined` where there was none. */
  readonly #textsBefore = new Map<string, string | undefined>();
  readonly #blocks = new Map<string, { readonly text: string; readonly blocks: readonly CodeBlock[] }>();
  readonly #exports = new ExportIndex();
  #workspace: WorkspaceGraph;
  #sources: readonly ReferenceSource[] = [];
  #checker: TypeScriptSource | undefined;
  #python: PythonTypes | undefined;
  #errorsBefore: readonly TypeFinding[] = [];
  /** What the checker says of the texts as they are now, but for those of `#stale`. */
  #errors: readonly TypeFinding[] = [];
  /** The files that it is to be asked of again. */
  #stale: ReadonlySet<string> | "all" = new Set();
  #withoutTypes: string | undefined;

  private constructor(options: WorkspaceImpactOptions) {
    this.#options = options;
    this.#reader = new BlockReader({ parseScript: parseScriptTree, syntax: options.syntax });
    this.#workspace = new WorkspaceGraph({ reader: this.#blockReader, sources: [] });
  }

  /** Reads the workspace. Rejects with the signal's own reason. */
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

  /** Why there is no type checker, where one was wanted. */
  get withoutTypes(): string | undefined {
    return this.#withoutTypes;
  }

  /** What follows from changes without a model, as the type checker agrees; `undefined` where there is none. */
  get mechanical(): MechanicalEdits | undefined {
    if (this.#checker === undefined) return undefined;
    return new CheckedMechanicalEdits({
      checker: this.#checker,
      before: this.#options.mendsOldErrors === true ? [] : this.#errorsBefore,
      textBefore: (path) => (this.#textsBefore.has(path) ? this.#textsBefore : this.#texts).get(path),
      blocksOf: (path, text) => this.blocksOf(path, text),
      treeOf: (path, text) => this.#reader.tryScript(path, text),
      exports: this.#exports,
    });
  }

  /** The blocks of a text; those asked for last of each file are kept. */
  blocksOf(path: string, text: string): readonly CodeBlock[] {
    const known = this.#blocks.get(path);
    if (known?.text === text) return known.blocks;
    const blocks = this.#reader.tryBlocks(path, text) ?? [];
    this.#blocks.set(path, { text, blocks });
    return blocks;
  }

  async impactOf(changed: ReadonlyMap<string, ChangedText>, { signal }: PartOptions): Promise<ImpactReport> {
    const checker = this.#checker;
    if (checker !== undefined) await this.#askStale(checker, signal);
    const blocksOf = (path: string, text: string) => this.blocksOf(path, text);
    const { graph } = this.#workspace;
    const after = await changedGraph({
      ...{ graph, changed, sources: this.#sources, blocksOf, signal },
      textOf: (path) => this.#texts.get(path),
    });
    const python = await this.#python?.look({ graph, changed, blocksOf, signal });
    const scripts = checker && { checker, before: this.#errors };
    const witness = joinWitnesses([scripts, python].filter((one) => one !== undefined));
    return analyseImpact({
      changed,
      graphs: { before: graph, after },
      textOf: (path) => this.#texts.get(path),
      blocksOf,
      treeOf: (path, text) => this.#reader.tryScript(path, text),
      ...(witness && { witness: { ...witness, checks: isScript } }),
      reachOf: (paths) => this.#workspace.reachOf(paths),
      ...(signal && { signal }),
    });
  }

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
    // What imported the files before, and what does so now.
    this.#outdate(this.#workspace.reachOf(changed.keys()));
    await this.#workspace.update(texts, signal === undefined ? {} : { signal });
    this.#outdate(this.#workspace.reachOf(changed.keys()));
    for (const [path, text] of texts) if (text !== undefined) this.#exports.update(path, this.blocksOf(path, text));
  }

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
    await this.#workspace.update(texts, signal === undefined ? {} : { signal });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const checker = this.#checker;
    this.#checker = undefined;
    await this.#python?.[Symbol.asyncDispose]();
    await checker?.[Symbol.asyncDispose]();
  }

  #outdate(paths: readonly string[] | undefined): void {
    this.#stale = paths === undefined || this.#stale === "all" ? "all" : new Set([...this.#stale, ...paths]);
  }

  async #askStale(checker: TypeScriptSource, signal: AbortSignal | undefined): Promise<void> {
    const stale = this.#stale;
    if (stale !== "all" && stale.size === 0) return;
    const found = await checker.errorsOf(
      stale === "all" ? undefined : [...stale],
      signal === undefined ? {} : { signal },
    );
    this.#errors = stale === "all" ? found : [...this.#errors.filter(({ path }) => !stale.has(path)), ...found];
    this.#stale = new Set();
  }

  get #blockReader(): Pick<BlockReader, "load" | "tryBlocks"> {
    return {
      load: (paths) => this.#reader.load(paths),
      tryBlocks: (path, text) => [...this.blocksOf(path, text)],
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
    const readText = async (path: string) => this.#texts.get(path);
    const names = new NameReferences({ syntax, paths: readable, readText });
    // Files of Python may come later: which languages they are of is not known yet.
    this.#python = this.#pythonTypes(names);
    const others = this.#python.source;
    this.#sources = this.#checker === undefined ? [others] : [this.#checker, others];
    this.#workspace = new WorkspaceGraph({ reader: this.#blockReader, sources: this.#sources });
    await this.#workspace.build(readable, readText, {
      onProgress: ({ asked, files }) => onProgress?.({ phase: "references", done: asked, of: files }),
      ...(signal && { signal }),
    });
    for (const path of readable) this.#exports.update(path, this.blocksOf(path, this.#texts.get(path)!));
  }

  async #openTypes(readable: readonly string[]): Promise<void> {
    const { root, paths, onProgress, signal } = this.#options;
    onProgress?.({ phase: "types", done: 0, of: 0 });
    const configs = paths.filter((path) => /(^|\/)([tj]sconfig[^/]*|package)\.json$/.test(path));
    const asked = signal === undefined ? {} : { signal };
    try {
      this.#checker = await TypeScriptSource.open({
        root,
        paths: [...readable, ...configs],
        readText: (path) => this.#configText(path),
        files: filesWithTexts(filesOfDisk, textsWithMark(root, this.#texts)),
        ...asked,
      });
      this.#errorsBefore = await this.#checker.errorsOf(undefined, asked);
      this.#errors = this.#errorsBefore;
    } catch (error) {
      signal?.throwIfAborted();
      if (!(error instanceof EmendError)) throw error;
      this.#withoutTypes = error.message;
      await this[Symbol.asyncDispose]();
    }
  }

  /** Pyright is started when a change is about Python. */
  #pythonTypes(names: NameReferences): PythonTypes {
    const { root, openPython = pyrightIn({ root }) } = this.#options;
    return new PythonTypes({
      ...{ root, names, open: openPython ?? undefined },
      textOf: (path) => this.#texts.get(path),
      blocksOf: (path) => this.#workspace.graph.blocksOf(path),
    });
  }

  /** What the disk has of a configuration, also in packages. */
  async #configText(path: string): Promise<string | undefined> {
    const { root, fileSystem } = this.#options;
    try {
      return new TextDecoder().decode(await fileSystem.readFile(joinPath(root, path)));
    } catch {
      // Whoever asks looks at several places, most of which are empty.
      return undefined;
    }
  }
}

const scripts = "scripts";

/** Languages whose files refer to each other. */
function familyOf(path: string): string {
  return isScript(path) ? scripts : languageOf(path).id;
}
