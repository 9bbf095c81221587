import { nodesAround, type ScriptNode } from "../../../names/index.ts";
import { detectLineEnding, isIdentifier, type TextEdit } from "../../../text/index.ts";
import { isRelative } from "../../../workspace/index.ts";
import type { Repair, RepairRule } from "../repair.ts";
import { importsOf, pathFrom } from "../script/module-paths.ts";
import { withoutImport } from "./unused-repair.ts";

/** TypeScript's errors about an unresolved name. */
const unresolved: ReadonlySet<string> = new Set(["2304", "2552", "2503", "18004"]);

/**
 * Imports an unresolved name that exactly one file of the workspace exports; otherwise there is no
 * repair.
 */
export const missingImport: RepairRule = (question) => {
  const { diagnostic, text, tree, exports } = question;
  if (!unresolved.has(diagnostic.code) || exports === undefined) return [];
  const name = text.slice(diagnostic.start, diagnostic.end);
  if (!isIdentifier(name) || question.facts.renamed.has(name)) return [];
  const place = exports.only(name);
  if (place === undefined || place.path === diagnostic.path) return [];
  const imports = importsOf(tree.program as unknown as ScriptNode);
  const { sample } = exports;
  const target = place.path;
  const added = addedImport({ imports, path: diagnostic.path, text, name, isType: place.isType, target, sample });
  return [{ certainty: "follows", edits: [added], names: [name] }];
};

/**
 * Replaces an unresolved name by its local alias, where the file imports it under exactly one;
 * otherwise there is no repair.
 */
export const importedAlias: RepairRule = ({ diagnostic, text, tree }) => {
  if (!unresolved.has(diagnostic.code)) return [];
  const name = text.slice(diagnostic.start, diagnostic.end);
  const imports = importsOf(tree.program as unknown as ScriptNode);
  const known = imports
    .flatMap((one) => one["specifiers"] as readonly ScriptNode[])
    .filter((one) => (one["imported"] as ScriptNode | undefined)?.["name"] === name && name !== "default");
  if (known.length !== 1) return [];
  const local = (known[0]!["local"] as ScriptNode)["name"] as string;
  const edit = replaceByAlias(local, nodesAround(tree.program, diagnostic.start, diagnostic.end));
  return [{ certainty: "follows", edits: [edit], about: [local] }];
};

/**
 * Replaces a name by its local alias, and keeps the name where others rely on it, as in a list of
 * exports.
 */
function replaceByAlias(local: string, path: readonly ScriptNode[]): TextEdit {
  const [parent, node] = [path.at(-2), path.at(-1)!];
  const { start } = node;
  if (parent?.type === "ExportSpecifier" && (parent["exported"] as ScriptNode).start === start)
    return { start, end: start, text: `${local} as ` };
  if (parent?.type === "Property" && parent["shorthand"] === true)
    return { start: node.end, end: node.end, text: `: ${local}` };
  return { start, end: node.end, text: local };
}

/**
 * Imports a name from the file that exports it now, where its old module no longer does and exactly
 * one file does; otherwise there is no repair. Where that file is the importing one, the import is
 * removed.
 */
export const movedImport: RepairRule = ({ diagnostic, text, tree, exports, facts }) => {
  if (!["2305", "2614", "2724", "2459"].includes(diagnostic.code) || exports === undefined) return [];
  const path = nodesAround(tree.program, diagnostic.start, diagnostic.end);
  const specifier = path.find(({ type }) => type === "ImportSpecifier" || type === "ExportSpecifier");
  const statement = path.find(({ type }) => type === "ImportDeclaration" || type === "ExportNamedDeclaration");
  const source = statement?.["source"] as ScriptNode | null | undefined;
  if (specifier === undefined || statement === undefined || !source) return [];
  const name = ((specifier["imported"] ?? specifier["local"]) as ScriptNode)["name"] as string;
  const local = (specifier["local"] as ScriptNode)["name"] as string;
  const place = facts.renamed.has(name) ? undefined : exports.only(name);
  if (place?.path === diagnostic.path && statement.type === "ImportDeclaration" && local === name) {
    // The name moved into this file.
    const gone = withoutImport(statement, specifier, text);
    return gone === undefined ? [] : follows([gone]);
  }
  if (place === undefined || place.path === diagnostic.path) return [];
  const specifiers = statement["specifiers"] as readonly ScriptNode[];
  const imports = importsOf(tree.program as unknown as ScriptNode);
  if (specifiers.length === 1) {
    const to = pathFrom(diagnostic.path, place.path, imports, source["value"] as string);
    const edits = [{ start: source.start + 1, end: source.end - 1, text: to }];
    return [{ certainty: "follows", edits, names: [local] }];
  }
  const index = specifiers.indexOf(specifier);
  const next = specifiers[index + 1];
  const gone: TextEdit =
    next === undefined
      ? { start: specifiers[index - 1]!.end, end: specifier.end, text: "" }
      : { start: specifier.start, end: next.start, text: "" };
  if (statement.type !== "ImportDeclaration") {
    const to = pathFrom(diagnostic.path, place.path, imports, source["value"] as string);
    const open = text.indexOf("{", statement.start);
    const clause = `{ ${text.slice(specifier.start, specifier.end)} } from ${text[source.start]}${to}${text[source.start]}`;
    const own = `${detectLineEnding(text) ?? "\n"}${text.slice(statement.start, open)}${clause}${text.slice(source.end, statement.end)}`;
    return follows([gone, { start: statement.end, end: statement.end, text: own }]);
  }
  const imported = text.slice(specifier.start, specifier.end).replace(/^type\s+/, "");
  const isType = place.isType && (statement["importKind"] === "type" || specifier["importKind"] === "type");
  const { sample } = exports;
  const added = addedImport({
    imports,
    path: diagnostic.path,
    text,
    name: imported,
    target: place.path,
    isType,
    sample,
  });
  return [{ certainty: "follows", edits: [gone, added], names: [local] }];
};

/**
 * Changes `import name` to `import { name }`, or back, where TypeScript's message states that form
 * and the import has no other names; otherwise there is no repair.
 */
export const importForm: RepairRule = ({ diagnostic, tree }) => {
  const path = nodesAround(tree.program, diagnostic.start, diagnostic.end);
  const statement = path.find(({ type }) => type === "ImportDeclaration");
  const specifiers = (statement?.["specifiers"] ?? []) as readonly ScriptNode[];
  const [only] = specifiers;
  if (specifiers.length !== 1 || only === undefined) return [];
  const local = (only["local"] as ScriptNode)["name"] as string;
  if (diagnostic.code === "2613" || diagnostic.code === "1192") {
    const exported = /import \{ ([\w$]+) \} from/.exec(diagnostic.message)?.[1] ?? local;
    if (only.type !== "ImportDefaultSpecifier") return [];
    const text = exported === local ? `{ ${local} }` : `{ ${exported} as ${local} }`;
    return follows([{ start: only.start, end: only.end, text }]);
  }
  if (diagnostic.code !== "2614" || only.type !== "ImportSpecifier" || !/import [\w$]+ from/.test(diagnostic.message))
    return [];
  const open = statement!.start;
  const source = statement!["source"] as ScriptNode;
  const keyword = statement!["importKind"] === "type" || only["importKind"] === "type" ? "import type" : "import";
  return follows([{ start: open, end: source.start, text: `${keyword} ${local} from ` }]);
};

/**
 * Changes an import to `import type` where TypeScript requires it, and to `import` where the value
 * is needed at run time; otherwise there is no repair.
 */
export const importKind: RepairRule = ({ diagnostic, text, tree }) => {
  if (diagnostic.code === "1484" || diagnostic.code === "1485") {
    const specifier = nodesAround(tree.program, diagnostic.start, diagnostic.end).find(
      ({ type }) => type === "ImportSpecifier" || type === "ExportSpecifier",
    );
    return specifier === undefined ? [] : follows([{ start: specifier.start, end: specifier.start, text: "type " }]);
  }
  if (diagnostic.code !== "1361") return [];
  const name = text.slice(diagnostic.start, diagnostic.end);
  for (const statement of importsOf(tree.program as unknown as ScriptNode)) {
    for (const specifier of statement["specifiers"] as readonly ScriptNode[]) {
      if ((specifier["local"] as ScriptNode)["name"] !== name) continue;
      const typeWord = /^type\s+/.exec(text.slice(specifier.start, specifier.end))?.[0];
      if (typeWord !== undefined)
        return follows([{ start: specifier.start, end: specifier.start + typeWord.length, text: "" }]);
      const all = (statement["specifiers"] as readonly ScriptNode[]).length === 1;
      const word = /^import\s+type\s+/.exec(text.slice(statement.start, statement.end))?.[0];
      if (all && word !== undefined)
        return follows([{ start: statement.start, end: statement.start + word.length, text: "import " }]);
    }
  }
  return [];
};

function follows(edits: Repair["edits"]): readonly Repair[] {
  return [{ certainty: "follows", edits }];
}

/** An import to add to a file. */
interface ImportToAdd {
  readonly imports: readonly ScriptNode[];
  readonly path: string;
  readonly text: string;
  /** As written between the braces. */
  readonly name: string;
  readonly target: string;
  readonly isType: boolean;
  /** An import specifier of another file: the style where the file has no imports of its own. */
  readonly sample?: string | undefined;
}

/**
 * The edit that adds an import: to an import of the same module, otherwise after the last import.
 */
function addedImport({ imports, path, text, name, target, isType, sample: other = "" }: ImportToAdd): TextEdit {
  const hasRelativeImport = imports.some((one) => isRelative((one["source"] as ScriptNode)["value"] as string));
  const from = pathFrom(path, target, imports, hasRelativeImport ? undefined : /["'](.*)["']/.exec(other)?.[1]);
  for (const statement of imports) {
    const source = (statement["source"] as ScriptNode)["value"] as string;
    const last = (statement["specifiers"] as readonly ScriptNode[]).at(-1);
    if (source !== from || last?.type !== "ImportSpecifier") continue;
    if (statement["importKind"] === "type" && !isType) continue;
    const word = isType && (statement["specifiers"] as readonly ScriptNode[]).some(isTypeAlone) ? "type " : "";
    return { start: last.end, end: last.end, text: `, ${word}${name}` };
  }
  const last = imports.at(-1);
  const sample = last === undefined ? other : text.slice(last.start, last.end);
  const quote = sample.includes('"') || sample === "" ? '"' : "'";
  const end = sample === "" || sample.endsWith(";") ? ";" : "";
  // `import type` is always valid for a type; a file that does not use it keeps its style.
  const usesType = imports.length === 0 || imports.some(isTypeAlone);
  const statement = `import ${isType && usesType ? "type " : ""}{ ${name} } from ${quote}${from}${quote}${end}`;
  const lineBreak = detectLineEnding(text) ?? "\n";
  if (last !== undefined) return { start: last.end, end: last.end, text: lineBreak + statement };
  const at = endOfHead(text);
  const isApart = /^\s*(?:$|import\b)/.test(text.slice(at)) || /^\r?\n/.test(text.slice(at));
  return { start: at, end: at, text: statement + lineBreak + (isApart ? "" : lineBreak) };
}

/**
 * Where the first statement may be inserted: after a shebang line, comments about the file, which
 * end at an empty line, and directives.
 */
function endOfHead(text: string): number {
  const shell = /^#!.*(?:\r?\n|$)/.exec(text)?.[0].length ?? 0;
  const comments =
    /^\s*(?:(?:\/\/[^\n]*|\/\*(?:(?!\*\/)[\s\S])*\*\/[^\S\n]*)\n)+[^\S\n]*\n/.exec(text.slice(shell))?.[0].length ?? 0;
  const directives = /^(?:\s*(["'])use [\w ]+\1;?[^\S\n]*(?:\r?\n|$))+(?:[^\S\n]*\r?\n)?/.exec(
    text.slice(shell + comments),
  );
  return shell + comments + (directives?.[0].length ?? 0);
}

/** Whether an import, or one of its specifiers, is marked `type`. */
function isTypeAlone(node: ScriptNode): boolean {
  return node["importKind"] === "type" || ((node["specifiers"] ?? []) as readonly ScriptNode[]).some(isTypeAlone);
}
