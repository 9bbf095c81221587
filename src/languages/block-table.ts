/**
 * The construct that a block is, in one vocabulary for all languages.
 *
 * A class is also a struct, a record or a union; an interface also a trait; an implementation is
 * Rust's `impl`; a namespace also a package or a module; a case belongs to an enumeration (then it
 * is a member) or to a switch; an element is HTML's, a rule CSS's.
 */
export type BlockWhat =
  | "function"
  | "class"
  | "interface"
  | "implementation"
  | "enum"
  | "type"
  | "namespace"
  | "variable"
  | "import"
  | "export"
  | "macro"
  | "test"
  | "element"
  | "rule"
  | "method"
  | "constructor"
  | "field"
  | "property"
  | "case"
  | "expression"
  | "if"
  | "loop"
  | "switch"
  | "try"
  | "return"
  | "throw"
  | "jump"
  | "block"
  | "other";

/**
 * A path from a node to one below it, as steps separated by spaces: `name` is the child in that
 * field, `:type` the first child of that type, `field:type` the child in that field if it has that
 * type, `field*` follows that field as often as possible, `field*:type` follows that field to the
 * first node of that type, `*` is the first named child. `.` is the node itself.
 */
export type NodePath = string;

/** How one type of node becomes a block. */
export interface BlockRow {
  readonly what: BlockWhat;
  /**
   * Paths to its name; the first that matches counts. Default: `name`; `^` is all text before the
   * body.
   */
  readonly name?: readonly NodePath[];
  /** Paths to its body. Default: `body`. */
  readonly body?: readonly NodePath[];
  /** The nodes right before and right after its body, where the body is no node itself. */
  readonly between?: readonly [NodePath, NodePath];
  /** Another kind applies if its path matches. */
  readonly whatIf?: readonly (readonly [NodePath, BlockWhat])[];
  /** The node is no block unless one of these paths matches. */
  readonly when?: readonly NodePath[];
  /** Only below a node of one of these types. */
  readonly in?: readonly string[];
  /**
   * Paths to the wrapped node, if it is the only one of its type. The block takes name and body
   * from it where it has none of its own.
   */
  readonly wraps?: readonly NodePath[];
  /** For a call: the kind depends on the name of the called function. */
  readonly calls?: CallTable;
}

/** Kinds of calls by the name of the called function. */
export interface CallTable {
  readonly callee: readonly NodePath[];
  readonly names: Readonly<Record<string, BlockWhat>>;
  readonly name: readonly NodePath[];
  readonly body: readonly NodePath[];
}

/** How a grammar's nodes become blocks: data, one row for each type of node. */
export interface BlockTable {
  /** Nodes that are blocks in any parent. A string is a row with that `what`. */
  readonly anywhere: Readonly<Record<string, BlockWhat | BlockRow>>;
  /** Nodes that are blocks only as statements: right below one of `statementsIn`, or wrapped. */
  readonly statements?: Readonly<Record<string, BlockWhat | BlockRow>>;
  readonly statementsIn?: readonly string[];
  /** The kind of any other node in the place of a statement; by default it is no block. */
  readonly fallback?: BlockWhat;
  /** Nodes that belong to the block after them. */
  readonly leading?: readonly string[];
  /** Names of functions that are constructors inside a class; there its own name counts too. */
  readonly constructors?: readonly string[];
}
