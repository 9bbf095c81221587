import { joinPath } from "../../workspace/index.ts";

/** The files that are searched. */
export interface SearchedFiles {
  has(path: string): boolean;
}

const sources: Readonly<Record<string, readonly string[]>> = {
  ".js": [".ts", ".tsx", ".d.ts"],
  ".jsx": [".tsx", ".ts", ".d.ts"],
  ".mjs": [".mts", ".d.mts"],
  ".cjs": [".cts", ".d.cts"],
};

/**
 * Returns the paths of the TypeScript files that a path means, the first that exists counts: the
 * path itself, or those that a path of JavaScript stands for. Empty for other paths.
 */
export function typePaths(path: string): readonly string[] {
  const ending = endingOf(path);
  if (ending === undefined) return [];
  if (isTypeScript.test(ending)) return [path];
  const stem = path.slice(0, -ending.length);
  return sources[ending]?.map((one) => stem + one) ?? [];
}

/**
 * Returns the path of the declarations of a file of TypeScript that is named with its extension.
 */
export function declarationPath(path: string): string {
  return path.replace(/(?:\.d)?\.([cm]?)tsx?$/, ".d.$1ts");
}

/** Returns the TypeScript file that a path means; `undefined` where there is none. */
export function typesFor(path: string, files: SearchedFiles): string | undefined {
  return typePaths(path).find((one) => files.has(one));
}

/** Returns the file of JavaScript or the component at a path; `undefined` where there is none. */
export function scriptFor(path: string, files: SearchedFiles): string | undefined {
  const ending = endingOf(path);
  if (ending === undefined || isTypeScript.test(ending)) return undefined;
  if (files.has(path)) return path;
  const stem = path.slice(0, -ending.length);
  if (ending === ".js" && files.has(`${stem}.jsx`)) return `${stem}.jsx`;
  return ending === ".jsx" && files.has(`${stem}.js`) ? `${stem}.js` : undefined;
}

const isTypeScript = /^\.[cm]?tsx?$/;

function endingOf(path: string): string | undefined {
  return /\.(?:[cm]?[jt]sx?|vue|svelte|astro)$/.exec(path)?.[0];
}

/**
 * Returns the source that a file in a folder of build results is made from, by its path: in `src`,
 * or in the folder around. `undefined` where there is none, and below `node_modules`.
 */
export function sourceOf(
  path: string,
  files: SearchedFiles,
  packageFolder: (path: string) => string,
): string | undefined {
  if (/(?:^|\/)node_modules\//.test(path)) return undefined;
  const root = packageFolder(path);
  const inner = root === "" ? path : path.slice(root.length + 1);
  const steps = inner.replace(/(?:\.d)?\.[cm]?[jt]sx?$/, "").split("/");
  const start = steps.findIndex((step) => step === "src" || isOfBuild.test(step));
  if (start < 0 || steps[start] === "src") return undefined;
  const length = steps.slice(start).findIndex((step) => !isOfBuild.test(step));
  if (length < 0) return undefined;
  const base = joinPath(root, steps.slice(0, start).join("/"));
  const rest = steps.slice(start + length).join("/");
  for (const stem of [`src/${rest}`, rest, `src/${rest}/index`]) {
    const file = joinPath(base, stem);
    const ending = endings.find((one) => files.has(file + one));
    if (ending !== undefined) return file + ending;
  }
  return undefined;
}

const endings = [
  ...[".ts", ".tsx", ".d.ts", ".mts", ".cts", ".js", ".jsx", ".mjs", ".cjs", ".vue", ".svelte", ".astro"],
];

const isOfBuild =
  /^(?:dist|build|built|lib|out|output|es|esm|cjs|mjs|umd|types|typings|legacy|modern|production|development)$/;
