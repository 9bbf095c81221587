/**
 * What a file says by names alone: what it declares, imports and mentions. It is read from the
 * file's text and nothing else, so it stays true whatever happens to other files; what the names
 * mean is found out later, from the facts of all files.
 */
export interface NameFacts {
  readonly path: string;
  readonly language: string;
  readonly declared: readonly Declared[];
  readonly imports: readonly Imported[];
  readonly mentions: readonly Mention[];
  /** Calls that pass on dictionaries. */
  readonly handOvers: readonly HandOver[];
}

/** A declaration that other code can name. */
export interface Declared {
  readonly kind: "class" | "function" | "method" | "constructor" | "field" | "variable";
  readonly name: string;
  /** The place of its name. UTF-16. */
  readonly start: number;
  /** The index of the class it is a member of, among those declared. */
  readonly owner?: number;
  /** The namespace of a class, where the language has some. */
  readonly namespace?: string;
  /** What a class derives from. */
  readonly bases?: readonly Hint[];
  /** Whether other files may declare more of the class. */
  readonly isPartial?: boolean;
  /** What it can be called with, the receiver left out. */
  readonly takes?: Arity;
  /** The names of its parameters in their order, the receiver left out. */
  readonly parameters?: readonly string[];
  /** What the value of a variable or field is, or what a call of it gives. */
  readonly value?: Hint;
  /** Whether it can be called as a member of its first argument. */
  readonly isExtension?: boolean;
  /**
   * Of a function: the literal keys that it takes from dictionaries it is given, by the names of
   * the parameters.
   */
  readonly keysRead?: ReadonlyMap<string, readonly string[]>;
}

/**
 * How many arguments a call may have: from `min` to `max`, which is infinite where there is no end.
 */
export interface Arity {
  readonly min: number;
  readonly max: number;
}

/** The arguments of a call. */
export interface Passed {
  readonly count: number;
  /** Whether there are more of them than can be counted, as behind `*args`. */
  readonly isOpen: boolean;
}

/** What an import statement brings. */
export interface Imported {
  /** What it is called in this file; empty where all names of the module come. */
  readonly local: string;
  /** The module or namespace as it is written, with its dots. */
  readonly module: string;
  /** What is taken from the module; absent where it is the module itself. */
  readonly name?: string;
  /** The place of it. */
  readonly start: number;
}

/** A place where a name stands for something that is declared elsewhere. */
export interface Mention {
  readonly start: number;
  readonly name: string;
  readonly role: "call" | "type" | "value" | "extend";
  /** What it is a member of; absent where it is alone. */
  readonly of?: Hint;
  /** The index of the class around it. */
  readonly within?: number;
  /** Of a call. */
  readonly passed?: Passed;
}

/**
 * A call to which a dictionary is given: one with literal keys, or a parameter of the function
 * around it.
 */
export interface HandOver {
  /** Which mention of the file is called. */
  readonly mention: number;
  readonly argument: number | string;
  readonly keys?: readonly string[];
  /** The function around it, and its parameter that is passed on. */
  readonly from?: { readonly declared: number; readonly parameter: string };
}

/** What is known of a value without looking beyond its file. */
export type Hint =
  /** The object, or the class, that the code is in. */
  | { readonly kind: "self" }
  | { readonly kind: "super" }
  /** Whatever the name means where it is alone. */
  | { readonly kind: "name"; readonly name: string }
  /** A value of the named type; `of` are its type arguments. */
  | { readonly kind: "typed"; readonly type: string; readonly of: readonly Hint[] }
  | { readonly kind: "member"; readonly of: Hint; readonly name: string }
  /** What a call of it gives. */
  | { readonly kind: "called"; readonly of: Hint }
  /** One of what it holds. */
  | { readonly kind: "element"; readonly of: Hint }
  /** A literal, or something that is not visible outside. */
  | { readonly kind: "plain" }
  | { readonly kind: "unknown" };

export const unknown: Hint = { kind: "unknown" };
export const plain: Hint = { kind: "plain" };

/** Whether a call with these arguments may be meant for something that takes so many. */
export function fits(takes: Arity | undefined, passed: Passed | undefined): boolean {
  if (takes === undefined || passed === undefined) return true;
  return passed.count <= takes.max && (passed.isOpen || passed.count >= takes.min);
}
