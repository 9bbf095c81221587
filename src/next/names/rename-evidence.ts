/** What speaks for a rename, as far as the edits tell. */
export interface RenameEvidence {
  readonly sign: RenameSign;
  /** How many edits put the new name in the place of the old one. */
  readonly examples: number;
  /** How many of them changed names and nothing else. */
  readonly wholes: number;
  /** How much of the lines around the name stayed, from 0 to 1, in the edit that kept most. */
  readonly kept: number;
  /** How many edits were made since the last one that speaks for it. */
  readonly since: number;
  /** Of what is imported: whether it comes from elsewhere now. */
  readonly isMoved: boolean;
  /** How many other names took the place of the same one. */
  readonly rivals: number;
}

/**
 * What has the new name.
 *
 * - `declared`: the declaration; nothing around has the old name any more. `parameter`, `import`: the same, of those.
 * - `used`: a use, while the declaration still has the old name. `used-anew`: and no other file says the new name.
 * - `mended`: a use that was not known before, and is now.
 * - `asked`: an import, of something that its module does not export so far.
 * - `derived`: others that have the same words in them.
 * - `habit`: others of the same name, each in its own scope.
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

/** Signs, the surest first. */
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

/** What two edits say together. */
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
