import { type ReadonlySignal, type Signal, signal } from "@preact/signals";
import type { FoundServer } from "../../../src/model/index.ts";
import type {
  SetupChoice,
  SetupParams,
  SetupQuestion,
  SetupReport,
  SetupState,
  SetupStep,
} from "../../../src/server/protocol/setup-protocol.ts";
import { errorMessage } from "../../../src/text/index.ts";
import type { ServerLink } from "../page-services.ts";

/** What the set-up of a model does now. */
export type SetupStage =
  | { readonly kind: "resting" }
  | { readonly kind: "running" }
  /** The names of the chosen models are awaited. */
  | { readonly kind: "choosing"; readonly choice: SetupChoice; answer(names: readonly string[]): void }
  | { readonly kind: "asking"; readonly question: SetupQuestion; answer(isConfirmed: boolean): void }
  /** The command that prints a key is awaited: what the person types, or nothing. */
  | { readonly kind: "asking-for-key-command"; readonly question: string; answer(typed: string | null): void }
  | { readonly kind: "done"; readonly report: SetupReport }
  | { readonly kind: "failed"; readonly message: string };

/** A model that was tried, or is being tried. */
export interface TriedModel {
  /** `undefined` while it is being tried. */
  readonly result: Extract<SetupStep, { readonly kind: "tried" }> | undefined;
}

/** Sets up a model on the server, whose steps it shows and whose questions it passes on. */
export class SetupSession {
  readonly #server: ServerLink;
  readonly #stage: Signal<SetupStage> = signal({ kind: "resting" });
  readonly #servers: Signal<readonly FoundServer[]> = signal([]);
  readonly #tried: Signal<ReadonlyMap<string, TriedModel>> = signal(new Map());
  readonly #news: Signal<string> = signal("");
  readonly #canReset: Signal<boolean> = signal(false);
  #running: AbortController | undefined;
  #isSearch = false;

  constructor(server: ServerLink) {
    this.#server = server;
    server.on<SetupStep>("emend/setup/step", (step) => this.#take(step));
  }

  get stage(): ReadonlySignal<SetupStage> {
    return this.#stage;
  }

  /** The servers that answer. */
  get servers(): ReadonlySignal<readonly FoundServer[]> {
    return this.#servers;
  }

  /** By the names of models in settings. */
  get tried(): ReadonlySignal<ReadonlyMap<string, TriedModel>> {
    return this.#tried;
  }

  /** The current step as a sentence; empty while nothing runs. */
  get news(): ReadonlySignal<string> {
    return this.#news;
  }

  /** Whether an earlier setup can be taken back; false until {@link findEarlier} has found one. */
  get canReset(): ReadonlySignal<boolean> {
    return this.#canReset;
  }

  /** Updates {@link canReset}. */
  async findEarlier(): Promise<void> {
    try {
      this.#canReset.value = (await this.#server.request<SetupState>("emend/setup/state")).canReset;
    } catch {
      // A run of the steps reports the error.
      this.#canReset.value = false;
    }
  }

  /** Runs the steps. Does nothing while they run. */
  async run(params: SetupParams): Promise<void> {
    if (this.#running !== undefined) return;
    const running = new AbortController();
    this.#running = running;
    this.#isSearch = params.reset !== true && params.hosted === undefined;
    this.#servers.value = [];
    this.#tried.value = new Map();
    this.#news.value = this.#isSearch ? "Looking for model servers." : "";
    this.#stage.value = { kind: "running" };
    let end: SetupStage = { kind: "resting" };
    try {
      const { signal } = running;
      end = { kind: "done", report: await this.#server.request<SetupReport>("emend/setup", params, { signal }) };
    } catch (error) {
      if (!running.signal.aborted) end = { kind: "failed", message: errorMessage(error) };
    }
    this.#running = undefined;
    this.#news.value = "";
    this.#stage.value = end;
    await this.findEarlier();
  }

  /** Stops the steps; nothing more is sent or written. */
  stop(): void {
    this.#running?.abort();
  }

  /** Stops the steps where they are about the servers at an address, which the user changes. */
  addressChanged(): void {
    if (this.#isSearch) this.stop();
  }

  /** Answers the server with the names of the models that the user chooses. */
  choose(choice: SetupChoice): Promise<readonly string[]> {
    return new Promise((resolve) => {
      const answer = (names: readonly string[]) => this.#goOn(() => resolve(names));
      this.#ask({ kind: "choosing", choice, answer });
    });
  }

  /** Answers the server with the user's decision. An address that is refused ends the steps. */
  confirm(question: SetupQuestion): Promise<boolean> {
    return new Promise((resolve) => {
      const answer = (isConfirmed: boolean) => {
        if (question.kind === "contact" && !isConfirmed) this.stop();
        this.#goOn(() => resolve(isConfirmed));
        if (question.kind === "write" && isConfirmed)
          this.#news.value = "Writing the settings, and completing a line of your code.";
      };
      this.#ask({ kind: "asking", question, answer });
    });
  }

  /** Answers the server with the line that the user types; `null` where there is no command. */
  askForKeyCommand(question: string): Promise<string | null> {
    return new Promise((resolve) => {
      const answer = (typed: string | null) => this.#goOn(() => resolve(typed));
      this.#ask({ kind: "asking-for-key-command", question, answer });
    });
  }

  /** The last step has ended, so its news would say that it starts again after the answer. */
  #ask(stage: SetupStage): void {
    this.#news.value = "";
    this.#stage.value = stage;
  }

  #goOn(resolve: () => void): void {
    this.#stage.value = { kind: "running" };
    resolve();
  }

  #take(step: SetupStep): void {
    // The server may have sent a step before it learnt of the end.
    if (this.#running === undefined) return;
    if (step.kind === "found") this.#servers.value = step.servers;
    else if (step.kind === "tried") {
      this.#know(step.trial.name, step);
      this.#news.value = "";
    } else {
      if (step.kind === "trying") this.#know(step.name, undefined);
      this.#news.value = step.text;
    }
  }

  #know(name: string, result: TriedModel["result"]): void {
    this.#tried.value = new Map([...this.#tried.value, [name, { result }]]);
  }
}
