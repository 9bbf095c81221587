import { isElision } from "../reading/is-elision.ts";
import { indentOf } from "./indent-change.ts";

/**
 * Consecutive lines that belong together by indentation and closers: a statement, a method, an
 * element.
 */
export interface IndentUnit {
  readonly kind: "unit";
  /** The number of blank lines before it. */
  readonly blanks: number;
  /** The index of the first comment or decorator directly before it. */
  readonly leadStart: number;
  /** The indexes of its first line and after its last one. */
  readonly start: number;
  readonly end: number;
}

/** A row that represents left-out lines. */
export interface LeftOut {
  readonly kind: "left-out";
  readonly blanks: number;
  readonly start: number;
}

/**
 * Splits the lines from `start` up to `end` into units at their least indentation.
 *
 * A line with more indentation belongs to the one above it, and so does a line that begins with a
 * closer or a continuation, such as `}`, `</div>` or `else`. With a `path`, elision rows are items
 * of their own, unless they are inside of a unit, whatever their indentation.
 */
export function indentUnits(
  lines: readonly string[],
  { start, end, path }: { readonly start: number; readonly end: number; readonly path?: string | undefined },
): readonly (IndentUnit | LeftOut)[] {
  const isOut = (line: string) => path !== undefined && isElision(line, path);
  let base = Number.POSITIVE_INFINITY;
  for (let i = start; i < end; i++) {
    if (lines[i]!.trim() !== "" && !isOut(lines[i]!)) base = Math.min(base, indentOf(lines[i]!).length);
  }
  const belongs = (line: string) => indentOf(line).length > base || closer.test(line.trim());
  // Whether the first actual line from `i` on belongs to the unit above it.
  const goesOn = (i: number): boolean => {
    while (i < end && (lines[i]!.trim() === "" || isOut(lines[i]!))) i++;
    return i < end && belongs(lines[i]!);
  };
  const units: (Mutable<IndentUnit> | LeftOut)[] = [];
  let blanks = 0;
  for (let i = start; i < end; i++) {
    const line = lines[i]!;
    const last = units.at(-1);
    if (line.trim() === "") {
      blanks++;
    } else if (isOut(line) && !(last?.kind === "unit" && (indentOf(line).length > base || goesOn(i + 1)))) {
      units.push({ kind: "left-out", blanks, start: i });
      blanks = 0;
    } else if (last?.kind === "unit" && (belongs(line) || isOut(line))) {
      last.end = i + 1;
      blanks = 0;
    } else {
      units.push({ kind: "unit", blanks, leadStart: i, start: i, end: i + 1 });
      blanks = 0;
    }
  }
  return joinLeads(units, lines);
}

/**
 * Whether a line begins, after its indentation, with a comment of a common language. A `#` counts,
 * except that of attributes and directives such as `#[test]` and `#include`.
 */
export function isRemark(line: string): boolean {
  return /^(?:\/\/|\/\*|<!--|--\s|#(?![[!]|include\b|define\b|if|end|else|pragma\b|region\b)|;;|%\s)/.test(line.trim());
}

const closer =
  /^(?:[}\])]|<\/|\/>|>$|\*\/|end\b|fi\b|done\b|esac\b|else\b|elif\b|elsif\b|elseif\b|except\b|finally\b|catch\b|rescue\b|ensure\b)/;

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

/** Joins comments and decorators with the unit that directly follows them. */
function joinLeads(
  units: readonly (IndentUnit | LeftOut)[],
  lines: readonly string[],
): readonly (IndentUnit | LeftOut)[] {
  const joined: (IndentUnit | LeftOut)[] = [];
  for (const unit of units) {
    const last = joined.at(-1);
    const isLed = unit.kind === "unit" && last?.kind === "unit" && unit.blanks === 0 && isLead(lines[last.start]!);
    if (isLed) joined[joined.length - 1] = { ...unit, blanks: last.blanks, leadStart: last.leadStart };
    else joined.push(unit);
  }
  return joined;
}

function isLead(line: string): boolean {
  return isRemark(line) || /^(?:@|#\[|\[[A-Z]\w*[(\]])/.test(line.trim());
}
