import { detectLineEnding } from "../../../text/lines.ts";
import type { TextEdit } from "../../../text/text-edit.ts";
import type { Repair, RepairRule } from "../repair.ts";
import { importsOf, pathFrom } from "../script/module-paths.ts";
import { nodesAround, type ScriptNode } from "../script/script-nodes.ts";
import { withoutImport } from "./unused-repair.ts";

/** TypeScript's complaints that a name means nothing. */
const nameless: ReadonlySet<string> = new Set(["2304", "2552", "2503", "18004"]);

/** Imports a name that means nothing, where exactly one file of the workspace exports it. */
export const missingImport: RepairRule = (question) => {
  const { finding, text, tree, exports } = question;
  if (!nameless.has(finding.code) || exports === undefined) return [];
  const name = text.slice(finding.start, finding.end);
  if (!/^[\p{ID_Start}$_][\p{ID_Continue}$]*$/u.test(name) || question.facts.renamed.has(name)) return [];
  const place = exports.only(name);
  if (place === undefined || place.path === finding.path) return [];
  const imports = importsOf(tree.program as unknown as ScriptNode);
  const { sample } = exports;
  const target = place.path;
  const added = addedImport({ imports, path: finding.path, text, name, isType: place.isType, target, sample });
  return [{ certainty: "follows", edits: [added], names: [name] }];
};

/**
 * Says what a name that means nothing is called here, where the file imports it under another name.
 */
export const importedAlias: RepairRule = ({ finding, text, tree }) => {
  if (!nameless.has(finding.code)) return [];
  const name = text.slice(finding.start, finding.end);
  const imports = importsOf(tree.program as unknown as ScriptNode);
  const known = imports
    .flatMap((one) => one["specifiers"] as readonly ScriptNode[])
    .filter((one) => (one["imported"] as ScriptNode | undefined)?.["name"] === name && name !== "default");
  if (known.length !== 1) return [];
  const local = (known[0]!["local"] as ScriptNode)["name"] as string;
  const said = saidAs(local, nodesAround(tree.program, finding.start, finding.end));
  return [{ certainty: "follows", edits: [said], about: [local] }];
};

/**
 * Says a name by what it is called here, where others know what is there by the name as well, as in
 * a list of exports.
 */
function saidAs(local: string, path: readonly ScriptNode[]): TextEdit {
  const [parent, node] = [path.at(-2), path.at(-1)!];
  const { start } = node;
  if (parent?.type === "ExportSpecifier" && (parent["exported"] as ScriptNode).start === start)
    return { start, end: start, text: `${local} as ` };
  if (parent?.type === "Property" && parent["shorthand"] === true)
    return { start: node.end, end: node.end, text: `: ${local}` };
  return { start, end: node.end, text: local };
}

/**
 * Takes a name from the file that exports it now, where its old module does no longer and exactly
 * one file does.
 */
export const movedImport: RepairRule = ({ finding, text, tree, exports, facts }) => {
  if (!["2305", "2614", "2724", "2459"].includes(finding.code) || exports === undefined) return [];
  const path = nodesAround(tree.program, finding.start, finding.end);
  const specifier = path.find(({ type }) => type === "ImportSpecifier" || type === "ExportSpecifier");
  const statement = path.find(({ type }) => type === "ImportDeclaration" || type === "ExportNamedDeclaration");
  const source = statement?.["source"] as ScriptNode | null | undefined;
  if (specifier === undefined || statement === undefined || !source) return [];
  const name = ((specifier["imported"] ?? specifier["local"]) as ScriptNode)["name"] as string;
  const local = (specifier["local"] as ScriptNode)["name"] as string;
  const place = facts.renamed.has(name) ? undefined : exports.only(name);
  if (place?.path === finding.path && statement.type === "ImportDeclaration" && local === name) {
    // It moved to this very file.
    const gone = withoutImport(statement, specifier, text);
    return gone === undefined ? [] : follows([gone]);
  }
  if (place === undefined || place.path === finding.path) return [];
  const specifiers = statement["specifiers"] as readonly ScriptNode[];
  const imports = importsOf(tree.program as unknown as ScriptNode);
  if (specifiers.length === 1) {
    const to = pathFrom(finding.path, place.path, imports, source["value"] as string);
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
    const to = pathFrom(finding.path, place.path, imports, source["value"] as string);
    const open = text.indexOf("{", statement.start);
    const said = `{ ${text.slice(specifier.start, specifier.end)} } from ${text[source.start]}${to}${text[source.start]}`;
    const own = `${detectLineEnding(text) ?? "\n"}${text.slice(statement.start, open)}${said}${text.slice(source.end, statement.end)}`;
    return follows([gone, { start: statement.end, end: statement.end, text: own }]);
  }
  const said = text.slice(specifier.start, specifier.end).replace(/^type\s+/, "");
  const isType = place.isType && (statement["importKind"] === "type" || specifier["importKind"] === "type");
  const { sample } = exports;
  const added = addedImport({ imports, path: finding.path, text, name: said, target: place.path, isType, sample });
  return [{ certainty: "follows", edits: [gone, added], names: [local] }];
};

/**
 * `import name` becomes `import { name }`, or back, where TypeScript's message says that the module
 * has it that way.
 */
export const importForm: RepairRule = ({ finding, tree }) => {
  const path = nodesAround(tree.program, finding.start, finding.end);
  const statement = path.find(({ type }) => type === "ImportDeclaration");
  const specifiers = (statement?.["specifiers"] ?? []) as readonly ScriptNode[];
  const [only] = specifiers;
  if (specifiers.length !== 1 || only === undefined) return [];
  const local = (only["local"] as ScriptNode)["name"] as string;
  if (finding.code === "2613" || finding.code === "1192") {
    const asked = /import \{ ([\w$]+) \} from/.exec(finding.message)?.[1] ?? local;
    if (only.type !== "ImportDefaultSpecifier") return [];
    const text = asked === local ? `{ ${local} }` : `{ ${asked} as ${local} }`;
    return follows([{ start: only.start, end: only.end, text }]);
  }
  if (finding.code !== "2614" || only.type !== "ImportSpecifier" || !/import [\w$]+ from/.test(finding.message))
    return [];
  const open = statement!.start;
  const source = statement!["source"] as ScriptNode;
  const keyword = statement!["importKind"] === "type" || only["importKind"] === "type" ? "import type" : "import";
  return follows([{ start: open, end: source.start, text: `${keyword} ${local} from ` }]);
};

/**
 * `import type`, where TypeScript asks for it, and `import` where what is imported is needed when
 * the code runs.
 */
export const importKind: RepairRule = ({ finding, text, tree }) => {
  if (finding.code === "1484" || finding.code === "1485") {
    const specifier = nodesAround(tree.program, finding.start, finding.end).find(
      ({ type }) => type === "ImportSpecifier" || type === "ExportSpecifier",
    );
    return specifier === undefined ? [] : follows([{ start: specifier.start, end: specifier.start, text: "type " }]);
  }
  if (finding.code !== "1361") return [];
  const name = text.slice(finding.start, finding.end);
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

/** An import that a file is to have. */
interface ImportToAdd {
  readonly imports: readonly ScriptNode[];
  readonly path: string;
  readonly text: string;
  /** As it is to stand between the braces. */
  readonly name: string;
  readonly target: string;
  readonly isType: boolean;
  /** An import of another file: what the file's own imports do not tell is as there. */
  readonly sample?: string | undefined;
}

/**
 * The edit that adds an import: to the braces that already take something from there, otherwise
 * below the last import.
 */
function addedImport({ imports, path, text, name, target, isType, sample: other = "" }: ImportToAdd): TextEdit {
  const isTold = imports.some((one) => ((one["source"] as ScriptNode)["value"] as string).startsWith("."));
  const from = pathFrom(path, target, imports, isTold ? undefined : /["'](.*)["']/.exec(other)?.[1]);
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
  // Types may always be imported as such; a file that does it otherwise continues so.
  const usesType = imports.length === 0 || imports.some(isTypeAlone);
  const statement = `import ${isType && usesType ? "type " : ""}{ ${name} } from ${quote}${from}${quote}${end}`;
  const lineBreak = detectLineEnding(text) ?? "\n";
  if (last !== undefined) return { start: last.end, end: last.end, text: lineBreak + statement };
  const at = endOfHead(text);
  const isApart = /^\s*(?:$|import\b)/.test(text.slice(at)) || /^\r?\n/.test(text.slice(at));
  return { start: at, end: at, text: statement + lineBreak + (isApart ? "" : lineBreak) };
}

/**
 * Where the first statement may stand: behind a line for the shell, remarks about the file, which
 * an empty line ends, and directives.
 */
function endOfHead(text: string): number {
  const shell = /^#!.*(?:\r?\n|$)/.exec(text)?.[0].length ?? 0;
  const remarks =
    /^\s*(?:(?:\/\/[^\n]*|\/\*(?:(?!\*\/)[\s\S])*\*\/[^\S\n]*)\n)+[^\S\n]*\n/.exec(text.slice(shell))?.[0].length ?? 0;
  const directives = /^(?:\s*(["'])use [\w ]+\1;?[^\S\n]*(?:\r?\n|$))+(?:[^\S\n]*\r?\n)?/.exec(
    text.slice(shell + remarks),
  );
  return shell + remarks + (directives?.[0].length ?? 0);
}

/** Whether an import, or what it takes, is said to be of types alone. */
function isTypeAlone(node: ScriptNode): boolean {
  return node["importKind"] === "type" || ((node["specifiers"] ?? []) as readonly ScriptNode[]).some(isTypeAlone);
}
