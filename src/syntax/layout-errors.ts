import type { Language } from "../languages/index.ts";
import { Lines, type TextRange } from "../text/index.ts";
import { indentationAt, indentationWidth } from "./indentation.ts";
import { Structure } from "./structure.ts";
import type { SyntaxDiagnostic } from "./syntax-diagnostic.ts";

/**
 * The indentation errors of a Python text, in the order of the text: unexpected indentation, a
 * depth of no block around, and a missing block (an empty range). They are checked here because the
 * grammar accepts any indentation.
 *
 * A text with an unmatched bracket has no layout errors, since the starts of its statements are
 * unknown. Source: The Python Language Reference, 2.1.8 "Indentation".
 */
export function layoutErrors(text: string, language: Language): SyntaxDiagnostic[] {
  const structure = Structure.of(text, language);
  if (structure.unmatched.length > 0) return [];
  const errors: SyntaxDiagnostic[] = [];
  const levels = [0];
  let header: LogicalLine | undefined;
  for (const line of logicalLines(text, structure)) {
    const deepest = levels.at(-1)!;
    if (line.width > deepest) {
      if (header === undefined) errors.push(unexpected(line, "Unexpected indentation"));
      levels.push(line.width);
    } else if (header !== undefined) errors.push(missingBlock(header));
    while (line.width < levels.at(-1)!) levels.pop();
    if (line.width > levels.at(-1)!) {
      errors.push(unexpected(line, "Indented like none of the blocks around"));
      levels.push(line.width);
    }
    header = line.isHeader ? line : undefined;
  }
  return header === undefined ? errors : [...errors, missingBlock(header)];
}

/** A statement, or the header of one, with all its lines. */
interface LogicalLine {
  /** Its code on its first line. */
  readonly range: TextRange;
  /** The columns of its indentation. */
  readonly width: number;
  /** The end of its code. */
  readonly end: number;
  /** Whether a block has to follow. */
  readonly isHeader: boolean;
}

/** The tab stops of Python. */
const tabSize = 8;

function logicalLines(text: string, structure: Structure): LogicalLine[] {
  const lines = Lines.of(text);
  const comments = structure.regions.filter(({ kind }) => kind === "comment");
  const inside = outermost(structure);
  const found: LogicalLine[] = [];
  let goesOn = false;
  let comment = 0;
  let span = 0;
  for (let index = 0; index < lines.count; index++) {
    const start = lines.start(index);
    while (comment < comments.length && comments[comment]!.start < start) comment++;
    while (span < inside.length && inside[span]!.end <= start) span++;
    const codeEnd = Math.min(lines.end(index), comments[comment]?.start ?? text.length);
    const code = text.slice(start, codeEnd).trimEnd();
    const isInside = inside[span] !== undefined && inside[span]!.start < start;
    if (isInside || goesOn) {
      const last = found.at(-1);
      if (last !== undefined && code.trim() !== "")
        found[found.length - 1] = { ...last, end: start + code.length, isHeader: code.endsWith(":") };
    } else if (code.trim() !== "") {
      const indentation = indentationAt(text, start);
      found.push({
        range: { start: start + indentation.length, end: start + code.length },
        width: indentationWidth(indentation, tabSize),
        end: start + code.length,
        isHeader: code.endsWith(":"),
      });
    }
    goesOn = code.endsWith("\\");
  }
  return found;
}

/**
 * The ranges in which a line break ends no statement, without nested ones: literals and the
 * contents of brackets.
 */
function outermost(structure: Structure): TextRange[] {
  const literals = structure.regions.filter(({ kind }) => kind !== "comment");
  const bracketed = structure.brackets.flatMap(({ offset, partner }) =>
    partner !== undefined && partner > offset ? [{ start: offset, end: partner + 1 }] : [],
  );
  const found: { start: number; end: number }[] = [];
  for (const { start, end } of [...literals, ...bracketed].sort((a, b) => a.start - b.start)) {
    const last = found.at(-1);
    if (last === undefined || start >= last.end) found.push({ start, end });
    else last.end = Math.max(last.end, end);
  }
  return found;
}

function unexpected({ range }: LogicalLine, message: string): SyntaxDiagnostic {
  return { code: "unexpected", ...range, message };
}

function missingBlock({ end }: LogicalLine): SyntaxDiagnostic {
  return { code: "missing", start: end, end, message: "Missing an indented block" };
}
