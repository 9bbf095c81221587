import type { Connection } from "vscode-languageserver";
import type { GhostTextAnswer, ServerSilence } from "./ghost-text-service.ts";
import { printServerSilence } from "./print-server-silence.ts";
import type { LearningState } from "./session/index.ts";

interface Status {
  readonly kind: "Normal" | "Warning" | "Inactive";
  readonly busy: boolean;
  readonly message: string;
}

/**
 * Tells a client that speaks Copilot's dialect how the server is, as `didChangeStatus`: whenever that changes, and only
 * once it is known to understand it.
 */
export class StatusNotifier {
  readonly #connection: Connection;
  #isEnabled = false;
  #isLearning = false;
  #kind: Status["kind"] = "Normal";
  #message = "";
  #sent: string | undefined;

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  /** The client understands it. */
  enable(): void {
    this.#isEnabled = true;
    this.#send();
  }

  takeLearning({ kind }: LearningState): void {
    this.#isLearning = kind === "learning";
    this.#send();
  }

  takeAnswer(answer: GhostTextAnswer): void {
    const kind = answer.kind === "offered" ? "Normal" : kindOf(answer.reason);
    if (kind === undefined) return;
    this.#kind = kind;
    this.#message = answer.kind === "silent" && kind !== "Normal" ? printServerSilence(answer.reason) : "";
    this.#send();
  }

  #send(): void {
    const status: Status = {
      kind: this.#kind,
      busy: this.#isLearning,
      message: this.#message === "" && this.#isLearning ? "Learning the workspace" : this.#message,
    };
    const text = JSON.stringify(status);
    if (!this.#isEnabled || text === this.#sent) return;
    this.#sent = text;
    // A client that has gone misses nothing it needs.
    this.#connection.sendNotification("didChangeStatus", status).catch(() => undefined);
  }
}

/** What a reason says about the server; `undefined` when it says nothing. */
function kindOf({ kind }: ServerSilence): Status["kind"] | undefined {
  switch (kind) {
    case "no-model":
    case "model-failed":
    case "timed-out":
      return "Warning";
    case "language-off":
    case "secret-file":
    case "ignored-file":
    case "too-large":
    case "not-text":
      return "Inactive";
    case "cancelled":
    case "superseded":
    case "stale-version":
      return undefined;
    default:
      return "Normal";
  }
}
