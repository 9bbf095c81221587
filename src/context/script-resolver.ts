import { exports as resolveExports } from "resolve.exports";
import { folderOf, joinPath } from "../codebase/index.ts";
import { parseJsonWithComments } from "../syntax/index.ts";
import type { CodeIndex } from "./code-index.ts";

/**
 * Finds the file that a module's specifier in the file `from` means, among the files of an index
 * alone; `undefined` where it has none.
 *
 * Relative paths, with the extensions that TypeScript tries and `.js` for `.ts`; `paths` and
 * `baseUrl` of the nearest `tsconfig.json` or `jsconfig.json` and those it extends; packages of the
 * workspace by their name (`exports`, `types`, `module`, `main`), where a built file means its
 * source; packages under `node_modules` that the index has, their types first.
 *
 * Source: https://www.typescriptlang.org/docs/handbook/modules/reference.html
 */
export function tryResolveScript(index: CodeIndex, specifier: string, from: string): string | undefined {
  const folder = folderOf(from);
  if (/^\.\.?(?:\/|$)/.test(specifier)) {
    const path = normal(folder, specifier);
    return path === undefined ? undefined : fileAt(index, path);
  }
  return byPaths(index, specifier, folder) ?? byPackage(index, specifier, folder);
}

const endings = [".ts", ".tsx", ".d.ts", ".mts", ".cts", ".js", ".jsx", ".mjs", ".cjs", ".vue", ".svelte"];
const sourceOf: Readonly<Record<string, readonly string[]>> = {
  ".js": [".ts", ".tsx", ".d.ts"],
  ".jsx": [".tsx"],
  ".mjs": [".mts", ".d.mts"],
  ".cjs": [".cts", ".d.cts"],
};

function fileAt(index: CodeIndex, path: string): string | undefined {
  const dot = /\.[cm]?jsx?$/.exec(path)?.[0];
  if (dot !== undefined) {
    for (const ending of sourceOf[dot]!) {
      const source = path.slice(0, -dot.length) + ending;
      if (index.has(source)) return source;
    }
  }
  if (index.has(path)) return path;
  for (const ending of endings) if (index.has(path + ending)) return path + ending;
  for (const ending of endings) {
    const inner = joinPath(path, `index${ending}`);
    if (index.has(inner)) return inner;
  }
  return undefined;
}

/** `base` with a relative path behind it, `.` and `..` worked out; `undefined` above the root. */
function normal(base: string, relative: string): string | undefined {
  const parts = base === "" ? [] : base.split("/");
  for (const part of relative.split("/")) {
    if (part === "..") {
      if (parts.pop() === undefined) return undefined;
    } else if (part !== "." && part !== "") parts.push(part);
  }
  return parts.join("/");
}

interface CompilerPaths {
  /** The folder that the targets start from. */
  readonly base: string;
  readonly hasBaseUrl: boolean;
  readonly paths: Readonly<Record<string, readonly string[]>>;
}

function byPaths(index: CodeIndex, specifier: string, folder: string): string | undefined {
  const config = nearest(index, folder, ["tsconfig.json", "jsconfig.json"]);
  const compiler = config === undefined ? undefined : compilerPaths(index, config, 0);
  if (compiler === undefined) return undefined;
  // The longest text before the star wins.
  const patterns = Object.keys(compiler.paths).sort((one, other) => other.indexOf("*") - one.indexOf("*"));
  for (const pattern of patterns) {
    const star = matchStar(pattern, specifier);
    if (star === undefined) continue;
    for (const target of compiler.paths[pattern]!) {
      const path = normal(
        compiler.base,
        target.replace("*", () => star),
      );
      const file = path === undefined ? undefined : fileAt(index, path);
      if (file !== undefined) return file;
    }
  }
  const path = compiler.hasBaseUrl ? normal(compiler.base, specifier) : undefined;
  return path === undefined ? undefined : fileAt(index, path);
}

function matchStar(pattern: string, specifier: string): string | undefined {
  const at = pattern.indexOf("*");
  if (at < 0) return pattern === specifier ? "" : undefined;
  const [head, tail] = [pattern.slice(0, at), pattern.slice(at + 1)];
  const fits = specifier.length >= head.length + tail.length && specifier.startsWith(head) && specifier.endsWith(tail);
  return fits ? specifier.slice(head.length, specifier.length - tail.length) : undefined;
}

function compilerPaths(index: CodeIndex, config: string, depth: number): CompilerPaths | undefined {
  const json = readJson(index, config);
  if (json === undefined) return undefined;
  const folder = folderOf(config);
  const options = recordOf(json["compilerOptions"]);
  const baseUrl = typeof options["baseUrl"] === "string" ? normal(folder, options["baseUrl"]) : undefined;
  if (options["paths"] !== undefined || baseUrl !== undefined) {
    const paths: Record<string, readonly string[]> = {};
    for (const [pattern, targets] of Object.entries(recordOf(options["paths"]))) paths[pattern] = stringsOf(targets);
    return { base: baseUrl ?? folder, hasBaseUrl: baseUrl !== undefined, paths };
  }
  for (const parent of stringsOf(json["extends"]).toReversed()) {
    const path = parent.startsWith(".") ? normal(folder, parent) : undefined;
    const file = [path, `${path}.json`, `${path}/tsconfig.json`].find((one) => one !== undefined && index.has(one));
    const found = file === undefined || depth > 8 ? undefined : compilerPaths(index, file, depth + 1);
    if (found !== undefined) return found;
  }
  return undefined;
}

function byPackage(index: CodeIndex, specifier: string, folder: string): string | undefined {
  const match = /^(@[^/]+\/[^/]+|[^@./][^/]*)(?:\/(.+))?$/.exec(specifier);
  if (match === null) return undefined;
  const [, name, sub] = match;
  for (const manifest of manifests(index, name!, folder)) {
    const json = readJson(index, manifest);
    const file = json && packageFile(index, folderOf(manifest), json, sub);
    if (file !== undefined) return file;
  }
  return undefined;
}

/**
 * The `package.json` of every package with this name: the workspace's own first, then the nearest
 * under `node_modules`.
 */
function* manifests(index: CodeIndex, name: string, folder: string): Generator<string> {
  const quoted = JSON.stringify(name);
  for (const path of index.pathsNamed("package.json")) {
    if (path.includes("node_modules/") || !index.text(path)!.includes(quoted)) continue;
    if (readJson(index, path)?.["name"] === name) yield path;
  }
  const types = `@types/${name.startsWith("@") ? name.slice(1).replace("/", "__") : name}`;
  for (let at: string | undefined = folder; at !== undefined; at = at === "" ? undefined : folderOf(at)) {
    for (const one of [name, types]) {
      const path = joinPath(at, `node_modules/${one}/package.json`);
      if (index.has(path)) yield path;
    }
  }
}

function packageFile(
  index: CodeIndex,
  folder: string,
  json: Readonly<Record<string, unknown>>,
  sub: string | undefined,
): string | undefined {
  const targets: string[] = [];
  if (json["exports"] !== undefined) {
    try {
      const found = resolveExports(json, sub ?? ".", {
        unsafe: true,
        conditions: ["source", "types", "import", "require", "node"],
      });
      targets.push(...(found ?? []));
    } catch {
      // The package does not export this; people import it from its own tests all the same.
    }
  }
  if (sub !== undefined) targets.push(sub, `src/${sub}`);
  else
    targets.push(
      ...["source", "types", "typings", "module", "main"].flatMap((key) => stringsOf(json[key])),
      "index",
      "src/index",
    );
  for (const target of targets) {
    const path = normal(folder, target);
    const file = path === undefined ? undefined : (fileAt(index, path) ?? sourceFile(index, folder, target));
    if (file !== undefined) return file;
  }
  return undefined;
}

/**
 * A file that is built is not in the index; the source it is built from mostly lies in the same
 * place below `src`.
 */
function sourceFile(index: CodeIndex, folder: string, target: string): string | undefined {
  const inner = target.replace(/^\.\//, "").replace(/(?:\.d)?\.[cm]?[jt]sx?$/, "");
  const parts = inner.split("/");
  for (const [at, part] of parts.entries()) {
    if (!/^(?:dist|lib|build|out|output|esm|cjs|es|types|typings)$/.test(part)) continue;
    for (const middle of ["src/", ""]) {
      const path = normal(folder, `${parts.slice(0, at).join("/")}/${middle}${parts.slice(at + 1).join("/")}`);
      const file = path === undefined || path === folder ? undefined : fileAt(index, path);
      if (file !== undefined) return file;
    }
  }
  return undefined;
}

function nearest(index: CodeIndex, folder: string, names: readonly string[]): string | undefined {
  for (let at = folder; ; at = folderOf(at)) {
    for (const name of names) if (index.has(joinPath(at, name))) return joinPath(at, name);
    if (at === "") return undefined;
  }
}

/** Manifests by their text: they are read at every request and hardly ever change. */
const parsed = new Map<string, Readonly<Record<string, unknown>>>();
const maxParsed = 200;

function readJson(index: CodeIndex, path: string): Readonly<Record<string, unknown>> | undefined {
  const text = index.text(path);
  if (text === undefined) return undefined;
  let json = parsed.get(text);
  if (json === undefined) {
    json = recordOf(parseJsonWithComments(text));
    if (parsed.size >= maxParsed) parsed.clear();
    parsed.set(text, json);
  }
  return json;
}

function recordOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : {};
}

function stringsOf(value: unknown): string[] {
  if (typeof value === "string") return [value];
  return Array.isArray(value) ? value.filter((one) => typeof one === "string") : [];
}
