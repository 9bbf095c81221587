import { type SearchedFiles, scriptFor, sourceOf, typesFor } from "./script-files.ts";

/** Which files a search sees, and which parts of a manifest apply to it. */
export interface Search {
  readonly extensions: readonly string[];
  readonly conditions: readonly string[];
  readonly mainFields: readonly string[];
  /** The name of an entry in a folder, without extension. */
  readonly mainFile: string;
  /**
   * Returns the file that a path means; `undefined` where there is none. `packageFolder` returns
   * the folder of the package around a path.
   */
  fileAt(path: string, files: SearchedFiles, packageFolder: (path: string) => string): string | undefined;
}

const entries = { mainFields: ["typings", "types", "main", "module", "source"], mainFile: "index" };
const typesFirst: Search["fileAt"] = (path, files) => typesFor(path, files) ?? scriptFor(path, files);

/** As TypeScript. */
export const usual: Search = {
  ...{ ...entries, extensions: [".ts", ".tsx", ".d.ts", ".js", ".jsx"], conditions: ["types", "import"] },
  fileAt: typesFirst,
};

/** As TypeScript in installed packages, where types anywhere come before JavaScript anywhere. */
export const types: Search = { ...usual, extensions: [".ts", ".tsx", ".d.ts"], fileAt: typesFor };
/** TypeScript tries the next condition where a file of types is missing. */
export const untypedTypes: Search = { ...types, conditions: ["import"] };

/** With what bundlers and other programs resolve besides. */
export const lenient: Search = {
  ...entries,
  extensions: [
    ...[...usual.extensions, ".mts", ".cts", ".d.mts", ".d.cts", ".mjs", ".cjs"],
    ...[".vue", ".svelte", ".astro"],
  ],
  conditions: [
    ...[...usual.conditions, "require", "node", "module", "module-sync", "source", "development", "production"],
    ...["browser", "worker", "deno", "bun", "svelte", "vue", "astro", "react-server", "react-native"],
  ],
  fileAt: typesFirst,
};

/** Sources by the paths of their built files. */
export const built: readonly Search[] = [usual, lenient].map(({ conditions }) => ({
  ...{ ...lenient, conditions },
  fileAt: (path, files, packageFolder) =>
    typesFirst(path, files, packageFolder) ?? sourceOf(path, files, packageFolder),
}));

export const configs: Search = {
  ...{ extensions: [".json"], conditions: ["types", "require", "import", "node"] },
  ...{ mainFields: ["tsconfig"], mainFile: "tsconfig" },
  fileAt: (path, files) => (path.endsWith(".json") && files.has(path) ? path : undefined),
};

/** The package with the types of another one. */
export function typesPackage(name: string): string {
  return `@types/${name.replace(/^@([^/]+)\//, "$1__")}`;
}
