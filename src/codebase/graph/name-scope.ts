import type { Declared, HandOver, Hint, Imported, Mention, NameFacts, Passed } from "./name-facts.ts";

/**
 * The names that are known inside of a function, with what is known of their values. Inner scopes
 * see those around them.
 */
export class NameScope {
  readonly #names = new Map<string, Hint>();
  readonly #around: NameScope | undefined;
  /** The index of the function that it is the scope of, among those declared. */
  readonly declared: number | undefined;

  constructor(around?: NameScope, declared?: number) {
    this.#around = around;
    this.declared = declared ?? around?.declared;
  }

  /** Makes a name known. What was known of it first stays, unless that was nothing. */
  add(name: string, hint: Hint): void {
    const known = this.#names.get(name);
    if (known === undefined || known.kind === "unknown" || known.kind === "plain") this.#names.set(name, hint);
  }

  /** Forgets a name, as `global` does: it means what is declared outside. */
  remove(name: string): void {
    this.#names.delete(name);
  }

  hint(name: string): Hint | undefined {
    return this.#names.get(name) ?? this.#around?.hint(name);
  }
}

/** The place of code: what its names may mean, and whose member it is. */
export interface NamePlace {
  /** Absent outside of functions. */
  readonly scope?: NameScope;
  /** The index of the class around it. */
  readonly within?: number;
}

/** Collects the facts of a file while its tree is read. */
export class FactsDraft {
  readonly declared: Declared[] = [];
  readonly imports: Imported[] = [];
  readonly mentions: Mention[] = [];
  readonly handOvers: HandOver[] = [];

  declare(declared: Declared): number {
    return this.declared.push(declared) - 1;
  }

  /** Changes a declaration once more is known of it. */
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
