import { nodesAround, type ScriptNode, scriptNames } from "../../../names/index.ts";
import { anyIdentifier, isIdentifier, type TextEdit } from "../../../text/index.ts";
import type { Repair, RepairContext } from "../repair.ts";
import { renameUses } from "../script/binding-uses.ts";
import { keepImportsSorted } from "../script/sorted-imports.ts";

/**
 * TypeScript's errors about an unresolved name: not found, not exported by its module, no member of
 * its type, no known property.
 */
const unresolved: ReadonlySet<string> = new Set([
  ...["2304", "2305", "2339", "2353", "2503", "2551", "2552", "2561", "2614", "2662", "2663", "2694", "2724", "18004"],
]);

/** Those about an identifier, which resolves to the closest binding. */
const looseName: ReadonlySet<string> = new Set(["2304", "2503", "2552", "2662", "2663", "18004"]);

/**
 * Replaces an unresolved name by its new name, at the place of the diagnostic only. `undefined`
 * where the diagnostic is not about a name that the change renamed.
 */
export function renameRepair(question: RepairContext): Repair | undefined {
  const place = stalePlace(question);
  if (place === undefined) return undefined;
  const { specifier, path, to } = place;
  if (specifier === undefined) return { certainty: "follows", edits: [place.edit] };
  return { certainty: "follows", edits: importEdits(path, specifier, to) };
}

/**
 * Replaces an unresolved name by its new name; in an import, for the whole file. `undefined` where
 * the diagnostic is not about a renamed name, and where the new name collides with another binding
 * or is shadowed.
 */
export function renameInFile(question: RepairContext): Repair | undefined {
  const place = stalePlace(question);
  if (place === undefined) return undefined;
  const { specifier, path, name, to } = place;
  if (specifier === undefined) {
    const isLoose = looseName.has(question.diagnostic.code);
    const table = scriptNames(question.tree);
    const binding = isLoose ? table.resolve(to, table.scopeAt(place.edit.start)) : undefined;
    const isHidden = binding !== undefined && table.bindings[binding]!.scope > 0;
    const names = isLoose ? { names: [to] } : {};
    const edits = keepImportsSorted(question.text, [place.edit]);
    return isHidden ? undefined : { certainty: "follows", edits, ...names };
  }
  const plain = importEdits(path, specifier, to);
  const edits = keepImportsSorted(question.text, plain);
  const local = specifier["local"] as ScriptNode;
  if (local["name"] !== name) return { certainty: "follows", edits, names: [local["name"] as string] };
  // The import of the new name is the binding that the uses refer to then.
  const isImported = plain[0]!.text === "";
  const uses = renameUses(question.tree, name, to, { isImported });
  return uses === undefined ? undefined : { certainty: "follows", edits: [...edits, ...uses], names: [to] };
}

interface StalePlace {
  readonly name: string;
  readonly to: string;
  readonly path: readonly ScriptNode[];
  /** The import specifier that contains the name. */
  readonly specifier: ScriptNode | undefined;
  readonly edit: TextEdit;
}

function stalePlace({ diagnostic, text, tree, facts }: RepairContext): StalePlace | undefined {
  const isAttribute = diagnostic.code === "2322";
  if (!unresolved.has(diagnostic.code) && !isAttribute) return undefined;
  const found = nameAt(text, diagnostic.start, diagnostic.end, facts.renamed);
  if (found === undefined) return undefined;
  const { text: name, start } = found;
  const end = start + name.length;
  const path = nodesAround(tree.program, start, end);
  const node = path.at(-1)!;
  if (!isName(path) || (isAttribute && path.at(-2)?.type !== "JSXAttribute")) return undefined;
  const to = facts.renamed.get(name)!;
  const written = isIdentifier(to) || node.type === "Literal" ? to : JSON.stringify(to);
  const specifier = path.find(({ type }) => type === "ImportSpecifier");
  const property = path.at(-2)?.type === "Property" ? path.at(-2) : path.at(-3);
  const isKey = path.at(-2)?.type === "Property" && path.at(-2)?.["key"] === node;
  if (!isIdentifier(to) && !isKey) return undefined;
  const isShorthand = property?.type === "Property" && property["shorthand"] === true && node.start === property.start;
  const edit = !isShorthand
    ? { start, end, text: written }
    : looseName.has(diagnostic.code)
      ? { start: end, end, text: `: ${to}` }
      : { start, end: start, text: `${written}: ` };
  return { name, to, path, specifier, edit };
}

/** Whether the innermost node is a name or a quoted key, and no other string, text or comment. */
function isName(path: readonly ScriptNode[]): boolean {
  const node = path.at(-1)!;
  if (node.type !== "Literal") return /^(Identifier|PrivateIdentifier|JSXIdentifier)$/.test(node.type);
  const parent = path.at(-2);
  return (parent?.type === "Property" && parent["key"] === node) || parent?.type === "ImportSpecifier";
}

/** The renamed name at a diagnostic: its text, or the name within it. */
function nameAt(text: string, start: number, end: number, renamed: ReadonlyMap<string, string>) {
  for (const { 0: word, index } of text.slice(start, end).matchAll(anyIdentifier)) {
    if (renamed.has(word)) return { text: word, start: start + index };
  }
  return undefined;
}

/** Where the new name is already imported, the old specifier is removed. A local alias is kept. */
function importEdits(path: readonly ScriptNode[], specifier: ScriptNode, to: string): readonly TextEdit[] {
  const imported = specifier["imported"] as ScriptNode;
  const siblings = (path.find(({ type }) => type === "ImportDeclaration")?.["specifiers"] ??
    []) as readonly ScriptNode[];
  const isThere = siblings.some((one) => one !== specifier && (one["local"] as ScriptNode)["name"] === to);
  if (!isThere) return [{ start: imported.start, end: imported.end, text: to }];
  const index = siblings.indexOf(specifier);
  const next = siblings[index + 1];
  const before = siblings[index - 1];
  const start = next === undefined && before !== undefined ? before.end : specifier.start;
  return [{ start, end: next?.start ?? specifier.end, text: "" }];
}
