import { parseJsonWithComments } from "../../syntax/index.ts";
import { isRecord } from "../../text/index.ts";
import { folderOf, isRelative, joinPath, tryResolvePath } from "../../workspace/index.ts";

/** A JSON object. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** The files that {@link compilerOptions} reads. */
export interface ConfigFiles {
  /** Returns the object in a JSON file; `undefined` where there is none. */
  jsonOf(path: string): JsonObject | undefined;
  /**
   * Returns the configuration that a name means which is not relative, such as `@tsconfig/node20`;
   * `undefined` where it is not found.
   */
  configNamed(name: string, folder: string): string | undefined;
}

/** The options of a `tsconfig.json` or `jsconfig.json`, with those that it inherits. */
export interface CompilerOptions {
  /** `compilerOptions`; `baseUrl` and `paths` are as they are written. */
  readonly options: JsonObject;
  /** The folder that `baseUrl` names; `undefined` without it and outside the workspace. */
  readonly baseUrl?: string;
  /** The targets of `paths` start from `folder`; `${configDir}` in them is `configFolder`. */
  readonly paths?: { readonly patterns: JsonObject; readonly folder: string; readonly configFolder: string };
  /** Whether a configuration that it extends, however many steps away, does not exist. */
  readonly isIncomplete: boolean;
}

interface OwnPaths {
  readonly options: JsonObject;
  readonly base?: string | undefined;
  /** The folder of the configuration that has `paths`. */
  readonly pathsFolder?: string;
  readonly isIncomplete: boolean;
}

/**
 * Reads the options of a configuration and of those that it extends; `undefined` where there is no
 * configuration. One that extends itself is read once.
 *
 * Source: TypeScript, [extends](https://www.typescriptlang.org/tsconfig/#extends).
 */
export function compilerOptions(path: string, files: ConfigFiles): CompilerOptions | undefined {
  const read = readOptions(path, files, folderOf(path), new Map());
  if (read === undefined) return undefined;
  const { options, base, pathsFolder, isIncomplete } = read;
  const patterns = asObject(options["paths"]);
  // `paths` of a parent start from the `baseUrl` of a child.
  const folder = base ?? pathsFolder;
  return {
    ...{ options, isIncomplete },
    ...(base === undefined ? {} : { baseUrl: base }),
    ...(patterns === undefined || folder === undefined
      ? {}
      : { paths: { patterns, folder, configFolder: folderOf(path) } }),
  };
}

/** The most configurations that one extends; further ones are left out. */
const maxConfigs = 100;

/** Each configuration is read once; one that is being read is `undefined` in `known`. */
function readOptions(
  path: string,
  files: ConfigFiles,
  configFolder: string,
  known: Map<string, OwnPaths | undefined>,
): OwnPaths | undefined {
  if (known.has(path)) return known.get(path);
  const json = known.size < maxConfigs ? files.jsonOf(path) : undefined;
  if (json === undefined) return undefined;
  known.set(path, undefined);
  let all: OwnPaths = { options: {}, isIncomplete: false };
  for (const name of stringsOf(json["extends"])) {
    const place = extendedPaths(name, folderOf(path), files).find((one) => files.jsonOf(one) !== undefined);
    const parent = place === undefined ? undefined : readOptions(place, files, configFolder, known);
    const isIncomplete = all.isIncomplete || place === undefined || parent?.isIncomplete === true;
    all = { ...all, ...parent, options: { ...all.options, ...parent?.options }, isIncomplete };
  }
  const own = asObject(json["compilerOptions"]) ?? {};
  const { baseUrl } = own;
  all = {
    ...{ ...all, options: { ...all.options, ...own } },
    ...(typeof baseUrl === "string" ? { base: placed(folderOf(path), baseUrl, configFolder) } : {}),
    ...(asObject(own["paths"]) === undefined ? {} : { pathsFolder: folderOf(path) }),
  };
  known.set(path, all);
  return all;
}

/** Where a configuration that another one extends may be. */
function extendedPaths(name: string, folder: string, files: ConfigFiles): string[] {
  const place = isRelative(name) || name.startsWith(configDir) ? placed(folder, name, folder) : undefined;
  if (place !== undefined) {
    return place.endsWith(".json") ? [place] : [`${place}.json`, joinPath(place, "tsconfig.json")];
  }
  const named = isRelative(name) || name.startsWith("/") ? undefined : files.configNamed(name, folder);
  return named === undefined ? [] : [named];
}

/**
 * Returns the path that a configuration in `folder` names; `undefined` outside the workspace.
 *
 * `${configDir}` is the folder of the configuration that is read first.
 */
export function placed(folder: string, path: string, configFolder: string): string | undefined {
  const isOfConfig = path.startsWith(configDir);
  return tryResolvePath(isOfConfig ? configFolder : folder, isOfConfig ? path.slice(configDir.length) : path);
}

// biome-ignore lint/suspicious/noTemplateCurlyInString: TypeScript's own variable.
const configDir = "${configDir}";

/** Returns a value as an object; `undefined` where it is none. */
export function asObject(value: unknown): JsonObject | undefined {
  return isRecord(value) ? value : undefined;
}

/** Returns the object in a JSON text, which may have comments; `undefined` where it is none. */
export function objectInJson(text: string): JsonObject | undefined {
  return asObject(parseJsonWithComments(text));
}

/** The strings of a list, or a string alone. */
export function stringsOf(value: unknown): string[] {
  return [value].flat().filter((one) => typeof one === "string");
}
