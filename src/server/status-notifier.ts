import type { Connection } from "vscode-languageserver";
import type { Clock } from "../codebase/index.ts";
import type { GhostTextAnswer, ServerSilence } from "./ghost-text-service.ts";
import { printServerSilence } from "./print-server-silence.ts";
import type { EmendStatusParams } from "./protocol/emend-status.ts";
import type { LearningState } from "./session/index.ts";
import { Throttle } from "./throttle.ts";

/** The fewest milliseconds between one `emend/didChangeStatus` and the next. */
const everyMs = 250;

/** Whom the notifier tells, and of what. */
export interface StatusNotifierOptions {
  readonly connection: Connection;
  readonly clock: Clock;
  /** How far learning has come, in each session. */
  learning(): readonly LearningState[];
}

/**
 * Tells a client how the server is, whenever that changes: as `emend/didChangeStatus` where the client asked for that, and
 * as `didChangeStatus` once it is known to speak Copilot's dialect.
 */
export class StatusNotifier implements Disposable {
  readonly #options: StatusNotifierOptions;
  readonly #throttle: Throttle;
  readonly #sent = new Map<string, string>();
  #isCopilots = false;
  #isOwn = false;
  #kind: EmendStatusParams["kind"] = "normal";
  #message = "";
  #silence: ServerSilence | undefined;

  constructor(options: StatusNotifierOptions) {
    this.#options = options;
    const { clock } = options;
    this.#throttle = new Throttle({ clock, everyMs, tell: () => this.#send("emend/didChangeStatus", this.status) });
  }

  /** The client speaks Copilot's dialect. */
  enableCopilots(): void {
    this.#isCopilots = true;
    this.#changed();
  }

  /** The client wants to hear of it in our own words. */
  enable(): void {
    this.#isOwn = true;
    this.#changed();
  }

  /** Learning has come further, in some session. */
  takeLearning(): void {
    this.#changed();
  }

  takeAnswer(answer: GhostTextAnswer): void {
    const kind = answer.kind === "offered" ? "normal" : kindOf(answer.reason);
    if (kind === undefined) return;
    this.#silence = answer.kind === "silent" ? answer.reason : undefined;
    this.#kind = kind;
    this.#message = answer.kind === "silent" && kind !== "normal" ? printServerSilence(answer.reason) : "";
    this.#changed();
  }

  get status(): EmendStatusParams {
    const learning = this.#options.learning().flatMap((state) => (state.kind === "learning" ? [state] : []));
    const busy = learning.length > 0;
    const done = learning.reduce((sum, { phase, files }) => sum + (phase === "learning" ? files : 0), 0);
    const of = learning.reduce((sum, { totalFiles }) => sum + totalFiles, 0);
    const silence = this.#silence;
    return {
      ...{ kind: this.#kind, busy },
      message: this.#message === "" && busy ? "Learning the workspace" : this.#message,
      ...(of > 0 && { learning: { done, of } }),
      ...(silence && { silence: { kind: silence.kind, text: printServerSilence(silence) } }),
    };
  }

  /** Nothing is told any more. */
  [Symbol.dispose](): void {
    this.#throttle[Symbol.dispose]();
    this.#isCopilots = false;
    this.#isOwn = false;
  }

  #changed(): void {
    if (this.#isOwn) this.#throttle.touch();
    if (!this.#isCopilots) return;
    const { kind, busy, message } = this.status;
    this.#send("didChangeStatus", { kind: copilotsNames[kind], busy, message });
  }

  #send(method: string, status: object): void {
    const text = JSON.stringify(status);
    if (text === this.#sent.get(method)) return;
    this.#sent.set(method, text);
    // A client that has gone misses nothing it needs.
    this.#options.connection.sendNotification(method, status).catch(() => undefined);
  }
}

const copilotsNames = { normal: "Normal", warning: "Warning", inactive: "Inactive" } as const;

/** What a reason says about the server; `undefined` when it says nothing. */
function kindOf({ kind }: ServerSilence): EmendStatusParams["kind"] | undefined {
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
      return undefined;
    default:
      return "normal";
  }
}
