/**
 * Where the trees of a language have names. Positions are written `node.field`, or `node` for all
 * children of such a node that have no field of their own.
 *
 * Names are those of the official tree-sitter grammars.
 */
export interface TreeNameRules {
  /** Nodes that are scopes of their declarations. */
  readonly scopes: ReadonlySet<string>;
  /**
   * The scopes that are functions: members of owners end with them, and parameters belong to them.
   */
  readonly functions: ReadonlySet<string>;
  /** Nodes that have members: classes and the like. */
  readonly owners: ReadonlySet<string>;
  /** Declarations in the innermost scope: an identifier, or all identifiers of a pattern. */
  readonly declares: ReadonlySet<string>;
  /** Declarations in the scope around the node that they name. */
  readonly declaresAround: ReadonlySet<string>;
  /** Declarations of members, directly inside an owner. */
  readonly memberDeclares: ReadonlySet<string>;
  /** Whether members can be used by their bare names inside their owner. */
  readonly bindsMembers: boolean;
  readonly members: ReadonlySet<string>;
  readonly keys: ReadonlySet<string>;
  readonly imports: ReadonlySet<string>;
  /** Identifiers without a meaning for renames: labels, and the parts of a package's path. */
  readonly ignored: ReadonlySet<string>;
  /** The fields of a member access that have the object, or the package. */
  readonly receivers: ReadonlySet<string>;
  /** The names of the current object. */
  readonly self: ReadonlySet<string>;
  /** The variable whose strings list a module's exports; empty where the language has none. */
  readonly exportList: string;
  /** Whether a capitalized name in a pattern is compared with and not declared. */
  readonly comparesCapitals: boolean;
}

/** The rules as written: lists are separated by spaces, and missing ones are empty. */
export type TreeNameRow = {
  readonly [K in keyof TreeNameRules]?: TreeNameRules[K] extends ReadonlySet<string> ? string : TreeNameRules[K];
};
