import { rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { errorMessage } from "../../text/index.ts";
import { makeFolder } from "../../workspace/node/index.ts";
import { toPlanHtml } from "../page/plan-to-html.ts";
import type { PlanView } from "../page/plan-view.ts";
import { folderOfPlan } from "./plan-journal.ts";

/** The path of a plan's page, a file beside its journal. */
function pagePathOf(folder: string, plan: string): string {
  return join(folderOfPlan(folder, plan), "plan.html");
}

/** The longest pause after a write, in milliseconds; an open page reloads at this interval. */
const maxRestMs = 2_000;

/**
 * Writes the page of a plan while the plan runs, completely or not at all, for the owner only.
 *
 * Writing does not delay the plan: while one state is written the next waits, and of several
 * waiting states only the last is written. After each write there is a pause of nine times its
 * duration, at most {@link maxRestMs}. A plan does not fail because of its page: {@link close}
 * returns the error.
 */
export class PlanPageFile {
  readonly path: string;
  readonly #folder: string;
  #waiting: (() => PlanView) | undefined;
  #writing: Promise<void> | undefined;
  #failure: string | undefined;
  #isClosing = false;
  #endRest: (() => void) | undefined;

  /** `folder` is the folder of all plans of the workspace. */
  constructor(folder: string, plan: string) {
    this.#folder = folderOfPlan(folder, plan);
    this.path = pagePathOf(folder, plan);
  }

  /** Schedules the page to show this state; `view` is called when it is written. */
  show(view: () => PlanView): void {
    this.#waiting = view;
    this.#writing ??= this.#write();
  }

  /**
   * Waits until the last scheduled state is written. Returns the error as a sentence; `undefined`
   * when there was none.
   */
  async close(): Promise<string | undefined> {
    this.#isClosing = true;
    this.#endRest?.();
    await this.#writing;
    this.#isClosing = false;
    return this.#failure;
  }

  async #write(): Promise<void> {
    while (this.#waiting !== undefined) {
      const start = performance.now();
      try {
        await makeFolder(this.#folder, { mode: 0o700 });
        const view: () => PlanView = this.#waiting;
        this.#waiting = undefined;
        await writeFile(`${this.path}.new`, toPlanHtml(view()), { mode: 0o600 });
        await rename(`${this.path}.new`, this.path);
        this.#failure = undefined;
      } catch (error) {
        this.#waiting = undefined;
        this.#failure = `The page of the plan cannot be written: ${errorMessage(error)}.`;
      }
      if (!this.#isClosing) await this.#rest(9 * (performance.now() - start));
    }
    this.#writing = undefined;
  }

  /** Waits `ms` milliseconds, at most {@link maxRestMs}, or until {@link close} is called. */
  #rest(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, Math.min(ms, maxRestMs));
      this.#endRest = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }
}
