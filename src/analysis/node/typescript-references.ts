import { type Project, SymbolFlags, TypeFlags } from "typescript/unstable/async";
import { compareText, getOrInsert } from "../../text/index.ts";
import type { FileReferences, Reference, ReferenceRole } from "../graph/reference.ts";
import type { KnownOutline } from "./typescript-known-files.ts";
import type { FileOutline, NodePlaces, OutlinedHeritage, OutlinedName, OutlinedShape } from "./typescript-outline.ts";
import type { TypeScriptOutlines } from "./typescript-outlines.ts";
import { CheckerRequests, type RawSymbol, type RawType, readHandle } from "./typescript-requests.ts";

/** Maps an absolute path to a path in the workspace; `undefined` for a file outside it. */
export type PathInWorkspace = (absolutePath: string) => string | undefined;

/**
 * The references of files, resolved by one project in one snapshot.
 *
 * Symbols are requested by node and for a whole file at a time; requests by position cost 2.5 times
 * as much. Results are read directly, without the objects that the service's client would keep as
 * long as the snapshot. An instance caches aliases, types and declarations, and is used for all
 * files of its snapshot.
 */
export class TypeScriptReferences {
  readonly #requests: CheckerRequests;
  readonly #outlines: TypeScriptOutlines;
  readonly #pathOf: PathInWorkspace;
  readonly #aliases = new Map<number, Promise<RawSymbol | undefined>>();
  /** The resolved imports, by the module's id and the exported name. */
  readonly #imported = new Map<string, Promise<RawSymbol | undefined>>();
  readonly #declared = new Map<number, readonly Place[] | Promise<readonly Place[]>>();
  readonly #shapes = new Map<number, Promise<Shape>>();
  readonly #members = new Map<number, Map<string, Promise<readonly Place[]>>>();
  /** The members of symbols whose members are the same everywhere. */
  readonly #fixedMembers = new Map<number, Map<string, RawSymbol>>();

  constructor(project: Project, outlines: TypeScriptOutlines, pathOf: PathInWorkspace) {
    this.#requests = new CheckerRequests(project);
    this.#outlines = outlines;
    this.#pathOf = pathOf;
  }

  /**
   * The references of one file, by its absolute path, in text order; `undefined` when the project
   * does not contain the file or its outline cannot be read. With `onlyNames`, only references by
   * these names, and by imports of them under another name. Rejects as the service does.
   */
  async of(file: string, onlyNames?: ReadonlySet<string>): Promise<FileReferences | undefined> {
    const path = this.#pathOf(file);
    const known = await this.#outlines.take(file);
    if (path === undefined || known === undefined) return undefined;
    const { outline, ownNames } = known;
    const { names, modules } = outline;
    const { shapes, patterns, heritage } = onlyNames === undefined ? outline : shapesWithNames(outline, onlyNames);
    const wanted = onlyNames && indexesOfNames(names, onlyNames);
    const references: Reference[] = [];
    const add: AddPlaces = (start, role, places) => {
      for (const place of places) references.push({ start, role, targetPath: place.path, targetStart: place.start });
    };
    const named = this.#requests.symbols(file, modules.map(nodeOf));
    const [{ symbols, nothing }, moduleSymbols, patternTypes] = await Promise.all([
      this.#symbolsOf(file, known, named, wanted && withRoots(names, wanted)),
      named,
      this.#requests.types(file, patterns.map(nodeOf)),
    ]);
    let unresolved = 0;
    const waits: (Promise<unknown> | undefined)[] = [];
    for (const [index, name] of names.entries()) {
      if (wanted?.has(index) === false) continue;
      const own = ownNames.get(index);
      const symbol = symbols[index];
      if (own !== undefined && name.role !== "declaration") {
        add(
          name.start,
          name.role,
          own.map((start) => ({ path, start })),
        );
      } else if (symbol === undefined) unresolved += 1;
      else if (name.role === "declaration") {
        if ((symbol.declarations?.length ?? 0) > 1) waits.push(this.#addDeclarations(name.start, "merge", symbol, add));
      } else if (name.shorthand !== undefined || symbol.flags & SymbolFlags.Alias) {
        waits.push(this.#addMeaning(file, name, symbol, add).then((isFound) => (unresolved += isFound ? 0 : 1)));
      } else waits.push(this.#addDeclarations(name.start, name.role, symbol, add));
    }
    const addAll = (role: ReferenceRole) => (tied: readonly Tied[]) => {
      for (const { start, places } of tied) add(start, role, places);
    };
    for (const shape of shapes) {
      if (shape.calledRoot !== undefined && nothing.has(shape.calledRoot)) continue;
      const type = this.#requests.contextualType(file, shape.node);
      waits.push(type.then(async (found) => addAll("shape")(await this.#shapeOf(found, shape, "literal"))));
    }
    for (const [index, pattern] of patterns.entries()) {
      waits.push(this.#shapeOf(patternTypes[index], pattern, "pattern").then(addAll("shape")));
    }
    for (const one of heritage) waits.push(this.#overriddenBy(file, one).then(addAll("override")));
    await Promise.all(waits);
    references.sort(
      (a, b) =>
        a.start - b.start ||
        compareText(a.role, b.role) ||
        compareText(a.targetPath, b.targetPath) ||
        a.targetStart - b.targetStart,
    );
    return {
      ...{ path, references, unresolved, precision: "types" },
      modules: modules.map(({ specifier, start }, index) => {
        const target = this.#fileOf(moduleSymbols[index]);
        return { specifier, start, ...(target !== undefined && { path: target }) };
      }),
    };
  }

  /**
   * The symbols of the names of a file, in the same order, and the chain roots that cannot be
   * resolved. Members of unresolved names are not requested, and those of enums, modules and
   * classes once for all files. Only the names at the indexes in `needed` are requested; default:
   * all. Those of the file's own names are added to `ownNames` instead.
   */
  async #symbolsOf(
    file: string,
    { outline: { names, places }, ownNames }: KnownOutline,
    modules: Promise<readonly (RawSymbol | undefined)[]>,
    needed?: ReadonlySet<number>,
  ): Promise<NameSymbols> {
    const isNeeded = (index: number) => needed?.has(index) !== false && !ownNames.has(index);
    const symbols: (RawSymbol | undefined)[] = [];
    const request = async (indexes: readonly number[]) => {
      const found = await this.#requests.symbols(
        file,
        indexes.map((index) => names[index]!.node),
      );
      for (const [at, index] of indexes.entries()) symbols[index] = found[at];
    };
    const lexical = indexesOf(names, ({ memberOf }, index) => memberOf === undefined && isNeeded(index));
    await request(lexical);
    for (const index of lexical) {
      const { role, shorthand } = names[index]!;
      const symbol = symbols[index];
      if (symbol === undefined || role === "declaration" || shorthand !== undefined) continue;
      const starts = ownStarts(file, symbol, places);
      if (starts !== undefined) ownNames.set(index, starts);
    }
    this.#shareImports(file, names, symbols, await modules);

    const members = indexesOf(names, ({ memberOf }, index) => memberOf !== undefined && isNeeded(index));
    const roots = new Set(members.map((index) => names[index]!.memberOf!.root));
    const owners = new Map<number, RawSymbol>();
    await Promise.all(
      Array.from(roots, async (root) => {
        const symbol = symbols[root];
        const isAlias = symbol !== undefined && (symbol.flags & SymbolFlags.Alias) !== 0;
        const owner = isAlias ? await this.#meantBy(symbol) : symbol;
        if (owner !== undefined) owners.set(root, owner);
      }),
    );
    const later: number[] = [];
    for (const index of members) {
      const memberOf = names[index]!.memberOf!;
      const owner = owners.get(memberOf.root);
      if (owner === undefined && !ownNames.has(memberOf.root)) continue;
      symbols[index] = owner && this.#fixedMembers.get(owner.id)?.get(memberOf.member ?? "");
      if (symbols[index] === undefined) later.push(index);
    }
    await request(later);
    for (const index of later) {
      const { root, member } = names[index]!.memberOf!;
      const owner = owners.get(root);
      const found = symbols[index];
      if (owner === undefined || member === undefined || found === undefined || !hasFixedMembers(owner)) continue;
      getOrInsert(this.#fixedMembers, owner.id, () => new Map()).set(member, found);
    }
    const nothing = new Set([...roots].filter((root) => !owners.has(root) && !ownNames.has(root)));
    return { symbols, nothing };
  }

  /** Adds the declarations of a symbol: synchronously when they are known. */
  #addDeclarations(start: number, role: ReferenceRole, symbol: RawSymbol, add: AddPlaces): Promise<void> | undefined {
    const places = this.#placesOf(symbol);
    if (!(places instanceof Promise)) return void add(start, role, places);
    return places.then((found) => add(start, role, found));
  }

  /**
   * Adds the declarations of an alias and of what it refers to. Returns whether the latter was
   * found.
   */
  async #addMeaning(file: string, { start, role, shorthand }: OutlinedName, namedSymbol: RawSymbol, add: AddPlaces) {
    // For `{ name }`, `namedSymbol` is the property; what the name refers to takes another request.
    const symbol = shorthand === undefined ? namedSymbol : await this.#requests.shorthandValue(file, shorthand);
    if (symbol === undefined) return false;
    const isAlias = (symbol.flags & SymbolFlags.Alias) !== 0;
    const given = role as ReferenceRole;
    await this.#addDeclarations(start, isAlias && given !== "re-export" ? "import" : given, symbol, add);
    if (!isAlias) return true;
    const meant = await this.#meantBy(symbol);
    if (meant !== undefined) await this.#addDeclarations(start, given, meant, add);
    return meant !== undefined;
  }

  /**
   * Shares the meaning of a name that several files import from the same module, so that it is
   * requested once.
   */
  #shareImports(
    file: string,
    names: readonly OutlinedName[],
    symbols: readonly (RawSymbol | undefined)[],
    modules: readonly (RawSymbol | undefined)[],
  ): void {
    // How such a file resolves a module may depend on its own module kind.
    if (/\.[cm][jt]s$/.test(file)) return;
    for (const [index, { importOf }] of names.entries()) {
      const module = importOf && modules[importOf.module];
      const symbol = symbols[index];
      if (module === undefined || symbol === undefined || importOf!.name === "default") continue;
      if ((symbol.flags & SymbolFlags.Alias) === 0 || this.#aliases.has(symbol.id)) continue;
      const key = `${module.id} ${importOf!.name}`;
      const meant = this.#imported.get(key) ?? this.#requests.aliased(symbol);
      this.#imported.set(key, meant);
      this.#aliases.set(symbol.id, meant);
    }
  }

  /** The symbol that an alias finally refers to, through all re-exports. */
  #meantBy(alias: RawSymbol): Promise<RawSymbol | undefined> {
    return getOrInsert(this.#aliases, alias.id, () => this.#requests.aliased(alias));
  }

  #placesOf(symbol: RawSymbol): readonly Place[] | Promise<readonly Place[]> {
    return this.#declared.get(symbol.id) ?? this.#keepPlaces(symbol.id, this.#placesAt(symbol));
  }

  /**
   * Like {@link #placesOf}, for a symbol that is requested only when its declarations are not known
   * yet.
   */
  #placesOfId(id: number, request: () => Promise<RawSymbol | undefined>): readonly Place[] | Promise<readonly Place[]> {
    const known = this.#declared.get(id);
    if (known !== undefined) return known;
    const pending = request().then((symbol) => (symbol === undefined ? [] : this.#placesAt(symbol)));
    return this.#keepPlaces(id, pending);
  }

  #keepPlaces(id: number, places: Promise<readonly Place[]>): Promise<readonly Place[]> {
    const kept = places.then((found) => {
      this.#declared.set(id, found);
      return found;
    });
    this.#declared.set(id, kept);
    return kept;
  }

  async #placesAt({ declarations = [] }: RawSymbol): Promise<readonly Place[]> {
    const places = await Promise.all(declarations.map((handle) => this.#placeOf(handle)));
    return places.filter((place) => place !== undefined);
  }

  async #placeOf(handle: string): Promise<Place | undefined> {
    const { index, file } = readHandle(handle);
    // The tree of a library file is never fetched: its path is enough.
    const path = this.#pathOf(file);
    if (path === undefined) return undefined;
    const places = await this.#outlines.places(file);
    return places === undefined ? undefined : { path, start: places[index]! };
  }

  #fileOf(module: RawSymbol | undefined): string | undefined {
    const [handle] = module?.declarations ?? [];
    return handle === undefined ? undefined : this.#pathOf(readHandle(handle).file);
  }

  /**
   * The declarations behind the type of a literal, function or pattern: those of the type itself
   * and of each property.
   */
  async #shapeOf(
    type: RawType | undefined,
    { start, names }: OutlinedShape,
    kind: "literal" | "pattern",
  ): Promise<readonly Tied[]> {
    if (type === undefined || (type.flags & shapedFlags) === 0) return [];
    const { parts, places } = await this.#shape(type);
    const tied: Tied[] = kind === "pattern" ? [] : [{ start, places }];
    await Promise.all(
      parts.flatMap((part) =>
        names.map(async (one) => tied.push({ start: one.start, places: await this.#memberOf(part, one.name) })),
      ),
    );
    return tied;
  }

  #shape(type: RawType): Promise<Shape> {
    return getOrInsert(this.#shapes, type.id, () => this.#readShape(type));
  }

  async #readShape(type: RawType): Promise<Shape> {
    const isCompound = (type.flags & (TypeFlags.Union | TypeFlags.Intersection)) !== 0;
    const parts = isCompound ? (await this.#requests.typesOf(type)).slice(0, maxParts) : [type];
    const objects = parts.filter(({ flags }) => flags & (TypeFlags.Object | TypeFlags.Intersection));
    const named = new Map<number, () => Promise<RawSymbol | undefined>>();
    for (const one of [type, ...objects]) {
      if (one.aliasSymbol) named.set(one.aliasSymbol, () => this.#requests.aliasSymbolOf(one));
    }
    for (const part of objects) if (part.symbol) named.set(part.symbol, () => this.#requests.symbolOf(part));
    const places = await Promise.all(Array.from(named, ([id, request]) => this.#placesOfId(id, request)));
    return { parts: objects, places: places.flat() };
  }

  #memberOf(type: RawType, name: string): Promise<readonly Place[]> {
    const members = getOrInsert(this.#members, type.id, () => new Map<string, Promise<readonly Place[]>>());
    return getOrInsert(members, name, async () => {
      const symbol = await this.#requests.property(type, name);
      return symbol === undefined ? [] : this.#placesOf(symbol);
    });
  }

  /** The members of base types that a class's or an interface's own members override. */
  async #overriddenBy(file: string, { bases, names }: OutlinedHeritage): Promise<readonly Tied[]> {
    const types = await this.#requests.types(file, bases);
    const tied: Tied[] = [];
    await Promise.all(
      types.flatMap((type) =>
        type === undefined
          ? []
          : names.map(async ({ name, start }) => tied.push({ start, places: await this.#memberOf(type, name) })),
      ),
    );
    return tied;
  }
}

/** The symbols of a file's names. */
interface NameSymbols {
  readonly symbols: readonly (RawSymbol | undefined)[];
  /** The indexes of chain roots that cannot be resolved. */
  readonly nothing: ReadonlySet<number>;
}

type AddPlaces = (start: number, role: ReferenceRole, places: readonly Place[]) => void;

/** The place of a declaration. */
interface Place {
  readonly path: string;
  readonly start: number;
}

/** An offset in the file, and the declarations that it refers to. */
interface Tied {
  readonly start: number;
  readonly places: readonly Place[];
}

interface Shape {
  readonly parts: readonly RawType[];
  readonly places: readonly Place[];
}

/**
 * The most members of a union that are looked at. A larger union is generated, and its alias is
 * enough.
 */
const maxParts = 16;

/** Types that may have properties. */
const shapedFlags = TypeFlags.Object | TypeFlags.Union | TypeFlags.Intersection;

/**
 * The offsets of the declarations of a variable or a type parameter of the file itself; `undefined`
 * for other symbols. No other file can add a declaration to these.
 */
function ownStarts(
  file: string,
  { flags, declarations = [] }: RawSymbol,
  places: NodePlaces,
): readonly number[] | undefined {
  if (declarations.length === 0 || (flags & ownFlags) !== flags) return undefined;
  const handles = declarations.map(readHandle);
  return handles.every((handle) => handle.file === file) ? handles.map(({ index }) => places[index]!) : undefined;
}

const ownFlags = SymbolFlags.Variable | SymbolFlags.TypeParameter;

/** Whether a symbol's members are the same wherever it is used, independent of control flow. */
function hasFixedMembers({ flags }: RawSymbol): boolean {
  const { Enum, Module, Class, Variable } = SymbolFlags;
  return (flags & (Enum | Module | Class)) !== 0 && (flags & Variable) === 0;
}

/**
 * The indexes of the names in `onlyNames`, of imports of them under another name, and of all names
 * that are spelled like such an import.
 */
function indexesOfNames(names: readonly OutlinedName[], onlyNames: ReadonlySet<string>): ReadonlySet<number> {
  const spellings = new Set(onlyNames);
  for (const { name, importOf } of names) if (importOf && onlyNames.has(importOf.name)) spellings.add(name);
  return new Set(indexesOf(names, ({ name }) => spellings.has(name)));
}

/** The indexes in `wanted` and those of the chain roots that resolving them needs. */
function withRoots(names: readonly OutlinedName[], wanted: ReadonlySet<number>): ReadonlySet<number> {
  return new Set([...wanted].flatMap((index) => [index, names[index]!.memberOf?.root ?? index]));
}

/** The shapes that contain one of the names in `onlyNames`. */
function shapesWithNames(
  { shapes, patterns, heritage }: FileOutline,
  onlyNames: ReadonlySet<string>,
): Pick<FileOutline, "shapes" | "patterns" | "heritage"> {
  const hasName = ({ names }: Pick<OutlinedShape, "names">) => names.some(({ name }) => onlyNames.has(name));
  return { shapes: shapes.filter(hasName), patterns: patterns.filter(hasName), heritage: heritage.filter(hasName) };
}

function indexesOf<T>(items: readonly T[], isMeant: (item: T, index: number) => boolean): number[] {
  return items.flatMap((item, index) => (isMeant(item, index) ? [index] : []));
}

function nodeOf<T>({ node }: { readonly node: T }): T {
  return node;
}
