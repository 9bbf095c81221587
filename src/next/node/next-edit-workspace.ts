import type { TypeCheckCache } from "../../analysis/index.ts";
import { type AbortOptions, BackgroundScheduler, type Clock, SerialQueue } from "../../async/index.ts";
import type { AccessVerdict } from "../../complete/index.ts";
import type { Syntax } from "../../syntax/index.ts";
import { type Edit, errorMessage, minimalEdit, withoutByteOrderMark } from "../../text/index.ts";
import {
  type FileSystem,
  gitHeadText,
  holdsPrivateKey,
  joinPath,
  openWorkspace,
  type SourceAnswer,
  TextQueue,
  TextStore,
  trySecretPath,
  type Watch,
  type Workspace,
} from "../../workspace/index.ts";
import type { NextEditRequest } from "../engine/gate.ts";
import { NextEditEngine } from "../engine/next-edit-engine.ts";
import type { NextEditParts } from "../engine/next-edit-parts.ts";
import type { NextEditOutcome } from "../engine/outcome.ts";
import { TextIndex, type TextIndexOptions, type WorkspaceTexts } from "../engine/text-index.ts";
import { prettierFormatter } from "../layout/code-formatter.ts";
import { recentlyViewedSnippets, settingsWithin, type ViewedLocation } from "../providers/model/build-prompt-input.ts";
import { modelSource } from "../providers/model/model-request-queue.ts";
import { readFormatSettings } from "./format-settings.ts";
import { NextEditProviders, type NextEditTools } from "./next-edit-providers.ts";

/** What the user may change while the engine runs. */
export interface NextEditChoice extends Pick<NextEditParts, "settings" | "model"> {
  /** Whether code that the workspace configures may run; default `false`. */
  readonly isTrusted?: boolean;
}

/** Receives changes of files on disk, after the engine. */
export interface DiskFollower {
  /** A file was edited on disk, where `diskChanges` is `person`. */
  changed(path: string, before: string, edit: Edit): void;
  renamed(path: string, newPath: string): void;
  /**
   * A file's text was replaced by `text`, other than by editing; without a path that may be so for
   * all files.
   */
  replaced(path?: string, text?: string): void;
  removed(path: string): void;
  /** A file appeared after all files were read first. */
  came(path: string, text: string): void;
}

/** A file's present text on disk; `undefined` where there is none or it may not be read. */
interface DiskText {
  readonly path: string;
  readonly text: string | undefined;
}

/** Options of {@link NextEditWorkspace}. */
export interface NextEditWorkspaceOptions extends NextEditChoice {
  /**
   * The absolute folder, links resolved. `undefined` for documents outside any folder, of which
   * only open ones are known.
   */
  readonly root: string | undefined;
  readonly fileSystem: FileSystem;
  /**
   * The texts of the folder, shared with others; their owner reports changes to them. Without them
   * the files are read for this only.
   */
  readonly texts?: TextStore | undefined;
  /**
   * Watches the disk. Without it the caller may watch, and call
   * {@link NextEditWorkspace.changedOnDisk}.
   */
  readonly watch?: Watch | undefined;
  readonly clock: Clock;
  /** Its owner disposes it. */
  readonly syntax: Syntax;
  /** Whether a file may be read; default: the rules of the workspace walk. */
  access?(path: string): AccessVerdict;
  /** Further access rules for files that are opened by name: a walk finds none through links. */
  accessByName?(path: string): AccessVerdict;
  /** The workspace that others have opened, and close; without it the workspace is walked. */
  opened?(): Promise<Workspace>;
  /**
   * What a change on disk of a file that is not open means: `person` where the user edited it
   * there, as without an editor; `other` where another program wrote it, from which no next edit
   * follows. Default `other`.
   */
  readonly diskChanges?: "person" | "other";
  readonly follower?: DiskFollower;
  /** The most files that one recent edit is repeated in; default: 12, and 30 for all of them. */
  readonly maxSimilarFiles?: number | undefined;
  /** See {@link TextIndexOptions.isForOneRequest}. */
  readonly isForOneRequest?: TextIndexOptions["isForOneRequest"];
  /**
   * The most UTF-16 units of all texts together; default 100 million. Files beyond it are left out,
   * which is reported once.
   */
  readonly maxCharacters?: number;
  /**
   * Opens the type checker; default TypeScript's service, which ships with Emend. `null` for none.
   */
  readonly openTypes?: NextEditTools["openTypes"];
  /** Opens the providers; default {@link NextEditProviders}. */
  openSources?(tools: NextEditTools): NextEditProviders;
  /** Returns a new id for a suggestion; default: the numbers of each engine. */
  readonly newId?: (() => string) | undefined;
  /** Lets other tasks of the thread run. */
  yieldThread(): Promise<void>;
  /** Receives a problem that does not stop next edits, in one line. */
  onProblem?(message: string): void;
}

/**
 * A workspace with next edits: its present texts, the providers, and the engine.
 *
 * The files are read in the background. An open document has the editor's text, whatever the disk
 * contains. Secret and ignored files are never in it.
 */
export class NextEditWorkspace implements AsyncDisposable {
  /**
   * Resolves when all files that existed at first are read; rejects when the folder cannot be read.
   * Open documents are known before, and also after a failure.
   */
  readonly ready: Promise<void>;
  readonly #options: NextEditWorkspaceOptions;
  readonly #index: TextIndex;
  readonly #open = new Set<string>();
  /**
   * Files to be read whose changes are no edits of the user: unsaved text of a closed file, or
   * another branch.
   */
  readonly #notEdited = new Set<string>();
  /** Files that appeared later, the newest last: a removed file may have become one of these. */
  #newFiles: readonly string[] = [];
  /** Files that an editor moved, with the new path, until the disk shows the move. */
  readonly #movedTo = new Map<string, string>();
  readonly #texts: TextStore | undefined;
  readonly #held: Disposable | undefined;
  readonly #reading: TextQueue | undefined;
  readonly #scheduler: BackgroundScheduler;
  #isFull = false;
  readonly #providers: NextEditProviders;
  readonly #stopping = new AbortController();
  readonly #formatter = prettierFormatter();
  /** By file, the last offset of the cursor. */
  readonly #cursorOffsets = new Map<string, number>();
  #choice: NextEditChoice;
  #engine: NextEditEngine;
  #workspace: Workspace | undefined;
  #head: string | undefined;
  /** Whether all files that existed at first are read. */
  #isRead = false;
  /** The queue of work on changes on disk. */
  #following = new SerialQueue();

  /** Returns at once, and reads the files in the background. */
  constructor(options: NextEditWorkspaceOptions) {
    const { root, fileSystem, clock, syntax } = options;
    this.#options = options;
    const { isForOneRequest } = options;
    this.#index = new TextIndex({ yieldThread: () => options.yieldThread(), isForOneRequest });
    const onProblem = (message: string) => options.onProblem?.(message);
    let resolveRead!: () => void;
    const whenRead = new Promise<void>((resolve) => {
      resolveRead = resolve;
    });
    const tools = {
      ...{ root, files: this.#index, fileSystem, clock, syntax, whenRead, openTypes: options.openTypes, onProblem },
      openPaths: () => this.#open,
      maxSimilarFiles: options.maxSimilarFiles,
      maxTypesMemoryMb: () => this.#choice.settings.maxTypesMemoryMb,
      typesMs: () => this.#choice.settings.typesMs,
      yieldThread: () => options.yieldThread(),
    };
    this.#choice = options;
    this.#providers = options.openSources?.(tools) ?? new NextEditProviders(tools);
    this.#engine = this.#openEngine(options);
    this.#scheduler = new BackgroundScheduler({ clock, yieldThread: () => options.yieldThread() });
    if (root !== undefined) {
      this.#texts = options.texts ?? new TextStore({ root, fileSystem });
      this.#held = this.#texts.hold();
      this.#reading = new TextQueue({
        ...{ texts: this.#texts, of: "disk" },
        isWanted: (path) => this.#workspace?.files.has(path) === true,
        take: (answers, signal) => this.#takeRead(answers, signal),
        onFailure: (error) => onProblem(`Next edits will miss some files of ${root}: ${errorMessage(error)}`),
      });
    }
    this.ready = this.#start();
    // There may be no caller waiting; a caller that waits gets the error.
    this.ready.catch(() => undefined).then(resolveRead);
  }

  /** The engine with the present settings; {@link choose} replaces it. */
  get engine(): NextEditEngine {
    return this.#engine;
  }

  /** The present texts. */
  get files(): WorkspaceTexts {
    return this.#index;
  }

  /** The number of files read from the disk. */
  get size(): number {
    const files = this.#workspace?.files;
    return files === undefined ? 0 : [...this.#index.paths()].filter((path) => files.has(path)).length;
  }

  /**
   * Returns the next edit; see {@link NextEditEngine.suggest}. Adds recently viewed snippets for a
   * model.
   */
  async suggest(request: Omit<NextEditRequest, "viewed">, options: AbortOptions = {}): Promise<NextEditOutcome> {
    const { path, offset, shape } = request;
    this.#cursorOffsets.set(path, offset);
    if (shape === undefined) void this.#providers.want(path);
    const viewed = shape === undefined ? this.#viewedBeside(path) : [];
    return this.#engine.suggest({ ...request, viewed }, options);
  }

  /**
   * The types of the present texts, for a script; `undefined` where they cannot be known. Opens the
   * type checker where it is not open, which may take seconds.
   */
  typesFor(path: string): Promise<TypeCheckCache | undefined> {
    return this.#providers.want(path);
  }

  /** Reports that a document was opened; from now on it has the editor's text. */
  open(path: string, text: string): void {
    this.#open.add(path);
    this.#notEdited.delete(path);
    const isNew = this.#index.textOf(path) === undefined;
    const mayKeep = this.#mayKeep(path, text);
    this.#update(path, mayKeep ? text : undefined);
    // An editor moves a file by closing its old path and opening the new one.
    const from = isNew && mayKeep && text !== "" ? this.#closedWith(text) : undefined;
    if (from !== undefined) {
      this.#engine.renamed(from, path);
      this.#movedTo.set(from, path);
    } else if (isNew && this.#isRead) this.#rememberNew(path);
    this.#providers.look(path);
  }

  /** Reports an edit of an open document, whose text was `before`. */
  change(path: string, before: string, edit: Edit): void {
    const after = edit.apply(before);
    this.#providers.look(path);
    this.wasAt(path, edit);
    const mayKeep = this.#mayKeep(path, after);
    this.#update(path, mayKeep ? after : undefined);
    this.#providers.edited(path);
    if (mayKeep && this.#mayKeep(path, before)) this.#engine.changed(path, before, edit);
    else this.#engine.replaced(path);
  }

  /** Reports that a document was closed; it gets the disk's text again as soon as that is read. */
  close(path: string): void {
    if (!this.#open.delete(path)) return;
    this.#notEdited.add(path);
    this.#providers.close(path);
    if (this.#texts === undefined) this.#take([{ path, text: undefined }]);
    else this.readAgain(path);
  }

  /** Records where an edit left the cursor; {@link change} does this too. */
  wasAt(path: string, edit: Edit): void {
    const last = edit.rangesAfter().at(-1);
    if (last !== undefined) this.#cursorOffsets.set(path, last.end);
  }

  /** Sets the visible documents, the most recently viewed first. */
  show(paths: readonly string[]): void {
    this.#index.show(paths.filter((path) => this.#index.textOf(path) !== undefined));
  }

  /**
   * Takes files that came, changed or went on the disk, after `opened` and `texts` have them, where
   * others own these.
   */
  changedOnDisk(paths: readonly string[]): void {
    void this.#following.run(async () => {
      const isElsewhere = await this.#isOnAnotherBranch();
      // Files that came first, so that a removed file may have become one of these.
      const isPresent = (path: string) => this.#workspace?.files.has(path) === true;
      this.#reading?.add([...paths.filter(isPresent), ...paths.filter((path) => !isPresent(path))]);
      // So many files are not changed by hand.
      if (!isElsewhere && paths.length <= maxByHand) return;
      for (const path of paths) this.#notEdited.add(path);
      this.#engine.replaced();
      this.#options.follower?.replaced();
    });
  }

  /** Reads a file again whose change on the disk may not be noticed yet. */
  readAgain(path: string): void {
    this.#texts?.forget(path);
    this.#reading?.add([path]);
  }

  /** Reports that the access rules changed: drops open documents that may no longer be read. */
  rulesChanged(texts: ReadonlyMap<string, string>): void {
    for (const [path, text] of texts) {
      if (!this.#open.has(path) || this.#mayKeep(path, text)) continue;
      this.#update(path, undefined);
      this.#engine.replaced(path);
    }
  }

  /**
   * Replaces the settings and the model. Edit history, suggestions and rejections are dropped; the
   * texts are kept.
   */
  choose(choice: NextEditChoice): void {
    this.#engine[Symbol.dispose]();
    this.#choice = choice;
    this.#engine = this.#openEngine(choice);
  }

  /**
   * Resolves when no file is waiting to be read and the types of the viewed file are open; with
   * `dependencies`, when the dependency graph is built too.
   */
  async settled(wanted: { readonly dependencies?: boolean } = {}): Promise<void> {
    await this.ready.catch(() => undefined);
    await this.#following.settled();
    await this.#reading?.settled();
    await this.#providers.settled(wanted);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stopping.abort(new Error("the workspace is closed"));
    this.#reading?.[Symbol.dispose]();
    this.#held?.[Symbol.dispose]();
    this.#engine[Symbol.dispose]();
    await this.#providers[Symbol.asyncDispose]();
    await this.settled();
    if (this.#options.opened === undefined) await this.#workspace?.[Symbol.asyncDispose]();
  }

  #openEngine({ settings, model, isTrusted = false }: NextEditChoice): NextEditEngine {
    const { root, clock, syntax } = this.#options;
    const { all, judge, names, members, syntaxErrors } = this.#providers;
    return new NextEditEngine({
      ...{
        sources: all,
        files: this.#index,
        clock,
        syntax,
        syntaxErrors,
        settings,
        formatter: this.#formatter,
        newId: this.#options.newId,
        names,
      },
      ...(root !== undefined && { configuredStyle: (path) => readFormatSettings(joinPath(root, path), isTrusted) }),
      ...(model && { model }),
      ...(judge && { types: judge }),
      isOpeningTypes: () => this.#providers.isOpeningTypes,
      ...(members && { members }),
      access: (path) => this.#access(path),
    });
  }

  /** The recently viewed snippets of other visible files, where a model is used. */
  #viewedBeside(path: string): NonNullable<NextEditRequest["viewed"]> {
    const { model, settings } = this.#choice;
    if (model === undefined || !settings.origins.includes(modelSource.origin)) return [];
    const { contextTokens, tokenCounter } = model.model;
    const places = this.#viewedLocations(path, settings.maxDocumentCharacters);
    return recentlyViewedSnippets(places, settingsWithin(settings.context, contextTokens), tokenCounter);
  }

  *#viewedLocations(path: string, maxCharacters: number): Generator<ViewedLocation> {
    for (const other of this.#index.open) {
      const text = this.#index.textOf(other);
      if (other === path || text === undefined || text.length > maxCharacters) continue;
      // The access rules may have changed since it was shown.
      if (this.#access(other).kind !== "allowed") continue;
      yield { path: other, language: this.#index.languageOf(other), text, offset: this.#cursorOffsets.get(other) ?? 0 };
    }
  }

  async #start(): Promise<void> {
    const { root, opened } = this.#options;
    if (root === undefined) return;
    this.#head = await gitHeadText(root, this.#options.fileSystem);
    this.#workspace = opened === undefined ? await this.#openWorkspace(root) : await opened();
    this.#reading?.add(this.#workspace.files.keys());
    await this.#reading?.settled();
    this.#isRead = true;
  }

  async #openWorkspace(root: string): Promise<Workspace> {
    const { fileSystem, watch, clock, onProblem } = this.#options;
    const { signal } = this.#stopping;
    const workspace = await openWorkspace({ root, fileSystem, clock, signal, ...(watch && { watch }) });
    workspace.onChange((changes) => {
      const paths = changes.map(({ path }) => path);
      if (this.#options.texts === undefined) this.#texts?.changed(paths);
      this.changedOnDisk(paths);
    });
    workspace.onError((error) => onProblem?.(`Changes of ${root} may be missed: ${errorMessage(error)}`));
    return workspace;
  }

  #access(path: string): AccessVerdict {
    const { access, accessByName, root = "" } = this.#options;
    if (access !== undefined) return access(path);
    const byName = accessByName?.(path);
    if (byName !== undefined && byName.kind !== "allowed") return byName;
    if (trySecretPath(`${root}/${path}`) !== undefined) return { kind: "secret" };
    const reason = this.#workspace?.skipped.find((skipped) => isAt(path, skipped.path))?.reason;
    if (reason?.kind !== "ignored") return { kind: "allowed" };
    const { file, lineNumber, pattern } = reason.rule;
    return { kind: "ignored", by: `${file}:${lineNumber}: ${pattern}` };
  }

  #mayKeep(path: string, text: string): boolean {
    return this.#access(path).kind === "allowed" && !holdsPrivateKey(text);
  }

  /** A file with this text that was just closed. */
  #closedWith(text: string): string | undefined {
    return [...this.#notEdited].find((path) => this.#index.textOf(path) === text);
  }

  #rememberNew(path: string): void {
    this.#newFiles = [...this.#newFiles, path].slice(-maxNewFiles);
  }

  /**
   * The new path of a removed file that had this text, if it was moved; `came` are files that
   * appeared with the removal.
   */
  #newPathOf(path: string, before: string, came: readonly DiskText[]): string | undefined {
    const moved = this.#movedTo.get(path);
    if (moved !== undefined) return moved;
    const fresh = came.find(({ text }) => text === before)?.path;
    return fresh ?? this.#newFiles.find((other) => other !== path && this.#index.textOf(other) === before);
  }

  /**
   * Takes texts that were read, without a byte order mark, as editors do, so that offsets agree.
   */
  async #takeRead(answers: readonly SourceAnswer[], signal: AbortSignal): Promise<void> {
    await this.#scheduler.waitForTurn(0);
    signal.throwIfAborted();
    const { root, maxCharacters = 100_000_000, onProblem } = this.#options;
    const texts: DiskText[] = [];
    let free = maxCharacters - this.#index.characters;
    for (const answer of answers) {
      const { path } = answer;
      if (this.#open.has(path)) {
        this.#notEdited.delete(path);
        continue;
      }
      const text = answer.kind === "source" ? withoutByteOrderMark(answer.text) : undefined;
      free += this.#index.textOf(path)?.length ?? 0;
      const isFitting = text === undefined || text.length <= free;
      texts.push({ path, text: isFitting ? text : undefined });
      if (isFitting) free -= text?.length ?? 0;
      else if (!this.#isFull) {
        this.#isFull = true;
        onProblem?.(`${root} has more source than next edits look at: ${maxCharacters} characters.`);
      }
    }
    this.#take(texts);
  }

  /** Takes the disk's text of files that are not open in an editor. */
  #take(texts: readonly DiskText[]): void {
    const changed = texts.filter(({ path, text }) => this.#index.textOf(path) !== text);
    const added = changed.filter(({ path }) => this.#index.textOf(path) === undefined);
    const { diskChanges, follower } = this.#options;
    const moved = new Set<string>();
    for (const { path, text } of changed) {
      const before = this.#index.textOf(path);
      this.#update(path, text);
      if (before === undefined) continue;
      const free = text === undefined ? added.filter((other) => !moved.has(other.path)) : [];
      const to = text === undefined ? this.#newPathOf(path, before, free) : undefined;
      const isByHand = diskChanges === "person" && !this.#notEdited.has(path);
      if (to !== undefined) {
        moved.add(to);
        this.#newFiles = this.#newFiles.filter((other) => other !== to);
        if (!this.#movedTo.delete(path)) this.#engine.renamed(path, to);
        follower?.renamed(path, to);
      } else if (text === undefined) {
        this.#replaced(path);
        follower?.removed(path);
      } else if (isByHand) {
        this.#providers.look(path);
        this.#providers.edited(path);
        const edit = minimalEdit(before, text);
        this.wasAt(path, edit);
        this.#engine.changed(path, before, edit);
        follower?.changed(path, before, edit);
      } else {
        this.#replaced(path);
        follower?.replaced(path, text);
      }
    }
    for (const { path, text } of added) {
      if (!this.#isRead || text === undefined || moved.has(path)) continue;
      follower?.came(path, text);
      this.#rememberNew(path);
    }
    for (const { path } of texts) this.#notEdited.delete(path);
    // In the background, rather than on the next request.
    void this.#index.settled();
  }

  /**
   * Drops what is known of the edits of a file. A request that began after it was closed may have
   * read its last text again, since that was part of the edit history until now.
   */
  #replaced(path: string): void {
    this.#engine.replaced(path);
    this.#providers.close(path);
  }

  #update(path: string, text: string | undefined): void {
    this.#index.update(path, text);
    this.#providers.update(path, text);
  }

  /**
   * Whether another branch was checked out since the last call: then no next edit follows from
   * earlier edits.
   */
  async #isOnAnotherBranch(): Promise<boolean> {
    const { root = "", fileSystem } = this.#options;
    const before = this.#head;
    this.#head = await gitHeadText(root, fileSystem);
    return this.#head !== before;
  }
}

/** The most appeared files that are remembered. */
const maxNewFiles = 20;
/**
 * The most files changed on disk at a time that are taken as edits, not as a checkout or a
 * program's output.
 */
const maxByHand = 20;

function isAt(path: string, folder: string): boolean {
  return folder === "" || path === folder || path.startsWith(`${folder}/`);
}
