import type { LineSplice } from "../formats/index.ts";
import { type BoundaryCandidate, boundaryCandidates } from "./boundary-candidates.ts";
import { agreesWithWitnesses, hasEcho, hasTellingEcho, witnessesDisagree } from "./boundary-evidence.ts";
import type {
  BoundaryAnswer,
  BoundaryEvidence,
  BoundaryRepair,
  DoubtedSplices,
  WitnessedSplice,
} from "./boundary-repair.ts";
import { boundaryTraits, type TraitContext } from "./boundary-traits.ts";
import { boundaryScore } from "./boundary-weights.ts";
import { LineHabits } from "./line-habits.ts";
import { hasWord, LineLikeness } from "./line-likeness.ts";
import { LineRepeats } from "./line-repeats.ts";
import { printBoundaryRepair } from "./print-repair.ts";
import { type CountNewErrors, SpliceJudge } from "./splice-judge.ts";

/**
 * Corrects changes of a file that take a line too many or too few, are off by a line or two, or repeat the lines around
 * them.
 *
 * A boundary is doubted only where there is evidence against it, see {@link BoundaryEvidence}. Everything that the change
 * may have been meant to be is then weighed, up to two lines away; what breaks the file is out, and so is what the
 * answer's own witnesses speak against. Where one alternative is far likelier than all others together, the change is
 * repaired. Otherwise it stays as it is and is among the doubts, so that the model can be asked.
 *
 * Laws: without evidence nothing changes; a file with a repair is not broken; no end moves by more than two lines.
 */
export async function repairBoundaries(input: DoubtedSplices, countNewErrors: CountNewErrors): Promise<BoundaryAnswer> {
  const judge = new SpliceJudge(input.text, input.language, countNewErrors);
  const order = input.splices.map((_, index) => index).sort((a, b) => byPlace(input.splices[a]!, input.splices[b]!));
  const given = order.map((index) => input.splices[index]!);
  const doubts = await doubtAll(given, judge);
  const chosen = await repairAll(given, doubts, judge);

  const splices = [...input.splices];
  const repairs: BoundaryRepair[] = [];
  for (const [at, choice] of chosen.entries()) {
    if (choice === undefined) continue;
    const { splice: after } = choice;
    const { evidence } = doubts[at]!;
    const { start, end, lines } = given[at]!;
    const message = printBoundaryRepair(choice, evidence);
    repairs.push({ path: input.path, before: { start, end, lines }, after, evidence, message });
    splices[order[at]!] = after;
  }
  const left = doubts.flatMap(({ splice, evidence }, at) =>
    evidence.length === 0 || chosen[at] !== undefined ? [] : [{ path: input.path, splice, evidence }],
  );
  return { splices, repairs, doubts: left };
}

/**
 * How probable an alternative must be among all of them. In repositories that the weights were not fitted on, none of
 * those that are surer was wrong; at 0.95 some were.
 */
const sureEnough = 0.99;

/** The same where witnesses hold the range, so that the one question is which repeated lines to leave out. */
const sureEnoughInPlace = 0.9;

/** What is so much less likely than the best alternative, in natural logarithms of odds, needs no look. */
const negligible = 8;

interface Doubt {
  readonly splice: WitnessedSplice;
  readonly evidence: readonly BoundaryEvidence[];
  /** Whether the change breaks the file all by itself. */
  readonly breaksAlone: boolean;
}

type Choices = readonly (BoundaryCandidate | undefined)[];

/** What speaks against each of the changes. */
async function doubtAll(splices: readonly WitnessedSplice[], judge: SpliceJudge): Promise<readonly Doubt[]> {
  const faults = await judge.faults(splices);
  const isBroken = faults.length > 0;
  const breakAlone: boolean[] = [];
  for (const splice of splices) {
    breakAlone.push(isBroken && (splices.length === 1 || (await judge.breaks([splice]))));
  }
  return splices.map((splice, at) => {
    const breaksAlone = breakAlone[at]!;
    const echoes = breaksAlone
      ? hasEcho(judge.lines, splice)
      : hasTellingEcho(judge.lines, splice, judge.hasBrackets ? 1 : wordsOfProse);
    const evidence: BoundaryEvidence[] = breaksAlone ? [...faults] : [];
    if (echoes) evidence.push("echoed-edge");
    if (witnessesDisagree(judge.lines, splice)) evidence.push("witness-disagrees");
    return { splice, evidence, breaksAlone };
  });
}

/** How many words a repeated line must have to be evidence where nothing else can tell. */
const wordsOfProse = 3;

/** A surely better alternative for each change that is doubted; none at all if the file stayed broken. */
async function repairAll(
  splices: readonly WitnessedSplice[],
  doubts: readonly Doubt[],
  judge: SpliceJudge,
): Promise<Choices> {
  const none: Choices = splices.map(() => undefined);
  if (doubts.every(({ evidence }) => evidence.length === 0)) return none;
  const context = { lines: judge.lines, habits: new LineHabits(judge.lines), likeness: new LineLikeness() };
  const repeats = new LineRepeats(judge.lines);
  // While another change breaks the file by itself, an alternative can be tried by itself only.
  const culprits = doubts.filter(({ breaksAlone }) => breaksAlone).length;
  const chosen: (BoundaryCandidate | undefined)[] = [...none];
  for (const [at, doubt] of doubts.entries()) {
    if (doubt.evidence.length === 0) continue;
    const others = splices.map((splice, index) => chosen[index]?.splice ?? splice);
    const breaks = (candidate: LineSplice) =>
      judge.breaks(culprits > (doubt.breaksAlone ? 1 : 0) ? [candidate] : others.with(at, candidate));
    const room = { floor: others[at - 1]?.end ?? 0, ceiling: others[at + 1]?.start ?? judge.lines.length };
    chosen[at] = await chooseBoundary(doubt, room, { context, repeats, breaks });
  }
  if (chosen.every((choice) => choice === undefined)) return none;
  const after = splices.map((splice, at) => chosen[at]?.splice ?? splice);
  return (await judge.breaks(after)) ? none : chosen;
}

interface ChoiceOptions {
  readonly context: TraitContext;
  readonly repeats: LineRepeats;
  /** Whether the file is broken with this in the place of the change. */
  readonly breaks: (splice: LineSplice) => Promise<boolean>;
}

/** What the change was surely meant to be, or `undefined` where that is itself, or not sure. */
async function chooseBoundary(
  { splice, evidence }: Doubt,
  room: { readonly floor: number; readonly ceiling: number },
  options: ChoiceOptions,
): Promise<BoundaryCandidate | undefined> {
  const { lines } = options.context;
  const { witnesses = [] } = splice;
  if (evidence.includes("witness-disagrees")) {
    const allows = (candidate: BoundaryCandidate) => agreesWithWitnesses(lines, splice, candidate);
    const candidates = boundaryCandidates(lines, splice, { ...room, allows });
    return tells(splice) ? likeliestOne(candidates, sureEnough, options) : onlyOne(candidates, options.breaks);
  }
  if (!tells(splice)) return undefined;
  const isWitnessed = witnesses.length > 0;
  const allows = (candidate: BoundaryCandidate) => {
    if (!saysAgain(candidate, splice, lines)) return false;
    return !isWitnessed || (candidate.startMove === 0 && candidate.endMove === 0);
  };
  const candidates = boundaryCandidates(lines, splice, { ...room, allows });
  const likeliest = await likeliestOne(candidates, isWitnessed ? sureEnoughInPlace : sureEnough, options);
  if (likeliest === undefined || !tells(likeliest.splice)) return undefined;
  return (await mayStay(likeliest, candidates, options)) ? undefined : likeliest;
}

/** Whether the lines that are left out are those beside the range, indented alike: one that is not may be meant to be moved. */
function saysAgain(
  { leftOutFirst, leftOutLast }: BoundaryCandidate,
  { start, end, lines: fresh }: LineSplice,
  lines: readonly string[],
): boolean {
  const isSame = (line: string, i: number, there: number) => line.trimEnd() === lines[there + i]!.trimEnd();
  const first = fresh.slice(0, leftOutFirst);
  const last = fresh.slice(fresh.length - leftOutLast);
  return (
    first.every((line, i) => isSame(line, i, start - leftOutFirst)) && last.every((line, i) => isSame(line, i, end))
  );
}

/**
 * Whether an alternative that differs from the best one in little is as good: it repeats lines as the file does elsewhere.
 *
 * Blank lines and those of lists are doubled on purpose, too, so what repeats them is weak evidence even where another
 * line is surely said again. Nor does anything tell a range of one blank line from none.
 */
async function mayStay(
  best: BoundaryCandidate,
  candidates: readonly BoundaryCandidate[],
  { context, repeats, breaks }: ChoiceOptions,
): Promise<boolean> {
  const isEmptied = best.splice.start === best.splice.end && best.startMove !== best.endMove;
  for (const rival of candidates) {
    if (rival === best) continue;
    const isThere = rival.startMove === best.startMove && rival.endMove === best.endMove;
    if (!isThere && !(isEmptied && areSameButBlanks(context.lines, rival.splice, best.splice))) continue;
    const isFirstUsual = (isThere && rival.leftOutFirst === best.leftOutFirst) || repeats.knows(rival.splice, "first");
    const isLastUsual = (isThere && rival.leftOutLast === best.leftOutLast) || repeats.knows(rival.splice, "last");
    if (((isFirstUsual && isLastUsual) || !tells(rival.splice)) && !(await breaks(rival.splice))) return true;
  }
  return false;
}

/** Whether two changes leave the same lines but for blank ones. */
function areSameButBlanks(lines: readonly string[], one: LineSplice, other: LineSplice): boolean {
  const [from, to] = [Math.min(one.start, other.start), Math.max(one.end, other.end)];
  const filled = ({ start, end, lines: fresh }: LineSplice) =>
    [...lines.slice(from, start), ...fresh, ...lines.slice(end, to)].filter((line) => line.trim() !== "");
  return filled(one).join("\n") === filled(other).join("\n");
}

/** Whether new lines belong anywhere in particular: blank ones and brackets alone fit everywhere. */
function tells({ lines }: LineSplice): boolean {
  return lines.length === 0 || lines.some(hasWord);
}

/** The one that does not break the file, unless there are others. */
async function onlyOne(
  candidates: readonly BoundaryCandidate[],
  breaks: ChoiceOptions["breaks"],
): Promise<BoundaryCandidate | undefined> {
  let found: BoundaryCandidate | undefined;
  for (const candidate of candidates) {
    if (await breaks(candidate.splice)) continue;
    if (found !== undefined) return undefined;
    found = candidate;
  }
  return found;
}

/** The one that does not break the file and is at least so probable among such, unless it is the change itself. */
async function likeliestOne(
  candidates: readonly BoundaryCandidate[],
  probability: number,
  { context, breaks }: ChoiceOptions,
): Promise<BoundaryCandidate | undefined> {
  const scored = candidates
    .map((candidate) => ({ candidate, score: boundaryScore(boundaryTraits(candidate, context)) }))
    .sort((a, b) => b.score - a.score);
  let best: (typeof scored)[number] | undefined;
  let others = 0;
  for (const one of scored) {
    if (best !== undefined && one.score < best.score - negligible) break;
    if (await breaks(one.candidate.splice)) continue;
    if (best === undefined) {
      if (isSame(one.candidate)) return undefined;
      best = one;
    } else {
      others += Math.exp(one.score - best.score);
    }
    if (1 / (1 + others) < probability) return undefined;
  }
  return best?.candidate;
}

function isSame({ startMove, endMove, leftOutFirst, leftOutLast }: BoundaryCandidate): boolean {
  return startMove === 0 && endMove === 0 && leftOutFirst === 0 && leftOutLast === 0;
}

function byPlace(a: LineSplice, b: LineSplice): number {
  return a.start - b.start || a.end - b.end;
}
