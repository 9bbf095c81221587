import { isCommonMember } from "./common-members.ts";
import { fits, type Mention, type NameFacts } from "./name-facts.ts";
import { fitting, type NamedClass, type NamedPlace, type NameIndex } from "./name-index.ts";
import type { FileReferences, Reference, ReferenceRole, UnresolvedMemberName } from "./reference.ts";

/**
 * Of an object of unknown class, a member is looked for by name among all classes. Where
 * more families of classes than this have one, the name says too little, and nothing is drawn.
 */
export const maxFamilies = 3;
/** How many mentions are resolved in one step, some 10 milliseconds of work. */
const stepMentions = 500;
/** How many functions a dictionary is followed through. */
const maxHandOvers = 3;

/**
 * What the names of a file mean, by the facts of all files.
 *
 * - A name that is alone is looked for in its class (not in Python), its file, its imports.
 * - A member is looked for in the class of its object as far as that is known: by `self`, by what
 *   it was made of or given, by a type. Else by name among all members ({@link maxFamilies}),
 *   unless objects of the language have one of this name.
 * - What is called is narrowed down by the number of arguments, where there are several.
 * - A class that is called is made: its constructors that fit, its own or its base's, are meant as
 *   well.
 * - A member depends on the one it overrides; who makes a dictionary, on those who take the same
 *   keys from it further down.
 *
 * Yields after some mentions each, so that the caller can run other work, or stop.
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
  const { unresolved, doubts } = run;
  return { path: facts.path, references, unresolved, precision: "names", ...(doubts.length > 0 && { doubts }) };
}

class Resolution {
  readonly references: Reference[] = [];
  readonly doubts: UnresolvedMemberName[] = [];
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

  /** Ties members to those they override, and the parts of a class to each other. */
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
    if (isGuess) this.doubts.push({ start, name, role });
    for (const place of places) {
      if (place.declared.kind === "class") this.#class(start, role, place, mention);
      else this.#draw(start, role === "call" && isCalled(place) ? "call" : "value", place);
    }
  }

  /** The declarations that a mention may mean. */
  meantBy(mention: Mention): readonly NamedPlace[] {
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
        if (this.#facts.language === "csharp") return sure(this.#extensions(mention));
        // What a library gives may be an object of the workspace, such as one that was sorted; its
        // name alone says too little.
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

  /** All members of a name, where the name tells enough. */
  #byName(mention: Mention): Meaning {
    const { name } = mention;
    const found = this.#membersLike(mention);
    const isGuess = name !== "" && found.length > 0;
    if (name !== "" && isCommonMember(this.#facts.language, name)) return { places: [], isGuess };
    const families = new Set(found.map((place) => this.#familyOf(place)));
    if (families.size > 0 && families.size <= maxFamilies) return { places: found, isGuess };
    this.unresolved += 1;
    return { places: [], isGuess };
  }

  /** The class highest in the hierarchy that has the member. */
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
    // C# inherits no constructors.
    if (this.#facts.language === "csharp") return type.members.get(".ctor") ?? [];
    return this.#index.membersOf(type, "__init__");
  }

  /**
   * Ties who makes a dictionary to those who take keys from it, behind the function that it is
   * given to.
   */
  dictionaries(): void {
    for (const { mention, argument, keys } of this.#facts.handOvers) {
      if (keys === undefined || keys.length === 0) continue;
      const call = this.#facts.mentions[mention]!;
      const wanted = new Set(keys);
      const seen = new Set<unknown>();
      const follow = (places: readonly NamedPlace[], given: number | string, depth: number): void => {
        for (const place of places) {
          const parameter = typeof given === "string" ? given : place.declared.parameters?.[given];
          if (parameter === undefined || seen.has(place.declared)) continue;
          seen.add(place.declared);
          const read = place.declared.keysRead?.get(parameter) ?? [];
          if (read.some((key) => wanted.has(key))) this.#draw(call.start, "shape", place);
          if (depth >= maxHandOvers) continue;
          for (const next of place.facts.handOvers) {
            if (next.from?.declared !== place.at || next.from.parameter !== parameter) continue;
            const inner = new Resolution(place.facts, this.#index);
            follow(inner.meantBy(place.facts.mentions[next.mention]!), next.argument, depth + 1);
          }
        }
      };
      follow(this.meantBy(call), argument, 1);
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

/** The declarations that a mention may mean, and whether its name alone says so. */
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
