import { folderOf, foldersAbove, joinPath, nameOf, resolvedPath } from "../../../codebase/index.ts";
import type { WorkspaceTexts } from "../../engine/text-index.ts";
import {
  CompilerPaths,
  entryTargets,
  type JsonObject,
  type JsonTexts,
  packageParts,
  within,
} from "./compiler-paths.ts";

/** The dependencies of {@link ModuleFiles}. */
export interface ModuleFilesParts {
  readonly files: WorkspaceTexts;
  readonly jsons: JsonTexts;
}

/**
 * Resolves module names to files of the workspace by its own configuration. Valid for one state of
 * the workspace.
 *
 * The exports of a package are often build results; then the source file is returned where its path
 * follows from the target's.
 */
export class ModuleFiles {
  readonly #parts: ModuleFilesParts;
  readonly #paths: CompilerPaths;
  readonly #resolved = new Map<string, string | undefined>();
  readonly #folders = new Map<string, string | undefined>();

  constructor(parts: ModuleFilesParts) {
    this.#parts = parts;
    this.#paths = new CompilerPaths({
      jsonOf: (path) => this.#jsonOf(path),
      folderOfPackage: (name) => this.#folderOfPackage(name),
    });
  }

  /**
   * Returns the file that a module name refers to in the file at `from`; `undefined` where it is
   * outside the workspace or cannot be resolved.
   */
  fileOf(specifier: string, from: string): string | undefined {
    // A module name means the same in all files of a folder.
    const key = `${folderOf(from)}\n${specifier}`;
    if (!this.#resolved.has(key)) this.#resolved.set(key, this.#find(specifier, from));
    return this.#resolved.get(key);
  }

  /**
   * Returns the paths that a compiler's `paths` give a module name, whether the files exist or not.
   */
  pathsOf(specifier: string, from: string): readonly string[] {
    return this.#paths.candidates(specifier, from);
  }

  /**
   * Returns the name of the package that a file is in; `undefined` where no package around it has a
   * name.
   */
  packageOf(path: string): string | undefined {
    const name = this.#packageAround(path, "name")?.json["name"];
    return typeof name === "string" ? name : undefined;
  }

  #find(specifier: string, from: string): string | undefined {
    if (isRelative(specifier)) {
      const path = resolvedPath(from, specifier);
      return path === undefined ? undefined : this.#fileAt(path);
    }
    for (const path of this.#paths.candidates(specifier, from)) {
      const file = this.#fileAt(path);
      if (file !== undefined) return file;
    }
    return specifier.startsWith("#") ? this.#importedBy(specifier, from) : this.#inPackage(specifier);
  }

  /** Resolves a name by the `imports` of the package around a file. */
  #importedBy(specifier: string, from: string): string | undefined {
    const around = this.#packageAround(from, "imports");
    return around && this.#firstOf(around.folder, entryTargets(around.json["imports"], specifier));
  }

  /** Resolves a name by the exports of a package of the workspace. */
  #inPackage(specifier: string): string | undefined {
    const { name, rest } = packageParts(specifier);
    const folder = this.#folderOfPackage(name);
    const json = folder === undefined ? undefined : this.#jsonOf(joinPath(folder, "package.json"));
    if (folder === undefined || json === undefined) return undefined;
    if (json["exports"] !== undefined) {
      return this.#firstOf(folder, entryTargets(json["exports"], rest === "" ? "." : `./${rest}`));
    }
    const entries = ["source", "types", "typings", "module", "main"].map((key) => json[key]);
    const targets = entries.filter((one) => typeof one === "string");
    return this.#firstOf(folder, rest === "" ? [...targets, "./src/index", "./index"] : [rest, `src/${rest}`]);
  }

  /** The first target of a package that is a file or is built from one. */
  #firstOf(folder: string, targets: readonly string[]): string | undefined {
    for (const pathOf of [(target: string) => [target], sourcesOf]) {
      for (const target of targets) {
        for (const one of pathOf(target)) {
          const path = within(folder, one);
          const file = path === undefined ? undefined : this.#fileAt(path);
          if (file !== undefined) return file;
        }
      }
    }
    return undefined;
  }

  /** The nearest `package.json` around a file that has a key. */
  #packageAround(path: string, key: string): { readonly folder: string; readonly json: JsonObject } | undefined {
    for (const folder of foldersAbove(path).toReversed()) {
      const json = this.#jsonOf(joinPath(folder, "package.json"));
      if (json !== undefined && key in json) return { folder, json };
    }
    return undefined;
  }

  #folderOfPackage(name: string): string | undefined {
    if (this.#folders.has(name)) return this.#folders.get(name);
    const words = name.match(/[\p{L}\p{M}\p{N}_$]+/gu) ?? [];
    const own = this.#parts.files
      .containing([...words, "name"])
      .filter((path) => nameOf(path) === "package.json" && this.#jsonOf(path)?.["name"] === name);
    // Of copies, such as those in tests, the one in the highest folder counts.
    own.sort((one, other) => one.length - other.length);
    const folder = own[0] === undefined ? undefined : folderOf(own[0]);
    this.#folders.set(name, folder);
    return folder;
  }

  #jsonOf(path: string): JsonObject | undefined {
    const text = this.#parts.files.textOf(path);
    return text === undefined ? undefined : this.#parts.jsons.of(path, text);
  }

  #fileAt(path: string): string | undefined {
    const has = (one: string) => this.#parts.files.textOf(one) !== undefined;
    const bare = path.replace(/\.([cm]?)jsx?$/, "");
    const candidates = [
      ...(bare === path ? [] : endings.map((one) => bare + one)),
      path,
      ...endings.map((one) => path + one),
      ...endings.map((one) => joinPath(path, `index${one}`)),
    ];
    return candidates.find((one) => ending.test(nameOf(one)) && has(one));
  }
}

/** Whether a module name is relative to the importing file. */
export function isRelative(specifier: string): boolean {
  return /^\.\.?(?:\/|$)/.test(specifier);
}

const endings = [".ts", ".tsx", ".d.ts", ".mts", ".cts", ".js", ".jsx", ".mjs", ".cjs"];
const ending = /\.(?:[cm]?[jt]sx?|vue|svelte|astro)$/;

/**
 * Returns where the source of a build result may be: in `src`, or at its path without the build
 * folders.
 */
function sourcesOf(target: string): string[] {
  const bare = target.replace(/^\.\//, "").replace(/(?:\.d)?\.[cm]?[jt]s$/, "");
  const steps = bare.split("/");
  const built = steps.findIndex((step) => !isOfBuild.test(step));
  if (built <= 0) return bare === target.replace(/^\.\//, "") ? [] : [bare];
  const rest = steps.slice(built).join("/");
  return [`src/${rest}`, rest, ...(rest.startsWith("src/") ? [] : [`src/${rest}/index`])];
}

const isOfBuild =
  /^(?:dist|build|built|lib|out|output|es|esm|cjs|mjs|umd|types|typings|legacy|modern|production|development)$/;
