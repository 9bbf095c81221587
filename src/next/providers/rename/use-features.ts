import type { NameRole } from "../../../names/index.ts";
import { getOrInsert } from "../../../text/index.ts";
import { chanceOf } from "../boosted-trees.ts";
import type { Proposal } from "../next-edit-provider.ts";
import { tryPartChange } from "../part-change.ts";
import type { Rename, RenameSign } from "./rename.ts";
import { useTrees } from "./use-trees.ts";

/** The facts about a file that has places of renames. */
export interface UsesFile {
  readonly path: string;
  /**
   * Whether it is not the current file, whether it is open, and whether the person edited it and
   * then went to another.
   */
  readonly isOther: boolean;
  readonly isOpen: boolean;
  readonly isLeft: boolean;
  /**
   * The number of edits in the history, of all files and of this one, and of those since the newest
   * one in it; -1 where there is none.
   */
  readonly history: number;
  readonly edits: number;
  readonly age: number;
  /** The offset of the cursor in the current file. */
  readonly cursor: number;
  /** Returns the number of files that contain a word. */
  filesContaining(word: string): number;
}

/** The facts about one place of a rename, and about the others in its file. */
export interface UsePlace {
  readonly start: number;
  readonly role: NameRole | "comment";
  /** How certainly it is a place of the rename at all, in [0, 1]. */
  readonly fit: number;
  /**
   * Runs of lines that the rename has in the file, and those of them that begin above the cursor.
   */
  readonly runs: number;
  readonly runsAbove: number;
  /** UTF-16 units between it and the cursor; -1 in another file. */
  readonly distance: number;
  /** The character after it. */
  readonly next: string;
  /** How often the file contains the new name as an identifier. */
  readonly known: number;
}

/**
 * The features of a place of a rename. They are inputs of decision trees, so their scale does not
 * matter.
 */
export type UseFeatures = ReturnType<typeof useFeatures>;

/**
 * Computes the features of a place of a rename, all of them numbers. `renames` are all renames in
 * the recent edits.
 */
export function useFeatures(rename: Rename, renames: readonly Rename[], place: UsePlace, file: UsesFile) {
  const { evidence, from, to, kind } = rename;
  const isSign = (...signs: readonly RenameSign[]) => Number(signs.includes(evidence.sign));
  const declares = "declares" in rename ? rename.declares : "";
  return {
    isSure: isSign("declared", "parameter", "import"),
    isParameter: isSign("parameter"),
    isImport: isSign("import"),
    isUsed: isSign("used", "newly-used"),
    isNewlyUsed: isSign("newly-used"),
    isMended: isSign("mended"),
    isMissingExport: isSign("missing-export"),
    isDerived: isSign("derived"),
    isHabit: Number(kind === "habit"),
    isModule: Number(kind === "module"),
    isPackage: Number(kind === "module" && "specifier" in rename.module),
    isMember: Number(kind === "member"),
    hasOwner: Number(kind === "member" && rename.owner !== undefined),
    isDeclared: Number("isDeclared" in rename && rename.isDeclared),
    isOfType: Number(/type|interface|class|enum/.test(declares)),
    isOfFunction: Number(/function|method/.test(declares)),
    examples: evidence.examples,
    wholes: evidence.wholes,
    wholeShare: evidence.wholes / evidence.examples,
    kept: evidence.kept,
    since: evidence.since,
    isMoved: Number(evidence.isMoved),
    rivals: evidence.rivals,
    renames: renames.length,
    fromLength: from.length,
    toLength: to.length,
    isCaseOnly: Number(from.toLowerCase() === to.toLowerCase()),
    isPart: Number(to.includes(from)) + 2 * Number(from.includes(to)),
    sharesWords: Number(sharesWords(rename)),
    filesOfOld: file.filesContaining(from.replace(/^#/, "")),
    filesOfNew: file.filesContaining(to.replace(/^#/, "")),
    isOther: Number(file.isOther),
    isOpen: Number(file.isOpen),
    isLeft: Number(file.isLeft),
    isOwnFile: Number(
      ("path" in rename ? rename.path : "path" in rename.module ? rename.module.path : "") === file.path,
    ),
    role: roles.indexOf(place.role),
    fit: place.fit,
    places: place.runs,
    placesAbove: place.runsAbove,
    isAbove: Number(!file.isOther && place.start < file.cursor),
    distance: place.distance,
    /** Whether a line becomes too long, so that an unknown formatter would break it. */
    outgrows: 0,
    /** How many places are renamed together with this one. */
    together: 1,
    history: file.history,
    editsHere: file.edits,
    fileAge: file.age,
    known: place.known,
    next: "(<.,:".indexOf(place.next),
    /** The highest likelihood of a place on its lines that is left out; 0 for none. */
    leftOut: 0,
  };
}

const roles: readonly (NameRole | "comment")[] = [
  "declares",
  "uses",
  "imports",
  "exports",
  "member-declares",
  "key",
  "member",
  "comment",
];

/** Cached, because a rename has many places. */
const sharing = new WeakMap<Rename, boolean>();

/** Whether the names have words in common. */
function sharesWords(rename: Rename): boolean {
  return getOrInsert(sharing, rename, () => {
    const { from, to } = rename;
    const change = tryPartChange(from, to);
    return change === undefined || change.from.join("").length < from.replaceAll("_", "").length;
  });
}

/**
 * Returns the likelihood that exactly this edit is made at a place of a rename, in [0, 1].
 *
 * `scripts/fit-next-examples.ts` fits the trees to hunks of recorded commits, replayed in the order
 * of their diffs. Most of these change more than a name, so a floor applies: a person who has just
 * renamed a declaration and changed nothing else will rename its uses, and sees them without a
 * request.
 */
export function useLikelihood(features: UseFeatures): number {
  return judgedUse(features).likelihood;
}

/**
 * Returns the likelihood, with the trees and features behind it where the trees decided and not the
 * floor.
 */
export function judgedUse(features: UseFeatures): Pick<Proposal, "likelihood" | "judged"> {
  const numbers = Object.values(features);
  const [fitted, floor] = [chanceOf(useTrees, numbers), floorOf(features)];
  return fitted >= floor ? { likelihood: fitted, judged: { trees: useTrees, numbers } } : { likelihood: floor };
}

function floorOf(features: UseFeatures): number {
  if (!isLeftBehind(features)) return 0;
  return features.fit * (isJustRenamed(features) ? shownUnrequested : shownOnRequest);
}

/**
 * Just above the threshold for showing a suggestion without a request, and below it after a
 * rejection.
 */
const shownUnrequested = 0.61;
/**
 * The old name no longer resolves, so that the place must change, but mostly more than the name.
 * Below the threshold, so that only an explicit request shows it.
 */
const shownOnRequest = 0.12;

/** Whether the last edit renamed a declaration, without another candidate. */
function isLeftBehind({ isSure, isImport, since, rivals }: UseFeatures): boolean {
  return isSure === 1 && isImport === 0 && since === 0 && rivals === 0;
}

/**
 * Whether the last edit did nothing else, and a file has several places left. A single one may be
 * about to be rewritten.
 */
function isJustRenamed({ wholes, examples, places, outgrows }: UseFeatures): boolean {
  return wholes > 0 && examples === 1 && places > 1 && outgrows === 0;
}
