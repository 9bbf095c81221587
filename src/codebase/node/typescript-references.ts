import type { Node, SourceFile } from "typescript/unstable/ast";
import { SyntaxKind } from "typescript/unstable/ast";
import { type NodeHandle, type Project, type Symbol as Sym, SymbolFlags, type Type } from "typescript/unstable/async";
import type { FileReferences, Reference, ReferenceRole } from "../graph/reference.ts";

/** Finds the file of a declaration: its path from the workspace's root, or `undefined` outside of it. */
export type PathInWorkspace = (absolutePath: string) => string | undefined;

/**
 * What the names of files mean, asked from one project in one state.
 *
 * Symbols are asked by node and a file at a time: by position each would be looked up from the file's root, at 2.5 times the
 * cost. An instance keeps what it learnt of aliases, types and declarations, so one serves for all files of its state.
 */
export class TypeScriptReferences {
  readonly #project: Project;
  readonly #pathOf: PathInWorkspace;
  readonly #sources = new Map<string, Promise<SourceFile | undefined>>();
  readonly #aliases = new Map<Sym, Promise<Sym | undefined>>();
  readonly #declared = new Map<Sym, Promise<readonly Place[]>>();
  readonly #shapes = new Map<Type, Promise<Shape>>();
  readonly #members = new Map<Type, Map<string, Promise<readonly Place[]>>>();

  constructor(project: Project, pathOf: PathInWorkspace) {
    this.#project = project;
    this.#pathOf = pathOf;
  }

  /** The references of one file, by its absolute path; `undefined` where the project does not hold it. */
  async of(absolutePath: string): Promise<FileReferences | undefined> {
    const path = this.#pathOf(absolutePath);
    const source = await this.#source(absolutePath);
    if (path === undefined || source === undefined) return undefined;
    const { names, shapes, classes } = questionsOf(source);
    const found: Reference[] = [];
    const add = (start: number, role: ReferenceRole, places: readonly Place[]) => {
      for (const place of places) found.push({ start, role, targetPath: place.path, targetStart: place.start });
    };
    const symbols = await this.#symbolsAt(names.map(({ node }) => node));
    let unresolved = 0;
    await Promise.all([
      ...names.map(async ({ node, role }, index) => {
        const symbol = symbols[index];
        if (symbol === undefined) {
          unresolved += 1;
          return;
        }
        const start = node.getStart(source);
        if (role === "declaration") {
          if (symbol.declarations.length > 1) add(start, "merge", await this.#placesOf(symbol));
          return;
        }
        if ((symbol.flags & SymbolFlags.Alias) === 0) return add(start, role, await this.#placesOf(symbol));
        add(start, role === "re-export" ? role : "import", await this.#placesOf(symbol));
        const meant = await this.#meantBy(symbol);
        if (meant === undefined) unresolved += 1;
        else add(start, role, await this.#placesOf(meant));
      }),
      ...shapes.map(async (node) => {
        for (const { start, places } of await this.#shapeOf(node, source)) add(start, "shape", places);
      }),
      ...classes.map(async (node) => {
        for (const { start, places } of await this.#overriddenBy(node, source)) add(start, "override", places);
      }),
    ]);
    found.sort((a, b) => a.start - b.start || compare(a.targetPath, b.targetPath) || a.targetStart - b.targetStart);
    return { path, references: found, unresolved, precision: "types" };
  }

  async #symbolsAt(nodes: readonly Node[]): Promise<readonly (Sym | undefined)[]> {
    if (nodes.length === 0) return [];
    const { checker } = this.#project;
    const symbols = await checker.getSymbolAtLocation(nodes);
    // Of `{ name }` the property is told first; what the name stands for is another question.
    return Promise.all(
      nodes.map((node, index) =>
        node.parent.kind === SyntaxKind.ShorthandPropertyAssignment
          ? checker.getShorthandAssignmentValueSymbol(node.parent)
          : symbols[index],
      ),
    );
  }

  #source(absolutePath: string): Promise<SourceFile | undefined> {
    let source = this.#sources.get(absolutePath);
    if (source === undefined) {
      source = this.#project.program.getSourceFile(absolutePath);
      this.#sources.set(absolutePath, source);
    }
    return source;
  }

  /** What an alias stands for, through all re-exports. */
  #meantBy(alias: Sym): Promise<Sym | undefined> {
    let meant = this.#aliases.get(alias);
    if (meant === undefined) {
      const { checker } = this.#project;
      meant = checker
        .getAliasedSymbol(alias)
        .then(async (symbol) => ((await checker.isUnknownSymbol(symbol)) ? undefined : symbol));
      this.#aliases.set(alias, meant);
    }
    return meant;
  }

  #placesOf(symbol: Sym): Promise<readonly Place[]> {
    let places = this.#declared.get(symbol);
    if (places === undefined) {
      places = Promise.all(symbol.declarations.map((handle) => this.#placeOf(handle))).then(defined);
      this.#declared.set(symbol, places);
    }
    return places;
  }

  async #placeOf(handle: NodeHandle): Promise<Place | undefined> {
    // A library's tree is never fetched: where it lies tells enough.
    const path = this.#pathOf(handle.path);
    if (path === undefined) return undefined;
    const source = await this.#source(handle.path);
    if (source === undefined) return undefined;
    const node = (source as unknown as { getOrCreateNodeAtIndex(index: number): Node }).getOrCreateNodeAtIndex(
      handle.index,
    );
    return { path, start: node.kind === SyntaxKind.SourceFile ? 0 : node.getStart(source) };
  }

  /** What the type that is asked for at a literal, a function or a pattern declares: the type, and each property that is given. */
  async #shapeOf(node: Node, source: SourceFile): Promise<readonly Tied[]> {
    const { checker } = this.#project;
    const isPattern = node.kind === SyntaxKind.ObjectBindingPattern;
    const type = await (isPattern ? checker.getTypeAtLocation(node) : checker.getContextualType(node as never));
    if (type === undefined) return [];
    const { parts, places } = await this.#shape(type);
    const tied: Tied[] = isPattern ? [] : [{ start: node.getStart(source), places }];
    const names = propertyNamesOf(node, source);
    await Promise.all(
      parts.flatMap((part) =>
        names.map(async ({ name, start }) => tied.push({ start, places: await this.#memberOf(part, name) })),
      ),
    );
    return tied;
  }

  #shape(type: Type): Promise<Shape> {
    let shape = this.#shapes.get(type);
    if (shape === undefined) {
      shape = this.#readShape(type);
      this.#shapes.set(type, shape);
    }
    return shape;
  }

  async #readShape(type: Type): Promise<Shape> {
    const parts =
      type.isUnionType() || type.isIntersectionType() ? ((await type.getTypes()) ?? []).slice(0, maxParts) : [type];
    const objects = parts.filter((part) => part.isObjectType() || part.isIntersectionType());
    const symbols = await Promise.all([
      type.getAliasSymbol(),
      ...objects.flatMap((part) => [part.getSymbol(), part.getAliasSymbol()]),
    ]);
    const places = await Promise.all([...new Set(symbols.filter(isDefined))].map((symbol) => this.#placesOf(symbol)));
    return { parts: objects, places: places.flat() };
  }

  #memberOf(type: Type, name: string): Promise<readonly Place[]> {
    let members = this.#members.get(type);
    if (members === undefined) {
      members = new Map();
      this.#members.set(type, members);
    }
    let places = members.get(name);
    if (places === undefined) {
      places = this.#project.checker
        .getPropertyOfType(type, name)
        .then((symbol) => (symbol === undefined ? [] : this.#placesOf(symbol)));
      members.set(name, places);
    }
    return places;
  }

  /** The members of bases and interfaces that a class's or an interface's own members stand in for. */
  async #overriddenBy(node: Node, source: SourceFile): Promise<readonly Tied[]> {
    const { checker } = this.#project;
    const heritage = (node as unknown as { heritageClauses?: readonly HeritageClause[] }).heritageClauses ?? [];
    const bases = heritage.flatMap(({ types }) => types);
    const types = await Promise.all(bases.map((base) => checker.getTypeAtLocation(base)));
    const members = (node as unknown as { members: readonly Node[] }).members;
    const names = members.flatMap((member) => nameIn(member, source) ?? []);
    const tied: Tied[] = [];
    await Promise.all(
      types.filter(isDefined).flatMap((type) =>
        names.map(async ({ name, start }) => {
          tied.push({ start, places: await this.#memberOf(type, name) });
        }),
      ),
    );
    return tied;
  }
}

/** A declaration, where it begins. */
interface Place {
  readonly path: string;
  readonly start: number;
}

/** A place in the file, and the declarations that it is tied to. */
interface Tied {
  readonly start: number;
  readonly places: readonly Place[];
}

interface Shape {
  readonly parts: readonly Type[];
  readonly places: readonly Place[];
}

interface HeritageClause {
  readonly types: readonly Node[];
}

/** Of a larger union only so many parts are asked: beyond, it is generated, and its alias names it. */
const maxParts = 16;

interface NameQuestion {
  readonly node: Node;
  readonly role: ReferenceRole | "declaration";
}

interface Questions {
  readonly names: readonly NameQuestion[];
  /** Literals, functions and patterns whose shape some type asks for. */
  readonly shapes: readonly Node[];
  /** Classes and interfaces that stand on others. */
  readonly classes: readonly Node[];
}

/** All that is to be asked about a file, in one walk. */
function questionsOf(source: SourceFile): Questions {
  const names: NameQuestion[] = [];
  const shapes: Node[] = [];
  const classes: Node[] = [];
  const walk = (node: Node): void => {
    switch (node.kind) {
      case SyntaxKind.Identifier:
      case SyntaxKind.PrivateIdentifier: {
        const role = roleOf(node);
        if (role !== undefined) names.push({ node, role });
        return;
      }
      case SyntaxKind.ObjectLiteralExpression:
      case SyntaxKind.ArrowFunction:
      case SyntaxKind.FunctionExpression:
      case SyntaxKind.JsxAttributes:
      case SyntaxKind.ObjectBindingPattern:
        shapes.push(node);
        break;
      case SyntaxKind.ClassDeclaration:
      case SyntaxKind.ClassExpression:
      case SyntaxKind.InterfaceDeclaration:
        if ((node as unknown as { heritageClauses?: readonly Node[] }).heritageClauses?.length) classes.push(node);
    }
    node.forEachChild(walk);
  };
  walk(source);
  return { names, shapes, classes };
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
    case SyntaxKind.LabeledStatement:
    case SyntaxKind.BreakStatement:
    case SyntaxKind.ContinueStatement:
    case SyntaxKind.MetaProperty:
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

interface NameAt {
  readonly name: string;
  readonly start: number;
}

/** The properties that a literal gives or a pattern takes, by name. */
function propertyNamesOf(node: Node, source: SourceFile): NameAt[] {
  const list = node as unknown as { properties?: readonly Node[]; elements?: readonly Node[] };
  return (list.properties ?? list.elements ?? []).flatMap((part) => nameIn(part, source) ?? []);
}

function nameIn(part: Node, source: SourceFile): NameAt | undefined {
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

function defined<T>(values: readonly (T | undefined)[]): T[] {
  return values.filter(isDefined);
}

function isDefined<T>(value: T | undefined): value is T {
  return value !== undefined;
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
