import { type ReadonlySignal, type Signal, signal } from "@preact/signals";
import type { StepId } from "../../../src/plan/plan-graph.ts";
import type {
  PlanApplyResult,
  PlanContinueParams,
  PlanListResult,
  PlanName,
  PlanStartParams,
  PlanTaskResult,
  PlanViewParams,
} from "../../../src/server/protocol/plan-protocol.ts";
import { readFileDiffs } from "../diff/file-diff.ts";
import { type ProposedFile, undoOf } from "../edit/proposed-files.ts";
import type { PageServices } from "../page-services.ts";

/** What the session needs of the page. */
export type PlanServices = Pick<PageServices, "server" | "files" | "texts" | "tell">;

/** A plan of the list. */
export type ListedPlan = PlanListResult["plans"][number];

/** What was applied of a plan. */
export interface AppliedPlan {
  readonly files: readonly ProposedFile[];
  readonly isUndone: boolean;
}

/**
 * A plan that is watched, and all that a person may do with it. Whoever opens it disposes of it.
 */
export class PlanSession implements Disposable {
  readonly #services: PlanServices;
  readonly #views: Disposable;
  readonly #shown: Signal<PlanViewParams | undefined> = signal(undefined);
  readonly #plans: Signal<readonly ListedPlan[] | undefined> = signal(undefined);
  readonly #busy: Signal<string | undefined> = signal(undefined);
  readonly #problem: Signal<string | undefined> = signal(undefined);
  readonly #applied: Signal<AppliedPlan | undefined> = signal(undefined);
  /** What was told last since something was begun. */
  #told: PlanViewParams | undefined;
  /** The step that is looked at. */
  readonly selected: Signal<StepId | undefined> = signal(undefined);

  constructor(services: PlanServices) {
    this.#services = services;
    this.#views = services.server.on<PlanViewParams>("emend/plan/view", (view) => this.#take(view));
  }

  /** How the plan stands that is shown. */
  get shown(): ReadonlySignal<PlanViewParams | undefined> {
    return this.#shown;
  }

  /** The plans of the workspace, the newest first; `undefined` until they are known. */
  get plans(): ReadonlySignal<readonly ListedPlan[] | undefined> {
    return this.#plans;
  }

  /** What the server is being asked, in a few words. */
  get busy(): ReadonlySignal<string | undefined> {
    return this.#busy;
  }

  /** Why the last thing that was asked could not be done. */
  get problem(): ReadonlySignal<string | undefined> {
    return this.#problem;
  }

  /** What was applied of the plan that is shown, by this page. */
  get applied(): ReadonlySignal<AppliedPlan | undefined> {
    return this.#applied;
  }

  /** Begins a plan and watches it. */
  async start(params: PlanStartParams): Promise<void> {
    await this.#ask("Beginning", async () => {
      this.#leave();
      const { plan } = await this.#request<PlanName>("start", params);
      await this.#watch(plan);
    });
  }

  /** Continues: after a stop, with steps done by hand, or with what a chat said of one. */
  async goOn(more: Omit<PlanContinueParams, "plan" | "uri"> = {}): Promise<void> {
    await this.#ask("Going on", async () => {
      const { plan } = await this.#request<PlanName>("continue", { ...this.#name(), ...more });
      await this.#watch(plan);
    });
  }

  /** Takes a step back; what followed from it is planned again. */
  async reject(step: StepId, reason: string): Promise<void> {
    await this.#ask("Taking back", async () => {
      const why = reason.trim();
      const { plan } = await this.#request<PlanName>("reject", {
        ...this.#name(),
        step,
        ...(why !== "" && { reason: why }),
      });
      await this.#watch(plan);
    });
  }

  /** Has the plan stand still; it can be gone on with. */
  async stop(): Promise<void> {
    await this.#ask("Stopping", () => this.#request("stop", this.#name()));
  }

  /** A step as a text for any chat; rejects with an error for people. */
  taskFor(step: StepId): Promise<PlanTaskResult> {
    return this.#request<PlanTaskResult>("task", { ...this.#name(), step });
  }

  /**
   * Hands what the plan came to to the editor. `isSeen` says that the person knows of what speaks
   * against it.
   */
  async apply({ isSeen }: { readonly isSeen: boolean }): Promise<void> {
    await this.#ask("Applying", async () => {
      const before = await this.#textsOf(readFileDiffs(this.#shown.value?.diff ?? "").files.flatMap(bothPaths));
      const result = await this.#request<PlanApplyResult>("apply", { ...this.#name(), isSeen });
      if (!result.isApplied) throw new Error(result.failureReason ?? "The editor did not take the change.");
      const after = await this.#textsOf(result.files);
      const files = result.files.map((path): ProposedFile => {
        const texts = { before: before.get(path) ?? null, after: after.get(path) ?? null };
        return { uri: this.#services.files.uriOf(path), path, version: null, ...texts };
      });
      this.#applied.value = { files, isUndone: false };
      this.#services.tell(`The plan changed ${files.length === 1 ? files[0]!.path : `${files.length} files`}.`);
      await this.#watch(this.#name().plan);
    });
  }

  /** Takes back what was applied, unless something was changed since. */
  async undo(): Promise<void> {
    const applied = this.#applied.value;
    if (applied === undefined || applied.isUndone) return;
    await this.#ask("Taking back", async () => {
      const now = await this.#textsOf(applied.files.map(({ path }) => path));
      const moved = applied.files.find(({ path, after }) => (now.get(path) ?? null) !== after);
      if (moved !== undefined)
        throw new Error(`${moved.path} was changed since. Undo in its editor instead, by Ctrl+Z.`);
      const { applied: isDone, failureReason } = await this.#services.texts.apply(undoOf(applied.files));
      if (!isDone) throw new Error(failureReason ?? "The editor did not take it back.");
      this.#applied.value = { ...applied, isUndone: true };
      this.#services.tell("What the plan changed was taken back.");
      await this.#watch(this.#name().plan);
    });
  }

  /** Shows a plan of before. */
  async show(plan: string): Promise<void> {
    await this.#ask("Opening", async () => {
      const view = await this.#request<PlanViewParams>("show", { plan });
      this.#leave();
      this.#shown.value = view;
    });
  }

  /** Looks up which plans there are. */
  async list(): Promise<void> {
    try {
      this.#plans.value = (await this.#request<PlanListResult>("list", {})).plans;
    } catch {
      // Whoever begins or opens a plan is told what is the matter.
      this.#plans.value = [];
    }
  }

  /** Shows no plan any more; one that runs continues. */
  close(): void {
    this.#leave();
  }

  [Symbol.dispose](): void {
    this.#views[Symbol.dispose]();
  }

  #leave(): void {
    this.#shown.value = undefined;
    this.#applied.value = undefined;
    this.selected.value = undefined;
  }

  /** Shows how a plan stands now; what it tells from now on comes by itself. */
  async #watch(plan: string): Promise<void> {
    const view = await this.#request<PlanViewParams>("show", { plan });
    const told = this.#told;
    // How it ended says more than what is kept of it.
    this.#shown.value = told?.plan === plan && !told.isRunning && !view.isRunning ? told : view;
    await this.list();
  }

  #take(view: PlanViewParams): void {
    this.#told = view;
    const shown = this.#shown.value;
    if (shown?.plan !== view.plan) return;
    this.#shown.value = view;
    if (view.isRunning) return;
    if (shown.isRunning)
      this.#services.tell(view.problem ?? view.view.end ?? view.notes[0] ?? "The plan stands still.");
    void this.list();
  }

  #name(): PlanName {
    const shown = this.#shown.value;
    if (shown === undefined) throw new Error("No plan is shown.");
    return { plan: shown.plan, ...(shown.uri !== undefined && { uri: shown.uri }) };
  }

  async #textsOf(paths: readonly string[]): Promise<ReadonlyMap<string, string>> {
    const texts = new Map<string, string>();
    for (const path of paths) {
      const text = await this.#services.texts.textOf(this.#services.files.uriOf(path));
      if (text !== undefined) texts.set(path, text);
    }
    return texts;
  }

  #request<Answer>(method: string, params: object): Promise<Answer> {
    return this.#services.server.request<Answer>(`emend/plan/${method}`, params);
  }

  async #ask(what: string, work: () => Promise<unknown>): Promise<void> {
    this.#busy.value = what;
    this.#problem.value = undefined;
    this.#told = undefined;
    try {
      await work();
    } catch (error) {
      this.#problem.value = error instanceof Error ? error.message : String(error);
    } finally {
      this.#busy.value = undefined;
    }
  }
}

function bothPaths({ path, pathBefore }: { readonly path: string; readonly pathBefore?: string }): readonly string[] {
  return pathBefore === undefined ? [path] : [path, pathBefore];
}
