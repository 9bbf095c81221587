import { type LineSplice, wordsOf } from "../formats/index.ts";
import type { BoundaryCandidate } from "./boundary-candidates.ts";
import { indentationOf, type LineHabits } from "./line-habits.ts";
import { hasWord, type LineLikeness, lineWeight } from "./line-likeness.ts";

/** What speaks for or against a candidate: one number each, see {@link boundaryTraits}. */
export type BoundaryTraits = Readonly<Record<TraitName, number>>;

/** The names of the traits, each in one line. */
export type TraitName =
  /** How much of what is replaced comes again in the new lines, line by line and in order. */
  | "likeness"
  /** How many of the words that are replaced stand in the new lines, wherever. */
  | "reuse"
  /** How much is replaced. */
  | "removal"
  /** How alike the first lines are, and the last ones. */
  | "edgeLikeness"
  /** Whether the first lines are indented alike, and the last ones. */
  | "edgeIndentation"
  /** At how many edges a blank line replaces one that is not, or the other way round. */
  | "edgeBlankness"
  /** How usual the meeting lines at both junctions are in this file, as logarithms. */
  | "habit"
  /** At how many junctions the indentation grows behind a line that opens nothing. */
  | "jump"
  /** At how many edges a line with words repeats its neighbour. */
  | "echoLeft"
  /** How much the repeated lines tell that do not come twice any more, one at each edge. */
  | "echoResolved"
  /** Whether both ends were missed in different ways. */
  | "twoCauses"
  /** Whether an end of a range moves although a repeated line at the other one explains all. */
  | "needlessMove"
  /** Whether the range moves as a whole. */
  | "shift"
  /** Whether anything is two lines off. */
  | "far"
  /** Whether nothing is replaced. */
  | "insertion"
  /** How alike what is inserted and the lines around it are, which is a reason for it to be like others nearby. */
  | "neighbourLikeness";

/** A file, and the lines that are to go into it. */
export interface TraitContext {
  readonly lines: readonly string[];
  readonly habits: LineHabits;
  readonly likeness: LineLikeness;
}

/** The traits of one candidate. */
export function boundaryTraits(candidate: BoundaryCandidate, context: TraitContext): BoundaryTraits {
  const { splice, startMove, endMove, leftOutFirst, leftOutLast, resolvedFirst, resolvedLast } = candidate;
  const { lines, habits, likeness } = context;
  const fresh = clipped(splice.lines);
  const removed = clipped(lines.slice(splice.start, splice.end));
  const isInsertion = splice.start === splice.end;
  const isShift = startMove === endMove && startMove !== 0;
  const isNeedless = (resolvedFirst !== undefined && endMove !== 0) || (resolvedLast !== undefined && startMove !== 0);
  return {
    likeness: alignment(removed, fresh, likeness),
    reuse: reuse(removed, fresh),
    removal: sum(removed.map(lineWeight)),
    ...edgeTraits(removed, fresh, likeness),
    habit: habit(splice, lines, habits),
    jump: jumps(splice, lines),
    echoLeft: echoes(splice, lines),
    echoResolved: sum([resolvedFirst, resolvedLast].map((line) => (line === undefined ? 0 : lineWeight(line)))),
    twoCauses: Number(startMove !== 0 && endMove !== 0 && !isShift),
    needlessMove: Number(isNeedless && !(isInsertion && isShift)),
    shift: Number(isShift),
    far: Number(Math.max(Math.abs(startMove), Math.abs(endMove), leftOutFirst, leftOutLast) > 1),
    insertion: Number(isInsertion),
    neighbourLikeness: isInsertion ? neighbourLikeness(splice, context) : 0,
  };
}

/** A long stretch without its middle, which no candidate changes. */
function clipped(lines: readonly string[]): readonly string[] {
  const kept = 40;
  return lines.length <= 2 * kept ? lines : [...lines.slice(0, kept), ...lines.slice(-kept)];
}

/** The weight of what is alike in the two, as a longest common subsequence whose items count as much as they are alike. */
function alignment(removed: readonly string[], fresh: readonly string[], likeness: LineLikeness): number {
  let above = new Float64Array(fresh.length + 1);
  for (const line of removed) {
    const row = new Float64Array(fresh.length + 1);
    const weight = lineWeight(line);
    for (let j = 0; j < fresh.length; j++) {
      const alike = likeness.of(line, fresh[j]!);
      const pair = alike > tooLittle ? alike * weight : 0;
      row[j + 1] = Math.max(above[j + 1]!, row[j]!, above[j]! + pair);
    }
    above = row;
  }
  return above[fresh.length]!;
}

/** Lines of one language have marks and keywords in common anyway. */
const tooLittle = 0.3;

function reuse(removed: readonly string[], fresh: readonly string[]): number {
  const known = new Set(fresh.flatMap(wordsOf));
  return sum(
    removed.map((line) => {
      const words = [...new Set(wordsOf(line))];
      const share = words.filter((word) => known.has(word)).length / Math.max(1, words.length);
      return share * Math.min(1, words.length / 3);
    }),
  );
}

/** Where there is nothing to compare, the traits are as they are on average. */
function edgeTraits(
  removed: readonly string[],
  fresh: readonly string[],
  likeness: LineLikeness,
): Pick<BoundaryTraits, "edgeLikeness" | "edgeIndentation" | "edgeBlankness"> {
  const [old, made] = [removed.filter(isFilled), fresh.filter(isFilled)];
  const pairs = [
    [old[0], made[0]],
    [old.at(-1), made.at(-1)],
  ] as const;
  const blankness = [
    [removed[0], fresh[0]],
    [removed.at(-1), fresh.at(-1)],
  ] as const;
  return {
    edgeLikeness: sum(pairs.map(([a, b]) => (a === undefined || b === undefined ? 0.3 : likeness.of(a, b)))),
    edgeIndentation: sum(
      pairs.map(([a, b]) => (a === undefined || b === undefined ? 0.5 : Number(indentationOf(a) === indentationOf(b)))),
    ),
    edgeBlankness: sum(
      blankness.map(([a, b]) => (a === undefined || b === undefined ? 0 : Number(isFilled(a) !== isFilled(b)))),
    ),
  };
}

function neighbourLikeness({ start, end, lines: fresh }: LineSplice, { lines, likeness }: TraitContext): number {
  const pairs = [
    [lines[start - 1], fresh[0]],
    [lines[end], fresh.at(-1)],
  ] as const;
  return Math.max(...pairs.map(([a, b]) => (a === undefined || b === undefined ? 0 : likeness.of(a, b))));
}

function habit({ start, end, lines: fresh }: LineSplice, lines: readonly string[], habits: LineHabits): number {
  const [before, after] = [lines[start - 1], lines[end]];
  // A deletion has one junction; it counts twice, so that deletions and others are on one scale.
  if (fresh.length === 0) return 2 * habits.logProbability(before, after);
  return habits.logProbability(before, fresh[0]) + habits.logProbability(fresh.at(-1), after);
}

function jumps({ start, end, lines: fresh }: LineSplice, lines: readonly string[]): number {
  let above = start - 1;
  while (above >= 0 && !isFilled(lines[above]!)) above--;
  let below = end;
  while (below < lines.length && !isFilled(lines[below]!)) below++;
  const made = fresh.filter(isFilled);
  if (made.length === 0) return jump(lines[above], lines[below]);
  return jump(lines[above], made[0]) + jump(made.at(-1), lines[below]);
}

function jump(line: string | undefined, next: string | undefined): number {
  if (line === undefined || next === undefined || indentationOf(next) <= indentationOf(line)) return 0;
  return Number(/[\p{L}\p{N}_"'`;.]$/u.test(line.trimEnd()));
}

function echoes({ start, end, lines: fresh }: LineSplice, lines: readonly string[]): number {
  return Number(isEcho(fresh[0], lines[start - 1])) + Number(isEcho(fresh.at(-1), lines[end]));
}

function isEcho(line: string | undefined, neighbour: string | undefined): boolean {
  return line !== undefined && neighbour !== undefined && hasWord(line) && line.trim() === neighbour.trim();
}

function isFilled(line: string): boolean {
  return line.trim() !== "";
}

function sum(values: readonly number[]): number {
  return values.reduce((all, value) => all + value, 0);
}
