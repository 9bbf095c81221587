import { posix } from "node:path";
import { parseSync, type StaticExportEntry } from "oxc-parser";

/** Where a name is defined: the path of a module, and the name that it exports. */
interface Definition {
  readonly path: string;
  readonly name: string;
}

/** Direct imports, and in a comment the import that they stand for. */
const shortened = /^import .*; \/\* (import [^*\n]*;) \*\//gm;

/**
 * The modules of `modules` (texts by path, with `/`) whose text changes when each name is imported
 * from the module that defines it, instead of one that re-exports it. Lines stay where they are.
 *
 * Node loads all that an `index.js` re-exports: a command that needs one function of a layer would
 * load the layer, and the layers below it. The modules must have no effects when they are loaded,
 * since one that nothing is imported from is not loaded any more.
 *
 * The import as it was written stays behind in a comment. The next run begins with it, because the
 * compiler writes only what has changed, and a name may be defined elsewhere then. What cannot be
 * followed stays as it is: the build folder may hold modules whose source is gone.
 */
export function directImports(modules: ReadonlyMap<string, string>): ReadonlyMap<string, string> {
  const written = new Map(Array.from(modules, ([path, text]) => [path, text.replaceAll(shortened, "$1")]));
  const parsed = new Map<string, ReturnType<typeof parseModule>>();
  const moduleAt = (path: string) => {
    const module = parsed.get(path) ?? parseModule(path, written.get(path) ?? "");
    parsed.set(path, module);
    return module;
  };
  const definitionOf = ({ path, name }: Definition): Definition => {
    const found = moduleAt(path).exports.get(name);
    const from = found?.moduleRequest?.value;
    if (from?.startsWith(".") !== true || found?.importName.kind !== "Name") return { path, name };
    return definitionOf({ path: resolvePath(path, from), name: found.importName.name! });
  };

  const changed = new Map<string, string>();
  for (const [path, text] of written) {
    let direct = "";
    let end = 0;
    for (const statement of moduleAt(path).imports) {
      const { entries, moduleRequest } = statement;
      if (!moduleRequest.value.startsWith(".") || entries.length === 0) continue;
      if (!entries.every(({ importName }) => importName.kind === "Name")) continue;
      const imported = resolvePath(path, moduleRequest.value);
      const names = new Map<string, string[]>();
      for (const { importName, localName } of entries) {
        const { path: from, name } = definitionOf({ path: imported, name: importName.name! });
        const local = localName.value;
        names.set(from, [...(names.get(from) ?? []), name === local ? name : `${name} as ${local}`]);
      }
      if (names.size === 1 && names.has(imported)) continue;
      const statements = Array.from(
        names,
        ([from, list]) => `import { ${list.join(", ")} } from "${requestOf(path, from)}";`,
      );
      const before = text.slice(statement.start, statement.end);
      const breaks = before.replace(/[^\n]/g, "");
      direct += `${text.slice(end, statement.start)}${statements.join(" ")} /* ${before.replace(/\s+/g, " ")} */${breaks}`;
      end = statement.end;
    }
    const result = direct + text.slice(end);
    if (result !== modules.get(path)) changed.set(path, result);
  }
  return changed;
}

function parseModule(path: string, text: string) {
  const { staticImports, staticExports } = parseSync(path, text).module;
  const exports = new Map<string, StaticExportEntry>();
  for (const entry of staticExports.flatMap(({ entries }) => entries)) {
    if (entry.exportName.name !== null) exports.set(entry.exportName.name, entry);
  }
  return { imports: staticImports, exports };
}

function resolvePath(path: string, request: string): string {
  return posix.join(posix.dirname(path), request);
}

function requestOf(path: string, imported: string): string {
  const request = posix.relative(posix.dirname(path), imported);
  return request.startsWith(".") ? request : `./${request}`;
}
