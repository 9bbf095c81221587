import { holdsPrivateKey, type WorkspaceFile } from "../../codebase/index.ts";
import type { Eagerness, NextEditOutcome, NextEditRequest } from "../../next/index.ts";
import type { DiskFollower, NextEditWorkspace, RecordingFile } from "../../next/node/index.ts";
import type { Edit } from "../../text/index.ts";
import type { AccessRules } from "./access-rules.ts";
import type { DocumentPlace, OpenDocumentFile } from "./document-place.ts";
import type { NextEditSessionSettings } from "./next-edit-settings.ts";
import { tryOpenRecording } from "./open-recording.ts";
import type { SessionHost } from "./session-host.ts";
import { SuggestionFates } from "./suggestion-fates.ts";

/** What next edits in a session are made with. */
export interface NextEditsOptions {
  readonly host: Pick<SessionHost, "fileSystem" | "clock" | "syntax" | "nextEdits" | "yieldThread">;
  readonly root: string | undefined;
  readonly rules: AccessRules;
  /** The documents that are open in the editor, the one looked at last first. */
  openFiles(): readonly OpenDocumentFile[];
  /** The files of the disk, where somebody follows them already. */
  files(): ReadonlyMap<string, WorkspaceFile> | undefined;
  loadSettings(): Promise<NextEditSessionSettings>;
  onProblem(message: string): void;
}

/** What was answered, and who is told what becomes of it. */
export interface AnsweredNextEdit {
  readonly outcome: NextEditOutcome;
  readonly fates: SuggestionFates;
}

/**
 * The next edits of a session. Nothing is read before somebody asks for the first one; the latest edits are kept for then.
 *
 * What is told is done in the order in which it is told, and before what is asked later: rules may have to be read in between.
 */
export class NextEdits implements AsyncDisposable {
  readonly #options: NextEditsOptions;
  #earlier: readonly EarlierEdit[] = [];
  #turn: Promise<void> = Promise.resolve();
  #workspace: NextEditWorkspace | undefined;
  #settings: NextEditSessionSettings | undefined;
  #recording: RecordingFile | undefined;
  #fates: SuggestionFates | undefined;
  #isClosed = false;

  constructor(options: NextEditsOptions) {
    this.#options = options;
  }

  /** How many files of the disk are known; `undefined` before somebody asked for a next edit. */
  get size(): number | undefined {
    return this.#workspace?.size;
  }

  /** The text of a file as it is now; `undefined` where it is not known. */
  textOf(path: string): string | undefined {
    return this.#workspace?.files.textOf(path);
  }

  get eagerness(): Eagerness {
    return this.#settings?.settings.eagerness ?? "normal";
  }

  /** What may be edited next, or why nothing is. Whoever asks by key waits until the workspace is read. */
  async suggest(
    request: NextEditRequest,
    { signal }: { readonly signal?: AbortSignal } = {},
  ): Promise<AnsweredNextEdit> {
    const workspace = await this.#opened();
    if (request.trigger === "invoked") await settledOrAborted(workspace, signal);
    return this.#ask(workspace, request, signal);
  }

  /**
   * What adds behind the cursor on its line, of what is known or found at once; `undefined` while nothing can be, and nobody waits then: the workspace is opened
   * in the background as soon as something was edited.
   */
  async suggestAsGhostText(
    request: Omit<NextEditRequest, "shape">,
    { signal }: { readonly signal?: AbortSignal } = {},
  ): Promise<AnsweredNextEdit | undefined> {
    if (this.#workspace === undefined) {
      // The edits are known only after all that was told before. Why it cannot be opened is told whoever asks for next edits.
      if (this.#earlier.length > 0) this.#opened().catch(() => undefined);
      return undefined;
    }
    await this.#turn;
    return this.#ask(this.#workspace, { ...request, shape: "ghost-text" }, signal);
  }

  /** A document was opened; a file's text is the editor's from now on. */
  opened(place: DocumentPlace, text: string): void {
    if (!place.isFile) return;
    this.#inTurn(async () => {
      await this.#options.rules.prepare(place.judgedAs);
      this.#workspace?.open(place.path, text);
      this.#recording?.recorder.opened(place.path, text);
      this.#show();
    });
  }

  /** The person edited a document, whose text was `before`. */
  edited(place: DocumentPlace, before: string, edit: Edit): void {
    if (!place.isFile || edit.isEmpty) return;
    const { path } = place;
    this.#inTurn(async () => {
      await this.#options.rules.prepare(place.judgedAs);
      this.#recording?.recorder.changed(path, before, edit);
      if (this.#workspace !== undefined) return this.#workspace.change(path, before, edit);
      const isReadable = this.#options.rules.verdict(path).kind === "allowed" && !holdsPrivateKey(before);
      if (isReadable) this.#earlier = withinLimits([...this.#earlier, { path, before, edit }]);
      return undefined;
    });
  }

  /** A document was closed. What was edited in it before anybody asked for a next edit is forgotten. */
  closed({ path, isFile }: DocumentPlace): void {
    if (!isFile) return;
    this.#inTurn(async () => {
      this.#earlier = this.#earlier.filter((one) => one.path !== path);
      this.#workspace?.close(path);
      this.#recording?.recorder.closed(path);
      this.#show();
    });
  }

  /** The person looks at another document. */
  focused(): void {
    this.#inTurn(async () => this.#show());
  }

  /** Takes up the files there are on the disk now. */
  follow(files: ReadonlyMap<string, WorkspaceFile>): void {
    this.#inTurn(async () => this.#workspace?.follow(files));
  }

  /** Ignore rules may have changed. */
  rulesChanged(): void {
    this.#inTurn(async () => {
      const open = this.#openFiles();
      for (const { judgedAs } of open) await this.#options.rules.prepare(judgedAs);
      this.#workspace?.rulesChanged(new Map(open.map(({ path, text }) => [path, text])));
    });
  }

  /** Settings may have changed. */
  reconfigure(): void {
    this.#inTurn(async () => {
      if (this.#workspace === undefined) return;
      const settings = await this.#load();
      const isSame = settings.key === this.#settings?.key;
      const old = isSame ? settings : this.#settings;
      if (!isSame) {
        this.#settings = settings;
        this.#workspace.choose(settings);
      }
      old?.[Symbol.dispose]();
    });
  }

  /** Resolves when all is done that there is to do now. */
  async settled(): Promise<void> {
    await this.#turn;
    await this.#workspace?.settled();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isClosed = true;
    await this.#turn;
    await this.#workspace?.[Symbol.asyncDispose]();
    await this.#recording?.[Symbol.asyncDispose]();
    this.#settings?.[Symbol.dispose]();
  }

  async #ask(
    workspace: NextEditWorkspace,
    request: NextEditRequest,
    signal: AbortSignal | undefined,
  ): Promise<AnsweredNextEdit> {
    const { engine } = workspace;
    if (this.#fates?.isOf(engine) !== true) {
      this.#fates = new SuggestionFates({
        ...{ engine, recorder: this.#recording?.recorder },
        inTurn: (work) => this.#inTurn(async () => work()),
      });
    }
    const fates = this.#fates;
    this.#recording?.recorder.cursor(request.path, request.offset);
    // Whoever edits or asks in a document looks at it.
    this.#show();
    const outcome = await workspace.suggest(request, signal === undefined ? {} : { signal });
    if (outcome.kind === "offered") fates.offered(outcome.suggestion);
    return { outcome, fates };
  }

  async #opened(): Promise<NextEditWorkspace> {
    let failure: unknown;
    this.#inTurn(async () => {
      try {
        this.#workspace ??= await this.#open();
      } catch (error) {
        failure = error;
      }
    });
    await this.#turn;
    if (this.#workspace === undefined) throw failure ?? new Error("the workspace is closed");
    return this.#workspace;
  }

  async #open(): Promise<NextEditWorkspace | undefined> {
    if (this.#isClosed) return undefined;
    const { host, root, rules, files, onProblem } = this.#options;
    const { fileSystem, clock, syntax } = host;
    this.#settings = await this.#load();
    const open = this.#openFiles();
    for (const { judgedAs } of open) await rules.prepare(judgedAs);
    const { settings, model } = this.#settings;
    // Most sessions, and every command that only completes, never come here, and it takes a while to load.
    const { NextEditWorkspace } = await import("../../next/node/index.ts");
    const workspace = new NextEditWorkspace({
      ...host.nextEdits,
      ...{ root, fileSystem, clock, syntax, settings, files: files() },
      ...(model && { model }),
      access: (path) => rules.verdict(path),
      follower: this.#recordedDisk(),
      yieldThread: () => host.yieldThread(),
      onProblem,
    });
    workspace.ready.catch((error: Error) =>
      onProblem(`Next edits know only what is open in ${root}: ${error.message}`),
    );
    for (const { path, text } of open) workspace.open(path, text);
    workspace.show(open.map(({ path }) => path));
    await this.#record();
    for (const { path, before, edit } of this.#earlier) {
      workspace.engine.changed(path, before, edit);
      workspace.wasAt(path, edit);
      this.#recording?.recorder.changed(path, before, edit);
    }
    this.#earlier = [];
    for (const { path, text } of open) this.#recording?.recorder.opened(path, text);
    return workspace;
  }

  /** What becomes of files on the disk is recorded, too. */
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

  /** Begins to record where the settings say so. */
  async #record(): Promise<void> {
    const { root, rules, host, onProblem } = this.#options;
    const path = this.#settings?.recordTo ?? "";
    if (path === "" || root === undefined || this.#recording !== undefined) return;
    const mayRecord = (one: string) => rules.verdict(one).kind === "allowed";
    this.#recording = await tryOpenRecording({ root, path, clock: host.clock, mayRecord, onProblem });
  }

  async #load(): Promise<NextEditSessionSettings> {
    const settings = await this.#options.loadSettings();
    for (const issue of settings.modelIssues) this.#options.onProblem(issue);
    return settings;
  }

  #openFiles(): readonly OpenDocumentFile[] {
    return this.#options.openFiles().filter(({ isFile }) => isFile);
  }

  #show(): void {
    this.#workspace?.show(this.#openFiles().map(({ path }) => path));
  }

  #inTurn(work: () => Promise<void> | undefined): Promise<void> {
    this.#turn = this.#turn.then(work).catch((error: unknown) => {
      const detail = error instanceof Error ? error.message : String(error);
      this.#options.onProblem(`Next edits may miss what changed: ${detail}`);
    });
    return this.#turn;
  }
}

/** An edit from before anybody asked. */
interface EarlierEdit {
  readonly path: string;
  readonly before: string;
  readonly edit: Edit;
}

/** How much is kept for whoever asks for the first next edit. */
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

async function settledOrAborted(workspace: NextEditWorkspace, signal: AbortSignal | undefined): Promise<void> {
  if (signal === undefined) return workspace.settled();
  let stop!: () => void;
  const aborted = new Promise<void>((resolve) => {
    stop = resolve;
    signal.addEventListener("abort", stop, { once: true });
    if (signal.aborted) resolve();
  });
  await Promise.race([workspace.settled(), aborted]);
  signal.removeEventListener("abort", stop);
}
