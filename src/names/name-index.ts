import type { BinderSupport } from "../languages/index.ts";
import { addToGroup, getOrInsert } from "../text/index.ts";
import { nameOf } from "../workspace/index.ts";
import { type FilesByEnding, pythonModuleFiles } from "./modules/python-modules.ts";
import { type Declared, fits, type Hint, type Imported, type NameFacts, type Passed } from "./name-facts.ts";

/** A declaration, with the facts of its file. */
export interface NamedPlace {
  readonly facts: NameFacts;
  readonly declared: Declared;
  /** Index in the file's declarations. */
  readonly at: number;
}

/** A class, with all of its parts if it has several declarations. */
export interface NamedClass {
  readonly name: string;
  readonly parts: readonly NamedPlace[];
  readonly members: ReadonlyMap<string, readonly NamedPlace[]>;
}

/**
 * The possible values of an expression. `foreign` values belong to a library or the language; `of`
 * is what they contain.
 */
export type NameValue =
  | { readonly kind: "instance" | "class"; readonly type: NamedClass }
  | { readonly kind: "callable"; readonly place: NamedPlace }
  | { readonly kind: "module"; readonly path: string }
  | {
      readonly kind: "foreign";
      readonly of: readonly Hint[];
      readonly facts: NameFacts;
      readonly within: number | undefined;
    }
  | { readonly kind: "unknown" };

const nothing: NameValue = { kind: "unknown" };
/** Limits chains of hints that lead to other hints. Chains in real code are shorter. */
const maxSteps = 12;

/**
 * Resolves names with the facts of all files of one language. Immutable: a new one is made when a
 * file changes.
 */
export class NameIndex {
  /** What is known of the language. */
  readonly binder: BinderSupport;
  readonly #facts: ReadonlyMap<string, NameFacts>;
  readonly #classes = new Map<string, NamedClass>();
  readonly #classAt = new Map<Declared, NamedClass>();
  /** Classes by simple name. */
  readonly #byName = new Map<string, NamedClass[]>();
  /** Members of all classes, by name. */
  readonly #membersByName = new Map<string, NamedPlace[]>();
  readonly #derived = new Map<NamedClass, NamedClass[]>();
  readonly #bases = new Map<NamedClass, readonly NamedClass[]>();
  /** For each file: its top-level declarations, by name. */
  readonly #top = new Map<string, Map<string, NamedPlace>>();
  readonly #topByName = new Map<string, NamedPlace[]>();
  /** Files by the last segment of their module name. */
  readonly #modules = new Map<string, string[]>();
  readonly #files: FilesByEnding = {
    has: (path) => this.#facts.has(path),
    endingWith: (ending) =>
      (this.#modules.get(moduleName(ending)) ?? []).filter((path) => `/${path}`.endsWith(`/${ending}`)),
  };
  readonly #namespaces = new Set<string>();

  constructor(facts: ReadonlyMap<string, NameFacts>, binder: BinderSupport) {
    this.#facts = facts;
    this.binder = binder;
    for (const file of facts.values()) this.#take(file);
    for (const type of this.#classes.values())
      for (const base of this.basesOf(type)) addToGroup(this.#derived, base, type);
  }

  /** All classes of the workspace. */
  get classes(): Iterable<NamedClass> {
    return this.#classes.values();
  }

  #take(facts: NameFacts): void {
    const top = new Map<string, NamedPlace>();
    this.#top.set(facts.path, top);
    addToGroup(this.#modules, moduleName(facts.path), facts.path);
    for (const [at, declared] of facts.declared.entries()) {
      const place = { facts, declared, at };
      if (declared.owner === undefined && !top.has(declared.name)) {
        top.set(declared.name, place);
        addToGroup(this.#topByName, declared.name, place);
      }
      if (declared.kind !== "class") {
        const owner = declared.owner === undefined ? undefined : this.#classAt.get(facts.declared[declared.owner]!);
        if (owner === undefined) continue;
        addToGroup(owner.members as Map<string, NamedPlace[]>, declared.name, place);
        addToGroup(this.#membersByName, declared.name, place);
        continue;
      }
      const key = this.#keyOf(facts, declared);
      const type = getOrInsert(this.#classes, key, () => {
        const added: NamedClass = { name: declared.name, parts: [], members: new Map() };
        addToGroup(this.#byName, declared.name, added);
        return added;
      });
      (type.parts as NamedPlace[]).push(place);
      this.#classAt.set(declared, type);
      if (declared.namespace) this.#namespaces.add(declared.namespace);
    }
  }

  /** All parts of a class have the same key. */
  #keyOf(facts: NameFacts, declared: Declared): string {
    const outer = declared.owner === undefined ? "" : `${this.#keyOf(facts, facts.declared[declared.owner]!)}.`;
    const home = declared.owner !== undefined ? "" : declared.isPartial ? `${declared.namespace}:` : `${facts.path}:`;
    return `${home}${outer}${declared.name}${declared.isPartial ? "" : `@${declared.start}`}`;
  }

  /** The class that a declaration belongs to; `undefined` for a declaration that is no class. */
  classOf(declared: Declared | undefined): NamedClass | undefined {
    return declared && this.#classAt.get(declared);
  }

  /**
   * The direct base classes in the workspace, in the order of the declaration, each once; those
   * outside of it are left out.
   */
  basesOf(type: NamedClass): readonly NamedClass[] {
    const known = this.#bases.get(type);
    if (known !== undefined) return known;
    this.#bases.set(type, []);
    const found = type.parts.flatMap(({ facts, declared }) =>
      (declared.bases ?? []).flatMap((base) => {
        const value = this.resolve(base, facts, declared.owner);
        return value.kind === "instance" || value.kind === "class" ? [value.type] : [];
      }),
    );
    const bases = [...new Set(found)].filter((base) => base !== type);
    this.#bases.set(type, bases);
    return bases;
  }

  /** Whether the class derives, directly or indirectly, from a class outside of the workspace. */
  hasForeignBase(type: NamedClass, seen = new Set<NamedClass>()): boolean {
    if (seen.has(type)) return false;
    seen.add(type);
    const bases = this.basesOf(type);
    const named = type.parts.reduce((sum, { declared }) => sum + (declared.bases ?? []).filter(isMeant).length, 0);
    return named > bases.length || bases.some((base) => this.hasForeignBase(base, seen));
  }

  /** The classes of the workspace that derive directly from this one. */
  derivedOf(type: NamedClass): readonly NamedClass[] {
    return this.#derived.get(type) ?? [];
  }

  /**
   * The members with this name of the class itself, or else of the nearest base class that has
   * some; empty if none does.
   */
  membersOf(type: NamedClass, name: string, seen = new Set<NamedClass>()): readonly NamedPlace[] {
    if (seen.has(type)) return [];
    seen.add(type);
    const own = type.members.get(name);
    if (own !== undefined) return own;
    for (const base of this.basesOf(type)) {
      const found = this.membersOf(base, name, seen);
      if (found.length > 0) return found;
    }
    return [];
  }

  /**
   * Like {@link membersOf}, but falls back to the members of derived classes, which a base class
   * may rely on.
   */
  membersAround(type: NamedClass, name: string): readonly NamedPlace[] {
    const found = this.membersOf(type, name);
    if (found.length > 0) return found;
    const below: NamedPlace[] = [];
    const queue = [...this.derivedOf(type)];
    for (const seen = new Set<NamedClass>(); queue.length > 0; ) {
      const one = queue.shift()!;
      if (seen.has(one)) continue;
      seen.add(one);
      const own = one.members.get(name);
      if (own !== undefined) below.push(...own);
      else queue.push(...this.derivedOf(one));
    }
    return below;
  }

  /** The members of all classes with this name. */
  membersNamed(name: string): readonly NamedPlace[] {
    return this.#membersByName.get(name) ?? [];
  }

  /**
   * Resolves an unqualified name that is used in the class at index `within` of the file's
   * declarations, or outside of classes. Empty if no declaration of the workspace is found.
   */
  lookup(name: string, facts: NameFacts, within: number | undefined): readonly NamedPlace[] {
    if (this.binder.hasModules !== true) {
      for (let at = within; at !== undefined; at = facts.declared[at]?.owner) {
        const type = this.classOf(facts.declared[at]);
        if (type === undefined) continue;
        if (type.name === name) return type.parts;
        const members = this.membersAround(type, name);
        if (members.length > 0) return members;
      }
      const types = this.typesNamed(name, facts, within).flatMap(({ parts }) => parts);
      return types.length > 0 || this.binder.hasTopLevelTypesOnly === true ? types : this.#topNamed(name, facts);
    }
    const inClass = within === undefined ? undefined : this.classOf(facts.declared[within])?.members.get(name);
    const own = this.#top.get(facts.path)?.get(name);
    if (own !== undefined) return [own];
    const imported = this.#imported(name, facts, new Set());
    if (imported?.kind === "place") return [imported.place];
    return inClass ?? [];
  }

  /**
   * The top-level declarations with this name: those of the file itself, or else the only one in
   * any file.
   */
  #topNamed(name: string, facts: NameFacts): readonly NamedPlace[] {
    const own = this.#top.get(facts.path)?.get(name);
    if (own !== undefined) return [own];
    const found = this.#topByName.get(name) ?? [];
    return found.length === 1 ? found : [];
  }

  /**
   * The import statement that brings a name into a Python file; `undefined` in other languages, and
   * for a name that the file declares itself.
   */
  importOf(name: string, facts: NameFacts): Imported | undefined {
    if (this.binder.hasModules !== true || this.#top.get(facts.path)?.has(name)) return undefined;
    return facts.imports.find(({ local }) => local === name || local.startsWith(`${name}.`));
  }

  /**
   * The types with this simple name that are nearest to the file: those in enclosing classes, in
   * the same file and in the enclosing namespaces come before all others. Several if they are
   * equally near; an import alias is resolved first.
   */
  typesNamed(name: string, facts: NameFacts, within: number | undefined): readonly NamedClass[] {
    const alias = facts.imports.find(({ local }) => local === name);
    const found = this.#byName.get(alias?.name ?? name) ?? [];
    if (found.length < 2) return found;
    const home =
      facts.declared.find(({ kind, namespace }) => kind === "class" && namespace !== undefined)?.namespace ?? "";
    const seen = new Set(facts.imports.filter(({ local }) => local === "").map(({ module }) => module));
    const outer = new Set<NamedClass | undefined>();
    for (let at = within; at !== undefined; at = facts.declared[at]?.owner) outer.add(this.classOf(facts.declared[at]));
    const distance = (type: NamedClass) =>
      Math.min(
        ...type.parts.map(({ facts: file, declared }) => {
          if (declared.owner !== undefined) {
            const owner = this.classOf(file.declared[declared.owner]);
            if (outer.has(owner)) return 0;
            return [...outer].some((one) => one && owner && this.#derivesFrom(one, owner)) ? 1 : 6;
          }
          if (file.path === facts.path) return 1;
          if (declared.namespace === home) return 2;
          if (home.startsWith(`${declared.namespace}.`)) return 3;
          return seen.has(declared.namespace ?? "") ? 3 : 5;
        }),
      );
    const nearest = Math.min(...found.map(distance));
    return found.filter((type) => distance(type) === nearest);
  }

  #derivesFrom(type: NamedClass, base: NamedClass, seen = new Set<NamedClass>()): boolean {
    if (seen.has(type)) return false;
    seen.add(type);
    return this.basesOf(type).some((one) => one === base || this.#derivesFrom(one, base, seen));
  }

  /**
   * Evaluates a hint in a file, in the class at index `within`; `unknown` after 12 nested steps.
   */
  resolve(hint: Hint, facts: NameFacts, within: number | undefined, steps = 0): NameValue {
    if (steps > maxSteps) return nothing;
    const foreign: NameValue = { kind: "foreign", of: [], facts, within };
    switch (hint.kind) {
      case "unknown":
        return nothing;
      case "plain":
        return foreign;
      case "self": {
        const type = within === undefined ? undefined : this.classOf(facts.declared[within]);
        return type === undefined ? nothing : { kind: "instance", type };
      }
      case "super": {
        const type = within === undefined ? undefined : this.classOf(facts.declared[within]);
        const [base] = type === undefined ? [] : this.basesOf(type);
        return base === undefined ? foreign : { kind: "instance", type: base };
      }
      case "name":
        return (
          this.#valueOf(this.lookup(hint.name, facts, within)[0], steps) ??
          this.#moduleNamed(hint.name, facts) ??
          foreign
        );
      case "typed": {
        const type = this.#typeNamed(hint.type, facts, within, steps);
        if (type !== undefined) return { kind: "instance", type };
        return { kind: "foreign", of: hint.of, facts, within };
      }
      case "member":
        return this.#memberValue(this.resolve(hint.of, facts, within, steps + 1), hint.name, facts, steps);
      case "called": {
        const of = this.resolve(hint.of, facts, within, steps + 1);
        switch (of.kind) {
          case "class":
            return { kind: "instance", type: of.type };
          case "callable":
            return this.#resultOf(of.place, steps);
          case "instance": {
            const [call] = this.membersOf(of.type, "__call__");
            return call === undefined ? nothing : this.#resultOf(call, steps);
          }
          case "foreign":
            return of;
          default:
            return nothing;
        }
      }
      case "element": {
        const of = this.resolve(hint.of, facts, within, steps + 1);
        if (of.kind === "foreign") {
          const inner = of.of.at(-1);
          return inner === undefined ? foreign : this.resolve(inner, of.facts, of.within, steps + 1);
        }
        // The element type of a workspace class that is iterated over is unknown.
        return nothing;
      }
    }
  }

  #resultOf({ facts, declared }: NamedPlace, steps: number): NameValue {
    if (declared.value === undefined) return nothing;
    return this.resolve(declared.value, facts, declared.owner, steps + 1);
  }

  #valueOf(place: NamedPlace | undefined, steps: number): NameValue | undefined {
    if (place === undefined) return undefined;
    const { declared, facts } = place;
    if (declared.kind === "class") return { kind: "class", type: this.classOf(declared)! };
    if (declared.kind === "field" || declared.kind === "variable")
      return this.resolve(declared.value ?? { kind: "unknown" }, facts, declared.owner, steps + 1);
    return { kind: "callable", place };
  }

  #memberValue(of: NameValue, name: string, facts: NameFacts, steps: number): NameValue {
    if (of.kind === "module") {
      const place = this.#inModule(of.path, name, new Set());
      return (
        this.#valueOf(place, steps) ??
        this.#submodule(of.path, name) ?? { kind: "foreign", of: [], facts, within: undefined }
      );
    }
    if (of.kind === "foreign") return of;
    if (of.kind !== "instance" && of.kind !== "class") return nothing;
    const [member] = this.membersAround(of.type, name);
    if (member !== undefined) return this.#valueOf(member, steps) ?? nothing;
    return this.hasForeignBase(of.type) ? { kind: "foreign", of: [], facts, within: undefined } : nothing;
  }

  #typeNamed(name: string, facts: NameFacts, within: number | undefined, steps: number): NamedClass | undefined {
    if (this.binder.hasModules !== true) return this.typesNamed(name, facts, within)[0];
    const [first = "", ...rest] = name.split(".");
    let value =
      this.#valueOf(this.lookup(first, facts, within)[0], steps) ?? this.#moduleNamed(first, facts) ?? nothing;
    for (const part of rest) value = this.#memberValue(value, part, facts, steps);
    return value.kind === "class" || value.kind === "instance" ? value.type : undefined;
  }

  /** Whether a name is a namespace of the workspace, or the first segments of one. */
  isNamespace(name: string): boolean {
    return [...this.#namespaces].some((one) => one === name || one.startsWith(`${name}.`));
  }

  // Python modules.

  #moduleNamed(name: string, facts: NameFacts): NameValue | undefined {
    if (this.binder.hasModules !== true) return undefined;
    const found = this.#imported(name, facts, new Set());
    if (found?.kind === "module") return { kind: "module", path: found.path };
    return found?.kind === "place" ? this.#valueOf(found.place, 0) : undefined;
  }

  #imported(name: string, facts: NameFacts, seen: Set<string>): Found | undefined {
    const key = `${facts.path}\n${name}`;
    if (seen.has(key)) return undefined;
    seen.add(key);
    for (const one of facts.imports) {
      if (one.local === name) {
        const path = this.#modulePath(one.module, facts.path);
        if (one.name === undefined) return path === undefined ? undefined : { kind: "module", path };
        const place = path === undefined ? undefined : this.#inModule(path, one.name, seen);
        if (place !== undefined) return { kind: "place", place };
        const dot = one.module.endsWith(".") ? "" : ".";
        const module = this.#modulePath(`${one.module}${dot}${one.name}`, facts.path);
        return module === undefined ? undefined : { kind: "module", path: module };
      }
      if (one.local.startsWith(`${name}.`) && one.name === undefined) {
        const path = this.#modulePath(name, facts.path);
        if (path !== undefined) return { kind: "module", path };
      }
    }
    for (const one of facts.imports) {
      if (one.local !== "") continue;
      const path = this.#modulePath(one.module, facts.path);
      const place = path === undefined ? undefined : this.#inModule(path, name, seen);
      if (place !== undefined) return { kind: "place", place };
    }
    return undefined;
  }

  /**
   * Resolves an import of a name in Python to a declaration of the workspace, through re-exports;
   * `undefined` in other languages, and for an import of a whole module.
   */
  imported(one: Imported, facts: NameFacts): NamedPlace | undefined {
    if (one.name === undefined || this.binder.hasModules !== true) return undefined;
    const path = this.#modulePath(one.module, facts.path);
    return path === undefined ? undefined : this.#inModule(path, one.name, new Set());
  }

  /** A declaration of a module, including those that it imports from other modules. */
  #inModule(path: string, name: string, seen: Set<string>): NamedPlace | undefined {
    const own = this.#top.get(path)?.get(name);
    if (own !== undefined) return own;
    const facts = this.#facts.get(path);
    const found = facts && this.#imported(name, facts, seen);
    return found?.kind === "place" ? found.place : undefined;
  }

  /**
   * A declaration of the Python file at `path`, including those that it imports; `undefined` if
   * there is none of this name.
   */
  memberOfModule(path: string, name: string): NamedPlace | undefined {
    return this.#inModule(path, name, new Set());
  }

  #submodule(path: string, name: string): NameValue | undefined {
    if (!path.endsWith("__init__.py")) return undefined;
    const found = this.#modulePath(`.${name}`, path);
    return found === undefined ? undefined : { kind: "module", path: found };
  }

  /** The file of a module; `undefined` if there is none, or if several may be meant. */
  #modulePath(module: string, from: string): string | undefined {
    const found = pythonModuleFiles(this.#files, module, from);
    return found.length === 1 ? found[0] : undefined;
  }
}

type Found =
  | { readonly kind: "place"; readonly place: NamedPlace }
  | { readonly kind: "module"; readonly path: string };

function isMeant({ kind }: Hint): boolean {
  return kind !== "plain";
}

/** The last segment of the name of a Python module. */
function moduleName(path: string): string {
  return nameOf(path.replace(/(\/__init__)?\.pyi?$/, ""));
}

/**
 * The overloads that match the arguments of a call. If none matches, all are returned, because the
 * call may be what has to change.
 */
export function fitting(places: readonly NamedPlace[], passed: Passed | undefined): readonly NamedPlace[] {
  if (places.length < 2) return places;
  const found = places.filter(({ declared }) => fits(declared.takes, passed));
  return found.length > 0 ? found : places;
}
