import { modulePath, nodesAround, type ScriptNode, scriptNames } from "../../../names/index.ts";
import { addToGroup, type TextEdit } from "../../../text/index.ts";
import { isRelative, resolvedPath } from "../../../workspace/index.ts";
import { noModule } from "../../diagnostics/library-diagnostics.ts";
import type { ExportIndex } from "../export-index.ts";
import type { ChangeFacts } from "../facts/change-facts.ts";
import type { RepairContext, RepairRule } from "../repair.ts";
import { movedAlias, pathFrom } from "../script/module-paths.ts";

/**
 * Updates an unresolved module specifier where the file it names moved, or where the importing file
 * did: in imports, re-exports, `import()`, `require` and the module mocks of tests, everywhere in
 * the file. Where a file was split, each name is imported from the file that exports it now. No
 * repair where the new file is unknown.
 */
export const movedModule: RepairRule = (question) => {
  const { diagnostic, tree } = question;
  if (!noModule.has(diagnostic.code)) return [];
  const path = nodesAround(tree.program, diagnostic.start, diagnostic.end);
  const source = path.at(-1)!;
  const specifier = source["value"];
  if (source.type !== "Literal" || typeof specifier !== "string") return [];
  const names = ((path.at(-2)!["specifiers"] ?? []) as readonly ScriptNode[]).map(
    (one) => (one["local"] as ScriptNode)["name"] as string,
  );
  const to = newSpecifier(specifier, question);
  if (to === specifier) return [];
  if (to === undefined) {
    const edit = splitImport(path.at(-2)!, specifier, question);
    return edit === undefined ? [] : [{ certainty: "follows", edits: [edit], names }];
  }
  const edits = scriptNames(tree)
    .moduleNames.filter((one) => one.source === specifier)
    .map(({ start, end }) => ({ start, end, text: to }));
  return edits.some(({ start }) => start === source.start + 1) ? [{ certainty: "follows", edits, names }] : [];
};

/** The new text of a specifier; `undefined` where no file matches. */
function newSpecifier(specifier: string, { diagnostic, facts, exports }: RepairContext): string | undefined {
  const moved = facts.movedFiles ?? new Map<string, string>();
  if (!isRelative(specifier)) return newAlias(specifier, moved);
  const [wasAt = diagnostic.path] = [...moved].find(([, to]) => to === diagnostic.path) ?? [];
  const old = resolvedPath(wasAt, specifier);
  if (old === undefined) return undefined;
  const target = movedTo(old, moved) ?? (wasAt === diagnostic.path ? undefined : fileOf(old, exports));
  return target === undefined ? undefined : pathFrom(diagnostic.path, target, [], specifier);
}

function movedTo(old: string, moved: ReadonlyMap<string, string>): string | undefined {
  for (const [from, to] of moved) if (from === old || modulePath(from) === modulePath(old)) return to;
  return undefined;
}

/**
 * The file that a path resolves to; the path itself where its extension is not that of a script,
 * such as `.json`.
 */
function fileOf(path: string, exports: ExportIndex | undefined): string | undefined {
  const bare = modulePath(path);
  const endings = [".ts", ".tsx", ".mts", ".cts", ".d.ts", ".js", ".jsx", ".mjs", ".cjs"];
  for (const stem of [bare, `${bare}/index`]) {
    const found = endings.find((ending) => exports?.has(stem + ending) === true);
    if (found !== undefined) return stem + found;
  }
  return bare === path && /\.\w+$/.test(path) ? path : undefined;
}

/** The specifier by the alias of a folder; `undefined` where several files match as well. */
function newAlias(specifier: string, moved: ReadonlyMap<string, string>): string | undefined {
  const aliases = [...moved]
    .map(([from, to]) => movedAlias(specifier, { from, to }))
    .filter(({ shared }) => shared > 0);
  const most = Math.max(...aliases.map(({ shared }) => shared));
  const best = aliases.filter(({ shared }) => shared === most);
  return best.length === 1 ? best[0]!.specifier : undefined;
}

/** A statement that imports from a removed file, split by the files that export its names now. */
function splitImport(statement: ScriptNode, specifier: string, question: RepairContext): TextEdit | undefined {
  const { diagnostic, text, exports, facts } = question;
  const isImport = statement.type === "ImportDeclaration";
  if ((!isImport && statement.type !== "ExportNamedDeclaration") || exports === undefined) return undefined;
  const specifiers = statement["specifiers"] as readonly ScriptNode[];
  const byFile = new Map<string, string[]>();
  for (const one of specifiers) {
    if (!/^(Import|Export)Specifier$/.test(one.type)) return undefined;
    const imported = ((one["imported"] ?? one["local"]) as ScriptNode)["name"] as string;
    const place = exports.only(renamed(imported, facts));
    if (place === undefined || place.path === diagnostic.path || imported !== renamed(imported, facts))
      return undefined;
    addToGroup(byFile, place.path, text.slice(one.start, one.end));
  }
  if (byFile.size === 0) return undefined;
  const source = statement["source"] as ScriptNode;
  const open = text.indexOf("{", statement.start);
  const head = text.slice(statement.start, open);
  const quote = text[source.start]!;
  const tail = text.slice(source.end, statement.end);
  const statements = [...byFile].map(([path, names]) => {
    const from = pathFrom(diagnostic.path, path, [], specifier);
    return `${head}{ ${names.join(", ")} } from ${quote}${from}${quote}${tail}`;
  });
  return { start: statement.start, end: statement.end, text: statements.join("\n") };
}

function renamed(name: string, { renamed }: ChangeFacts): string {
  return renamed.get(name) ?? name;
}
