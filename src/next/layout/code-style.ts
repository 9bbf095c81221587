import { detectIndentUnit } from "../../syntax/index.ts";
import type { Edit } from "../../text/index.ts";

/** The formatting style of a file, in the options that formatters have. */
export interface CodeStyle {
  /** The greatest line width in columns; infinite where there is none. */
  readonly width: number;
  /** One level of indentation: a tab, or a number of spaces. */
  readonly indent: "tab" | number;
  readonly semicolons: boolean;
  readonly singleQuotes: boolean;
  /**
   * Where multi-line lists have trailing commas: nowhere, in arrays and objects, or also after
   * parameters and arguments.
   */
  readonly trailingCommas: "none" | "es5" | "all";
  /** Whether a single parameter of an arrow function is in parentheses. */
  readonly arrowParentheses: boolean;
  /** Whether spaces are inside the braces of an object on one line. */
  readonly bracketSpacing: boolean;
  /** Further options of the project's formatter, by its own names. */
  readonly options?: Readonly<Record<string, unknown>>;
}

/** Line widths that formatters are set to. */
const widths = [80, 100, 120, 140, 160] as const;
/** The least of the line widths that are detected, in columns. */
export const leastWidth = widths[0];
/** The share of the least width that a line must exceed to count. */
const nearShare = 0.85;
/**
 * How many lines must nearly have a width so that the file alone shows it, and how many together
 * with the files beside it.
 */
const enoughNear = 4;
const leastNear = 2;
/** How many breakable lines may exceed a width, for each line that nearly has it. */
const maxOver = 0.05;
/** The columns of a tab, the default of formatters. */
const tabWidth = 2;

/** Texts of neighbouring files, which are read where a file has too few long lines. */
type Beside = () => Iterable<string>;

/**
 * Detects the formatting style of a JavaScript or TypeScript file, by the majority of its lines.
 * Where no line shows a part of it, that is: no line width, two columns of indentation, all
 * trailing commas, and everything else on. `beside` returns texts of neighbouring files, which are
 * read where this one shows too little of its width or commas.
 */
export function codeStyleOf(text: string, beside: Beside = () => []): CodeStyle {
  return {
    ...{ width: lineWidthOf(text, beside), trailingCommas: trailingCommasOf(text, beside) },
    indent: indentOf(text),
    ...lineStyleOf(text),
  };
}

/**
 * Detects the line width of a text in columns; infinite where it has none. A file of short lines
 * does not show its width, so the texts of neighbouring files that `beside` returns are read too.
 */
export function lineWidthOf(text: string, beside: Beside = () => []): number {
  const counts = { over: widths.map(() => 0), near: widths.map(() => 0) };
  const found = () => {
    const index = widths.findIndex((_, i) => counts.near[i]! > 0 && counts.over[i]! <= counts.near[i]! * maxOver);
    return { width: widths[index] ?? Number.POSITIVE_INFINITY, near: counts.near[index] ?? 0 };
  };
  countWidths(text, counts);
  if (found().near < enoughNear) for (const one of beside()) countWidths(one, counts);
  const { width, near } = found();
  return near < leastNear ? Number.POSITIVE_INFINITY : width;
}

/** Counts, by width, the breakable lines that exceed it and the lines that nearly have it. */
function countWidths(text: string, { over, near }: Record<"over" | "near", number[]>): void {
  for (const line of text.split("\n")) {
    const columns = columnsOf(line.trimEnd());
    if (columns <= widths[0] * nearShare) continue;
    const code = line.trim();
    if (isComment(code)) continue;
    for (const [i, most] of widths.entries()) {
      if (columns > most) over[i]! += Number(mayBreak(code));
      else if (columns > (widths[i - 1] ?? most * nearShare)) near[i]!++;
    }
  }
}

function trailingCommasOf(text: string, beside: Beside): CodeStyle["trailingCommas"] {
  const commas = { ")": 0, "]": 0, "}": 0 };
  countCommas(text, commas);
  if (commas[")"] === 0) for (const one of beside()) countCommas(one, commas);
  const literals = commas["]"] + commas["}"];
  if (commas[")"] > 0 || (commas[")"] === 0 && literals === 0)) return "all";
  return literals >= 0 ? "es5" : "none";
}

/**
 * Counts, by closing bracket, how many more multi-line lists have a trailing comma than have none.
 */
function countCommas(text: string, commas: Record<")" | "]" | "}", number>): void {
  let [lastIndent, lastEnd] = [0, ""];
  for (const line of text.split("\n")) {
    const code = line.trim();
    if (code === "" || isComment(code)) continue;
    const indent = line.length - line.trimStart().length;
    const closer = code[0]!;
    if (/[)\]}]/.test(closer) && lastIndent > indent && !/[;{([:]$/.test(lastEnd))
      commas[closer as ")" | "]" | "}"] += lastEnd === "," ? 1 : -1;
    [lastIndent, lastEnd] = [indent, code.at(-1)!];
  }
}

function indentOf(text: string): CodeStyle["indent"] {
  const unit = detectIndentUnit(text);
  return unit?.kind === "tab" ? "tab" : (unit?.size ?? 2);
}

/** The style that single lines show, by majority. */
function lineStyleOf(text: string) {
  const votes = { semicolons: 0, singleQuotes: 0, arrowParentheses: 0, bracketSpacing: 0 };
  for (const line of text.split("\n")) {
    const code = line.trim();
    if (isComment(code)) continue;
    if (/^(?:import|export|const|let|return|throw)\b.*[\w'")\]];?$/.test(code))
      votes.semicolons += code.endsWith(";") ? 1 : -1;
    if (/^[^"']*'[^'"]*'[^"]*$/.test(code)) votes.singleQuotes++;
    else if (/^[^"']*"[^'"]*"[^']*$/.test(code)) votes.singleQuotes--;
    if (/\(\w+\) =>/.test(code)) votes.arrowParentheses++;
    else if (/(?:^|[(,=:?] ?)\w+ =>/.test(code)) votes.arrowParentheses--;
    if (/\{ \w/.test(code)) votes.bracketSpacing++;
    else if (/\{\w/.test(code)) votes.bracketSpacing--;
  }
  return {
    semicolons: votes.semicolons >= 0,
    singleQuotes: votes.singleQuotes >= 0,
    arrowParentheses: votes.arrowParentheses >= 0,
    bracketSpacing: votes.bracketSpacing >= 0,
  };
}

/** Whether a path is a JavaScript or TypeScript file, whose lines are formatted. */
export function isScript(path: string): boolean {
  return /\.[cm]?[jt]sx?$/.test(path);
}

/**
 * Returns the columns of a line: its UTF-16 units, with each tab counted as two, as formatters do.
 */
export function columnsOf(line: string): number {
  let columns = line.length;
  for (const character of line) if (character === "\t") columns += tabWidth - 1;
  return columns;
}

function isComment(code: string): boolean {
  return /^(?:\/[/*]|\*)/.test(code);
}

/**
 * Whether a formatter would break a line that is too long: not where a string, a template literal
 * or a comment makes it so.
 */
function mayBreak(code: string): boolean {
  return !/`|(["'])(?:(?!\1).){16,}\1|\/\/|\/\*|^import\b/.test(code) && /[([{<]/.test(code);
}

/**
 * Whether an edit makes a line longer than `widthOf()` columns where the line was not before, so
 * that a formatter would break it. `widthOf` is called only for a line of more than 80 columns.
 */
export function outgrowsLine(text: string, edit: Edit, widthOf: () => number): boolean {
  for (const [index, { start, end }] of edit.edits.entries()) {
    const from = text.lastIndexOf("\n", start - 1) + 1;
    // A line with several replacements is checked with all of them.
    if (index > 0 && edit.edits[index - 1]!.end >= from) continue;
    const onLine = edit.edits
      .slice(index)
      .filter((one, i, all) => i === 0 || !text.slice(all[0]!.end, one.start).includes("\n"));
    const feed = text.indexOf("\n", Math.max(end, onLine.at(-1)!.end));
    const to = feed < 0 ? text.length : feed;
    let [fresh, at] = ["", from];
    for (const one of onLine) {
      fresh += text.slice(at, one.start) + one.text;
      at = one.end;
    }
    fresh += text.slice(at, to);
    if (longest(fresh) <= leastWidth) continue;
    const width = widthOf();
    if (longest(fresh) > width && longest(text.slice(from, to)) <= width) return true;
  }
  return false;
}

function longest(text: string): number {
  return text.split("\n").reduce((most, line) => Math.max(most, columnsOf(line.trimEnd())), 0);
}
