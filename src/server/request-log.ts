import type { ExplainedOutcome } from "./ghost-text-service.ts";
import type { ExplainedNextEdit } from "./next-edit-service.ts";
import type { ExplanationSubject } from "./protocol/explanation.ts";

/** The last request of each kind, and which of them was answered later. */
export class RequestLog {
  #ghostText: ExplainedOutcome | undefined;
  #nextEdit: ExplainedNextEdit | undefined;
  #later: ExplanationSubject | undefined;

  /** A request for ghost text was answered. */
  takeGhostText(explained: ExplainedOutcome): void {
    this.#ghostText = explained;
    this.#later = "ghost-text";
  }

  /** A request for a next edit was answered. */
  takeNextEdit(explained: ExplainedNextEdit): void {
    this.#nextEdit = explained;
    this.#later = "next-edit";
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
}
