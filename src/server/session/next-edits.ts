import { isAbsolute } from "node:path";
import type { TypeCheckCache } from "../../analysis/index.ts";
import { type Clock, raceAbort, SerialQueue } from "../../async/index.ts";
import type {
  ArbitrationRules,
  NextEditOutcome,
  NextEditRequest,
  NextEditSuggestion,
  WholeChain,
} from "../../next/index.ts";
import type { DiskFollower, NextEditWorkspace, RecordingFile } from "../../next/node/index.ts";
import { type Edit, EmendError, errorMessage, minimalEdit, type TextEdit } from "../../text/index.ts";
import {
  type AccessRules,
  holdsPrivateKey,
  joinPath,
  readSource,
  type TextStore,
  type Workspace,
} from "../../workspace/index.ts";
import type { NextEditSessionSettings } from "./next-edit-settings.ts";
import { isSavedText } from "./saved-text.ts";
import type { DocumentPlace, OpenDocumentFile, SessionHost } from "./session-host.ts";

/** What {@link NextEdits} takes from its session. */
export interface NextEditsOptions {
  readonly host: Pick<SessionHost, "fileSystem" | "clock" | "syntax" | "nextEdits" | "yieldThread">;
  readonly root: string | undefined;
  readonly rules: AccessRules;
  /** The texts of the workspace; absent without a root. */
  readonly texts: TextStore | undefined;
  /** The documents that are open in the editor, most recently viewed first. */
  openFiles(): readonly OpenDocumentFile[];
  /** The workspace, as soon as its files are known. Called only with a root. */
  opened(): Promise<Workspace>;
  loadSettings(): Promise<NextEditSessionSettings>;
  /** Returns a new id for a suggestion. */
  newId(): string;
  onProblem(message: string): void;
}

/** What happened to a next edit in the editor. */
export type NextEditEvent =
  | { readonly kind: "shown" | "rejected" }
  /** Accepted, or only `part`: edits of the text at the time of the suggestion. */
  | { readonly kind: "accepted"; readonly part: readonly TextEdit[] | undefined };

/**
 * The next edits of a session. Nothing is read before the first request; the latest edits are kept
 * for it.
 *
 * Notifications are handled in their order, and before later requests, since access rules may have
 * to be read in between.
 */
export class NextEdits implements AsyncDisposable {
  readonly #options: NextEditsOptions;
  #earlier: readonly EarlierEdit[] = [];
  /** The path whose access rules apply, for documents where it is not their own. */
  readonly #judgedAs = new Map<string, string>();
  #queue = new SerialQueue();
  #workspace: NextEditWorkspace | undefined;
  #settings: NextEditSessionSettings | undefined;
  #recording: RecordingFile | undefined;
  #isClosed = false;

  constructor(options: NextEditsOptions) {
    this.#options = options;
  }

  /** The number of known files; `undefined` before the first request. */
  get size(): number | undefined {
    return this.#workspace?.size;
  }

  /** The path whose access rules apply to the document at `path`. */
  judgedAs(path: string): string {
    return this.#judgedAs.get(path) ?? path;
  }

  /** The current text of a file; `undefined` where it is not known. */
  textOf(path: string): string | undefined {
    return this.#workspace?.files.textOf(path);
  }

  /** When a next edit may be shown, by the present settings. */
  get arbitration(): ArbitrationRules {
    const { eagerness, afterRejectionMs } = this.#settings?.settings ?? {};
    return { ...(eagerness && { eagerness }), ...(afterRejectionMs !== undefined && { afterRejectionMs }) };
  }

  /**
   * Requests a next edit: a suggestion, or the reason why there is none, such as an abort. A
   * request by key waits until the workspace is read. Rejects where the workspace cannot be opened
   * or is closed.
   */
  async suggest(
    request: NextEditRequest,
    { signal }: { readonly signal?: AbortSignal } = {},
  ): Promise<NextEditOutcome> {
    const workspace = await this.#opened();
    // An abort is answered by the request.
    if (request.trigger === "invoked") await raceAbort(workspace.settled(), signal).catch(() => undefined);
    return this.#request(workspace, request, signal);
  }

  /**
   * Requests a next edit that only inserts behind the cursor in its line, from what is known or
   * found at once. Does not wait for the workspace: returns `undefined` until it is open, and opens
   * it in the background once something was edited. A failure of this is reported by the next call
   * of {@link suggest}.
   */
  async suggestAsGhostText(
    request: Omit<NextEditRequest, "shape">,
    { signal }: { readonly signal?: AbortSignal } = {},
  ): Promise<NextEditOutcome | undefined> {
    if (this.#workspace === undefined) {
      // The edits are complete only after all earlier notifications. If the workspace cannot be
      // opened, the next request of `suggest` reports why.
      if (this.#earlier.length > 0) this.#opened().catch(() => undefined);
      return undefined;
    }
    await this.#queue.settled();
    return this.#request(this.#workspace, { ...request, shape: "ghost-text" }, signal);
  }

  /**
   * Passes what happened to a suggestion to the engine, and to the recorder where the session is
   * recorded, after all earlier notifications, such as the edits that it caused. An engine that has
   * been replaced since gets nothing.
   */
  notify(suggestion: NextEditSuggestion, event: NextEditEvent): void {
    const { id } = suggestion;
    void this.#enqueue(async () => {
      const recorder = this.#recording?.recorder;
      const engine = this.#workspace?.engine;
      if (event.kind === "accepted") engine?.accepted(id, event.part);
      else engine?.[event.kind](id);
      // Not every client notifies when it shows a suggestion, so an accepted one counts as shown.
      recorder?.shown(suggestion);
      if (event.kind === "accepted") recorder?.accepted(id, event.part);
      else if (event.kind === "rejected") recorder?.rejected(id);
    });
  }

  /** A suggestion with all further edits of its chain; see `NextEditEngine.whole`. */
  async wholeChain(id: string, options: { readonly signal: AbortSignal }): Promise<WholeChain | undefined> {
    await this.#queue.settled();
    return this.#workspace?.engine.whole(id, options);
  }

  /**
   * Whether the disk has another text at a path than the one that a suggestion was made for. The
   * file is then read again, so that the next suggestion is for its present text.
   */
  async isChangedOnDisk(path: string, text: string): Promise<boolean> {
    const { root, host } = this.#options;
    if (root === undefined || (await isSavedText(root, { path, text }, host.fileSystem))) return false;
    this.#workspace?.readAgain(path);
    return true;
  }

  /**
   * The types of a script, which next edits and ghost text share; `undefined` where they cannot be
   * known. Opens workspace and type checker where they are not open, which may take seconds.
   * Rejects where the workspace cannot be opened or is closed.
   */
  async typesFor(path: string): Promise<TypeCheckCache | undefined> {
    return (await this.#opened()).typesFor(path);
  }

  /** Takes the text of an opened document; for a file, it replaces that of the disk. */
  opened(place: DocumentPlace, text: string): void {
    if (!place.isFile) return;
    this.#rememberJudgedAs(place);
    this.#enqueue(async () => {
      await this.#options.rules.prepare(place.judgedAs);
      this.#workspace?.open(place.path, text);
      this.#recording?.recorder.opened(place.path, text);
      this.#show();
    });
  }

  /** Records an edit of a document with the text `before`. */
  edited(place: DocumentPlace, before: string, edit: Edit): void {
    if (!place.isFile || edit.isEmpty) return;
    this.#rememberJudgedAs(place);
    const { path } = place;
    this.#enqueue(async () => {
      await this.#options.rules.prepare(place.judgedAs);
      this.#recording?.recorder.changed(path, before, edit);
      if (this.#workspace !== undefined) return this.#workspace.change(path, before, edit);
      const isSecret = holdsPrivateKey(before) || holdsPrivateKey(edit.apply(before));
      if (isSecret) this.#earlier = this.#earlier.filter((one) => one.path !== path);
      else if (this.#options.rules.verdict(place.judgedAs).kind === "allowed")
        this.#earlier = withinLimits([...this.#earlier, { path, before, edit }]);
      return undefined;
    });
  }

  /** Forgets a closed document. Edits in it from before the first request are lost. */
  closed({ path, isFile }: DocumentPlace): void {
    if (!isFile) return;
    this.#enqueue(async () => {
      this.#earlier = this.#earlier.filter((one) => one.path !== path);
      this.#workspace?.close(path);
      this.#recording?.recorder.closed(path);
      this.#show();
    });
  }

  /** Notes that another document is viewed. */
  focused(): void {
    this.#enqueue(async () => this.#show());
  }

  /** Takes files that came, changed or went on the disk. */
  changedOnDisk(paths: readonly string[]): void {
    this.#enqueue(async () => this.#workspace?.changedOnDisk(paths));
  }

  /** Reads the access rules again, since ignore files may have changed. */
  rulesChanged(): void {
    this.#enqueue(async () => {
      const open = this.#openFiles();
      for (const { judgedAs } of open) await this.#options.rules.prepare(judgedAs);
      this.#workspace?.rulesChanged(new Map(open.map(({ path, text }) => [path, text])));
    });
  }

  /** Loads the settings again, since they may have changed. */
  reconfigure(): void {
    this.#enqueue(async () => {
      if (this.#workspace === undefined) return;
      const settings = await this.#load();
      const isSame = settings.key === this.#settings?.key;
      const unused = isSame ? settings : this.#settings;
      if (!isSame) {
        this.#settings = settings;
        this.#workspace.choose(settings);
      }
      unused?.[Symbol.dispose]();
    });
  }

  /** Resolves when all current work is done. */
  async settled(): Promise<void> {
    await this.#queue.settled();
    await this.#workspace?.settled();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isClosed = true;
    await this.#queue.settled();
    await this.#workspace?.[Symbol.asyncDispose]();
    await this.#recording?.[Symbol.asyncDispose]();
    this.#settings?.[Symbol.dispose]();
  }

  async #request(
    workspace: NextEditWorkspace,
    request: NextEditRequest,
    signal: AbortSignal | undefined,
  ): Promise<NextEditOutcome> {
    this.#recording?.recorder.cursor(request.path, request.offset);
    // A document with an edit or a request counts as viewed.
    this.#show();
    return workspace.suggest(request, signal === undefined ? {} : { signal });
  }

  async #opened(): Promise<NextEditWorkspace> {
    let failure: unknown;
    this.#enqueue(async () => {
      try {
        this.#workspace ??= await this.#open();
      } catch (error) {
        failure = error;
      }
    });
    await this.#queue.settled();
    if (this.#workspace === undefined) throw failure ?? new Error("the workspace is closed");
    return this.#workspace;
  }

  async #open(): Promise<NextEditWorkspace | undefined> {
    if (this.#isClosed) return undefined;
    const { host, root, rules, texts, opened, onProblem } = this.#options;
    const { fileSystem, clock, syntax } = host;
    this.#settings = await this.#load();
    const open = this.#openFiles();
    for (const place of open) {
      this.#rememberJudgedAs(place);
      await rules.prepare(place.judgedAs);
    }
    const { settings, model } = this.#settings;
    // Loaded here because it takes a while, and most sessions never need it, nor commands that only
    // complete.
    const { NextEditWorkspace } = await import("../../next/node/index.ts");
    const workspace = new NextEditWorkspace({
      ...host.nextEdits,
      ...{ root, fileSystem, clock, syntax, settings, texts, opened },
      ...(model && { model }),
      access: (path) => rules.verdict(this.judgedAs(path)),
      follower: this.#recordedDisk(),
      newId: () => this.#options.newId(),
      yieldThread: () => host.yieldThread(),
      onProblem,
    });
    workspace.ready.catch((error: Error) =>
      onProblem(`Next edits use only the open files of ${root}: ${error.message}`),
    );
    for (const { path, text } of open) workspace.open(path, text);
    workspace.show(open.map(({ path }) => path));
    await this.#record();
    for (const { path, before, edit } of await this.#unsavedEdits(open)) {
      workspace.engine.changed(path, before, edit);
      workspace.wasAt(path, edit);
    }
    for (const { path, before, edit } of this.#earlier) {
      workspace.engine.changed(path, before, edit);
      workspace.wasAt(path, edit);
      this.#recording?.recorder.changed(path, before, edit);
    }
    this.#earlier = [];
    for (const { path, text } of open) this.#recording?.recorder.opened(path, text);
    return workspace;
  }

  /**
   * What was edited in open documents before the server received them, such as while it was
   * started: the differences of their texts then from the disk. There are none where the disk has a
   * text that the document had since, because it was saved.
   */
  async #unsavedEdits(open: readonly OpenDocumentFile[]): Promise<readonly EarlierEdit[]> {
    const { root, rules, host } = this.#options;
    if (root === undefined) return [];
    const found: EarlierEdit[] = [];
    for (const { path, judgedAs, isUnsaved, text } of open) {
      const known = this.#earlier.filter((one) => one.path === path);
      if (isUnsaved || known.length >= maxEarlierEdits || rules.verdict(judgedAs).kind !== "allowed") continue;
      const saved = await readSource(root, path, host);
      if (saved.kind === "skipped" || holdsPrivateKey(saved.text) || holdsPrivateKey(text)) continue;
      const received = known[0]?.before ?? text;
      const since = [received, ...known.map(({ before, edit }) => edit.apply(before))];
      const isWhiteSpace = saved.text.trim() === received.trim();
      if (isWhiteSpace || since.includes(saved.text)) continue;
      found.push({ path, before: saved.text, edit: minimalEdit(saved.text, received) });
    }
    return found;
  }

  /** Passes changes of files on the disk to the recording. */
  #recordedDisk(): DiskFollower {
    const recorder = () => this.#recording?.recorder;
    return {
      changed: (path, before, edit) => recorder()?.changed(path, before, edit),
      renamed: (path, newPath) => recorder()?.renamed(path, newPath),
      replaced: (path, text) => recorder()?.replaced(path, text),
      removed: (path) => recorder()?.removed(path),
      came: () => undefined,
    };
  }

  /** Starts a recording where the settings name a path. */
  async #record(): Promise<void> {
    const { root, rules, host, onProblem } = this.#options;
    const { recordTo: path = "", secrets = [] } = this.#settings ?? {};
    if (path === "" || root === undefined || this.#recording !== undefined) return;
    const mayRecord = (one: string) => rules.verdict(this.judgedAs(one)).kind === "allowed";
    this.#recording = await tryOpenRecording({ root, path, clock: host.clock, secrets, mayRecord, onProblem });
  }

  async #load(): Promise<NextEditSessionSettings> {
    const settings = await this.#options.loadSettings();
    for (const issue of settings.modelIssues) this.#options.onProblem(issue);
    return settings;
  }

  #openFiles(): readonly OpenDocumentFile[] {
    return this.#options.openFiles().filter(({ isFile }) => isFile);
  }

  #rememberJudgedAs({ path, judgedAs }: DocumentPlace): void {
    if (judgedAs === path) this.#judgedAs.delete(path);
    else this.#judgedAs.set(path, judgedAs);
  }

  #show(): void {
    this.#workspace?.show(this.#openFiles().map(({ path }) => path));
  }

  #enqueue(work: () => Promise<void> | undefined): Promise<void> {
    return this.#queue.run(work).catch((error: unknown) => {
      const detail = errorMessage(error);
      this.#options.onProblem(`Next edits may miss a change: ${detail}`);
    });
  }
}

/** An edit from before the first request. */
interface EarlierEdit {
  readonly path: string;
  readonly before: string;
  readonly edit: Edit;
}

/** How much is kept for the first request. */
const maxEarlierEdits = 200;
const maxEarlierCharacters = 20_000_000;

function withinLimits(edits: readonly EarlierEdit[]): readonly EarlierEdit[] {
  let characters = 0;
  let first = edits.length;
  while (first > 0 && edits.length - first < maxEarlierEdits) {
    characters += edits[first - 1]!.before.length;
    if (characters > maxEarlierCharacters) break;
    first -= 1;
  }
  return first === 0 ? edits : edits.slice(first);
}

/** Where a session is recorded. */
export interface RecordingPlace {
  /** The absolute folder of the workspace. */
  readonly root: string;
  /** The file, relative to the root or absolute. */
  readonly path: string;
  readonly clock: Clock;
  /** Configured secrets, which are masked. */
  readonly secrets?: readonly string[];
  mayRecord(path: string): boolean;
  onProblem(message: string): void;
}

/**
 * Opens a new recording, with a number behind its name where the file exists already. Returns
 * `undefined` where none can be written, after a call of `onProblem`; a failure of the disk causes
 * no rejection.
 */
export async function tryOpenRecording({
  root,
  path,
  clock,
  secrets = [],
  mayRecord,
  onProblem,
}: RecordingPlace): Promise<RecordingFile | undefined> {
  // Loaded here, since few sessions are recorded.
  const { RecordingFile } = await import("../../next/node/index.ts");
  const [, name, ending] = /^(.*?)((?:\.edits)?\.json)?$/s.exec(path)!;
  for (let number = 1; number <= maxRecordings; number += 1) {
    const file = number === 1 ? path : `${name}-${number}${ending ?? ""}`;
    try {
      return await RecordingFile.create({
        ...{ path: isAbsolute(file) ? file : joinPath(root, file), secrets, mayRecord, now: () => clock.now() },
        onFailure: (error) => onProblem(`The recording of the session has stopped: ${error.message}`),
      });
    } catch (error) {
      if (!(error instanceof EmendError)) throw error;
      if (error.code === "file-exists") continue;
      onProblem(`The session is not recorded: ${error.message}`);
      return undefined;
    }
  }
  onProblem(`The session is not recorded: there are ${maxRecordings} recordings with the name ${path}. Remove some.`);
  return undefined;
}

const maxRecordings = 1_000;
