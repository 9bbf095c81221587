import type { Node } from "typescript/unstable/ast";
import { SyntaxKind } from "typescript/unstable/ast";

/**
 * The names that the enclosing functions and the blocks in them bind, during a traversal. Such a
 * name refers to something in the code block that contains the function.
 *
 * This only saves requests to the type checker, and is no second binder: types and values have
 * scopes of their own, and a name that may merge with others is left to the checker. The name
 * tables of `names` join types and values, and are of another parser's tree. A request names a node
 * by its index in TypeScript's tree, which is fetched for the places of declarations in any case.
 */
export class LocalNames {
  /** The scopes that are open, innermost last; empty outside all functions. */
  readonly #values: ReadonlySet<string>[] = [];
  readonly #types: ReadonlySet<string>[] = [];

  /** Whether an open scope binds this name as a value. */
  hasValue(name: string): boolean {
    return this.#values.some((names) => names.has(name));
  }

  /** Whether an open scope binds this name as a type. */
  hasType(name: string): boolean {
    return this.#types.some((names) => names.has(name));
  }

  /** Visits the children of a node, with the names that the node binds in scope. */
  inside(node: Node, visit: (node: Node) => void): void {
    if (isFunctionLike(node)) {
      this.#insideFunction(node as FunctionLike, visit);
      return;
    }
    switch (node.kind) {
      case SyntaxKind.MethodSignature:
      case SyntaxKind.CallSignature:
      case SyntaxKind.ConstructSignature:
      case SyntaxKind.FunctionType:
      case SyntaxKind.ConstructorType:
      case SyntaxKind.TypeAliasDeclaration:
        // Type parameters of interfaces and classes may be shared with other declarations of the
        // same name.
        this.#withTypes(node, () => node.forEachChild(visit));
        return;
      case SyntaxKind.Block:
        if (this.#values.length > 0) this.#withStatements(statementsOf(node), () => node.forEachChild(visit));
        else node.forEachChild(visit);
        return;
      case SyntaxKind.ForStatement:
      case SyntaxKind.ForInStatement:
      case SyntaxKind.ForOfStatement:
      case SyntaxKind.CatchClause: {
        const { initializer, variableDeclaration } = node as unknown as {
          readonly initializer?: Node & Partial<DeclarationList>;
          readonly variableDeclaration?: NamedNode;
        };
        if (this.#values.length === 0) {
          node.forEachChild(visit);
          return;
        }
        const names = new Set<string>();
        for (const { name } of initializer?.declarations ?? []) addBound(name, names);
        if (variableDeclaration !== undefined) addBound(variableDeclaration.name, names);
        within(this.#values, names, () => node.forEachChild(visit));
        return;
      }
      default:
        node.forEachChild(visit);
    }
  }

  /**
   * Calls `visit` with all scopes closed, for a decorator, which is outside the scope of what it
   * decorates.
   */
  outside(visit: () => void): void {
    const values = this.#values.splice(0);
    const types = this.#types.splice(0);
    visit();
    this.#values.push(...values);
    this.#types.push(...types);
  }

  /** A group of tests opens no scope: its declarations are blocks of their own. */
  #insideFunction(node: FunctionLike, visit: (node: Node) => void): void {
    if (isGroupOfTests(node)) {
      node.forEachChild(visit);
      return;
    }
    const parameters = new Set<string>();
    for (const { name } of node.parameters) addBound(name, parameters);
    this.#withTypes(node, () =>
      node.forEachChild((child) => {
        if (child !== node.body && child.kind !== SyntaxKind.Parameter) visit(child);
        else within(this.#values, parameters, () => visit(child));
      }),
    );
  }

  #withTypes(node: Node, visit: () => void): void {
    const { typeParameters = [] } = node as unknown as { readonly typeParameters?: readonly NamedNode[] };
    const names = new Set<string>();
    for (const { name } of typeParameters) addBound(name, names);
    within(this.#types, names, visit);
  }

  #withStatements(statements: readonly Node[], visit: () => void): void {
    const values = new Set<string>();
    const types = new Set<string>();
    for (const statement of statements) addDeclared(statement, values, types);
    within(this.#values, values, () => within(this.#types, types, visit));
  }
}

/** A node that binds one name, or several by a pattern. */
interface NamedNode extends Node {
  readonly name: Node;
}

interface DeclarationList {
  readonly declarations: readonly NamedNode[];
}

interface FunctionLike extends Node {
  readonly parameters: readonly NamedNode[];
  readonly body?: Node;
}

function within(open: ReadonlySet<string>[], names: ReadonlySet<string>, visit: () => void): void {
  open.push(names);
  visit();
  open.pop();
}

/**
 * Whether a function is the body of `describe("…", () => {})` and the like, by the same rule as for
 * blocks.
 */
function isGroupOfTests({ parent }: Node): boolean {
  if (parent.kind !== SyntaxKind.CallExpression) return false;
  let node: Node = (parent as unknown as { readonly expression: Node }).expression;
  let hasDescribe = false;
  while (node.kind !== SyntaxKind.Identifier) {
    const { name, expression } = node as unknown as {
      readonly name?: { readonly text: string };
      readonly expression?: Node;
    };
    hasDescribe ||= name?.text === "describe";
    if (expression === undefined) return false;
    node = expression;
  }
  return hasDescribe || /^(describe|context|suite)$/.test((node as unknown as { readonly text: string }).text);
}

function statementsOf(body: Node): readonly Node[] {
  return (body as unknown as { readonly statements: readonly Node[] }).statements;
}

function addDeclared(statement: Node, values: Set<string>, types: Set<string>): void {
  const { name, declarationList } = statement as unknown as {
    readonly name?: Node;
    readonly declarationList?: DeclarationList;
  };
  switch (statement.kind) {
    case SyntaxKind.VariableStatement:
      for (const one of declarationList!.declarations) addBound(one.name, values);
      return;
    case SyntaxKind.ClassDeclaration:
    case SyntaxKind.EnumDeclaration:
      if (name !== undefined) addBound(name, types);
      if (name !== undefined) addBound(name, values);
      return;
    case SyntaxKind.FunctionDeclaration:
      if (name !== undefined) addBound(name, values);
      return;
    case SyntaxKind.InterfaceDeclaration:
    case SyntaxKind.TypeAliasDeclaration:
      if (name !== undefined) addBound(name, types);
  }
}

function addBound(name: Node, names: Set<string>): void {
  if (name.kind === SyntaxKind.Identifier) names.add((name as unknown as { readonly text: string }).text);
  else {
    for (const element of (name as unknown as { readonly elements: readonly { readonly name?: Node }[] }).elements) {
      if (element.name !== undefined) addBound(element.name, names);
    }
  }
}

/**
 * The kind of lookup: an import may be of a type only, and then a value of the same name is a
 * global one.
 */
export type Meaning = "type" | "value";

/** What is known about a use of a name before it is resolved. */
export interface KnownUse {
  /** The index of an earlier name with the same meaning. */
  readonly sameAs?: number;
  /**
   * The only name in the file that binds it, by index; it has the same meaning if its symbol fits
   * `meaning`.
   */
  readonly boundBy?: { readonly name: number; readonly meaning: Meaning };
  /** A key that is equal for global names with the same meaning, in all files. */
  readonly global?: string;
}

/**
 * The names that a file looks up in its scopes. A name that is bound only at the top of the file,
 * or not in the file at all, has the same meaning for each use of the same kind.
 */
export class LookedUpNames {
  readonly #boundBelow = new Set<string>();
  /** For each name that is bound at the top: the index of its only binding, if that is resolved. */
  readonly #boundAtTop = new Map<string, number | undefined>();
  readonly #uses: (readonly [name: string, meaning: Meaning, index: number])[] = [];

  /** Adds the name of a declaration; `index` is `undefined` when the name is not resolved. */
  bind(name: string, node: Node, index: number | undefined): void {
    if (!isAtTop(node)) this.#boundBelow.add(name);
    else this.#boundAtTop.set(name, this.#boundAtTop.has(name) || !isOfFile(node) ? undefined : index);
  }

  /** Adds a use of a name; `index` is that in the file's list of names. */
  use(name: string, meaning: Meaning, index: number): void {
    this.#uses.push([name, meaning, index]);
  }

  /** What is known about the uses, by index; uses of which nothing is known are missing. */
  known(): ReadonlyMap<number, KnownUse> {
    const first = new Map<string, number>();
    const known = new Map<number, KnownUse>();
    for (const [name, meaning, index] of this.#uses) {
      if (this.#boundBelow.has(name)) continue;
      const key = `${name} ${meaning}`;
      const sameAs = first.get(key);
      if (sameAs !== undefined) {
        known.set(index, { sameAs });
        continue;
      }
      first.set(key, index);
      const binding = this.#boundAtTop.get(name);
      if (binding !== undefined) known.set(index, { boundBy: { name: binding, meaning } });
      // Each function has its own `arguments`.
      else if (!this.#boundAtTop.has(name) && name !== "arguments") known.set(index, { global: key });
    }
    return known;
  }
}

/**
 * Whether a name is bound in the file's own scope; the inner name of `namespace Outer.Inner` is
 * not.
 */
function isOfFile({ parent }: Node): boolean {
  return parent.kind !== SyntaxKind.ModuleDeclaration || parent.parent.kind === SyntaxKind.SourceFile;
}

/** Whether a declaration is at the top level of the file. */
function isAtTop(name: Node): boolean {
  let node = name.parent;
  for (;;) {
    switch (node.kind) {
      case SyntaxKind.BindingElement:
      case SyntaxKind.ObjectBindingPattern:
      case SyntaxKind.ArrayBindingPattern:
      case SyntaxKind.VariableDeclaration:
      case SyntaxKind.VariableDeclarationList:
      case SyntaxKind.VariableStatement:
      case SyntaxKind.FunctionDeclaration:
      case SyntaxKind.ClassDeclaration:
      case SyntaxKind.InterfaceDeclaration:
      case SyntaxKind.TypeAliasDeclaration:
      case SyntaxKind.EnumDeclaration:
      case SyntaxKind.ModuleDeclaration:
      case SyntaxKind.ImportSpecifier:
      case SyntaxKind.ImportClause:
      case SyntaxKind.NamespaceImport:
      case SyntaxKind.NamedImports:
      case SyntaxKind.ImportDeclaration:
      case SyntaxKind.ImportEqualsDeclaration:
        if (node.parent.kind === SyntaxKind.SourceFile) return true;
        node = node.parent;
        continue;
      default:
        return false;
    }
  }
}

/** Whether a declared name can be looked up in a scope; members cannot. */
export function isBinding({ parent }: Node): boolean {
  switch (parent.kind) {
    case SyntaxKind.MethodDeclaration:
    case SyntaxKind.MethodSignature:
    case SyntaxKind.PropertyDeclaration:
    case SyntaxKind.PropertySignature:
    case SyntaxKind.PropertyAssignment:
    case SyntaxKind.GetAccessor:
    case SyntaxKind.SetAccessor:
    case SyntaxKind.JsxAttribute:
    case SyntaxKind.NamedTupleMember:
    case SyntaxKind.JsxClosingElement:
    case SyntaxKind.LabeledStatement:
    case SyntaxKind.BreakStatement:
    case SyntaxKind.ContinueStatement:
    case SyntaxKind.MetaProperty:
      return false;
    default:
      return true;
  }
}

/**
 * Whether a node is a function, method or constructor with a body, or an overload or abstract
 * declaration of one, or an accessor. Signatures in interfaces and types are not, but for
 * accessors.
 */
export function isFunctionLike(node: Node): boolean {
  switch (node.kind) {
    case SyntaxKind.FunctionDeclaration:
    case SyntaxKind.FunctionExpression:
    case SyntaxKind.ArrowFunction:
    case SyntaxKind.MethodDeclaration:
    case SyntaxKind.Constructor:
    case SyntaxKind.GetAccessor:
    case SyntaxKind.SetAccessor:
      return true;
    default:
      return false;
  }
}
