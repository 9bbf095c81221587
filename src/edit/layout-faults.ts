import { indentationWidth, type Language, Structure } from "../syntax/index.ts";

/**
 * The lines of a text in Python, from 0, that are indented as they must not be: deeper without a reason, not deeper
 * behind a colon, or back to where no block began. Behind the last line where that one ends with a colon. Nothing is
 * found in other languages.
 *
 * Its parser guesses where blocks begin and end and takes many such texts; the language does not. Lines inside
 * brackets and strings, blank ones and those of comments alone are free.
 * Source: the Python Language Reference, 2.1.8, "Indentation".
 */
export function layoutFaults(text: string, language: Language): readonly number[] {
  if (language.id !== "python") return [];
  const faults: number[] = [];
  const levels = [0];
  let wantsBlock = false;
  let after = 0;
  for (const { line, next, indentation, opensBlock } of logicalLines(text, language)) {
    const isDeeper = indentation > levels.at(-1)!;
    while (levels.at(-1)! > indentation) levels.pop();
    if (isDeeper !== wantsBlock || (!isDeeper && indentation !== levels.at(-1))) faults.push(line);
    if (indentation > levels.at(-1)!) levels.push(indentation);
    wantsBlock = opensBlock;
    after = next;
  }
  return wantsBlock ? [...faults, after] : faults;
}

interface LogicalLine {
  /** Where it begins, and the first line behind it, from 0. */
  readonly line: number;
  readonly next: number;
  /** In columns. */
  readonly indentation: number;
  /** Whether it ends with the colon behind which a block begins. */
  readonly opensBlock: boolean;
}

/** The lines as the language counts them: what goes on inside brackets, in a string or behind a backslash is one line. */
function logicalLines(text: string, language: Language): LogicalLine[] {
  const found: LogicalLine[] = [];
  let whole = "";
  let line = 0;
  let next = 0;
  let depth = 0;
  for (const part of withoutLiterals(text, language).split(/\r\n|\n|\r/)) {
    const index = next;
    next += part.split(breakInLiteral).length;
    if (whole === "" && part.trim() === "") continue;
    if (whole === "") line = index;
    whole += part;
    for (const bracket of part.match(/[()[\]{}]/g) ?? [])
      depth = Math.max(0, depth + ("([{".includes(bracket) ? 1 : -1));
    if (depth > 0 || part.trimEnd().endsWith("\\")) continue;
    const indentation = indentationWidth(/^[ \t]*/.exec(whole)![0], tabSize);
    found.push({ line, next, indentation, opensBlock: whole.trimEnd().endsWith(":") });
    whole = "";
  }
  return found;
}

/** The text with blanks for comments, and a letter for each character of a literal, other than line endings. */
function withoutLiterals(text: string, language: Language): string {
  let code = "";
  let from = 0;
  for (const { kind, start, end } of Structure.of(text, language).regions) {
    code += text.slice(from, start);
    if (kind === "comment") code += " ".repeat(end - start);
    else
      code += text
        .slice(start, end)
        .replace(/\r\n|\n|\r/g, breakInLiteral)
        .replace(/[^\0]/g, "x");
    from = end;
  }
  return code + text.slice(from);
}

/** Stands for a line ending that ends no line. */
const breakInLiteral = "\0";

/** As the language counts tabs. */
const tabSize = 8;
