import { type HunkRow, hunkRows } from "../../src/formats/placing/hunk-rows.ts";
import type { Random } from "../hostile/hostile-texts.ts";
import type { GeneratedHunk } from "./generated-edits.ts";
import { pick } from "./generated-files.ts";

/** How the quoted lines of an edit differ from those of the file. */
export type RowVariant = keyof typeof variants;

/** Rows of a hunk as models write them, by the name of the variant. */
const variants = {
  exact: (rows: readonly HunkRow[]) => rows,
  "trailing space": (rows: readonly HunkRow[], random: Random) =>
    someOld(rows, random, (text) => (/\s$/.test(text) ? text.trimEnd() : `${text}${pick([" ", "  ", "\t"], random)}`)),
  "indented context": (rows: readonly HunkRow[], random: Random) => {
    const more = pick([" ", "  "], random);
    return rows.map((row) => (row.mark === " " && row.text !== "" ? { ...row, text: more + row.text } : row));
  },
  "one indented row": (rows: readonly HunkRow[], random: Random) => {
    const at = pick(indexesOf(rows, isOld), random);
    return rows.map((row, i) => (i === at && row.text !== "" ? { ...row, text: ` ${row.text}` } : row));
  },
  // The new lines are indented as the file is, and so not in the column of the rows that they
  // replace: those would be read as rows of which all are indented.
  "indented old rows": (rows: readonly HunkRow[], random: Random) => {
    const more = pick([" ", "  "], random);
    const [gone, fresh] = (["-", "+"] as const).map((mark) => margin(rows.filter((row) => row.mark === mark)));
    if (fresh === gone! + more.length) return rows;
    return rows.map((row) => (isOld(row) && row.text !== "" ? { ...row, text: more + row.text } : row));
  },
  // The new lines too: they are meant to be indented as the file is.
  "indented rows": (rows: readonly HunkRow[]) =>
    rows.map((row) => (row.text !== "" ? { ...row, text: `  ${row.text}` } : row)),
  "plain typography": (rows: readonly HunkRow[], random: Random) => someOld(rows, random, withPlainMarks),
  "odd typography": (rows: readonly HunkRow[], random: Random) => plainOld(rows, random, withOddMarks),
  "non-breaking space": (rows: readonly HunkRow[], random: Random) =>
    plainOld(rows, random, (text) => text.replace(/(\S) (?=\S)/, "$1\u00a0")),
  // Not in strings, whose spaces are not to be changed: `patch` alone takes such rows, as it leaves
  // out context that does not fit.
  "wider space": (rows: readonly HunkRow[], random: Random) =>
    someOld(rows, random, (text) => (/["`]/.test(text) ? text : text.replace(/(\w) (?=[\w=(])/, "$1  "))),
} as const;

/** Exact rows are as frequent as all others together. */
export function rowVariantFor(random: Random): RowVariant {
  const names = Object.keys(variants) as RowVariant[];
  return random.int(0, 2) === 0 ? "exact" : pick(names, random);
}

/** The rows of a hunk: quoted lines, lines that go and lines that come. */
export function rowsOf(lines: readonly string[], hunk: GeneratedHunk, random: Random): readonly HunkRow[] {
  const { start, end, contextBefore, contextAfter } = hunk;
  const above = lines.slice(start - contextBefore, start);
  const below = lines.slice(end, end + contextAfter);
  const old = lines.slice(start, end);
  if (random.int(0, 2) === 0) return hunkRows([...above, ...old, ...below], [...above, ...hunk.lines, ...below]);
  const row = (mark: HunkRow["mark"]) => (text: string) => ({ mark, text });
  return [...above.map(row(" ")), ...old.map(row("-")), ...hunk.lines.map(row("+")), ...below.map(row(" "))];
}

/** The rows in a variant. */
export function inVariant(rows: readonly HunkRow[], variant: RowVariant, random: Random): readonly HunkRow[] {
  return variants[variant](rows, random);
}

/** The smallest indentation of rows, blank ones aside. */
function margin(rows: readonly HunkRow[]): number {
  return Math.min(...rows.filter(({ text }) => text.trim() !== "").map(({ text }) => text.search(/\S/)));
}

function isOld({ mark }: HunkRow): boolean {
  return mark !== "+";
}

/** The indexes of the rows that fulfil a condition, or of none. */
function indexesOf(rows: readonly HunkRow[], holds: (row: HunkRow) => boolean): readonly number[] {
  const indexes = rows.flatMap((row, i) => (holds(row) ? [i] : []));
  return indexes.length > 0 ? indexes : [-1];
}

function someOld(rows: readonly HunkRow[], random: Random, change: (text: string) => string): readonly HunkRow[] {
  return rows.map((row) =>
    isOld(row) && row.text.trim() !== "" && random.int(0, 3) > 0 ? { ...row, text: change(row.text) } : row,
  );
}

/**
 * Only beside new lines without such characters: a model that writes them in old lines by mistake
 * does so in new ones.
 */
function plainOld(rows: readonly HunkRow[], random: Random, change: (text: string) => string): readonly HunkRow[] {
  const isOdd = rows.some(({ mark, text }) => mark === "+" && withPlainMarks(text) !== text);
  return isOdd ? rows : someOld(rows, random, change);
}

function withPlainMarks(text: string): string {
  return text.replaceAll(/[‘’]/g, "'").replaceAll(/[“”]/g, '"').replaceAll(/[–—]/g, "-").replaceAll("\u00a0", " ");
}

function withOddMarks(text: string): string {
  return text
    .replaceAll("'", "’")
    .replaceAll(/"([^"]*)"/g, "“$1”")
    .replaceAll(" - ", " – ");
}
