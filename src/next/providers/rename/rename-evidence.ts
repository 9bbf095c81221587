/** The evidence for a rename in the edits. */
export interface RenameEvidence {
  readonly sign: RenameSign;
  /** The number of edits that replaced the old name by the new one. */
  readonly examples: number;
  /** The number of them that changed names and nothing else. */
  readonly wholes: number;
  /**
   * The share of the lines around the name that stayed, in [0, 1], in the edit where it is highest.
   */
  readonly kept: number;
  /** The number of edits since the last one that is evidence. */
  readonly since: number;
  /** For imports: whether the name is imported from another module now. */
  readonly isMoved: boolean;
  /** The number of other names that replaced the same one. */
  readonly rivals: number;
}

/**
 * What has the new name.
 *
 * - `declared`: the declaration; nothing around it has the old name any more. `parameter`,
 * `import`: the same for those.
 * - `used`: a use, while the declaration still has the old name. `used-anew`: the same, and no
 * other file contains the new name.
 * - `mended`: a use that did not resolve before and does now.
 * - `asked`: an import of a name that its module does not export yet.
 * - `derived`: other names that contain the same words.
 * - `habit`: other declarations of the same name, each in its own scope.
 */
export type RenameSign =
  | "declared"
  | "parameter"
  | "import"
  | "used"
  | "used-anew"
  | "mended"
  | "asked"
  | "derived"
  | "habit";

/** The signs, the strongest first. */
const strength: readonly RenameSign[] = [
  "declared",
  "import",
  "parameter",
  "used-anew",
  "mended",
  "used",
  "asked",
  "habit",
];

/** Combines the evidence of two edits. */
export function joinedEvidence(one: RenameEvidence, other: RenameEvidence): RenameEvidence {
  return {
    sign: strength.indexOf(one.sign) <= strength.indexOf(other.sign) ? one.sign : other.sign,
    examples: one.examples + other.examples,
    wholes: one.wholes + other.wholes,
    kept: Math.max(one.kept, other.kept),
    since: Math.min(one.since, other.since),
    isMoved: one.isMoved && other.isMoved,
    rivals: Math.max(one.rivals, other.rivals),
  };
}
