import { type BackgroundScheduler, type Clock, SerialQueue } from "../../async/index.ts";
import {
  BuiltinModel,
  type FillRequest,
  type Model,
  type ModelCallOptions,
  type ModelEnd,
  type NextRequest,
  type NextToken,
  type TextPart,
} from "../../model/index.ts";
import type { IndexCache } from "../../model/node/index.ts";
import { errorMessage } from "../../text/index.ts";
import {
  type FileSystem,
  openWorkspace,
  type SourceAnswer,
  TextQueue,
  type TextStore,
  type Watch,
  type Workspace,
  type WorkspaceChange,
} from "../../workspace/index.ts";
import { isDependency, type LearnProgress, type LearntWorkspace, learnWorkspace } from "./learn-workspace.ts";

/** The state of learning a workspace. */
export type LearningState =
  | { readonly kind: "waiting" }
  | ({ readonly kind: "learning" } & LearnProgress)
  /** All `files` were learnt. Later changes are learnt as they occur. */
  | { readonly kind: "learnt"; readonly files: number; readonly tookMs: number }
  | { readonly kind: "failed"; readonly message: string };

/** What a {@link WorkspaceLearning} learns, and its callbacks. */
export interface WorkspaceLearningOptions {
  /** The absolute folder of the workspace, links resolved. */
  readonly root: string;
  readonly fileSystem: FileSystem;
  readonly texts: TextStore;
  /** Watches the disk; without it, changes there are not noticed. */
  readonly watch?: Watch | undefined;
  /** Without a cache nothing is kept. */
  readonly cache?: IndexCache | undefined;
  readonly clock: Clock;
  readonly scheduler: BackgroundScheduler;
  readonly model: LearningModel;
  /** Called with each new state. */
  onState(state: LearningState): void;
  /** Called when all files are learnt and watched. */
  onOpen(): void;
  /**
   * Called when ignore rules may have changed, before the changes of files that follow from them.
   */
  onRules(): void;
  /** Called with the changes of files since their list was made. */
  onChange(changes: readonly WorkspaceChange[]): void;
  /** Called with a problem that does not stop the work, in one line. */
  onProblem(message: string): void;
}

/** The most bytes of declaration files of dependencies. */
const maxDependencyBytes = 4_000_000;

/** Milliseconds without a change after which the index is cached. */
const saveAfterMs = 60_000;

/**
 * Teaches the built-in model a workspace, in the background and for the lifetime of the session:
 * first all of it, then each change. Never rejects or throws; failures go to `onProblem`.
 */
export class WorkspaceLearning implements AsyncDisposable {
  readonly #options: WorkspaceLearningOptions;
  readonly #stopping = new AbortController();
  /** Learning and saving, one after the other. */
  readonly #work = new SerialQueue();
  readonly #queue: TextQueue;
  #state: LearningState = { kind: "waiting" };
  #learnt: LearntWorkspace | undefined;
  readonly #walked: Promise<Workspace>;
  readonly #following: Disposable;
  #workspace: Workspace | undefined;
  #saveTimer: Disposable | undefined;

  /** Starts at once. */
  constructor(options: WorkspaceLearningOptions) {
    this.#options = options;
    const { root, fileSystem, clock, texts } = options;
    this.#walked = openWorkspace({ root, fileSystem, clock, signal: this.#stopping.signal });
    // Learning reports the rejection.
    this.#walked.catch(() => undefined);
    this.#run(() => this.#learnAll());
    this.#queue = new TextQueue({
      ...{ texts, turns: this.#work },
      isWanted: (path) => this.has(path),
      take: (answers) => this.#take(answers),
      onFailure: (error) => this.#fail(error),
    });
    this.#following = texts.subscribe((paths) => this.#queue.add(paths));
  }

  get state(): LearningState {
    return this.#state;
  }

  /**
   * The workspace, whose files may be learnt and watched later. Rejects with a `FileSystemError`
   * when the root cannot be listed, and when the session is closed before.
   */
  get walked(): Promise<Workspace> {
    return this.#walked;
  }

  /** The workspace, once its files are learnt and watched. */
  get workspace(): Workspace | undefined {
    return this.#workspace;
  }

  /**
   * The declaration files of dependencies that were learnt, and the manifests of their packages.
   */
  get dependencies(): readonly string[] {
    const files = [...this.#options.model.current.knowledge.files.keys()].filter(isDependency);
    const manifests = files.flatMap((path) => {
      const folder = /^(?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/.exec(path)?.[0];
      return folder === undefined ? [] : [`${folder}/package.json`];
    });
    return [...new Set([...files, ...manifests])];
  }

  /**
   * Whether a text is to be learnt: its file belongs to the workspace by its current rules, or to a
   * dependency, or it is that of a document that is not on the disk.
   */
  has(path: string): boolean {
    const isFile = isDependency(path) || this.#workspace?.files.has(path) === true;
    return isFile || this.#options.texts.unsaved.has(path);
  }

  /** Resolves when all current work is done. */
  async settled(): Promise<void> {
    await this.#work.settled();
    await this.#queue.settled();
  }

  /** Stops. What was learnt since the index was cached has to be learnt again the next time. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#stopping.abort(new Error("the workspace is closed"));
    this.#following[Symbol.dispose]();
    this.#queue[Symbol.dispose]();
    await this.#work.settled();
    this.#saveTimer?.[Symbol.dispose]();
    await (await this.#walked.catch(() => undefined))?.[Symbol.asyncDispose]();
    this.#workspace = undefined;
  }

  async #learnAll(): Promise<void> {
    const { root, fileSystem, texts, cache, clock, watch, scheduler, model } = this.#options;
    const { signal } = this.#stopping;
    const startMs = clock.now();
    const workspace = await this.#walked;
    const learnt = await learnWorkspace({
      ...{ root, fileSystem, texts, workspace, cache, maxDependencyBytes, signal },
      now: () => clock.now(),
      yieldBefore: (characters) => scheduler.waitForTurn(characters),
      onModel: (known) => model.replace(known),
      onProgress: (progress) => this.#setState({ kind: "learning", ...progress }),
    });
    this.#learnt = learnt;
    this.#setState({ kind: "learnt", files: model.current.knowledge.files.size, tookMs: clock.now() - startMs });
    if (learnt.cacheDetail !== undefined) {
      this.#options.onProblem(`The cached index was broken (${learnt.cacheDetail}) and was learnt again.`);
    }
    await this.#save();
    workspace.onChange((changes) => {
      texts.changed(changes.map(({ path }) => path));
      this.#options.onChange(changes);
    });
    await (watch === undefined ? workspace.refresh() : workspace.watch(watch, { signal }));
    this.#workspace = workspace;
    workspace.onRules(() => this.#options.onRules());
    workspace.onError((error) => this.#options.onProblem(`Changes of ${root} may be missed: ${errorMessage(error)}`));
    this.#options.onOpen();
    this.#queue.add(learnt.outdated(workspace.files));
  }

  async #take(answers: readonly SourceAnswer[]): Promise<void> {
    for (const answer of answers) {
      await this.#learnt?.take(answer);
      const { state } = this;
      const files = this.#options.model.current.knowledge.files.size;
      if (state.kind === "learnt" && files !== state.files) this.#setState({ ...state, files });
    }
    if (answers.some(({ path }) => !this.#options.texts.unsaved.has(path))) this.#saveSoon();
  }

  #saveSoon(): void {
    this.#saveTimer?.[Symbol.dispose]();
    this.#saveTimer = this.#options.clock.after(saveAfterMs, () => this.#run(() => this.#save()));
  }

  /** Saves the index, without the texts of documents that were never saved. */
  async #save(): Promise<void> {
    const unsaved = [...this.#options.texts.unsaved.keys()];
    const reason = { kind: "missing" } as const;
    for (const path of unsaved) await this.#learnt?.take({ kind: "skipped", path, reason });
    this.#queue.add(unsaved);
    const answer = await this.#learnt?.save();
    if (answer?.kind === "failed") this.#options.onProblem(`The index could not be saved: ${answer.detail}`);
  }

  /** Runs one piece of work after the others. */
  #run(work: () => Promise<void>): void {
    this.#work.run(work).catch((error: unknown) => this.#fail(error));
  }

  #fail(error: unknown): void {
    if (this.#stopping.signal.aborted) return;
    this.#options.onProblem(`Learning ${this.#options.root} failed: ${errorMessage(error)}`);
    if (this.#learnt === undefined) this.#setState({ kind: "failed", message: errorMessage(error) });
  }

  #setState(state: LearningState): void {
    this.#state = state;
    this.#options.onState(state);
  }
}

/** The size of the empty model, which knows only the open file. */
const emptyCharacters = 10_000;

/**
 * The built-in model of a workspace that is still being read: each request goes to the model of
 * that time. The first model is empty and knows only the open file.
 */
export class LearningModel implements Model {
  readonly name = "builtin";
  readonly followsGuide = true;
  #current = new BuiltinModel({ expectedCharacters: emptyCharacters });

  /** The current model. */
  get current(): BuiltinModel {
    return this.#current;
  }

  /** Replaces the model for later requests. */
  replace(model: BuiltinModel): void {
    this.#current = model;
  }

  fill(request: FillRequest, options?: ModelCallOptions): AsyncGenerator<TextPart, ModelEnd> {
    return this.#current.fill(request, options);
  }

  next(request: NextRequest, options?: ModelCallOptions): Promise<readonly NextToken[]> {
    return this.#current.next(request, options);
  }
}
