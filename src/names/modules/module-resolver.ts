import type { Resolver } from "enhanced-resolve/lib/ResolverFactory.js";
import { getOrInsert } from "../../text/index.ts";
import { folderOf, foldersAbove, isRelative, joinPath, tryResolvePath } from "../../workspace/index.ts";
import {
  asObject,
  type CompilerOptions,
  compilerOptions,
  type JsonObject,
  objectInJson,
  placed,
  stringsOf,
} from "./compiler-options.ts";
import { aFile, aFolder, createResolver, type ResolverFiles, resolveAtOnce } from "./create-resolver.ts";
import { declarationPath } from "./script-files.ts";
import { findPackages, type Packages } from "./script-project.ts";
import { built, configs, lenient, type Search, types, typesPackage, untypedTypes, usual } from "./searches.ts";
import { packageParts, packageRequest } from "./specifier.ts";

/** The files among which a {@link ModuleResolver} searches. */
export interface ModuleFiles {
  /**
   * A number that differs after a file came or went and after a JSON file changed. While it stays
   * the same, a module name means the same file.
   */
  readonly layout: number;
  /** The paths of all files, from the workspace's root, in any order. */
  paths(): Iterable<string>;
  has(path: string): boolean;
  /** The text of a file; `undefined` where there is none. Called for JSON files. */
  textOf(path: string): string | undefined;
}

/**
 * Resolves the module names of scripts to files of a workspace, by its own configuration.
 *
 * It follows TypeScript with `moduleResolution` `bundler`: relative paths, `paths` and `baseUrl` of
 * the nearest `tsconfig.json` or `jsconfig.json`, `imports` and `exports` of packages, and packages
 * in `node_modules` with their types. What TypeScript does not resolve may mean more: packages of
 * the workspace are found by their names, although they are not installed; a built file means its
 * source; all conditions of `exports` apply; extensions of components and of modules
 * (`.vue`, `.mts`) may be left out. `rootDirs` and `typesVersions` are not supported.
 *
 * Sources: TypeScript,
 * [modules reference](https://www.typescriptlang.org/docs/handbook/modules/reference.html);
 * Node.js, [packages](https://nodejs.org/api/packages.html).
 */
export class ModuleResolver {
  readonly #files: ModuleFiles;
  #state: ResolverState | undefined;

  constructor(files: ModuleFiles) {
    this.#files = files;
  }

  /**
   * Returns the file that a module name means in the file at `from`; `undefined` where it is
   * outside the workspace or is not found. Files other than scripts and components are not found.
   */
  resolve(specifier: string, from: string): string | undefined {
    return this.#current.resolve(specifier, folderOf(from));
  }

  /**
   * Returns the paths that `paths` and `baseUrl` give a module name in the file at `from`, the
   * likeliest first, whether files exist there or not; with an extension only where the name has
   * one.
   */
  candidates(specifier: string, from: string): readonly string[] {
    return this.#current.candidates(specifier, folderOf(from));
  }

  /**
   * Returns the name of the package that a file is in; `undefined` where no package around it has a
   * name.
   */
  packageOf(path: string): string | undefined {
    return this.#current.packageOf(path);
  }

  get #current(): ResolverState {
    const { layout } = this.#files;
    if (this.#state?.layout !== layout) this.#state = new ResolverState(this.#files, layout, this.#state?.jsons);
    return this.#state;
  }
}

/** The most projects beside a configuration that are read for their paths. */
const maxReferences = 100;

/**
 * The most results of one state that are cached. Where there are more, all are dropped: a state
 * ends with the next change of a file's place, and `lru-cache` reserves memory for all at once.
 */
const maxResults = 20_000;

/** A JSON text and its object. */
type ReadJson = { readonly text: string; readonly value: JsonObject | undefined };

/** What is known of one state of the files. */
class ResolverState {
  readonly layout: number;
  /** The JSON files that were read. */
  readonly jsons = new Map<string, ReadJson>();
  readonly #files: ModuleFiles;
  readonly #before: ReadonlyMap<string, ReadJson>;
  readonly #results = new Map<string, string | undefined>();
  readonly #configs = new Map<string, CompilerOptions | undefined>();
  readonly #resolvers = new Map<Search, Resolver>();
  #packages: Packages | undefined;

  constructor(files: ModuleFiles, layout: number, before: ReadonlyMap<string, ReadJson> = new Map()) {
    this.#files = files;
    this.layout = layout;
    this.#before = before;
  }

  resolve(specifier: string, folder: string): string | undefined {
    const key = `${folder}\n${specifier}`;
    const known = this.#results.get(key);
    if (known !== undefined || this.#results.has(key)) return known;
    if (this.#results.size >= maxResults) this.#results.clear();
    const found = this.#find(specifier, folder);
    this.#results.set(key, found);
    return found;
  }

  candidates(specifier: string, folder: string): readonly string[] {
    if (isRelative(specifier)) return [];
    const { paths, baseUrl } = this.#configFor(folder) ?? {};
    const targets = paths === undefined ? [] : targetsOf(paths.patterns, specifier);
    const all = targets.map((target) => placed(paths!.folder, target, paths!.configFolder));
    if (baseUrl !== undefined) all.push(tryResolvePath(baseUrl, specifier));
    return all.filter((one) => one !== undefined);
  }

  packageOf(path: string): string | undefined {
    for (const folder of foldersAbove(path).toReversed()) {
      const name = this.#jsonOf(joinPath(folder, "package.json"))?.["name"];
      if (typeof name === "string") return name;
    }
    return undefined;
  }

  #findFile(name: string, folder: string): string | undefined {
    const path = tryResolvePath(folder, name);
    // `..` means a folder, and never a file with the name of the folder.
    const isFolder = /(?:^|\/)\.{0,2}$/.test(name);
    const at = (search: Search) => (path === undefined ? undefined : this.#atPath(search, path, isFolder));
    return at(usual) ?? at(lenient);
  }

  #find(specifier: string, folder: string): string | undefined {
    if (isRelative(specifier)) {
      // Bundlers take a query off, such as `./logo.svg?raw`; `?` and `#` may also be in a name.
      const name = specifier.split(/[?#]/, 1)[0]!;
      return this.#findFile(specifier, folder) ?? (name === specifier ? undefined : this.#findFile(name, folder));
    }
    const candidates = this.candidates(specifier, folder);
    const atCandidates = (search: Search) => first(candidates, (path) => this.#atPath(search, path, false));
    return (
      atCandidates(usual) ??
      (this.#mayBePackage(specifier) ? this.#inPackages(specifier, folder) : undefined) ??
      atCandidates(lenient)
    );
  }

  #mayBePackage(specifier: string): boolean {
    if (specifier.startsWith("#")) return true;
    const { name } = packageParts(specifier);
    const { own, installed } = this.#known;
    return own.has(name) || installed.has(name) || installed.has(typesPackage(name));
  }

  /** The packages, which are searched when they are first needed. */
  get #known(): Packages {
    this.#packages ??= findPackages(this.#files.paths(), (path) => this.#jsonOf(path)?.["name"]);
    return this.#packages;
  }

  /**
   * Finds a file by the name of a package, or by the `imports` of the package around the folder.
   */
  #inPackages(specifier: string, folder: string): string | undefined {
    if (specifier.startsWith("#")) return first([usual, lenient, ...built], (one) => this.#at(one, specifier, folder));
    const { name, rest } = packageParts(specifier);
    const own = this.#known.own.get(name);
    const inOwn = (search: Search) => (own === undefined ? undefined : this.#inPackage(search, specifier, own));
    const installed = (search: Search) => this.#at(search, specifier, folder);
    const typed = (search: Search) => installed(search) ?? this.#at(search, joinPath(typesPackage(name), rest), folder);
    return (
      inOwn(usual) ??
      first([types, untypedTypes], typed) ??
      installed(usual) ??
      inOwn(lenient) ??
      typed(lenient) ??
      first(built, inOwn)
    );
  }

  /** Finds the configuration that another one in `folder` extends by the name of a package. */
  #configNamed(specifier: string, folder: string): string | undefined {
    const own = this.#known.own.get(packageParts(specifier).name);
    const inOwn = own === undefined ? undefined : this.#inPackage(configs, specifier, own);
    return inOwn ?? this.#at(configs, specifier, folder);
  }

  /** Finds a file of a package of the workspace, which lies in `folder`. */
  #inPackage(search: Search, specifier: string, folder: string): string | undefined {
    const request = packageRequest(specifier, this.#jsonOf(joinPath(folder, "package.json")));
    const found = this.#at(search, request, folder);
    if (found !== undefined || request === specifier || !built.includes(search)) return found;
    return this.#at(search, request === "." ? "./src/index" : `./src/${request.slice(2)}`, folder);
  }

  /**
   * Finds a file, or the entry of a folder. The library would find the same; most names are of
   * files, for which it takes some ten times as long.
   */
  #atPath(search: Search, path: string, isFolder: boolean): string | undefined {
    const fileAt = (one: string) => search.fileAt(one, this.#files, this.#packageFolder);
    const file = isFolder
      ? undefined
      : (fileAt(path) ??
        fileAt(declarationPath(path)) ??
        first(search.extensions, (extension) => fileAt(path + extension)));
    if (file !== undefined) return file;
    if (this.#files.has(joinPath(path, "package.json"))) return this.#at(search, `/${path}/`, "");
    return first(search.extensions, (extension) => fileAt(joinPath(path, search.mainFile + extension)));
  }

  #at(search: Search, request: string, folder: string): string | undefined {
    const path = resolveAtOnce(this.#resolverOf(search), request, folder);
    return path === undefined ? undefined : search.fileAt(path, this.#files, this.#packageFolder);
  }

  #resolverOf(search: Search): Resolver {
    return getOrInsert(this.#resolvers, search, () => createResolver({ ...search, files: this.#filesOf(search) }));
  }

  /** The files as a search sees them. */
  #filesOf({ fileAt }: Search): ResolverFiles {
    return {
      statsOf: (path) => {
        if (fileAt(path, this.#files, this.#packageFolder) !== undefined) return aFile;
        return this.#mayBeFolder(path) ? aFolder : undefined;
      },
      jsonOf: (path) => this.#jsonOf(path),
    };
  }

  /** Whether a path may be a folder; of those below `node_modules`, whether it is one. */
  #mayBeFolder(path: string): boolean {
    return !/(?:^|\/)node_modules(?:\/|$)/.test(path) || this.#known.folders.has(path);
  }

  /** The folder of the package around a path. */
  readonly #packageFolder = (path: string): string => {
    for (let at = folderOf(path); at !== ""; at = folderOf(at)) {
      if (this.#files.has(joinPath(at, "package.json"))) return at;
    }
    return "";
  };

  #configFor(folder: string): CompilerOptions | undefined {
    if (this.#configs.has(folder)) return this.#configs.get(folder);
    const path = ["tsconfig.json", "jsconfig.json"]
      .map((name) => joinPath(folder, name))
      .find((one) => this.#files.has(one));
    const found =
      path !== undefined
        ? this.#configAt(path, new Set())
        : folder === ""
          ? undefined
          : this.#configFor(folderOf(folder));
    this.#configs.set(folder, found);
    return found;
  }

  /**
   * Reads a configuration, or the first project beside it that it references and that has paths.
   */
  #configAt(path: string, seen: Set<string>): CompilerOptions | undefined {
    const config = compilerOptions(path, {
      jsonOf: (one) => this.#jsonOf(one),
      configNamed: (name, folder) => this.#configNamed(name, folder),
    });
    if (
      config === undefined ||
      seen.size >= maxReferences ||
      config.paths !== undefined ||
      config.baseUrl !== undefined
    )
      return config;
    seen.add(path);
    const { references } = this.#jsonOf(path) ?? {};
    for (const reference of Array.isArray(references) ? (references as readonly unknown[]) : []) {
      const place = asObject(reference)?.["path"];
      const to = typeof place === "string" ? tryResolvePath(folderOf(path), place) : undefined;
      // A project in a folder below is found from that folder's own files.
      const isBeside = to?.endsWith(".json") === true && folderOf(to) === folderOf(path) && !seen.has(to);
      const referred = isBeside ? this.#configAt(to, seen) : undefined;
      if (referred?.paths !== undefined || referred?.baseUrl !== undefined) return referred;
    }
    return config;
  }

  #jsonOf(path: string): JsonObject | undefined {
    const known = this.jsons.get(path);
    if (known !== undefined) return known.value;
    const text = this.#files.textOf(path);
    if (text === undefined) return undefined;
    const before = this.#before.get(path);
    const json = before?.text === text ? before : { text, value: objectInJson(text) };
    this.jsons.set(path, json);
    return json.value;
  }
}

function first<T>(all: readonly T[], find: (one: T) => string | undefined): string | undefined {
  for (const one of all) {
    const found = find(one);
    if (found !== undefined) return found;
  }
  return undefined;
}

/**
 * Returns the targets of a module name among `paths`. An exact name counts before patterns, and of
 * those the one with the longest prefix.
 */
function targetsOf(patterns: JsonObject, specifier: string): string[] {
  if (Object.hasOwn(patterns, specifier)) return stringsOf(patterns[specifier]);
  let best: { readonly start: string; readonly filled: string; readonly value: unknown } | undefined;
  for (const [pattern, value] of Object.entries(patterns)) {
    const [start, end, ...more] = pattern.split("*");
    if (start === undefined || end === undefined || more.length > 0) continue;
    if (!specifier.startsWith(start) || !specifier.endsWith(end)) continue;
    if (specifier.length < start.length + end.length || start.length <= (best?.start.length ?? -1)) continue;
    best = { start, filled: specifier.slice(start.length, specifier.length - end.length), value };
  }
  return best === undefined ? [] : stringsOf(best.value).map((target) => target.replace("*", () => best.filled));
}
