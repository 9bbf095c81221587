import type { TextEdit, TextRange } from "../text/index.ts";
import { chanceOf } from "./boosted-trees.ts";
import type { NextEditOrigin, Proposal } from "./next-edit-source.ts";

/** What a person made of suggestions before: of those that change the same words, and of the last {@link maxOfSource} of the same source. */
export interface EarnedAnswers {
  readonly kindTaken: number;
  readonly kindRejected: number;
  readonly sourceTaken: number;
  readonly sourceRejected: number;
  /** Rejected one after the other since one was taken. */
  readonly kindRun: number;
  readonly sourceRun: number;
  /** Of any kind, in the same file. */
  readonly fileTaken: number;
  readonly fileRejected: number;
}

/**
 * How likely proposals are, by what the person made of those before.
 *
 * A kind is a change of words, wherever it is made and whoever proposes it: a rename and a rewrite may say the same. What was rejected is doubtful at the next
 * place too, and what was taken again and again is hardly doubted any more. A proposal that changes words at several places is of several kinds.
 *
 * A place that is only to be looked at is told for a reason. Who did not want to look for that reason a few times is not told of it again by itself, and who
 * often did not want to look at all is told once of each further reason.
 */
export class EarnedTrust {
  /** What was answered last is the last. */
  readonly #ofKinds = new Map<string, Counts>();
  readonly #ofFiles = new Map<string, Counts>();
  /** What was made of places without an edit, by the reason for which they were told. */
  readonly #ofReasons = new Map<string, Counts>();
  /** Whether each was taken, the newest last. */
  readonly #ofSources = new Map<NextEditOrigin, readonly boolean[]>();

  /** Takes in what a person made of a suggestion for a file with this text. */
  learn(proposal: Proposal, text: string, isTaken: boolean): void {
    for (const kind of kindsOf(proposal, text)) count(this.#ofKinds, kind, isTaken);
    // A place that is only looked at says nothing of edits.
    if (proposal.edit !== undefined) count(this.#ofFiles, proposal.path, isTaken);
    else count(this.#ofReasons, reasonOf(proposal), isTaken);
    const answers = [...(this.#ofSources.get(proposal.origin) ?? []), isTaken];
    this.#ofSources.set(proposal.origin, answers.slice(-maxOfSource));
  }

  /** What was answered to proposals like this one: of its kinds, the most of each answer. */
  answersTo(proposal: Proposal, text: string): EarnedAnswers {
    const kinds = this.#ofKinds.size === 0 ? [] : kindsOf(proposal, text);
    const ofKinds = kinds.map((kind) => this.#ofKinds.get(kind) ?? none);
    const ofFile = this.#ofFiles.get(proposal.path) ?? none;
    const ofSource = this.#ofSources.get(proposal.origin) ?? [];
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

  /** The proposal, as likely as it is by now. */
  weigh(proposal: Proposal, text: string): Proposal {
    if (this.#ofSources.size === 0) return proposal;
    if (proposal.edit === undefined) return this.#weighLook(proposal);
    const answers = this.answersTo(proposal, text);
    const { judged } = proposal;
    if (judged !== undefined) {
      const numbers = [...judged.numbers, ...trustNames.map((name) => answers[name])];
      return { ...proposal, likelihood: chanceOf(judged.trees, numbers) };
    }
    const { likelihood } = proposal;
    return { ...proposal, likelihood: 1 / (1 + ((1 - likelihood) / likelihood) * Math.exp(-trustFor(answers))) };
  }

  /** As likely as it would be after as many looks as {@link looksBefore} of which the likelihood came true, and those that were told of. */
  #weighLook(proposal: Proposal): Proposal {
    const ofReason = this.#ofReasons.get(reasonOf(proposal)) ?? none;
    let [taken, rejected] = [0, 0];
    for (const counts of this.#ofReasons.values()) {
      taken += counts.taken;
      rejected += counts.rejected;
    }
    const of = (own: number, all: number) => own + Math.min(maxOfOtherReasons, (all - own) / 4);
    const [yes, no] = [of(ofReason.taken, taken), of(ofReason.rejected, rejected)];
    return { ...proposal, likelihood: (looksBefore * proposal.likelihood + yes) / (looksBefore + yes + no) };
  }

  /** Forgets everything. */
  forgetAll(): void {
    this.#ofReasons.clear();
    this.#ofKinds.clear();
    this.#ofFiles.clear();
    this.#ofSources.clear();
  }
}

/** As one reason counts what one source tells in the same words. */
function reasonOf({ origin, reason }: Proposal): string {
  return `${origin}\n${reason}`;
}

/** How many looks a likelihood counts for, and the most that those for other reasons do. */
const looksBefore = 4;
const maxOfOtherReasons = 1.5;

/** How much more likely something is for what was answered before, in log-odds. */
function trustFor(answers: EarnedAnswers): number {
  let shift = 0;
  for (const name of trustNames) shift += trustWeights[name] * Math.log2(1 + answers[name]);
  return shift;
}

/** What trust is made of, in the order in which trees are asked. */
export const trustNames = [
  "kindTaken",
  "kindRejected",
  "kindRun",
  "sourceTaken",
  "sourceRejected",
  "sourceRun",
  "fileTaken",
  "fileRejected",
] as const satisfies readonly (keyof EarnedAnswers)[];

/**
 * How much it speaks for a proposal that no trees judge, in log-odds, that there were twice as many answers and one: logistic regression over edits by example
 * and renames in recorded commits, by trees that did not ask about answers.
 */
const trustWeights: Readonly<EarnedAnswers> = {
  kindTaken: 0.136,
  kindRejected: 0.058,
  kindRun: -0.611,
  sourceTaken: 0.164,
  sourceRejected: -0.243,
  sourceRun: 0.132,
  fileTaken: 0.244,
  fileRejected: -0.28,
};

/** What was answered to one kind of suggestions. */
interface Counts {
  readonly taken: number;
  readonly rejected: number;
  /** Rejected since one was taken. */
  readonly run: number;
}

const none: Counts = { taken: 0, rejected: 0, run: 0 };

/** The most kinds, or files, that are remembered, and answers to each source. */
const maxCounts = 300;
const maxOfSource = 20;

function count(counts: Map<string, Counts>, key: string, isTaken: boolean): void {
  const { taken, rejected, run } = counts.get(key) ?? none;
  counts.delete(key);
  counts.set(key, isTaken ? { taken: taken + 1, rejected, run: 0 } : { taken, rejected: rejected + 1, run: run + 1 });
  for (const oldest of [...counts.keys()].slice(0, -maxCounts)) counts.delete(oldest);
}

/** The changes of words that a proposal makes, each once. */
function kindsOf({ edit }: Proposal, text: string): readonly string[] {
  if (edit === undefined) return [];
  const kinds = new Set<string>();
  for (const part of edit.normalize(text).edits.slice(0, maxParts)) {
    const { start, end } = wholeWords(part, text);
    const old = text.slice(start, end).trim();
    const fresh = (text.slice(start, part.start) + part.text + text.slice(part.end, end)).trim();
    // How lines are broken says nothing of what was done.
    if (old !== fresh) kinds.add(`${old}\n${fresh}`);
  }
  return [...kinds];
}

/** The part of a text that is replaced, with the rest of the words that it begins and ends in. */
function wholeWords({ start, end, text: fresh }: TextEdit, text: string): TextRange {
  const isIn = (at: number) => wordSign.test(text[at] ?? "");
  let [first, last] = [start, end];
  if (isIn(start) || wordSign.test(fresh[0] ?? "")) while (isIn(first - 1)) first--;
  if (isIn(end - 1) || wordSign.test(fresh.at(-1) ?? "")) while (isIn(last)) last++;
  return { start: first, end: last };
}

const wordSign = /[\p{ID_Continue}$]/u;
/** The most parts of an edit that are looked at. */
const maxParts = 20;
