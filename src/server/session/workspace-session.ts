import type { Clock, FileSystem, Watch, WorkspaceChange } from "../../codebase/index.ts";
import { ignoreFileNames, nameOf } from "../../codebase/index.ts";
import {
  defaultGhostTextSettings,
  GhostTextEngine,
  type GhostTextOutcome,
  type GhostTextRequest,
  WelcomeModel,
} from "../../complete/index.ts";
import type { BuiltinStatistics } from "../../model/index.ts";
import type { IndexCache } from "../../model/node/index.ts";
import type { Syntax } from "../../syntax/index.ts";
import { AccessRules } from "./access-rules.ts";
import { LearningModel } from "./learning-model.ts";
import { Pace } from "./pace.ts";
import { wholeTextPrompt } from "./whole-text-prompt.ts";
import { type LearningState, WorkspaceLearning } from "./workspace-learning.ts";

/** The outside, as whoever opens a session gives it. */
export interface SessionHost {
  readonly fileSystem: FileSystem;
  /** Without one, changes on the disk are not followed. */
  readonly watch?: Watch | undefined;
  /** Nothing that is learnt is kept without one. */
  readonly cache?: IndexCache | undefined;
  readonly clock: Clock;
  /** The host owns it. */
  readonly syntax: Syntax;
  /** Lets whoever waits for the thread have its turn. */
  yieldThread(): Promise<void>;
}

/** What is opened, and who is told what happens to it. */
export interface WorkspaceSessionOptions {
  readonly host: SessionHost;
  /** The absolute folder of the workspace, links resolved; `undefined` for files that lie in none. */
  readonly root: string | undefined;
  onLearning?(state: LearningState): void;
  /** Something failed that can be lived with, in one line. */
  onProblem?(message: string): void;
}

/** How a session is, as plain data. */
export interface SessionStatus {
  readonly root: string | undefined;
  readonly learning: LearningState;
  readonly statistics: BuiltinStatistics;
}

/**
 * A workspace that is being worked in: what is known of it, and who completes in it.
 *
 * It owns the built-in model, which learns in the background, and the ghost text engine.
 */
export class WorkspaceSession implements AsyncDisposable {
  readonly root: string | undefined;
  readonly #pace: Pace;
  readonly #builtin = new LearningModel();
  readonly #rules: AccessRules;
  readonly #learning: WorkspaceLearning | undefined;
  readonly #engine: GhostTextEngine;

  /** Opens at once, and learns in the background. */
  constructor({ host, root, onLearning, onProblem }: WorkspaceSessionOptions) {
    const { fileSystem, watch, cache, clock } = host;
    this.root = root;
    this.#pace = new Pace({ clock, yieldThread: () => host.yieldThread() });
    this.#rules = new AccessRules({ fileSystem, root });
    this.#engine = new GhostTextEngine({
      ...{ clock, syntax: host.syntax, models: [this.#builtin] },
      access: (path) => this.#rules.verdict(path),
      prompt: (request) => wholeTextPrompt(request),
      settings: defaultGhostTextSettings,
      welcome: new WelcomeModel(),
    });
    if (root === undefined) return;
    this.#learning = new WorkspaceLearning({
      ...{ root, fileSystem, watch, cache, clock, pace: this.#pace, model: this.#builtin },
      onState: (state) => onLearning?.(state),
      onChange: (changes) => this.#filesChanged(changes),
      onProblem: (message) => onProblem?.(message),
    });
  }

  /** What may be offered at a cursor, or why nothing is; rejects only when something is broken. */
  async complete(
    request: GhostTextRequest,
    options: { readonly signal?: AbortSignal } = {},
  ): Promise<GhostTextOutcome> {
    this.#pace.touch();
    await this.#rules.prepare(request.path);
    return this.#engine.complete(request, options);
  }

  /** The person sees a suggestion. */
  shown(id: string): void {
    this.#engine.shown(id);
  }

  /** The person took a suggestion, or so many UTF-16 units of its beginning. */
  accepted(id: string, characters?: number): void {
    this.#engine.accepted(id, characters);
  }

  /** The person does not want a suggestion. */
  dismissed(id: string): void {
    this.#engine.dismissed(id);
  }

  get status(): SessionStatus {
    const learning = this.#learning?.state ?? { kind: "waiting" };
    return { root: this.root, learning, statistics: this.#builtin.current.statistics };
  }

  /** Resolves when everything is learnt that there is to learn now. */
  async settled(): Promise<void> {
    await this.#learning?.settled();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#engine[Symbol.dispose]();
    await this.#learning?.[Symbol.asyncDispose]();
  }

  #filesChanged(changes: readonly WorkspaceChange[]): void {
    if (changes.some(({ path }) => (ignoreFileNames as readonly string[]).includes(nameOf(path)))) this.#rules.forget();
  }
}
