import { folderOf, joinPath } from "../../codebase/index.ts";
import { resolvedPath } from "../../codebase/repair/module-paths.ts";
import { patternTargets } from "./entry-targets.ts";
import { asObject, type JsonObject } from "./json-texts.ts";

/** What {@link CompilerPaths} asks. */
export interface CompilerPathsParts {
  /** The object that a JSON file holds; `undefined` where there is none. */
  jsonOf(path: string): JsonObject | undefined;
  /** The folder of a package of the workspace; `undefined` where it is none of it. */
  folderOfPackage(name: string): string | undefined;
}

/** What a configuration says of where modules are; folders are paths from the workspace's root. */
interface PathsConfig {
  readonly base?: string;
  readonly paths?: { readonly patterns: JsonObject; readonly folder: string };
}

/**
 * Which files the `paths` and the `baseUrl` of a `tsconfig.json` or `jsconfig.json` mean by the name of a module. It is true for one moment of the workspace.
 *
 * The nearest configuration counts that says anything of it, itself, by what it extends, or by the projects that it refers to.
 * Source: TypeScript, [paths](https://www.typescriptlang.org/tsconfig/#paths).
 */
export class CompilerPaths {
  readonly #parts: CompilerPathsParts;
  readonly #byFolder = new Map<string, PathsConfig | undefined>();

  constructor(parts: CompilerPathsParts) {
    this.#parts = parts;
  }

  /** Paths, without endings as the name may be, that a module's name may mean in the file at `from`; the likeliest first. */
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

  /** What a configuration says of paths; `undefined` where it says nothing. */
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
      // What lies in a folder below is asked of that folder's own files.
      const isBeside = to?.endsWith(".json") === true && folderOf(to) === folderOf(path);
      const referred = isBeside ? this.#configAt(to, around) : undefined;
      if (referred !== undefined) return referred;
    }
    return undefined;
  }

  /** Where a configuration may be that another one extends. */
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

/** The name of a package in a module's name, and what follows behind the next slash. */
export function packageParts(specifier: string): { readonly name: string; readonly rest: string } {
  const steps = specifier.split("/");
  const count = specifier.startsWith("@") ? 2 : 1;
  return { name: steps.slice(0, count).join("/"), rest: steps.slice(count).join("/") };
}

/** A path below a folder, `.` and `..` resolved; `undefined` where it leads out of the workspace. */
export function within(folder: string, path: string): string | undefined {
  return resolvedPath(joinPath(folder, "_"), path);
}

function stringsOf(value: unknown): string[] {
  return [value].flat().filter((one) => typeof one === "string");
}
