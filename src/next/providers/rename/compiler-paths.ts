import { folderOf, joinPath } from "../../../codebase/index.ts";
import { resolvedPath } from "../../../codebase/repair/module-paths.ts";
import { patternTargets } from "./entry-targets.ts";
import { asObject, type JsonObject } from "./json-texts.ts";

/** The dependencies of {@link CompilerPaths}. */
export interface CompilerPathsParts {
  /** Returns the object in a JSON file; `undefined` where there is none. */
  jsonOf(path: string): JsonObject | undefined;
  /**
   * Returns the folder of a package of the workspace; `undefined` where the workspace has no such
   * package.
   */
  folderOfPackage(name: string): string | undefined;
}

/** The path settings of a configuration; folders are paths from the workspace root. */
interface PathsConfig {
  readonly base?: string;
  readonly paths?: { readonly patterns: JsonObject; readonly folder: string };
}

/**
 * Resolves module names by `paths` and `baseUrl` of a `tsconfig.json` or `jsconfig.json`. Valid for
 * one state of the workspace.
 *
 * The nearest configuration with such settings counts, whether they are its own, inherited by
 * `extends`, or from a project that it references.
 *
 * Source: TypeScript, [paths](https://www.typescriptlang.org/tsconfig/#paths).
 */
export class CompilerPaths {
  readonly #parts: CompilerPathsParts;
  readonly #byFolder = new Map<string, PathsConfig | undefined>();

  constructor(parts: CompilerPathsParts) {
    this.#parts = parts;
  }

  /**
   * Returns the paths that a module name may mean in the file at `from`, the likeliest first; with
   * an extension only where the name has one. Empty without a configuration.
   */
  candidates(specifier: string, from: string): string[] {
    const { base, paths } = this.#configFor(folderOf(from)) ?? {};
    const targets = paths === undefined ? [] : this.#targetsOf(paths.patterns, specifier);
    return [
      ...targets.flatMap((target) => within(paths!.folder, target) ?? []),
      ...(base === undefined ? [] : [joinPath(base, specifier)]),
    ];
  }

  #targetsOf(patterns: JsonObject, specifier: string): readonly string[] {
    return specifier in patterns
      ? stringsOf(patterns[specifier])
      : patternTargets(patterns, specifier, (value) => stringsOf(value));
  }

  #configFor(folder: string): PathsConfig | undefined {
    if (this.#byFolder.has(folder)) return this.#byFolder.get(folder);
    const own = ["tsconfig.json", "jsconfig.json"].map((name) => this.#configAt(joinPath(folder, name), []));
    const found =
      own.find((one) => one !== undefined) ?? (folder === "" ? undefined : this.#configFor(folderOf(folder)));
    this.#byFolder.set(folder, found);
    return found;
  }

  /** Returns the path settings of a configuration; `undefined` where it has none. */
  #configAt(path: string, seen: readonly string[]): PathsConfig | undefined {
    if (seen.includes(path)) return undefined;
    const json = this.#parts.jsonOf(path);
    if (json === undefined) return undefined;
    const around = [...seen, path];
    let config: PathsConfig = {};
    for (const name of stringsOf(json["extends"])) {
      const inherited = this.#extended(path, name).map((one) => this.#configAt(one, around));
      config = { ...config, ...inherited.find((one) => one !== undefined) };
    }
    const options = asObject(json["compilerOptions"]) ?? {};
    const { baseUrl, paths } = options;
    const base = typeof baseUrl === "string" ? within(folderOf(path), baseUrl) : undefined;
    if (base !== undefined) config = { ...config, base };
    const patterns = asObject(paths);
    if (patterns !== undefined) config = { ...config, paths: { patterns, folder: config.base ?? folderOf(path) } };
    if (config.base !== undefined || config.paths !== undefined) return config;
    for (const reference of Array.isArray(json["references"]) ? (json["references"] as readonly unknown[]) : []) {
      const place = asObject(reference)?.["path"];
      const to = typeof place === "string" ? within(folderOf(path), place) : undefined;
      // A project in a folder below is found from that folder's own files.
      const isBeside = to?.endsWith(".json") === true && folderOf(to) === folderOf(path);
      const referred = isBeside ? this.#configAt(to, around) : undefined;
      if (referred !== undefined) return referred;
    }
    return undefined;
  }

  /** Returns where a configuration that another one extends may be. */
  #extended(path: string, name: string): string[] {
    const places = name.startsWith(".") ? [within(folderOf(path), name)] : [this.#inPackage(name)];
    return places.flatMap((place) => {
      if (place === undefined) return [];
      return place.endsWith(".json") ? [place] : [`${place}.json`, joinPath(place, "tsconfig.json")];
    });
  }

  #inPackage(specifier: string): string | undefined {
    const { name, rest } = packageParts(specifier);
    const folder = this.#parts.folderOfPackage(name);
    return folder === undefined ? undefined : joinPath(folder, rest);
  }
}

/** Splits a module name into the name of its package and the path after it. */
export function packageParts(specifier: string): { readonly name: string; readonly rest: string } {
  const steps = specifier.split("/");
  const count = specifier.startsWith("@") ? 2 : 1;
  return { name: steps.slice(0, count).join("/"), rest: steps.slice(count).join("/") };
}

/**
 * Returns a path below a folder with `.` and `..` resolved; `undefined` where it leads out of the
 * workspace.
 */
export function within(folder: string, path: string): string | undefined {
  return resolvedPath(joinPath(folder, "_"), path);
}

function stringsOf(value: unknown): string[] {
  return [value].flat().filter((one) => typeof one === "string");
}
