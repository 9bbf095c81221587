import type { Connection, WorkDoneProgressServerReporter } from "vscode-languageserver";
import type { LearningState } from "./session/index.ts";

/** How far learning has come, shown in the editor. One for each session. */
export class LearningProgress {
  readonly #connection: Connection;
  #reporter: Promise<WorkDoneProgressServerReporter> | undefined;
  #lastPercentage = -1;

  /** `connection` has to be initialised by the time of the first state. A client that shows no progress is not bothered. */
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
        this.#tell((reporter) => reporter.begin("Emend: learning the workspace", percentage, message, false));
      } else this.#tell((reporter) => reporter.report(percentage, message));
    } else if (state.kind !== "learning" && this.#reporter !== undefined) {
      this.#tell((reporter) => reporter.done());
      this.#reporter = undefined;
      this.#lastPercentage = -1;
    }
  }

  #tell(tell: (reporter: WorkDoneProgressServerReporter) => void): void {
    // A client that refuses the progress, or has gone, misses nothing it needs.
    this.#reporter?.then(tell).catch(() => undefined);
  }
}
