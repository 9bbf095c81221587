import type { Declared, HandOver, Hint, Imported, Mention, NameFacts, Passed } from "./name-facts.ts";

/**
 * The local names of a function and what is known of their values. Inner scopes see the names of
 * outer ones.
 */
export class NameScope {
  readonly #names = new Map<string, Hint>();
  readonly #around: NameScope | undefined;
  /** The index of the function among the file's declarations. */
  readonly declared: number | undefined;

  constructor(around?: NameScope, declared?: number) {
    this.#around = around;
    this.declared = declared ?? around?.declared;
  }

  /** Adds a name. The first hint that isn't `plain` is kept. */
  add(name: string, hint: Hint): void {
    const known = this.#names.get(name);
    if (known === undefined || known.kind === "unknown" || known.kind === "plain") this.#names.set(name, hint);
  }

  /** Removes a name, as Python's `global` does: it then refers to an outer declaration. */
  remove(name: string): void {
    this.#names.delete(name);
  }

  hint(name: string): Hint | undefined {
    return this.#names.get(name) ?? this.#around?.hint(name);
  }
}

/** The scope and class around a piece of code. */
export interface NamePlace {
  /** Absent outside of functions. */
  readonly scope?: NameScope;
  /** The index of the enclosing class. */
  readonly within?: number;
}

/** Collects the facts of a file while its tree is visited. */
export class FactsDraft {
  readonly declared: Declared[] = [];
  readonly imports: Imported[] = [];
  readonly mentions: Mention[] = [];
  readonly handOvers: HandOver[] = [];

  declare(declared: Declared): number {
    return this.declared.push(declared) - 1;
  }

  /** Adds to a declaration what is found out later. */
  amend(index: number, more: Partial<Declared>): void {
    this.declared[index] = { ...this.declared[index]!, ...more };
  }

  mention(
    { within }: NamePlace,
    parts: { readonly start: number; readonly name: string; readonly role: Mention["role"] },
    more: { readonly of?: Hint; readonly passed?: Passed } = {},
  ): number {
    return this.mentions.push({ ...parts, ...more, ...(within !== undefined && { within }) }) - 1;
  }

  facts(path: string, language: string): NameFacts {
    const { declared, imports, mentions, handOvers } = this;
    return { path, language, declared, imports, mentions, handOvers };
  }
}
