import { BackgroundScheduler, SerialQueue } from "../../async/index.ts";
import {
  type AcceptanceModel,
  type AccessVerdict,
  GhostTextEngine,
  type GhostTextOutcome,
  type GhostTextRequest,
} from "../../complete/index.ts";
import { configFileNames } from "../../config/index.ts";
import { EditHistory } from "../../context/index.ts";
import type { BuiltinStatistics, TokenMatch } from "../../model/index.ts";
import { type NextEditOutcome, type NextEditRequest, UndoGuard } from "../../next/index.ts";
import { Edit, errorMessage } from "../../text/index.ts";
import {
  AccessRules,
  holdsPrivateKey,
  readSource,
  TextStore,
  type Watcher,
  type WorkspaceChange,
} from "../../workspace/index.ts";
import { type ChatModels, type EditSettings, loadEditSettings, openChatModels } from "./edit-settings.ts";
import { isFreePath } from "./free-path.ts";
import { ModelHealth, type ModelStatus, type ModelUse } from "./model-health.ts";
import { loadNextEditSettings } from "./next-edit-settings.ts";
import { NextEdits } from "./next-edits.ts";
import { isSavedText } from "./saved-text.ts";
import type { DocumentPlace, OpenDocumentFile, SessionHost } from "./session-host.ts";
import { SessionPrompts } from "./session-prompts.ts";
import { loadSessionSettings, type SessionSettings, type SettingsSource } from "./session-settings.ts";
import { TypeScriptMembers } from "./typescript-members.ts";
import { mayShowChanges, Uncommitted } from "./uncommitted.ts";
import { WorkspaceIndexing } from "./workspace-indexing.ts";
import { LearningModel, type LearningState, WorkspaceLearning } from "./workspace-learning.ts";

/** What a session is opened with, and its callbacks. */
export interface WorkspaceSessionOptions {
  readonly host: SessionHost;
  /**
   * The absolute folder of the workspace, links resolved; `undefined` for files outside of all
   * workspaces.
   */
  readonly root: string | undefined;
  /** The acceptance model of ghost text; all sessions of a person share it. */
  readonly acceptance: AcceptanceModel;
  /** The editor's own settings; see `flagsOfEditor`. */
  readonly editorSettings?: unknown;
  /** Returns a new id for a suggestion, one source for all sessions of a client. */
  newId(): string;
  /**
   * The files that are open in the editor, by path in this workspace, most recently viewed first.
   */
  openFiles?(): readonly OpenDocumentFile[];
  onLearning?(state: LearningState): void;
  /** Called when the state of a model changes; see {@link ModelHealth}. */
  onModelChange?(): void;
  /** Called after the settings or the ignore rules were read. */
  onConfigured?(): void;
  /** Called with a problem that does not stop the session, in one line. */
  onProblem?(message: string): void;
  /**
   * Called once for each setting of the workspace that is ignored because the workspace is not
   * trusted, with a line that contains what to do.
   */
  onUntrustedSetting?(message: string): void;
}

/** The state of a session, as plain data. */
export interface SessionStatus {
  /** Absent for files outside of all workspaces. */
  readonly root?: string;
  /** The names of the models in order of preference; absent until the configuration is read. */
  readonly models?: readonly string[];
  /**
   * The same for the models of servers for edits by instruction: those of `edit.model`, otherwise
   * of `model`.
   */
  readonly editModels?: readonly string[];
  /** The state of the models that were opened so far, for any use. */
  readonly modelDetails: readonly ModelStatus[];
  /** The problems of the configuration. */
  readonly issues: readonly string[];
  readonly learning: LearningState;
  readonly statistics: BuiltinStatistics;
  /** How many answers are cached, and how many requests to models are in flight. */
  readonly load?: { readonly answers: number; readonly requests: number };
  /** How many files are indexed for searching; only where a model needs context from them. */
  readonly indexedFiles?: number;
  /** How many files next edits may be in; only after the first request for one. */
  readonly nextEditFiles?: number;
}

/** An engine and the settings it was made from. */
interface Completing {
  readonly settings: SessionSettings;
  readonly engine: GhostTextEngine;
}

/**
 * An open workspace: its models, its texts and its engines.
 *
 * A session owns the built-in model, which learns in the background, the index of texts for the
 * prompts of other models, the access rules, the ghost text engine and the next edits.
 */
export class WorkspaceSession implements AsyncDisposable {
  readonly root: string | undefined;
  readonly #options: WorkspaceSessionOptions;
  readonly #scheduler: BackgroundScheduler;
  readonly #builtin = new LearningModel();
  readonly #health: ModelHealth;
  readonly #rules: AccessRules;
  readonly #history = new EditHistory();
  /**
   * The latest deletions and undone edits, for ghost text; next edits have their own guard, which
   * also has the edits from before they were opened.
   */
  /** Deletions are remembered while the person works elsewhere. */
  readonly #undoGuard = new UndoGuard({ maxSteps: 30 });
  readonly #nextEdits: NextEdits;
  /** The texts of the workspace, which all that is learnt and indexed follows. */
  readonly #texts: TextStore | undefined;
  readonly #unsavedQueue = new SerialQueue();
  readonly #learning: WorkspaceLearning | undefined;
  /** Files that contain a private key at the moment, whatever their names. */
  readonly #secretTexts = new Set<string>();
  /** The path whose access rules apply, for documents of requests where it is not their own. */
  readonly #judgedAs = new Map<string, string>();
  #indexing: WorkspaceIndexing | undefined;
  #uncommitted: Uncommitted | undefined;
  readonly #members: TypeScriptMembers | undefined;
  #editorSettings: unknown;
  #completing: Promise<Completing>;
  #current: Completing | undefined;
  /** The issues that `onUntrustedSetting` was called with. */
  readonly #reportedUntrusted = new Set<string>();
  /** Watches the folder of the person's own settings file. */
  readonly #ownFolder: Promise<Watcher> | undefined;
  /** Set while a change of that folder waits for others, since a save is many. */
  #ownChange: Disposable | undefined;
  #isClosed = false;

  /** Opens at once; reads the configuration and learns in the background. */
  constructor(options: WorkspaceSessionOptions) {
    const { host, root, onLearning, onProblem, editorSettings } = options;
    const { fileSystem, watch, cache, clock } = host;
    this.root = root;
    this.#options = options;
    this.#editorSettings = editorSettings;
    this.#health = new ModelHealth(clock, () => options.onModelChange?.());
    this.#scheduler = new BackgroundScheduler({ clock, yieldThread: () => host.yieldThread() });
    this.#rules = new AccessRules({ fileSystem, root });
    this.#texts = root === undefined ? undefined : new TextStore({ root, fileSystem });
    // What is read before the settings say whether an index needs it.
    const held = this.#texts?.hold();
    this.#completing = this.#configure();
    // Ignore the rejection here: each request awaits the same promise and gets the error.
    this.#completing.catch(() => undefined).then(() => held?.[Symbol.dispose]());
    const { userFolder } = host.settings;
    this.#ownFolder = watch?.({
      paths: [userFolder],
      // Folders above it are watched while it does not exist.
      isExcluded: (path, kind) => kind === "folder" && path.startsWith(`${userFolder}/`),
      onChange: () => this.#ownFileChanged(),
      // Without a watcher, the settings are those of the start.
      onError: () => undefined,
    });
    this.#ownFolder?.catch(() => undefined);
    this.#nextEdits = new NextEdits({
      ...{ host, root, rules: this.#rules, texts: this.#texts },
      openFiles: () => options.openFiles?.() ?? [],
      opened: () => this.#learning!.walked,
      newId: () => options.newId(),
      loadSettings: () => loadNextEditSettings(this.#sourceFor("next-edit"), { root, editor: this.#editorSettings }),
      onProblem: (message) => onProblem?.(message),
    });
    if (root === undefined || this.#texts === undefined) return;
    const { membersMs: timeoutMs } = host;
    if (timeoutMs !== undefined)
      this.#members = new TypeScriptMembers({ clock, timeoutMs, typesFor: (path) => this.#nextEdits.typesFor(path) });
    this.#learning = new WorkspaceLearning({
      ...{ root, fileSystem, texts: this.#texts, watch, cache, clock },
      ...{ scheduler: this.#scheduler, model: this.#builtin },
      onState: (state) => onLearning?.(state),
      onOpen: () => this.#filesKnown(),
      onRules: () => this.#rulesChanged(),
      onChange: (changes) => this.#filesChanged(changes),
      onProblem: (message) => onProblem?.(message),
    });
  }

  /**
   * Requests ghost text: suggestions, or the reason why there are none, such as an abort. Rejects
   * where the settings or the access rules cannot be read.
   */
  async complete(
    request: GhostTextRequest,
    { signal, judgedAs = request.path }: { readonly signal?: AbortSignal; readonly judgedAs?: string } = {},
  ): Promise<GhostTextOutcome> {
    const { path, document } = request;
    this.#scheduler.touch();
    for (;;) {
      const completing = await this.#completing;
      const { engine, settings } = completing;
      await this.#rules.prepare(judgedAs);
      if (holdsPrivateKey(document.text)) this.#secretTexts.add(path);
      else this.#secretTexts.delete(path);
      if (judgedAs === path) this.#judgedAs.delete(path);
      else this.#judgedAs.set(path, judgedAs);
      const outcome = await engine.complete(request, { ...(signal && { signal }) });
      const isCancelled = outcome.kind === "no-suggestion" && outcome.reason.kind === "cancelled";
      // Other settings have ended the request together with its engine; an editor would not repeat
      // it.
      const isReplaced = isCancelled && signal?.aborted !== true && !this.#isClosed;
      if (!isReplaced || (await this.#completing) === completing) return withModelIssues(outcome, settings);
    }
  }

  /**
   * Requests a next edit: a suggestion, or the reason why there is none, such as an abort. Rejects
   * where the workspace cannot be opened or is closed, or its access rules cannot be read.
   */
  async nextEdit(request: NextEditRequest, options: { readonly signal?: AbortSignal } = {}): Promise<NextEditOutcome> {
    this.#scheduler.touch();
    await this.#rules.prepare(this.#nextEdits.judgedAs(request.path));
    return this.#nextEdits.suggest(request, options);
  }

  /**
   * Requests a next edit that only inserts behind the cursor in its line, from what is known or
   * found at once; `undefined` where the settings exclude it, the workspace is still being learnt,
   * the document contains a private key, or nothing is known yet. Rejects as {@link complete} does.
   */
  async nextEditAsGhostText(
    request: NextEditRequest,
    options: { readonly signal?: AbortSignal } = {},
  ): Promise<NextEditOutcome | undefined> {
    const { settings } = await this.#completing;
    // Learning reads the same files as next edits, and has precedence.
    const isBusy = this.root !== undefined && (this.learning.kind === "waiting" || this.learning.kind === "learning");
    if (!settings.nextEditsAsGhostText || isBusy || holdsPrivateKey(request.document.text)) return undefined;
    await this.#rules.prepare(this.#nextEdits.judgedAs(request.path));
    return this.#nextEdits.suggestAsGhostText(request, options);
  }

  /** What next edits know, and their feedback. */
  get nextEdits(): Pick<NextEdits, "notify" | "wholeChain" | "textOf" | "isChangedOnDisk" | "arbitration"> {
    return this.#nextEdits;
  }

  /**
   * Whether a document with this text may be shown to a model. Rejects as
   * {@link AccessRules.prepare} does.
   */
  async accessTo({ judgedAs }: DocumentPlace, text: string): Promise<AccessVerdict> {
    await this.#rules.prepare(judgedAs);
    return holdsPrivateKey(text) ? { kind: "secret" } : this.#rules.verdict(judgedAs);
  }

  /**
   * The text of a file from the disk; `undefined` where it may not be read, cannot be read, or is
   * no text. Rejects as {@link AccessRules.prepare} does.
   */
  async tryReadFile({ path, judgedAs }: Pick<DocumentPlace, "path" | "judgedAs">): Promise<string | undefined> {
    const { root } = this;
    await this.#rules.prepare(judgedAs);
    if (root === undefined || this.#rules.verdict(judgedAs).kind !== "allowed") return undefined;
    const answer = await readSource(root, path, {
      fileSystem: this.#options.host.fileSystem,
      unknownLanguages: "keep",
    });
    return answer.kind === "source" ? answer.text : undefined;
  }

  /**
   * Whether a new file may be created at this path: nothing exists there, and its folder is, or can
   * be, one of the workspace. `false` where the disk cannot be read. Rejects as
   * {@link AccessRules.prepare} does.
   */
  async mayBeMade({ path, judgedAs }: Pick<DocumentPlace, "path" | "judgedAs">): Promise<boolean> {
    const { root } = this;
    await this.#rules.prepare(judgedAs);
    if (root === undefined || this.#rules.verdict(judgedAs).kind !== "allowed") return false;
    return isFreePath(root, path, this.#options.host.fileSystem);
  }

  /**
   * The lines, from 0, of matches of the built-in model; matches in files that have changed since
   * are left out. Rejects as {@link AccessRules.prepare} does.
   */
  async linesOfMatches(matches: readonly TokenMatch[]): Promise<ReadonlyMap<TokenMatch, number>> {
    const lines = new Map<TokenMatch, number>();
    const texts = new Map<string, string | undefined>();
    for (const match of matches) {
      const { path, tokenIndex } = match;
      const unsaved = this.#texts?.unsaved.get(path)?.text;
      if (!texts.has(path)) texts.set(path, unsaved ?? (await this.tryReadFile({ path, judgedAs: path })));
      const text = texts.get(path);
      const { current } = this.#builtin;
      const language = current.knowledge.files.get(path)?.language;
      if (text === undefined || language === undefined) continue;
      const line = current.lineOfToken(language, text, tokenIndex);
      if (line !== undefined) lines.set(match, line);
    }
    return lines;
  }

  /**
   * Loads the current settings of edits by instruction. Rejects as {@link loadEditSettings} does.
   */
  editSettings(): Promise<EditSettings> {
    return loadEditSettings(this.#sourceFor("edit"), { root: this.root, editor: this.#editorSettings });
  }

  /**
   * Opens the models that take instructions; the reason why another one cannot be opened is one of
   * the issues. The caller disposes of them. Rejects only for an error other than `EmendError`.
   */
  openChatModels(settings: EditSettings): Promise<ChatModels> {
    this.#scheduler.touch();
    return openChatModels(settings, this.#sourceFor("edit").openModel);
  }

  /** The editor has opened a document. */
  opened(place: DocumentPlace, text: string): void {
    this.#nextEdits.opened(place, text);
    this.#followUnsaved();
  }

  /** The person views another document. */
  focused(): void {
    this.#nextEdits.focused();
  }

  /** The person has edited a document with the text `before`. */
  async edited(place: DocumentPlace, before: string, edit: Edit): Promise<void> {
    const { path, judgedAs } = place;
    this.#scheduler.touch();
    this.#nextEdits.edited(place, before, edit);
    this.#undoGuard.record(path, before, edit);
    if (this.#texts?.unsaved.has(path) === true) this.#followUnsaved();
    // The history is needed only for prompts of models other than the built-in one.
    if (this.#current?.settings.models.every((model) => model === "builtin") !== false) return;
    await this.#rules.prepare(judgedAs);
    if (this.#rules.verdict(judgedAs).kind !== "allowed") return;
    if (holdsPrivateKey(before) || holdsPrivateKey(edit.apply(before))) this.#history.forget(path);
    else this.#history.record(path, before, edit, this.#options.host.clock.now());
  }

  /**
   * The editor has closed a document with the text `text`. Its unsaved changes are lost, so their
   * history is forgotten.
   */
  async closed(place: DocumentPlace, text: string): Promise<void> {
    const { path, judgedAs } = place;
    this.#nextEdits.closed(place);
    this.#undoGuard.forget(path);
    const isEdited = () => this.#history.entries(this.#options.host.clock.now()).some((edit) => edit.path === path);
    // Edits that are still being recorded await the same preparation and finish first.
    this.#followUnsaved();
    await this.#rules.prepare(judgedAs);
    if (isEdited() && !(path === judgedAs && (await this.#isSaved(path, text)))) this.#history.forget(path);
  }

  /** The suggestion is visible. */
  shown(id: string): void {
    this.#current?.engine.shown(id);
  }

  /** The suggestion was accepted, or only its first `characters` UTF-16 code units. */
  accepted(id: string, characters?: number): void {
    this.#current?.engine.accepted(id, characters);
  }

  /** The suggestion was dismissed. */
  dismissed(id: string): void {
    this.#current?.engine.dismissed(id);
  }

  /** Takes new settings of the editor; nothing happens when they are the same. */
  configure(editorSettings: unknown): void {
    if (JSON.stringify(editorSettings ?? {}) === JSON.stringify(this.#editorSettings ?? {})) return;
    this.#editorSettings = editorSettings;
    this.#reconfigure();
  }

  /** The state of learning. */
  get learning(): LearningState {
    return this.#learning?.state ?? { kind: "waiting" };
  }

  get status(): SessionStatus {
    const { settings } = this.#current ?? {};
    const { issues } = this;
    return {
      ...(this.root !== undefined && { root: this.root }),
      ...(settings && {
        models: settings.models.map((model) => (model === "builtin" ? model : model.name)),
        editModels: settings.editModels,
      }),
      modelDetails: this.models,
      ...(this.#current && { load: this.#current.engine.load }),
      issues,
      learning: this.learning,
      statistics: this.#builtin.current.statistics,
      ...(this.#indexing && { indexedFiles: this.#indexing.index.size }),
      ...(this.#nextEdits.size !== undefined && { nextEditFiles: this.#nextEdits.size }),
    };
  }

  /** Resolves when all current configuring, learning and indexing is done. */
  async settled(): Promise<void> {
    await this.#completing;
    await this.#unsavedQueue.settled();
    await this.#learning?.settled();
    await this.#indexing?.settled();
    await this.#uncommitted?.settled();
    await this.#nextEdits.settled();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isClosed = true;
    this.#indexing?.[Symbol.dispose]();
    this.#uncommitted?.[Symbol.dispose]();
    await this.#nextEdits[Symbol.asyncDispose]();
    await this.#learning?.[Symbol.asyncDispose]();
    this.#ownChange?.[Symbol.dispose]();
    await (await this.#ownFolder?.catch(() => undefined))?.[Symbol.asyncDispose]();
    await this.#completing.catch(() => undefined);
    this.#disposeOf(this.#current);
    this.#health[Symbol.dispose]();
  }

  /** The settings source of this session; models that are opened with it are recorded for `use`. */
  #sourceFor(use: ModelUse): SettingsSource {
    const { settings, fileSystem } = this.#options.host;
    const openModel: SettingsSource["openModel"] = async (name, one) =>
      this.#health.watch(await settings.openModel(name, one), use);
    return { ...settings, fileSystem, openModel };
  }

  /** The problems of the configuration, one line each; empty until it is read. */
  get issues(): readonly string[] {
    return this.#current?.settings.issues ?? [];
  }

  /** Those of the {@link issues} that are about settings that count only in a trusted workspace. */
  get untrustedIssues(): readonly string[] {
    return this.#current?.settings.untrustedIssues ?? [];
  }

  /**
   * The first model for edits by instruction that has not shown that it cannot chat, as people are
   * shown it; `null` where there is none, `undefined` until the configuration is read.
   */
  get editModel(): string | null | undefined {
    const editModels = this.#current?.settings.editModels;
    return editModels && (editModels.find((name) => !this.#health.cannotChat(name)) ?? null);
  }

  /** Takes that this model answers now, as a trial has shown: an earlier failure is over. */
  modelAnswers(name: string): void {
    this.#health.answers(name);
  }

  /** The models that were opened, from their requests so far. */
  get models(): readonly ModelStatus[] {
    return this.#health.status;
  }

  #ownFileChanged(): void {
    if (this.#isClosed) return;
    const { clock, settings } = this.#options.host;
    this.#ownChange ??= clock.after(ownChangeMs, () => {
      this.#ownChange = undefined;
      this.#reconfigure();
      // The folder may have been made just now, together with one above it.
      this.#ownFolder?.then((watcher) => watcher.add(settings.userFolder)).catch(() => undefined);
    });
  }

  #reconfigure(): void {
    this.#health.reset();
    this.#nextEdits.reconfigure();
    const before = this.#completing.catch(() => undefined);
    this.#completing = before.then(async () => {
      const old = this.#current;
      const completing = await this.#configure();
      if (completing !== old) this.#disposeOf(old);
      return completing;
    });
    this.#completing.catch(() => undefined);
  }

  /** Disposes of an engine and its models. */
  #disposeOf(completing: Completing | undefined): void {
    completing?.engine[Symbol.dispose]();
    disposeOfModels(completing?.settings);
  }

  /** Loads the settings. Where they are those of before, the engine and its prompts stay. */
  async #configure(): Promise<Completing> {
    const { host, acceptance, onProblem } = this.#options;
    const { clock, syntax, guide, prepareGuide } = host;
    const settings = await loadSessionSettings(this.#sourceFor("ghost-text"), {
      root: this.root,
      editor: this.#editorSettings,
    });
    const models = settings.models.map((model) =>
      model === "builtin" ? this.#health.watch(this.#builtin, "ghost-text") : model,
    );
    if (settings.key === this.#current?.settings.key) {
      disposeOfModels(settings);
      this.#options.onConfigured?.();
      return this.#current;
    }
    for (const issue of settings.issues) {
      if (!settings.untrustedIssues.includes(issue)) onProblem?.(issue);
      else if (!this.#reportedUntrusted.has(issue)) this.#options.onUntrustedSetting?.(issue);
    }
    for (const issue of settings.untrustedIssues) this.#reportedUntrusted.add(issue);
    if (settings.models.some((model) => model !== "builtin")) this.#collectContext(settings);
    const prompts = new SessionPrompts({
      ...{ settings, index: this.#indexing?.index, history: this.#history, uncommitted: this.#uncommitted, clock },
      openFiles: () => this.#openFiles(),
    });
    const engine = new GhostTextEngine({
      newId: () => this.#options.newId(),
      ...{ clock, syntax, acceptance, settings: settings.ghostText, ...(guide && { guide }) },
      ...(prepareGuide && { prepareGuide }),
      models,
      access: (path) =>
        this.#secretTexts.has(path) ? { kind: "secret" } : this.#rules.verdict(this.#judgedAs.get(path) ?? path),
      prompt: (request, model, options) => prompts.promptFor(request, model, options),
      growPrompt: (request, model, options) => prompts.growPrompt(request, model, options),
      members: (path) => this.#members?.sourceFor(path),
      bringsBack: (path, text, edit) =>
        this.#undoGuard.hasTakenAway(path, text, edit.start) &&
        this.#undoGuard.refusalOf(path, text, Edit.of([edit])) !== undefined,
    });
    this.#current = { settings, engine };
    this.#options.onConfigured?.();
    return this.#current;
  }

  /**
   * Starts to collect context for the prompts of models other than the built-in one: the index and
   * the uncommitted changes.
   */
  #collectContext({ gitDiff }: SessionSettings): void {
    const { root } = this;
    const texts = this.#texts;
    if (root === undefined || texts === undefined || this.#isClosed) return;
    const { host, onProblem } = this.#options;
    if (this.#indexing === undefined) {
      this.#indexing = new WorkspaceIndexing({
        ...{ root, texts, scheduler: this.#scheduler },
        isWanted: (path) => this.#learning?.has(path) === true,
        onProblem: (message) => onProblem?.(message),
      });
      this.#indexAll();
    }
    if (gitDiff && host.readDiff !== undefined) {
      this.#uncommitted ??= new Uncommitted({
        clock: host.clock,
        readDiff: async (signal) => host.readDiff?.(root, { signal }),
        isReadable: (path) => mayShowChanges(path, { rules: this.#rules, fileSystem: host.fileSystem, root }),
      });
    }
  }

  /** Indexes all files, as soon as they are known, and the types of their dependencies. */
  #indexAll(): void {
    const learning = this.#learning;
    if (learning?.workspace === undefined) return;
    this.#indexing?.update([...learning.workspace.files.keys(), ...learning.dependencies]);
  }

  async #isSaved(path: string, text: string): Promise<boolean> {
    const { root } = this;
    return root !== undefined && isSavedText(root, { path, text }, this.#options.host.fileSystem);
  }

  /** Takes the present documents that are not on the disk, as far as a model may be shown them. */
  #followUnsaved(): void {
    const texts = this.#texts;
    if (texts === undefined) return;
    const work = async () => texts.setUnsaved(await this.#openFiles(({ isUnsaved }) => isUnsaved));
    this.#unsavedQueue.run(work).catch((error: unknown) => {
      this.#options.onProblem?.(`Documents that were never saved are not searched: ${errorMessage(error)}`);
    });
  }

  /** The open files that may be shown to a model, of those that are wanted. */
  async #openFiles(isWanted: (file: OpenDocumentFile) => boolean = () => true): Promise<readonly OpenDocumentFile[]> {
    const open = (this.#options.openFiles?.() ?? []).filter(isWanted);
    await Promise.all(open.map(({ judgedAs }) => this.#rules.prepare(judgedAs)));
    const isReadable = ({ judgedAs, text }: OpenDocumentFile) =>
      this.#rules.verdict(judgedAs).kind === "allowed" && !holdsPrivateKey(text);
    return open.filter(isReadable);
  }

  #filesKnown(): void {
    // The ignore files were not watched until now.
    this.#rules.forget();
    this.#uncommitted?.touch();
    this.#indexAll();
  }

  #rulesChanged(): void {
    this.#rules.forget();
    this.#nextEdits.rulesChanged();
    this.#options.onConfigured?.();
    this.#uncommitted?.forget();
    this.#followUnsaved();
    this.#forgetEdits().catch((error: unknown) => {
      const detail = errorMessage(error);
      this.#options.onProblem?.(`The ignore rules of ${this.root} could not be read again: ${detail}`);
    });
  }

  /** Forgets edits in files that may not be read any more. */
  async #forgetEdits(): Promise<void> {
    const edited = new Set(this.#history.entries(this.#options.host.clock.now()).map(({ path }) => path));
    for (const path of edited) {
      const judgedAs = this.#nextEdits.judgedAs(path);
      await this.#rules.prepare(judgedAs);
      if (this.#rules.verdict(judgedAs).kind !== "allowed") this.#history.forget(path);
    }
  }

  #filesChanged(changes: readonly WorkspaceChange[]): void {
    this.#uncommitted?.touch();
    this.#nextEdits.changedOnDisk(changes.map(({ path }) => path));
    if (changes.some(({ path }) => configFiles.has(path))) this.#reconfigure();
  }
}

/** The milliseconds in which changes of the person's own folder are taken as one. */
const ownChangeMs = 200;

/** The files with configuration at a workspace's root. */
const configFiles: ReadonlySet<string> = new Set([...configFileNames, "package.json"]);

function disposeOfModels({ models = [] }: Partial<SessionSettings> = {}): void {
  for (const model of models) if (model !== "builtin") model[Symbol.dispose]?.();
}

/** Where no model is left, adds to the reason why the configured ones could not be opened. */
export function withModelIssues(
  outcome: GhostTextOutcome,
  { modelIssues }: Pick<SessionSettings, "modelIssues">,
): GhostTextOutcome {
  if (outcome.kind !== "no-suggestion" || outcome.reason.kind !== "no-model" || modelIssues.length === 0)
    return outcome;
  return { ...outcome, reason: { kind: "no-model", cure: modelIssues.join(" ") } };
}
