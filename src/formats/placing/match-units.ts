import type { IndentUnit } from "./indent-units.ts";

/** Lines and the units that they are split into. */
export interface Units {
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
export function matchUnits(answer: Units, file: Units, isPart: (unit: IndentUnit) => boolean): readonly UnitMatch[] {
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
export type UnitMatch = IndentUnit | "unsure" | undefined;

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
