import type { FileReferences, ReferenceSource, TypeFinding, TypeWitness } from "../graph/reference.ts";
import { isScript, scriptProject } from "../graph/script-project.ts";
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
export class TypeScriptSource implements ReferenceSource, TypeWitness {
  readonly languages = ["typescript", "typescriptreact", "javascript", "javascriptreact"];
  /** The configuration whose strictness the project has; `undefined` where there is none. */
  readonly optionsFrom: string | undefined;
  readonly #service: TypeScriptService;
  readonly #root: string;
  readonly #compilerOptions: unknown;
  #scripts: ReadonlySet<string>;

  private constructor(service: TypeScriptService, root: string, parts: OpenedParts) {
    this.#service = service;
    this.#root = root;
    this.#compilerOptions = parts.compilerOptions;
    this.optionsFrom = parts.optionsFrom;
    this.#scripts = new Set(parts.scripts);
  }

  /** Opens the project. Nothing is written to the disk. */
  static async open(options: TypeScriptSourceOptions): Promise<TypeScriptSource> {
    const { root, files = filesOfDisk, timeoutMs = 300_000, signal } = options;
    const { config, scripts, optionsFrom } = await scriptProject(options);
    const service = new TypeScriptService({ root, files, timeoutMs });
    try {
      await service.update(new Map([[joinPath(root, configName), config]]), question(signal));
      await service.openProjects([joinPath(root, configName)], question(signal));
    } catch (error) {
      await service.close();
      throw error;
    }
    const { compilerOptions } = JSON.parse(config) as { readonly compilerOptions: unknown };
    return new TypeScriptSource(service, root, { compilerOptions, scripts, optionsFrom });
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
    const scripts = new Set(this.#scripts);
    for (const [path, text] of texts) {
      told.set(joinPath(this.#root, path), text ?? null);
      if (text === undefined) scripts.delete(path);
      else if (isScript(path)) scripts.add(path);
    }
    if (scripts.size !== this.#scripts.size || [...scripts].some((path) => !this.#scripts.has(path))) {
      const files = [...scripts].map((path) => `./${path}`);
      told.set(joinPath(this.#root, configName), JSON.stringify({ compilerOptions: this.#compilerOptions, files }));
    }
    await this.#service.update(told, question(options.signal));
    this.#scripts = scripts;
  }

  async referencesOf(
    paths: readonly string[],
    options: { readonly signal?: AbortSignal } = {},
  ): Promise<readonly FileReferences[]> {
    const found = await this.#service.references(
      this.#config,
      paths.map((path) => joinPath(this.#root, path)),
      (absolute) => {
        const path = tryRelativePath(this.#root, absolute);
        return path !== undefined && this.#scripts.has(path) ? path : undefined;
      },
      question(options.signal),
    );
    return found.map((one, index) => one ?? { path: paths[index]!, references: [], unresolved: 0, precision: "types" });
  }

  async errorsOf(
    paths: readonly string[] | undefined,
    options: { readonly signal?: AbortSignal } = {},
  ): Promise<readonly TypeFinding[]> {
    const absolute = paths?.filter((path) => this.#scripts.has(path)).map((path) => joinPath(this.#root, path));
    const errors = await this.#service.typeErrors(this.#config, absolute, question(options.signal));
    return errors.flatMap(({ path: absolutePath, start, end, code, message, details }) => {
      const path = tryRelativePath(this.#root, absolutePath);
      if (path === undefined || !this.#scripts.has(path)) return [];
      return [{ path, start, end, code: String(code), message, ...(details && { details }) }];
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#service.close();
  }

  get #config(): string {
    return joinPath(this.#root, configName);
  }
}

interface OpenedParts {
  readonly compilerOptions: unknown;
  readonly scripts: readonly string[];
  readonly optionsFrom: string | undefined;
}

/** It is told to the service alone, and never lies on the disk. */
const configName = "tsconfig.emend.json";

function question(signal: AbortSignal | undefined): TypeScriptQuestion {
  return signal === undefined ? {} : { signal };
}
