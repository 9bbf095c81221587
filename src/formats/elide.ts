import { diffSequences } from "../text/index.ts";
import { indentOf } from "./placing/indent-change.ts";
import { type IndentUnit, indentUnits } from "./placing/indent-units.ts";
import { type Stretch, spineOf } from "./placing/merge-elided.ts";

/** The options of {@link elide}. */
export interface ElideOptions {
  /** The row that represents unchanged lines, without its indentation. */
  readonly row: string;
  /**
   * The nesting depth down to which lines may be left out: 0 for whole units at the top level only.
   */
  readonly depth: number;
}

/**
 * Returns the lines of `after`, with one row in place of stretches that did not change.
 *
 * Each change is shown with a neighbouring unit on either side, which identifies its place.
 */
export function elide(before: readonly string[], after: readonly string[], options: ElideOptions): readonly string[] {
  const whole = (lines: readonly string[]): Stretch => ({ start: 0, end: lines.length });
  return elideStretch({ before, after, ...options }, { before: whole(before), after: whole(after) }, options.depth);
}

interface Sides {
  readonly before: readonly string[];
  readonly after: readonly string[];
  readonly row: string;
}

interface Stretches {
  readonly before: Stretch;
  readonly after: Stretch;
}

function elideStretch(sides: Sides, at: Stretches, depth: number): readonly string[] {
  const old = unitsOf(sides.before, at.before);
  const units = unitsOf(sides.after, at.after);
  const textOf = (lines: readonly string[]) => (unit: IndentUnit) => lines.slice(unit.leadStart, unit.end).join("\n");
  const changes = diffSequences(old.map(textOf(sides.before)), units.map(textOf(sides.after)));
  const out: string[] = [];
  let passed = 0;
  for (const { beforeStart, beforeEnd, afterStart, afterEnd } of changes) {
    const isPair = beforeEnd - beforeStart === 1 && afterEnd - afterStart === 1;
    const found = isPair ? { before: old[beforeStart]!, after: units[afterStart]! } : undefined;
    // A changed unit whose first line stays identifies its place itself.
    const pair = found !== undefined && hasSameHead(sides, found) ? found : undefined;
    const from = Math.max(passed, pair === undefined ? afterStart - 1 : afterStart);
    if (from > passed) out.push(...leftOut(sides, units[passed]!));
    for (const unit of units.slice(from, afterStart)) out.push(...kept(sides, unit, depth));
    if (pair !== undefined && depth > 0 && pair.after.end - pair.after.start > 4) {
      out.push(...elidePair(sides, pair, depth));
    } else {
      for (const unit of units.slice(afterStart, afterEnd)) out.push(...written(sides, unit));
    }
    passed = afterEnd;
    // The following neighbour marks the end of a deletion or an insertion.
    const [next] = units.slice(passed);
    if (next !== undefined && pair === undefined) {
      out.push(...kept(sides, next, depth));
      passed++;
    }
  }
  if (passed < units.length) out.push(...leftOut(sides, units[passed]!));
  return out;
}

/** The lines of a unit of which only some inner lines change. */
function elidePair(
  sides: Sides,
  { before, after }: { readonly before: IndentUnit; readonly after: IndentUnit },
  depth: number,
): readonly string[] {
  const spine = spineOf(sides.after, after);
  const otherSpine = spineOf(sides.before, before);
  if (spine.length !== otherSpine.length) return written(sides, after);
  const out = [...blankLines(after.blanks), ...sides.after.slice(after.leadStart, after.start)];
  for (const [i, line] of spine.entries()) {
    out.push(sides.after[line]!);
    const inner = { start: line + 1, end: spine[i + 1] ?? after.end };
    const otherInner = { start: otherSpine[i]! + 1, end: otherSpine[i + 1] ?? before.end };
    const lines = sides.after.slice(inner.start, inner.end);
    const same = lines.join("\n") === sides.before.slice(otherInner.start, otherInner.end).join("\n");
    if (same) out.push(...(lines.length > 2 ? [indentOf(firstText(lines)) + sides.row] : lines));
    else out.push(...elideStretch(sides, { before: otherInner, after: inner }, depth - 1));
  }
  return out;
}

/**
 * The lines of a neighbouring unit: all of them, or only the first and last lines of a long one.
 */
function kept(sides: Sides, unit: IndentUnit, depth: number): readonly string[] {
  const spine = spineOf(sides.after, unit);
  const [first, last] = spine;
  const isLong = depth > 0 && spine.length === 2 && unit.end - unit.start > 5 && last === unit.end - 1;
  if (!isLong) return written(sides, unit);
  const row = indentOf(firstText(sides.after.slice(first! + 1, last))) + sides.row;
  return [...blankLines(unit.blanks), ...sides.after.slice(unit.leadStart, unit.start + 1), row, sides.after[last!]!];
}

function leftOut({ after, row }: Sides, unit: IndentUnit): readonly string[] {
  return [...blankLines(unit.blanks), indentOf(after[unit.start]!) + row];
}

function written({ after }: Sides, unit: IndentUnit): readonly string[] {
  return [...blankLines(unit.blanks), ...after.slice(unit.leadStart, unit.end)];
}

function hasSameHead(
  sides: Sides,
  { before, after }: { readonly before: IndentUnit; readonly after: IndentUnit },
): boolean {
  return sides.before[before.start] === sides.after[after.start] && after.end - after.start > 1;
}

function unitsOf(lines: readonly string[], stretch: Stretch): readonly IndentUnit[] {
  return indentUnits(lines, stretch).filter((item) => item.kind === "unit");
}

function firstText(lines: readonly string[]): string {
  return lines.find((line) => line.trim() !== "") ?? "";
}

function blankLines(count: number): readonly string[] {
  return Array.from({ length: count }, () => "");
}
