import { isElision } from "../reading/is-elision.ts";
import { type IndentChange, indentOf } from "./indent-change.ts";
import { type IndentUnit, indentUnits, isRemark, type LeftOut } from "./indent-units.ts";

/** A half-open range of line indexes. */
export interface Stretch {
  readonly start: number;
  readonly end: number;
}

/** The lines of an answer with elisions, and those of the file. */
export interface ElidedSides {
  readonly answer: readonly string[];
  readonly file: readonly string[];
  readonly path: string;
  /** Converts indentation of the answer to that of the file. */
  readonly indent: IndentChange;
}

/** The new lines of a stretch of the file, or the row of the answer whose place is ambiguous. */
export type Merged =
  | { readonly kind: "merged"; readonly lines: readonly string[]; readonly lost: readonly LostLines[] }
  | { readonly kind: "unsure"; readonly row: number };

/**
 * Lines of the file that are deleted, because they are between two parts of the answer that has
 * nothing in their place.
 */
export interface LostLines extends Stretch {
  /**
   * Whether the deletion is clearly intended: new code replaces them, or their neighbours are shown
   * unchanged. Lines without a block, such as single statements, count as intended.
   */
  readonly isMeant: boolean;
}

/**
 * Restores left-out lines of an answer from the file.
 *
 * Both stretches are split into units at their least indentation. A unit that is in both is taken
 * from the answer, recursively where lines inside are left out. Units of the file between two such
 * units stay where an elision row represents them; otherwise they are deleted and reported in
 * `lost`. A new unit stays beside the neighbour that no elision row separates it from. Between two
 * elision rows its place is unknown: a block is put after everything that stays, anything else is
 * `unsure`. With `isOpen`, units before the first and after the last matched one always stay. Lines
 * that are nested too deeply are `unsure`, too.
 */
export function mergeElided(
  sides: ElidedSides,
  { answer, file, isOpen = false }: { readonly answer: Stretch; readonly file: Stretch; readonly isOpen?: boolean },
  depth = 0,
): Merged {
  if (depth > deepest) return { kind: "unsure", row: answer.start };
  const items = indentUnits(sides.answer, { ...answer, path: sides.path });
  const units = items.filter((item) => item.kind === "unit");
  const there = indentUnits(sides.file, file).filter((item) => item.kind === "unit");
  const isPart = (unit: IndentUnit) => hasLeftOut(sides, unit);
  const matches = matchUnits({ lines: sides.answer, units }, { lines: sides.file, units: there }, isPart);
  const matchOf = new Map(units.map((unit, i) => [unit, matches[i]]));

  // A new block with the head of a block that also stays would be duplicated.
  const fresh = new Map(
    units
      .filter((unit) => isBlock(unit) && matchOf.get(unit) === undefined)
      .map((unit) => [headOf(sides.answer, unit), unit.start]),
  );

  const out: string[] = [];
  const lost: LostLines[] = [];
  let beside: Neighbour = edge;
  let next = 0;
  // An open answer without an elision row before or after everything leaves that part as it is.
  const isOut = ({ kind }: IndentUnit | LeftOut) => kind === "left-out";
  const isMatched = (item: IndentUnit | LeftOut) => item.kind === "unit" && matchOf.get(item) !== undefined;
  const firstMatch = items.findIndex(isMatched);
  const elidesFront = items.slice(0, Math.max(0, firstMatch)).some(isOut);
  const elidesBack = items.slice(items.findLastIndex(isMatched) + 1).some(isOut);
  const rest: LeftOut = { kind: "left-out", blanks: 0, start: answer.start };
  let gap: (IndentUnit | LeftOut)[] = isOpen && firstMatch >= 0 && !elidesFront ? [rest] : [];
  const closeGap = (until: number): number | undefined => {
    const kept = there.slice(next, until);
    const isKept = gap.some(isOut);
    const twice = isKept ? kept.find((unit) => isBlock(unit) && fresh.has(headOf(sides.file, unit))) : undefined;
    if (twice !== undefined) return fresh.get(headOf(sides.file, twice));
    const stretch = fillGap(sides, gap, kept);
    if (typeof stretch === "number") return stretch;
    out.push(...stretch);
    gap = [];
    return undefined;
  };
  for (const item of items) {
    const match = item.kind === "unit" ? matchOf.get(item) : undefined;
    if (item.kind === "left-out" || match === undefined) {
      gap.push(item);
      continue;
    }
    if (match === "unsure") return { kind: "unsure", row: item.start };
    const index = there.indexOf(match);
    const isKept = gap.some(isOut);
    const hole = { units: there.slice(next, index), gap };
    const unsure = closeGap(index);
    if (unsure !== undefined) return { kind: "unsure", row: unsure };
    const merged = mergeUnit(sides, item, match, depth);
    if (merged.kind === "unsure") return merged;
    const behind = neighbour(sides, match, merged.lines);
    lost.push(...lostIn(sides, hole, [beside, behind]), ...merged.lost);
    beside = behind;
    out.push(...blankLines(isKept || item.start === answer.start ? match.blanks : item.blanks), ...merged.lines);
    next = index + 1;
  }
  if (isOpen && firstMatch >= 0 && !elidesBack) gap.push(rest);
  lost.push(...lostIn(sides, { units: there.slice(next), gap }, [beside, edge]));
  const unsure = closeGap(there.length);
  if (unsure !== undefined) return { kind: "unsure", row: unsure };
  return { kind: "merged", lines: [...out, ...blankLines(blanksBefore(sides.file, file.end, file.start))], lost };
}

/** A neighbour of units of the file that the answer lacks. */
interface Neighbour {
  /** Whether it is unchanged. */
  readonly isSame: boolean;
  /** Whether it has more than one line, so that it was shown deliberately. */
  readonly isBlock: boolean;
}

/** The first or last line of the enclosing unit. */
const edge: Neighbour = { isSame: true, isBlock: false };

function neighbour({ file }: ElidedSides, unit: IndentUnit, lines: readonly string[]): Neighbour {
  const old = file.slice(unit.leadStart, unit.end);
  const isSame = old.length === lines.length && old.every((line, i) => line === lines[i]);
  return { isSame, isBlock: isBlock(unit) };
}

function headOf(lines: readonly string[], { start }: IndentUnit): string {
  return lines[start]!.trim();
}

function isBlock({ start, end }: IndentUnit): boolean {
  return end - start > 1;
}

/** The units in a hole whose first lines are nowhere in the answer. */
function lostIn(
  { answer, file }: ElidedSides,
  { units, gap }: { readonly units: readonly IndentUnit[]; readonly gap: readonly (IndentUnit | LeftOut)[] },
  beside: readonly [Neighbour, Neighbour],
): readonly LostLines[] {
  if (units.length === 0 || gap.some(({ kind }) => kind === "left-out")) return [];
  const heads = new Set(answer.map((line) => line.trim()));
  const lost = units.filter(({ start }) => !heads.has(file[start]!.trim()));
  const blocks = lost.filter(isBlock).length;
  const fresh = gap.filter((unit) => isBlock(unit as IndentUnit)).length;
  const isShown = beside.every(({ isSame }) => isSame) || beside.some((one) => one.isSame && one.isBlock);
  const isMeant = blocks <= fresh || isShown;
  return lost.map(({ leadStart, end }) => ({ start: leadStart, end, isMeant }));
}

/** The lines between two matched units, or the row whose place is ambiguous. */
function fillGap(
  sides: ElidedSides,
  gap: readonly (IndentUnit | LeftOut)[],
  kept: readonly IndentUnit[],
): readonly string[] | number {
  const rows = gap.flatMap((item, i) => (item.kind === "left-out" ? [i] : []));
  const [first, last] = [rows[0], rows.at(-1)];
  if (first === undefined || last === undefined) return gap.flatMap((unit) => newUnit(sides, unit as IndentUnit));
  const inside = gap.slice(first, last).filter((item) => item.kind === "unit");
  const strange = inside.find((unit) => kept.length > 0 && unit.end - unit.start < 2);
  if (strange !== undefined) return strange.start;
  const front = gap.slice(0, first) as readonly IndentUnit[];
  const back = [...inside, ...(gap.slice(last + 1) as readonly IndentUnit[])];
  const stay = kept.flatMap((unit, i) => {
    const blanks = i === 0 && front.length > 0 ? Math.max(unit.blanks, gap[first]!.blanks) : unit.blanks;
    return [...blankLines(blanks), ...sides.file.slice(unit.leadStart, unit.end)];
  });
  return [...front.flatMap((unit) => newUnit(sides, unit)), ...stay, ...back.flatMap((unit) => newUnit(sides, unit))];
}

function newUnit(sides: ElidedSides, unit: IndentUnit): readonly string[] {
  return [...blankLines(unit.blanks), ...written(sides, unit.leadStart, unit.end)];
}

/** Merges a unit that is in both. */
function mergeUnit(sides: ElidedSides, unit: IndentUnit, match: IndentUnit, depth: number): Merged {
  // Comments that the answer does not repeat are kept.
  const lead = sides.file.slice(match.leadStart, match.start);
  const newLead = written(sides, unit.leadStart, unit.start);
  const keptLead = newLead.some(isRemark) ? [] : lead.filter((line) => isRemark(line) || newLead.length === 0);
  const front = [...keptLead, ...newLead];
  if (!hasLeftOut(sides, unit)) {
    const lost = lostMembers(sides, unit, match, depth);
    return { kind: "merged", lines: [...front, ...written(sides, unit.start, unit.end)], lost };
  }
  // Merges the lines at the unit's own indentation, and the stretches between them, one by one.
  const spine = spineOf(sides.answer, unit);
  const otherSpine = spineOf(sides.file, match);
  if (spine.length !== otherSpine.length) return { kind: "unsure", row: unit.start };
  const lines = [...front];
  const lost: LostLines[] = [];
  for (const [i, row] of spine.entries()) {
    lines.push(...written(sides, row, row + 1));
    const answer = { start: row + 1, end: spine[i + 1] ?? unit.end };
    const file = { start: otherSpine[i]! + 1, end: otherSpine[i + 1] ?? match.end };
    if (!hasLeftOut(sides, answer)) {
      lines.push(...written(sides, answer.start, answer.end));
      continue;
    }
    const merged = mergeElided(sides, { answer, file }, depth + 1);
    if (merged.kind === "unsure") return merged;
    lines.push(...merged.lines);
    lost.push(...merged.lost);
  }
  return { kind: "merged", lines, lost };
}

/**
 * The members, such as methods, that a rewritten class lacks; in other code the lines are reliable.
 */
function lostMembers(sides: ElidedSides, unit: IndentUnit, match: IndentUnit, depth: number): readonly LostLines[] {
  if (!holdsMembers.test(sides.file[match.start]!)) return [];
  const inside = (lines: readonly string[], { start, end }: IndentUnit): Stretch => {
    const [, last = end] = spineOf(lines, { start, end });
    return { start: start + 1, end: last };
  };
  const stretches = { answer: inside(sides.answer, unit), file: inside(sides.file, match) };
  const merged = mergeElided(sides, stretches, depth + 1);
  return merged.kind === "unsure" ? [] : merged.lost.filter(({ start, end }) => end - start > 1);
}

/** Matches the first line of a class or a similar unit with members. */
const holdsMembers =
  /^\s*(?:[\w()]+\s+)*(?:class|interface|impl|trait|module|namespace|struct|object|extension|protocol|mixin|record)\b(?!\s*[(=.,:])/;

/**
 * The indexes of the lines of a unit that are indented like its first line, or less. Blank lines
 * and, after the first line, elision rows are left out.
 */
export function spineOf(lines: readonly string[], { start, end }: Stretch): readonly number[] {
  const base = indentOf(lines[start]!).length;
  const spine: number[] = [];
  for (let i = start; i < end; i++) {
    if (lines[i]!.trim() !== "" && indentOf(lines[i]!).length <= base && !(i > start && isElision(lines[i]!)))
      spine.push(i);
  }
  return spine;
}

function hasLeftOut({ answer, path }: ElidedSides, { start, end }: Stretch): boolean {
  for (let i = start; i < end; i++) if (isElision(answer[i]!, path)) return true;
  return false;
}

/** The most nesting levels that are processed. */
export const deepest = 100;

/** Lines of the answer, with the indentation of the file. */
function written({ answer, indent }: ElidedSides, start: number, end: number): readonly string[] {
  return answer.slice(start, end).map((line) => {
    const old = indentOf(line);
    return line.trim() === "" ? line : (indent(old) ?? old) + line.slice(old.length);
  });
}

/** So many blank lines. */
export function blankLines(count: number): readonly string[] {
  return Array.from({ length: count }, () => "");
}

function blanksBefore(lines: readonly string[], end: number, start: number): number {
  let count = 0;
  while (end - count > start && lines[end - count - 1]!.trim() === "") count++;
  return count;
}

/** Lines and the units that they are split into. */
interface Units {
  readonly lines: readonly string[];
  readonly units: readonly IndentUnit[];
}

/**
 * Matches units of an answer to the units of the file that they replace: `undefined` for a new
 * unit, `"unsure"` where another unit in the same place matches nearly as well. Both orders are
 * kept.
 *
 * Two units match when their first lines are equal, or when one first line has all words of the
 * other and most other lines are equal. The pairing with the greatest total similarity is chosen.
 * `isPart` is whether lines inside of an answer's unit are left out. Inputs that are too large to
 * compare have no matches.
 */
function matchUnits(answer: Units, file: Units, isPart: (unit: IndentUnit) => boolean): readonly UnitMatch[] {
  const { units } = answer;
  const others = file.units;
  if (units.length * others.length > mostPairs) return units.map(() => undefined);
  const bags = others.map((unit) => bagOf(file.lines, unit));
  const width = others.length + 1;
  const scores = new Float64Array(units.length * others.length);
  for (const [i, unit] of units.entries()) {
    const bag = bagOf(answer.lines, unit);
    for (const [j, other] of others.entries()) {
      const score = likeness(answer.lines[unit.start]!, file.lines[other.start]!, bag, bags[j]!, isPart(unit));
      scores[i * others.length + j] = score >= enough ? score : 0;
    }
  }
  // The best total of pairs among the first i and j units.
  const best = new Float64Array((units.length + 1) * width);
  for (let i = 1; i <= units.length; i++) {
    for (let j = 1; j <= others.length; j++) {
      const pair = best[(i - 1) * width + j - 1]! + scores[(i - 1) * others.length + j - 1]!;
      best[i * width + j] = Math.max(pair, best[(i - 1) * width + j]!, best[i * width + j - 1]!);
    }
  }
  const paired = units.map(() => -1);
  for (let i = units.length, j = others.length; i > 0 && j > 0; ) {
    const score = scores[(i - 1) * others.length + j - 1]!;
    const here = best[i * width + j]!;
    if (score > 0 && here === best[(i - 1) * width + j - 1]! + score) paired[--i] = --j;
    else if (here === best[(i - 1) * width + j]!) i--;
    else j--;
  }
  return paired.map((j, i): UnitMatch => {
    if (j < 0) return undefined;
    const from = paired.slice(0, i).findLast((one) => one >= 0) ?? -1;
    const to = paired.slice(i + 1).find((one) => one >= 0) ?? others.length;
    const score = scores[i * others.length + j]!;
    for (let other = from + 1; other < to; other++) {
      if (other !== j && scores[i * others.length + other]! > score - margin) return "unsure";
    }
    return others[j]!;
  });
}

/** The matching unit of the file. */
type UnitMatch = IndentUnit | "unsure" | undefined;

/** The similarity that two units need, from 0 to 1. */
const enough = 0.5;
/** How much more similar the best match must be than another unit in the same place. */
const margin = 0.1;
const mostPairs = 4e6;

/** The lines of a unit after its first one, trimmed, with their counts. */
function bagOf(lines: readonly string[], unit: IndentUnit): ReadonlyMap<string, number> {
  const bag = new Map<string, number>();
  for (let i = unit.start + 1; i < unit.end; i++) {
    const line = lines[i]!.trim();
    if (/\w/.test(line)) bag.set(line, (bag.get(line) ?? 0) + 1);
  }
  return bag;
}

function likeness(
  first: string,
  other: string,
  bag: ReadonlyMap<string, number>,
  otherBag: ReadonlyMap<string, number>,
  isPart: boolean,
): number {
  const heads = headLikeness(first.trim(), other.trim());
  const [size, otherSize] = [sizeOf(bag), sizeOf(otherBag)];
  if (size === 0 && otherSize === 0) return heads;
  let shared = 0;
  for (const [line, count] of bag) shared += Math.min(count, otherBag.get(line) ?? 0);
  // Left-out lines cannot be shared.
  const bodies = isPart ? shared / Math.max(1, size) : (2 * shared) / (size + otherSize);
  return heads / 2 + bodies / 2;
}

/** 1 for equal lines, less where one has all words of the other, 0 otherwise. */
function headLikeness(a: string, b: string): number {
  if (a === b) return 1;
  const [words, others] = [new Set(a.match(/\w+/g)), new Set(b.match(/\w+/g))];
  const [fewer, more] = words.size < others.size ? [words, others] : [others, words];
  if (fewer.size === 0 || ![...fewer].every((word) => more.has(word))) return 0;
  return fewer.size === 1 ? 0.4 : 0.8;
}

function sizeOf(bag: ReadonlyMap<string, number>): number {
  let size = 0;
  for (const count of bag.values()) size += count;
  return size;
}
