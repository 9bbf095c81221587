import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { GitHistory } from "../../scripts/train/git-history.ts";
import { seededRandom, shuffle } from "../../scripts/train/seeded-random.ts";

/** The grammars that are written after their languages, and held to a reference parser of these. */
export const ownGrammars = ["typescript", "tsx", "javascript", "json", "python"] as const;

/**
 * All that are held against a parser; of the languages that were imported, it is the one that they
 * were taken from.
 */
export const judgedGrammars = [...ownGrammars, "go", "java", "rust", "c", "csharp"] as const;

export type JudgedGrammar = (typeof judgedGrammars)[number];

export interface RealFile {
  /** With the folder that it was found in. */
  readonly path: string;
  readonly grammar: JudgedGrammar;
  readonly text: string;
}

export interface RealFilesOptions {
  /** At most so many files of each grammar, chosen evenly from all folders. */
  readonly count: number;
  readonly seed: number;
  readonly grammars?: readonly string[] | undefined;
  /** Leaves out longer files, in UTF-16 code units. */
  readonly maxLength?: number;
}

interface Found {
  readonly path: string;
  readonly grammar: JudgedGrammar;
  /** Where it lies in a repository; on the disk without. */
  readonly stored?: { readonly history: GitHistory; readonly blob: string };
}

/**
 * How many files are read at once: asking git for each of them alone takes longer than judging
 * them.
 */
const batchSize = 200;

/**
 * The source files in folders and in the last commits of git repositories, bare or not; what is not
 * UTF-8 on the disk is left out.
 */
export function realFiles(folders: readonly string[], options: RealFilesOptions): RealFile[] {
  const { count, seed, grammars = judgedGrammars, maxLength = Number.POSITIVE_INFINITY } = options;
  const random = seededRandom(seed);
  const found = folders.flatMap((folder) => [...filesIn(folder)]).sort((a, b) => (a.path < b.path ? -1 : 1));
  return judgedGrammars
    .filter((grammar) => grammars.includes(grammar))
    .flatMap((grammar) => {
      const chosen: RealFile[] = [];
      const all = shuffle(
        found.filter((file) => file.grammar === grammar),
        random,
      );
      for (let at = 0; at < all.length && chosen.length < count; at += batchSize) {
        const read = readAll(all.slice(at, at + batchSize)).filter(({ text }) => text.length <= maxLength);
        chosen.push(...read.slice(0, count - chosen.length));
      }
      return chosen;
    });
}

function* filesIn(folder: string): Generator<Found, void> {
  const history = GitHistory.tryOpen(folder);
  if (history !== undefined) {
    for (const [name, blob] of history.tree("HEAD")) {
      const grammar = grammarOf(name);
      if (grammar !== undefined) yield { path: join(folder, name), grammar, stored: { history, blob } };
    }
    return;
  }
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    const grammar = grammarOf(path);
    if (entry.isFile() && grammar !== undefined) yield { path, grammar };
  }
}

/** The files with their texts, in their order, without those that cannot be read. */
function readAll(files: readonly Found[]): RealFile[] {
  const blobs = new Map<GitHistory, string[]>();
  for (const { stored } of files) {
    if (stored !== undefined) blobs.set(stored.history, [...(blobs.get(stored.history) ?? []), stored.blob]);
  }
  const texts = new Map([...blobs].map(([history, some]) => [history, history.texts(some)]));
  return files.flatMap(({ path, grammar, stored }) => {
    const text = stored === undefined ? tryDecode(readFileSync(path)) : texts.get(stored.history)?.get(stored.blob);
    return text === undefined ? [] : [{ path, grammar, text }];
  });
}

function grammarOf(path: string): JudgedGrammar | undefined {
  if (/\.tsx$/.test(path)) return "tsx";
  if (/\.[cm]?ts$/.test(path)) return "typescript";
  if (/\.([cm]?js|jsx)$/.test(path)) return "javascript";
  if (/\.json$/.test(path)) return "json";
  if (/\.pyi?$/.test(path)) return "python";
  if (/\.go$/.test(path)) return "go";
  if (/\.java$/.test(path)) return "java";
  if (/\.rs$/.test(path)) return "rust";
  if (/\.[ch]$/.test(path)) return "c";
  return /\.cs$/.test(path) ? "csharp" : undefined;
}

/** The text of UTF-8, its byte order mark included. */
function tryDecode(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}
