import type { Program } from "oxc-parser";
import { boundNames, childrenOf, type ScriptNode } from "../../../names/index.ts";
import type { TextEdit } from "../../../text/index.ts";

/** A use of a top-level binding. */
export interface BindingUse {
  readonly start: number;
  readonly end: number;
  /**
   * `shorthand`: `{ name }`, which is both a property and its value; `export`: `export { name }`.
   */
  readonly form: "name" | "shorthand" | "export";
  /** Whether the new name would resolve to a closer binding here. */
  readonly isShadowed: boolean;
}

/** The uses of a top-level binding, and whether it may be renamed. */
export interface BindingUses {
  readonly uses: readonly BindingUse[];
  /** Whether the top level already binds the new name. */
  readonly collides: boolean;
}

/**
 * Finds the uses of the top-level binding `name` of a script, in text order; its declaration is one
 * of them, an import is not. Places where a function or a block binds the name itself are left out,
 * and so are keys, members, strings and comments. Each use has whether `other` would be shadowed
 * there.
 */
export function bindingUses(program: Program, name: string, other: string): BindingUses {
  const uses: BindingUse[] = [];
  const root = program as unknown as ScriptNode;
  const walk = (node: ScriptNode, scope: Scope): void => {
    switch (node.type) {
      case "Identifier":
      case "JSXIdentifier":
        if (node["name"] === name && !scope.hidesName) uses.push(useOf(node, "name", scope));
        for (const child of childrenOf(node)) walk(child, scope);
        return;
      case "ImportDeclaration":
        return;
      case "ExportNamedDeclaration":
        if (node["source"] !== null) return;
        for (const specifier of node["specifiers"] as readonly ScriptNode[]) {
          const local = specifier["local"] as ScriptNode;
          const exported = specifier["exported"] as ScriptNode;
          if (local["name"] === name && !scope.hidesName)
            uses.push(useOf(local, local.start === exported.start ? "export" : "name", scope));
        }
        if (node["declaration"]) walk(node["declaration"] as ScriptNode, scope);
        return;
      case "Property":
        if (node["shorthand"] === true && !isPattern(node)) {
          const key = node["key"] as ScriptNode;
          if (key["name"] === name && !scope.hidesName) uses.push(useOf(key, "shorthand", scope));
          return;
        }
        break;
      default:
    }
    const inner = within(node, scope);
    for (const child of usedChildren(node)) walk(child, inner);
  };
  const isPattern = (property: ScriptNode) => patterns.has(property);
  const patterns = new Set<ScriptNode>();
  const within = (node: ScriptNode, scope: Scope): Scope => {
    if (node.type === "ObjectPattern") for (const one of node["properties"] as readonly ScriptNode[]) patterns.add(one);
    if (node === root) return scope;
    const names = namesBoundBy(node);
    if (names === undefined || (!names.has(name) && !names.has(other))) return scope;
    return { hidesName: scope.hidesName || names.has(name), hidesOther: scope.hidesOther || names.has(other) };
  };
  const useOf = ({ start }: ScriptNode, form: BindingUse["form"], scope: Scope): BindingUse => ({
    start,
    end: start + name.length,
    form,
    isShadowed: scope.hidesOther,
  });
  walk(root, { hidesName: false, hidesOther: false });
  return { uses, collides: topLevelNames(program).has(other) };
}

interface Scope {
  readonly hidesName: boolean;
  readonly hidesOther: boolean;
}

/** The names that the top level of a script binds, by imports and declarations. */
function topLevelNames(program: Program): ReadonlySet<string> {
  const names = new Set<string>();
  for (const statement of program.body as unknown as readonly ScriptNode[]) {
    for (const specifier of (statement.type === "ImportDeclaration"
      ? statement["specifiers"]
      : []) as readonly ScriptNode[])
      names.add((specifier["local"] as ScriptNode)["name"] as string);
    declaredBy(statement, names);
  }
  hoisted(program as unknown as ScriptNode, names);
  return names;
}

/**
 * The names that a scope binds, such as a function its parameters and its `var`s, or a block its
 * declarations; `undefined` where the node is no scope.
 */
export function namesBoundBy(node: ScriptNode): ReadonlySet<string> | undefined {
  const names = new Set<string>();
  switch (node.type) {
    case "FunctionDeclaration":
    case "FunctionExpression":
    case "ArrowFunctionExpression":
    case "TSDeclareFunction":
    case "TSEmptyBodyFunctionExpression":
    case "TSFunctionType":
    case "TSConstructorType":
    case "TSMethodSignature":
    case "TSCallSignatureDeclaration":
    case "TSConstructSignatureDeclaration":
      typeParameters(node, names);
      for (const param of (node["params"] ?? []) as readonly ScriptNode[]) addAll(names, boundNames(param));
      if (node.type === "FunctionExpression" && node["id"]) names.add((node["id"] as ScriptNode)["name"] as string);
      if (node["body"]) hoisted(node["body"] as ScriptNode, names);
      return names;
    case "ClassDeclaration":
    case "ClassExpression":
    case "TSInterfaceDeclaration":
    case "TSTypeAliasDeclaration":
      typeParameters(node, names);
      if (node.type === "ClassExpression" && node["id"]) names.add((node["id"] as ScriptNode)["name"] as string);
      return names;
    case "BlockStatement":
    case "TSModuleBlock":
    case "StaticBlock":
      for (const statement of node["body"] as readonly ScriptNode[]) declaredBy(statement, names);
      return names;
    case "SwitchStatement":
      for (const one of node["cases"] as readonly ScriptNode[])
        for (const statement of one["consequent"] as readonly ScriptNode[]) declaredBy(statement, names);
      return names;
    case "ForStatement":
      if (node["init"]) declaredBy(node["init"] as ScriptNode, names);
      return names;
    case "ForInStatement":
    case "ForOfStatement":
      declaredBy(node["left"] as ScriptNode, names);
      return names;
    case "CatchClause":
      if (node["param"]) addAll(names, boundNames(node["param"] as ScriptNode));
      return names;
    case "TSMappedType":
    case "TSInferType":
      for (const child of childrenOf(node)) if (child.type === "TSTypeParameter") addParameter(child, names);
      if (typeof (node["key"] as ScriptNode | undefined)?.["name"] === "string")
        names.add((node["key"] as ScriptNode)["name"] as string);
      return names;
    default:
      return undefined;
  }
}

function typeParameters(node: ScriptNode, names: Set<string>): void {
  const list = node["typeParameters"] as ScriptNode | null | undefined;
  for (const one of (list?.["params"] ?? []) as readonly ScriptNode[]) addParameter(one, names);
}

function addParameter(parameter: ScriptNode, names: Set<string>): void {
  const name = parameter["name"] as ScriptNode | string;
  names.add(typeof name === "string" ? name : (name["name"] as string));
}

/** Adds the names that a statement declares in its own list of statements. */
function declaredBy(statement: ScriptNode, names: Set<string>): void {
  switch (statement.type) {
    case "ExportNamedDeclaration":
    case "ExportDefaultDeclaration":
      if (statement["declaration"]) declaredBy(statement["declaration"] as ScriptNode, names);
      return;
    case "VariableDeclaration":
      for (const one of statement["declarations"] as readonly ScriptNode[])
        addAll(names, boundNames(one["id"] as ScriptNode));
      return;
    case "FunctionDeclaration":
    case "TSDeclareFunction":
    case "ClassDeclaration":
    case "TSInterfaceDeclaration":
    case "TSTypeAliasDeclaration":
    case "TSEnumDeclaration":
    case "TSModuleDeclaration":
    case "TSImportEqualsDeclaration": {
      const name = (statement["id"] as ScriptNode | null)?.["name"];
      if (typeof name === "string") names.add(name);
    }
  }
}

/** Adds the names that `var` declares below a node, nested functions excluded. */
function hoisted(node: ScriptNode, names: Set<string>): void {
  for (const child of childrenOf(node)) {
    if (/Function|^Class|^TS/.test(child.type)) continue;
    if (child.type === "VariableDeclaration" && child["kind"] === "var") declaredBy(child, names);
    if (!/Expression$|Literal$|^Identifier$/.test(child.type)) hoisted(child, names);
  }
}

/** The children of a node without names that are no binding: keys, members, labels. */
function* usedChildren(node: ScriptNode): Generator<ScriptNode> {
  const skipped = nameOnly[node.type];
  const isComputed = node["computed"] === true;
  for (const child of childrenOf(node)) {
    if (!isComputed && skipped !== undefined && child === node[skipped]) continue;
    // `<b>` is an intrinsic element, even if a binding is called b.
    if (child.type === "JSXIdentifier" && /^[a-z]/.test(child["name"] as string) && /^JSX\w+Element$/.test(node.type))
      continue;
    yield child;
  }
}

/** The field of a node type that holds a name which is no binding. */
const nameOnly: Readonly<Record<string, string>> = {
  MemberExpression: "property",
  Property: "key",
  MethodDefinition: "key",
  PropertyDefinition: "key",
  AccessorProperty: "key",
  TSAbstractMethodDefinition: "key",
  TSAbstractPropertyDefinition: "key",
  TSPropertySignature: "key",
  TSMethodSignature: "key",
  TSEnumMember: "id",
  TSQualifiedName: "right",
  TSImportType: "qualifier",
  TSNamedTupleMember: "label",
  JSXMemberExpression: "property",
  JSXAttribute: "name",
  LabeledStatement: "label",
  BreakStatement: "label",
  ContinueStatement: "label",
  MetaProperty: "property",
};

function addAll(names: Set<string>, more: readonly string[]): void {
  for (const name of more) names.add(name);
}

/**
 * Renames the uses of a top-level binding: `{ name }` becomes `{ name: to }`, and exports get the
 * new name. Imports of the name are left as they are.
 *
 * `undefined` where the new name collides with another binding at one of the places. Law: a rename
 * and its reverse restore the text, except that `{ to: to }` stays for `{ to }`.
 */
export function renameUses(program: Program, name: string, to: string): readonly TextEdit[] | undefined {
  const { uses, collides } = bindingUses(program, name, to);
  if (collides || uses.some(({ isShadowed }) => isShadowed)) return undefined;
  return uses.map(({ start, end, form }) =>
    form === "shorthand" ? { start: end, end, text: `: ${to}` } : { start, end, text: to },
  );
}

/**
 * Whether a name is bound at the end of a path: by a function or block around it, or at the top
 * level.
 */
export function isInScope(path: readonly ScriptNode[], name: string): boolean {
  const [program, ...inner] = path;
  if (inner.some((node) => namesBoundBy(node)?.has(name) === true)) return true;
  return program !== undefined && topLevelNames(program as never).has(name);
}

/** The declarator of a variable, and its path, outermost node first. */
export interface LocalValue {
  readonly declarator: ScriptNode;
  readonly path: readonly ScriptNode[];
  readonly isConstant: boolean;
}

/**
 * The declarator that a name resolves to at the end of a path, outermost node first; `undefined`
 * where it resolves to a parameter or anything else.
 */
export function localValue(path: readonly ScriptNode[], name: string): LocalValue | undefined {
  for (let depth = path.length - 1; depth >= 0; depth -= 1) {
    const node = path[depth]!;
    for (const statement of statementsOf(node)) {
      const declaration = (statement["declaration"] ?? statement) as ScriptNode;
      if (declaration.type !== "VariableDeclaration") continue;
      for (const declarator of declaration["declarations"] as readonly ScriptNode[])
        if (boundNames(declarator["id"] as ScriptNode).includes(name))
          return { declarator, path: path.slice(0, depth + 1), isConstant: declaration["kind"] === "const" };
    }
    if (depth > 0 && namesBoundBy(node)?.has(name) === true) return undefined;
  }
  return undefined;
}

function statementsOf(node: ScriptNode): readonly ScriptNode[] {
  if (!/^(BlockStatement|Program|StaticBlock|TSModuleBlock|SwitchCase)$/.test(node.type)) return [];
  return (node["body"] ?? node["consequent"]) as readonly ScriptNode[];
}
