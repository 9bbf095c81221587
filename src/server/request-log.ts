import type { ExplanationSubject } from "./protocol/explanation.ts";
import { RequestFigures, type RequestFiguresStatus } from "./request-figures.ts";
import type { ExplainedOutcome } from "./suggestions/ghost-text-service.ts";
import type { ExplainedNextEdit } from "./suggestions/next-edit-service.ts";

/** The last request of each kind, and statistics of the last {@link maxRequests}. */
export class RequestLog {
  readonly #figures = { ghostText: new RequestFigures(), nextEdits: new RequestFigures() };
  #ghostText: ExplainedOutcome | undefined;
  #nextEdit: ExplainedNextEdit | undefined;
  #later: ExplanationSubject | undefined;

  /** Records an answered request for ghost text. */
  takeGhostText(explained: ExplainedOutcome): void {
    this.#ghostText = explained;
    this.#later = "ghost-text";
    const { outcome, nextEdit, reason } = explained;
    const suggested = outcome?.kind === "offered" && reason === undefined ? outcome.suggestions[0].origin : undefined;
    const origin = nextEdit === undefined ? suggested : "next-edit";
    this.#figures.ghostText.add({ tookMs: tookMs(outcome), origin, reasonKind: reason?.kind });
  }

  /** Records an answered request for a next edit. */
  takeNextEdit(explained: ExplainedNextEdit): void {
    this.#nextEdit = explained;
    this.#later = "next-edit";
    const { outcome, reason } = explained;
    const offered = outcome?.kind === "offered" && reason === undefined ? outcome.suggestion : undefined;
    const origin = offered?.isReused === true ? "typed-as-suggested" : offered?.origin;
    this.#figures.nextEdits.add({ tookMs: tookMs(outcome), origin, reasonKind: reason?.kind });
  }

  get ghostText(): ExplainedOutcome | undefined {
    return this.#ghostText;
  }

  get nextEdit(): ExplainedNextEdit | undefined {
    return this.#nextEdit;
  }

  /** The kind of the last request; `undefined` before the first. */
  get later(): ExplanationSubject | undefined {
    return this.#later;
  }

  /** Statistics of the last requests of each kind. */
  get figures(): { readonly ghostText: RequestFiguresStatus; readonly nextEdits: RequestFiguresStatus } {
    return { ghostText: this.#figures.ghostText.status, nextEdits: this.#figures.nextEdits.status };
  }
}

/** The duration of the trace in milliseconds; 0 where no engine was called. */
function tookMs(outcome: { readonly trace: readonly { readonly tookMs: number }[] } | undefined): number {
  return (outcome?.trace ?? []).reduce((sum, step) => sum + step.tookMs, 0);
}
