import { holdsPrivateKey, readSource, type WorkspaceChange } from "../../codebase/index.ts";
import {
  type AccessVerdict,
  GhostTextEngine,
  type GhostTextOutcome,
  type GhostTextRequest,
  type WelcomeModel,
} from "../../complete/index.ts";
import { configFileNames } from "../../config/index.ts";
import { EditHistory, type OpenFile } from "../../context/index.ts";
import type { BuiltinStatistics, TokenMatch } from "../../model/index.ts";
import type { Eagerness, NextEditRequest } from "../../next/index.ts";
import type { Edit } from "../../text/index.ts";
import { AccessRules } from "./access-rules.ts";
import type { DocumentPlace, OpenDocumentFile } from "./document-place.ts";
import { type ChatModels, type EditSettings, loadEditSettings, openChatModels } from "./edit-settings.ts";
import { isFreePath } from "./free-path.ts";
import { LearningModel } from "./learning-model.ts";
import { ModelHealth, type ModelStatus, type ModelUse } from "./model-health.ts";
import { loadNextEditSettings } from "./next-edit-settings.ts";
import { type AnsweredNextEdit, NextEdits } from "./next-edits.ts";
import { Pace } from "./pace.ts";
import type { SessionHost } from "./session-host.ts";
import { SessionPrompts } from "./session-prompts.ts";
import { loadSessionSettings, type SessionSettings, type SettingsSource } from "./session-settings.ts";
import type { TypeScriptMembers } from "./typescript-members.ts";
import { Uncommitted } from "./uncommitted.ts";
import { WorkspaceIndexing } from "./workspace-indexing.ts";
import { type LearningState, WorkspaceLearning } from "./workspace-learning.ts";

/** What is opened, and who is told what happens to it. */
export interface WorkspaceSessionOptions {
  readonly host: SessionHost;
  /** The absolute folder of the workspace, links resolved; `undefined` for files that lie in none. */
  readonly root: string | undefined;
  /** When ghost text is welcome; one for all sessions of a person. */
  readonly welcome: WelcomeModel;
  /** What the editor's own settings say; see `flagsOfEditor`. */
  readonly editorSettings?: unknown;
  /** The files that are open in the editor, by path in this workspace, the one looked at last first. */
  openFiles?(): readonly OpenDocumentFile[];
  onLearning?(state: LearningState): void;
  /** Something is wrong that can be lived with, in one line. */
  onProblem?(message: string): void;
}

/** How a session is, as plain data. */
export interface SessionStatus {
  /** Absent for files that lie in no workspace. */
  readonly root?: string;
  /** The models in order of preference, by name; absent until the configuration is read. */
  readonly models?: readonly string[];
  /** What is known of the models that were opened so far, whatever for. */
  readonly modelDetails: readonly ModelStatus[];
  /** What is wrong with the configuration. */
  readonly issues: readonly string[];
  readonly learning: LearningState;
  readonly statistics: BuiltinStatistics;
  /** How many answers are kept for whoever asks again, and how many requests to models are under way. */
  readonly load?: { readonly answers: number; readonly requests: number };
  /** How many files are ready to be searched; only where a model has to be told of them. */
  readonly indexedFiles?: number;
  /** How many files next edits may be in; only once somebody asked for one. */
  readonly nextEditFiles?: number;
}

/** An engine and what it was made from. */
interface Completing {
  readonly settings: SessionSettings;
  readonly engine: GhostTextEngine;
}

/**
 * A workspace that is being worked in: what is known of it, and who completes in it.
 *
 * It owns the built-in model, which learns in the background, the texts that other models are told of, the rules of
 * what may be looked at, and the ghost text engine.
 */
export class WorkspaceSession implements AsyncDisposable {
  readonly root: string | undefined;
  readonly #options: WorkspaceSessionOptions;
  readonly #pace: Pace;
  readonly #builtin = new LearningModel();
  readonly #health: ModelHealth;
  readonly #rules: AccessRules;
  readonly #history = new EditHistory();
  readonly #nextEdits: NextEdits;
  readonly #learning: WorkspaceLearning | undefined;
  /** Files that hold a key at the moment, whatever their names. */
  readonly #secretTexts = new Set<string>();
  /** As what those documents are judged that were asked about and are not the files of their paths. */
  readonly #judgedAs = new Map<string, string>();
  #indexing: WorkspaceIndexing | undefined;
  #uncommitted: Uncommitted | undefined;
  #members: TypeScriptMembers | undefined;
  #editorSettings: unknown;
  #completing: Promise<Completing>;
  #current: Completing | undefined;
  #isClosed = false;

  /** Opens at once; reads the configuration and learns in the background. */
  constructor(options: WorkspaceSessionOptions) {
    const { host, root, onLearning, onProblem, editorSettings } = options;
    const { fileSystem, watch, cache, clock } = host;
    this.root = root;
    this.#options = options;
    this.#editorSettings = editorSettings;
    this.#health = new ModelHealth(clock);
    this.#pace = new Pace({ clock, yieldThread: () => host.yieldThread() });
    this.#rules = new AccessRules({ fileSystem, root });
    this.#completing = this.#configure();
    // Nobody may be waiting for it, and whoever is gets the error.
    this.#completing.catch(() => undefined);
    this.#nextEdits = new NextEdits({
      ...{ host, root, rules: this.#rules },
      openFiles: () => options.openFiles?.() ?? [],
      files: () => this.#learning?.workspace?.files,
      loadSettings: () => loadNextEditSettings(this.#sourceFor("next-edit"), { root, editor: this.#editorSettings }),
      onProblem: (message) => onProblem?.(message),
    });
    if (root === undefined) return;
    this.#learning = new WorkspaceLearning({
      ...{ root, fileSystem, watch, cache, clock, pace: this.#pace, model: this.#builtin },
      onState: (state) => onLearning?.(state),
      onOpen: () => this.#filesKnown(),
      onRules: () => this.#rulesChanged(),
      onChange: (changes) => this.#filesChanged(changes),
      onProblem: (message) => onProblem?.(message),
    });
  }

  /** What may be offered at a cursor, or why nothing is; rejects only when something is broken. */
  async complete(
    request: GhostTextRequest,
    { signal, judgedAs = request.path }: { readonly signal?: AbortSignal; readonly judgedAs?: string } = {},
  ): Promise<GhostTextOutcome> {
    const { path, document } = request;
    this.#pace.touch();
    const { engine, settings } = await this.#completing;
    await this.#rules.prepare(judgedAs);
    if (holdsPrivateKey(document.text)) this.#secretTexts.add(path);
    else this.#secretTexts.delete(path);
    if (judgedAs === path) this.#judgedAs.delete(path);
    else this.#judgedAs.set(path, judgedAs);
    return withModelIssues(await engine.complete(request, { ...(signal && { signal }) }), settings);
  }

  /** What may be edited next, or why nothing is; rejects only when something is broken. */
  async nextEdit(request: NextEditRequest, options: { readonly signal?: AbortSignal } = {}): Promise<AnsweredNextEdit> {
    this.#pace.touch();
    await this.#rules.prepare(request.path);
    return this.#nextEdits.suggest(request, options);
  }

  /** What is edited next behind the cursor on its line, of what is known or found at once; `undefined` where that is not wanted, or nothing is known yet. */
  async nextEditAsGhostText(
    request: NextEditRequest,
    options: { readonly signal?: AbortSignal } = {},
  ): Promise<AnsweredNextEdit | undefined> {
    const { settings } = await this.#completing;
    // Learning reads the workspace as next edits do, and comes first.
    const isBusy = this.root !== undefined && (this.learning.kind === "waiting" || this.learning.kind === "learning");
    if (!settings.nextEditsAsGhostText || isBusy || holdsPrivateKey(request.document.text)) return undefined;
    await this.#rules.prepare(request.path);
    return this.#nextEdits.suggestAsGhostText(request, options);
  }

  /** The text of a file as next edits have it; `undefined` where they know none. */
  textForNextEdit(path: string): string | undefined {
    return this.#nextEdits.textOf(path);
  }

  /** How eager next edits are to be seen. */
  get nextEditEagerness(): Eagerness {
    return this.#nextEdits.eagerness;
  }

  /** Whether a document with this text may be shown to a model. */
  async accessTo({ judgedAs }: DocumentPlace, text: string): Promise<AccessVerdict> {
    await this.#rules.prepare(judgedAs);
    return holdsPrivateKey(text) ? { kind: "secret" } : this.#rules.verdict(judgedAs);
  }

  /** The text of a file that no editor has open, from the disk; `undefined` where it may not be read, or is no text. */
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

  /** Whether a file can be made here that is not there: nothing stands in its way, and its folder is, or can be, one of the workspace. */
  async mayBeMade({ path, judgedAs }: Pick<DocumentPlace, "path" | "judgedAs">): Promise<boolean> {
    const { root } = this;
    await this.#rules.prepare(judgedAs);
    if (root === undefined || this.#rules.verdict(judgedAs).kind !== "allowed") return false;
    return isFreePath(root, path, this.#options.host.fileSystem);
  }

  /** The lines, from 0, that matches of the built-in model are on; those are left out whose files have changed since. */
  async linesOfMatches(matches: readonly TokenMatch[]): Promise<ReadonlyMap<TokenMatch, number>> {
    const lines = new Map<TokenMatch, number>();
    const texts = new Map<string, string | undefined>();
    for (const match of matches) {
      const { path, tokenIndex } = match;
      if (!texts.has(path)) texts.set(path, await this.tryReadFile({ path, judgedAs: path }));
      const text = texts.get(path);
      const { current } = this.#builtin;
      const language = current.knowledge.files.get(path)?.language;
      if (text === undefined || language === undefined) continue;
      const line = current.lineOfToken(language, text, tokenIndex);
      if (line !== undefined) lines.set(match, line);
    }
    return lines;
  }

  /** The settings of edits by an instruction, as they are now. */
  editSettings(): Promise<EditSettings> {
    return loadEditSettings(this.#sourceFor("edit"), { root: this.root, editor: this.#editorSettings });
  }

  /** Opens the models that take instructions. Whoever opens them disposes of them. */
  openChatModels(settings: EditSettings): Promise<ChatModels> {
    this.#pace.touch();
    return openChatModels(settings, this.#sourceFor("edit").openModel);
  }

  /** The person opened a document. */
  opened(place: DocumentPlace, text: string): void {
    this.#nextEdits.opened(place, text);
  }

  /** The person looks at another document. */
  focused(): void {
    this.#nextEdits.focused();
  }

  /** The person edited a document, whose text was `before`. */
  async edited(place: DocumentPlace, before: string, edit: Edit): Promise<void> {
    const { path, judgedAs } = place;
    this.#pace.touch();
    this.#nextEdits.edited(place, before, edit);
    // Nobody has to be told of it, unless there is a model that is.
    if (this.#current?.settings.models.every((model) => model === "builtin") !== false) return;
    await this.#rules.prepare(judgedAs);
    const isReadable = this.#rules.verdict(judgedAs).kind === "allowed" && !holdsPrivateKey(before);
    if (isReadable) this.#history.record(path, before, edit, this.#options.host.clock.now());
  }

  /** The person closed a document, whose text was `text`. What was not saved of it is no longer anywhere. */
  async closed(place: DocumentPlace, text: string): Promise<void> {
    const { path, judgedAs } = place;
    this.#nextEdits.closed(place);
    const isEdited = () => this.#history.entries(this.#options.host.clock.now()).some((edit) => edit.path === path);
    // Edits that are under way to the history pass this first.
    await this.#rules.prepare(judgedAs);
    if (isEdited() && !(path === judgedAs && (await this.#isSaved(path, text)))) this.#history.forget(path);
  }

  /** The person sees a suggestion. */
  shown(id: string): void {
    this.#current?.engine.shown(id);
  }

  /** The person took a suggestion, or so many UTF-16 units of its beginning. */
  accepted(id: string, characters?: number): void {
    this.#current?.engine.accepted(id, characters);
  }

  /** The person does not want a suggestion. */
  dismissed(id: string): void {
    this.#current?.engine.dismissed(id);
  }

  /** The editor's own settings are these from now on. */
  configure(editorSettings: unknown): void {
    if (JSON.stringify(editorSettings ?? {}) === JSON.stringify(this.#editorSettings ?? {})) return;
    this.#editorSettings = editorSettings;
    this.#reconfigure();
  }

  /** How far learning has come. */
  get learning(): LearningState {
    return this.#learning?.state ?? { kind: "waiting" };
  }

  get status(): SessionStatus {
    const { settings } = this.#current ?? {};
    return {
      ...(this.root !== undefined && { root: this.root }),
      ...(settings && { models: settings.models.map((model) => (model === "builtin" ? model : model.name)) }),
      modelDetails: this.#health.status,
      ...(this.#current && { load: this.#current.engine.load }),
      issues: settings?.issues ?? [],
      learning: this.learning,
      statistics: this.#builtin.current.statistics,
      ...(this.#indexing && { indexedFiles: this.#indexing.index.size }),
      ...(this.#nextEdits.size !== undefined && { nextEditFiles: this.#nextEdits.size }),
    };
  }

  /** Resolves when everything is configured, learnt and indexed that there is now. */
  async settled(): Promise<void> {
    await this.#completing;
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
    await this.#completing.catch(() => undefined);
    this.#leave(this.#current);
    await this.#members?.[Symbol.asyncDispose]();
  }

  /** Where the configuration comes from; the models that are opened are watched. */
  #sourceFor(use: ModelUse): SettingsSource {
    const { settings, fileSystem } = this.#options.host;
    const openModel: SettingsSource["openModel"] = async (name, one) =>
      this.#health.watch(await settings.openModel(name, one), use);
    return { ...settings, fileSystem, openModel };
  }

  #reconfigure(): void {
    this.#health.reset();
    this.#nextEdits.reconfigure();
    const before = this.#completing.catch(() => undefined);
    this.#completing = before.then(async () => {
      const old = this.#current;
      const completing = await this.#configure();
      this.#leave(old);
      return completing;
    });
    this.#completing.catch(() => undefined);
  }

  /** Stops what an engine does, and lets go of its models. */
  #leave(completing: Completing | undefined): void {
    completing?.engine[Symbol.dispose]();
    for (const model of completing?.settings.models ?? []) if (model !== "builtin") model[Symbol.dispose]?.();
  }

  async #configure(): Promise<Completing> {
    const { host, welcome, onProblem } = this.#options;
    const { clock, syntax, guide } = host;
    const settings = await loadSessionSettings(this.#sourceFor("ghost-text"), {
      root: this.root,
      editor: this.#editorSettings,
    });
    for (const issue of settings.issues) onProblem?.(issue);
    if (settings.models.some((model) => model !== "builtin")) this.#startTelling(settings);
    const prompts = new SessionPrompts({
      ...{ settings, index: this.#indexing?.index, history: this.#history, uncommitted: this.#uncommitted, clock },
      openFiles: () => this.#openFiles(),
    });
    if (settings.ghostText.members === "on" && this.root !== undefined && !this.#isClosed) {
      this.#members ??= host.openMembers?.(this.root);
    }
    const engine = new GhostTextEngine({
      ...{ clock, syntax, welcome, settings: settings.ghostText, ...(guide && { guide }) },
      models: settings.models.map((model) =>
        model === "builtin" ? this.#health.watch(this.#builtin, "ghost-text") : model,
      ),
      access: (path) =>
        this.#secretTexts.has(path) ? { kind: "secret" } : this.#rules.verdict(this.#judgedAs.get(path) ?? path),
      prompt: (request, model) => prompts.promptFor(request, model),
      members: (path) => this.#members?.sourceFor(path),
    });
    this.#current = { settings, engine };
    return this.#current;
  }

  /** Models that do not know the workspace by themselves are told of it. */
  #startTelling({ gitDiff }: SessionSettings): void {
    const { root } = this;
    if (root === undefined || this.#isClosed) return;
    const { host, onProblem } = this.#options;
    if (this.#indexing === undefined) {
      this.#indexing = new WorkspaceIndexing({
        ...{ root, fileSystem: host.fileSystem, pace: this.#pace },
        isWanted: (path) => this.#learning?.has(path) === true,
        onProblem: (message) => onProblem?.(message),
      });
      this.#indexAll();
    }
    if (gitDiff && host.readDiff !== undefined) {
      this.#uncommitted ??= new Uncommitted({
        clock: host.clock,
        readDiff: async (signal) => host.readDiff?.(root, { signal }),
        isReadable: async (path) => {
          await this.#rules.prepare(path);
          return this.#rules.verdict(path).kind === "allowed";
        },
      });
    }
  }

  /** All files, as soon as they are known, and the types of what they import. */
  #indexAll(): void {
    const learning = this.#learning;
    if (learning?.workspace === undefined) return;
    this.#indexing?.update([...learning.workspace.files.keys(), ...learning.dependencies]);
  }

  async #isSaved(path: string, text: string): Promise<boolean> {
    const { root } = this;
    if (root === undefined) return false;
    const { fileSystem } = this.#options.host;
    const answer = await readSource(root, path, { fileSystem, unknownLanguages: "keep" });
    return answer.kind === "source" && answer.text.replace(/^\uFEFF/, "") === text.replace(/^\uFEFF/, "");
  }

  /** The open files that may be looked at. */
  async #openFiles(): Promise<readonly OpenFile[]> {
    const open = this.#options.openFiles?.() ?? [];
    await Promise.all(open.map(({ judgedAs }) => this.#rules.prepare(judgedAs)));
    const isReadable = ({ judgedAs, text }: OpenDocumentFile) =>
      this.#rules.verdict(judgedAs).kind === "allowed" && !holdsPrivateKey(text);
    return open.filter(isReadable).map(({ path, language, text }) => ({ path, language, text }));
  }

  #filesKnown(): void {
    // Nobody followed the rules until now.
    this.#rules.forget();
    this.#uncommitted?.touch();
    this.#indexAll();
    this.#tellFiles();
  }

  #rulesChanged(): void {
    this.#rules.forget();
    this.#nextEdits.rulesChanged();
    this.#uncommitted?.forget();
    this.#forgetEdits().catch((error: unknown) => {
      const detail = error instanceof Error ? error.message : String(error);
      this.#options.onProblem?.(`The ignore rules of ${this.root} could not be read again: ${detail}`);
    });
  }

  /** Forgets what was edited in files that may not be looked at any more. */
  async #forgetEdits(): Promise<void> {
    const edited = new Set(this.#history.entries(this.#options.host.clock.now()).map(({ path }) => path));
    for (const path of edited) {
      await this.#rules.prepare(path);
      if (this.#rules.verdict(path).kind !== "allowed") this.#history.forget(path);
    }
  }

  #tellFiles(): void {
    const files = this.#learning?.workspace?.files;
    if (files !== undefined) this.#nextEdits.follow(files);
  }

  #filesChanged(changes: readonly WorkspaceChange[]): void {
    const paths = changes.map(({ path }) => path);
    this.#indexing?.update(paths);
    this.#uncommitted?.touch();
    this.#members?.changed(paths);
    this.#tellFiles();
    if (changes.some(({ path }) => configFiles.has(path))) this.#reconfigure();
  }
}

/** What holds configuration at a workspace's root. */
const configFiles: ReadonlySet<string> = new Set([...configFileNames, "package.json"]);

/** Where no model is left, why those that were named could not be opened. */
function withModelIssues(outcome: GhostTextOutcome, { modelIssues }: SessionSettings): GhostTextOutcome {
  if (outcome.kind !== "silent" || outcome.reason.kind !== "no-model" || modelIssues.length === 0) return outcome;
  return { ...outcome, reason: { kind: "no-model", cure: modelIssues.join(" ") } };
}
