import type { Repair, RepairQuestion } from "./repair.ts";
import { nodesAround, type ScriptNode } from "./script-nodes.ts";

/**
 * TypeScript's complaints that a name means nothing: not found, no export of its module, no member of its type, no property that
 * may be given.
 */
const nameless: ReadonlySet<string> = new Set([
  ...["2304", "2305", "2339", "2353", "2503", "2551", "2552", "2561", "2614", "2662", "2663", "2694", "2724", "18004"],
]);

/** Says the new name where the old one means nothing any more. */
export function renameRepair({ finding, text, tree, facts }: RepairQuestion): Repair | undefined {
  if (!nameless.has(finding.code)) return undefined;
  const name = nameAt(text, finding.start, finding.end, facts.renamed);
  if (name === undefined) return undefined;
  const to = facts.renamed.get(name.text)!;
  const path = nodesAround(tree.program, name.start, name.start + name.text.length);
  const specifier = path.find(({ type }) => type === "ImportSpecifier");
  if (specifier !== undefined) return { certainty: "follows", edits: importEdits(path, specifier, to) };
  const shorthand = path.findLast(({ type }) => type === "Property");
  const isShorthand = shorthand?.["shorthand"] === true && finding.code === "18004";
  const start = name.start;
  return {
    certainty: "follows",
    edits: isShorthand
      ? [{ start: name.start + name.text.length, end: name.start + name.text.length, text: `: ${to}` }]
      : [{ start, end: start + name.text.length, text: to }],
  };
}

/** The renamed name that a finding is about: the finding's own text, or the one inside of it. */
function nameAt(text: string, start: number, end: number, renamed: ReadonlyMap<string, string>) {
  for (const { 0: word, index } of text.slice(start, end).matchAll(/[\p{ID_Start}$_][\p{ID_Continue}$]*/gu)) {
    if (renamed.has(word)) return { text: word, start: start + index };
  }
  return undefined;
}

/** Where the new name is imported already, the old one goes; a name that it was given on the spot stays. */
function importEdits(path: readonly ScriptNode[], specifier: ScriptNode, to: string): Repair["edits"] {
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
