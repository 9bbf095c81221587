import type { NextEditOrigin, Proposal } from "./next-edit-source.ts";

/** What a person made of suggestions before: of those of the same kind, and of the last {@link maxOfSource} of the same source. */
export interface EarnedAnswers {
  readonly kindTaken: number;
  readonly kindRejected: number;
  readonly sourceTaken: number;
  readonly sourceRejected: number;
}

/**
 * How likely proposals are, by what the person made of those before.
 *
 * A kind is what is one thing with a proposal, such as the other places of a rewrite, or the same change of words wherever it is made. What was
 * rejected is doubtful at the next place too; what was taken again and again is hardly doubted any more.
 */
export class EarnedTrust {
  /** By kind; what was answered last is the last. */
  readonly #ofKinds = new Map<string, { taken: number; rejected: number }>();
  /** Whether each was taken, the newest last. */
  readonly #ofSources = new Map<NextEditOrigin, boolean[]>();

  /** Takes in what a person made of a suggestion for a file with this text. */
  learn(proposal: Proposal, text: string, isTaken: boolean): void {
    const key = kindOf(proposal, text);
    if (key !== undefined) {
      const { taken, rejected } = this.#ofKinds.get(key) ?? none;
      this.#ofKinds.delete(key);
      this.#ofKinds.set(key, isTaken ? { taken: taken + 1, rejected } : { taken, rejected: rejected + 1 });
      for (const oldest of [...this.#ofKinds.keys()].slice(0, -maxKinds)) this.#ofKinds.delete(oldest);
    }
    const answers = [...(this.#ofSources.get(proposal.origin) ?? []), isTaken];
    this.#ofSources.set(proposal.origin, answers.slice(-maxOfSource));
  }

  /** What was answered to proposals like this one. */
  answersTo(proposal: Proposal, text: string): EarnedAnswers {
    const key = kindOf(proposal, text);
    const { taken, rejected } = (key === undefined ? undefined : this.#ofKinds.get(key)) ?? none;
    const source = this.#ofSources.get(proposal.origin) ?? [];
    const sourceTaken = source.filter((isTaken) => isTaken).length;
    return { kindTaken: taken, kindRejected: rejected, sourceTaken, sourceRejected: source.length - sourceTaken };
  }

  /** The proposal, as likely as it is by now. */
  weigh(proposal: Proposal, text: string): Proposal {
    const shift = trustFor(this.answersTo(proposal, text));
    if (shift === 0) return proposal;
    const { likelihood } = proposal;
    return { ...proposal, likelihood: 1 / (1 + ((1 - likelihood) / likelihood) * Math.exp(-shift)) };
  }

  /** Forgets everything. */
  forgetAll(): void {
    this.#ofKinds.clear();
    this.#ofSources.clear();
  }
}

/** How much more likely something is for what was answered before, in log-odds. */
function trustFor(answers: EarnedAnswers): number {
  let shift = 0;
  for (const name of trustNames) shift += trustWeights[name] * Math.log2(1 + answers[name]);
  return shift;
}

/** What trust is made of. */
export const trustNames = [
  "kindTaken",
  "kindRejected",
  "sourceTaken",
  "sourceRejected",
] as const satisfies readonly (keyof EarnedAnswers)[];

/** How much it speaks for a proposal, in log-odds, that there were twice as many answers and one: fitted by `scripts/fit-next-examples.ts`, which prints them. */
const trustWeights: Readonly<EarnedAnswers> = {
  kindTaken: 0.135,
  kindRejected: -0.355,
  sourceTaken: 0.29,
  sourceRejected: -0.42,
};

const none = { taken: 0, rejected: 0 };

/** The most kinds that are remembered, and answers to each source. */
const maxKinds = 300;
const maxOfSource = 20;

function kindOf({ origin, edit, chain }: Proposal, text: string): string | undefined {
  if (chain !== undefined) return `${origin}\n\n${chain}`;
  if (edit === undefined) return undefined;
  const parts = edit.normalize(text).edits.map(({ start, end, text: fresh }) => `${text.slice(start, end)}\0${fresh}`);
  return `${origin}\n${parts.join("\n")}`;
}
