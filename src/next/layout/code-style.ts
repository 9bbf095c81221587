import { detectIndentUnit } from "../../syntax/index.ts";

/** How a file's code is laid out, as far as formatters let people choose. */
export interface CodeStyle {
  /** The width that lines keep to, in columns; infinite where they keep to none. */
  readonly width: number;
  /** One step of indentation: a tab, or that many blanks. */
  readonly indent: "tab" | number;
  readonly semicolons: boolean;
  readonly singleQuotes: boolean;
  /** Where commas stand behind the last of things on lines of their own: nowhere, in arrays and objects, or also behind parameters and arguments. */
  readonly trailingCommas: "none" | "es5" | "all";
  /** Whether the only parameter of an arrow function is in parentheses. */
  readonly arrowParentheses: boolean;
  /** Whether blanks stand inside the braces of an object on one line. */
  readonly bracketSpacing: boolean;
}

/** Widths that formatters are set to, and the least of them. */
const widths = [80, 100, 120, 140, 160] as const;
export const leastWidth = widths[0];
/** Which part of the least width one line at least reaches where people keep to it. */
const nearShare = 0.85;
/** How many lines nearly have a width where a file tells by itself that it keeps to it, and how many at the least do so with those beside it. */
const enoughNear = 4;
const leastNear = 2;
/** How many lines that could be broken may be longer than a width, for each that nearly has it. */
const maxOver = 0.05;
/** How wide a tab is, as formatters count unless told. */
const tabWidth = 2;

/** Texts of files beside one, which are asked for what it does not tell. */
type Beside = () => Iterable<string>;

/** How a file of JavaScript or its kin is laid out, by what most of its lines do. */
export function codeStyleOf(text: string, beside: Beside = () => []): CodeStyle {
  return {
    ...{ width: lineWidthOf(text, beside), trailingCommas: trailingCommasOf(text, beside) },
    indent: indentOf(text),
    ...habitsOf(text),
  };
}

/** The width that a text's lines keep to, in columns; infinite where they keep to none. A file of short lines does not tell how long they might be. */
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

/** Counts, by width, lines that could be broken and are longer, and lines that nearly have it. */
function countWidths(text: string, { over, near }: Record<"over" | "near", number[]>): void {
  for (const line of text.split("\n")) {
    const columns = columnsOf(line.trimEnd());
    if (columns <= widths[0] * nearShare) continue;
    const said = line.trim();
    if (isComment(said)) continue;
    for (const [i, most] of widths.entries()) {
      if (columns > most) over[i]! += Number(mayBreak(said));
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

/** Counts, by the bracket that closes them, how many more lists on lines of their own end with a comma than do not. */
function countCommas(text: string, commas: Record<")" | "]" | "}", number>): void {
  let [lastIndent, lastEnd] = [0, ""];
  for (const line of text.split("\n")) {
    const said = line.trim();
    if (said === "" || isComment(said)) continue;
    const indent = line.length - line.trimStart().length;
    const closer = said[0]!;
    if (/[)\]}]/.test(closer) && lastIndent > indent && !/[;{([:]$/.test(lastEnd))
      commas[closer as ")" | "]" | "}"] += lastEnd === "," ? 1 : -1;
    [lastIndent, lastEnd] = [indent, said.at(-1)!];
  }
}

function indentOf(text: string): CodeStyle["indent"] {
  const unit = detectIndentUnit(text);
  return unit?.kind === "tab" ? "tab" : (unit?.size ?? 2);
}

/** What one line tells by itself, by most of them. */
function habitsOf(text: string) {
  const votes = { semicolons: 0, singleQuotes: 0, arrowParentheses: 0, bracketSpacing: 0 };
  for (const line of text.split("\n")) {
    const said = line.trim();
    if (isComment(said)) continue;
    if (/^(?:import|export|const|let|return|throw)\b.*[\w'")\]];?$/.test(said))
      votes.semicolons += said.endsWith(";") ? 1 : -1;
    if (/^[^"]*'[^'"]*'[^"]*$/.test(said)) votes.singleQuotes++;
    else if (/^[^']*"[^'"]*"[^']*$/.test(said)) votes.singleQuotes--;
    if (/\(\w+\) =>/.test(said)) votes.arrowParentheses++;
    else if (/(?:^|[(,=:?] ?)\w+ =>/.test(said)) votes.arrowParentheses--;
    if (/\{ \w/.test(said)) votes.bracketSpacing++;
    else if (/\{\w/.test(said)) votes.bracketSpacing--;
  }
  return {
    semicolons: votes.semicolons >= 0,
    singleQuotes: votes.singleQuotes >= 0,
    arrowParentheses: votes.arrowParentheses >= 0,
    bracketSpacing: votes.bracketSpacing >= 0,
  };
}

/** Whether a file is of JavaScript or its kin, whose lines are laid out. */
export function isScript(path: string): boolean {
  return /\.[cm]?[jt]sx?$/.test(path);
}

/** The columns of a line, a tab counted as formatters do. */
export function columnsOf(line: string): number {
  let columns = line.length;
  for (const character of line) if (character === "\t") columns += tabWidth - 1;
  return columns;
}

function isComment(said: string): boolean {
  return /^(?:\/[/*]|\*)/.test(said);
}

/** Whether a formatter would break a line that is too long: not where a string, a template or a comment makes it so. */
function mayBreak(said: string): boolean {
  return !/`|(["'])(?:(?!\1).){16,}\1|\/\/|\/\*|^import\b/.test(said) && /[([{<]/.test(said);
}
