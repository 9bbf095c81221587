import { mkdir, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { toPlanHtml } from "../page/plan-to-html.ts";
import type { PlanView } from "../page/plan-view.ts";
import { folderOfPlan } from "./plan-journal.ts";

/** The page of a plan, a file beside its journal. */
export function pagePathOf(folder: string, plan: string): string {
  return join(folderOfPlan(folder, plan), "plan.html");
}

/** A page that is looked at is loaded again this often. */
const maxRestMs = 2_000;

/**
 * Writes the page of a plan while the plan runs, whole or not at all, for its owner only.
 *
 * It is written behind the plan's back: what is shown while it is being written waits, and of several that wait the last is written. After each
 * writing it rests, nine times as long as that took and {@link maxRestMs} at most, so that the page of a large plan does not hold the plan up. A
 * plan does not fail for its page: why it could not be written, {@link close} tells.
 */
export class PlanPageFile {
  readonly path: string;
  readonly #folder: string;
  #waiting: (() => PlanView) | undefined;
  #writing: Promise<void> | undefined;
  #failure: string | undefined;
  #isClosing = false;
  #endRest: (() => void) | undefined;

  /** `folder` is that of all plans of the workspace. */
  constructor(folder: string, plan: string) {
    this.#folder = folderOfPlan(folder, plan);
    this.path = pagePathOf(folder, plan);
  }

  /** Has the page show this; `view` is asked once it is the page's turn. */
  show(view: () => PlanView): void {
    this.#waiting = view;
    this.#writing ??= this.#write();
  }

  /** Waits until the last that was shown is written. Answers why it could not be, as a sentence. */
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
        await mkdir(this.#folder, { recursive: true, mode: 0o700 });
        const view: () => PlanView = this.#waiting;
        this.#waiting = undefined;
        await writeFile(`${this.path}.new`, toPlanHtml(view()), { mode: 0o600 });
        await rename(`${this.path}.new`, this.path);
        this.#failure = undefined;
      } catch (error) {
        this.#waiting = undefined;
        this.#failure = `The page of the plan cannot be written: ${error instanceof Error ? error.message : error}.`;
      }
      if (!this.#isClosing) await this.#rest(9 * (performance.now() - start));
    }
    this.#writing = undefined;
  }

  /** Waits, until {@link close} is called at most. */
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
