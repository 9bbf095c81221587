import { type LineSplice, wordsOf } from "../../formats/index.ts";
import type { BoundaryCandidate } from "./boundary-candidates.ts";
import { hasWord, type LineLikeness, lineWeight } from "./line-likeness.ts";
import { indentationOf, type LineTransitions } from "./line-transitions.ts";

/** The features of a candidate, one number each; see {@link boundaryTraits}. */
type BoundaryTraits = Readonly<Record<TraitName, number>>;

/** The names of the features. */
export type TraitName =
  /** How much of the replaced text is repeated in the new lines, line by line and in order. */
  | "likeness"
  /** The share of the replaced words that occur anywhere in the new lines, summed over lines. */
  | "reuse"
  /** The amount of replaced text, in weighted lines. */
  | "removal"
  /** The similarity of the first lines, plus that of the last ones. */
  | "edgeLikeness"
  /** Whether the first lines have equal indentation, plus whether the last ones have. */
  | "edgeIndentation"
  /** The number of edges where a blank line replaces a filled one, or the other way round. */
  | "edgeBlankness"
  /** How common the adjacent lines at both junctions are in this file, as log probabilities. */
  | "habit"
  /** The number of junctions where the indentation grows after a line that opens nothing. */
  | "jump"
  /** The number of edges where a line with words repeats its neighbour. */
  | "echoLeft"
  /** The weight of the repeated lines that the candidate removes, at both edges. */
  | "echoResolved"
  /** Whether both ends move, in different ways. */
  | "twoCauses"
  /** Whether one end moves although a repeated line at the other end explains the mistake. */
  | "needlessMove"
  /** Whether the range moves as a whole. */
  | "shift"
  /** Whether anything is off by two lines. */
  | "far"
  /** Whether nothing is replaced. */
  | "insertion"
  /** For insertions: the similarity of the inserted lines to the lines around them. */
  | "neighbourLikeness";

/** The file that the candidates change, with its statistics. */
export interface TraitContext {
  readonly lines: readonly string[];
  readonly habits: LineTransitions;
  readonly likeness: LineLikeness;
}

/**
 * Computes the features of one candidate for the file in `context`. Of long stretches only the
 * first and the last 40 lines count.
 */
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
    echoLeft: countRepeatedEdges(splice, lines),
    echoResolved: sum([resolvedFirst, resolvedLast].map((line) => (line === undefined ? 0 : lineWeight(line)))),
    twoCauses: Number(startMove !== 0 && endMove !== 0 && !isShift),
    needlessMove: Number(isNeedless && !(isInsertion && isShift)),
    shift: Number(isShift),
    far: Number(Math.max(Math.abs(startMove), Math.abs(endMove), leftOutFirst, leftOutLast) > 1),
    insertion: Number(isInsertion),
    neighbourLikeness: isInsertion ? neighbourLikeness(splice, context) : 0,
  };
}

/** Long stretches without their middle, which is the same for all candidates. */
function clipped(lines: readonly string[]): readonly string[] {
  const kept = 40;
  return lines.length <= 2 * kept ? lines : [...lines.slice(0, kept), ...lines.slice(-kept)];
}

/**
 * The weight of the common lines of two texts: a longest common subsequence whose items count by
 * their similarity.
 */
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

/**
 * Similarity up to this counts as none, since lines of one language share punctuation and keywords.
 */
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

/** Where there is no pair to compare, the features get their average values. */
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

function habit({ start, end, lines: fresh }: LineSplice, lines: readonly string[], habits: LineTransitions): number {
  const [before, after] = [lines[start - 1], lines[end]];
  // A deletion has one junction; it counts twice, so that all changes are on one scale.
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

function countRepeatedEdges({ start, end, lines: fresh }: LineSplice, lines: readonly string[]): number {
  return Number(isRepeated(fresh[0], lines[start - 1])) + Number(isRepeated(fresh.at(-1), lines[end]));
}

function isRepeated(line: string | undefined, neighbour: string | undefined): boolean {
  return line !== undefined && neighbour !== undefined && hasWord(line) && line.trim() === neighbour.trim();
}

function isFilled(line: string): boolean {
  return line.trim() !== "";
}

function sum(values: readonly number[]): number {
  return values.reduce((all, value) => all + value, 0);
}

/**
 * The weight of each feature of a candidate, in natural logarithms of odds.
 *
 * Fitted by `bench/boundary/fit-weights.ts` to 3,600 mistakes injected into real edits of eight
 * public repositories in TypeScript, JavaScript, Python, Rust, Java and Ruby. The held-out figures
 * in `bench/README.md` are measured on other repositories.
 */
export const boundaryWeights: Readonly<Record<TraitName, number>> = {
  likeness: 1,
  reuse: 0.95,
  removal: -1.14,
  edgeLikeness: 2.06,
  edgeIndentation: 0.8,
  edgeBlankness: -2.35,
  habit: 0.51,
  jump: -1.47,
  echoLeft: -0.71,
  echoResolved: 5.63,
  twoCauses: -3.39,
  needlessMove: -4.01,
  shift: -0.99,
  far: -5.18,
  insertion: -1.07,
  neighbourLikeness: -0.48,
};

/**
 * The score of a candidate: the higher, the likelier, in natural logarithms of odds. Only
 * differences between candidates of one change are meaningful.
 */
export function boundaryScore(traits: BoundaryTraits): number {
  let score = 0;
  for (const name of Object.keys(boundaryWeights) as TraitName[]) score += boundaryWeights[name] * traits[name];
  return score;
}
