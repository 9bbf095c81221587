import type { Node } from "typescript/unstable/ast";
import { SyntaxKind } from "typescript/unstable/ast";

/** The names that functions around a place bind, and blocks inside of them: those mean something of the block of code that holds the function. */
export class LocalNames {
  /** The innermost is the last; where none is open, the place is in no function. */
  readonly #values: ReadonlySet<string>[] = [];
  readonly #types: ReadonlySet<string>[] = [];

  hasValue(name: string): boolean {
    return this.#values.some((names) => names.has(name));
  }

  hasType(name: string): boolean {
    return this.#types.some((names) => names.has(name));
  }

  /** Visits what is in a node, with the names that it binds. */
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
        // The parameters of interfaces and classes may be those of other declarations of the same name too.
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

  /** Decorators stand outside of what they decorate. */
  outside(visit: () => void): void {
    const values = this.#values.splice(0);
    const types = this.#types.splice(0);
    visit();
    this.#values.push(...values);
    this.#types.push(...types);
  }

  /** What a group of tests declares are blocks, and no names of its own. */
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

/** A node that binds a name, or several by a pattern. */
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

/** `describe("…", () => {})` and its like, as blocks are found. */
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

/** What a name is looked up for: an import may be of a type alone, and then a value of that name is a global one. */
export type Meaning = "type" | "value";

/** What is known of a name that is looked up where it stands, but what it means. */
export interface KnownUse {
  /** The name that means the same, as an earlier use of it. */
  readonly sameAs?: number;
  /** The only name in the file that binds it: it means the same if that may mean what it is looked up for. */
  readonly boundBy?: { readonly name: number; readonly meaning: Meaning };
  /** Equal for names that nothing in their files binds and that mean the same: those of the whole project. */
  readonly global?: string;
}

/**
 * The names that a file looks up where they stand. One that is bound at the top of the file or nowhere in it means the same
 * wherever it is looked up for the same.
 */
export class LookedUpNames {
  readonly #boundBelow = new Set<string>();
  /** Of each name that is bound at the top: the index of the only one that binds it, if that is asked. */
  readonly #boundAtTop = new Map<string, number | undefined>();
  readonly #uses: (readonly [name: string, meaning: Meaning, index: number])[] = [];

  /** Takes the name of a declaration, by its index among all if it is asked what that means. */
  bind(name: string, node: Node, index: number | undefined): void {
    if (!isAtTop(node)) this.#boundBelow.add(name);
    else this.#boundAtTop.set(name, this.#boundAtTop.has(name) || !isOfFile(node) ? undefined : index);
  }

  /** Takes a use of a name, by its index among all. */
  use(name: string, meaning: Meaning, index: number): void {
    this.#uses.push([name, meaning, index]);
  }

  /** What is known of the uses, by index; what is known of none is left out. */
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
      // Each function has arguments of its own.
      else if (!this.#boundAtTop.has(name) && name !== "arguments") known.set(index, { global: key });
    }
    return known;
  }
}

/** Whether a name at the top is one of the file itself: of `namespace Outer.Inner` the inner is not. */
function isOfFile({ parent }: Node): boolean {
  return parent.kind !== SyntaxKind.ModuleDeclaration || parent.parent.kind === SyntaxKind.SourceFile;
}

/** Whether the declaration of a name stands where the statements of the file do. */
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

/** Whether a name is that of something that can be looked up where it stands; members can not. */
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

/** Whether a node has parameters and, but where it is only declared, a body. */
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
