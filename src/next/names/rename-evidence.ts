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

/**
 * How likely it is, from 0 to 1, that a place of a rename becomes just that, where the file has so many of them left.
 *
 * The weights are those of real commits: a name that alone was changed is a rename; where more was changed around it, often something else
 * took its place. Where one place is left, it is often written anew; where many are, few are.
 */
export function likelihoodOf(
  { sign, examples, wholes, kept, since, isMoved, rivals }: RenameEvidence,
  places: number,
): number {
  const isSure = sign === "declared" || sign === "parameter" || sign === "import";
  const followed = examples > 2 ? 0.9 : examples > 1 ? 0.8 : places > 2 ? 0.8 : places > 1 ? 0.62 : 0.54;
  const about = wholes > 0 ? 1 : kept > 0.95 ? 0.75 : kept > 0.75 ? 0.5 : 0.15;
  const base =
    isSure || sign === "habit" ? followed * about : (unsure[sign] + 0.15 * Math.min(3, examples - 1)) * about;
  // What is asked for from elsewhere, under another name, may be another thing.
  const doubt = (isMoved && wholes === 0 ? 0.6 : 1) * (rivals > 0 ? 0.5 : 1);
  // What no longer means anything has to be changed some time; a guess that was not followed was none.
  const stale = examples > 2 ? 1 : (isSure && wholes > 0 ? 0.96 : 0.75) ** Math.min(5, since);
  return base * doubt * stale;
}

const unsure: Readonly<Record<Exclude<RenameSign, "declared" | "parameter" | "import" | "habit">, number>> = {
  used: 0.3,
  "used-anew": 0.45,
  mended: 0.45,
  asked: 0.15,
  derived: 0.15,
};
