import { comparePaths, folderOf, joinPath, nameOf } from "../../workspace/index.ts";
import {
  asObject,
  type CompilerOptions,
  type ConfigFiles,
  compilerOptions,
  type JsonObject,
  objectInJson,
  placed,
  stringsOf,
} from "./compiler-options.ts";
import { aFile, aFolder, createResolver, resolveAtOnce } from "./create-resolver.ts";
import { configs as configSearch } from "./searches.ts";
import { packageParts, packageRequest } from "./specifier.ts";

/** Input for {@link scriptProject}. All paths are relative to the workspace's root. */
export interface ScriptProjectParts {
  /** The files of the workspace. */
  readonly paths: readonly string[];
  /**
   * The text of a file, or `undefined` if it doesn't exist. Called for JSON files: manifests and
   * configurations, also where an installed package may have them.
   */
  readonly readText: (path: string) => Promise<string | undefined>;
}

/** One TypeScript project with all scripts of a workspace. */
export interface ScriptProject {
  /** The text of its `tsconfig.json`, to be placed in the workspace's root. */
  readonly config: string;
  /** The scripts of the project. */
  readonly scripts: readonly string[];
  /**
   * The configuration file that the strictness options come from; `undefined` if there is none, and
   * the project is strict.
   */
  readonly optionsFrom: string | undefined;
}

/**
 * Makes a single TypeScript project of all scripts of a workspace.
 *
 * With one project, the language service finds all references, including those in packages that
 * aren't built and in files that no configuration includes. A service that opens projects one by
 * one finds references in open projects only. The drawback is that all files share the compiler
 * options of the configuration nearest to the root. Packages of the workspace resolve by name to
 * their sources, and the `paths` of each configuration are kept.
 */
export async function scriptProject({ paths, readText }: ScriptProjectParts): Promise<ScriptProject> {
  const known = new Set(paths);
  const scripts = paths.filter((path) => isScript(path) && !isBuiltFrom(path, known));
  const manifests = new Map<string, Json>();
  for (const path of byDepth(paths.filter((one) => nameOf(one) === "package.json"))) {
    const json = objectInJson((await readText(path)) ?? "");
    if (json !== undefined) manifests.set(path, json);
  }
  const version = [...manifests.values()].map(typeScriptOf).find((one) => one !== undefined);
  const packages = [...manifests].flatMap(([path, { name }]) => {
    return typeof name === "string" && folderOf(path) !== "" ? [[folderOf(path), name] as const] : [];
  });
  const configPaths = byDepth(paths.filter((one) => /(^|\/)[tj]sconfig[^/]*\.json$/.test(one)));
  const { own } = findPackages(manifests.keys(), (path) => manifests.get(path)?.["name"]);
  const read = await readConfigs(configPaths, { packages: own, readText });
  const configs = new Map([...read].map(([path, config]) => [path, optionsOf(config)]));
  const optionsFrom = [...configs].find(
    ([path, options]) => /(^|\/)[tj]sconfig(\.base)?\.json$/.test(path) && size(options),
  )?.[0];
  const options = optionsFrom === undefined ? { strict: true } : configs.get(optionsFrom)!;
  // TypeScript is strict by default from version 6 on, and so is the service.
  const isLoose = options["strict"] === undefined && version !== undefined && version < 6;
  const compilerOptions = {
    ...(isLoose ? { strict: false } : {}),
    ...Object.fromEntries(Object.entries(options).filter(([name]) => kept.has(name))),
    ...(optionsFrom === undefined ? { strict: true } : {}),
    target: "es2022",
    lib: libOf(options),
    module: "esnext",
    moduleResolution: "bundler",
    jsx: (await hasJsxRuntime(options, readText)) ? "react-jsx" : "preserve",
    moduleDetection: "legacy",
    allowJs: true,
    checkJs: options["checkJs"] === true,
    noEmit: true,
    skipLibCheck: true,
    allowImportingTsExtensions: true,
    resolveJsonModule: true,
    esModuleInterop: true,
    paths: pathsOf(configs, packages, known),
  };
  return {
    config: JSON.stringify({ compilerOptions, files: scripts.map((path) => `./${path}`) }),
    scripts,
    optionsFrom,
  };
}

/** The major version of TypeScript in a package's dependencies, if there is one. */
function typeScriptOf(json: Json | undefined): number | undefined {
  for (const kind of ["devDependencies", "dependencies", "peerDependencies"]) {
    const versions = json?.[kind];
    const range = asObject(versions)?.["typescript"];
    const major = typeof range === "string" ? /^[\^~>=v ]*(\d+)/.exec(range)?.[1] : undefined;
    if (major !== undefined) return Number(major);
  }
  return undefined;
}

/**
 * Whether a path names a script that TypeScript reads, by its extension; minified scripts
 * (`.min.js`) are not read.
 */
export function isScript(path: string): boolean {
  return /\.[cm]?[tj]sx?$/.test(path) && !/\.min\.[cm]?js$/.test(path);
}

/**
 * Whether a script may declare names for all scripts of a project, whichever import it: a
 * declaration file (`.d.ts`), one that is no module, or one that augments modules or the global
 * scope. True for a few scripts that declare none.
 */
export function mayDeclareForAll(path: string, text: string): boolean {
  if (/\.d\.([^./]+\.)?[cm]?ts$/.test(path) || /\bdeclare\s+(global|module)\b/.test(text)) return true;
  const isCommonJs = /\.c?jsx?$/.test(path) && /\brequire\s*\(|\bexports\b/.test(text);
  return !isCommonJs && !/^[ \t]*(import|export)\b/m.test(text);
}

/**
 * Whether a path names a file that says how the scripts of a project are read: `package.json`,
 * `tsconfig.json`, `jsconfig.json`, and variants such as `tsconfig.base.json`.
 */
export function configuresScripts(path: string): boolean {
  return /(^|\/)([tj]sconfig[^/]*|package)\.json$/.test(path);
}

type Json = Readonly<Record<string, unknown>>;

/** The options that decide which code has errors. Output options don't matter here. */
const kept: ReadonlySet<string> = new Set([
  ...["strict", "noImplicitAny", "strictNullChecks", "strictFunctionTypes", "strictPropertyInitialization"],
  ...["strictBindCallApply", "noImplicitThis", "noImplicitOverride", "exactOptionalPropertyTypes"],
  ...["noUncheckedIndexedAccess", "useUnknownInCatchVariables", "experimentalDecorators", "emitDecoratorMetadata"],
  ...["jsxImportSource", "jsxFactory", "jsxFragmentFactory", "customConditions", "types", "typeRoots"],
]);

/** Whether a script is next to the source that it was compiled from. */
function isBuiltFrom(path: string, known: ReadonlySet<string>): boolean {
  const made = /^(.*)\.([cm]?)js(x?)$/.exec(path);
  if (made === null) return false;
  const [, stem, kind, jsx] = made;
  return known.has(`${stem}.${kind}ts${jsx}`) || known.has(`${stem}.${kind}tsx`);
}

function byDepth(paths: readonly string[]): string[] {
  const depth = (path: string) => path.split("/").length;
  return [...paths].sort((a, b) => depth(a) - depth(b) || (a < b ? -1 : 1));
}

/** The options of a configuration, with `paths` relative to the workspace's root. */
function optionsOf({ options, paths, baseUrl, isIncomplete }: CompilerOptions): Json {
  const all: Record<string, readonly string[]> = {};
  for (const [pattern, targets] of Object.entries(paths?.patterns ?? {})) {
    const inside = stringsOf(targets).flatMap((target) => placed(paths!.folder, target, paths!.configFolder) ?? []);
    if (inside.length > 0) all[pattern] = inside.map((target) => `./${target}`);
  }
  // TypeScript 7 has no `baseUrl`: it becomes a path pattern.
  if (baseUrl !== undefined) all["*"] = [...(all["*"] ?? []), `./${joinPath(baseUrl, "*")}`];
  const { paths: _, ...others } = options;
  return {
    // A configuration that extends a missing file usually takes its strictness from it.
    ...(isIncomplete ? { strict: true } : {}),
    ...others,
    ...(Object.keys(all).length > 0 ? { paths: all } : {}),
  };
}

function pathsOf(
  configs: ReadonlyMap<string, Json>,
  packages: readonly (readonly [folder: string, name: string])[],
  known: ReadonlySet<string>,
): Record<string, readonly string[]> {
  const all: Record<string, readonly string[]> = {};
  const add = (pattern: string, targets: readonly string[]) => {
    all[pattern] = [...new Set([...(all[pattern] ?? []), ...targets])];
  };
  for (const options of configs.values()) {
    const paths = asObject(options["paths"]) ?? {};
    // TypeScript tries each target until a file exists, so the paths of one configuration don't
    // affect others.
    for (const [pattern, targets] of Object.entries(paths)) add(pattern, targets as readonly string[]);
  }
  for (const [folder, name] of packages) {
    const entry = entries.map((one) => `${folder}/${one}`).find((path) => known.has(path));
    if (entry !== undefined) add(name, [`./${entry}`]);
    add(`${name}/*`, [`./${folder}/src/*`, `./${folder}/*`]);
  }
  return all;
}

/** Usual locations of a package's source entry. */
const entries = ["ts", "tsx", "mts", "js", "mjs"].flatMap((end) =>
  ["src/index", "index", "src/main", "src/mod", "lib/index", "mod"].map((stem) => `${stem}.${end}`),
);

/** Whether JSX can be type-checked: without the runtime library, each element would be an error. */
async function hasJsxRuntime(options: Json, readText: ScriptProjectParts["readText"]): Promise<boolean> {
  if (!String(options["jsx"]).startsWith("react-")) return false;
  const library = typeof options["jsxImportSource"] === "string" ? options["jsxImportSource"] : "react";
  return (await readText(`node_modules/${library}/package.json`)) !== undefined;
}

function libOf(options: Json): readonly unknown[] {
  const { lib } = options;
  return Array.isArray(lib) && lib.length > 0 ? lib : ["esnext", "dom", "dom.iterable"];
}

function size(options: Json): boolean {
  return Object.keys(options).length > 0;
}

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

/** The packages among the files of a workspace. */
export interface Packages {
  /** The folders of the workspace's own packages, by their names. */
  readonly own: ReadonlyMap<string, string>;
  /** The names of the packages in folders named `node_modules`. */
  readonly installed: ReadonlySet<string>;
  /** The folders named `node_modules`, and all below them. */
  readonly folders: ReadonlySet<string>;
}

/** Finds the packages; `nameIn` returns the name in a manifest. */
export function findPackages(paths: Iterable<string>, nameIn: (path: string) => unknown): Packages {
  const [own, installed, folders] = [new Map<string, string>(), new Set<string>(), new Set<string>()];
  const manifests: string[] = [];
  for (const path of paths) {
    if (!/(?:^|\/)node_modules\//.test(path)) {
      if (nameOf(path) === "package.json") manifests.push(path);
      continue;
    }
    for (let folder = folderOf(path); !folders.has(folder); folder = folderOf(folder)) {
      folders.add(folder);
      if (nameOf(folder) === "node_modules") break;
      const name = /(?:^|\/)node_modules\/((?:@[^/]+\/)?[^/@][^/]*)$/.exec(folder)?.[1];
      if (name !== undefined) installed.add(name);
    }
  }
  // Of copies, such as those in tests, the one in the highest folder counts.
  manifests.sort((one, other) => one.length - other.length || comparePaths(one, other));
  for (const path of manifests) {
    const name = nameIn(path);
    if (typeof name === "string" && !own.has(name)) own.set(name, folderOf(path));
  }
  return { own, installed, folders };
}
