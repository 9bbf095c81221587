import { type Diagnostic } from "../diagnostics/diagnostic.ts";
import { nodesAround, type ScriptNode, type ScriptTree } from "../../names/index.ts";

/**
 * The diagnostics of an earlier state, to find those that a later state adds. Diagnostics are
 * counted by a key, such as block and code: lines move, and messages name types that change.
 */
export class KnownDiagnostics {
  readonly #counts = new Map<string, number>();
  readonly #messages = new Map<string, number>();

  /** Diagnostics for which `keyOf` returns `undefined` are ignored, here and in {@link freshOf}. */
  constructor(before: readonly Diagnostic[], keyOf: (finding: Diagnostic) => string | undefined) {
    for (const finding of before) {
      const key = keyOf(finding);
      if (key === undefined) continue;
      add(this.#counts, key);
      add(this.#messages, `${key}\n${finding.message}`);
    }
  }

  /**
   * The diagnostics of `found` beyond the earlier count of their key; among those of one key,
   * diagnostics with a message of the earlier state are not returned.
   */
  freshOf(found: readonly Diagnostic[], keyOf: (finding: Diagnostic) => string | undefined): readonly Diagnostic[] {
    const groups = new Map<string, Diagnostic[]>();
    for (const finding of found) {
      const key = keyOf(finding);
      if (key !== undefined) groups.set(key, [...(groups.get(key) ?? []), finding]);
    }
    return [...groups].flatMap(([key, group]) => {
      if (group.length <= (this.#counts.get(key) ?? 0)) return [];
      const left = new Map<string, number>();
      return group.filter(({ message }) => {
        const messageKey = `${key}\n${message}`;
        const times = left.get(messageKey) ?? this.#messages.get(messageKey) ?? 0;
        left.set(messageKey, times - 1);
        return times <= 0;
      });
    });
  }
}

function add(counts: Map<string, number>, key: string): void {
  counts.set(key, (counts.get(key) ?? 0) + 1);
}

/**
 * Whether a diagnostic is about the use of one of these names: arguments of a call, attributes of
 * an element, type arguments. A checker reports nothing about the use of a name that it cannot
 * resolve.
 */
export function isMaskedBy(names: ReadonlySet<string>, { start, end }: Diagnostic, tree: ScriptTree): boolean {
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
