import type { Node, SourceFile } from "typescript/unstable/ast";
import { SyntaxKind } from "typescript/unstable/ast";
import { addToGroup } from "../../text/index.ts";
import type { ReferenceRole } from "../graph/reference.ts";

/** The key of a syntax node in requests to the service. */
export interface NodeKey {
  readonly index: number;
  readonly kind: number;
}

/** A name to be resolved. */
export interface OutlinedName {
  readonly node: NodeKey;
  readonly start: number;
  readonly name: string;
  /** `declaration`: the name of a declaration that may be one of several of a merged symbol. */
  readonly role: ReferenceRole | "declaration";
  /**
   * For `{ name }`: the property's node. What the name refers to takes another request than the
   * property.
   */
  readonly shorthand?: NodeKey;
  /** For a member: the beginning of its chain. */
  readonly memberOf?: MemberRoot;
  /** For a name in the braces of an import: what it imports. */
  readonly importOf?: ExportReference;
}

/** An imported name, which has the same meaning for all importers. */
export interface ExportReference {
  /** The module, by its index in the file's list of modules. */
  readonly module: number;
  /** The exported name. */
  readonly name: string;
}

/** The beginning of a chain of members, calls and the like. */
export interface MemberRoot {
  /**
   * The name at the beginning of the chain, by its index in the file's list of names; if it cannot
   * be resolved, neither can the members.
   */
  readonly root: number;
  /** The member's name, when it follows the first name directly. */
  readonly member?: string;
}

/** A property of a literal or pattern, or a member of a class. */
export interface MemberName {
  readonly name: string;
  readonly start: number;
}

/** A literal, function, JSX attributes or pattern that may have a contextual type. */
export interface OutlinedShape {
  readonly node: NodeKey;
  readonly start: number;
  readonly names: readonly MemberName[];
  /**
   * For an argument of a call: the name at the beginning of the called chain. If it cannot be
   * resolved, there is no contextual type.
   */
  readonly calledRoot?: number;
}

/** A class or interface with base types. */
export interface OutlinedHeritage {
  readonly bases: readonly NodeKey[];
  readonly names: readonly MemberName[];
}

/** A module specifier. */
export interface OutlinedModule {
  readonly node: NodeKey;
  readonly start: number;
  readonly specifier: string;
}

/**
 * What resolving a file's names needs of its syntax tree. Plain data; the tree itself is not kept.
 */
export interface FileOutline {
  /**
   * For each node, by its index: an offset in the node that lies in no smaller block; 0 for the
   * file.
   */
  readonly places: NodePlaces;
  readonly names: readonly OutlinedName[];
  /** Expressions that may have a contextual type. */
  readonly shapes: readonly OutlinedShape[];
  /** Destructuring patterns; the destructured value has a type of its own. */
  readonly patterns: readonly OutlinedShape[];
  readonly heritage: readonly OutlinedHeritage[];
  readonly modules: readonly OutlinedModule[];
}

export type NodePlaces = Int32Array;

/**
 * The outline of a file's tree, read in one traversal; offsets are in UTF-16 units, names and
 * modules in text order.
 */
export function outlineOf(source: SourceFile): FileOutline {
  // The last node; those of its comment, which follow, declare nothing.
  const places = new Int32Array(keyOf(source.endOfFileToken).index + 1);
  const names: OutlinedName[] = [];
  const shapes: OutlinedShape[] = [];
  const patterns: OutlinedShape[] = [];
  const heritage: OutlinedHeritage[] = [];
  const modules: OutlinedModule[] = [];
  const roots = new ChainRoots(isJavaScript(source));
  const shape = (node: Node): OutlinedShape => ({
    ...{ node: keyOf(node), start: node.getStart(source), names: propertyNamesOf(node, source) },
  });
  const addContextualShape = (node: Node): void => {
    const context = contextOf(node);
    if (context === undefined) return;
    const calledRoot = isCall(context) ? roots.of(callee(context)) : undefined;
    shapes.push(calledRoot === undefined ? shape(node) : { ...shape(node), calledRoot });
  };
  const imports = new Map<Node, { readonly index: number; readonly name: string }[]>();
  const visit = (node: Node): void => {
    // No block inside the node contains its last character.
    places[keyOf(node).index] = node.end - 1;
    switch (node.kind) {
      case SyntaxKind.Identifier:
      case SyntaxKind.PrivateIdentifier: {
        const start = node.getStart(source);
        const { parent } = node;
        const isName = (parent as { readonly name?: Node }).name === node;
        if (isName) places[keyOf(parent).index] = start;
        const role = roleOf(node);
        if (role === undefined) return;
        const text = textOf(node, start, source);
        if (parent.kind === SyntaxKind.ShorthandPropertyAssignment) {
          names.push({ node: keyOf(node), start, name: text, role, shorthand: keyOf(parent) });
          return;
        }
        roots.add(node, names.length);
        const memberOf = roots.ownerOf(node, text);
        if (isName && parent.kind === SyntaxKind.ImportSpecifier) {
          const statement = parent.parent.parent.parent;
          const { propertyName = node } = parent as unknown as { readonly propertyName?: Node };
          const taken = { index: names.length, name: (propertyName as unknown as { readonly text: string }).text };
          addToGroup(imports, statement, taken);
        }
        names.push({ node: keyOf(node), start, name: text, role, ...(memberOf !== undefined && { memberOf }) });
        return;
      }
      case SyntaxKind.StringLiteral:
      case SyntaxKind.NoSubstitutionTemplateLiteral: {
        if ((node.parent as { readonly name?: Node }).name === node) {
          places[keyOf(node.parent).index] = node.getStart(source);
        }
        const start = node.getStart(source);
        if (isModuleName(node)) {
          for (const { index, name } of imports.get(node.parent) ?? []) {
            names[index] = { ...names[index]!, importOf: { module: modules.length, name } };
          }
          modules.push({ node: keyOf(node), start, specifier: (node as unknown as { readonly text: string }).text });
        } else if (isMemberName(node)) {
          const name = (node as unknown as { readonly text: string }).text;
          names.push({ node: keyOf(node), start, name, role: useRole(node) });
        }
        return;
      }
      case SyntaxKind.ObjectLiteralExpression:
      case SyntaxKind.JsxAttributes:
        addContextualShape(node);
        break;
      case SyntaxKind.ArrowFunction:
      case SyntaxKind.FunctionExpression:
        if (takesUntyped(node)) addContextualShape(node);
        break;
      case SyntaxKind.ObjectBindingPattern:
        patterns.push(shape(node));
        break;
      case SyntaxKind.ClassDeclaration:
      case SyntaxKind.ClassExpression:
      case SyntaxKind.InterfaceDeclaration: {
        const { heritageClauses = [], members } = node as unknown as ClassLike;
        const bases = heritageClauses.flatMap(({ types }) => Array.from(types, keyOf));
        if (bases.length > 0) heritage.push({ bases, names: members.flatMap((one) => nameIn(one, source) ?? []) });
      }
    }
    node.forEachChild(visit);
  };
  source.forEachChild(visit);
  return { places, names, shapes, patterns, heritage, modules };
}

/**
 * The text of a name. It is cut from the file, which is cheaper than the tree's own text, unless it
 * contains an escape.
 */
function textOf(name: Node, start: number, source: SourceFile): string {
  const text = source.text.slice(start, name.end);
  return text.includes("\\") ? (name as unknown as { readonly text: string }).text : text;
}

interface ClassLike {
  readonly heritageClauses?: readonly { readonly types: readonly Node[] }[];
  readonly members: readonly Node[];
}

function keyOf(node: Node): NodeKey {
  return { index: (node as unknown as NodeKey).index, kind: node.kind };
}

/** The first names of chains of members and calls: `expect` in `expect(sum).not.toBe(2)`. */
class ChainRoots {
  readonly #indexes = new Map<Node, number>();
  readonly #isJavaScript: boolean;

  /**
   * In JavaScript members may be assigned to an unresolved name such as `exports`; chains have no
   * owner there.
   */
  constructor(isJavaScript: boolean) {
    this.#isJavaScript = isJavaScript;
  }

  /** Adds a name; `index` is that in the file's list of names. */
  add(name: Node, index: number): void {
    if (!this.#isJavaScript) this.#indexes.set(name, index);
  }

  /**
   * The index of the name that a chain begins with; `undefined` when it begins with something else.
   */
  of(chain: Node): number | undefined {
    let node: Node | undefined = chain;
    for (;;) {
      switch (node.kind) {
        case SyntaxKind.Identifier:
          return this.#indexes.get(node);
        case SyntaxKind.PropertyAccessExpression:
        case SyntaxKind.ElementAccessExpression:
        case SyntaxKind.CallExpression:
        case SyntaxKind.NewExpression:
        case SyntaxKind.NonNullExpression:
        case SyntaxKind.ParenthesizedExpression:
        case SyntaxKind.AwaitExpression:
          node = callee(node);
          break;
        default:
          return undefined;
      }
    }
  }

  /** The chain before a name that follows a dot; `undefined` for other names. */
  ownerOf(name: Node, text: string): MemberRoot | undefined {
    const { parent } = name;
    if (parent.kind !== SyntaxKind.PropertyAccessExpression || callee(parent) === name) return undefined;
    const owner = callee(parent);
    const root = this.of(owner);
    if (root === undefined) return undefined;
    const isDirect = owner.kind === SyntaxKind.Identifier;
    return isDirect ? { root, member: text } : { root };
  }
}

/**
 * Whether a string is the specifier of an import, an export, `import()`, `require()` or
 * `typeof import()`.
 */
function isModuleName({ parent, kind }: Node): boolean {
  switch (parent.kind) {
    case SyntaxKind.ImportDeclaration:
    case SyntaxKind.ExportDeclaration:
    case SyntaxKind.ExternalModuleReference:
      return true;
    case SyntaxKind.LiteralType:
      return parent.parent.kind === SyntaxKind.ImportType;
    case SyntaxKind.CallExpression: {
      const called = callee(parent);
      const { text } = called as unknown as { readonly text?: string };
      return called.kind === SyntaxKind.ImportKeyword || (called.kind === SyntaxKind.Identifier && text === "require");
    }
    default:
      return kind === SyntaxKind.StringLiteral && parent.kind === SyntaxKind.ModuleDeclaration;
  }
}

/** Whether a string is the name in `object["name"]` or `Type["name"]`. */
function isMemberName(node: Node): boolean {
  const { parent } = node;
  if (parent.kind === SyntaxKind.ElementAccessExpression) return callee(parent) !== node;
  if (parent.kind !== SyntaxKind.LiteralType || parent.parent.kind !== SyntaxKind.IndexedAccessType) return false;
  return (parent.parent as unknown as { readonly indexType: Node }).indexType === parent;
}

/**
 * Whether a function has a parameter without a type annotation; its type then comes from the
 * context.
 */
function takesUntyped(node: Node): boolean {
  const { parameters } = node as unknown as { readonly parameters: readonly { readonly type?: Node }[] };
  return parameters.some(({ type }) => type === undefined);
}

/** The node around an expression that may give it a contextual type; `undefined` when none can. */
function contextOf(expression: Node): Node | undefined {
  let node = expression;
  for (;;) {
    const { parent } = node;
    switch (parent.kind) {
      case SyntaxKind.ParenthesizedExpression:
      case SyntaxKind.ConditionalExpression:
      case SyntaxKind.ArrayLiteralExpression:
      case SyntaxKind.PropertyAssignment:
      case SyntaxKind.ObjectLiteralExpression:
      case SyntaxKind.SpreadElement:
      case SyntaxKind.SpreadAssignment:
      case SyntaxKind.AwaitExpression:
        node = parent;
        continue;
      case SyntaxKind.VariableDeclaration:
      case SyntaxKind.PropertyDeclaration:
      case SyntaxKind.Parameter:
      case SyntaxKind.BindingElement: {
        const { type, name } = parent as unknown as { readonly type?: Node; readonly name: Node };
        // The contextual type of a default value comes from the parameter or pattern around it.
        const hasContext =
          type !== undefined ||
          name.kind !== SyntaxKind.Identifier ||
          parent.kind === SyntaxKind.Parameter ||
          isJavaScript(parent);
        return hasContext ? parent : undefined;
      }
      case SyntaxKind.ReturnStatement:
      case SyntaxKind.YieldExpression:
      case SyntaxKind.ArrowFunction: {
        const maker = functionAround(node);
        if (maker === undefined) return undefined;
        if ((maker as unknown as { readonly type?: Node }).type !== undefined || isJavaScript(maker)) return maker;
        if (maker.kind !== SyntaxKind.ArrowFunction && maker.kind !== SyntaxKind.FunctionExpression) {
          return maker.parent.kind === SyntaxKind.ObjectLiteralExpression ? contextOf(maker.parent) : undefined;
        }
        node = maker;
        continue;
      }
      case SyntaxKind.ExpressionStatement:
      case SyntaxKind.PropertyAccessExpression:
      case SyntaxKind.ElementAccessExpression:
        return undefined;
      case SyntaxKind.CallExpression:
        // A function expression that is called directly has no contextual type.
        return callee(parent) === node ? undefined : parent;
      case SyntaxKind.ExportAssignment:
        return isJavaScript(parent) ? parent : undefined;
      default:
        return parent;
    }
  }
}

function isCall({ kind }: Node): boolean {
  return kind === SyntaxKind.CallExpression || kind === SyntaxKind.NewExpression;
}

function functionAround(node: Node): Node | undefined {
  for (let at = node.parent; at !== undefined; at = at.parent) if (isFunctionLike(at)) return at;
  return undefined;
}

/**
 * Whether a node is a function, method or constructor with a body, or an overload or abstract
 * declaration of one, or an accessor. Signatures in interfaces and types are not, but for
 * accessors.
 */
function isFunctionLike(node: Node): boolean {
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

function isJavaScript(node: Node): boolean {
  return /\.[cm]?jsx?$/.test(node.getSourceFile().fileName);
}

/** The role of a name, by its position; `undefined` for the name of a local declaration. */
function roleOf(node: Node): OutlinedName["role"] | undefined {
  const { parent } = node;
  const isName = (parent as unknown as { name?: Node }).name === node;
  switch (parent.kind) {
    case SyntaxKind.ImportSpecifier:
    case SyntaxKind.ImportClause:
    case SyntaxKind.NamespaceImport:
    case SyntaxKind.ImportEqualsDeclaration:
      return "import";
    case SyntaxKind.ExportSpecifier:
    case SyntaxKind.NamespaceExport:
    case SyntaxKind.ExportAssignment:
      return "re-export";
    case SyntaxKind.InterfaceDeclaration:
    case SyntaxKind.ModuleDeclaration:
    case SyntaxKind.ClassDeclaration:
    case SyntaxKind.EnumDeclaration:
    case SyntaxKind.FunctionDeclaration:
      return "declaration";
    case SyntaxKind.TypeAliasDeclaration:
    case SyntaxKind.TypeParameter:
    case SyntaxKind.Parameter:
    case SyntaxKind.VariableDeclaration:
    case SyntaxKind.MethodDeclaration:
    case SyntaxKind.MethodSignature:
    case SyntaxKind.PropertyDeclaration:
    case SyntaxKind.PropertySignature:
    case SyntaxKind.PropertyAssignment:
    case SyntaxKind.GetAccessor:
    case SyntaxKind.SetAccessor:
    case SyntaxKind.EnumMember:
    case SyntaxKind.FunctionExpression:
    case SyntaxKind.ClassExpression:
    case SyntaxKind.JsxAttribute:
    case SyntaxKind.NamedTupleMember:
      return isName ? undefined : "value";
    case SyntaxKind.BindingElement:
      return isName || (parent as unknown as { propertyName?: Node }).propertyName === node ? undefined : "value";
    case SyntaxKind.JsxClosingElement:
    case SyntaxKind.LabeledStatement:
    case SyntaxKind.BreakStatement:
    case SyntaxKind.ContinueStatement:
    case SyntaxKind.MetaProperty:
    case SyntaxKind.ImportAttribute:
      return undefined;
    default:
      return useRole(node);
  }
}

/**
 * The role of a name in an expression or a type, by what follows the chain of names that it ends.
 */
function useRole(name: Node): ReferenceRole {
  let node = name;
  for (;;) {
    const { parent } = node;
    switch (parent.kind) {
      case SyntaxKind.PropertyAccessExpression:
      case SyntaxKind.QualifiedName: {
        const last = (parent as unknown as { name?: Node; right?: Node }).name ?? (parent as { right?: Node }).right;
        if (last !== node) return "value";
        node = parent;
        break;
      }
      case SyntaxKind.CallExpression:
        return callee(parent) === node ? "call" : "value";
      case SyntaxKind.NewExpression:
        return callee(parent) === node ? "instantiate" : "value";
      case SyntaxKind.TaggedTemplateExpression:
      case SyntaxKind.Decorator:
      case SyntaxKind.JsxOpeningElement:
      case SyntaxKind.JsxSelfClosingElement:
        return "call";
      case SyntaxKind.ExpressionWithTypeArguments:
        return parent.parent.kind === SyntaxKind.HeritageClause ? "extend" : "type";
      case SyntaxKind.TypeReference:
      case SyntaxKind.TypeQuery:
      case SyntaxKind.ImportType:
      case SyntaxKind.TypePredicate:
        return "type";
      case SyntaxKind.ElementAccessExpression:
        if (callee(parent) === node) return "value";
        node = parent;
        break;
      case SyntaxKind.IndexedAccessType:
      case SyntaxKind.LiteralType:
        return "type";
      case SyntaxKind.ParenthesizedExpression:
      case SyntaxKind.NonNullExpression:
        node = parent;
        break;
      default:
        return "value";
    }
  }
}

function callee(call: Node): Node {
  return (call as unknown as { expression: Node }).expression;
}

/** The named properties of a literal or a pattern. */
function propertyNamesOf(node: Node, source: SourceFile): MemberName[] {
  const list = node as unknown as { properties?: readonly Node[]; elements?: readonly Node[] };
  return (list.properties ?? list.elements ?? []).flatMap((part) => nameIn(part, source) ?? []);
}

function nameIn(part: Node, source: SourceFile): MemberName | undefined {
  const { propertyName, name } = part as unknown as { propertyName?: Node; name?: Node };
  const node = propertyName ?? name;
  if (node === undefined) return undefined;
  switch (node.kind) {
    case SyntaxKind.Identifier:
    case SyntaxKind.StringLiteral:
      return { name: (node as unknown as { text: string }).text, start: node.getStart(source) };
    default:
      return undefined;
  }
}
