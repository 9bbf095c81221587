import {
  type CompilerOptions,
  type ConfigFiles,
  compilerOptions,
  type JsonObject,
  objectInJson,
} from "./compiler-options.ts";
import { aFile, aFolder, createResolver, resolveAtOnce } from "./create-resolver.ts";
import { configs as configSearch } from "./searches.ts";
import { packageParts, packageRequest } from "./specifier.ts";

/** Input for {@link readConfigs}. */
export interface ConfigSource {
  /** The folders of packages of the workspace by their names. */
  readonly packages: ReadonlyMap<string, string>;
  /** Returns the text of a JSON file, or `undefined` where there is none. */
  readonly readText: (path: string) => Promise<string | undefined>;
}

/**
 * Reads the options of configurations with those that they inherit, also from installed packages.
 * Configurations that do not exist are left out.
 */
export async function readConfigs(
  paths: readonly string[],
  { packages, readText }: ConfigSource,
): Promise<ReadonlyMap<string, CompilerOptions>> {
  const known = new Map<string, JsonObject | undefined>();
  const unknown = new Set<string>();
  const jsonOf = (path: string) => {
    if (!known.has(path)) unknown.add(path);
    return known.get(path);
  };
  const files: ConfigFiles = { jsonOf, configNamed: configFinder(packages, jsonOf) };
  // What is not read yet counts as missing; then it is read, and everything is resolved once more.
  for (;;) {
    const found = paths.flatMap((path) => {
      const options = compilerOptions(path, files);
      return options === undefined ? [] : [[path, options] as const];
    });
    if (unknown.size === 0) return new Map(found);
    const wanted = [...unknown];
    unknown.clear();
    const texts = await Promise.all(wanted.map((path) => readText(path)));
    for (const [index, path] of wanted.entries()) {
      const text = texts[index];
      known.set(path, text === undefined ? undefined : objectInJson(text));
    }
  }
}

function configFinder(
  packages: ReadonlyMap<string, string>,
  jsonOf: (path: string) => JsonObject | undefined,
): ConfigFiles["configNamed"] {
  const resolver = createResolver({
    ...configSearch,
    files: {
      statsOf(path) {
        if (!path.endsWith(".json")) return aFolder;
        return jsonOf(path) === undefined ? undefined : aFile;
      },
      jsonOf,
    },
  });
  return (specifier, folder) => {
    const own = packages.get(packageParts(specifier).name);
    const request = own === undefined ? specifier : packageRequest(specifier, jsonOf(`${own}/package.json`));
    const inOwn = own === undefined ? undefined : resolveAtOnce(resolver, request, own);
    return inOwn ?? resolveAtOnce(resolver, specifier, folder);
  };
}
