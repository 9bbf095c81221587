import { LRUCache } from "lru-cache";
import { type AbortOptions, onAbort } from "../../async/index.ts";
import { isScript, mayDeclareForAll, type ScriptProject, scriptProject } from "../../names/index.ts";
import { languages } from "../../syntax/index.ts";
import { getOrInsert } from "../../text/index.ts";
import { joinPath, tryRelativePath } from "../../workspace/index.ts";
import { noModule } from "../diagnostics/library-diagnostics.ts";
import type { FileDiagnostic, OverlayTypeChecker } from "../diagnostics/type-checker.ts";
import type { FileReferences, MemberNameSource, MemberNames, ReferenceSource } from "../graph/reference.ts";
import { filesWithout, findFilesOverLimit, type LeftOutFiles } from "./typescript-culprits.ts";
import { filesOfDisk, type TypeScriptFiles } from "./typescript-files.ts";
import { TypeScriptService } from "./typescript-service.ts";
import { hasManyUnresolvedNames } from "./unresolved-names.ts";
import { type CheckerLimits, excessOf } from "./watch-checker.ts";

/** The options of {@link TypeScriptSource.open}. */
export interface TypeScriptSourceOptions {
  /** The absolute path of the workspace, with `/`. */
  readonly root: string;
  /** The files of the workspace, relative to its root. */
  readonly paths: readonly string[];
  /**
   * The scripts to open first. With them are opened what they import and the scripts that may
   * declare names for all; another script is opened by the first request about it. Default: all
   * scripts, which large workspaces take much memory for.
   */
  readonly requested?: readonly string[] | undefined;
  /** The text of a file of the workspace; `undefined` when there is none. */
  readonly readText: (path: string) => Promise<string | undefined>;
  /** The files that the service reads, libraries included; default: those on the disk. */
  readonly files?: TypeScriptFiles;
  /** The limits of its process; default: `defaultCheckerLimits`. */
  readonly limits?: Partial<CheckerLimits> | undefined;
  /** Files to leave out, because an earlier process exceeded a limit on them. */
  readonly leftOut?: LeftOutFiles | undefined;
  /**
   * Files of a request on which an earlier process exceeded a limit; those that cause it are left
   * out as well.
   */
  readonly suspects?: readonly string[] | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** The timeout of one request, in milliseconds. */
const timeoutMs = 300_000;

/**
 * The references and diagnostics of a workspace's scripts, by TypeScript 7 and as one project.
 *
 * When the process exceeds a limit while it opens the project, the files that cause it are left out
 * and the project is opened again.
 */
export class TypeScriptSource implements ReferenceSource, OverlayTypeChecker, MemberNameSource {
  readonly languages = languages.filter(({ script }) => script !== undefined).map(({ id }) => id);
  /** The configuration file whose strictness options apply; `undefined` when there is none. */
  readonly optionsFrom: string | undefined;
  /**
   * The files that are left out because the process exceeded a limit on them. An update with a text
   * includes one again.
   */
  readonly leftOut: LeftOutFiles;
  readonly #service: TypeScriptService;
  readonly #root: string;
  readonly #readText: TypeScriptSourceOptions["readText"];
  /** The updated texts of files that affect how others are read, such as `tsconfig.json`. */
  readonly #configTexts = new Map<string, string | undefined>();
  #paths: ReadonlySet<string>;
  #config: string;
  #scripts: ReadonlySet<string>;
  /** The scripts that are opened by name; `undefined` when all are. */
  #roots: ReadonlySet<string> | undefined;
  /** The scripts whose texts were read for {@link unchecked}. */
  readonly #examined = new Set<string>();
  /** Of the texts that were examined last, as checks go back and forth between some. */
  readonly #found = new LRUCache<string, boolean>({ max: 8 });
  #unchecked: ReadonlySet<string> = new Set();
  /** How often scripts were opened for a request. */
  #inclusions = 0;
  #revision = 0;

  private constructor(
    service: TypeScriptService,
    options: TypeScriptSourceOptions,
    project: ScriptProject & { readonly roots: ReadonlySet<string> | undefined },
  ) {
    this.#service = service;
    this.#root = options.root;
    this.#readText = options.readText;
    this.leftOut = options.leftOut ?? new Map();
    this.#paths = new Set(options.paths);
    this.#config = project.config;
    this.optionsFrom = project.optionsFrom;
    this.#scripts = new Set(project.scripts);
    this.#roots = project.roots;
  }

  /**
   * Opens the project; nothing is written to the disk. The caller disposes of it. Rejects as {@link
   * TypeScriptService} does, and with the signal's reason on abort; the process has then been
   * ended.
   */
  static async open(options: TypeScriptSourceOptions): Promise<TypeScriptSource> {
    const { root, files, limits, leftOut = new Map(), suspects, signal } = options;
    let excess: unknown;
    if (suspects === undefined) {
      try {
        return await TypeScriptSource.#start(options);
      } catch (error) {
        if (excessOf(error) === undefined) throw error;
        excess = error;
      }
    }
    const configOf = async (without: LeftOutFiles) =>
      (await scriptProject({ ...options, paths: options.paths.filter((path) => !without.has(path)) })).config;
    const culprits = await findFilesOverLimit({
      ...{ root, files, limits, leftOut, suspects: suspects ?? [], signal, configOf },
    });
    // When no single file is the cause, another try would fail in the same way.
    if (culprits.size === 0 && excess !== undefined) throw excess;
    return TypeScriptSource.#start({ ...options, leftOut: new Map([...leftOut, ...culprits]) });
  }

  static async #start(options: TypeScriptSourceOptions): Promise<TypeScriptSource> {
    const { root, files = filesOfDisk, limits, leftOut = new Map(), signal } = options;
    const parts = { ...options, paths: options.paths.filter((path) => !leftOut.has(path)) };
    const project = await scriptProject(parts);
    const roots = await rootsOf(project.scripts, options);
    const config = configWith(project.config, roots);
    const service = new TypeScriptService({ root, files: filesWithout(root, files, leftOut), timeoutMs, limits });
    // End the process on abort: the work that it is busy with may take long.
    const listener = onAbort(signal, () => void service.close());
    try {
      await service.update(new Map([[joinPath(root, configName), config]]), { signal });
      await service.openProjects([joinPath(root, configName)], { signal });
    } catch (error) {
      await service.close();
      signal?.throwIfAborted();
      throw error;
    } finally {
      listener[Symbol.dispose]();
    }
    return new TypeScriptSource(service, parts, { ...project, roots });
  }

  /** The scripts of the project, relative to the workspace's root. */
  get scripts(): Iterable<string> {
    return this.#scripts;
  }

  /**
   * The scripts of the requests so far whose errors are not requested, because their present texts
   * use too many names that nothing declares. What other files use of them is known.
   */
  get unchecked(): ReadonlySet<string> {
    return this.#unchecked;
  }

  /**
   * Sets the texts of files, by path in the workspace; `undefined` removes a file. An added or
   * removed file, and every `.json` file, creates the project again. Rejects as {@link
   * TypeScriptService} does, and with the signal's reason on abort.
   */
  async update(texts: ReadonlyMap<string, string | undefined>, options: AbortOptions = {}): Promise<void> {
    const overlay = new Map<string, string | null>();
    const paths = new Set(this.#paths);
    const roots = new Set<string>();
    let isProjectChanged = false;
    for (const [path, text] of texts) {
      overlay.set(joinPath(this.#root, path), text ?? null);
      this.#examine(path, text);
      isProjectChanged ||= paths.has(path) !== (text !== undefined);
      if (text !== undefined && (!paths.has(path) || mayDeclareForAll(path, text))) roots.add(path);
      if (text === undefined) paths.delete(path);
      else paths.add(path);
      if (!path.endsWith(".json")) continue;
      this.#configTexts.set(path, text);
      isProjectChanged = true;
    }
    if (isProjectChanged) {
      const readText = async (path: string) =>
        this.#configTexts.has(path) ? this.#configTexts.get(path) : this.#readText(path);
      const { config, scripts } = await scriptProject({ paths: [...paths], readText });
      this.#scripts = new Set(scripts);
      if (optionsIn(config) !== optionsIn(this.#config)) this.#revision += 1;
      this.#config = config;
    }
    this.#paths = paths;
    const isOpened = this.#addRoots(roots);
    if (isProjectChanged || isOpened) overlay.set(this.#configPath, configWith(this.#config, this.#roots));
    await this.#service.update(overlay, options);
  }

  /**
   * Opens scripts before requests about them; resolves to whether one was not open yet. Rejects as
   * {@link TypeScriptService} does.
   */
  async include(paths: readonly string[] | undefined): Promise<boolean> {
    const isOpened = this.#addRoots(paths);
    if (isOpened) await this.#service.update(new Map([[this.#configPath, configWith(this.#config, this.#roots)]]));
    return isOpened;
  }

  /** Adds scripts to those that are opened by name, all where `paths` is `undefined`. */
  #addRoots(paths: Iterable<string> | undefined): boolean {
    if (this.#roots === undefined) return false;
    const missing = paths && [...paths].filter((path) => this.#scripts.has(path) && this.#roots?.has(path) === false);
    if (missing?.length === 0) return false;
    this.#inclusions += 1;
    const isAll = missing === undefined || this.#inclusions > maxInclusions;
    this.#roots = isAll ? undefined : new Set([...this.#roots, ...missing]);
    return true;
  }

  /**
   * Increases when an update changed the compiler options, so that all earlier answers are
   * outdated.
   */
  get revision(): number {
    return this.#revision;
  }

  /**
   * The printed types of the declarations at `nameStarts`, offsets in UTF-16 units, in the same
   * order; `undefined` where there is no type, and for a file that is no script of the project.
   * Rejects as {@link TypeScriptService} does.
   */
  async typesAt(
    path: string,
    nameStarts: readonly number[],
    options: AbortOptions = {},
  ): Promise<readonly (string | undefined)[]> {
    if (!this.#scripts.has(path)) return nameStarts.map(() => undefined);
    await this.include([path]);
    const file = joinPath(this.#root, path);
    return this.#service.typesAt(this.#configPath, file, nameStarts, options);
  }

  /**
   * The references of these files, in the order given; none for a file that the project does not
   * contain. With `onlyNames`, only references by these names. Rejects as {@link TypeScriptService}
   * does.
   */
  async referencesOf(
    paths: readonly string[],
    { onlyNames, signal }: NonNullable<Parameters<ReferenceSource["referencesOf"]>[1]> = {},
  ): Promise<readonly FileReferences[]> {
    await this.include(paths);
    const found = await this.#service.references(
      this.#configPath,
      paths.map((path) => joinPath(this.#root, path)),
      (absolute) => {
        const path = tryRelativePath(this.#root, absolute);
        return path !== undefined && this.#scripts.has(path) ? path : undefined;
      },
      { signal, ...(onlyNames && { onlyNames }) },
    );
    return found.map((one, index) => one ?? { path: paths[index]!, references: [], unresolved: 0, precision: "types" });
  }

  /**
   * The type errors of these files, or of all scripts where `paths` is `undefined`; those about a
   * missing module that is left out are not included. Rejects as {@link TypeScriptService} does.
   */
  async errorsOf(
    paths: readonly string[] | undefined,
    { signal }: AbortOptions = {},
  ): Promise<readonly FileDiagnostic[]> {
    await this.include(paths);
    const wanted = paths?.filter((path) => this.#scripts.has(path));
    for (const path of wanted ?? this.#scripts) {
      if (!this.#examined.has(path)) this.#examine(path, await this.#readText(path));
    }
    const isWhole = wanted === undefined && this.#unchecked.size === 0;
    const checked = isWhole ? undefined : [...(wanted ?? this.#scripts)].filter((path) => !this.#unchecked.has(path));
    const absolute = checked?.map((path) => joinPath(this.#root, path));
    const errors = await this.#service.typeErrors(this.#configPath, absolute, { signal });
    return errors.flatMap((error) => {
      const path = tryRelativePath(this.#root, error.path);
      if (path === undefined || !this.#scripts.has(path)) return [];
      // Names of a module that is left out may have any type.
      if (noModule.has(error.code) && this.#isLeftOut(error.message)) return [];
      return [{ ...error, path }];
    });
  }

  /**
   * The names that may be at `offset` (UTF-16 units) after a dot; `any` for a file that the project
   * does not contain. Rejects as {@link TypeScriptService} does.
   */
  async membersAt(path: string, offset: number, { signal }: AbortOptions = {}): Promise<MemberNames> {
    await this.include([path]);
    return this.#service.memberNames(this.#configPath, joinPath(this.#root, path), offset, { signal });
  }

  /** Decides whether a script with this text is {@link unchecked}. */
  #examine(path: string, text: string | undefined): void {
    this.#examined.add(path);
    const isMuch =
      isScript(path) && text !== undefined && getOrInsert(this.#found, text, () => hasManyUnresolvedNames(text));
    if (isMuch === this.#unchecked.has(path)) return;
    const others = [...this.#unchecked].filter((one) => one !== path);
    this.#unchecked = new Set(isMuch ? [...others, path] : others);
  }

  /**
   * Whether an error is about a module that is left out. It compares the last part of the
   * specifier, because `paths` may map the rest.
   */
  #isLeftOut(message: string): boolean {
    const [, specifier] = /'([^']+)'/.exec(message) ?? [];
    if (specifier === undefined) return false;
    const hidden = [...this.leftOut.keys()].filter((path) => !this.#paths.has(path));
    return hidden.some((path) => moduleNames(path).includes(lastName(specifier)));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#service.close();
  }

  get #configPath(): string {
    return joinPath(this.#root, configName);
  }
}

/** The scripts to open by name; `undefined` when all are. */
async function rootsOf(
  scripts: readonly string[],
  { requested, readText }: TypeScriptSourceOptions,
): Promise<ReadonlySet<string> | undefined> {
  if (requested === undefined) return undefined;
  const wanted = new Set(requested);
  const roots = new Set<string>();
  for (const path of scripts) {
    if (wanted.has(path) || mayDeclareForAll(path, (await readText(path)) ?? "")) roots.add(path);
  }
  return roots;
}

/** A configuration with only these of its files; with all where `roots` is `undefined`. */
function configWith(config: string, roots: ReadonlySet<string> | undefined): string {
  if (roots === undefined) return config;
  const { files, ...options } = JSON.parse(config) as { readonly files: readonly string[] };
  return JSON.stringify({ ...options, files: files.filter((file) => roots.has(file.slice("./".length))) });
}

/**
 * How often scripts are opened for requests before all are: each time the project is created again.
 */
const maxInclusions = 24;

/** The compiler options of a configuration, without its list of files. */
function optionsIn(config: string): string {
  return JSON.stringify((JSON.parse(config) as { readonly compilerOptions: unknown }).compilerOptions);
}

/** The last parts of specifiers that may name a file; for an index file also that of its folder. */
function moduleNames(path: string): readonly string[] {
  const name = lastName(path);
  return name === "index" ? [name, path.split("/").at(-2) ?? ".", "."] : [name];
}

function lastName(path: string): string {
  return path
    .split("/")
    .at(-1)!
    .replace(/(?:\.d)?\.(?:[cm]?[jt]sx?|json)$/, "");
}

/** The project's configuration. It exists in the service only, not on the disk. */
const configName = "tsconfig.emend.json";
