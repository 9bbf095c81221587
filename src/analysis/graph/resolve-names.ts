import {
  fits,
  fitting,
  type Mention,
  type NamedClass,
  type NamedPlace,
  type NameFacts,
  type NameIndex,
} from "../../names/index.ts";
import type { FileReferences, Reference, ReferenceRole, UnresolvedMemberName } from "./reference.ts";

/**
 * A member of an object whose class is unknown is looked up by name in all classes. If the name
 * occurs in more class hierarchies than this, it isn't resolved.
 */
export const maxFamilies = 3;
/** Number of mentions resolved between two yields: about 10 milliseconds of work. */
const stepMentions = 500;
/** Number of functions that a dictionary is followed through. */
const maxDictionaryCalls = 3;

/**
 * Resolves the names of a file with the facts of all files; returns the references in text order.
 *
 * - An unqualified name is looked up in its class (not in Python), its file and its imports. - A
 * member is looked up in the class of its object, if that is known from `self`, from an assignment
 * or from a type. Otherwise it is looked up by name among all members ({@link maxFamilies}), unless
 * built-in objects have a member with this name. - Overloads are narrowed down by the number of
 * arguments. - A call of a class also refers to the matching constructors, its own or those of its
 * base class. - A member refers to the one that it overrides; a function that creates a dictionary,
 * to those that read the same keys from it.
 *
 * Yields between groups of mentions, so that the caller can run other work, or stop.
 */
export function* resolveNames(facts: NameFacts, index: NameIndex): Generator<void, FileReferences> {
  const run = new Resolution(facts, index);
  run.imports();
  run.hierarchy();
  for (const [at, mention] of facts.mentions.entries()) {
    if (at % stepMentions === stepMentions - 1) yield;
    run.mention(mention);
  }
  run.dictionaries();
  const references = run.references.sort((a, b) => a.start - b.start);
  const { unresolved, unresolvedMembers } = run;
  return {
    path: facts.path,
    references,
    unresolved,
    precision: "names",
    ...(unresolvedMembers.length > 0 && { unresolvedMembers }),
  };
}

class Resolution {
  readonly references: Reference[] = [];
  readonly unresolvedMembers: UnresolvedMemberName[] = [];
  unresolved = 0;
  readonly #facts: NameFacts;
  readonly #index: NameIndex;
  readonly #drawn = new Set<string>();

  constructor(facts: NameFacts, index: NameIndex) {
    this.#facts = facts;
    this.#index = index;
  }

  imports(): void {
    for (const one of this.#facts.imports) {
      const place = this.#index.imported(one, this.#facts);
      if (place !== undefined) this.#draw(one.start, "import", place);
    }
  }

  /** Adds references from members to those they override, and between the parts of a class. */
  hierarchy(): void {
    for (const declared of this.#facts.declared) {
      if (declared.kind === "class") {
        const type = this.#index.classOf(declared);
        for (const part of type?.parts ?? []) if (part.declared !== declared) this.#draw(declared.start, "merge", part);
        continue;
      }
      const type = declared.owner === undefined ? undefined : this.#index.classOf(this.#facts.declared[declared.owner]);
      if (type === undefined || declared.kind === "constructor") continue;
      for (const base of this.#index.basesOf(type)) {
        const members = this.#index.membersOf(base, declared.name).filter((one) => one.declared !== declared);
        const same = members.filter((one) => one.declared.takes?.max === declared.takes?.max);
        const meant = same.length > 0 ? same : members.length === 1 ? members : [];
        for (const one of meant) this.#draw(declared.start, "override", one);
      }
    }
  }

  mention(mention: Mention): void {
    const { start, role, name } = mention;
    const statement = mention.of === undefined ? this.#index.importOf(name, this.#facts) : undefined;
    if (statement !== undefined)
      this.#push({ start, role: "import", targetPath: this.#facts.path, targetStart: statement.start });
    const { places, isGuess } = this.#meaningOf(mention);
    if (isGuess) this.unresolvedMembers.push({ start, name, role });
    for (const place of places) {
      if (place.declared.kind === "class") this.#class(start, role, place, mention);
      else this.#draw(start, role === "call" && isCalled(place) ? "call" : "value", place);
    }
  }

  /** The declarations that a mention may refer to. */
  targetsOf(mention: Mention): readonly NamedPlace[] {
    return this.#meaningOf(mention).places;
  }

  #meaningOf(mention: Mention): Meaning {
    const { of, name, within, passed, role } = mention;
    if (of === undefined) {
      const found = this.#index.lookup(name, this.#facts, within);
      if (role === "type" || role === "extend")
        return sure(found.filter(({ declared }) => declared.kind === "class" || declared.kind === "variable"));
      return sure(role === "call" ? fitting(found, passed) : found);
    }
    const value = this.#index.resolve(of, this.#facts, within);
    switch (value.kind) {
      case "module": {
        const place = this.#index.memberOfModule(value.path, name);
        return sure(place === undefined ? [] : [place]);
      }
      case "callable":
        return sure(name === "" ? [value.place] : []);
      case "class":
      case "instance": {
        if (name === "" && value.kind === "class") return sure(value.type.parts);
        const found = fitting(this.#index.membersAround(value.type, name === "" ? "__call__" : name), passed);
        if (found.length === 0 && value.kind === "instance") return sure(this.#extensions(mention));
        return { places: found, isGuess: name !== "" && found.length > 1 };
      }
      case "foreign":
        if (this.#index.binder.hasExtensions === true) return sure(this.#extensions(mention));
        // The result of a library call may be an object of the workspace, such as an element of a
        // sorted list. Its type is unknown, so the member is resolved by name.
        return name === "" ? this.#byName(mention) : { places: [], isGuess: this.#membersLike(mention).length > 0 };
      case "unknown":
        return this.#byName(mention);
    }
  }

  #extensions({ name, passed, role }: Mention): readonly NamedPlace[] {
    if (role !== "call") return [];
    return this.#index
      .membersNamed(name)
      .filter(
        ({ declared }) =>
          declared.isExtension === true && fits(declared.takes, passed && { ...passed, count: passed.count + 1 }),
      );
  }

  #membersLike({ name, passed, role }: Mention): readonly NamedPlace[] {
    return this.#index
      .membersNamed(name === "" ? "__call__" : name)
      .filter(
        ({ declared }) =>
          role !== "call" || (declared.takes === undefined ? name !== "" : fits(declared.takes, passed)),
      );
  }

  /** All members with this name, if the name is specific enough. */
  #byName(mention: Mention): Meaning {
    const { name } = mention;
    const found = this.#membersLike(mention);
    const isGuess = name !== "" && found.length > 0;
    if (name !== "" && this.#index.binder.commonMembers?.has(name)) return { places: [], isGuess };
    const families = new Set(found.map((place) => this.#familyOf(place)));
    if (families.size > 0 && families.size <= maxFamilies) return { places: found, isGuess };
    this.unresolved += 1;
    return { places: [], isGuess };
  }

  /** The topmost class of the hierarchy that declares the member. */
  #familyOf({ facts, declared }: NamedPlace): NamedClass | undefined {
    let type = this.#index.classOf(facts.declared[declared.owner!]);
    for (const seen = new Set<NamedClass>(); type !== undefined && !seen.has(type); ) {
      seen.add(type);
      const above: NamedClass | undefined = this.#index
        .basesOf(type)
        .find((base) => this.#index.membersOf(base, declared.name).length > 0);
      if (above === undefined) return type;
      type = above;
    }
    return type;
  }

  #class(start: number, role: Mention["role"], place: NamedPlace, { passed, name, of }: Mention): void {
    if (role !== "call") {
      this.#draw(start, role === "extend" ? "extend" : role, place);
      return;
    }
    const type = this.#index.classOf(place.declared)!;
    const constructors = this.#constructorsOf(type);
    if (of !== undefined && name === ".ctor") return;
    this.#draw(start, "instantiate", place);
    for (const made of fitting(constructors, passed)) this.#draw(start, "instantiate", made);
  }

  #constructorsOf(type: NamedClass): readonly NamedPlace[] {
    const { constructors } = this.#index.binder;
    if (constructors === undefined) return [];
    const { name, areInherited } = constructors;
    return areInherited ? this.#index.membersOf(type, name) : (type.members.get(name) ?? []);
  }

  /**
   * Adds references from code that creates a dictionary to functions that read its keys, through
   * the functions that pass it on.
   */
  dictionaries(): void {
    for (const { mention, argument, keys } of this.#facts.dictionaryCalls) {
      if (keys === undefined || keys.length === 0) continue;
      const call = this.#facts.mentions[mention]!;
      const wanted = new Set(keys);
      const seen = new Set<unknown>();
      const follow = (places: readonly NamedPlace[], passed: number | string, depth: number): void => {
        for (const place of places) {
          const parameter = typeof passed === "string" ? passed : place.declared.parameters?.[passed];
          if (parameter === undefined || seen.has(place.declared)) continue;
          seen.add(place.declared);
          const read = place.declared.keysRead?.get(parameter) ?? [];
          if (read.some((key) => wanted.has(key))) this.#draw(call.start, "shape", place);
          if (depth >= maxDictionaryCalls) continue;
          for (const next of place.facts.dictionaryCalls) {
            if (next.from?.declared !== place.at || next.from.parameter !== parameter) continue;
            const inner = new Resolution(place.facts, this.#index);
            follow(inner.targetsOf(place.facts.mentions[next.mention]!), next.argument, depth + 1);
          }
        }
      };
      follow(this.targetsOf(call), argument, 1);
    }
  }

  #draw(start: number, role: ReferenceRole, { facts, declared }: NamedPlace): void {
    this.#push({ start, role, targetPath: facts.path, targetStart: declared.start });
  }

  #push(reference: Reference): void {
    const key = `${reference.start} ${reference.role} ${reference.targetPath} ${reference.targetStart}`;
    if (this.#drawn.has(key)) return;
    this.#drawn.add(key);
    this.references.push(reference);
  }
}

/** The declarations that a mention may refer to, and whether they were found by name alone. */
interface Meaning {
  readonly places: readonly NamedPlace[];
  readonly isGuess: boolean;
}

function sure(places: readonly NamedPlace[]): Meaning {
  return { places, isGuess: false };
}

function isCalled({ declared: { kind } }: NamedPlace): boolean {
  return kind === "function" || kind === "method" || kind === "constructor";
}
