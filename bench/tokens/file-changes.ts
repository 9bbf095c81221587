import { GitHistory } from "../../scripts/train/git-history.ts";
import { isLearnable, isLearnablePath } from "../../scripts/train/learnable.ts";
import { seededRandom, shuffle } from "../../scripts/train/seeded-random.ts";
import { fileLines } from "../../src/formats/index.ts";
import { diffSequences } from "../../src/text/index.ts";
import { modifiedFiles } from "../modified-files.ts";

/** What one commit did to one file. */
export interface FileCase {
  readonly path: string;
  readonly before: string;
  readonly after: string;
  /** The lines that went and came, together. */
  readonly changedLines: number;
  readonly hunks: number;
}

/** How many lines may go and come, together. */
export const maxChangedLines = 40;

/**
 * Changes of sources, but not of tests, in a repository's history: `count` of them at most, chosen
 * evenly by `seed`.
 *
 * Throws where `folder` is no repository.
 */
export function fileCases(
  folder: string,
  { count, seed }: { readonly count: number; readonly seed: number },
): FileCase[] {
  const history = GitHistory.tryOpen(folder);
  if (history === undefined) throw new Error(`${folder} is no git repository`);
  const files = shuffle(
    modifiedFiles(folder).filter(({ path }) => isLearnablePath(path) && isSource(path)),
    seededRandom(seed),
  );
  const cases: FileCase[] = [];
  for (let from = 0; from < files.length && cases.length < count; from += 500) {
    const some = files.slice(from, from + 500);
    const texts = history.texts(some.flatMap(({ before, after }) => [before, after]));
    for (const { path, before, after } of some) {
      const one = toCase(path, texts.get(before), texts.get(after));
      if (one !== undefined && cases.length < count) cases.push(one);
    }
  }
  return cases;
}

function toCase(path: string, before: string | undefined, after: string | undefined): FileCase | undefined {
  if (before === undefined || after === undefined || !isLearnable(path, before)) return undefined;
  const hunks = diffSequences(fileLines(before), fileLines(after));
  let changedLines = 0;
  for (const { beforeStart, beforeEnd, afterStart, afterEnd } of hunks) {
    changedLines += beforeEnd - beforeStart + afterEnd - afterStart;
  }
  if (changedLines === 0 || changedLines > maxChangedLines) return undefined;
  return { path, before, after, changedLines, hunks: hunks.length };
}

function isSource(path: string): boolean {
  return (
    /\.[cm]?[jt]sx?$|\.(?:vue|svelte|py|go|rs|java|kt|rb|php|cs|c|h|cc|cpp|hpp|swift)$/.test(path) &&
    !testPath.test(path)
  );
}

const testPath =
  /(?:^|\/)(?:tests?|__tests__|specs?|e2e|fixtures|__fixtures__)\/|[._](?:test|spec|bench)\.|\.d\.ts$|_test\.|(?:^|\/)test_/;
