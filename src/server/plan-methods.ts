import { type ClientCapabilities, type Connection, LSPErrorCodes, ResponseError } from "vscode-languageserver";
import { type Clock, type FileSystem, FileSystemError, joinPath } from "../codebase/index.ts";
import { parseModelName } from "../model/index.ts";
import { foldPlan, printPlanProgress, type StepId } from "../plan/index.ts";
import { EmendError } from "../text/index.ts";
import { checkParams } from "./check-params.ts";
import { type CrashLog, serveRequest } from "./fence.ts";
import { toFileUri, tryPathOfUri } from "./file-uri.ts";
import { followPlan } from "./follow-plan.ts";
import type { OpenDocuments } from "./open-documents.ts";
import type { PlanHost, PlanNewsStream, PlanRequestLimits, PlanRunParts, StoredPlanState } from "./plan-host.ts";
import { type DocumentsOfFolder, handOverPlan, viewOfPlan, withoutMark } from "./plan-outcome.ts";
import { type PlanStop, PlanWatch, type RunningView } from "./plan-watch.ts";
import type { Positions } from "./positions.ts";
import type {
  PlanApplyParams,
  PlanApplyResult,
  PlanContinueParams,
  PlanListParams,
  PlanListResult,
  PlanName,
  PlanRejectParams,
  PlanStartParams,
  PlanTaskParams,
  PlanTaskResult,
  PlanViewParams,
} from "./protocol/plan-protocol.ts";
import { requestFailed, wrongParams } from "./request-error.ts";
import type { WorkspaceSession } from "./session/index.ts";
import type { SessionSet } from "./session-set.ts";

/** What plans are served with. */
export interface PlanMethodParts {
  readonly connection: Connection;
  readonly capabilities: ClientCapabilities;
  readonly host: PlanHost;
  readonly clock: Clock;
  readonly fileSystem: FileSystem;
  readonly documents: OpenDocuments;
  readonly sessions: SessionSet;
  readonly positions: Positions;
  readonly log: CrashLog;
}

/** The notification with which a client hears how its plan stands. */
export const planView = "emend/plan/view";

/** A workspace folder in which plans are carried out. */
interface PlanFolder {
  readonly root: string;
  readonly session: WorkspaceSession;
}

/** A plan that runs, and for whom. */
interface Running extends PlanFolder {
  readonly watch: PlanWatch;
  /** Resolves once the client was told how it stands. */
  readonly ended: Promise<void>;
}

/**
 * `emend/plan/…`: plans that a client starts, watches and applies, one at a time in each workspace folder.
 *
 * Whoever serves them disposes them: what runs then is stopped, and can be gone on with.
 */
export class PlanMethods implements AsyncDisposable {
  readonly #parts: PlanMethodParts;
  /** By the roots of their folders. */
  readonly #running = new Map<string, Running>();
  /** Plans of others that the client looks at, by {@link keyOf}. */
  readonly #followed = new Map<string, Disposable>();
  #isOver = false;

  constructor(parts: PlanMethodParts) {
    this.#parts = parts;
    this.#serve<PlanStartParams, PlanName>("start", {}, (params, signal) => this.#start(params, signal));
    this.#serve<PlanContinueParams, PlanName>("continue", named, (params, signal) => this.#continue(params, signal));
    this.#serve<PlanRejectParams, PlanName>("reject", named, (params, signal) => this.#reject(params, signal));
    this.#serve<PlanName, null>("stop", named, (params) => this.#stop(params));
    this.#serve<PlanName, PlanViewParams>("show", named, (params) => this.#show(params));
    this.#serve<PlanApplyParams, PlanApplyResult>("apply", named, (params) => this.#apply(params));
    this.#serve<PlanTaskParams, PlanTaskResult>("task", named, (params) => this.#task(params));
    this.#serve<PlanListParams, PlanListResult>("list", {}, (params) => this.#list(params));
  }

  /** Stops what runs in the folder at this address, which is being closed. */
  async leave(uri: string): Promise<void> {
    const { root } = this.#parts.sessions.place(`${uri}/.`).session;
    if (root !== undefined) await this.#leave(this.#running.get(root));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isOver = true;
    for (const key of [...this.#followed.keys()]) this.#unfollow(key);
    await Promise.all(Array.from(this.#running.values(), (running) => this.#leave(running)));
  }

  async #leave(running: Running | undefined): Promise<void> {
    running?.watch.stop(new EmendError("not-wanted", "The folder was closed."));
    await running?.ended;
  }

  #serve<Params extends object, Result>(
    method: string,
    wanted: Parameters<typeof checkParams>[2],
    answer: (params: Params, signal: AbortSignal) => Promise<Result>,
  ): void {
    const what = `emend/plan/${method}`;
    const { connection, log } = this.#parts;
    serveRequest<Params, Result>(connection, what, log, async (params, signal) => {
      checkParams(what, params, { "uri?": "text", ...wanted });
      try {
        return await answer(params as Params, signal);
      } catch (error) {
        signal.throwIfAborted();
        throw asAnswer(error);
      }
    });
  }

  async #start(params: PlanStartParams, signal: AbortSignal): Promise<PlanName> {
    const what = "emend/plan/start";
    checkParams(what, params, {
      ...{ "instruction?": "text", "at?.uri": "text", "seed?": "text" },
      ...{ "oracles?": "list", "models?": "list" },
    });
    const { instruction, at, seed, oracles = [], models } = params;
    const limits = limitsOf(params);
    if (at !== undefined && seed !== undefined)
      throw wrongParams("A plan begins in one of `at` and `seed`. Give one of them.");
    if (at !== undefined && instruction === undefined)
      throw wrongParams("`at` wants an `instruction`: what is to be done there.");
    if (seed === "findings" && oracles.length === 0)
      throw wrongParams("`findings` are what `oracles` say. Name one, such as `npx tsc --noEmit`.");
    checkTexts("oracles", oracles);
    const folder = this.#folderOf(params.uri ?? at?.uri);
    const place = at && this.#placeOf(at, folder);
    const request = {
      models: models === undefined ? await modelsOf(folder.session) : checkTexts("models", models),
      ...{ oracles, ...limits, isModelWanted: models !== undefined },
      ...(instruction !== undefined && { instruction }),
      ...(place && { at: place }),
      ...(seed !== undefined && { seed }),
    };
    return this.#run(folder, (parts) => this.#parts.host.start(folder.root, request, parts), signal);
  }

  async #continue(params: PlanContinueParams, signal: AbortSignal): Promise<PlanName> {
    checkParams("emend/plan/continue", params, { "done?": "list", "answer?.text": "text", "models?": "list" });
    const { plan, done, answer, models } = params;
    for (const step of done ?? []) checkStep(step);
    if (answer !== undefined) checkStep(answer.step);
    if (models !== undefined) checkTexts("models", models);
    const folder = this.#folderOf(params.uri);
    const request = { done, answer, models, ...limitsOf(params) };
    return this.#run(folder, (parts) => this.#parts.host.goOn(folder.root, plan, request, parts), signal);
  }

  async #reject(params: PlanRejectParams, signal: AbortSignal): Promise<PlanName> {
    checkParams("emend/plan/reject", params, { "reason?": "text" });
    const { plan, step, reason } = params;
    const reject = { step: checkStep(step), reason };
    const folder = this.#folderOf(params.uri);
    return this.#run(folder, (parts) => this.#parts.host.goOn(folder.root, plan, { reject }, parts), signal);
  }

  /** Has a plan run, and answers its name once it is known; whoever asked may take that back until then. */
  async #run(
    folder: PlanFolder,
    begin: (parts: PlanRunParts) => PlanNewsStream,
    signal: AbortSignal,
  ): Promise<PlanName> {
    const { root, session } = folder;
    const other = this.#running.get(root);
    if (other !== undefined) {
      const name = other.watch.plan;
      throw requestFailed(
        `A plan runs in ${root} already${name === undefined ? "" : `, ${name}`}. Wait until it has ended, or stop it.`,
      );
    }
    if (this.#isOver) throw requestFailed("The server is ending.");
    const openModels = async (names: readonly string[]) =>
      session.openChatModels({ ...(await session.editSettings()), modelNames: names });
    const watch = new PlanWatch(
      (stopping) => behind(this.#checkSaved(folder), () => begin({ signal: stopping, openModels })),
      {
        clock: this.#parts.clock,
        onView: (view) => this.#tell(this.#viewWhileRunning(root, view)),
      },
    );
    const ended = watch.over.then((stop) => this.#stopped(folder, watch, stop));
    this.#running.set(root, { ...folder, watch, ended });
    const takeBack = () => watch.stop(signal.reason);
    signal.addEventListener("abort", takeBack, { once: true });
    try {
      const plan = await watch.named;
      this.#unfollow(keyOf(root, plan));
      return { plan, uri: toFileUri(root) };
    } finally {
      signal.removeEventListener("abort", takeBack);
    }
  }

  /** Tells how a plan stands that runs no more. */
  async #stopped(folder: PlanFolder, watch: PlanWatch, stop: PlanStop): Promise<void> {
    const { plan } = watch;
    const { host, log } = this.#parts;
    try {
      if (plan === undefined || this.#isOver) return;
      const notes = stop.kind === "over" ? stop.notes : ["It was stopped, and can be gone on with."];
      const failure = stop.kind === "over" ? stop.failure : undefined;
      if (failure !== undefined && !(failure instanceof EmendError)) log.crashed(`The plan ${plan}`, failure);
      const stored = await host.read(folder.root, plan).catch(() => watch.kept);
      const standing = viewOfPlan(stored, this.#documentsIn(folder));
      const problem = failure === undefined ? standing.problem : messageOf(failure);
      this.#running.delete(folder.root);
      this.#tell({ ...standing, notes, ...(problem !== undefined && { problem }) });
      if (stored.isDriven) this.#follow(folder, stored);
    } catch (error) {
      log.crashed(`The plan ${plan}`, error);
    } finally {
      this.#running.delete(folder.root);
    }
  }

  #tell(params: PlanViewParams): void {
    if (this.#isOver) return;
    // A client that has gone misses nothing.
    this.#parts.connection.sendNotification(planView, params).catch(() => undefined);
  }

  async #stop({ plan, uri }: PlanName): Promise<null> {
    const running = this.#running.get(this.#folderOf(uri).root);
    if (running?.watch.plan !== plan) return null;
    running.watch.stop(new EmendError("stopped", "The plan was stopped."));
    await running.ended;
    return null;
  }

  async #show({ plan, uri }: PlanName): Promise<PlanViewParams> {
    const folder = this.#folderOf(uri);
    const running = this.#running.get(folder.root);
    if (running?.watch.plan === plan) return this.#viewWhileRunning(folder.root, running.watch.now);
    const stored = await this.#parts.host.read(folder.root, plan);
    if (stored.isDriven) this.#follow(folder, stored);
    return viewOfPlan(stored, this.#documentsIn(folder));
  }

  /** Tells how a plan comes on that another process carries out, such as one whose client has just gone. */
  #follow(folder: PlanFolder, stored: StoredPlanState): void {
    const { root } = folder;
    const { plan } = stored;
    const { clock, host, log } = this.#parts;
    const key = keyOf(root, plan);
    if (this.#isOver || this.#followed.has(key)) return;
    const following = followPlan(stored, {
      clock,
      read: () => host.read(root, plan),
      onNews: (news) => this.#tell(viewOfPlan(news, this.#documentsIn(folder))),
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

  #viewWhileRunning(root: string, { view, activity }: RunningView): PlanViewParams {
    const standing = { plan: view.plan, uri: toFileUri(root), view, isRunning: true, notes: [], isApplied: false };
    return { ...standing, ...(activity !== undefined && { activity }) };
  }

  async #apply({ plan, uri, isSeen = false }: PlanApplyParams): Promise<PlanApplyResult> {
    const { host, connection, capabilities, positions } = this.#parts;
    const folder = this.#folderOf(uri);
    if (this.#running.get(folder.root)?.watch.plan === plan)
      throw requestFailed("The plan runs. Wait until it has ended, or stop it.");
    const documents = this.#documentsIn(folder);
    const parts = { connection, capabilities, positions, documents };
    const result = await handOverPlan(await host.read(folder.root, plan), parts, { isSeen });
    if (result.isApplied && result.files.length > 0) await host.keepApplied(folder.root, plan);
    return result;
  }

  async #task({ plan, uri, step }: PlanTaskParams): Promise<PlanTaskResult> {
    return this.#parts.host.task(this.#folderOf(uri).root, plan, checkStep(step));
  }

  async #list({ uri }: PlanListParams): Promise<PlanListResult> {
    const { root } = this.#folderOf(uri);
    const plans = [...(await this.#parts.host.list(root))].reverse();
    const running = this.#running.get(root)?.watch;
    // It may have no event yet.
    const isMissing = running?.plan !== undefined && plans.every(({ plan }) => plan !== running.plan);
    return {
      plans: [...(isMissing ? [running.kept] : []), ...plans].map(({ plan, events, money, isDriven }) => {
        const state = foldPlan(events);
        const { instruction } = state;
        return {
          ...{ plan, progress: printPlanProgress(state, money), isRunning: isDriven || plan === running?.plan },
          ...(instruction !== undefined && { instruction }),
        };
      }),
    };
  }

  /** The folder that holds `uri`, or the only one that is open. */
  #folderOf(uri: string | undefined): PlanFolder {
    const { sessions } = this.#parts;
    if (uri === undefined) {
      const folders = sessions.all.flatMap((session) =>
        session.root === undefined ? [] : { root: session.root, session },
      );
      if (folders.length === 1) return folders[0]!;
      const what = folders.length === 0 ? "No folder is open. Open one" : "Several folders are open. Name one as `uri`";
      throw wrongParams(`${what}: a plan is carried out in a folder.`);
    }
    // It may be the folder itself.
    const { session } = sessions.place(`${uri.replace(/\/+$/, "")}/.`);
    const { root } = session;
    if (root === undefined || tryPathOfUri(uri) === undefined)
      throw wrongParams(`${uri} lies in no folder that is open.`);
    return { root, session };
  }

  #placeOf({ uri, line }: NonNullable<PlanStartParams["at"]>, { session, root }: PlanFolder) {
    const placed = this.#parts.sessions.place(uri);
    if (placed.session !== session || !placed.isFile) throw wrongParams(`${uri} does not lie in ${root}.`);
    if (!Number.isInteger(line) || line < 0) throw wrongParams("`at.line` is a line, from 0.");
    return { path: placed.path, line };
  }

  /** The documents of a folder as the editor has them. */
  #documentsIn({ root, session }: PlanFolder): DocumentsOfFolder {
    const { documents, sessions } = this.#parts;
    const open = new Map<string, { readonly uri: string; readonly version: number; readonly text: string }>();
    for (const { document } of documents.all) {
      const placed = sessions.place(document.uri);
      if (placed.session === session && tryPathOfUri(document.uri) !== undefined) open.set(placed.path, document);
    }
    return {
      uri: toFileUri(root),
      uriOf: (path) => open.get(path)?.uri ?? toFileUri(joinPath(root, path)),
      get: (path) => open.get(path),
      paths: [...open.keys()],
    };
  }

  /** A plan begins with what is on the disk: throws where the editor shows something else. */
  async #checkSaved(folder: PlanFolder): Promise<void> {
    const { session, root } = folder;
    const documents = this.#documentsIn(folder);
    const unsaved: string[] = [];
    for (const path of documents.paths) {
      const { text } = documents.get(path)!;
      const place = { path, judgedAs: path, isFile: true };
      if ((await session.accessTo(place, text)).kind !== "allowed") continue;
      const saved = await session.tryReadFile(place);
      if (saved === undefined ? text !== "" && !(await this.#exists(root, path)) : withoutMark(saved) !== text)
        unsaved.push(path);
    }
    if (unsaved.length === 0) return;
    const [is, them] = unsaved.length === 1 ? ["is", "it"] : ["are", "them"];
    throw requestFailed(
      `${unsaved.join(", ")} ${is} not saved, and a plan works with what is on the disk. Save ${them}, and ask once more.`,
    );
  }

  async #exists(root: string, path: string): Promise<boolean> {
    try {
      await this.#parts.fileSystem.stat(joinPath(root, path));
      return true;
    } catch (error) {
      if (error instanceof FileSystemError) return false;
      throw error;
    }
  }
}

/** A stream that begins once something is known to be well. */
async function* behind(check: Promise<void>, begin: () => PlanNewsStream): PlanNewsStream {
  await check;
  return yield* begin();
}

const named = { plan: "text" } as const;

function keyOf(root: string, plan: string): string {
  return JSON.stringify([root, plan]);
}

/** The models of the settings that may chat. */
async function modelsOf(session: WorkspaceSession): Promise<readonly string[]> {
  const { modelNames } = await session.editSettings();
  return modelNames.filter((name) => parseModelName(name).name?.provider !== "builtin");
}

function limitsOf({ maxSteps, maxRounds, maxTokens }: PlanRequestLimits): PlanRequestLimits {
  for (const [name, value] of Object.entries({ maxSteps, maxRounds, maxTokens })) {
    if (value !== undefined && !(Number.isInteger(value) && value > 0))
      throw wrongParams(`\`${name}\` is a whole number, from 1.`);
  }
  return { maxSteps, maxRounds, maxTokens };
}

function checkTexts(name: string, values: readonly unknown[]): readonly string[] {
  if (values.every((value) => typeof value === "string")) return values;
  throw wrongParams(`\`${name}\` is a list of texts.`);
}

function checkStep(step: unknown): StepId {
  if (Number.isInteger(step) && (step as number) > 0) return step as number;
  throw wrongParams("A step is named by its number, from 1.");
}

function asAnswer(error: unknown): unknown {
  if (error instanceof ResponseError || !(error instanceof EmendError)) return error;
  return new ResponseError(LSPErrorCodes.RequestFailed, error.message, { code: error.code });
}

function messageOf(failure: unknown): string {
  return failure instanceof Error ? failure.message : String(failure);
}
