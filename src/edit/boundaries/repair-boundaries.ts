import type { LineSplice } from "../../formats/index.ts";
import { type BoundaryCandidate, boundaryCandidates } from "./boundary-candidates.ts";
import { agreesWithAnchors, anchorsDisagree, hasRepeatedLine, hasUniqueRepeatedLine } from "./boundary-evidence.ts";
import {
  type AnchoredSplice,
  type BoundaryAnswer,
  type BoundaryEvidence,
  type BoundaryRepair,
  printBoundaryRepair,
  type UncertainSplices,
} from "./boundary-repair.ts";
import { boundaryScore, boundaryTraits, type TraitContext } from "./boundary-traits.ts";
import { hasWord, LineLikeness } from "./line-likeness.ts";
import { LineRepeats } from "./line-repeats.ts";
import { LineTransitions } from "./line-transitions.ts";
import { type CountNewErrors, SpliceChecker } from "./splice-checker.ts";

/**
 * Repairs changes of a file that take a line too many or too few, are off by a line or two, or
 * repeat the lines around them.
 *
 * A boundary is doubted only where there is evidence against it, see {@link BoundaryEvidence}. All
 * alternatives up to two lines away are then scored, without those that break the file or
 * contradict the lines that the answer quotes. The change is repaired where one alternative is far
 * likelier than all others together. Otherwise it stays as it is and is returned among `doubts`.
 * Rejects where `countNewErrors` does.
 *
 * Laws: without evidence nothing changes; a file with a repair is not broken; no end moves by more
 * than two lines.
 */
export async function repairBoundaries(
  input: UncertainSplices,
  countNewErrors: CountNewErrors,
): Promise<BoundaryAnswer> {
  const checker = new SpliceChecker(input.text, input.language, countNewErrors);
  const order = input.splices.map((_, index) => index).sort((a, b) => byPlace(input.splices[a]!, input.splices[b]!));
  const given = order.map((index) => input.splices[index]!);
  const doubts = await collectEvidence(given, checker);
  const chosen = await repairAll(given, doubts, checker);

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
 * The probability that an alternative needs among all of them. In repositories that the weights
 * were not fitted to, no repair above it was wrong; at 0.95 some were.
 */
const sureEnough = 0.99;

/**
 * The same where quoted lines fix the range and only the choice of repeated lines to leave out is
 * open.
 */
const sureEnoughInPlace = 0.9;

/**
 * Alternatives that are this much less likely than the best one, in natural logarithms of odds, are
 * skipped.
 */
const negligible = 8;

interface Doubt {
  readonly splice: AnchoredSplice;
  readonly evidence: readonly BoundaryEvidence[];
  /** Whether this change alone breaks the file. */
  readonly breaksAlone: boolean;
}

type Choices = readonly (BoundaryCandidate | undefined)[];

/** Collects the evidence against each of the changes. */
async function collectEvidence(splices: readonly AnchoredSplice[], checker: SpliceChecker): Promise<readonly Doubt[]> {
  const faults = await checker.faults(splices);
  const isBroken = faults.length > 0;
  const breakAlone: boolean[] = [];
  for (const splice of splices) {
    breakAlone.push(isBroken && (splices.length === 1 || (await checker.breaks([splice]))));
  }
  return splices.map((splice, at) => {
    const breaksAlone = breakAlone[at]!;
    const isRepeated = breaksAlone
      ? hasRepeatedLine(checker.lines, splice)
      : hasUniqueRepeatedLine(checker.lines, splice, checker.hasBrackets ? 1 : wordsOfProse);
    const evidence: BoundaryEvidence[] = breaksAlone ? [...faults] : [];
    if (isRepeated) evidence.push("echoed-edge");
    if (anchorsDisagree(checker.lines, splice)) evidence.push("anchor-mismatch");
    return { splice, evidence, breaksAlone };
  });
}

/** The words that a repeated line needs to count as evidence in languages without brackets. */
const wordsOfProse = 3;

/**
 * The certain alternative for each doubted change; `undefined` for all of them if the file would
 * stay broken.
 */
async function repairAll(
  splices: readonly AnchoredSplice[],
  doubts: readonly Doubt[],
  checker: SpliceChecker,
): Promise<Choices> {
  const none: Choices = splices.map(() => undefined);
  if (doubts.every(({ evidence }) => evidence.length === 0)) return none;
  const context = { lines: checker.lines, habits: new LineTransitions(checker.lines), likeness: new LineLikeness() };
  const repeats = new LineRepeats(checker.lines);
  // While another change breaks the file by itself, an alternative can only be checked alone.
  const culprits = doubts.filter(({ breaksAlone }) => breaksAlone).length;
  const chosen: (BoundaryCandidate | undefined)[] = [...none];
  for (const [at, doubt] of doubts.entries()) {
    if (doubt.evidence.length === 0) continue;
    const others = splices.map((splice, index) => chosen[index]?.splice ?? splice);
    const breaks = (candidate: LineSplice) =>
      checker.breaks(culprits > (doubt.breaksAlone ? 1 : 0) ? [candidate] : others.with(at, candidate));
    const room = { floor: others[at - 1]?.end ?? 0, ceiling: others[at + 1]?.start ?? checker.lines.length };
    chosen[at] = await chooseBoundary(doubt, room, { context, repeats, breaks });
  }
  if (chosen.every((choice) => choice === undefined)) return none;
  const after = splices.map((splice, at) => chosen[at]?.splice ?? splice);
  return (await checker.breaks(after)) ? none : chosen;
}

interface ChoiceOptions {
  readonly context: TraitContext;
  readonly repeats: LineRepeats;
  /** Whether the file is broken with `splice` in the place of the change. */
  readonly breaks: (splice: LineSplice) => Promise<boolean>;
}

/**
 * The alternative that the change was certainly meant to be; `undefined` where that is the change
 * itself or uncertain.
 */
async function chooseBoundary(
  { splice, evidence }: Doubt,
  room: { readonly floor: number; readonly ceiling: number },
  options: ChoiceOptions,
): Promise<BoundaryCandidate | undefined> {
  const { lines } = options.context;
  const { anchors = [] } = splice;
  if (evidence.includes("anchor-mismatch")) {
    const allows = (candidate: BoundaryCandidate) => agreesWithAnchors(lines, splice, candidate);
    const candidates = boundaryCandidates(lines, splice, { ...room, allows });
    return isDistinctive(splice) ? likeliestOne(candidates, sureEnough, options) : onlyOne(candidates, options.breaks);
  }
  if (!isDistinctive(splice)) return undefined;
  const isAnchored = anchors.length > 0;
  const allows = (candidate: BoundaryCandidate) => {
    if (!leavesOutRepetitions(candidate, splice, lines)) return false;
    return !isAnchored || (candidate.startMove === 0 && candidate.endMove === 0);
  };
  const candidates = boundaryCandidates(lines, splice, { ...room, allows });
  const likeliest = await likeliestOne(candidates, isAnchored ? sureEnoughInPlace : sureEnough, options);
  if (likeliest === undefined || !isDistinctive(likeliest.splice)) return undefined;
  return (await mayStay(likeliest, candidates, options)) ? undefined : likeliest;
}

/**
 * Whether the lines left out equal those beside the range, indentation included. A line with other
 * indentation may be meant to be moved.
 */
function leavesOutRepetitions(
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
 * Whether a candidate that differs little from the best one is as good, because it repeats lines as
 * the file does elsewhere.
 *
 * Blank lines and list items are doubled on purpose, too, so their repetition is weak evidence even
 * where another line is certainly repeated by mistake. Nothing distinguishes a range of one blank
 * line from an empty one.
 */
async function mayStay(
  best: BoundaryCandidate,
  candidates: readonly BoundaryCandidate[],
  { context, repeats, breaks }: ChoiceOptions,
): Promise<boolean> {
  const isEmptied = best.splice.start === best.splice.end && best.startMove !== best.endMove;
  for (const alternative of candidates) {
    if (alternative === best) continue;
    const isThere = alternative.startMove === best.startMove && alternative.endMove === best.endMove;
    if (!isThere && !(isEmptied && areSameButBlanks(context.lines, alternative.splice, best.splice))) continue;
    const isFirstUsual =
      (isThere && alternative.leftOutFirst === best.leftOutFirst) || repeats.isUsual(alternative.splice, "first");
    const isLastUsual =
      (isThere && alternative.leftOutLast === best.leftOutLast) || repeats.isUsual(alternative.splice, "last");
    if (((isFirstUsual && isLastUsual) || !isDistinctive(alternative.splice)) && !(await breaks(alternative.splice)))
      return true;
  }
  return false;
}

/** Whether two changes leave the same lines, apart from blank ones. */
function areSameButBlanks(lines: readonly string[], one: LineSplice, other: LineSplice): boolean {
  const [from, to] = [Math.min(one.start, other.start), Math.max(one.end, other.end)];
  const filled = ({ start, end, lines: fresh }: LineSplice) =>
    [...lines.slice(from, start), ...fresh, ...lines.slice(end, to)].filter((line) => line.trim() !== "");
  return filled(one).join("\n") === filled(other).join("\n");
}

/** Whether new lines contain a word. Blank lines and lone brackets fit everywhere. */
function isDistinctive({ lines }: LineSplice): boolean {
  return lines.length === 0 || lines.some(hasWord);
}

/** The only candidate that does not break the file; `undefined` if there are none or several. */
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

/**
 * The best candidate that does not break the file, if it reaches `probability` among such
 * candidates; `undefined` otherwise, or if it is the unchanged one.
 */
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
