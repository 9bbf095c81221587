/**
 * The relations of a dependent to the block that it depends on. Each has an inverse, as seen from
 * that block.
 *
 * The first seven are the relations of CodePlan (Bairi et al. 2024, section 2.2.1). The others
 * cover TypeScript's structural types, re-exports and tests.
 */
export const inverseRelations = {
  /** A member and its class; a declaration and its namespace. */
  "child-of": "parent-of",
  /** A call of a class's constructor. */
  constructs: "constructed-by",
  /**
   * An import statement and what it names; a block and the import statement whose names it uses.
   */
  imports: "imported-by",
  /** A class and its base class or interface; an interface and those that it extends. */
  "derives-from": "base-of",
  /** A member and the member of the same name in a base class or interface. */
  overrides: "overridden-by",
  calls: "called-by",
  instantiates: "instantiated-by",
  /** A field, variable, enum or enum member, used as a value. */
  uses: "used-by",
  /** A name in a type. */
  "uses-type": "type-used-by",
  /**
   * A value (an object, a function, attributes, a pattern) that must match the other block's type
   * without naming it.
   */
  satisfies: "satisfied-by",
  "re-exports": "re-exported-by",
  /**
   * Two declarations that form one symbol: overloads of interfaces, augmented modules. Its own
   * inverse.
   */
  "merges-with": "merges-with",
  /** A test and what it calls or names. */
  tests: "tested-by",
} as const;

/** A relation as seen from the dependent. */
export type Relation = keyof typeof inverseRelations;

/** A relation as seen from the block that is depended on. */
export type InverseRelation = (typeof inverseRelations)[Relation];

/** An edge of the graph: `from` depends on `to`. */
export interface Dependency {
  readonly from: string;
  readonly relation: Relation;
  readonly to: string;
}
