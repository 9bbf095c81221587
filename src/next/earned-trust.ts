import type { NextEditOrigin, Proposal } from "./next-edit-source.ts";

/** What a person made of suggestions of one kind. */
interface Answers {
  readonly accepted: number;
  readonly rejected: number;
}

/**
 * How likely proposals are, by what the person made of those before: a kind that was rejected is doubtful, unless it was taken more often.
 *
 * Kinds are the same change of words wherever it is made, what is one thing with it, and at a distance all that comes of one source. Each
 * counts as a mean of what was said beforehand and what was answered since; the first two weigh as two answers beforehand, a source as twenty. Nothing becomes
 * likelier than it was said to be: sources count the edits that were taken, too.
 */
export class EarnedTrust {
  /** By kind; what was answered last is the last. */
  readonly #answers = new Map<string, Answers>();

  /** Takes in what a person made of a suggestion for a file with this text. */
  learn(proposal: Proposal, text: string, isAccepted: boolean): void {
    for (const { key } of kindsOf(proposal, text)) {
      const { accepted, rejected } = this.#answers.get(key) ?? none;
      this.#answers.delete(key);
      this.#answers.set(key, isAccepted ? { accepted: accepted + 1, rejected } : { accepted, rejected: rejected + 1 });
    }
    for (const oldest of [...this.#answers.keys()].slice(0, -maxKinds)) this.#answers.delete(oldest);
  }

  /** The proposal, as likely as it is by now. */
  weigh(proposal: Proposal, text: string): Proposal {
    let { likelihood } = proposal;
    for (const { key, weight } of kindsOf(proposal, text)) {
      const { accepted, rejected } = this.#answers.get(key) ?? none;
      likelihood = Math.min(likelihood, (likelihood * weight + accepted) / (weight + accepted + rejected));
    }
    return likelihood === proposal.likelihood ? proposal : { ...proposal, likelihood };
  }

  /** Forgets everything. */
  forgetAll(): void {
    this.#answers.clear();
  }
}

const none: Answers = { accepted: 0, rejected: 0 };

/** The most kinds that are remembered. */
const maxKinds = 300;

interface Kind {
  readonly key: string;
  /** How many answers what was said beforehand weighs as. */
  readonly weight: number;
}

function kindsOf({ origin, edit, chain }: Proposal, text: string): readonly Kind[] {
  const source = { key: origin, weight: 20 } satisfies Kind & { key: NextEditOrigin };
  if (edit === undefined) return [source];
  const parts = edit.normalize(text).edits.map(({ start, end, text: fresh }) => `${text.slice(start, end)}\0${fresh}`);
  const one = { key: `${origin}\n${parts.join("\n")}`, weight: 2 };
  return chain === undefined ? [source, one] : [source, one, { key: `${origin}\n\n${chain}`, weight: 2 }];
}
