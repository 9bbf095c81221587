import { LRUCache } from "lru-cache";
import type { TextEdit, TextRange } from "../../text/index.ts";
import { chanceOf } from "../providers/boosted-trees.ts";
import type { Proposal, ProvidedProposal } from "../providers/next-edit-provider.ts";

/**
 * Counts of accepted and rejected suggestions: those that change the same words (`kind`), and the
 * last 20 of the same trust group (`source`).
 */
export interface FeedbackCounts {
  readonly kindTaken: number;
  readonly kindRejected: number;
  readonly sourceTaken: number;
  readonly sourceRejected: number;
  /** Rejected in a row since the last accepted one. */
  readonly kindRun: number;
  readonly sourceRun: number;
  /** Those of any kind in the same file. */
  readonly fileTaken: number;
  readonly fileRejected: number;
}

/**
 * Adjusts the likelihood of proposals by what the user accepted and rejected before.
 *
 * A kind is a change of words, in any place and from any provider: a rename and a rewrite may make
 * the same change. A rejected kind becomes unlikelier at the next location too, and one that is
 * accepted repeatedly becomes very likely. A proposal that changes words at several places has
 * several kinds.
 *
 * A location that is only to be looked at has a reason. When the user has rejected that reason a
 * few times, it is not shown automatically again; when the user rejects most locations, each
 * further reason is shown once.
 */
export class ProviderCalibration {
  readonly #ofKinds = new LRUCache<string, Counts>({ max: maxCounts });
  readonly #ofFiles = new LRUCache<string, Counts>({ max: maxCounts });
  /** The counts of locations without an edit, by their reason. */
  readonly #ofReasons = new LRUCache<string, Counts>({ max: maxCounts });
  /** By trust group, whether each recent suggestion was accepted, the newest last. */
  readonly #ofSources = new Map<string, readonly boolean[]>();

  /** Records whether a suggestion was accepted. `text` is the text of its file. */
  learn(proposal: ProvidedProposal, text: string, isTaken: boolean): void {
    for (const kind of kindsOf(proposal, text)) count(this.#ofKinds, kind, isTaken);
    // A location without an edit is no evidence about edits.
    if (proposal.edit !== undefined) count(this.#ofFiles, proposal.path, isTaken);
    else count(this.#ofReasons, reasonOf(proposal), isTaken);
    const { trustGroup } = proposal.policy;
    const answers = [...(this.#ofSources.get(trustGroup) ?? []), isTaken];
    this.#ofSources.set(trustGroup, answers.slice(-maxOfSource));
  }

  /** Returns the counts for proposals like this one; over its kinds, the maximum of each count. */
  answersTo(proposal: ProvidedProposal, text: string): FeedbackCounts {
    const kinds = this.#ofKinds.size === 0 ? [] : kindsOf(proposal, text);
    const ofKinds = kinds.map((kind) => this.#ofKinds.get(kind) ?? none);
    const ofFile = this.#ofFiles.get(proposal.path) ?? none;
    const ofSource = this.#ofSources.get(proposal.policy.trustGroup) ?? [];
    const sourceTaken = ofSource.filter((isTaken) => isTaken).length;
    return {
      kindTaken: Math.max(0, ...ofKinds.map(({ taken }) => taken)),
      kindRejected: Math.max(0, ...ofKinds.map(({ rejected }) => rejected)),
      ...{ sourceTaken, sourceRejected: ofSource.length - sourceTaken },
      kindRun: Math.max(0, ...ofKinds.map(({ run }) => run)),
      sourceRun: ofSource.length - 1 - ofSource.lastIndexOf(true),
      ...{ fileTaken: ofFile.taken, fileRejected: ofFile.rejected },
    };
  }

  /** Returns the proposal with its calibrated likelihood; the same proposal before any feedback. */
  weigh(proposal: ProvidedProposal, text: string): ProvidedProposal {
    if (this.#ofSources.size === 0) return proposal;
    if (proposal.edit === undefined) return this.#weighLocation(proposal);
    const answers = this.answersTo(proposal, text);
    const { judged } = proposal;
    if (judged !== undefined) {
      const numbers = [...judged.numbers, ...trustNames.map((name) => answers[name])];
      return { ...proposal, likelihood: chanceOf(judged.trees, numbers) };
    }
    const { likelihood } = proposal;
    return {
      ...proposal,
      likelihood: 1 / (1 + ((1 - likelihood) / likelihood) * Math.exp(-calibrationShift(answers))),
    };
  }

  /**
   * Returns the proposal with its likelihood averaged over {@link priorCount} locations of the
   * given likelihood and the recorded ones.
   */
  #weighLocation(proposal: ProvidedProposal): ProvidedProposal {
    const ofReason = this.#ofReasons.get(reasonOf(proposal)) ?? none;
    let [taken, rejected] = [0, 0];
    for (const counts of this.#ofReasons.values()) {
      taken += counts.taken;
      rejected += counts.rejected;
    }
    const of = (ofThisReason: number, all: number) =>
      ofThisReason + Math.min(maxOfOtherReasons, (all - ofThisReason) / 4);
    const [yes, no] = [of(ofReason.taken, taken), of(ofReason.rejected, rejected)];
    return { ...proposal, likelihood: (priorCount * proposal.likelihood + yes) / (priorCount + yes + no) };
  }
}

/** The key of a reason: the trust group and its words. */
function reasonOf({ policy, reason }: ProvidedProposal): string {
  return `${policy.trustGroup}\n${reason}`;
}

/**
 * The number of recorded locations that the given likelihood counts as, and the most that locations
 * with other reasons count as.
 */
const priorCount = 4;
const maxOfOtherReasons = 1.5;

/** The shift of the likelihood by earlier feedback, in log-odds. */
function calibrationShift(answers: FeedbackCounts): number {
  let shift = 0;
  for (const name of trustNames) shift += calibrationWeights[name] * Math.log2(1 + answers[name]);
  return shift;
}

/** The features of the calibration, in the order in which the trees take them. */
export const trustNames = [
  "kindTaken",
  "kindRejected",
  "kindRun",
  "sourceTaken",
  "sourceRejected",
  "sourceRun",
  "fileTaken",
  "fileRejected",
] as const satisfies readonly (keyof FeedbackCounts)[];

/**
 * For a proposal without trees: the shift in log-odds for each doubling of a count plus one.
 * Source: logistic regression over edits by example and renames in recorded commits, with trees
 * that do not use these counts.
 */
const calibrationWeights: Readonly<FeedbackCounts> = {
  kindTaken: 0.136,
  kindRejected: 0.058,
  kindRun: -0.611,
  sourceTaken: 0.164,
  sourceRejected: -0.243,
  sourceRun: 0.132,
  fileTaken: 0.244,
  fileRejected: -0.28,
};

/** The counts of one kind of suggestion. */
interface Counts {
  readonly taken: number;
  readonly rejected: number;
  /** Rejected since the last accepted one. */
  readonly run: number;
}

const none: Counts = { taken: 0, rejected: 0, run: 0 };

/** The most kinds, or files, that are counted, and the most answers for each trust group. */
const maxCounts = 300;
const maxOfSource = 20;

function count(counts: LRUCache<string, Counts>, key: string, isTaken: boolean): void {
  const { taken, rejected, run } = counts.get(key) ?? none;
  counts.set(key, isTaken ? { taken: taken + 1, rejected, run: 0 } : { taken, rejected: rejected + 1, run: run + 1 });
}

/** The changes of words that a proposal makes, each once. */
function kindsOf({ edit }: Proposal, text: string): readonly string[] {
  if (edit === undefined) return [];
  const kinds = new Set<string>();
  for (const part of edit.normalize(text).edits.slice(0, maxParts)) {
    const { start, end } = wholeWords(part, text);
    const old = text.slice(start, end).trim();
    const fresh = (text.slice(start, part.start) + part.text + text.slice(part.end, end)).trim();
    // A change of white space only is not a kind.
    if (old !== fresh) kinds.add(`${old}\n${fresh}`);
  }
  return [...kinds];
}

/** The replaced range, extended to the whole words at its ends. */
function wholeWords({ start, end, text: fresh }: TextEdit, text: string): TextRange {
  const isIn = (at: number) => wordCharacter.test(text[at] ?? "");
  let [first, last] = [start, end];
  if (isIn(start) || wordCharacter.test(fresh[0] ?? "")) while (isIn(first - 1)) first--;
  if (isIn(end - 1) || wordCharacter.test(fresh.at(-1) ?? "")) while (isIn(last)) last++;
  return { start: first, end: last };
}

const wordCharacter = /[\p{ID_Continue}$]/u;
/** The most parts of an edit that are considered. */
const maxParts = 20;
