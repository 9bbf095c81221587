import type { Program } from "oxc-parser";
import type { TextEdit } from "../../../text/text-edit.ts";
import { boundNames, childrenOf, type ScriptNode } from "./script-nodes.ts";

/** One place where a name of a file's top level is used. */
export interface BindingUse {
  readonly start: number;
  readonly end: number;
  /**
   * `shorthand`: `{ name }`, which is a property and its value at once; `export`:
   * `export { name }`.
   */
  readonly form: "name" | "shorthand" | "export";
  /** Whether the other name that was asked about means something closer to this place. */
  readonly isShadowed: boolean;
}

/** Where a name of the top level is used, and whether another name could stand there instead. */
export interface BindingUses {
  readonly uses: readonly BindingUse[];
  /** Whether the top level has the other name already. */
  readonly collides: boolean;
}

/**
 * Finds the uses of `name`, as the top level of a script binds it: places where a function or a
 * block has a name of its own are not among them, nor keys, members, strings and comments. Each
 * says whether `other` could stand in its place.
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

/** The names that the top level of a script binds: by imports and declarations. */
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

/** The names that a node binds for what is inside of it; `undefined` where it is no scope. */
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

/** What a statement declares in the list that it is in. */
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

/** What `var` declares below a node, functions left out. */
function hoisted(node: ScriptNode, names: Set<string>): void {
  for (const child of childrenOf(node)) {
    if (/Function|^Class|^TS/.test(child.type)) continue;
    if (child.type === "VariableDeclaration" && child["kind"] === "var") declaredBy(child, names);
    if (!/Expression$|Literal$|^Identifier$/.test(child.type)) hoisted(child, names);
  }
}

/** The children of a node but for names that mean no binding: keys, members, labels. */
function* usedChildren(node: ScriptNode): Generator<ScriptNode> {
  const skipped = nameOnly[node.type];
  const isComputed = node["computed"] === true;
  for (const child of childrenOf(node)) {
    if (!isComputed && skipped !== undefined && child === node[skipped]) continue;
    // `<b>` is an element of the page, whatever else is called b.
    if (child.type === "JSXIdentifier" && /^[a-z]/.test(child["name"] as string) && /^JSX\w+Element$/.test(node.type))
      continue;
    yield child;
  }
}

/** In which field a node has a name that means no binding. */
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
 * Renames what the top level of a script binds, at its uses: `{ name }` becomes `{ name: to }`, and
 * what it exports is exported under the new name. The place that binds it is left as it is.
 *
 * `undefined` where the new name means something else already at one of the places. Law: renamed
 * there and back, the text is as before, but for `{ to: to }`, which says what `{ to }` says.
 */
export function renameUses(program: Program, name: string, to: string): readonly TextEdit[] | undefined {
  const { uses, collides } = bindingUses(program, name, to);
  if (collides || uses.some(({ isShadowed }) => isShadowed)) return undefined;
  return uses.map(({ start, end, form }) =>
    form === "shorthand" ? { start: end, end, text: `: ${to}` } : { start, end, text: to },
  );
}

/**
 * Whether a name is bound where a way of nodes leads to: by a function or block around, or at the
 * top of the file.
 */
export function isInScope(path: readonly ScriptNode[], name: string): boolean {
  const [program, ...inner] = path;
  if (inner.some((node) => namesBoundBy(node)?.has(name) === true)) return true;
  return program !== undefined && topLevelNames(program as never).has(name);
}

/** The declarator of a variable, and the nodes around it, the outermost first. */
export interface LocalValue {
  readonly declarator: ScriptNode;
  readonly path: readonly ScriptNode[];
  /** Whether it is declared by `const`. */
  readonly isConstant: boolean;
}

/**
 * The declarator that gives a name its value where a way of nodes leads to; `undefined` where a
 * parameter or anything else does.
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
