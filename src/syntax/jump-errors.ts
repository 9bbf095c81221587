import type { Node as WasmNode } from "web-tree-sitter";
import type { JumpRule, Language } from "../languages/index.ts";
import { getOrInsert } from "../text/index.ts";
import type { SyntaxDiagnostic } from "./syntax-diagnostic.ts";
import { rootOf, type SyntaxTree } from "./tree.ts";

/**
 * The statements of a text that leave a function or a loop where there is none, in the order of the
 * text: `return` and `yield` outside of functions, `break` and `continue` outside of loops, `await`
 * outside of asynchronous functions. The grammars accept them anywhere. Throws as {@link rootOf}
 * does.
 *
 * A text with syntax errors has none of these errors, since what encloses its statements is
 * unknown; nor has one of more than 300,000 characters, which would take over 30 ms. `path` is that
 * of the text: at the top of a notebook's cell `await` is allowed.
 */
export function jumpErrors(tree: SyntaxTree, path: string): SyntaxDiagnostic[] {
  const rules = rulesOf(tree.language);
  if (rules === undefined || tree.hasError || tree.text.length > maxCharacters) return [];
  const errors: SyntaxDiagnostic[] = [];
  // The nodes around the present one, the outermost first: a node's own `parent` is searched from
  // the root.
  const around: Around[] = [];
  for (const node of rootOf(tree).descendantsOfType([...rules.types])) {
    if (!node.isNamed) continue;
    const { type, startIndex: start, endIndex: end } = node;
    while (around.length > 0 && around.at(-1)!.end <= start) around.pop();
    const rule = rules.byType.get(type);
    if (rule !== undefined && !isAllowed(node, rule, { around, path })) {
      const message = `"${/^[a-z]+/.exec(type)![0]}" is only allowed in ${rule.only}`;
      // Rust writes it last.
      const from = node.lastChild?.type === "await" ? node.lastChild.startIndex : start;
      errors.push({ code: "misplaced", start: from, end, message });
    }
    around.push({ node, type, end });
  }
  return errors;
}

const maxCharacters = 300_000;

/** A node around others; reading its type and its end again would take longer. */
interface Around {
  readonly node: WasmNode;
  readonly type: string;
  readonly end: number;
}

function isAllowed(
  node: WasmNode,
  rule: JumpRule,
  { around, path }: { readonly around: readonly Around[]; readonly path: string },
): boolean {
  const nearest = around.findLast(({ type }) => rule.inside.includes(type) || rule.outside.includes(type));
  const isInside = nearest !== undefined && rule.inside.includes(nearest.type);
  if (isInside && (rule.isAsync !== true || isAsync(nearest.node))) return true;
  if (nearest === undefined && rule.isAllowedAtTop?.(path) === true) return true;
  // A label may be that of a block.
  return rule.mayHaveLabel === true && node.namedChildren.some(({ type }) => labels.has(type));
}

function isAsync(node: WasmNode): boolean {
  if (node.type === "async_block") return true;
  const body = node.childForFieldName("body");
  return node.children.some((child) => child.id !== body?.id && /^(?:\w+ )*async\b/.test(child.text.slice(0, 80)));
}

const labels: ReadonlySet<string> = new Set(["label", "label_name", "identifier"]);

interface JumpRules {
  readonly byType: ReadonlyMap<string, JumpRule>;
  /** The types of all nodes that the rules are about. */
  readonly types: readonly string[];
}

const known = new Map<Language, JumpRules | undefined>();

/** The rules of a language; `undefined` where it has none. */
function rulesOf(language: Language): JumpRules | undefined {
  return getOrInsert(known, language, () => {
    if (language.jumps === undefined) return undefined;
    const byType = new Map(Object.entries(language.jumps));
    const around = [...byType.values()].flatMap(({ inside, outside }) => [...inside, ...outside]);
    return { byType, types: [...new Set([...byType.keys(), ...around])] };
  });
}
