import { type ClientCapabilities, type Connection, LSPErrorCodes, ResponseError } from "vscode-languageserver";
import { type Clock, onAbort } from "../../async/index.ts";
import { parseModelName } from "../../model/index.ts";
import { foldPlan, pathsOfEdit, planTitleOf, printPlanProgress, type StepId } from "../../plan/index.ts";
import { EmendError, errorMessage } from "../../text/index.ts";
import { checkParams } from "../check-params.ts";
import { toFileUri } from "../file-uri.ts";
import { type CrashLog, requestFailed, serveRequest, wrongParams } from "../guard.ts";
import type { Positions } from "../positions.ts";
import type {
  PlanApplyParams,
  PlanApplyResult,
  PlanChangesResult,
  PlanContinueParams,
  PlanListParams,
  PlanListResult,
  PlanName,
  PlanRejectParams,
  PlanStartParams,
  PlanTaskParams,
  PlanTaskResult,
  PlanViewParams,
} from "../protocol/plan-protocol.ts";
import type { WorkspaceSession } from "../session/index.ts";
import { type PlanFolder, PlanFolders, type PlanFoldersParts } from "./plan-folders.ts";
import type { PlanHost, PlanNewsStream, PlanRequestLimits, PlanRunParts, StoredPlanState } from "./plan-host.ts";
import { applyPlan, viewOfPlan, withoutMark } from "./plan-outcome.ts";
import { followPlan, type PlanStop, PlanWatch, type RunningView } from "./plan-watch.ts";

/** What the methods of plans are served with. */
export interface PlanMethodParts extends PlanFoldersParts {
  readonly connection: Connection;
  readonly capabilities: ClientCapabilities;
  readonly host: PlanHost;
  readonly clock: Clock;
  readonly positions: Positions;
  readonly log: CrashLog;
}

/** The notification of a plan's state. */
export const planView = "emend/plan/view";

/** A running plan and its folder. */
interface Running extends PlanFolder {
  readonly watch: PlanWatch;
  /** The notes of its views while it runs. */
  readonly notes: readonly string[];
  /** Resolves once the client was notified of the final state. */
  readonly ended: Promise<void>;
}

/**
 * Serves `emend/plan/…`: plans that a client starts, watches and applies, one at a time in each
 * workspace folder.
 *
 * Disposing stops the running plans; they can be continued later.
 */
export class PlanMethods implements AsyncDisposable {
  readonly #parts: PlanMethodParts;
  readonly #folders: PlanFolders;
  /** The running plans, by the roots of their folders. */
  readonly #running = new Map<string, Running>();
  /** The plans of other processes that the client watches, by {@link keyOf}. */
  readonly #followed = new Map<string, Disposable>();
  #isDisposed = false;

  constructor(parts: PlanMethodParts) {
    this.#parts = parts;
    this.#folders = new PlanFolders(parts);
    this.#serve<PlanStartParams, PlanName>("start", {}, (params, signal) => this.#start(params, signal));
    this.#serve<PlanContinueParams, PlanName>("continue", namesPlan, (params, signal) =>
      this.#continue(params, signal),
    );
    this.#serve<PlanRejectParams, PlanName>("reject", namesPlan, (params, signal) => this.#reject(params, signal));
    this.#serve<PlanName, null>("stop", namesPlan, (params) => this.#stop(params));
    this.#serve<PlanName, PlanViewParams>("show", namesPlan, (params) => this.#show(params));
    this.#serve<PlanApplyParams, PlanApplyResult>("apply", namesPlan, (params) => this.#apply(params));
    this.#serve<PlanName, PlanChangesResult>("changes", namesPlan, (params) => this.#changes(params));
    this.#serve<PlanTaskParams, PlanTaskResult>("task", namesPlan, (params) => this.#task(params));
    this.#serve<PlanListParams, PlanListResult>("list", {}, (params) => this.#list(params));
  }

  /** Stops the plan in the folder at this URI, which is being closed. */
  async leave(uri: string): Promise<void> {
    const { root } = this.#parts.sessions.place(`${uri}/.`).session;
    if (root !== undefined) await this.#leave(this.#running.get(root));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isDisposed = true;
    for (const key of [...this.#followed.keys()]) this.#unfollow(key);
    await Promise.all(Array.from(this.#running.values(), (running) => this.#leave(running)));
  }

  async #leave(running: Running | undefined): Promise<void> {
    running?.watch.stop(new EmendError("not-wanted", "The folder was closed."));
    await running?.ended;
  }

  #serve<Params extends object, Result>(
    method: string,
    required: Parameters<typeof checkParams>[2],
    answer: (params: Params, signal: AbortSignal) => Promise<Result>,
  ): void {
    const what = `emend/plan/${method}`;
    const { connection, log } = this.#parts;
    serveRequest<Params, Result>(connection, what, log, async (params, signal) => {
      checkParams(what, params, { "uri?": "text", ...required });
      try {
        return await answer(params as Params, signal);
      } catch (error) {
        signal.throwIfAborted();
        throw asAnswer(error);
      }
    });
  }

  async #start(params: PlanStartParams, signal: AbortSignal): Promise<PlanName> {
    checkStart("emend/plan/start", params);
    const { instruction, at, seed, verifiers = [], models } = params;
    const folder = this.#folders.folderOf(params.uri ?? at?.uri);
    const names = models ?? (await modelsOf(folder.session));
    const request = {
      models: names,
      ...{ verifiers, ...limitsOf(params), isModelWanted: models !== undefined },
      ...(instruction !== undefined && { instruction }),
      ...(at && { at: { path: this.#folders.pathOf(at.uri, folder), line: at.line } }),
      ...(seed !== undefined && { seed }),
    };
    const begin = (parts: PlanRunParts) => this.#parts.host.start(folder.root, request, parts);
    return this.#run(folder, begin, { signal, models: names });
  }

  async #continue(params: PlanContinueParams, signal: AbortSignal): Promise<PlanName> {
    checkContinue("emend/plan/continue", params);
    const { plan, done, answer, models } = params;
    const folder = this.#folders.folderOf(params.uri);
    const request = { done, answer, models, ...limitsOf(params) };
    const begin = (parts: PlanRunParts) => this.#parts.host.continue(folder.root, plan, request, parts);
    return this.#run(folder, begin, { signal, models });
  }

  async #reject(params: PlanRejectParams, signal: AbortSignal): Promise<PlanName> {
    checkParams("emend/plan/reject", params, { "reason?": "text" });
    const { plan, step, reason } = params;
    const reject = { step: checkStep(step), reason };
    const folder = this.#folders.folderOf(params.uri);
    const begin = (parts: PlanRunParts) => this.#parts.host.continue(folder.root, plan, { reject }, parts);
    return this.#run(folder, begin, { signal });
  }

  /**
   * Runs a plan, and returns its name once it is known; until then the request can be cancelled.
   */
  async #run(
    folder: PlanFolder,
    begin: (parts: PlanRunParts) => PlanNewsStream,
    { signal, models = [] }: { readonly signal: AbortSignal; readonly models?: readonly string[] | undefined },
  ): Promise<PlanName> {
    const { root, session } = folder;
    const other = this.#running.get(root);
    if (other !== undefined) {
      const name = other.watch.plan;
      throw requestFailed(
        `A plan runs in ${root} already${name === undefined ? "" : `, ${name}`}. Wait until it has ended, or stop it.`,
      );
    }
    if (this.#isDisposed) throw requestFailed("The server is ending.");
    const openModels = async (names: readonly string[]) =>
      session.openChatModels({ ...(await session.editSettings()), modelNames: names });
    // A model may be another company's, so the person sees which one gets the requests.
    const notes = models.length === 0 ? [] : [`Steps without a rule are sent to ${models.join(", ")}.`];
    const checkSaved = () => this.#folders.checkSaved(folder);
    const watch = new PlanWatch((stopping) => begin({ signal: stopping, checkSaved, openModels }), {
      clock: this.#parts.clock,
      onView: (view) => this.#notify(viewWhileRunning(root, view, notes)),
    });
    const ended = watch.stopped.then((stop) => this.#stopped(folder, watch, stop));
    this.#running.set(root, { ...folder, watch, notes, ended });
    using _cancellation = onAbort(signal, (reason) => watch.stop(reason));
    const plan = await watch.named;
    this.#unfollow(keyOf(root, plan));
    return { plan, uri: toFileUri(root) };
  }

  /** Notifies the client of the state of a plan that has stopped. */
  async #stopped(folder: PlanFolder, watch: PlanWatch, stop: PlanStop): Promise<void> {
    const { plan } = watch;
    const { host, log } = this.#parts;
    try {
      if (plan === undefined || this.#isDisposed) return;
      const notes = stop.kind === "over" ? stop.notes : ["The plan was stopped, and can be continued."];
      const failure = stop.kind === "over" ? stop.failure : undefined;
      if (failure !== undefined && !(failure instanceof EmendError)) log.crashed(`The plan ${plan}`, failure);
      const stored = await host.read(folder.root, plan).catch(() => watch.stored);
      const base = viewOfPlan(stored, this.#folders.documentsIn(folder));
      const problem = failure === undefined ? base.problem : errorMessage(failure);
      this.#running.delete(folder.root);
      this.#notify({ ...base, notes, ...(problem !== undefined && { problem }) });
      if (stored.isDriven) this.#follow(folder, stored);
    } catch (error) {
      log.crashed(`The plan ${plan}`, error);
    } finally {
      this.#running.delete(folder.root);
    }
  }

  #notify(params: PlanViewParams): void {
    if (this.#isDisposed) return;
    void this.#parts.connection.sendNotification(planView, params);
  }

  async #stop({ plan, uri }: PlanName): Promise<null> {
    const running = this.#running.get(this.#folders.folderOf(uri).root);
    if (running?.watch.plan !== plan) return null;
    running.watch.stop(new EmendError("stopped", "The plan was stopped."));
    await running.ended;
    return null;
  }

  async #show({ plan, uri }: PlanName): Promise<PlanViewParams> {
    const folder = this.#folders.folderOf(uri);
    const running = this.#running.get(folder.root);
    if (running?.watch.plan === plan) return viewWhileRunning(folder.root, running.watch.now, running.notes);
    const stored = await this.#parts.host.read(folder.root, plan);
    if (stored.isDriven) this.#follow(folder, stored);
    return viewOfPlan(stored, this.#folders.documentsIn(folder));
  }

  /**
   * Follows a plan that another process runs, such as one whose client has just disconnected, and
   * notifies this client.
   */
  #follow(folder: PlanFolder, stored: StoredPlanState): void {
    const { root } = folder;
    const { plan } = stored;
    const { clock, host, log } = this.#parts;
    const key = keyOf(root, plan);
    if (this.#isDisposed || this.#followed.has(key)) return;
    const following = followPlan(stored, {
      clock,
      read: () => host.read(root, plan),
      onChange: (news) => this.#notify(viewOfPlan(news, this.#folders.documentsIn(folder))),
      onEnd: (failure) => {
        this.#followed.delete(key);
        if (failure !== undefined) log.crashed(`Following the plan ${plan}`, failure);
      },
    });
    this.#followed.set(key, following);
  }

  #unfollow(key: string): void {
    this.#followed.get(key)?.[Symbol.dispose]();
    this.#followed.delete(key);
  }

  async #apply({ plan, uri, isSeen = false }: PlanApplyParams): Promise<PlanApplyResult> {
    const { host, connection, capabilities, positions } = this.#parts;
    const folder = this.#folders.folderOf(uri);
    if (this.#running.get(folder.root)?.watch.plan === plan)
      throw requestFailed("The plan runs. Wait until it has ended, or stop it.");
    const documents = this.#folders.documentsIn(folder);
    const parts = { connection, capabilities, positions, documents };
    const result = await applyPlan(await host.read(folder.root, plan), parts, { isSeen });
    if (result.isApplied && result.files.length > 0) await host.keepApplied(folder.root, plan);
    return result;
  }

  async #changes({ plan, uri }: PlanName): Promise<PlanChangesResult> {
    const { isWritten, files } = await this.#parts.host.read(this.#folders.folderOf(uri).root, plan);
    if (!isWritten) return { files: [] };
    return {
      files: files.map(({ path, before, after }) => ({
        ...{ path, before: withoutMark(before), after: withoutMark(after) },
      })),
    };
  }

  async #task({ plan, uri, step }: PlanTaskParams): Promise<PlanTaskResult> {
    return this.#parts.host.task(this.#folders.folderOf(uri).root, plan, checkStep(step));
  }

  async #list({ uri }: PlanListParams): Promise<PlanListResult> {
    const { root } = this.#folders.folderOf(uri);
    const plans = [...(await this.#parts.host.list(root))].reverse();
    const running = this.#running.get(root)?.watch;
    // A plan that has just started may have no event yet.
    const isMissing = running?.plan !== undefined && plans.every(({ plan }) => plan !== running.plan);
    return {
      plans: [...(isMissing ? [running.stored] : []), ...plans].map(({ plan, events, money, isDriven }) => {
        const state = foldPlan(events);
        const { instruction, writes } = state;
        const [started] = events;
        return {
          ...{ title: planTitleOf(state), files: new Set(writes.flatMap(({ edit }) => pathsOfEdit(edit))).size },
          ...(started?.kind === "plan-started" && { startedAt: started.at }),
          ...{ plan, progress: printPlanProgress(state, money), isRunning: isDriven || plan === running?.plan },
          ...(instruction !== undefined && { instruction }),
        };
      }),
    };
  }
}

const namesPlan = { plan: "text" } as const;

function keyOf(root: string, plan: string): string {
  return JSON.stringify([root, plan]);
}

/** The configured models that can chat. */
async function modelsOf(session: WorkspaceSession): Promise<readonly string[]> {
  const { modelNames } = await session.editSettings();
  return modelNames.filter((name) => parseModelName(name).name?.provider !== "builtin");
}

function viewWhileRunning(root: string, { view, activity }: RunningView, notes: readonly string[]): PlanViewParams {
  const base = { plan: view.plan, uri: toFileUri(root), view, isRunning: true, notes, isApplied: false };
  return { ...base, ...(activity !== undefined && { activity }) };
}

function asAnswer(error: unknown): unknown {
  if (error instanceof ResponseError || !(error instanceof EmendError)) return error;
  return new ResponseError(LSPErrorCodes.RequestFailed, error.message, { code: error.code });
}

/** Checks the parameters of `emend/plan/start`. Throws a `ResponseError` with `InvalidParams`. */
function checkStart(what: string, params: PlanStartParams): void {
  checkParams(what, params, {
    ...{ "instruction?": "text", "at?.uri": "text", "seed?": "text" },
    ...{ "verifiers?": "list", "models?": "list" },
  });
  const { instruction, at, seed, verifiers = [], models = [] } = params;
  if (at !== undefined && seed !== undefined)
    throw wrongParams("A plan starts from only one of `at` and `seed`. Give one of them.");
  if (at !== undefined && instruction === undefined) throw wrongParams("`at` requires an `instruction`.");
  if (at !== undefined && !(Number.isInteger(at.line) && at.line >= 0))
    throw wrongParams("`at.line` must be a line, from 0.");
  if (seed === "findings" && verifiers.length === 0)
    throw wrongParams("`findings` requires one of `verifiers`, such as `npx tsc --noEmit`.");
  checkTexts("verifiers", verifiers);
  checkTexts("models", models);
}

/**
 * Checks the parameters of `emend/plan/continue`. Throws a `ResponseError` with `InvalidParams`.
 */
function checkContinue(what: string, params: PlanContinueParams): void {
  checkParams(what, params, { "done?": "list", "answer?.text": "text", "models?": "list" });
  const { done = [], answer, models = [] } = params;
  for (const step of done) checkStep(step);
  if (answer !== undefined) checkStep(answer.step);
  checkTexts("models", models);
}

/**
 * Reads the limits of a plan. Throws a `ResponseError` with `InvalidParams` where one is not a
 * positive integer.
 */
function limitsOf({ maxSteps, maxRounds, maxTokens }: PlanRequestLimits): PlanRequestLimits {
  for (const [name, value] of Object.entries({ maxSteps, maxRounds, maxTokens })) {
    if (value !== undefined && !(Number.isInteger(value) && value > 0))
      throw wrongParams(`\`${name}\` must be a whole number, from 1.`);
  }
  return { maxSteps, maxRounds, maxTokens };
}

function checkTexts(name: string, values: readonly unknown[]): void {
  if (values.every((value) => typeof value === "string")) return;
  throw wrongParams(`\`${name}\` must be a list of strings.`);
}

/**
 * Reads a step's number. Throws a `ResponseError` with `InvalidParams` where it is not a positive
 * integer.
 */
function checkStep(step: unknown): StepId {
  if (Number.isInteger(step) && (step as number) > 0) return step as number;
  throw wrongParams("A step must be a number, from 1.");
}
