import { nodesAround, type ScriptNode, type ScriptTree } from "../../names/index.ts";
import { Edit, type TextEdit } from "../../text/index.ts";
import { newDiagnostics } from "../diagnostics/compare-diagnostics.ts";
import type { OverlayCheck } from "../diagnostics/overlay-check.ts";
import type { FileDiagnostic } from "../diagnostics/type-checker.ts";
import type { Repair } from "./repair.ts";

/**
 * Returns the only one of several repairs of a diagnostic that the checker accepts: with it the
 * file has fewer diagnostics, and none that is new and was not masked before. Returns `undefined`
 * where it accepts none, or more than one, since the intended one is unknown then.
 *
 * The texts of the check stay, also after an error. Rejects as the checker does, with the signal's
 * reason on abort among others.
 */
export async function checkedRepair(
  check: OverlayCheck,
  path: string,
  ways: readonly Repair[],
): Promise<Repair | undefined> {
  const { checker, treeOf, signal } = check.request;
  const text = check.textNow(path)!;
  const options = { signal };
  const before = await checker.errorsOf([path], options);
  const good: Repair[] = [];
  try {
    for (const way of ways) {
      const mended = editOf(way.edits).apply(text);
      await checker.update(new Map([[path, mended]]), options);
      const found = await checker.errorsOf([path], options);
      const names = new Set(way.names);
      const tree = names.size === 0 ? undefined : treeOf(path, mended);
      const now = tree === undefined ? found : found.filter((one) => !isMaskedBy(names, one, tree));
      if (now.length < before.length && newDiagnostics(before, now, words).length === 0) good.push(way);
    }
  } finally {
    await checker.update(new Map([[path, text]]));
  }
  return good.length === 1 ? good[0] : undefined;
}

/** Diagnostics of one file count by code and message, whatever their position. */
function words({ code, message }: FileDiagnostic): string {
  return `${code}\n${message}`;
}

/** The edit made of replacements in any order. Throws an `InvariantError` if they overlap. */
export function editOf(edits: readonly TextEdit[]): Edit {
  return Edit.of([...edits].sort((a, b) => a.start - b.start || a.end - b.end));
}

/** Whether two edits overlap, or insert at one place. */
export function touches(a: TextEdit, b: TextEdit): boolean {
  return a.start === b.start || (a.start < b.end && b.start < a.end);
}

/**
 * Whether a diagnostic is about the use of one of these names: arguments of a call, attributes of
 * an element, type arguments. A checker reports nothing about the use of a name that it cannot
 * resolve.
 */
export function isMaskedBy(names: ReadonlySet<string>, { start, end }: FileDiagnostic, tree: ScriptTree): boolean {
  return nodesAround(tree.program, start, end).some((node) => {
    const used = usedIn(node);
    return typeof used?.["name"] === "string" && names.has(used["name"]);
  });
}

function usedIn(node: ScriptNode): ScriptNode | undefined {
  switch (node.type) {
    case "CallExpression":
    case "NewExpression":
      return node["callee"] as ScriptNode;
    case "JSXOpeningElement":
      return node["name"] as ScriptNode;
    case "TSTypeReference":
      return node["typeName"] as ScriptNode;
    case "TSClassImplements":
    case "TSInterfaceHeritage":
      return node["expression"] as ScriptNode;
    default:
      return undefined;
  }
}
