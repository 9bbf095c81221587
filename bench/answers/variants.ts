import { seededRandom } from "../../scripts/train/seeded-random.ts";
import type { RecordedAnswer } from "./recorded-answer.ts";

/** A number from 0 up to, and without, `end`. */
export type Draw = (end: number) => number;

/** A repeatable source of numbers. */
export function drawing(seed: number): Draw {
  const random = seededRandom(seed);
  return (end) => Math.floor(random() * end);
}

/** One way in which models spell an answer otherwise; it leaves what the answer means as it is. */
export interface Variation {
  readonly name: string;
  /** The rows of the answer spelt so. */
  vary(rows: readonly string[], recorded: RecordedAnswer, draw: Draw): readonly string[];
}

/** White space, lengths of marks, paths and fences. */
export const variations: readonly Variation[] = [
  {
    name: "blanks behind old lines",
    vary: (rows, { format }, draw) => onOldRows(rows, format, draw, (row) => `${row}  `),
  },
  {
    name: "blanks that do not break",
    vary: (rows, { format }, draw) => onOldRows(rows, format, draw, (row) => row.replace(/(?<=\S) (?=\S)/, "\u00a0")),
  },
  {
    name: "a blank more in front",
    vary: (rows, { format }, draw) => onStayingRows(rows, format, draw, (row) => ` ${row}`),
  },
  {
    name: "no mark in front",
    vary: (rows, { format }, draw) => onStayingRows(rows, format, draw, (row) => row.slice(1)),
  },
  { name: "CRLF", vary: (rows) => rows.map((row) => `${row}\r`) },
  { name: "blank rows at both ends", vary: (rows) => ["", "", ...rows, "", ""] },
  { name: "words in front and behind", vary: (rows) => ["Here is the change.", "", ...rows, "", "That is all."] },
  {
    name: "marks of another length",
    vary: (rows, { format }, draw) => (format === "search-replace" ? otherLengths(rows, draw) : rows),
  },
  { name: "marks with a colon", vary: (rows) => rows.map((row) => (/^<{7} SEARCH$/.test(row) ? `${row}:` : row)) },
  { name: "no last mark", vary: withoutLastMark },
  { name: "an empty hunk", vary: (rows, { format }) => (format === "v4a" ? rows.flatMap(emptyHunk) : rows) },
  { name: "the last block twice", vary: lastBlockTwice },
  { name: "the path otherwise", vary: (rows, recorded, draw) => rows.map((row) => otherPath(row, recorded, draw)) },
  {
    name: "the path among blanks",
    vary: (rows, recorded) => rows.map((row) => (isPath(row, recorded) ? `  ${row}  ` : row)),
  },
  {
    name: "tildes for fences",
    vary: (rows, { format }) =>
      onFences(rows, format, (row) => row.replace(/^`+/, (marks) => "~".repeat(marks.length))),
  },
  { name: "longer fences", vary: (rows, { format }) => onFences(rows, format, (row) => `\`${row}`) },
  {
    name: "no language of fences",
    vary: (rows, { format }) => onFences(rows, format, (row) => row.replace(/\w+$/, "")),
  },
  {
    name: "a fence around a patch",
    vary: (rows, { format }) => (format === "v4a" ? ["```bash", "apply_patch <<'EOF'", ...rows, "EOF", "```"] : rows),
  },
];

const onOldRows = (rows: readonly string[], format: string, draw: Draw, spell: (row: string) => string) =>
  onRows(rows, draw, isOldRow(rows, format), spell);

/** Rows of diffs that stay alone have a mark that may be lost. */
const onStayingRows = (rows: readonly string[], format: string, draw: Draw, spell: (row: string) => string) =>
  format === "v4a" || format === "udiff" ? onRows(rows, draw, (i) => /^ +[^\s+*@-]/.test(rows[i]!), spell) : rows;

function onRows(
  rows: readonly string[],
  draw: Draw,
  holds: (i: number) => boolean,
  spell: (row: string) => string,
): readonly string[] {
  return rows.map((row, i) => (holds(i) && row.trim() !== "" && draw(2) === 0 ? spell(row) : row));
}

/** Which rows are looked for in a file. */
function isOldRow(rows: readonly string[], format: string): (i: number) => boolean {
  if (format === "v4a" || format === "udiff") return (i) => /^[ -]/.test(rows[i]!) && !rows[i]!.startsWith("---");
  if (format !== "search-replace") return () => false;
  const old = new Set<number>();
  let isOld = false;
  for (const [i, row] of rows.entries()) {
    if (/^={5,}\s*$/.test(row)) isOld = false;
    if (isOld) old.add(i);
    if (/^<{5,} SEARCH/.test(row)) isOld = true;
  }
  return (i) => old.has(i);
}

/**
 * Writes the fences around edits differently, where they can be distinguished from those in code.
 */
function onFences(rows: readonly string[], format: string, spell: (row: string) => string): readonly string[] {
  const isFence = (row: string) => /^`{3,}\w*$/.test(row);
  const open = [...rows.keys()].filter((i) => isFence(rows[i]!));
  const isSure = format === "search-replace" ? isOutside(rows) : () => open.length === 2;
  const outside = open.filter(isSure);
  return outside.length % 2 === 0 ? rows.map((row, i) => (outside.includes(i) ? spell(row) : row)) : rows;
}

/** Which rows stand outside of search/replace blocks. */
function isOutside(rows: readonly string[]): (i: number) => boolean {
  const inside = new Set<number>();
  let isInside = false;
  for (const [i, row] of rows.entries()) {
    if (/^<{5,} SEARCH/.test(row)) isInside = true;
    if (isInside) inside.add(i);
    if (/^>{5,} REPLACE/.test(row)) isInside = false;
  }
  return (i) => !inside.has(i);
}

function otherLengths(rows: readonly string[], draw: Draw): readonly string[] {
  const length = 5 + draw(9);
  return rows.map((row) =>
    row.replace(/^([<>=])\1{6}(?= SEARCH| REPLACE|$)/, (_, sign: string) => sign.repeat(length)),
  );
}

function withoutLastMark(rows: readonly string[]): readonly string[] {
  const last = rows.findLastIndex((row) => /^>{7} REPLACE$/.test(row));
  const isEnd = last >= 0 && rows.slice(last + 1).every((row) => row.trim() === "" || /^`{3,}$/.test(row));
  return isEnd ? rows.toSpliced(last, 1) : rows;
}

function emptyHunk(row: string): readonly string[] {
  return /^@@/.test(row) ? ["@@", "", row] : [row];
}

function lastBlockTwice(rows: readonly string[]): readonly string[] {
  const end = rows.findLastIndex((row) => /^>{7} REPLACE$/.test(row));
  const start = rows.findLastIndex((row, i) => i < end && /^<{7} SEARCH$/.test(row));
  return start < 0 ? rows : rows.toSpliced(end + 1, 0, ...rows.slice(start, end + 1));
}

function isPath(row: string, { files }: RecordedAnswer): boolean {
  return files.has(row.trim());
}

function otherPath(row: string, recorded: RecordedAnswer, draw: Draw): string {
  if (!isPath(row, recorded)) return row;
  const path = row.trim();
  const spellings = [
    `\`${path}\``,
    `**${path}**`,
    `### ${path}`,
    `File: ${path}`,
    `"${path}"`,
    `./${path}`,
    path.replaceAll("/", "\\"),
    `${path}:`,
    `# ${path}`,
    `// ${path}`,
    `1. \`${path}\``,
    `Now ${path}:`,
  ];
  return spellings[draw(spellings.length)]!;
}
