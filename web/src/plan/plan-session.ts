import { type ReadonlySignal, type Signal, signal } from "@preact/signals";
import type { StepId } from "../../../src/plan/plan-graph.ts";
import type {
  PlanApplyResult,
  PlanChangesResult,
  PlanContinueParams,
  PlanListResult,
  PlanName,
  PlanStartParams,
  PlanTaskResult,
  PlanViewParams,
} from "../../../src/server/protocol/plan-protocol.ts";
import { errorMessage } from "../../../src/text/index.ts";
import { readFileDiffs } from "../diff/file-diff.ts";
import type { ProposedFile } from "../edit/proposed-files.ts";
import { printLeft, undoFiles } from "../edit/undo-files.ts";
import { printCountOf } from "../look/numbers.ts";
import type { PageServices } from "../page-services.ts";

/** The services of the page that the session uses. */
export interface PlanServices extends Pick<PageServices, "server" | "files" | "texts" | "showMessage"> {
  /** Whether the user sees the panel, which shows the problem of the open plan. */
  isPanelVisible(): boolean;
}

/** A plan of the list. */
export type ListedPlan = PlanListResult["plans"][number];

/** The applied changes of a plan. */
export interface AppliedPlan {
  readonly files: readonly ProposedFile[];
  readonly isUndone: boolean;
}

/**
 * The open plan and the actions on it. The creator disposes of the session.
 */
export class PlanSession implements Disposable {
  readonly #services: PlanServices;
  readonly #views: Disposable;
  readonly #shown: Signal<PlanViewParams | undefined> = signal(undefined);
  readonly #plans: Signal<readonly ListedPlan[] | undefined> = signal(undefined);
  readonly #busy: Signal<string | undefined> = signal(undefined);
  readonly #problem: Signal<string | undefined> = signal(undefined);
  readonly #applied: Signal<AppliedPlan | undefined> = signal(undefined);
  /** The last notified view since the start of the current action. */
  #lastNotified: PlanViewParams | undefined;
  /** The selected step. */
  readonly selected: Signal<StepId | undefined> = signal(undefined);

  constructor(services: PlanServices) {
    this.#services = services;
    this.#views = services.server.on<PlanViewParams>("emend/plan/view", (view) => this.#take(view));
  }

  /** The view of the open plan. */
  get shown(): ReadonlySignal<PlanViewParams | undefined> {
    return this.#shown;
  }

  /** The plans of the workspace, the newest first; `undefined` until they are known. */
  get plans(): ReadonlySignal<readonly ListedPlan[] | undefined> {
    return this.#plans;
  }

  /** The current action, such as `Stopping`. */
  get busy(): ReadonlySignal<string | undefined> {
    return this.#busy;
  }

  /** The error of the last action. */
  get problem(): ReadonlySignal<string | undefined> {
    return this.#problem;
  }

  /** The changes of the open plan that were applied. */
  get applied(): ReadonlySignal<AppliedPlan | undefined> {
    return this.#applied;
  }

  /** Starts a plan and follows its progress. */
  async start(params: PlanStartParams): Promise<void> {
    await this.#run("Starting", async () => {
      this.#leave();
      const { plan } = await this.#request<PlanName>("start", params);
      await this.#watch(plan);
    });
  }

  /**
   * Continues a plan: after a stop, with steps done by hand, or with a chat's answer for a step.
   */
  async continue(more: Omit<PlanContinueParams, "plan" | "uri"> = {}): Promise<void> {
    await this.#run("Continuing", async () => {
      const { plan } = await this.#request<PlanName>("continue", { ...this.#name(), ...more });
      await this.#watch(plan);
    });
  }

  /** Rejects a step; its dependent steps are planned again. */
  async reject(step: StepId, reason: string): Promise<void> {
    await this.#run("Rejecting", async () => {
      const why = reason.trim();
      const { plan } = await this.#request<PlanName>("reject", {
        ...this.#name(),
        step,
        ...(why !== "" && { reason: why }),
      });
      await this.#watch(plan);
    });
  }

  /** Stops the plan; {@link continue} resumes it. */
  async stop(): Promise<void> {
    await this.#run("Stopping", () => this.#request("stop", this.#name()));
  }

  /** The prompt of a step for any chat; rejects with an error for people. */
  taskFor(step: StepId): Promise<PlanTaskResult> {
    return this.#request<PlanTaskResult>("task", { ...this.#name(), step });
  }

  /**
   * Applies the changes of the plan. `isSeen` confirms that the user has seen the doubt about them.
   */
  async apply({ isSeen }: { readonly isSeen: boolean }): Promise<void> {
    await this.#run("Applying", async () => {
      const before = await this.#textsOf(readFileDiffs(this.#shown.value?.diff ?? "").files.flatMap(bothPaths));
      const result = await this.#request<PlanApplyResult>("apply", { ...this.#name(), isSeen });
      if (!result.isApplied) throw new Error(result.failureReason ?? "The editor could not apply the change.");
      const after = await this.#textsOf(result.files);
      const files = result.files.map((path): ProposedFile => {
        const texts = { before: before.get(path) ?? null, after: after.get(path) ?? null };
        return { uri: this.#services.files.uriOf(path), path, version: null, ...texts };
      });
      // Files that an undo has left still have the change.
      const { files: applied = [], isUndone = true } = this.#applied.value ?? {};
      const others = isUndone ? [] : applied.filter(({ path }) => !result.files.includes(path));
      this.#applied.value = { files: [...others, ...files], isUndone: false };
      this.#services.showMessage(`The plan changed ${files.length === 1 ? files[0]!.path : `${files.length} files`}.`);
      await this.#watch(this.#name().plan);
    });
  }

  /** Undoes the applied changes, but for files that have changed since. */
  async undo(): Promise<void> {
    const applied = this.#applied.value;
    if (applied === undefined || applied.isUndone) return;
    await this.#run("Undoing", async () => {
      const { undone, left } = await undoFiles(applied.files, this.#services.texts);
      const isUndone = left.length === 0;
      this.#applied.value = { files: isUndone ? applied.files : left, isUndone };
      if (isUndone) this.#services.showMessage("The changes of the plan were undone.");
      else if (undone.length > 0)
        this.#services.showMessage(`The changes of ${printCountOf(undone.length, "file")} were undone.`);
      await this.#watch(this.#name().plan);
      if (!isUndone) throw new Error(printLeft(left));
    });
  }

  /** Opens an earlier plan. */
  async show(plan: string): Promise<void> {
    await this.#run("Opening", async () => {
      const view = await this.#request<PlanViewParams>("show", { plan });
      this.#leave();
      this.#shown.value = view;
      this.#applied.value = await this.#appliedBefore();
    });
  }

  /** Updates {@link plans}. */
  async list(): Promise<void> {
    try {
      this.#plans.value = (await this.#request<PlanListResult>("list", {})).plans;
    } catch {
      // Starting or opening a plan reports the error.
      this.#plans.value = [];
    }
  }

  /** Closes the plan in the page; a running plan continues. */
  close(): void {
    this.#leave();
  }

  /** Shows a running plan as stopped: it ends with the connection to its server. */
  disconnected(): void {
    const shown = this.#shown.value;
    if (shown?.isRunning !== true) return;
    const steps = shown.view.steps.map((step) =>
      step.status === "requested" ? { ...step, status: "pending" as const } : step,
    );
    const { activity: _, ...rest } = shown;
    const problem = "The plan has stopped, because the connection to the server is lost. Continue resumes it.";
    this.#shown.value = { ...rest, view: { ...shown.view, steps }, isRunning: false, problem };
  }

  [Symbol.dispose](): void {
    this.#views[Symbol.dispose]();
  }

  #leave(): void {
    this.#shown.value = undefined;
    this.#applied.value = undefined;
    this.selected.value = undefined;
  }

  /**
   * The changes of the open plan that were applied before it was opened here, such as before a
   * reload of the page; `undefined` where none of them is left.
   */
  async #appliedBefore(): Promise<AppliedPlan | undefined> {
    const { isRunning, diff = "" } = this.#shown.value!;
    if (isRunning || diff === "") return undefined;
    const { files } = await this.#request<PlanChangesResult>("changes", this.#name());
    const texts = await this.#textsOf(files.map(({ path }) => path));
    if (files.every(({ path, after }) => (texts.get(path) ?? null) !== after)) return undefined;
    const uriOf = (path: string) => this.#services.files.uriOf(path);
    return { files: files.map((file) => ({ uri: uriOf(file.path), version: null, ...file })), isUndone: false };
  }

  /** Shows the current view of a plan; later views arrive as notifications. */
  async #watch(plan: string): Promise<void> {
    const view = await this.#request<PlanViewParams>("show", { plan });
    const notified = this.#lastNotified;
    // The notified view of an ended plan has the problem and notes, which the stored plan lacks.
    this.#shown.value = notified?.plan === plan && !notified.isRunning && !view.isRunning ? notified : view;
    await this.list();
  }

  #take(view: PlanViewParams): void {
    this.#lastNotified = view;
    const shown = this.#shown.value;
    if (shown?.plan !== view.plan) return;
    this.#shown.value = view;
    if (view.isRunning) return;
    const { problem, notes } = view;
    if (shown.isRunning && problem === undefined)
      this.#services.showMessage(view.view.end ?? notes[0] ?? "The plan has stopped.");
    else if (shown.isRunning && !this.#services.isPanelVisible()) this.#services.showMessage(problem!, "error");
    void this.list();
  }

  #name(): PlanName {
    const shown = this.#shown.value;
    if (shown === undefined) throw new Error("No plan is open.");
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

  async #run(what: string, work: () => Promise<unknown>): Promise<void> {
    this.#busy.value = what;
    this.#problem.value = undefined;
    this.#lastNotified = undefined;
    try {
      await work();
    } catch (error) {
      this.#problem.value = errorMessage(error);
    } finally {
      this.#busy.value = undefined;
    }
  }
}

function bothPaths({ path, pathBefore }: { readonly path: string; readonly pathBefore?: string }): readonly string[] {
  return pathBefore === undefined ? [path] : [path, pathBefore];
}
