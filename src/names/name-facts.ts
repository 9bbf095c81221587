/**
 * The declarations, imports and mentions of a file, by name alone. Depends on the text of the file
 * only, so it stays valid when other files change. `NameIndex` and `resolveNames` resolve the names
 * with the facts of all files.
 */
export interface NameFacts {
  readonly path: string;
  readonly language: string;
  readonly declared: readonly Declared[];
  readonly imports: readonly Imported[];
  readonly mentions: readonly Mention[];
  /** Calls that pass dictionaries. */
  readonly dictionaryCalls: readonly DictionaryCall[];
}

/** A declaration that other code can refer to. */
export interface Declared {
  readonly kind: "class" | "function" | "method" | "constructor" | "field" | "variable";
  readonly name: string;
  /** Offset of the name, in UTF-16 units. */
  readonly start: number;
  /** Index, in the file's declarations, of the class that it is a member of. */
  readonly owner?: number;
  /** The namespace of a class, in languages that have namespaces. */
  readonly namespace?: string;
  /** The base classes and interfaces. */
  readonly bases?: readonly Hint[];
  /** Whether other files may declare further parts of the class. */
  readonly isPartial?: boolean;
  /** The number of arguments that it accepts, without the receiver. */
  readonly takes?: Arity;
  /** The parameter names in order, without the receiver. */
  readonly parameters?: readonly string[];
  /** The value of a variable or field, or the result of a call. */
  readonly value?: Hint;
  /** Whether it can be called as a member of its first argument. */
  readonly isExtension?: boolean;
  /**
   * For a function: the literal keys that it reads from dictionary parameters, by parameter name.
   */
  readonly keysRead?: ReadonlyMap<string, readonly string[]>;
}

/**
 * The accepted number of arguments: `min` to `max`. `max` is infinite if there is no upper limit.
 */
export interface Arity {
  readonly min: number;
  readonly max: number;
}

/** The arguments of a call. */
export interface Passed {
  readonly count: number;
  /** Whether the call may have further arguments that can't be counted, as with `*args`. */
  readonly isOpen: boolean;
}

/** A name that an import statement makes available. */
export interface Imported {
  /** The local name; empty if all names of the module are imported. */
  readonly local: string;
  /** The module or namespace as written, dots included. */
  readonly module: string;
  /** The imported name; absent if the module itself is imported. */
  readonly name?: string;
  /** The offset of the name. */
  readonly start: number;
}

/** A use of a name that is declared elsewhere. */
export interface Mention {
  readonly start: number;
  readonly name: string;
  readonly role: "call" | "type" | "value" | "extend";
  /** The object that it is a member of; absent for an unqualified name. */
  readonly of?: Hint;
  /** The index of the class around it. */
  readonly within?: number;
  /** The arguments, if it is called. */
  readonly passed?: Passed;
}

/**
 * A call with a dictionary as argument: one with literal keys, or a parameter of the enclosing
 * function.
 */
export interface DictionaryCall {
  /** Index of the mention that is called. */
  readonly mention: number;
  readonly argument: number | string;
  readonly keys?: readonly string[];
  /** The enclosing function, and the parameter of it that is passed on. */
  readonly from?: { readonly declared: number; readonly parameter: string };
}

/** What the file itself shows about a value. */
export type Hint =
  /** The object or class that contains the code. */
  | { readonly kind: "self" }
  | { readonly kind: "super" }
  /** The value of an unqualified name. */
  | { readonly kind: "name"; readonly name: string }
  /** A value of the named type; `of` holds the type arguments. */
  | { readonly kind: "typed"; readonly type: string; readonly of: readonly Hint[] }
  | { readonly kind: "member"; readonly of: Hint; readonly name: string }
  /** The result of calling `of`. */
  | { readonly kind: "called"; readonly of: Hint }
  /** An element of the collection `of`. */
  | { readonly kind: "element"; readonly of: Hint }
  /** A literal, or a value that isn't visible outside. */
  | { readonly kind: "plain" }
  | { readonly kind: "unknown" };

export const unknown: Hint = { kind: "unknown" };
export const plain: Hint = { kind: "plain" };

/**
 * Whether a call with these arguments can match a declaration of this arity; true if one of them is
 * unknown.
 */
export function fits(takes: Arity | undefined, passed: Passed | undefined): boolean {
  if (takes === undefined || passed === undefined) return true;
  return passed.count <= takes.max && (passed.isOpen || passed.count >= takes.min);
}

/**
 * The local names of a function and what is known of their values. Inner scopes see the names of
 * outer ones.
 */
export class FactScope {
  readonly #names = new Map<string, Hint>();
  readonly #around: FactScope | undefined;
  /** The index of the function among the file's declarations. */
  readonly declared: number | undefined;

  constructor(around?: FactScope, declared?: number) {
    this.#around = around;
    this.declared = declared ?? around?.declared;
  }

  /** Adds a name. Of several hints, the first that is neither `plain` nor `unknown` is kept. */
  add(name: string, hint: Hint): void {
    const known = this.#names.get(name);
    if (known === undefined || known.kind === "unknown" || known.kind === "plain") this.#names.set(name, hint);
  }

  /** Removes a name, as Python's `global` does: it then refers to an outer declaration. */
  remove(name: string): void {
    this.#names.delete(name);
  }

  /**
   * What is known of a name here or in the nearest outer scope that has it; `undefined` if none
   * does.
   */
  hint(name: string): Hint | undefined {
    return this.#names.get(name) ?? this.#around?.hint(name);
  }
}

/** The scope and class around a piece of code. */
export interface NamePlace {
  /** Absent outside of functions. */
  readonly scope?: FactScope;
  /** The index of the enclosing class. */
  readonly within?: number;
}

/** Collects the facts of a file while its tree is visited. */
export class FactsDraft {
  readonly declared: Declared[] = [];
  readonly imports: Imported[] = [];
  readonly mentions: Mention[] = [];
  readonly dictionaryCalls: DictionaryCall[] = [];

  /** Adds a declaration and returns its index. */
  declare(declared: Declared): number {
    return this.declared.push(declared) - 1;
  }

  /** Adds to the declaration at `index` what is found out later. */
  amend(index: number, more: Partial<Declared>): void {
    this.declared[index] = { ...this.declared[index]!, ...more };
  }

  /** Adds a mention, with the class around it, and returns its index. */
  mention(
    { within }: NamePlace,
    parts: { readonly start: number; readonly name: string; readonly role: Mention["role"] },
    more: { readonly of?: Hint; readonly passed?: Passed } = {},
  ): number {
    return this.mentions.push({ ...parts, ...more, ...(within !== undefined && { within }) }) - 1;
  }

  /** The facts collected so far; their lists are not copied. */
  facts(path: string, language: string): NameFacts {
    const { declared, imports, mentions, dictionaryCalls } = this;
    return { path, language, declared, imports, mentions, dictionaryCalls };
  }
}
