import { Trace } from "../../complete/index.ts";
import type { ShownPromptInput } from "../providers/model/build-prompt-input.ts";
import type { NextEditOrigin, Proposal, ProvidedProposal } from "../providers/next-edit-provider.ts";
import { describeNoNextEdit } from "./explain-next-outcome.ts";
import type {
  FilteredProposal,
  NextEditOutcome,
  NextEditSuggestion,
  NextTraceStep,
  NoNextEditReason,
} from "./outcome.ts";

/** What the providers of next edits propose from, as a part of a sentence. */
export const originNames: Readonly<Record<NextEditOrigin, string>> = {
  example: "your last edits",
  name: "the rename",
  fix: "repairs of new errors",
  impact: "dependents of changed declarations",
  model: "the model",
};

/** The number of proposals, as a part of a sentence. */
export function printProposals(count: number): string {
  return count === 1 ? "1 proposal" : `${count === 0 ? "no" : count} proposals`;
}

/** Records the steps of one request and its filtered-out proposals, and builds its outcome. */
export class NextEditTrace extends Trace<NextTraceStep["step"]> {
  /** The prompt input that was sent to a model; `undefined` before that. */
  shown: ShownPromptInput | undefined;
  readonly #filtered: FilteredProposal[] = [];

  /** Records that a proposal is filtered out. */
  filterOut(filtered: FilteredProposal): void {
    this.#filtered.push({ ...filtered, proposal: reported(filtered.proposal) });
  }

  /** How many proposals have been filtered out so far. */
  get filteredCount(): number {
    return this.#filtered.length;
  }

  /** Records the suggestion and returns the outcome. */
  suggested(suggestion: NextEditSuggestion): Extract<NextEditOutcome, { kind: "offered" }> {
    this.note("offer", `Suggested: ${suggestion.reason}.`);
    return {
      kind: "offered",
      suggestion: { ...suggestion, others: suggestion.others.map(reported) },
      ...this.#explained(),
    };
  }

  /** Records the step and the reason for no suggestion, and returns the outcome. */
  noSuggestion(step: NextTraceStep["step"], reason: NoNextEditReason): NextEditOutcome {
    this.note(step, describeNoNextEdit(reason));
    return { kind: "no-suggestion", reason, ...this.#explained() };
  }

  #explained(): Pick<NextEditOutcome, "trace" | "filteredOut" | "shown"> {
    return { trace: this.steps, filteredOut: this.#filtered, ...(this.shown && { shown: this.shown }) };
  }
}

/** A proposal without the engine's internal data: the trees that judged it, and its provider. */
function reported(all: Proposal | ProvidedProposal): Proposal {
  const { judged: _, policy: __, chainProvider: ___, ...proposal } = all as ProvidedProposal;
  return proposal;
}
