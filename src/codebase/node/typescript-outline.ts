import type { Node, SourceFile } from "typescript/unstable/ast";
import { SyntaxKind } from "typescript/unstable/ast";
import type { ReferenceRole } from "../graph/reference.ts";
import {
  isBinding,
  isFunctionLike,
  type KnownUse,
  LocalNames,
  LookedUpNames,
  type Meaning,
} from "./typescript-scopes.ts";

/** A node of a file, as the service is asked about it. */
export interface NodeKey {
  readonly index: number;
  readonly kind: number;
}

/** A name that something is to be asked about. What is known of it tells names by their indexes among the file's. */
export interface NameQuestion extends KnownUse {
  readonly node: NodeKey;
  readonly start: number;
  readonly name: string;
  /** `declaration`: it may be one of several that make one symbol. */
  readonly role: ReferenceRole | "declaration";
  /** Of `{ name }`: the property, for what its name stands for is another question than what it is. */
  readonly shorthand?: NodeKey;
  /** Of a member: whose it is. */
  readonly memberOf?: MemberOwner;
  /** Of a name in the braces of an import. */
  readonly importOf?: ImportedName;
}

/** What an import takes, which is the same for all who take it. */
export interface ImportedName {
  /** The module, by its index among those that the file names. */
  readonly module: number;
  /** What the module calls it. */
  readonly name: string;
}

/** What a chain of members, calls and the like begins with. */
export interface MemberOwner {
  /** The name that the chain begins with, by its index among the file's: where that means nothing, neither do the members. */
  readonly root: number;
  /** Of what stands right behind that name: how it is called. */
  readonly member?: string;
}

/** A name that a literal gives, a pattern takes or a class declares. */
export interface MemberName {
  readonly name: string;
  readonly start: number;
}

/** A literal, a function, attributes or a pattern whose shape some type asks for. */
export interface ShapeQuestion {
  readonly node: NodeKey;
  readonly start: number;
  readonly names: readonly MemberName[];
  /** Of what is given to a call: the name that the called chain begins with. Where it means nothing, nothing is asked for. */
  readonly calledRoot?: number;
}

/** A class or interface that stands on others. */
export interface HeritageQuestion {
  readonly bases: readonly NodeKey[];
  readonly names: readonly MemberName[];
}

/** A module that is named by a text. */
export interface ModuleQuestion {
  readonly node: NodeKey;
  readonly start: number;
  readonly specifier: string;
}

/** All of a file's tree that is needed to know what its names mean. Plain data: the tree itself is let go. */
export interface FileOutline {
  /** For each node, by its number: a place that lies in it and in no smaller block. */
  readonly places: NodePlaces;
  readonly names: readonly NameQuestion[];
  /** Those that an expression around them may ask for. */
  readonly shapes: readonly ShapeQuestion[];
  /** Patterns: what they take apart has a type of its own. */
  readonly patterns: readonly ShapeQuestion[];
  readonly heritage: readonly HeritageQuestion[];
  readonly modules: readonly ModuleQuestion[];
}

export type NodePlaces = Int32Array;

/** Reads a tree, in one walk. */
export function outlineOf(source: SourceFile): FileOutline {
  const places = endsOf(source);
  const names: NameQuestion[] = [];
  const shapes: ShapeQuestion[] = [];
  const patterns: ShapeQuestion[] = [];
  const heritage: HeritageQuestion[] = [];
  const modules: ModuleQuestion[] = [];
  const locals = new LocalNames();
  const lookedUp = new LookedUpNames();
  const roots = new ChainRoots(isJavaScript(source));
  const shape = (node: Node): ShapeQuestion => ({
    ...{ node: keyOf(node), start: node.getStart(source), names: propertyNamesOf(node, source) },
  });
  const askedShape = (node: Node): void => {
    const asker = askerOf(node);
    if (asker === undefined) return;
    const calledRoot = isCall(asker) ? roots.of(callee(asker)) : undefined;
    shapes.push(calledRoot === undefined ? shape(node) : { ...shape(node), calledRoot });
  };
  const imports = new Map<Node, { readonly index: number; readonly name: string }[]>();
  let isInNamespace = false;
  const visit = (node: Node): void => {
    switch (node.kind) {
      case SyntaxKind.Identifier:
      case SyntaxKind.PrivateIdentifier: {
        const start = node.getStart(source);
        const { parent } = node;
        const isName = (parent as { readonly name?: Node }).name === node;
        if (isName) places[keyOf(parent).index] = start;
        const role = roleOf(node);
        const text = textOf(node, start, source);
        if (isName && (role === undefined || role === "declaration" || role === "import") && isBinding(node)) {
          lookedUp.bind(text, node, role === undefined ? undefined : names.length);
        }
        if (role === undefined || isOfItsBlock(node, { text, role }, locals)) return;
        if (parent.kind === SyntaxKind.ShorthandPropertyAssignment) {
          names.push({ node: keyOf(node), start, name: text, role, shorthand: keyOf(parent) });
          return;
        }
        if (standsAlone(node)) {
          const meaning = meaningOf(node, role);
          // A namespace may go on what others of its name began.
          if (meaning !== undefined && !isInNamespace) lookedUp.use(text, meaning, names.length);
          if (meaning === "value") roots.add(node, names.length);
        }
        const memberOf = roots.ownerOf(node, text);
        if (isName && parent.kind === SyntaxKind.ImportSpecifier) {
          const statement = parent.parent.parent.parent;
          const { propertyName = node } = parent as unknown as { readonly propertyName?: Node };
          const taken = { index: names.length, name: (propertyName as unknown as { readonly text: string }).text };
          imports.set(statement, [...(imports.get(statement) ?? []), taken]);
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
      case SyntaxKind.Decorator:
        locals.outside(() => node.forEachChild(visit));
        return;
      case SyntaxKind.ModuleDeclaration:
      case SyntaxKind.EnumDeclaration: {
        const wasInNamespace = isInNamespace;
        isInNamespace = true;
        node.forEachChild(visit);
        isInNamespace = wasInNamespace;
        return;
      }
      case SyntaxKind.ObjectLiteralExpression:
      case SyntaxKind.JsxAttributes:
        askedShape(node);
        break;
      case SyntaxKind.ArrowFunction:
      case SyntaxKind.FunctionExpression:
        if (takesUntyped(node)) askedShape(node);
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
    locals.inside(node, visit);
  };
  visit(source);
  // In JavaScript members may be assigned to what means nothing, and names may come to be by that.
  for (const [index, known] of lookedUp.known()) {
    if (known.sameAs !== undefined || !isJavaScript(source)) names[index] = { ...names[index]!, ...known };
  }
  return { places, names, shapes, patterns, heritage, modules };
}

/** The text of a name: as it stands in the file, which costs less than the tree's own, unless that is escaped. */
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

/** The last character of each node, which no block inside of it holds. */
function endsOf(source: SourceFile): NodePlaces {
  const { nodes, view, _offsetNodes: offset } = source as unknown as EncodedTree;
  const places = new Int32Array(nodes.length);
  for (let index = 2; index < nodes.length; index++) {
    places[index] = view.getInt32(offset + index * nodeBytes + endOffset, true) - 1;
  }
  return places;
}

interface EncodedTree {
  readonly nodes: readonly unknown[];
  readonly view: DataView;
  readonly _offsetNodes: number;
}

/** The record of a node in the service's own encoding: seven numbers of four bytes, its end the third. */
const nodeBytes = 28;
const endOffset = 8;

/** The names that chains of members and calls begin with: `expect` of `expect(sum).not.toBe(2)`. */
class ChainRoots {
  readonly #indexes = new Map<Node, number>();
  readonly #isJavaScript: boolean;

  /** In JavaScript members may be assigned to what means nothing, such as `exports`: there is none. */
  constructor(isJavaScript: boolean) {
    this.#isJavaScript = isJavaScript;
  }

  /** Takes a name that is looked up for a value, by its index among the file's. */
  add(name: Node, index: number): void {
    if (!this.#isJavaScript) this.#indexes.set(name, index);
  }

  /** The index of the name that a chain begins with; `undefined` where it begins with something else. */
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

  /** Whose member a name is, if it stands behind a dot. */
  ownerOf(name: Node, text: string): MemberOwner | undefined {
    const { parent } = name;
    if (parent.kind !== SyntaxKind.PropertyAccessExpression || callee(parent) === name) return undefined;
    const owner = callee(parent);
    const root = this.of(owner);
    if (root === undefined) return undefined;
    const isDirect = owner.kind === SyntaxKind.Identifier;
    return isDirect ? { root, member: text } : { root };
  }
}

function meaningOf({ parent }: Node, role: NameQuestion["role"]): Meaning | undefined {
  if (parent.kind === SyntaxKind.QualifiedName) return undefined;
  if (role === "type") return parent.kind === SyntaxKind.TypeReference ? "type" : undefined;
  return role === "value" || role === "call" || role === "instantiate" ? "value" : undefined;
}

/** Whether a name is looked up where it stands: not behind a dot. */
function standsAlone(node: Node): boolean {
  const { name, right, kind } = node.parent as unknown as {
    readonly name?: Node;
    readonly right?: Node;
    readonly kind: SyntaxKind;
  };
  switch (kind) {
    case SyntaxKind.PropertyAccessExpression:
      return name !== node;
    case SyntaxKind.QualifiedName:
      return right !== node && node.parent.parent.kind !== SyntaxKind.ImportType;
    case SyntaxKind.ImportType:
    case SyntaxKind.BindingElement:
    case SyntaxKind.JsxNamespacedName:
    case SyntaxKind.JsxAttribute:
    case SyntaxKind.NamespaceExportDeclaration:
      return false;
    case SyntaxKind.JsxOpeningElement:
    case SyntaxKind.JsxSelfClosingElement:
      return /^[A-Z_$]/.test((node as unknown as { readonly text: string }).text);
    default:
      return true;
  }
}

/** Whether a name certainly means something of its own block: a parameter, a variable or a type of a function around it. */
function isOfItsBlock(
  node: Node,
  { text, role }: { readonly text: string; readonly role: NameQuestion["role"] },
  locals: LocalNames,
): boolean {
  if (role === "type") return node.parent.kind === SyntaxKind.TypeReference && locals.hasType(text);
  if (role !== "value" && role !== "call" && role !== "instantiate") return false;
  const { parent } = node;
  switch (parent.kind) {
    case SyntaxKind.PropertyAccessExpression:
      if ((parent as unknown as { readonly name: Node }).name === node) return false;
      break;
    case SyntaxKind.QualifiedName:
    case SyntaxKind.TypeQuery:
    case SyntaxKind.ExportSpecifier:
    case SyntaxKind.JsxAttribute:
    case SyntaxKind.JsxOpeningElement:
    case SyntaxKind.JsxSelfClosingElement:
    case SyntaxKind.JsxNamespacedName:
      return false;
  }
  return locals.hasValue(text);
}

/** The text of an import, an export, `import()`, `require()` or `typeof import()`. */
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

/** The text of `object["name"]` and of `Type["name"]`. */
function isMemberName(node: Node): boolean {
  const { parent } = node;
  if (parent.kind === SyntaxKind.ElementAccessExpression) return callee(parent) !== node;
  if (parent.kind !== SyntaxKind.LiteralType || parent.parent.kind !== SyntaxKind.IndexedAccessType) return false;
  return (parent.parent as unknown as { readonly indexType: Node }).indexType === parent;
}

/** Whether a function takes something whose type it does not say: then another type says it. */
function takesUntyped(node: Node): boolean {
  const { parameters } = node as unknown as { readonly parameters: readonly { readonly type?: Node }[] };
  return parameters.some(({ type }) => type === undefined);
}

/** What around an expression may ask it for a shape. */
function askerOf(expression: Node): Node | undefined {
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
        // Defaults of parameters and patterns are asked for by whoever asks for those.
        const mayAsk =
          type !== undefined ||
          name.kind !== SyntaxKind.Identifier ||
          parent.kind === SyntaxKind.Parameter ||
          isJavaScript(parent);
        return mayAsk ? parent : undefined;
      }
      case SyntaxKind.ReturnStatement:
      case SyntaxKind.YieldExpression:
      case SyntaxKind.ArrowFunction: {
        const maker = functionAround(node);
        if (maker === undefined) return undefined;
        if ((maker as unknown as { readonly type?: Node }).type !== undefined || isJavaScript(maker)) return maker;
        if (maker.kind !== SyntaxKind.ArrowFunction && maker.kind !== SyntaxKind.FunctionExpression) {
          return maker.parent.kind === SyntaxKind.ObjectLiteralExpression ? askerOf(maker.parent) : undefined;
        }
        node = maker;
        continue;
      }
      case SyntaxKind.ExpressionStatement:
      case SyntaxKind.PropertyAccessExpression:
      case SyntaxKind.ElementAccessExpression:
        return undefined;
      case SyntaxKind.CallExpression:
        // Called where it stands, a function is asked for nothing.
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

function isJavaScript(node: Node): boolean {
  return /\.[cm]?jsx?$/.test(node.getSourceFile().fileName);
}

/** What a name does, by where it stands; `undefined` where it only says how something local is called. */
function roleOf(node: Node): NameQuestion["role"] | undefined {
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

/** What a name does as part of an expression or a type: the chain of names that it ends is looked at as one. */
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

/** The properties that a literal gives or a pattern takes, by name. */
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
