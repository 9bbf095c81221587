import { type Clock, SerialQueue } from "../../async/index.ts";
import { type AccessRules, type FileSystem, readSource } from "../../workspace/index.ts";

/** How the uncommitted changes are read. */
export interface UncommittedOptions {
  readonly clock: Clock;
  /** The difference to the last commit, as a unified diff; `undefined` where git gives none. */
  readDiff(signal: AbortSignal): Promise<string | undefined>;
  /** Whether the file at `path`, from the workspace's root, may be read. */
  isReadable(path: string): Promise<boolean>;
}

/** The milliseconds without a change on the disk before git is run again. */
const quietMs = 1_000;

/** The longest useful diff, in UTF-16 code units. */
const maxCharacters = 100_000;

/** The uncommitted changes of a workspace, kept up to date in the background. Never rejects. */
export class Uncommitted implements Disposable {
  readonly #options: UncommittedOptions;
  readonly #stopping = new AbortController();
  #timer: Disposable | undefined;
  #reads = new SerialQueue();
  #diff = "";
  /** How often the rules have changed: a diff that was judged by older rules is dropped. */
  #changesOfRules = 0;

  constructor(options: UncommittedOptions) {
    this.#options = options;
    this.#read();
  }

  /** The latest diff, without the files that may not be read; empty where there is none. */
  get diff(): string {
    return this.#diff;
  }

  /** Notes that something has changed on the disk. */
  touch(): void {
    this.#timer?.[Symbol.dispose]();
    this.#timer = this.#options.clock.after(quietMs, () => this.#read());
  }

  /** Empties the diff, because the access rules have changed, until git has been run again. */
  forget(): void {
    this.#changesOfRules += 1;
    this.#diff = "";
    this.touch();
  }

  /** Resolves when the requested diffs are read. */
  settled(): Promise<void> {
    return this.#reads.settled();
  }

  [Symbol.dispose](): void {
    this.#timer?.[Symbol.dispose]();
    this.#stopping.abort(new Error("the workspace is closed"));
  }

  #read(): void {
    void this.#reads.run(async () => {
      const { signal } = this.#stopping;
      if (signal.aborted) return;
      const changes = this.#changesOfRules;
      try {
        const diff = await this.#readable((await this.#options.readDiff(signal)) ?? "");
        if (changes === this.#changesOfRules) this.#diff = diff;
      } catch {
        // The workspace is closed, or git cannot be run: then there is no diff.
        this.#diff = "";
      }
    });
  }

  /** The diff without the files that may not be read. */
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

/** The paths of the file that a part of a diff changes, before and after. */
function pathsIn(part: string): string[] {
  const head = part.slice(0, Math.max(0, part.indexOf("\n@@ ")));
  const names = [...head.matchAll(/^(?:---|\+\+\+) "?[ab]\/([^\t\n]*?)"?\t?$/gm)].map(([, name]) => name!);
  return [...new Set(names)];
}

/** Where the changed files are. */
export interface ChangedFilesOptions {
  readonly rules: Pick<AccessRules, "prepare" | "verdict">;
  readonly fileSystem: FileSystem;
  /** The absolute folder of the workspace, links resolved. */
  readonly root: string;
}

/** Larger files are not searched for keys, so their changes are not shown; in bytes. */
const maxBytes = 20_000_000;

/**
 * Whether the changes of the file at `path`, from the workspace's root, may be shown to a model:
 * not if the file is secret by its name, by an ignore file or by its content, even where the
 * changed lines contain no secret, or if it is too large to be judged. A deleted file has no
 * content to judge by. Rejects as {@link AccessRules.prepare} does.
 */
export async function mayShowChanges(path: string, { rules, fileSystem, root }: ChangedFilesOptions): Promise<boolean> {
  await rules.prepare(path);
  if (rules.verdict(path).kind !== "allowed") return false;
  const answer = await readSource(root, path, { fileSystem, unknownLanguages: "keep", maxBytes });
  return answer.kind === "source" || (answer.reason.kind !== "secret" && answer.reason.kind !== "oversized");
}
