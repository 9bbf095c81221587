import type { NextEditOrigin } from "../../src/next/index.ts";
import { Edit, Lines } from "../../src/text/index.ts";
import type { Asker, Suggested } from "./asker.ts";
import type { HunkKind } from "./classify-hunks.ts";
import type { CommitFile, HunkCommit } from "./commit-hunks.ts";
import { FileProgress, type Verdict } from "./file-progress.ts";

/** What was suggested at one state, and what it was worth. */
export interface ReplayStep {
  readonly cpuMs: number;
  /** Absent where nothing was. */
  readonly shown?: {
    readonly origin: NextEditOrigin;
    /** Whether it is an edit, and not only a place. */
    readonly isEdit: boolean;
    /** Of a place without an edit: never `exact`. */
    readonly verdict: Verdict;
    readonly likelihood: number;
  };
}

/** What became of a hunk. */
export interface ReplayHunk {
  readonly path: string;
  readonly kind: HunkKind | undefined;
  /** Whether exact suggestions alone made all of it. */
  readonly isPredicted: boolean;
}

/** A commit gone through hunk by hunk. */
export interface Replay {
  readonly commit: string;
  readonly steps: readonly ReplayStep[];
  readonly hunks: readonly ReplayHunk[];
}

/** The texts that a commit is gone through in: as they are before it, at first. */
export interface ReplayTexts {
  textOf(path: string): string | undefined;
  update(path: string, text: string | undefined): void;
  /** Tells which files are open, the one looked at last first. */
  show(paths: readonly string[]): void;
}

/** What the replay receives of each suggestion. */
export type Watcher = (suggested: Suggested, verdict: Verdict, text: string) => void;

/** What a replay works with. */
export interface ReplayParts {
  readonly asker: Asker;
  readonly texts: ReplayTexts;
  /** Milliseconds of processor time so far, of all that works. */
  readonly cpuMs: () => number;
  readonly watch?: Watcher;
  /**
   * Receives at each state, after the suggestion was requested, a function that finds out what any
   * other would be worth.
   */
  readonly judging?: (verdictOf: (one: Pick<Suggested, "path" | "edit" | "place">) => Verdict) => void;
}

/**
 * Goes through a commit: the first hunk is given, and then, at each state with open hunks, one
 * suggestion is requested.
 *
 * An exact one is accepted; after any other the first open hunk is made, as by the person. `cpuMs`
 * gives the processor time so far.
 */
export async function replayCommit(
  commit: HunkCommit,
  kinds: readonly (HunkKind | undefined)[],
  { asker, texts, cpuMs, watch, judging }: ReplayParts,
): Promise<Replay> {
  const files = commit.files.map((file) => new OpenFile(file, texts, asker));
  const opened: string[] = [];
  const show = (path: string) => {
    const at = opened.indexOf(path);
    if (at >= 0) opened.splice(at, 1);
    opened.unshift(path);
    texts.show(opened);
  };
  for (const path of commit.copies) texts.update(path, undefined);
  for (const file of files) file.begin();

  const steps: ReplayStep[] = [];
  let cursor: { readonly path: string; readonly offset: number } | undefined;
  for (;;) {
    const open = files.find((file) => file.isOpen);
    if (open === undefined) break;
    if (cursor !== undefined) {
      const { step, accepted } = await ask(cursor);
      steps.push(step);
      if (accepted !== undefined) {
        cursor = accepted;
        show(accepted.path);
        continue;
      }
    }
    const offset = open.makeNext();
    // A file that is gone has no cursor.
    if (texts.textOf(open.path) !== undefined) {
      cursor = { path: open.path, offset };
      show(open.path);
    }
  }
  let at = 0;
  const hunks = files.flatMap((file) =>
    file.hunks.map((path, own) => ({ path, kind: kinds[at++], isPredicted: file.predicted.has(own) })),
  );
  return { commit: commit.id, steps, hunks };

  async function ask({ path, offset }: { readonly path: string; readonly offset: number }) {
    const startedMs = cpuMs();
    const suggested = await asker.ask(path, offset);
    const tookMs = cpuMs() - startedMs;
    judging?.((one) => files.find((file) => file.path === one.path)?.judge(one) ?? "wrong");
    if (suggested === undefined) return { step: { cpuMs: tookMs } };
    const file = files.find((one) => one.path === suggested.path);
    const verdict = file?.judge(suggested) ?? "wrong";
    const { origin, likelihood, edit } = suggested;
    const step: ReplayStep = { cpuMs: tookMs, shown: { origin, isEdit: edit !== undefined, verdict, likelihood } };
    watch?.(suggested, verdict, texts.textOf(suggested.path) ?? "");
    if (verdict !== "exact" || edit === undefined || file === undefined) {
      suggested.reject();
      return { step };
    }
    suggested.accept();
    file.accept(edit);
    return { step, accepted: { path: file.path, offset: edit.rangesAfter().at(-1)?.end ?? 0 } };
  }
}

/** A file of the commit together with the workspace that it is in. */
class OpenFile {
  readonly path: string;
  /** The hunks that suggestions made from their first line to their last. */
  readonly predicted = new Set<number>();
  readonly #file: CommitFile;
  readonly #texts: ReplayTexts;
  readonly #asker: Asker;
  /** Absent where the file comes or goes as a whole. */
  readonly #progress: FileProgress | undefined;
  #isWholeDone = false;

  constructor(file: CommitFile, texts: ReplayTexts, asker: Asker) {
    this.path = file.path;
    this.#file = file;
    this.#texts = texts;
    this.#asker = asker;
    const { before, after } = file;
    if (before !== undefined && after !== undefined) this.#progress = new FileProgress(before, after, file.hunks);
  }

  /** The path of each of its hunks. */
  get hunks(): readonly string[] {
    return this.#file.hunks.map(({ path }) => path);
  }

  get isOpen(): boolean {
    return this.#progress === undefined ? !this.#isWholeDone : this.#progress.open.length > 0;
  }

  /** Moves the file, where the commit does. */
  begin(): void {
    const { movedFrom, before, path } = this.#file;
    if (movedFrom !== undefined) {
      this.#texts.update(movedFrom, undefined);
      this.#asker.renamed(movedFrom, path);
    }
    // A text that the workspace does not read otherwise is there as the person has it open.
    if (before !== undefined) this.#texts.update(path, before);
  }

  /** Makes the first open hunk, as a person does, and returns where the cursor is then. */
  makeNext(): number {
    const { before, after } = this.#file;
    if (this.#progress === undefined) {
      this.#isWholeDone = true;
      if (after === undefined) this.#texts.update(this.path, undefined);
      else this.#update("", Edit.insert(0, after), after);
      if (after === undefined && before !== undefined)
        this.#asker.changed(this.path, before, Edit.delete({ start: 0, end: before.length }));
      return after?.length ?? 0;
    }
    const text = this.#progress.text;
    const { edit, end } = this.#progress.make(this.#progress.open[0]!);
    this.#update(text, edit, this.#progress.text);
    return end;
  }

  judge({ edit, place }: Pick<Suggested, "edit" | "place">): Verdict {
    if (this.#progress === undefined) return "wrong";
    if (edit !== undefined) return this.#progress.judge(edit);
    const lines = Lines.of(this.#progress.text);
    return this.#progress.isOpenAt(lines.lineAt(place.start), lines.lineAt(place.end) + 1) ? "place" : "wrong";
  }

  accept(edit: Edit): void {
    const text = this.#progress!.text;
    for (const hunk of this.#progress!.accept(edit)) this.predicted.add(hunk);
    this.#update(text, edit, this.#progress!.text);
  }

  #update(before: string, edit: Edit, after: string): void {
    this.#texts.update(this.path, after);
    this.#asker.changed(this.path, before, edit);
  }
}
