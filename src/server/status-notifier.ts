import type { Connection, WorkDoneProgressServerReporter } from "vscode-languageserver";
import type { Clock } from "../async/index.ts";
import type { EmendStatusParams } from "./protocol/emend-status.ts";
import type { LearningState, ModelStatus } from "./session/index.ts";
import type { GhostTextAnswer } from "./suggestions/server-ghost-text.ts";
import { describeServerNoSuggestion, type ServerNoSuggestionReason } from "./suggestions/server-no-suggestion.ts";
import { describeSnoozed } from "./suggestions/snooze.ts";
import { Throttle } from "./throttle.ts";

/** The least milliseconds between two notifications `emend/didChangeStatus`. */
const everyMs = 250;

/** The options of a {@link StatusNotifier}. */
export interface StatusNotifierOptions {
  readonly connection: Connection;
  readonly clock: Clock;
  /** The progress of learning in each session. */
  learning(): readonly LearningState[];
  /** The minutes for which automatic suggestions are snoozed; 0 where they are not. */
  snoozedMinutes(): number;
  /** The models of all sessions. */
  models(): readonly ModelStatus[];
  /**
   * The first models for edits by instruction of the sessions, as {@link WorkspaceSession} has
   * them.
   */
  editModels(): readonly (string | null | undefined)[];
  /** The problems of the configuration of all sessions. */
  issues(): readonly string[];
  /** Those of the problems that a person solves by trusting a workspace. */
  untrustedIssues(): readonly string[];
}

/**
 * Notifies a client when the server's status changes: as `emend/didChangeStatus` after {@link
 * enable}, and as Copilot's `didChangeStatus` after {@link enableCopilotStatus}.
 */
export class StatusNotifier implements Disposable {
  readonly #options: StatusNotifierOptions;
  readonly #throttle: Throttle;
  readonly #sent = new Map<string, string>();
  #sendsCopilotStatus = false;
  #sendsStatus = false;
  #kind: EmendStatusParams["kind"] = "normal";
  #message = "";
  /** Why the last request had no suggestion, and its document. */
  #reason: { readonly why: ServerNoSuggestionReason; readonly uri: string } | undefined;

  constructor(options: StatusNotifierOptions) {
    this.#options = options;
    const { clock } = options;
    this.#throttle = new Throttle({ clock, everyMs, notify: () => this.#send("emend/didChangeStatus", this.status) });
  }

  /** Enables the notification of Copilot's dialect. */
  enableCopilotStatus(): void {
    this.#sendsCopilotStatus = true;
    this.#changed();
  }

  /** Enables Emend's own notification. */
  enable(): void {
    this.#sendsStatus = true;
    this.#changed();
  }

  /**
   * Updates the status after progress of learning, a change of the snooze, or of the state of a
   * model: the failure of a model that has answered since is no warning any more.
   */
  refresh(): void {
    const isFailed = this.#reason?.why.kind === "model-failed";
    if (isFailed && this.#options.models().every(({ problem }) => problem === undefined)) this.#forgetReason();
    this.#changed();
  }

  /**
   * Updates the status after the settings or the ignore rules were read: most reasons may not hold
   * any more.
   */
  settingsRead(): void {
    if (this.#kind !== "normal" && !isOfFile(this.#reason?.why.kind)) this.#forgetReason();
    this.#changed();
  }

  /** Takes the answer to a request in the document at `uri`. */
  takeAnswer(answer: GhostTextAnswer, uri: string): void {
    const kind = answer.kind === "offered" ? "normal" : kindOf(answer.reason);
    if (kind === undefined) return;
    this.#reason = answer.kind === "no-suggestion" ? { why: answer.reason, uri } : undefined;
    this.#kind = kind;
    this.#message =
      answer.kind === "no-suggestion" && kind !== "normal" ? describeServerNoSuggestion(answer.reason) : "";
    this.#changed();
  }

  get status(): EmendStatusParams {
    const learning = this.#options.learning().flatMap((state) => (state.kind === "learning" ? [state] : []));
    const busy = learning.length > 0;
    const done = learning.reduce((sum, { phase, files }) => sum + (phase === "learning" ? files : 0), 0);
    const of = learning.reduce((sum, { totalFiles }) => sum + totalFiles, 0);
    const reason = this.#reason;
    const snoozedMinutes = this.#options.snoozedMinutes();
    const isSnoozed = snoozedMinutes > 0;
    const issues = [...new Set(this.#options.issues())];
    const untrustedIssues = [...new Set(this.#options.untrustedIssues())];
    const failed = this.#options.models().find(({ problem }) => problem !== undefined);
    const isLoading = failed?.isLoading === true;
    const editModels = this.#options.editModels();
    const editModel =
      editModels.find((name) => typeof name === "string") ??
      (editModels.includes(undefined) ? undefined : editModels[0]);
    const idle = isLoading ? `Loading ${failed?.name}` : busy ? "Learning the workspace" : "";
    const message = isLoading || this.#message === "" ? idle : this.#message;
    return {
      ...{ kind: isSnoozed ? "inactive" : this.#kind, busy },
      message: isSnoozed ? describeSnoozed(snoozedMinutes) : message,
      ...(isSnoozed && { snoozedMinutes }),
      ...(failed && {
        failedModel: { name: failed.name, problem: failed.problem!, failure: failed.failure!, isLoading },
      }),
      ...(editModel !== undefined && { editModel }),
      ...(issues.length > 0 && { issues }),
      ...(untrustedIssues.length > 0 && { untrustedIssues }),
      ...(of > 0 && { learning: { done, of } }),
      ...(reason && {
        noSuggestion: { kind: reason.why.kind, text: describeServerNoSuggestion(reason.why), uri: reason.uri },
      }),
    };
  }

  /** Stops all notifications. */
  [Symbol.dispose](): void {
    this.#throttle[Symbol.dispose]();
    this.#sendsCopilotStatus = false;
    this.#sendsStatus = false;
  }

  #forgetReason(): void {
    this.#kind = "normal";
    this.#message = "";
    this.#reason = undefined;
  }

  #changed(): void {
    if (this.#sendsStatus) this.#throttle.touch();
    if (!this.#sendsCopilotStatus) return;
    const { kind, busy, message } = this.status;
    this.#send("didChangeStatus", { kind: copilotKinds[kind], busy, message });
  }

  #send(method: string, status: object): void {
    const text = JSON.stringify(status);
    if (text === this.#sent.get(method)) return;
    this.#sent.set(method, text);
    void this.#options.connection.sendNotification(method, status);
  }
}

const copilotKinds = { normal: "Normal", warning: "Warning", inactive: "Inactive" } as const;

/** Whether a reason is one of the file itself, which no setting and no rule changes. */
function isOfFile(kind: ServerNoSuggestionReason["kind"] | undefined): boolean {
  return kind === "secret-file" || kind === "not-text";
}

/** The status for a reason; `undefined` when the reason does not change the status. */
function kindOf({ kind }: ServerNoSuggestionReason): EmendStatusParams["kind"] | undefined {
  switch (kind) {
    case "no-model":
    case "model-failed":
    case "timed-out":
      return "warning";
    case "language-off":
    case "secret-file":
    case "ignored-file":
    case "too-large":
    case "not-text":
      return "inactive";
    case "cancelled":
    case "superseded":
    case "stale-version":
    case "snoozed":
      return undefined;
    default:
      return "normal";
  }
}

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
