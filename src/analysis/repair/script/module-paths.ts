import { modulePath, type ScriptNode } from "../../../names/index.ts";
import { folderOf, isRelative, relativePath } from "../../../workspace/index.ts";

/** The import declarations of a script, in text order. */
export function importsOf(program: ScriptNode): readonly ScriptNode[] {
  return (program["body"] as readonly ScriptNode[]).filter(({ type }) => type === "ImportDeclaration");
}

/**
 * The relative specifier of the file `target` in the file `path`, with the extension style of the
 * file's relative imports, or of `like`. Without a sample it has no extension and no `/index`.
 */
export function pathFrom(path: string, target: string, imports: readonly ScriptNode[], like?: string): string {
  const sources = imports.map((one) => (one["source"] as ScriptNode)["value"] as string);
  const samples = (like === undefined ? sources : [like, ...sources]).filter(isRelative);
  const relative = relativePath(folderOf(path), target);
  const bare = relative.replace(/\.([cm]?)[tj]sx?$/, "");
  const sample = samples[0] ?? "";
  const ending = /\.[cm]?[tj]sx?$/.exec(sample)?.[0];
  if (ending !== undefined) {
    const own = /\.[cm]?[tj]sx?$/.exec(relative)?.[0] ?? "";
    return /^\.[cm]?ts/.test(ending) ? relative : bare + own.replace("ts", "js").replace(/x$/, "");
  }
  return samples.some((one) => one.endsWith("/index")) || bare === "./index" ? bare : bare.replace(/\/index$/, "");
}

/**
 * The specifier of a moved file, by an alias of a folder as in `@/lib/ring`: the alias stays, and
 * the path below the folder is replaced. `from` and `to` are paths of files.
 *
 * `shared` is the number of names at the end of the specifier that are those of `from`, without the
 * first `kept` names of the specifier. `specifier` is `undefined` where there are none, or where
 * the file left the folder.
 */
export function movedAlias(
  source: string,
  { from, to }: { readonly from: string; readonly to: string },
  kept = 0,
): { readonly shared: number; readonly specifier: string | undefined } {
  const [names, old, now] = [modulePath(source).split("/"), modulePath(from).split("/"), modulePath(to)];
  const most = Math.min(names.length - kept, old.length);
  let shared = 0;
  while (shared < most && names.at(-1 - shared) === old.at(-1 - shared)) shared += 1;
  const below = (path: readonly string[]) =>
    path
      .slice(0, path.length - shared)
      .map((name) => `${name}/`)
      .join("");
  const [alias, folder] = [below(names), below(old)];
  if (shared === 0 || !now.startsWith(folder)) return { shared, specifier: undefined };
  const ending = /\.[cm]?[tj]sx?$/.exec(source)?.[0] ?? "";
  return { shared, specifier: alias + now.slice(folder.length) + ending };
}
