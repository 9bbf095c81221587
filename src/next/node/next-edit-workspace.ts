import {
  type Clock,
  type FileSystem,
  holdsPrivateKey,
  openWorkspace,
  trySecretPath,
  type Watch,
  type Workspace,
  type WorkspaceFile,
} from "../../codebase/index.ts";
import type { AccessVerdict } from "../../complete/index.ts";
import type { Syntax } from "../../syntax/index.ts";
import { type Edit, minimalEdit } from "../../text/index.ts";
import { prettierFormatter } from "../layout/prettier-formatter.ts";
import { NextEditEngine } from "../next-edit-engine.ts";
import type { NextEditParts } from "../next-edit-parts.ts";
import type { NextEditOutcome } from "../outcome.ts";
import type { NextEditRequest } from "../request.ts";
import { settingsWithin } from "../scene-room.ts";
import { TextIndex } from "../text-index.ts";
import { type ViewedPlace, viewedPages } from "../viewed-pages.ts";
import type { WorkspaceTexts } from "../workspace-texts.ts";
import { type DiskText, DiskTexts } from "./disk-texts.ts";
import { gitHeadText } from "./git-head-text.ts";
import { NextEditSources, type NextEditTools } from "./next-edit-sources.ts";

/** What of the engine a person may want to choose, and may change while it works. */
export type NextEditChoice = Pick<NextEditParts, "settings" | "model">;

/** Whoever is told, besides the engine and after it, what becomes of the files on the disk. */
export interface DiskFollower {
  /** A file was edited there, where `diskChanges` says that the person does so. */
  changed(path: string, before: string, edit: Edit): void;
  renamed(path: string, newPath: string): void;
  /** A file says `text` now, and nobody edited it; without a path that may be true of all files. */
  replaced(path?: string, text?: string): void;
  removed(path: string): void;
  /** There is a file that was not there when all were read first. */
  came(path: string, text: string): void;
}

/** What is opened. */
export interface NextEditWorkspaceOptions extends NextEditChoice {
  /** The absolute folder, links resolved; `undefined` for documents that lie in none, of which only those are known that are open. */
  readonly root: string | undefined;
  readonly fileSystem: FileSystem;
  /** Follows changes on the disk. Without one, whoever opens this may follow them, and tell by {@link NextEditWorkspace.follow}. */
  readonly watch?: Watch | undefined;
  readonly clock: Clock;
  /** It stays its owner's. */
  readonly syntax: Syntax;
  /** Whether a file may be looked at; by the rules of the walk unless told. */
  access?(path: string): AccessVerdict;
  /** The files that a walk found, where somebody has walked already. */
  readonly files?: ReadonlyMap<string, WorkspaceFile> | undefined;
  /**
   * What a change on the disk of a file that is not open means: that the person edited it there, as where there is no editor, or that something else wrote it, which
   * nothing follows from; `other` unless told.
   */
  readonly diskChanges?: "person" | "other";
  readonly follower?: DiskFollower;
  /** The most UTF-16 units of all texts together; 100 million unless told. */
  readonly maxCharacters?: number;
  /** How types are opened; TypeScript's service, which ships, unless told, and none where it is `null`. */
  readonly openTypes?: NextEditTools["openTypes"];
  /** Who proposes; see {@link NextEditSources} unless told. */
  openSources?(tools: NextEditTools): NextEditSources;
  /** Lets whoever waits for the thread have its turn. */
  yieldThread(): Promise<void>;
  /** Something is wrong that can be lived with, in one line. */
  onProblem?(message: string): void;
}

/**
 * A workspace in which next edits are offered: its texts as they are now, whoever proposes, and the engine.
 *
 * The files are read in the background. What is open in an editor counts as the editor says it, whatever the disk has; secret and ignored files
 * are never in it.
 */
export class NextEditWorkspace implements AsyncDisposable {
  /** Resolves when all files are read that there were at first. Rejects when the folder cannot be read; until then, and then too, what is open is known. */
  readonly ready: Promise<void>;
  readonly #options: NextEditWorkspaceOptions;
  readonly #index = new TextIndex();
  readonly #open = new Set<string>();
  /** Files that are to be read, and whose changes are nobody's edits: what was not saved before a file was closed, or came with another branch. */
  readonly #foreign = new Set<string>();
  /** Files that were not there at first, the newest last: what is gone may be one of these now. */
  #newcomers: readonly string[] = [];
  /** Files that an editor moved, and where to, of which the disk has not told yet. */
  readonly #movedTo = new Map<string, string>();
  readonly #disk: DiskTexts | undefined;
  readonly #sources: NextEditSources;
  readonly #stopping = new AbortController();
  readonly #formatter = prettierFormatter();
  /** The offsets where the person was last, by file. */
  readonly #places = new Map<string, number>();
  #choice: NextEditChoice;
  #engine: NextEditEngine;
  #workspace: Workspace | undefined;
  #head: string | undefined;
  /** Whether all files are read that there were at first. */
  #isRead = false;
  /** What is done about changes on the disk, one after the other. */
  #following: Promise<void> = Promise.resolve();

  /** Opens at once, and reads in the background. */
  constructor(options: NextEditWorkspaceOptions) {
    const { root, fileSystem, clock, syntax, maxCharacters = 100_000_000 } = options;
    this.#options = options;
    const onProblem = (message: string) => options.onProblem?.(message);
    let toldRead!: () => void;
    const whenRead = new Promise<void>((resolve) => {
      toldRead = resolve;
    });
    const tools = {
      ...{ root, files: this.#index, fileSystem, clock, syntax, whenRead, openTypes: options.openTypes, onProblem },
      openPaths: () => this.#open,
      yieldThread: () => options.yieldThread(),
    };
    this.#sources = options.openSources?.(tools) ?? new NextEditSources(tools);
    this.#choice = options;
    this.#engine = this.#openEngine(options);
    if (root !== undefined) {
      this.#disk = new DiskTexts({
        ...{ root, fileSystem, clock, maxCharacters, onProblem },
        yieldThread: () => options.yieldThread(),
        onTexts: (texts) => this.#take(texts),
      });
    }
    this.ready = this.#start();
    // Nobody may be waiting for it, and whoever is gets the error.
    this.ready.catch(() => undefined).then(toldRead);
  }

  get engine(): NextEditEngine {
    return this.#engine;
  }

  /** The texts as they are now. */
  get files(): WorkspaceTexts {
    return this.#index;
  }

  /** How many files of the disk are known. */
  get size(): number {
    return this.#disk?.size ?? 0;
  }

  /** What may be edited next, see {@link NextEditEngine.suggest}. A model is told of the files that were looked at lately, too. */
  async suggest(
    request: Omit<NextEditRequest, "viewed">,
    options: { readonly signal?: AbortSignal } = {},
  ): Promise<NextEditOutcome> {
    const { path, offset, shape } = request;
    this.#places.set(path, offset);
    const viewed = shape === undefined ? this.#viewedBeside(path) : [];
    return this.#engine.suggest({ ...request, viewed }, options);
  }

  /** A document was opened; its text counts from now on. */
  open(path: string, text: string): void {
    this.#open.add(path);
    this.#foreign.delete(path);
    const isNew = this.#index.textOf(path) === undefined;
    const mayKeep = this.#mayKeep(path, text);
    this.#tell(path, mayKeep ? text : undefined);
    // A file that an editor moves is closed under its old path, and opened under the new one.
    const from = isNew && mayKeep && text !== "" ? this.#closedWith(text) : undefined;
    if (from !== undefined) {
      this.#engine.renamed(from, path);
      this.#movedTo.set(from, path);
    } else if (isNew && this.#isRead) this.#welcome(path);
    this.#sources.look(path);
  }

  /** The person edited an open document, whose text was `before`. */
  change(path: string, before: string, edit: Edit): void {
    const after = edit.apply(before);
    this.#sources.look(path);
    this.wasAt(path, edit);
    const mayKeep = this.#mayKeep(path, after);
    this.#tell(path, mayKeep ? after : undefined);
    this.#sources.edited(path);
    if (mayKeep && this.#mayKeep(path, before)) this.#engine.changed(path, before, edit);
    else this.#engine.replaced(path);
  }

  /** A document was closed: what the disk has counts again, as soon as it is read. */
  close(path: string): void {
    if (!this.#open.delete(path)) return;
    this.#foreign.add(path);
    if (this.#disk === undefined) this.#take([{ path, text: undefined }]);
    else this.#disk.look(path);
  }

  /** The person was in a file where an edit of it ended; whoever tells a change need not tell it. */
  wasAt(path: string, edit: Edit): void {
    const last = edit.rangesAfter().at(-1);
    if (last !== undefined) this.#places.set(path, last.end);
  }

  /** Tells which documents are looked at, the last first. */
  show(paths: readonly string[]): void {
    this.#index.show(paths.filter((path) => this.#index.textOf(path) !== undefined));
  }

  /** Takes up the files there are on the disk now, from whoever follows it. */
  follow(files: ReadonlyMap<string, WorkspaceFile>): void {
    this.#following = this.#following.then(async () => {
      const isElsewhere = await this.#isOnAnotherBranch();
      const changed = this.#disk?.follow(files) ?? [];
      // Nobody writes so many files by hand.
      if (!isElsewhere && changed.length <= maxByHand) return;
      for (const path of changed) this.#foreign.add(path);
      this.#engine.replaced();
      this.#options.follower?.replaced();
    });
  }

  /** What may be looked at has changed: open documents are judged anew. */
  rulesChanged(texts: ReadonlyMap<string, string>): void {
    for (const [path, text] of texts) {
      if (!this.#open.has(path) || this.#mayKeep(path, text)) continue;
      this.#tell(path, undefined);
      this.#engine.replaced(path);
    }
  }

  /** The settings and the model are these from now on. What was edited, offered and rejected is forgotten; the texts are kept. */
  choose(choice: NextEditChoice): void {
    this.#engine[Symbol.dispose]();
    this.#choice = choice;
    this.#engine = this.#openEngine(choice);
  }

  /** Resolves when all is read that there is to read now, and types are open where they are asked; with `dependencies`, when it is known too what depends on what. */
  async settled(wanted: { readonly dependencies?: boolean } = {}): Promise<void> {
    await this.ready.catch(() => undefined);
    await this.#following;
    await this.#disk?.settled();
    await this.#sources.settled(wanted);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stopping.abort(new Error("the workspace is closed"));
    this.#disk?.[Symbol.dispose]();
    this.#engine[Symbol.dispose]();
    await this.#sources[Symbol.asyncDispose]();
    await this.settled();
    await this.#workspace?.[Symbol.asyncDispose]();
  }

  #openEngine({ settings, model }: NextEditChoice): NextEditEngine {
    const { clock, syntax } = this.#options;
    const { all, judge, names } = this.#sources;
    return new NextEditEngine({
      ...{
        sources: all,
        files: this.#index,
        clock,
        syntax,
        settings,
        formatter: this.#formatter,
        names,
      },
      ...(model && { model }),
      ...(judge && { types: judge }),
      access: (path) => this.#access(path),
    });
  }

  /** Pages of the other files that are looked at, for a model, if there is one. */
  #viewedBeside(path: string): NonNullable<NextEditRequest["viewed"]> {
    const { model, settings } = this.#choice;
    if (model === undefined || !settings.origins.includes("model")) return [];
    const { contextTokens, tokenCounter } = model.model;
    const places = this.#placesBeside(path, settings.maxDocumentCharacters);
    return viewedPages(places, settingsWithin(settings.scene, contextTokens), tokenCounter);
  }

  *#placesBeside(path: string, maxCharacters: number): Generator<ViewedPlace> {
    for (const other of this.#index.open) {
      const text = this.#index.textOf(other);
      if (other === path || text === undefined || text.length > maxCharacters) continue;
      // Rules may have changed since it was shown.
      if (this.#access(other).kind !== "allowed") continue;
      yield { path: other, language: this.#index.languageOf(other), text, offset: this.#places.get(other) ?? 0 };
    }
  }

  async #start(): Promise<void> {
    const { root, fileSystem, watch, clock, files, onProblem } = this.#options;
    if (root === undefined) return;
    this.#head = await gitHeadText(root, fileSystem);
    if (files === undefined) {
      const { signal } = this.#stopping;
      this.#workspace = await openWorkspace({ root, fileSystem, clock, signal, ...(watch && { watch }) });
      const workspace = this.#workspace;
      workspace.onChange(() => this.follow(workspace.files));
      workspace.onError((error) => onProblem?.(`Changes of ${root} may be missed: ${messageOf(error)}`));
    }
    this.#disk?.follow(this.#workspace?.files ?? files!);
    await this.#disk?.settled();
    this.#isRead = true;
  }

  #access(path: string): AccessVerdict {
    const { access, root = "" } = this.#options;
    if (access !== undefined) return access(path);
    if (trySecretPath(`${root}/${path}`) !== undefined) return { kind: "secret" };
    const reason = this.#workspace?.skipped.find((skipped) => isAt(path, skipped.path))?.reason;
    if (reason?.kind !== "ignored") return { kind: "allowed" };
    const { file, lineNumber, pattern } = reason.rule;
    return { kind: "ignored", by: `${file}:${lineNumber}: ${pattern}` };
  }

  #mayKeep(path: string, text: string): boolean {
    return this.#access(path).kind === "allowed" && !holdsPrivateKey(text);
  }

  /** A file with this text that was closed just now. */
  #closedWith(text: string): string | undefined {
    return [...this.#foreign].find((path) => this.#index.textOf(path) === text);
  }

  #welcome(path: string): void {
    this.#newcomers = [...this.#newcomers, path].slice(-maxNewcomers);
  }

  /** Where a file is now that is gone and had this text, if it was moved; `came` are files that came with that. */
  #placeNow(path: string, before: string, came: readonly DiskText[]): string | undefined {
    const told = this.#movedTo.get(path);
    if (told !== undefined) return told;
    const fresh = came.find(({ text }) => text === before)?.path;
    return fresh ?? this.#newcomers.find((other) => other !== path && this.#index.textOf(other) === before);
  }

  /** Takes files as the disk has them, but for those that an editor has open. */
  #take(texts: readonly DiskText[]): void {
    const told = texts.filter(({ path, text }) => !this.#open.has(path) && this.#index.textOf(path) !== text);
    const came = told.filter(({ path }) => this.#index.textOf(path) === undefined);
    const { diskChanges, follower } = this.#options;
    const moved = new Set<string>();
    for (const { path, text } of told) {
      const before = this.#index.textOf(path);
      this.#tell(path, text);
      if (before === undefined) continue;
      const free = text === undefined ? came.filter((other) => !moved.has(other.path)) : [];
      const to = text === undefined ? this.#placeNow(path, before, free) : undefined;
      const isByHand = diskChanges === "person" && !this.#foreign.has(path);
      if (to !== undefined) {
        moved.add(to);
        this.#newcomers = this.#newcomers.filter((other) => other !== to);
        if (!this.#movedTo.delete(path)) this.#engine.renamed(path, to);
        follower?.renamed(path, to);
      } else if (text === undefined) {
        this.#engine.replaced(path);
        follower?.removed(path);
      } else if (isByHand) {
        this.#sources.look(path);
        this.#sources.edited(path);
        const edit = minimalEdit(before, text);
        this.wasAt(path, edit);
        this.#engine.changed(path, before, edit);
        follower?.changed(path, before, edit);
      } else {
        this.#engine.replaced(path);
        follower?.replaced(path, text);
      }
    }
    for (const { path, text } of came) {
      if (!this.#isRead || text === undefined || moved.has(path)) continue;
      follower?.came(path, text);
      this.#welcome(path);
    }
    for (const { path } of texts) this.#foreign.delete(path);
    // In the background, rather than when it is asked for.
    this.#index.settle();
  }

  #tell(path: string, text: string | undefined): void {
    this.#index.update(path, text);
    this.#sources.tell(path, text);
  }

  /** Whether another branch was checked out since this was asked last: nothing follows from what was edited before. */
  async #isOnAnotherBranch(): Promise<boolean> {
    const { root = "", fileSystem } = this.#options;
    const before = this.#head;
    this.#head = await gitHeadText(root, fileSystem);
    return this.#head !== before;
  }
}

/** Of so many files that came last it is known that they did. */
const maxNewcomers = 20;
/** The most files that are changed on the disk at a time without its being a checkout, or what a program wrote. */
const maxByHand = 20;

function isAt(path: string, folder: string): boolean {
  return folder === "" || path === folder || path.startsWith(`${folder}/`);
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
