import type { Clock } from "../../codebase/index.ts";

/** Who is asked, and when. */
export interface UncommittedOptions {
  readonly clock: Clock;
  /** What differs from the last commit, as a unified diff; `undefined` where there is no answer. */
  readDiff(signal: AbortSignal): Promise<string | undefined>;
  /** Whether the file at `path`, from the workspace's root, may be looked at. */
  isReadable(path: string): Promise<boolean>;
}

/** The disk has to be quiet for so long before git is asked again. */
const quietMs = 1_000;

/** More than this of a diff is of no use to anybody, in UTF-16 units. */
const maxCharacters = 100_000;

/** What has changed in a workspace since the last commit, kept up to date in the background. Nothing here rejects. */
export class Uncommitted implements Disposable {
  readonly #options: UncommittedOptions;
  readonly #stopping = new AbortController();
  #timer: Disposable | undefined;
  #work: Promise<void> = Promise.resolve();
  #diff = "";
  /** How often the rules have changed: what was judged by older ones is not told. */
  #changesOfRules = 0;

  constructor(options: UncommittedOptions) {
    this.#options = options;
    this.#read();
  }

  /** The diff as it was last, without the files that may not be looked at; empty where there is none. */
  get diff(): string {
    return this.#diff;
  }

  /** Something has changed on the disk. */
  touch(): void {
    this.#timer?.[Symbol.dispose]();
    this.#timer = this.#options.clock.after(quietMs, () => this.#read());
  }

  /** The rules of what may be looked at have changed: nothing is told until git has been asked again. */
  forget(): void {
    this.#changesOfRules += 1;
    this.#diff = "";
    this.touch();
  }

  /** Resolves when what was asked for has been answered. */
  settled(): Promise<void> {
    return this.#work;
  }

  [Symbol.dispose](): void {
    this.#timer?.[Symbol.dispose]();
    this.#stopping.abort(new Error("the workspace is closed"));
  }

  #read(): void {
    this.#work = this.#work.then(async () => {
      const { signal } = this.#stopping;
      if (signal.aborted) return;
      const changes = this.#changesOfRules;
      try {
        const diff = await this.#readable((await this.#options.readDiff(signal)) ?? "");
        if (changes === this.#changesOfRules) this.#diff = diff;
      } catch {
        // Whoever closes the workspace, or a git that cannot be run, leaves nothing to tell.
        this.#diff = "";
      }
    });
  }

  /** The diff without the files that may not be looked at. */
  async #readable(diff: string): Promise<string> {
    const kept: string[] = [];
    let length = 0;
    for (const part of diff.split(/^(?=diff --git )/m)) {
      const paths = pathsIn(part);
      if (paths.length === 0 || length + part.length > maxCharacters) continue;
      const verdicts = await Promise.all(paths.map((path) => this.#options.isReadable(path)));
      if (verdicts.includes(false)) continue;
      kept.push(part);
      length += part.length;
    }
    return kept.join("");
  }
}

/** The names of the file that a part of a diff is about, before and after. */
function pathsIn(part: string): string[] {
  const head = part.slice(0, Math.max(0, part.indexOf("\n@@ ")));
  const names = [...head.matchAll(/^(?:---|\+\+\+) "?[ab]\/([^\t\n]*?)"?\t?$/gm)].map(([, name]) => name!);
  return [...new Set(names)];
}
