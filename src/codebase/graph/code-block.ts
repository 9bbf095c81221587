import type { TextRange } from "../../text/range.ts";

/**
 * What a block is. `class` and `namespace` mean the header alone: their members are blocks of their
 * own. A function also is a variable that holds one; a `test` is the header of a group of tests or
 * one whole test; `statement` is anything else where declarations stand. Overloads are one block.
 * An interface is all of it in scripts, and a header in other languages.
 */
export type CodeBlockKind =
  | "import"
  | "export"
  | "function"
  | "class"
  | "constructor"
  | "method"
  | "accessor"
  | "field"
  | "interface"
  | "type"
  | "enum"
  | "variable"
  | "namespace"
  | "test"
  | "statement";

/**
 * A unit of change: what one edit of a plan is about, and a node of the dependency graph. Plain
 * data.
 */
export interface CodeBlock {
  /** The file, from the workspace's root, with `/`. */
  readonly path: string;
  readonly kind: CodeBlockKind;
  /**
   * Its name with those around it, such as `Complex.add`, `Complex.get norm` or
   * `describe("sums") > it("adds")`. Unique in the file among blocks of its kind: a second one of
   * the same name is `name#2`.
   */
  readonly name: string;
  /** What other code calls it; empty where nothing can. */
  readonly simpleName: string;
  /**
   * Where its simple name is first; absent where it has none, or where it is nowhere, as `default`.
   */
  readonly nameRange?: TextRange;
  /**
   * All of it, its members included; comments, decorators and attributes above it belong to it.
   * UTF-16, half-open.
   */
  readonly range: TextRange;
  /**
   * What it does not leave to its members: the header of a class, the whole of most others. From
   * its first decorator, modifier or keyword on. Law: the own ranges of a file's blocks are
   * disjoint, but for fields that methods of Python make by `self.x = …`, which lie in their
   * method.
   */
  readonly own: TextRange;
  /**
   * The parts that others can see: all but the bodies, and the values of constants that have a
   * type. Within `own`.
   */
  readonly signature: readonly TextRange[];
  /**
   * What its signature is made of, as far as that has names, in the order of the text; absent where
   * it has none.
   */
  readonly parts?: readonly BlockPart[];
  /**
   * Whether what others see of it comes from its body too: a function without a return type, such a
   * constructor.
   */
  readonly infersType?: true;
  /** Whether code of other files can name it. */
  readonly isExported: boolean;
  /** The `name` of the class, interface, namespace or group of tests that it is in. */
  readonly owner?: string;
}

/** A named part of a signature: something that code elsewhere names, passes or must provide. */
export interface BlockPart {
  /**
   * A member also is an enum's, a type's, or a key of an object that a constant holds; `imported`
   * is also what is exported.
   */
  readonly kind: "parameter" | "member" | "imported";
  /**
   * Its name, without quotes; of a parameter that is taken apart, each name that is taken from it.
   */
  readonly name: string;
  /** All of the part, its type and default included. UTF-16, half-open. */
  readonly range: TextRange;
}

/**
 * What identifies a block in its workspace: `src/complex.ts|method:Complex.add`. Stable while
 * others around it change.
 */
export type BlockId = string;

/** The id of a block. */
export function blockId({ path, kind, name }: Pick<CodeBlock, "path" | "kind" | "name">): BlockId {
  return `${path}|${kind}:${name}`;
}

/** The file of a block, by its id. */
export function pathOfBlockId(id: BlockId): string {
  return id.slice(0, id.indexOf("|"));
}

/** Prints a block as people read it: `method Complex.add in src/complex.ts`. */
export function printCodeBlock({ path, kind, name }: Pick<CodeBlock, "path" | "kind" | "name">): string {
  return `${kind} ${name} in ${path}`;
}
