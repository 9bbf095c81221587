import { GitHistory } from "../../scripts/train/git-history.ts";
import { seededRandom, shuffle } from "../../scripts/train/seeded-random.ts";
import { fileLines, type LineSplice } from "../../src/formats/index.ts";
import { languageOf, type Syntax } from "../../src/syntax/index.ts";
import { diffSequences } from "../../src/text/index.ts";
import { type ModifiedFile, modifiedFiles } from "../modified-files.ts";

/** One change of one file that a person made, in one place. */
export interface RealEdit {
  readonly commit: string;
  readonly path: string;
  /** The id of the language. */
  readonly language: string;
  readonly before: string;
  readonly after: string;
  readonly splice: LineSplice;
}

/** How many lines an edit may take out and put in, together. */
const maxLines = 40;

/**
 * Edits of one place in the source files of a repository's history, `count` of them at most, chosen
 * evenly by `seed`.
 *
 * Both texts parse, in a language that has a parser. Throws where `folder` is no repository.
 */
export async function realEdits(
  folder: string,
  { count, seed, syntax }: { readonly count: number; readonly seed: number; readonly syntax: Syntax },
): Promise<RealEdit[]> {
  const history = GitHistory.tryOpen(folder);
  if (history === undefined) throw new Error(`${folder} is no git repository`);
  const sources = modifiedFiles(folder).filter(({ path }) => isSource(path));
  const changes = shuffle(sources, seededRandom(seed));
  const edits: RealEdit[] = [];
  for (let from = 0; from < changes.length && edits.length < count; from += 500) {
    const some = changes.slice(from, from + 500);
    const texts = history.texts(some.flatMap(({ before, after }) => [before, after]));
    for (const change of some) {
      const edit = toEdit(change, texts.get(change.before), texts.get(change.after));
      if (edit !== undefined && edits.length < count && (await parses(edit, syntax))) edits.push(edit);
    }
  }
  return edits;
}

function isSource(path: string): boolean {
  const { grammar, id } = languageOf(path);
  return grammar !== undefined && !/^jsonc?$/.test(id) && !/\.min\.|(^|\/)(dist|vendor|node_modules)\//.test(path);
}

function toEdit({ commit, path }: ModifiedFile, before?: string, after?: string): RealEdit | undefined {
  if (before === undefined || after === undefined || before.length > 300_000) return undefined;
  // Edits of lines cannot say that the last one gets or loses its line ending.
  if (before.endsWith("\n") !== after.endsWith("\n")) return undefined;
  const [old, fresh] = [fileLines(before), fileLines(after)];
  const changes = diffSequences(old, fresh);
  const [change] = changes;
  if (change === undefined || changes.length > 1) return undefined;
  const { beforeStart, beforeEnd, afterStart, afterEnd } = change;
  if (beforeEnd - beforeStart + afterEnd - afterStart > maxLines) return undefined;
  const splice = { start: beforeStart, end: beforeEnd, lines: fresh.slice(afterStart, afterEnd) };
  const language = languageOf(path, old[0]).id;
  return { commit, path, language, before, after, splice };
}

async function parses({ path, language, before, after }: RealEdit, syntax: Syntax): Promise<boolean> {
  for (const text of [before, after]) {
    if ((await syntax.syntaxErrors({ uri: path, language, text })).length > 0) return false;
  }
  return true;
}
