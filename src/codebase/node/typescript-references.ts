import { type Project, SymbolFlags, TypeFlags } from "typescript/unstable/async";
import type { FileReferences, Reference, ReferenceRole } from "../graph/reference.ts";
import type { FileOutline, HeritageQuestion, NameQuestion, ShapeQuestion } from "./typescript-outline.ts";
import type { TypeScriptOutlines } from "./typescript-outlines.ts";
import { Questions, type RawSymbol, type RawType, readHandle } from "./typescript-questions.ts";
import type { Meaning } from "./typescript-scopes.ts";

/** Finds the file of a declaration: its path from the workspace's root, or `undefined` outside of it. */
export type PathInWorkspace = (absolutePath: string) => string | undefined;

/**
 * What the names of files mean, asked from one project in one state.
 *
 * Symbols are asked by node and a file at a time: by position each would be looked up from the file's root, at 2.5 times the
 * cost. Names of parameters and local variables are not asked: they mean something in their own block; nor are those that certainly mean
 * what others do, or nothing. What is answered is read as it comes, without the
 * objects that the service's client would keep for as long as the state lives. An instance keeps what it learnt of aliases,
 * types and declarations, so one serves for all files of its state.
 */
export class TypeScriptReferences {
  readonly #questions: Questions;
  readonly #outlines: TypeScriptOutlines;
  readonly #pathOf: PathInWorkspace;
  readonly #aliases = new Map<number, Promise<RawSymbol | undefined>>();
  /** What names mean that nothing in their files binds, by name and meaning. */
  readonly #globals = new Map<string, Promise<RawSymbol | undefined>>();
  /** What is behind a name of a module, by the module's id and the name. */
  readonly #imported = new Map<string, Promise<RawSymbol | undefined>>();
  readonly #declared = new Map<number, readonly Place[] | Promise<readonly Place[]>>();
  readonly #shapes = new Map<number, Promise<Shape>>();
  readonly #members = new Map<number, Map<string, Promise<readonly Place[]>>>();
  /** What is behind a dot after a symbol that means the same everywhere. */
  readonly #fixedMembers = new Map<number, Map<string, RawSymbol>>();

  constructor(project: Project, outlines: TypeScriptOutlines, pathOf: PathInWorkspace) {
    this.#questions = new Questions(project);
    this.#outlines = outlines;
    this.#pathOf = pathOf;
  }

  /** The references of one file, by its absolute path; `undefined` where the project does not hold it. With `saying`, of these names alone, and of what imports call so. */
  async of(file: string, saying?: ReadonlySet<string>): Promise<FileReferences | undefined> {
    const path = this.#pathOf(file);
    const outline = await this.#outlines.take(file);
    if (path === undefined || outline === undefined) return undefined;
    const { names, modules } = outline;
    const { shapes, patterns, heritage } = saying === undefined ? outline : shapesSaying(outline, saying);
    const wanted = saying && namesSaying(names, saying);
    const references: Reference[] = [];
    const add: AddPlaces = (start, role, places) => {
      for (const place of places) references.push({ start, role, targetPath: place.path, targetStart: place.start });
    };
    const named = this.#questions.symbols(file, modules.map(nodeOf));
    const [{ symbols, nothing }, moduleSymbols, patternTypes] = await Promise.all([
      this.#symbolsOf(file, names, named, wanted && withThoseBehind(names, wanted)),
      named,
      this.#questions.types(file, patterns.map(nodeOf)),
    ]);
    let unresolved = 0;
    const waits: (Promise<unknown> | undefined)[] = [];
    for (const [index, name] of names.entries()) {
      if (wanted?.has(index) === false) continue;
      const symbol = symbols[index];
      if (symbol === undefined) unresolved += 1;
      else if (name.role === "declaration") {
        if ((symbol.declarations?.length ?? 0) > 1) waits.push(this.#tell(name.start, "merge", symbol, add));
      } else if (name.shorthand !== undefined || symbol.flags & SymbolFlags.Alias) {
        waits.push(this.#tellMeaning(file, name, symbol, add).then((isFound) => (unresolved += isFound ? 0 : 1)));
      } else waits.push(this.#tell(name.start, name.role, symbol, add));
    }
    const addAll = (role: ReferenceRole) => (tied: readonly Tied[]) => {
      for (const { start, places } of tied) add(start, role, places);
    };
    for (const shape of shapes) {
      if (shape.calledRoot !== undefined && nothing.has(shape.calledRoot)) continue;
      const type = this.#questions.contextualType(file, shape.node);
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
        compare(a.role, b.role) ||
        compare(a.targetPath, b.targetPath) ||
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
   * The symbols of names, in their order, and which of them mean nothing at all. Those that mean the same are asked once, and those of the
   * whole project once for all files; members of what means nothing are not asked, and those of enums, modules and classes once for
   * all files. Only the `needed` are asked, by their indexes; all unless told.
   */
  async #symbolsOf(
    file: string,
    names: readonly NameQuestion[],
    modules: Promise<readonly (RawSymbol | undefined)[]>,
    needed?: ReadonlySet<number>,
  ): Promise<NameSymbols> {
    const isNeeded = (index: number) => needed?.has(index) !== false;
    const symbols: (RawSymbol | undefined)[] = [];
    const ask = async (indexes: readonly number[]) => {
      const found = await this.#questions.symbols(
        file,
        indexes.map((index) => names[index]!.node),
      );
      for (const [at, index] of indexes.entries()) symbols[index] = found[at];
    };
    const first = indexesOf(
      names,
      (name, index) => isNeeded(index) && !isKnownByOthers(name) && !this.#globals.has(name.global ?? ""),
    );
    const asking = ask(first);
    for (const index of first) {
      const { global } = names[index]!;
      if (global !== undefined)
        this.#globals.set(
          global,
          asking.then(() => symbols[index]),
        );
    }
    await asking;
    for (const [index, { global }] of names.entries()) {
      if (global !== undefined) symbols[index] = await this.#globals.get(global);
    }
    this.#shareImports(file, names, symbols, await modules);
    await ask(await this.#takeBound(names, symbols, isNeeded));
    for (const [index, { sameAs }] of names.entries()) if (sameAs !== undefined) symbols[index] = symbols[sameAs];

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
      if (owner === undefined) continue;
      symbols[index] = this.#fixedMembers.get(owner.id)?.get(memberOf.member ?? "");
      if (symbols[index] === undefined) later.push(index);
    }
    await ask(later);
    for (const index of later) {
      const { root, member } = names[index]!.memberOf!;
      const owner = owners.get(root)!;
      const found = symbols[index];
      if (member === undefined || found === undefined || !hasFixedMembers(owner)) continue;
      const known = this.#fixedMembers.get(owner.id);
      if (known === undefined) this.#fixedMembers.set(owner.id, new Map([[member, found]]));
      else known.set(member, found);
    }
    const nothing = new Set(indexesOf(names, (_, index) => roots.has(index) && !owners.has(index)));
    return { symbols, nothing };
  }

  /** Gives names the symbol of the one that binds them. Answers which of them mean something else, by index. */
  async #takeBound(
    names: readonly NameQuestion[],
    symbols: (RawSymbol | undefined)[],
    isNeeded: (index: number) => boolean,
  ): Promise<number[]> {
    const others: number[] = [];
    for (const [index, { boundBy }] of names.entries()) {
      if (boundBy === undefined || !isNeeded(index)) continue;
      const binding = symbols[boundBy.name];
      const isAlias = binding !== undefined && (binding.flags & SymbolFlags.Alias) !== 0;
      const meant = isAlias ? await this.#meantBy(binding) : binding;
      // What is imported and not found may mean anything.
      const fits = meant === undefined ? isAlias : (meant.flags & meanings[boundBy.meaning]) !== 0;
      if (fits) symbols[index] = binding;
      else others.push(index);
    }
    return others;
  }

  /** Tells what a symbol's declarations are: at once where that is known. */
  #tell(start: number, role: ReferenceRole, symbol: RawSymbol, add: AddPlaces): Promise<void> | undefined {
    const places = this.#placesOf(symbol);
    if (!(places instanceof Promise)) return void add(start, role, places);
    return places.then((found) => add(start, role, found));
  }

  /** Tells of an alias both what it is here and what it stands for. Answers whether that was found. */
  async #tellMeaning(file: string, { start, role, shorthand }: NameQuestion, told: RawSymbol, add: AddPlaces) {
    // Of `{ name }` the property is told first; what the name stands for is another question.
    const symbol = shorthand === undefined ? told : await this.#questions.shorthandValue(file, shorthand);
    if (symbol === undefined) return false;
    const isAlias = (symbol.flags & SymbolFlags.Alias) !== 0;
    const given = role as ReferenceRole;
    await this.#tell(start, isAlias && given !== "re-export" ? "import" : given, symbol, add);
    if (!isAlias) return true;
    const meant = await this.#meantBy(symbol);
    if (meant !== undefined) await this.#tell(start, given, meant, add);
    return meant !== undefined;
  }

  /** What is imported by one name from one module means the same for all: only the first who imports it is asked. */
  #shareImports(
    file: string,
    names: readonly NameQuestion[],
    symbols: readonly (RawSymbol | undefined)[],
    modules: readonly (RawSymbol | undefined)[],
  ): void {
    // How such a file sees a module may depend on its being one of these.
    if (/\.[cm][jt]s$/.test(file)) return;
    for (const [index, { importOf }] of names.entries()) {
      const module = importOf && modules[importOf.module];
      const symbol = symbols[index];
      if (module === undefined || symbol === undefined || importOf!.name === "default") continue;
      if ((symbol.flags & SymbolFlags.Alias) === 0 || this.#aliases.has(symbol.id)) continue;
      const key = `${module.id} ${importOf!.name}`;
      const meant = this.#imported.get(key) ?? this.#questions.aliased(symbol);
      this.#imported.set(key, meant);
      this.#aliases.set(symbol.id, meant);
    }
  }

  /** What an alias stands for, through all re-exports. */
  #meantBy(alias: RawSymbol): Promise<RawSymbol | undefined> {
    let meant = this.#aliases.get(alias.id);
    if (meant === undefined) {
      meant = this.#questions.aliased(alias);
      this.#aliases.set(alias.id, meant);
    }
    return meant;
  }

  #placesOf(symbol: RawSymbol): readonly Place[] | Promise<readonly Place[]> {
    return this.#declared.get(symbol.id) ?? this.#keepPlaces(symbol.id, this.#placesAt(symbol));
  }

  /** As {@link #placesOf}, of a symbol that is asked only where nothing that was told before meant it. */
  #placesOfId(id: number, ask: () => Promise<RawSymbol | undefined>): readonly Place[] | Promise<readonly Place[]> {
    const known = this.#declared.get(id);
    if (known !== undefined) return known;
    const asked = ask().then((symbol) => (symbol === undefined ? [] : this.#placesAt(symbol)));
    return this.#keepPlaces(id, asked);
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
    // A library's tree is never fetched: where it lies tells enough.
    const path = this.#pathOf(file);
    if (path === undefined) return undefined;
    const places = await this.#outlines.places(file);
    return places === undefined ? undefined : { path, start: places[index]! };
  }

  #fileOf(module: RawSymbol | undefined): string | undefined {
    const [handle] = module?.declarations ?? [];
    return handle === undefined ? undefined : this.#pathOf(readHandle(handle).file);
  }

  /** What the type that is asked for at a literal, a function or a pattern declares: the type, and each property that is given. */
  async #shapeOf(
    type: RawType | undefined,
    { start, names }: ShapeQuestion,
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
    let shape = this.#shapes.get(type.id);
    if (shape === undefined) {
      shape = this.#readShape(type);
      this.#shapes.set(type.id, shape);
    }
    return shape;
  }

  async #readShape(type: RawType): Promise<Shape> {
    const isCompound = (type.flags & (TypeFlags.Union | TypeFlags.Intersection)) !== 0;
    const parts = isCompound ? (await this.#questions.typesOf(type)).slice(0, maxParts) : [type];
    const objects = parts.filter(({ flags }) => flags & (TypeFlags.Object | TypeFlags.Intersection));
    const named = new Map<number, () => Promise<RawSymbol | undefined>>();
    for (const one of [type, ...objects]) {
      if (one.aliasSymbol) named.set(one.aliasSymbol, () => this.#questions.aliasSymbolOf(one));
    }
    for (const part of objects) if (part.symbol) named.set(part.symbol, () => this.#questions.symbolOf(part));
    const places = await Promise.all(Array.from(named, ([id, ask]) => this.#placesOfId(id, ask)));
    return { parts: objects, places: places.flat() };
  }

  #memberOf(type: RawType, name: string): Promise<readonly Place[]> {
    let members = this.#members.get(type.id);
    if (members === undefined) {
      members = new Map();
      this.#members.set(type.id, members);
    }
    let places = members.get(name);
    if (places === undefined) {
      places = this.#questions
        .property(type, name)
        .then((symbol) => (symbol === undefined ? [] : this.#placesOf(symbol)));
      members.set(name, places);
    }
    return places;
  }

  /** The members of bases and interfaces that a class's or an interface's own members stand in for. */
  async #overriddenBy(file: string, { bases, names }: HeritageQuestion): Promise<readonly Tied[]> {
    const types = await this.#questions.types(file, bases);
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

/** What names mean, in their order. */
interface NameSymbols {
  readonly symbols: readonly (RawSymbol | undefined)[];
  /** Of the names that chains begin with: those that mean nothing. */
  readonly nothing: ReadonlySet<number>;
}

type AddPlaces = (start: number, role: ReferenceRole, places: readonly Place[]) => void;

/** A declaration, by a place in it. */
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
  readonly parts: readonly RawType[];
  readonly places: readonly Place[];
}

/** Of a larger union only so many parts are asked: beyond, it is generated, and its alias names it. */
const maxParts = 16;

/** What can have members of its own. */
const shapedFlags = TypeFlags.Object | TypeFlags.Union | TypeFlags.Intersection;

/** Whether a name's meaning follows from that of others in the file. */
function isKnownByOthers({ sameAs, boundBy, memberOf }: NameQuestion): boolean {
  return sameAs !== undefined || boundBy !== undefined || memberOf !== undefined;
}

/** What a symbol must be so that a name which is looked up can mean it. */
const meanings: Readonly<Record<Meaning, number>> = { type: SymbolFlags.Type, value: SymbolFlags.Value };

/** Whether what is behind a dot after a symbol is the same wherever that is: no control flow says more of it. */
function hasFixedMembers({ flags }: RawSymbol): boolean {
  const { Enum, Module, Class, Variable } = SymbolFlags;
  return (flags & (Enum | Module | Class)) !== 0 && (flags & Variable) === 0;
}

/** The names among these, and those that imports call otherwise where they stand, with all that means them; by their indexes. */
function namesSaying(names: readonly NameQuestion[], saying: ReadonlySet<string>): ReadonlySet<number> {
  const wanted = new Set(
    indexesOf(names, ({ name, importOf }) => saying.has(name) || (importOf !== undefined && saying.has(importOf.name))),
  );
  for (const index of indexesOf(names, isKnownByOthers)) {
    const { sameAs, boundBy } = names[index]!;
    if (wanted.has(sameAs ?? boundBy?.name ?? -1)) wanted.add(index);
  }
  return wanted;
}

/** Names with those that it takes to know what they mean; by their indexes. */
function withThoseBehind(names: readonly NameQuestion[], wanted: ReadonlySet<number>): ReadonlySet<number> {
  const needed = new Set(wanted);
  // What is put in is met, too.
  for (const index of needed) {
    const { sameAs, boundBy, memberOf } = names[index]!;
    for (const behind of [sameAs, boundBy?.name, memberOf?.root]) if (behind !== undefined) needed.add(behind);
  }
  return needed;
}

/** The shapes in which one of these names is given, taken or declared. */
function shapesSaying(
  { shapes, patterns, heritage }: FileOutline,
  saying: ReadonlySet<string>,
): Pick<FileOutline, "shapes" | "patterns" | "heritage"> {
  const says = ({ names }: Pick<ShapeQuestion, "names">) => names.some(({ name }) => saying.has(name));
  return { shapes: shapes.filter(says), patterns: patterns.filter(says), heritage: heritage.filter(says) };
}

function indexesOf<T>(items: readonly T[], isMeant: (item: T, index: number) => boolean): number[] {
  return items.flatMap((item, index) => (isMeant(item, index) ? [index] : []));
}

function nodeOf<T>({ node }: { readonly node: T }): T {
  return node;
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
