import type { ExplainedOutcome } from "./ghost-text-service.ts";
import type { ExplainedNextEdit } from "./next-edit-service.ts";
import type { ExplanationSubject } from "./protocol/explanation.ts";
import { RequestFigures, type RequestFiguresStatus } from "./request-figures.ts";

/** The last requests of each kind: what became of the very last ones, and how quickly all of them were answered. */
export class RequestLog {
  readonly #figures = { ghostText: new RequestFigures(), nextEdits: new RequestFigures() };
  #ghostText: ExplainedOutcome | undefined;
  #nextEdit: ExplainedNextEdit | undefined;
  #later: ExplanationSubject | undefined;

  /** A request for ghost text was answered. */
  takeGhostText(explained: ExplainedOutcome): void {
    this.#ghostText = explained;
    this.#later = "ghost-text";
    const { outcome, nextEdit, reason } = explained;
    const suggested = outcome?.kind === "offered" && reason === undefined ? outcome.suggestions[0].origin : undefined;
    const origin = nextEdit === undefined ? suggested : "next-edit";
    this.#figures.ghostText.add({ tookMs: tookMs(outcome), origin, silence: reason?.kind });
  }

  /** A request for a next edit was answered. */
  takeNextEdit(explained: ExplainedNextEdit): void {
    this.#nextEdit = explained;
    this.#later = "next-edit";
    const { outcome, reason } = explained;
    const offered = outcome?.kind === "offered" && reason === undefined ? outcome.suggestion : undefined;
    const origin = offered?.isReused === true ? "typed-as-suggested" : offered?.origin;
    this.#figures.nextEdits.add({ tookMs: tookMs(outcome), origin, silence: reason?.kind });
  }

  get ghostText(): ExplainedOutcome | undefined {
    return this.#ghostText;
  }

  get nextEdit(): ExplainedNextEdit | undefined {
    return this.#nextEdit;
  }

  /** What was asked for last; `undefined` before anything was. */
  get later(): ExplanationSubject | undefined {
    return this.#later;
  }

  /** How the last requests of each kind were answered. */
  get figures(): { readonly ghostText: RequestFiguresStatus; readonly nextEdits: RequestFiguresStatus } {
    return { ghostText: this.#figures.ghostText.status, nextEdits: this.#figures.nextEdits.status };
  }
}

/** How long the walk took; requests that no engine was asked about took no time. */
function tookMs(outcome: { readonly trace: readonly { readonly tookMs: number }[] } | undefined): number {
  return (outcome?.trace ?? []).reduce((sum, step) => sum + step.tookMs, 0);
}
