import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { GitHistory } from "../../scripts/train/git-history.ts";
import { seededRandom, shuffle } from "../../scripts/train/seeded-random.ts";

/** The grammars that are written after their languages, and held to a reference parser of these. */
export const ownGrammars = ["typescript", "tsx", "javascript", "json", "python"] as const;

/** All that are held against a parser; of the languages that were imported, it is the one that they were taken from. */
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
  readonly read: () => string | undefined;
}

/** The source files in folders and in the last commits of git repositories, bare or not; those that are not UTF-8 are left out. */
export function realFiles(folders: readonly string[], options: RealFilesOptions): RealFile[] {
  const { count, seed, grammars = judgedGrammars, maxLength = Number.POSITIVE_INFINITY } = options;
  const random = seededRandom(seed);
  const found = folders.flatMap((folder) => [...filesIn(folder)]).sort((a, b) => (a.path < b.path ? -1 : 1));
  return judgedGrammars
    .filter((grammar) => grammars.includes(grammar))
    .flatMap((grammar) => {
      const chosen: RealFile[] = [];
      const all = found.filter((file) => file.grammar === grammar);
      for (const { path, read } of shuffle(all, random)) {
        if (chosen.length === count) break;
        const text = read();
        if (text !== undefined && text.length <= maxLength) chosen.push({ path, grammar, text });
      }
      return chosen;
    });
}

function* filesIn(folder: string): Generator<Found, void> {
  const history = GitHistory.tryOpen(folder);
  if (history !== undefined) {
    for (const [name, blob] of history.tree("HEAD")) {
      const grammar = grammarOf(name);
      const path = join(folder, name);
      if (grammar !== undefined) yield { path, grammar, read: () => history.texts([blob]).get(blob) };
    }
    return;
  }
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    const grammar = grammarOf(path);
    if (entry.isFile() && grammar !== undefined) yield { path, grammar, read: () => tryDecode(readFileSync(path)) };
  }
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
