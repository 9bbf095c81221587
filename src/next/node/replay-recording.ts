import { rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Clock } from "../../async/index.ts";
import type { Syntax } from "../../syntax/index.ts";
import { invariant, minimalEdit } from "../../text/index.ts";
import { disk, makeFolder } from "../../workspace/node/index.ts";
import type { NextEditOutcome, NextEditSuggestion } from "../engine/outcome.ts";
import type { WorkspaceTexts } from "../engine/text-index.ts";
import { type Agreement, agreementOf } from "../recording/agreement.ts";
import { RecordedTexts } from "../recording/recorded-texts.ts";
import type { RecordedEvent, Recording } from "../recording/recording.ts";
import { ReplayClock } from "../recording/replay-clock.ts";
import { type NextEditChoice, NextEditWorkspace } from "./next-edit-workspace.ts";

/** Options of {@link replayRecording}. */
export interface ReplayOptions extends NextEditChoice {
  /**
   * An empty folder for the files of the recording, absolute, links resolved. Its owner removes it.
   */
  readonly folder: string;
  readonly syntax: Syntax;
  readonly clock: Clock;
  readonly signal?: AbortSignal | undefined;
  /** Receives a problem that does not stop the replay, in one line. */
  onProblem?(message: string): void;
}

/** The outcome after an edit of a recording. */
export interface ReplayStep {
  /** The edit's index in the recording, from 0. */
  readonly index: number;
  readonly atMs: number;
  readonly path: string;
  readonly offset: number;
  /** What the engine suggests now. */
  readonly outcome: NextEditOutcome;
  /** How far that agrees with the later edits; only where something is suggested. */
  readonly agreement?: Agreement;
  readonly tookMs: number;
  /** The present texts. */
  readonly files: WorkspaceTexts;
}

/**
 * Replays a recording through the engine as an editor would report it, with its files written to
 * `options.folder`, and yields what is suggested after each edit. Of edits of one file that follow
 * each other within 100 ms only the last gets a request, as other outcomes would never be seen. The
 * clock is the recording's. A suggestion that was accepted or rejected in the recording is reported
 * so where the same one is suggested now.
 *
 * Files that the recording opens without `isNew` exist from the beginning. Rejects with the
 * signal's reason when it is aborted, and with the disk's error where a file cannot be written.
 */
export async function* replayRecording(
  { events }: Recording,
  options: ReplayOptions,
): AsyncGenerator<ReplayStep, void> {
  const { folder, syntax, settings, model, signal } = options;
  const clock = new ReplayClock(options.clock);
  for (const [path, text] of textsAtFirst(events)) await write(join(folder, path), text);
  const workspace = new NextEditWorkspace({
    ...{ root: folder, fileSystem: disk, clock, syntax },
    // The user does not type while a request runs.
    settings: { ...settings, debounceMs: 0 },
    ...(model && { model }),
    yieldThread: () => new Promise((resolve) => setImmediate(resolve)),
    onProblem: (message) => options.onProblem?.(message),
  });
  try {
    await workspace.settled();
    const session = new ReplayedSession(workspace, folder);
    for (const [index, event] of events.entries()) {
      signal?.throwIfAborted();
      clock.leapTo(event.atMs);
      await session.take(event);
      if (event.kind !== "changed" || isTypedOn(events, index)) continue;
      const { path } = event;
      const offset = cursorAfter(events, index, event.edit.rangesAfter().at(-1)?.end ?? 0);
      const text = session.textOf(path);
      const uri = pathToFileURL(join(folder, path)).href;
      const document = { uri, language: workspace.files.languageOf(path), version: event.version, text };
      // A replay leaps over the time in which an editor builds the dependency graph.
      await workspace.settled({ dependencies: true });
      const startedMs = options.clock.now();
      const outcome = await workspace.suggest(
        { document, path, offset: Math.min(offset, text.length), trigger: "automatic" },
        { signal },
      );
      const tookMs = options.clock.now() - startedMs;
      signal?.throwIfAborted();
      if (outcome.kind === "offered") session.offered(outcome.suggestion);
      yield {
        ...{ index, atMs: event.atMs, path, offset, outcome, tookMs, files: workspace.files },
        ...(outcome.kind === "offered" && {
          agreement: agreementOf(outcome.suggestion, eventsFrom(events, index + 1)),
        }),
      };
    }
  } finally {
    await workspace[Symbol.asyncDispose]();
  }
}

/** Edits of one file that follow each other more quickly than this are typing, in milliseconds. */
export const typingMs = 100;

/** The texts of the files that existed from the beginning. */
function textsAtFirst(events: readonly RecordedEvent[]): ReadonlyMap<string, string> {
  const texts = new Map<string, string>();
  const known = new Set<string>();
  for (const event of events) {
    if (event.kind === "renamed") known.add(event.newPath);
    if (event.kind !== "opened" || known.has(event.path)) continue;
    known.add(event.path);
    if (event.isNew !== true && event.text !== undefined) texts.set(event.path, event.text);
  }
  return texts;
}

function* eventsFrom(events: readonly RecordedEvent[], first: number): Generator<RecordedEvent> {
  for (let index = first; index < events.length; index += 1) yield events[index]!;
}

/** Whether the same file is edited again within {@link typingMs}. */
function isTypedOn(events: readonly RecordedEvent[], index: number): boolean {
  const event = events[index]!;
  const next = events.slice(index + 1, index + 4).find(({ kind }) => kind !== "cursor");
  return (
    event.kind === "changed" &&
    next?.kind === "changed" &&
    next.path === event.path &&
    next.atMs - event.atMs < typingMs
  );
}

/** The offset of the cursor after an edit, as far as it was recorded. */
function cursorAfter(events: readonly RecordedEvent[], index: number, otherwise: number): number {
  const event = events[index]!;
  const next = events[index + 1];
  const isOfEdit = event.kind === "changed" && next?.kind === "cursor" && next.path === event.path;
  return isOfEdit && next.atMs - event.atMs < typingMs ? next.offset : otherwise;
}

/** Replays events in a workspace. */
class ReplayedSession {
  readonly #workspace: NextEditWorkspace;
  readonly #folder: string;
  readonly #texts = new RecordedTexts();
  /** The open documents, the most recently viewed first. */
  #open: readonly string[] = [];
  #offer: NextEditSuggestion | undefined;
  /** By id in the recording, the id of the same suggestion now. */
  readonly #idNow = new Map<string, string>();

  constructor(workspace: NextEditWorkspace, folder: string) {
    this.#workspace = workspace;
    this.#folder = folder;
  }

  textOf(path: string): string {
    return this.#texts.files.get(path)?.text ?? "";
  }

  offered(suggestion: NextEditSuggestion): void {
    this.#offer = suggestion;
    this.#workspace.engine.shown(suggestion.id);
  }

  async take(event: RecordedEvent): Promise<void> {
    const before = "path" in event && event.path !== undefined ? this.#texts.files.get(event.path)?.text : undefined;
    const problem = this.#texts.tryTake(event);
    invariant(problem === undefined, () => `A recording that was read should be possible: ${problem}`);
    const { engine } = this.#workspace;
    switch (event.kind) {
      case "opened":
        this.#look(event.path, this.textOf(event.path));
        if (before !== undefined && event.text !== undefined && event.text !== before) engine.replaced(event.path);
        return;
      case "changed":
        this.#look(event.path, before ?? "");
        this.#workspace.change(event.path, before ?? "", event.edit);
        return;
      case "cursor":
        this.#show(event.path);
        return;
      case "shown":
        if (this.#isOffered(event)) this.#idNow.set(event.id, this.#offer!.id);
        return;
      case "accepted":
        this.#reportNow(event.id, (id) => engine.accepted(id, event.part?.edits));
        return;
      case "rejected":
        this.#reportNow(event.id, (id) => engine.rejected(id));
        return;
      case "renamed":
        engine.renamed(event.path, event.newPath);
        await this.#leave(event.path, undefined);
        this.#look(event.newPath, this.textOf(event.newPath));
        return;
      case "closed":
        await this.#leave(event.path, this.textOf(event.path));
        return;
      case "replaced":
        if (event.path === undefined) engine.replaced();
        else {
          this.#look(event.path, before ?? "");
          this.#workspace.change(event.path, before ?? "", minimalEdit(before ?? "", this.textOf(event.path)));
          engine.replaced(event.path);
        }
        return;
      case "removed":
        await this.#leave(event.path, undefined);
        return;
    }
  }

  /** Opens a file with this text, and makes it the most recently viewed. */
  #look(path: string, text: string): void {
    if (!this.#open.includes(path) || this.#workspace.files.textOf(path) !== text) this.#workspace.open(path, text);
    this.#show(path);
  }

  #show(path: string): void {
    this.#open = [path, ...this.#open.filter((other) => other !== path)];
    this.#workspace.show(this.#open);
  }

  /** Closes a file: it has its text on disk, or is removed. */
  async #leave(path: string, text: string | undefined): Promise<void> {
    const onDisk = join(this.#folder, path);
    if (text === undefined) await rm(onDisk, { force: true });
    else await write(onDisk, text);
    if (!this.#open.includes(path)) this.#workspace.open(path, text ?? "");
    this.#workspace.close(path);
    this.#open = this.#open.filter((other) => other !== path);
    await this.#workspace.settled();
    this.#workspace.show(this.#open);
  }

  #isOffered({ path, edit }: Extract<RecordedEvent, { kind: "shown" }>): boolean {
    const offer = this.#offer;
    if (offer?.path !== path || offer.text !== this.textOf(path)) return false;
    return (edit?.apply(offer.text) ?? offer.text) === (offer.edit?.apply(offer.text) ?? offer.text);
  }

  #reportNow(id: string, report: (id: string) => void): void {
    const now = this.#idNow.get(id);
    if (now !== undefined) report(now);
  }
}

async function write(path: string, text: string): Promise<void> {
  await makeFolder(dirname(path));
  await writeFile(path, text);
}
