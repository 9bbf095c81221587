import type { AtomicChange, ChangeLabel } from "../changes/atomic-change.ts";
import { type InverseRelation, inverseRelations, type Relation } from "../graph/dependency-graph.ts";

/**
 * An entry of the table as written: the graph, the block that the relation starts at, the relation,
 * and whether it applies only within the file, or only to functions that are called with other
 * arguments than before. `D called-by` is the paper's Rel(D, M, CalledBy), the callers of the block
 * in the graph before the change; `D' owner base-of` is Rel(D′, C, BaseClassOf) for the class C of
 * the block.
 */
type ImpactEntry = `${"D" | "D'"}${"" | " owner"} ${Relation | InverseRelation}${"" | " in its file" | " otherwise"}`;

/** A row of the table. */
interface ImpactRule {
  /** The meaning of the label, in the paper's words where it has some. */
  readonly change: string;
  /** How the dependency graph is updated. */
  readonly recompute: string;
  /** The blocks that the change may affect by the paper; none where it has Nil. */
  readonly affects: readonly ImpactEntry[];
  /**
   * Further blocks that it may affect, by structural types, modules, merged declarations and tests,
   * which the paper leaves out.
   */
  readonly alsoAffects: readonly ImpactEntry[];
  /** The row applies only to changes that are visible outside of the block. */
  readonly onlyIf?: "escapes";
}

/** A parsed entry: the relation to follow, in which graph, from which block. */
export interface ImpactStep {
  readonly graph: "before" | "after";
  readonly from: "block" | "owner";
  readonly relation: Relation | InverseRelation;
  readonly isInFile: boolean;
  /** Only to the functions that the change calls with other arguments than before. */
  readonly isPassedOther: boolean;
}

/** All relations of blocks that refer to a block by name. */
const named = [
  "D called-by",
  "D used-by",
  "D type-used-by",
  "D instantiated-by",
  "D base-of",
  "D imported-by",
  "D re-exported-by",
  "D tested-by",
  "D merges-with",
] as const satisfies readonly ImpactEntry[];

const family = ["D owner base-of", "D owner derives-from"] as const satisfies readonly ImpactEntry[];

/**
 * The blocks that each atomic change may affect.
 *
 * D is the dependency graph before the change, D' the one after it. A block may be affected if it
 * is reached by one of the entries of a change's row; a block that is affected and then changed
 * itself has a row of its own. Source: CodePlan (Bairi et al. 2024), Table 1; the rows of types,
 * enums, variables, exports, statements, RENAME and MOVE are ours.
 */
export const impactRules: Readonly<Record<ChangeLabel, ImpactRule>> = {
  // Modification changes
  MMB: {
    change: "Body of method M",
    recompute: "Recompute the edges incident on the statements in the method body.",
    onlyIf: "escapes",
    affects: ["D called-by"],
    // An accessor is used, a function may be passed as a value, and its type may be inferred from
    // what it returns. A function that is called with other arguments may have to accept them, and
    // the code that creates the dictionaries it reads, to fill them.
    alsoAffects: ["D used-by", "D tested-by", "D' calls otherwise", "D' instantiates otherwise", "D satisfied-by"],
  },
  MMS: {
    change: "Signature of method M",
    recompute: "Recompute the edges incident on the method.",
    affects: ["D called-by", "D overrides", "D overridden-by", "D' overrides", "D' overridden-by"],
    alsoAffects: [
      ...(["D used-by", "D type-used-by", "D tested-by", "D merges-with"] as const),
      // The types that it satisfies, and what satisfies its class.
      ...(["D satisfies", "D' satisfies", "D satisfied-by", "D owner satisfied-by"] as const),
    ],
  },
  MF: {
    change: "Field F in class C",
    recompute: "Recompute the edges incident on the field.",
    affects: ["D used-by", "D owner constructed-by", ...family],
    alsoAffects: [
      ...(["D called-by", "D type-used-by", "D tested-by", "D overrides", "D overridden-by"] as const),
      ...(["D satisfies", "D satisfied-by", "D owner satisfied-by"] as const),
    ],
  },
  MC: {
    change: "Declaration of class C",
    recompute: "Recompute the edges incident on the class.",
    affects: ["D instantiated-by", "D base-of", "D derives-from", "D' base-of", "D' derives-from"],
    alsoAffects: ["D type-used-by", "D used-by", "D satisfied-by", "D tested-by", "D merges-with"],
  },
  MCC: {
    change: "Signature of constructor of class C",
    recompute: "No change.",
    affects: ["D owner instantiated-by", ...family],
    alsoAffects: ["D instantiated-by", "D called-by", "D tested-by", "D owner tested-by"],
  },
  MI: {
    change: "Import/Using statement I",
    recompute: "Recompute the edges incident on the import statement.",
    affects: ["D imported-by"],
    alsoAffects: ["D re-exported-by"],
  },
  MX: {
    change: "Export statement X",
    recompute: "Recompute the edges incident on the export statement, and those of the imports that come by it.",
    affects: [],
    alsoAffects: ["D imported-by", "D re-exported-by", "D used-by", "D called-by", "D type-used-by"],
  },
  MT: {
    change: "Interface or type T",
    recompute: "Recompute the edges incident on the type, and those of all whose types are inferred through it.",
    affects: [],
    alsoAffects: [
      ...(["D type-used-by", "D satisfied-by", "D used-by", "D called-by", "D tested-by", "D merges-with"] as const),
      ...(["D base-of", "D derives-from", "D' derives-from", "D overridden-by"] as const),
    ],
  },
  ME: {
    change: "Enum E",
    recompute: "Recompute the edges incident on the enum.",
    affects: [],
    alsoAffects: ["D used-by", "D type-used-by", "D satisfied-by", "D tested-by", "D merges-with"],
  },
  MV: {
    change: "Variable V",
    recompute: "Recompute the edges incident on the variable.",
    affects: [],
    alsoAffects: [
      ...(["D used-by", "D called-by", "D type-used-by", "D instantiated-by", "D base-of", "D tested-by"] as const),
      ...(["D satisfies", "D' satisfies", "D satisfied-by"] as const),
    ],
  },
  MS: {
    change: "Statement or test S, or the header of a namespace",
    recompute: "Recompute the edges incident on the statement.",
    affects: [],
    alsoAffects: ["D merges-with"],
  },

  // Addition changes
  AM: {
    change: "Method M in class C",
    recompute:
      "Add new node and edges by analyzing the method. If C.M overrides a base class method B.M then redirect the calls/called-by " +
      "edges from B.M to C.M if the receiver object is of type C.",
    affects: [...family, "D' called-by"],
    alsoAffects: ["D' overrides", "D' overridden-by", "D owner satisfied-by", "D' merges-with"],
  },
  AF: {
    change: "Field F in class C",
    recompute: "Add new node and edges by analyzing the field declaration.",
    affects: ["D owner constructed-by", ...family],
    alsoAffects: ["D' overrides", "D' overridden-by", "D owner satisfied-by"],
  },
  AC: {
    change: "Declaration of class C",
    recompute: "Add new node and edges by analyzing the class declaration.",
    affects: [],
    alsoAffects: ["D' merges-with"],
  },
  ACC: {
    change: "Constructor of class C",
    recompute: "Add new node and edges by analyzing the constructor.",
    affects: ["D owner instantiated-by", ...family],
    alsoAffects: ["D owner tested-by"],
  },
  AI: {
    change: "Import/Using statement I",
    recompute: "Add new node and edges by analyzing the import statement.",
    affects: [],
    alsoAffects: [],
  },
  AX: {
    change: "Export statement X, or what is exported now",
    recompute: "Add new node and edges by analyzing the export statement.",
    affects: [],
    alsoAffects: [],
  },
  AT: {
    change: "Interface or type T",
    recompute: "Add new node and edges by analyzing the type.",
    affects: [],
    alsoAffects: ["D' merges-with"],
  },
  AE: {
    change: "Enum E",
    recompute: "Add new node and edges by analyzing the enum.",
    affects: [],
    alsoAffects: ["D' merges-with"],
  },
  AV: {
    change: "Variable V",
    recompute: "Add new node and edges by analyzing the variable.",
    affects: [],
    alsoAffects: [],
  },
  AS: {
    change: "Statement or test S, or the header of a namespace",
    recompute: "Add new node and edges by analyzing the statement.",
    affects: [],
    alsoAffects: ["D' merges-with"],
  },

  // Deletion changes
  DM: {
    change: "Method M in class C",
    recompute:
      "Remove the node for M and edges incident on M. If C.M overrides a base class method B.M then redirect the calls/called-by " +
      "edges from C.M to B.M if the receiver object is of type C.",
    affects: ["D called-by", "D overrides", "D overridden-by"],
    alsoAffects: [
      ...([
        "D used-by",
        "D type-used-by",
        "D imported-by",
        "D re-exported-by",
        "D tested-by",
        "D merges-with",
      ] as const),
      "D owner satisfied-by",
    ],
  },
  DF: {
    change: "Field F in class C",
    recompute: "Remove the node of the field and edges incident on it.",
    affects: ["D used-by", "D owner constructed-by", ...family],
    alsoAffects: [
      "D called-by",
      "D type-used-by",
      "D tested-by",
      "D overrides",
      "D overridden-by",
      "D owner satisfied-by",
    ],
  },
  DC: {
    change: "Declaration of class C",
    recompute: "Remove the node of the class and edges incident on it.",
    affects: ["D instantiated-by", "D base-of", "D derives-from"],
    alsoAffects: [
      ...([
        "D type-used-by",
        "D used-by",
        "D imported-by",
        "D re-exported-by",
        "D satisfied-by",
        "D tested-by",
      ] as const),
      "D merges-with",
    ],
  },
  DCC: {
    change: "Constructor of class C",
    recompute: "Remove the edges incident on the class due to object instantiations using the constructor.",
    affects: ["D owner instantiated-by", ...family],
    alsoAffects: ["D instantiated-by", "D called-by", "D tested-by", "D owner tested-by"],
  },
  DI: {
    change: "Import/Using statement I",
    recompute: "Remove the node of the import statement and edges incident on it.",
    affects: ["D imported-by"],
    alsoAffects: ["D re-exported-by"],
  },
  DX: {
    change: "Export statement X, or what is exported no more",
    recompute: "Remove the node of the export statement and edges incident on it.",
    affects: [],
    alsoAffects: [...named],
  },
  DT: {
    change: "Interface or type T",
    recompute: "Remove the node of the type and edges incident on it.",
    affects: [],
    alsoAffects: [...named, "D satisfied-by"],
  },
  DE: {
    change: "Enum E",
    recompute: "Remove the node of the enum and edges incident on it.",
    affects: [],
    alsoAffects: [...named],
  },
  DV: {
    change: "Variable V",
    recompute: "Remove the node of the variable and edges incident on it.",
    affects: [],
    alsoAffects: [...named],
  },
  DS: {
    change: "Statement or test S, or the header of a namespace",
    recompute: "Remove the node of the statement and edges incident on it.",
    affects: [],
    alsoAffects: ["D merges-with"],
  },

  // Combinations of a deletion and an addition
  RENAME: {
    change: "Name of a block",
    recompute: "Move the node to its new name; recompute the edges incident on it.",
    affects: [],
    alsoAffects: [...named, "D overrides", "D overridden-by", "D owner satisfied-by", "D satisfies"],
  },
  MOVE: {
    change: "File of a block",
    recompute: "Move the node to its new file; recompute the edges incident on it.",
    affects: [],
    // Other files refer to it by imports. Blocks of its old file referred to it, and it to them,
    // without any.
    alsoAffects: [
      ...(["D imported-by", "D re-exported-by", "D merges-with"] as const),
      ...(["D called-by in its file", "D used-by in its file", "D type-used-by in its file"] as const),
      ...(["D instantiated-by in its file", "D base-of in its file", "D tested-by in its file"] as const),
      ...(["D calls in its file", "D uses in its file", "D uses-type in its file"] as const),
      ...(["D instantiates in its file", "D derives-from in its file"] as const),
    ],
  },
};

/**
 * The steps to the blocks that a change may affect; none where `escapes` is false, and for a change
 * of a body (`MMB`) none unless it is true. The paper's come first.
 */
export function impactSteps({ label, escapes }: Pick<AtomicChange, "label" | "escapes">): readonly ImpactStep[] {
  const { onlyIf, affects, alsoAffects } = impactRules[label];
  const hasEffect = onlyIf === "escapes" ? escapes === true : escapes !== false;
  return hasEffect ? [...affects, ...alsoAffects].map(readImpactEntry) : [];
}

/** Parses an entry of the table. */
export function readImpactEntry(entry: ImpactEntry): ImpactStep {
  const [, graph, owner, relation, limit] = /^(D'?)( owner)? (\S+?)( in its file| otherwise)?$/.exec(entry)!;
  return {
    graph: graph === "D" ? "before" : "after",
    from: owner === undefined ? "block" : "owner",
    relation: relation as Relation | InverseRelation,
    isInFile: limit === " in its file",
    isPassedOther: limit === " otherwise",
  };
}

/**
 * The edges of a relation: outgoing ones as for `calls`, incoming ones as for `called-by`, or both
 * as for `merges-with`; and the name of the relation in the graph.
 */
export function edgesOf(relation: Relation | InverseRelation): {
  readonly relation: Relation;
  readonly away: boolean;
  readonly towards: boolean;
} {
  const away = relation in inverseRelations;
  const forward = (Object.keys(inverseRelations) as Relation[]).find((one) => inverseRelations[one] === relation);
  return { relation: forward ?? (relation as Relation), away, towards: forward !== undefined };
}
