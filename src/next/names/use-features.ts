import { tryPartChange } from "./name-parts.ts";
import type { NameRole } from "./name-table.ts";
import type { Rename } from "./rename.ts";
import type { RenameSign } from "./rename-evidence.ts";

/** What is known of a file that has places of renames. */
export interface UsesFile {
  readonly path: string;
  /** Whether the person is in another file, whether that one is open, and whether the person has edited it since, and gone on to another. */
  readonly isOther: boolean;
  readonly isOpen: boolean;
  readonly isLeft: boolean;
  /** How many edits are remembered, of all files and of this one, and how many were made since the newest one in it; -1 where there is none. */
  readonly history: number;
  readonly edits: number;
  readonly age: number;
  /** Where the cursor is, in the file that the person is in. */
  readonly cursor: number;
  /** In how many files a word stands. */
  filesSaying(word: string): number;
}

/** What is known of one place of a rename, and of the others in its file. */
export interface UsePlace {
  readonly start: number;
  readonly role: NameRole | "comment";
  /** How surely it is a place of the rename at all, from 0 to 1. */
  readonly fit: number;
  /** Runs of lines that the rename has in the file, and those of them that begin above the cursor. */
  readonly runs: number;
  readonly runsAbove: number;
  /** Letters between it and the cursor; -1 in another file. */
  readonly distance: number;
  /** What stands behind it. */
  readonly next: string;
  /** How often the file has the new name already. */
  readonly known: number;
}

/** What a place of a rename is judged by. Trees are asked about them, so that no scale matters. */
export type UseFeatures = ReturnType<typeof useFeatures>;

/** A place of a rename in numbers. */
export function useFeatures(rename: Rename, renames: readonly Rename[], place: UsePlace, file: UsesFile) {
  const { evidence, from, to, kind } = rename;
  const isSign = (...signs: readonly RenameSign[]) => Number(signs.includes(evidence.sign));
  const declares = "declares" in rename ? rename.declares : "";
  return {
    isSure: isSign("declared", "parameter", "import"),
    isParameter: isSign("parameter"),
    isImport: isSign("import"),
    isUsed: isSign("used", "used-anew"),
    isAnew: isSign("used-anew"),
    isMended: isSign("mended"),
    isAsked: isSign("asked"),
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
    filesOfOld: file.filesSaying(from.replace(/^#/, "")),
    filesOfNew: file.filesSaying(to.replace(/^#/, "")),
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
    /** Whether a line gets too long, so that a formatter breaks it that is not known. */
    outgrows: 0,
    /** How many places are renamed together with this one. */
    together: 1,
    history: file.history,
    editsHere: file.edits,
    fileAge: file.age,
    known: place.known,
    next: "(<.,:".indexOf(place.next),
    /** How likely the likeliest place of its lines is that is left out; 0 for none. */
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

/** A rename has many places. */
const sharing = new WeakMap<Rename, boolean>();

/** Whether the names have words in common. */
function sharesWords(rename: Rename): boolean {
  const known = sharing.get(rename);
  if (known !== undefined) return known;
  const { from, to } = rename;
  const change = tryPartChange(from, to);
  const shares = change === undefined || change.from.join("").length < from.replaceAll("_", "").length;
  sharing.set(rename, shares);
  return shares;
}
