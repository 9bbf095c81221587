import type { ScriptNode } from "../../../names/index.ts";
import { folderOf, joinPath, tryRelativePath } from "../../../workspace/index.ts";

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
  const samples = (like === undefined ? sources : [like, ...sources]).filter((one) => one.startsWith("."));
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

function relativePath(folder: string, target: string): string {
  let up = "";
  for (let base = folder; ; base = folderOf(base)) {
    const inside = base === "" ? target : tryRelativePath(joinPath("/", base), joinPath("/", target));
    if (inside !== undefined) return up === "" ? `./${inside}` : up + inside;
    up += "../";
  }
}
