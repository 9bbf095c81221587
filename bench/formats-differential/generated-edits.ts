import type { FileTexts } from "../../src/text/index.ts";
import { Random } from "../hostile/hostile-texts.ts";
import { changedLine, type GeneratedFile, generatedFile, newLine, pick, textOf } from "./generated-files.ts";

/**
 * Lines in the place of lines, with the lines around that an answer quotes. Line indexes start at
 * 0.
 */
export interface GeneratedHunk {
  readonly start: number;
  readonly end: number;
  readonly lines: readonly string[];
  /** How many lines above and below are quoted. */
  readonly contextBefore: number;
  readonly contextAfter: number;
}

/** What happens to one file. */
export type GeneratedChange =
  | { readonly kind: "update"; readonly file: GeneratedFile; readonly hunks: readonly GeneratedHunk[] }
  | { readonly kind: "create"; readonly path: string; readonly lines: readonly string[] }
  | { readonly kind: "delete"; readonly file: GeneratedFile };

/** An edit before it is written in a format. */
export interface GeneratedEdit {
  readonly id: number;
  readonly changes: readonly GeneratedChange[];
  /** The texts of all files before the edit, files that it does not name included. */
  readonly before: FileTexts;
  /** What the edit is meant to make of them. */
  readonly after: FileTexts;
  /** Chance for the writer of the edit, so that each edit is the same whatever others are made. */
  readonly random: Random;
}

/** What a format can say. */
export interface EditLimits {
  readonly canDelete: boolean;
  /**
   * When a file without a line ending at its end has one afterwards: where an edit quotes or
   * changes its last line, where it takes its last lines out, or never.
   */
  readonly finalNewline: "always" | "where-last-lines-go" | "kept";
}

/** `count` edits; the same `seed` gives the same edits. */
export function generatedEdits(seed: number, count: number, limits: EditLimits): GeneratedEdit[] {
  return Array.from({ length: count }, (_, id) => generatedEdit(id, new Random(seed * 1_000_003 + id), limits));
}

function generatedEdit(id: number, random: Random, { canDelete, finalNewline }: EditLimits): GeneratedEdit {
  const isRepetitive = random.int(0, 4) === 0;
  const folders = ["", "src/", "lib/deep/"];
  const stems = random.shuffled(["main", "util", "orders", "math"]).slice(0, pick([1, 1, 1, 2, 3], random));
  const drafts = stems.map((stem) => generatedFile(pick(folders, random) + stem, random, isRepetitive));
  const hunksOf = new Map(drafts.map(({ path, lines }) => [path, generatedHunks(lines, random)]));
  const files = drafts.map((file) => ended(file, hunksOf.get(file.path)!));
  const before = new Map(files.map((file) => [file.path, textOf(file)]));
  const after = new Map(before);
  const changes: GeneratedChange[] = [];
  for (const file of files) {
    if (changes.length > 0 && random.int(0, 3) === 0) continue;
    if (canDelete && random.int(0, 25) === 0) {
      changes.push({ kind: "delete", file });
      after.delete(file.path);
      continue;
    }
    const hunks = hunksOf.get(file.path)!;
    changes.push({ kind: "update", file, hunks });
    const last = hunks.find(({ end, contextAfter }) => end + contextAfter === file.lines.length);
    const goes = last !== undefined && last.end === file.lines.length && last.lines.length === 0;
    const isEnded = finalNewline === "always" || (finalNewline === "where-last-lines-go" && goes);
    const hasFinalNewline = file.hasFinalNewline || (last !== undefined && isEnded);
    after.set(file.path, textOf({ ...file, hasFinalNewline, lines: spliced(file.lines, hunks) }));
  }
  if (random.int(0, 20) === 0) {
    const lines = Array.from({ length: random.int(1, 6) }, (_, at) => newLine(at % 2 === 0 ? "" : "  ", random));
    // A new file that ends with blank lines would be cut at its end by most readers.
    lines.push("end of the file");
    changes.push({ kind: "create", path: "src/added.txt", lines });
    after.set("src/added.txt", `${lines.join("\n")}\n`);
  }
  return { id, changes, before, after, random };
}

/** One to three hunks whose lines, quoted ones included, do not touch. */
function generatedHunks(lines: readonly string[], random: Random): GeneratedHunk[] {
  const hunks: GeneratedHunk[] = [];
  const context = pick([3, 3, 3, 2, 1, 0], random);
  const wanted = pick([1, 1, 1, 2, 3], random);
  let from = 0;
  for (let n = 0; n < wanted; n++) {
    const room = lines.length - from;
    if (room < 1) break;
    const start = from + random.int(0, Math.max(1, Math.min(room, Math.ceil(room / (wanted - n)))));
    const kind = pick(["replace", "replace", "insert", "delete", "change"] as const, random);
    const size = kind === "insert" ? 0 : Math.min(lines.length - start, random.int(1, 4));
    const end = start + size;
    const old = lines.slice(start, end);
    const isAlone = context === 0 && kind === "insert";
    const hunk = {
      start,
      end,
      lines: kind === "delete" ? [] : newLines(kind, old, lines[start]!, random),
      contextBefore: Math.min(isAlone ? 1 : context, start - from),
      contextAfter: Math.min(context, lines.length - end),
    };
    const isSame = hunk.lines.length === old.length && hunk.lines.every((line, i) => line === old[i]);
    if (!isSame && hunk.contextBefore + size + hunk.contextAfter > 0) hunks.push(hunk);
    from = end + hunk.contextAfter + 1;
  }
  const [first] = lines;
  return hunks.length > 0
    ? hunks
    : [{ start: 0, end: 1, lines: [`${first}Y`], contextBefore: 0, contextAfter: Math.min(3, lines.length - 1) }];
}

function newLines(
  kind: "replace" | "insert" | "change",
  old: readonly string[],
  beside: string,
  random: Random,
): readonly string[] {
  if (kind === "change")
    return old.map((line) => (random.int(0, 2) === 0 ? line : (changedLine(line, random) ?? line)));
  return Array.from({ length: random.int(1, 5) }, () => newLine(beside, random));
}

/** The file with a line ending at its end where its last line is empty before or after the edit. */
function ended(file: GeneratedFile, hunks: readonly GeneratedHunk[]): GeneratedFile {
  const isOpen = [file.lines, spliced(file.lines, hunks)].some((lines) => lines.at(-1) === "");
  return isOpen ? { ...file, hasFinalNewline: true } : file;
}

/** The lines with all hunks applied. */
function spliced(lines: readonly string[], hunks: readonly GeneratedHunk[]): readonly string[] {
  const after = [...lines];
  for (const { start, end, lines: replacement } of hunks.toReversed()) after.splice(start, end - start, ...replacement);
  return after;
}
