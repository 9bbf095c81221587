import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";

/**
 * The two ways in which cases were made: a line of the present tree, or a line that a real commit
 * added.
 */
export const caseSets = ["static", "commit"] as const;

/** One of {@link caseSets}. */
export type CaseSet = (typeof caseSets)[number];

/** A cursor in a real file, and what truly follows on its line. */
export interface CompletionCase {
  readonly id: string;
  readonly set: CaseSet;
  /** The file's path from the repository's root. It is never learnt. */
  readonly file: string;
  /** The path that the file had before the commit. It is never learnt either. */
  readonly oldFile?: string | null;
  /**
   * The place of the cursor: at the first code of a line, after a trigger such as `.`, or inside a
   * name.
   */
  readonly kind: "line" | "trigger" | "word";
  readonly isTest: boolean;
  readonly isImport: boolean;
  readonly prefix: string;
  /** The true rest of the line. */
  readonly middle: string;
  readonly suffix: string;
  /** Where the same line is elsewhere in the workspace. */
  readonly seenLine: "no" | "file" | "repo" | "short";
  /**
   * Turns the repository's tree into the case's workspace: a blob, or `null` for a file that is not
   * there.
   */
  readonly delta?: Readonly<Record<string, string | null>>;
}

/** The cases of one repository, and the texts they need. */
export interface CaseRepository {
  readonly name: string;
  /** The blob of each file of the tree, by path. */
  readonly files: Readonly<Record<string, string>>;
  /** The text of each blob. */
  readonly texts: ReadonlyMap<string, string>;
  readonly cases: readonly CompletionCase[];
}

/** The names of the repositories in `folder` that have cases, sorted. */
export function caseRepositories(folder: string): string[] {
  return readdirSync(folder)
    .filter((name) => existsSync(join(folder, name, "cases.jsonl")))
    .sort();
}

/** Loads one repository's cases: the first `limit` of each set, in their order. */
export function loadCases(folder: string, name: string, limit: number): CaseRepository {
  const path = (file: string) => join(folder, name, file);
  const base = JSON.parse(gunzipSync(readFileSync(path("base.json.gz"))).toString()) as Pick<CaseRepository, "files">;
  const blobs = linesOf<[string, string]>(gunzipSync(readFileSync(path("blobs.jsonl.gz"))).toString());
  const cases = linesOf<CompletionCase>(readFileSync(path("cases.jsonl"), "utf8"));
  const first = caseSets.flatMap((set) => cases.filter((one) => one.set === set).slice(0, limit));
  return { name, files: base.files, texts: new Map(blobs), cases: first };
}

function linesOf<Value>(text: string): Value[] {
  return text
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as Value);
}
