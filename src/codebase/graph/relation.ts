/**
 * How one block depends on another, as seen from the dependent. Each has an inverse, as seen from
 * the other end.
 *
 * The first seven are the relations of CodePlan (Bairi et al. 2024, section 2.2.1); the others are
 * what TypeScript's structural types, re-exports and tests add to them.
 */
export const inverseRelations = {
  /** It is inside of it: a member and its class, a declaration and its namespace. */
  "child-of": "parent-of",
  /** The constructor of a class. */
  constructs: "constructed-by",
  /**
   * An import statement and what it names; a block and the import statement whose names it uses.
   */
  imports: "imported-by",
  /**
   * A class and its base, a class and the interface it implements, an interface and those it
   * extends.
   */
  "derives-from": "base-of",
  /** A member and the member of a base class or interface of the same name. */
  overrides: "overridden-by",
  calls: "called-by",
  instantiates: "instantiated-by",
  /** A field, a variable, an enum or its member, as a value. */
  uses: "used-by",
  /** A name in a type. */
  "uses-type": "type-used-by",
  /**
   * A value (an object, a function, attributes, a pattern) whose shape the other's type asks for,
   * without naming it.
   */
  satisfies: "satisfied-by",
  "re-exports": "re-exported-by",
  /**
   * Two declarations that make one symbol: overloads of interfaces, augmented modules. Its own
   * inverse.
   */
  "merges-with": "merges-with",
  /** A test and what it calls or names. */
  tests: "tested-by",
} as const;

/** A relation as seen from the dependent block. */
export type Relation = keyof typeof inverseRelations;

/** A relation as seen from the block that is depended on. */
export type InverseRelation = (typeof inverseRelations)[Relation];

/** One edge of the graph: `from` depends on `to`. */
export interface Dependency {
  readonly from: string;
  readonly relation: Relation;
  readonly to: string;
}
