import {
  type Clock,
  type FileSystem,
  openWorkspace,
  readSources,
  type SourceAnswer,
  type Watch,
  type Workspace,
  type WorkspaceChange,
} from "../../codebase/index.ts";
import type { IndexCache } from "../../model/node/index.ts";
import { isDependency, type LearnProgress, type LearntWorkspace, learnWorkspace } from "./learn-workspace.ts";
import type { LearningModel } from "./learning-model.ts";
import type { Pace } from "./pace.ts";

/** How far learning a workspace has come. */
export type LearningState =
  | { readonly kind: "waiting" }
  | ({ readonly kind: "learning" } & LearnProgress)
  /** All there is was learnt; `files` of them. What changes from now on is learnt as it changes. */
  | { readonly kind: "learnt"; readonly files: number; readonly tookMs: number }
  | { readonly kind: "failed"; readonly message: string };

/** What is learnt, by whom, and who is told. */
export interface WorkspaceLearningOptions {
  /** The absolute folder of the workspace, links resolved. */
  readonly root: string;
  readonly fileSystem: FileSystem;
  /** Without one, changes on the disk are not followed. */
  readonly watch?: Watch | undefined;
  /** Nothing is kept without one. */
  readonly cache?: IndexCache | undefined;
  readonly clock: Clock;
  readonly pace: Pace;
  readonly model: LearningModel;
  /** Is told each new state. */
  onState(state: LearningState): void;
  /** Is told when all files are known and followed. */
  onOpen(): void;
  /** Is told when ignore rules may have changed, before what happens to files by it. */
  onRules(): void;
  /** Is told what happens to them from then on. */
  onChange(changes: readonly WorkspaceChange[]): void;
  /** Something failed that can be lived with, in one line. */
  onProblem(message: string): void;
}

/** The most bytes of declaration files of dependencies. */
const maxDependencyBytes = 4_000_000;

/** What was learnt since is kept when nothing has changed for so long. */
const keepAfterMs = 60_000;

/**
 * Teaches the built-in model a workspace, in the background and for as long as it lives: first all of it, then whatever
 * changes. Nothing here rejects or throws; what fails is told.
 */
export class WorkspaceLearning implements AsyncDisposable {
  readonly #options: WorkspaceLearningOptions;
  readonly #stopping = new AbortController();
  readonly #queue = new Set<string>();
  #state: LearningState = { kind: "waiting" };
  #learnt: LearntWorkspace | undefined;
  #workspace: Workspace | undefined;
  #work: Promise<void>;
  #isWorking = false;
  #keepTimer: Disposable | undefined;

  /** Starts at once. */
  constructor(options: WorkspaceLearningOptions) {
    this.#options = options;
    this.#work = this.#fence(() => this.#learnAll());
  }

  get state(): LearningState {
    return this.#state;
  }

  /** The files there are, once the workspace is open. */
  get workspace(): Workspace | undefined {
    return this.#workspace;
  }

  /** The declaration files of dependencies that were learnt, and the manifests of their packages. */
  get dependencies(): readonly string[] {
    const files = [...this.#options.model.current.knowledge.files.keys()].filter(isDependency);
    const manifests = files.flatMap((path) => {
      const folder = /^(?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/.exec(path)?.[0];
      return folder === undefined ? [] : [`${folder}/package.json`];
    });
    return [...new Set([...files, ...manifests])];
  }

  /** Whether a file belongs to what is learnt: to the workspace as its rules are now, or to a dependency. */
  has(path: string): boolean {
    return isDependency(path) || this.#workspace?.files.has(path) === true;
  }

  /** Resolves when everything is done that there is to do now. */
  async settled(): Promise<void> {
    for (let work: Promise<void> | undefined; work !== this.#work; ) {
      work = this.#work;
      await work;
    }
  }

  /** Stops. What was learnt since the index was kept is learnt again the next time. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#keepTimer?.[Symbol.dispose]();
    this.#stopping.abort(new Error("the workspace is closed"));
    await this.#work;
    await this.#workspace?.[Symbol.asyncDispose]();
    this.#workspace = undefined;
  }

  async #learnAll(): Promise<void> {
    const { root, fileSystem, cache, clock, watch, pace, model } = this.#options;
    const { signal } = this.#stopping;
    const startMs = clock.now();
    const learnt = await learnWorkspace({
      ...{ root, fileSystem, cache, maxDependencyBytes, signal },
      now: () => clock.now(),
      breathe: (characters) => pace.turn(characters),
      onModel: (known) => model.become(known),
      onProgress: (progress) => this.#become({ kind: "learning", ...progress }),
    });
    this.#learnt = learnt;
    this.#become({ kind: "learnt", files: model.current.knowledge.files.size, tookMs: clock.now() - startMs });
    if (learnt.cacheDetail !== undefined) {
      this.#options.onProblem(`The kept index was broken (${learnt.cacheDetail}) and was learnt anew.`);
    }
    await this.#keep();
    const workspace = await openWorkspace({ root, fileSystem, clock, signal, ...(watch && { watch }) });
    this.#workspace = workspace;
    workspace.onRules(() => this.#options.onRules());
    workspace.onChange((changes) => {
      this.#options.onChange(changes);
      this.#enqueue(changes.map(({ path }) => path));
    });
    workspace.onError((error) => this.#options.onProblem(`Changes of ${root} may be missed: ${messageOf(error)}`));
    this.#options.onOpen();
    for (const path of learnt.outdated(workspace.files)) this.#queue.add(path);
    await this.#learnQueue();
  }

  #enqueue(paths: readonly string[]): void {
    for (const path of paths) this.#queue.add(path);
    if (this.#isWorking) return;
    this.#work = this.#fence(() => this.#learnQueue());
  }

  async #learnQueue(): Promise<void> {
    const { root, fileSystem } = this.#options;
    const { signal } = this.#stopping;
    while (this.#queue.size > 0) {
      const paths = [...this.#queue];
      this.#queue.clear();
      for await (const answer of readSources(root, paths, { fileSystem, signal })) await this.#take(answer);
      this.#keepSoon();
    }
  }

  async #take(answer: SourceAnswer): Promise<void> {
    const { path } = answer;
    // It may be on the disk still, but ignored from now on.
    await this.#learnt?.take(this.has(path) ? answer : { kind: "skipped", path, reason: { kind: "missing" } });
    const { state } = this;
    if (state.kind !== "learnt") return;
    const files = this.#options.model.current.knowledge.files.size;
    if (files !== state.files) this.#become({ ...state, files });
  }

  #keepSoon(): void {
    this.#keepTimer?.[Symbol.dispose]();
    this.#keepTimer = this.#options.clock.after(keepAfterMs, () => {
      if (this.#isWorking) this.#keepSoon();
      else this.#work = this.#fence(() => this.#keep());
    });
  }

  async #keep(): Promise<void> {
    const answer = await this.#learnt?.save();
    if (answer?.kind === "failed") this.#options.onProblem(`What was learnt could not be kept: ${answer.detail}`);
  }

  /** Does one piece of work after the other. */
  async #fence(work: () => Promise<void>): Promise<void> {
    this.#isWorking = true;
    try {
      await work();
    } catch (error) {
      if (this.#stopping.signal.aborted) return;
      this.#options.onProblem(`Learning ${this.#options.root} failed: ${messageOf(error)}`);
      if (this.#learnt === undefined) this.#become({ kind: "failed", message: messageOf(error) });
    } finally {
      this.#isWorking = false;
      // What changed while nothing could be learnt.
      if (this.#queue.size > 0 && !this.#stopping.signal.aborted) this.#work = this.#fence(() => this.#learnQueue());
    }
  }

  #become(state: LearningState): void {
    this.#state = state;
    this.#options.onState(state);
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
