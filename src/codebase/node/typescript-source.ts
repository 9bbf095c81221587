import type { FileReferences, ReferenceSource, TypeFinding } from "../graph/reference.ts";
import { type ScriptProject, scriptProject } from "../graph/script-project.ts";
import type { HeldWitness, OverlaidWitness } from "../impact/type-waves.ts";
import { joinPath, tryRelativePath } from "../workspace-path.ts";
import { filesOfDisk, type TypeScriptFiles } from "./typescript-files.ts";
import { type TypeScriptQuestion, TypeScriptService } from "./typescript-service.ts";

/** What {@link TypeScriptSource.open} is given. */
export interface TypeScriptSourceOptions {
  /** The absolute path of the workspace, with `/`. */
  readonly root: string;
  /** The workspace's files, from its root. */
  readonly paths: readonly string[];
  /** The text of a file of the workspace, or `undefined` where there is none. */
  readonly readText: (path: string) => Promise<string | undefined>;
  /** The files as the service sees them, libraries included; the disk's unless told. */
  readonly files?: TypeScriptFiles;
  /** The most milliseconds of one answer; five minutes unless told. */
  readonly timeoutMs?: number;
  readonly signal?: AbortSignal;
}

/** What the names of a workspace's scripts mean, and what is wrong with them, by TypeScript 7: all in one project. */
export class TypeScriptSource implements ReferenceSource, OverlaidWitness {
  readonly languages = ["typescript", "typescriptreact", "javascript", "javascriptreact"];
  /** The configuration whose strictness the project has; `undefined` where there is none. */
  readonly optionsFrom: string | undefined;
  readonly #service: TypeScriptService;
  readonly #root: string;
  readonly #readText: TypeScriptSourceOptions["readText"];
  /** What was told of files that say how others are read, such as `tsconfig.json`. */
  readonly #told = new Map<string, string | undefined>();
  #paths: ReadonlySet<string>;
  #config: string;
  #scripts: ReadonlySet<string>;
  #revision = 0;

  private constructor(service: TypeScriptService, options: TypeScriptSourceOptions, project: ScriptProject) {
    this.#service = service;
    this.#root = options.root;
    this.#readText = options.readText;
    this.#paths = new Set(options.paths);
    this.#config = project.config;
    this.optionsFrom = project.optionsFrom;
    this.#scripts = new Set(project.scripts);
  }

  /** Opens the project. Nothing is written to the disk. */
  static async open(options: TypeScriptSourceOptions): Promise<TypeScriptSource> {
    const { root, files = filesOfDisk, timeoutMs = 300_000, signal } = options;
    const project = await scriptProject(options);
    const { config } = project;
    const service = new TypeScriptService({ root, files, timeoutMs });
    try {
      await service.update(new Map([[joinPath(root, configName), config]]), question(signal));
      await service.openProjects([joinPath(root, configName)], question(signal));
    } catch (error) {
      await service.close();
      throw error;
    }
    return new TypeScriptSource(service, options, project);
  }

  /** The scripts that it knows, from the workspace's root. */
  get scripts(): Iterable<string> {
    return this.#scripts;
  }

  async update(
    texts: ReadonlyMap<string, string | undefined>,
    options: { readonly signal?: AbortSignal } = {},
  ): Promise<void> {
    const told = new Map<string, string | null>();
    const paths = new Set(this.#paths);
    let isMoved = false;
    for (const [path, text] of texts) {
      told.set(joinPath(this.#root, path), text ?? null);
      isMoved ||= paths.has(path) !== (text !== undefined);
      if (text === undefined) paths.delete(path);
      else paths.add(path);
      if (!path.endsWith(".json")) continue;
      this.#told.set(path, text);
      isMoved = true;
    }
    if (isMoved) {
      const readText = async (path: string) => (this.#told.has(path) ? this.#told.get(path) : this.#readText(path));
      const { config, scripts } = await scriptProject({ paths: [...paths], readText });
      told.set(joinPath(this.#root, configName), config);
      await this.#service.update(told, question(options.signal));
      if (optionsIn(config) !== optionsIn(this.#config)) this.#revision += 1;
      this.#config = config;
      this.#scripts = new Set(scripts);
    } else await this.#service.update(told, question(options.signal));
    this.#paths = paths;
  }

  get revision(): number {
    return this.#revision;
  }

  async typesAt(
    path: string,
    nameStarts: readonly number[],
    options: { readonly signal?: AbortSignal } = {},
  ): Promise<readonly (string | undefined)[]> {
    if (!this.#scripts.has(path)) return nameStarts.map(() => undefined);
    const file = joinPath(this.#root, path);
    return this.#service.typesAt(this.#configPath, file, nameStarts, question(options.signal));
  }

  referencesOf(
    paths: readonly string[],
    { saying, signal }: NonNullable<Parameters<ReferenceSource["referencesOf"]>[1]> = {},
  ): Promise<readonly FileReferences[]> {
    return this.#referencesIn(this.#scripts, paths, { ...question(signal), ...(saying && { saying }) });
  }

  errorsOf(
    paths: readonly string[] | undefined,
    { signal }: { readonly signal?: AbortSignal } = {},
  ): Promise<readonly TypeFinding[]> {
    return this.#errorsIn(this.#scripts, paths, question(signal));
  }

  async hold(): Promise<HeldWitness> {
    const scripts = this.#scripts;
    const at = await this.#service.hold();
    return {
      errorsOf: (paths, { signal } = {}) => this.#errorsIn(scripts, paths, { ...question(signal), at }),
      referencesOf: (paths, { saying, signal } = {}) =>
        this.#referencesIn(scripts, paths, { ...question(signal), at, ...(saying && { saying }) }),
      [Symbol.dispose]: () => at[Symbol.dispose](),
    };
  }

  async #referencesIn(
    scripts: ReadonlySet<string>,
    paths: readonly string[],
    asking: TypeScriptQuestion & { readonly saying?: ReadonlySet<string> },
  ): Promise<readonly FileReferences[]> {
    const found = await this.#service.references(
      this.#configPath,
      paths.map((path) => joinPath(this.#root, path)),
      (absolute) => {
        const path = tryRelativePath(this.#root, absolute);
        return path !== undefined && scripts.has(path) ? path : undefined;
      },
      asking,
    );
    return found.map((one, index) => one ?? { path: paths[index]!, references: [], unresolved: 0, precision: "types" });
  }

  async #errorsIn(
    scripts: ReadonlySet<string>,
    paths: readonly string[] | undefined,
    asking: TypeScriptQuestion,
  ): Promise<readonly TypeFinding[]> {
    const absolute = paths?.filter((path) => scripts.has(path)).map((path) => joinPath(this.#root, path));
    const errors = await this.#service.typeErrors(this.#configPath, absolute, asking);
    return errors.flatMap(({ path: absolutePath, start, end, code, message, details }) => {
      const path = tryRelativePath(this.#root, absolutePath);
      if (path === undefined || !scripts.has(path)) return [];
      return [{ path, start, end, code: String(code), message, ...(details && { details }) }];
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#service.close();
  }

  get #configPath(): string {
    return joinPath(this.#root, configName);
  }
}

/** What a configuration says of how files are read: all but which they are. */
function optionsIn(config: string): string {
  return JSON.stringify((JSON.parse(config) as { readonly compilerOptions: unknown }).compilerOptions);
}

/** It is told to the service alone, and never lies on the disk. */
const configName = "tsconfig.emend.json";

function question(signal: AbortSignal | undefined): TypeScriptQuestion {
  return signal === undefined ? {} : { signal };
}
