import { parse } from "jsonc-parser";
import { folderOf, joinPath, resolvedPath } from "../../../codebase/index.ts";
import { deepPlaceInJson } from "../../../text/index.ts";

/** The dependencies of {@link CompilerPaths}. */
interface CompilerPathsParts {
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

/**
 * Splits a module name into the name of its package and the path after it, which is empty where
 * there is none.
 */
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

/**
 * Returns the targets of an entry of `exports` or `imports` of a `package.json`: those of all
 * conditions in their order, with `*` replaced. `key` is as there: `.`, `./name` or `#name`. Empty
 * where no entry matches.
 *
 * No condition is preferred, because they depend on the program that runs the code.
 *
 * Source: Node.js, [packages](https://nodejs.org/api/packages.html#subpath-patterns).
 */
export function entryTargets(entries: unknown, key: string): string[] {
  const object = asObject(entries);
  const keys = object === undefined ? [] : Object.keys(object);
  if (object === undefined || !keys.some((one) => /^[.#]/.test(one))) return key === "." ? leavesOf(entries) : [];
  if (key in object && !key.includes("*")) return leavesOf(object[key]);
  return patternTargets(object, key, leavesOf);
}

/**
 * Returns the targets of a key among patterns with one `*`. The pattern with the longest prefix
 * counts, as in `exports` and in the `paths` of a compiler. Empty where none matches.
 */
function patternTargets(patterns: JsonObject, key: string, targetsOf: (value: unknown) => readonly string[]): string[] {
  let best: { readonly start: string; readonly filled: string; readonly value: unknown } | undefined;
  for (const [pattern, value] of Object.entries(patterns)) {
    const [start, end, ...more] = pattern.split("*");
    if (start === undefined || end === undefined || more.length > 0) continue;
    if (!key.startsWith(start) || !key.endsWith(end) || key.length < start.length + end.length) continue;
    if (best !== undefined && best.start.length >= start.length) continue;
    best = { start, filled: key.slice(start.length, key.length - end.length), value };
  }
  if (best === undefined) return [];
  const { filled, value } = best;
  return targetsOf(value).map((target) => target.replaceAll("*", () => filled));
}

/** All strings inside a value. */
function leavesOf(value: unknown): string[] {
  if (typeof value === "string") return [value];
  if (Array.isArray(value)) return value.flatMap(leavesOf);
  return Object.values(asObject(value) ?? {}).flatMap(leavesOf);
}

/** A JSON object. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** The most texts that are cached. */
const maxTexts = 500;

/**
 * A cache of the objects in JSON texts; comments are allowed. Each text is parsed once while it is
 * unchanged.
 */
export class JsonTexts {
  /** By path, the least recently used first. */
  readonly #known = new Map<string, { readonly text: string; readonly value: JsonObject | undefined }>();

  /** Returns the object in a text; `undefined` where it contains no object or nests too deeply. */
  of(path: string, text: string): JsonObject | undefined {
    const known = this.#known.get(path);
    this.#known.delete(path);
    const value =
      known?.text === text
        ? known.value
        : asObject(deepPlaceInJson(text) === undefined ? (parse(text) as unknown) : undefined);
    this.#known.set(path, { text, value });
    for (const [oldest] of this.#known) {
      if (this.#known.size <= maxTexts) break;
      this.#known.delete(oldest);
    }
    return value;
  }
}

/** Returns a value as an object; `undefined` where it is none. */
function asObject(value: unknown): JsonObject | undefined {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as JsonObject) : undefined;
}
