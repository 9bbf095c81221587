import type { TextRange } from "../../text/index.ts";

/**
 * The kind of a block. `class` and `namespace` cover the header alone, because their members are
 * blocks of their own. A variable that holds a function is a `function`. A `test` is the header of
 * a test group, or one whole test. A `statement` is anything else at a place where declarations are
 * allowed. Overloads form one block. An interface is one block in scripts, and a header in other
 * languages.
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
 * A unit of change: the target of one edit of a plan, and a node of the dependency graph. Plain
 * data.
 */
export interface CodeBlock {
  /** The file, relative to the workspace's root, with `/`. */
  readonly path: string;
  readonly kind: CodeBlockKind;
  /**
   * The name, qualified by the names of the blocks around it, such as `Complex.add`, `Complex.get
   * norm` or `describe("sums") > it("adds")`. Unique in the file among blocks of the same kind: the
   * second one is `name#2`.
   */
  readonly name: string;
  /** The name by which other code refers to it; empty if no code can. */
  readonly simpleName: string;
  /**
   * Where the simple name first occurs; absent if the block has no name, or if the name isn't
   * written, as for `default`.
   */
  readonly nameRange?: TextRange;
  /**
   * The whole block, including its members and the comments, decorators and attributes above it.
   * UTF-16, half-open.
   */
  readonly range: TextRange;
  /**
   * The part that doesn't belong to a member: the header of a class, the whole of most other
   * blocks. It starts at the first decorator, modifier or keyword. Law: the own ranges of a file's
   * blocks are disjoint, except for fields that Python methods create by `self.x = …`, which lie
   * within the method.
   */
  readonly ownRange: TextRange;
  /**
   * The parts that are visible to other code: everything but bodies and the values of typed
   * constants. Within `own`.
   */
  readonly signature: readonly TextRange[];
  /** The named parts of the signature, in text order; absent if it has none. */
  readonly parts?: readonly BlockPart[];
  /**
   * Whether the visible type depends on the body too: a function without a return type, or such a
   * constructor.
   */
  readonly infersType?: true;
  /** Whether code in other files can refer to it. */
  readonly isExported: boolean;
  /** The `name` of the class, interface, namespace or test group around it. */
  readonly owner?: string;
}

/** A named part of a signature: something that other code names, passes or has to provide. */
export interface BlockPart {
  /**
   * `member` includes members of enums and of types, and keys of an object that a constant holds.
   * `imported` includes names in an export list.
   */
  readonly kind: "parameter" | "member" | "imported";
  /** The name without quotes. A destructured parameter has one part for each name. */
  readonly name: string;
  /** The whole part, including its type and default value. UTF-16, half-open. */
  readonly range: TextRange;
}

/**
 * Identifies a block in its workspace: `src/complex.ts|method:Complex.add`. Doesn't change when
 * other blocks change.
 */
export type BlockId = string;

/** The id of a block in its workspace: `src/complex.ts|method:Complex.add`. */
export function blockId({ path, kind, name }: Pick<CodeBlock, "path" | "kind" | "name">): BlockId {
  return `${path}|${kind}:${name}`;
}

/** The path in a block's id. */
export function pathOfBlockId(id: BlockId): string {
  return id.slice(0, id.indexOf("|"));
}

/** Formats a block for people: `method Complex.add in src/complex.ts`. */
export function printCodeBlock({ path, kind, name }: Pick<CodeBlock, "path" | "kind" | "name">): string {
  return `${kind} ${name} in ${path}`;
}

/**
 * Makes the names of a file's blocks unique: the second block with the same kind and name is
 * `name#2`, the third `name#3`.
 */
export class BlockNames {
  readonly #counts = new Map<string, number>();

  /** Returns the unique name for the next block called `name`. */
  next(kind: CodeBlockKind, name: string): string {
    const key = `${kind}:${name}`;
    const count = (this.#counts.get(key) ?? 0) + 1;
    this.#counts.set(key, count);
    return count === 1 ? name : `${name}#${count}`;
  }
}

/** Removes the `#2` that makes a block's name unique. */
export function baseName(name: string): string {
  return name.replace(/#\d+$/, "");
}

/**
 * The name of a statement block: the first 48 characters of its text, in backticks, with each run
 * of whitespace as one space.
 */
export function statementName(text: string): string {
  return `\`${text.replace(/\s+/g, " ").slice(0, 48)}\``;
}
