import type { Connection, WorkDoneProgressServerReporter } from "vscode-languageserver";
import type { LearningState } from "./session/index.ts";

/** Shows the progress of learning the workspace in the editor. One for each session. */
export class LearningProgress {
  readonly #connection: Connection;
  #reporter: Promise<WorkDoneProgressServerReporter> | undefined;
  #lastPercentage = -1;

  /**
   * `connection` has to be initialized before the first call of `take`. Where the client cannot
   * show progress, nothing is shown.
   */
  constructor(connection: Connection) {
    this.#connection = connection;
  }

  take(state: LearningState): void {
    if (state.kind === "learning" && state.phase === "learning") {
      const percentage = Math.floor((100 * state.bytes) / Math.max(1, state.totalBytes));
      if (percentage === this.#lastPercentage) return;
      this.#lastPercentage = percentage;
      const message = `${state.files.toLocaleString("en")} files`;
      if (this.#reporter === undefined) {
        this.#reporter = this.#connection.window.createWorkDoneProgress();
        this.#write((reporter) => reporter.begin("Emend: learning the workspace", percentage, message, false));
      } else this.#write((reporter) => reporter.report(percentage, message));
    } else if (state.kind !== "learning" && this.#reporter !== undefined) {
      this.#write((reporter) => reporter.done());
      this.#reporter = undefined;
      this.#lastPercentage = -1;
    }
  }

  #write(write: (reporter: WorkDoneProgressServerReporter) => void): void {
    // Ignore errors: the client has refused the progress or has disconnected.
    this.#reporter?.then(write).catch(() => undefined);
  }
}
