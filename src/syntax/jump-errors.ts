import type { Node as WasmNode } from "web-tree-sitter";
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
  const rules = rulesOf[tree.language.grammar ?? ""];
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

/** Where a statement may stand: the nearest node around it that has one of these types decides. */
interface JumpRule {
  /** Nodes in which it is allowed; where `isAsync` is set, only those that are marked `async`. */
  readonly inside: readonly string[];
  /** Nodes in which it is not allowed. */
  readonly outside: readonly string[];
  readonly isAsync?: true;
  /** Set where it may name a labelled statement, which it then leaves. */
  readonly mayHaveLabel?: true;
  /** Whether it is allowed outside of all these nodes. */
  readonly isAllowedAtTop?: (path: string) => boolean;
  /** What it is allowed in, for the message. */
  readonly only: string;
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

const aLoop = "a loop";
const aLoopOrSwitch = "a loop or switch";

const inFunction = (inside: readonly string[], outside: readonly string[] = []): JumpRule => ({
  ...{ inside, outside, only: "a function" },
});
const inLoop = (inside: readonly string[], outside: readonly string[], only = aLoop): JumpRule => ({
  ...{ inside, outside, only, mayHaveLabel: true },
});
const inAsync = (
  inside: readonly string[],
  outside: readonly string[] = [],
  isAllowedAtTop: JumpRule["isAllowedAtTop"] = () => false,
): JumpRule => ({ inside, outside, isAsync: true, isAllowedAtTop, only: "an asynchronous function" });

const go = ["function_declaration", "method_declaration", "func_literal"];
const rust = ["function_item", "closure_expression", "async_block"];
const java = ["method_declaration", "constructor_declaration", "compact_constructor_declaration", "lambda_expression"];
const javaLoops = ["for_statement", "enhanced_for_statement", "while_statement", "do_statement"];
const cFunctions = ["function_definition", "lambda_expression", "compound_statement"];
const csharp = [
  ...["method_declaration", "local_function_statement", "lambda_expression", "anonymous_method_expression"],
  ...["accessor_declaration", "property_declaration", "operator_declaration", "indexer_declaration"],
];
const csharpLoops = ["for_statement", "foreach_statement", "while_statement", "do_statement"];
const php = ["function_definition", "method_declaration", "anonymous_function", "arrow_function"];
const phpLoops = ["for_statement", "foreach_statement", "while_statement", "do_statement", "switch_statement"];
const python = ["function_definition", "class_definition"];
const pythonLoops = ["for_statement", "while_statement"];
const rubyMethods = ["method", "singleton_method"];
const rubyClasses = ["class", "module", "singleton_class"];
const rubyLoops = [...["while", "until", "for", "while_modifier", "until_modifier"], ...["block", "do_block"]];

/**
 * By type of node. C and C++ have no rule for `break` and `continue`, since a macro may
 * be a loop; scripts have a parser of their own. In Ruby, PHP, C# and a shell `return` is allowed
 * at the top.
 */
const tables: Readonly<Record<string, Readonly<Record<string, JumpRule>>>> = {
  python: {
    return_statement: inFunction(["function_definition"], ["class_definition"]),
    yield: inFunction(["function_definition", "lambda"], ["class_definition"]),
    await: inAsync(["function_definition"], ["class_definition"], (path) => !/\.pyw?$/i.test(path)),
    break_statement: inLoop(pythonLoops, python),
    continue_statement: inLoop(pythonLoops, python),
  },
  go: {
    return_statement: inFunction(go),
    break_statement: inLoop(
      ["for_statement", "expression_switch_statement", "type_switch_statement", "select_statement"],
      go,
      aLoopOrSwitch,
    ),
    continue_statement: inLoop(["for_statement"], go),
  },
  rust: {
    return_expression: inFunction(rust),
    break_expression: inLoop(["loop_expression", "while_expression", "for_expression"], rust),
    continue_expression: inLoop(["loop_expression", "while_expression", "for_expression"], rust),
    await_expression: inAsync(rust),
  },
  java: {
    return_statement: inFunction(java, ["class_body"]),
    break_statement: inLoop([...javaLoops, "switch_expression"], java, aLoopOrSwitch),
    continue_statement: inLoop(javaLoops, java),
  },
  c: { return_statement: inFunction(cFunctions) },
  cpp: { return_statement: inFunction(cFunctions) },
  c_sharp: {
    yield_statement: inFunction(csharp),
    break_statement: inLoop([...csharpLoops, "switch_statement"], csharp, aLoopOrSwitch),
    continue_statement: inLoop(csharpLoops, csharp),
    await_expression: inAsync(csharp, ["class_declaration", "struct_declaration", "record_declaration"], () => true),
  },
  ruby: {
    yield: inFunction(rubyMethods, rubyClasses),
    break: inLoop(rubyLoops, [...rubyMethods, ...rubyClasses], "a loop or block"),
    next: inLoop(rubyLoops, [...rubyMethods, ...rubyClasses], "a loop or block"),
  },
  php: {
    yield_expression: inFunction(php),
    break_statement: inLoop(phpLoops, php, aLoopOrSwitch),
    continue_statement: inLoop(phpLoops, php, aLoopOrSwitch),
  },
};

/** By grammar: the rules, and the types of all nodes that they are about. */
const rulesOf = Object.fromEntries(
  Object.entries(tables).map(([grammar, table]) => {
    const rules = Object.values(table);
    const types = new Set([...Object.keys(table), ...rules.flatMap(({ inside, outside }) => [...inside, ...outside])]);
    return [grammar, { byType: new Map(Object.entries(table)), types }];
  }),
);
