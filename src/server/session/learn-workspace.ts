import { setImmediate } from "node:timers/promises";
import {
  type FileSystem,
  FileSystemError,
  folderOf,
  joinPath,
  readSources,
  type SkippedPath,
  type SkipReason,
  type SourceAnswer,
  type WorkspaceFile,
  walkWorkspace,
} from "../../codebase/index.ts";
import { BuiltinModel, fromSnapshot, toSnapshot } from "../../model/index.ts";
import {
  type CacheAnswer,
  contentHash,
  type IndexCache,
  type KeptIndex,
  type SaveAnswer,
  type SeenFile,
  stampOf,
} from "../../model/node/index.ts";
import { EmendError } from "../../text/index.ts";
import { findDependencyTypes, type ImportedModule, importedModules, importingLanguages } from "./dependency-types.ts";

/** What is to be learnt, and where it is kept. */
export interface LearnOptions {
  /** The absolute folder of the workspace, links resolved. */
  readonly root: string;
  readonly fileSystem: FileSystem;
  /** Nothing is kept without one. */
  readonly cache?: IndexCache | undefined;
  /** The file that is asked about: what lies near it is learnt first, and what it imports. */
  readonly open?: { readonly path: string; readonly language: string; readonly text: string } | undefined;
  /** After this time learning stops where it is, and goes on the next time; never unless told. */
  readonly budgetMs?: number | undefined;
  /** The most bytes of declaration files of dependencies. */
  readonly maxDependencyBytes: number;
  readonly signal: AbortSignal;
  /** Milliseconds since some fixed moment. */
  now(): number;
  /**
   * Is awaited before each piece of work, with how many characters it has; it decides how much of the thread learning
   * takes. With it the model may be asked at any time. Unless told, others have their turn after 10 milliseconds.
   */
  breathe?(nextCharacters: number): Promise<void>;
  /** The model, as soon as there is one: before the first file is learnt, and with all that was kept. */
  onModel?(model: BuiltinModel): void;
  onProgress?(progress: LearnProgress): void;
}

/** How far learning has come. */
export interface LearnProgress {
  readonly phase: "looking" | "learning";
  /** Files found while looking, then those that were read. */
  readonly files: number;
  /** How many are to be read; 0 while looking. */
  readonly totalFiles: number;
  /** Bytes read, and bytes to be read; 0 while looking. */
  readonly bytes: number;
  readonly totalBytes: number;
}

/** What learning a workspace came to. */
export interface LearntWorkspace {
  readonly model: BuiltinModel;
  /** Where the index came from: nowhere, or the cache; and why not from there. */
  readonly cache: "off" | "kept" | "absent" | "other-version" | "broken";
  /** Why the kept index was broken. */
  readonly cacheDetail: string | undefined;
  /** Files learnt now, files known from before, and files forgotten because they are gone or changed their nature. */
  readonly learnt: number;
  readonly known: number;
  readonly forgotten: number;
  /** Whether all there is was learnt. */
  readonly isComplete: boolean;
  /** Files that could be learnt, as far as was looked. */
  readonly files: number;
  readonly skipped: readonly SkippedPath[];
  /** How long this took. */
  readonly tookMs: number;
  /** How long it took to learn all that is known, over all times. */
  readonly learningMs: number;
  /** Which paths are to be read again, as far as size and time of change tell, if these are all the files there are. */
  outdated(files: ReadonlyMap<string, WorkspaceFile>): string[];
  /** Takes up what reading a file again came to: learns it if it has changed, forgets it if it is gone or refused. */
  take(answer: SourceAnswer): Promise<void>;
  /**
   * Keeps the index if enough has changed since it was kept last; `undefined` when it was not worth it. Nothing may be
   * learnt meanwhile. Rejects with the signal's reason.
   */
  save(): Promise<SaveAnswer | undefined>;
}

/** Work between two looks at the event loop, unless the caller paces it. */
const breathMs = 10;

/** A file of more characters is learnt in parts, so that nobody has to wait for all of it. */
const partCharacters = 16_000;

/** What is learnt since the last time is kept only from this share of all on, because writing costs more than learning. */
const worthSaving = { share: 0.03, characters: 30_000, restamped: 100 };

/**
 * Learns a workspace: takes the kept index, forgets what is gone, and learns what is new or changed.
 *
 * A file whose size and time of change are the ones remembered is trusted; any other is read, and learnt again only if
 * its content differs. The walk over the folders goes on while the index is being read. Rejects with a
 * `FileSystemError` when the root cannot be listed, and with the signal's reason.
 */
export async function learnWorkspace(options: LearnOptions): Promise<LearntWorkspace> {
  const { root, fileSystem, cache, open, signal, now } = options;
  const startMs = now();
  const isLate = () => options.budgetMs !== undefined && now() - startMs > options.budgetMs;
  const restoring = cache?.load(root).then(tryRestore);
  // The walk may fail first.
  restoring?.catch(() => undefined);

  const found = await look(options, isLate);
  const restored = await restoring;
  signal.throwIfAborted();
  const kept = restored?.kind === "kept" ? restored : undefined;

  const seen = new Map((kept?.index.files ?? []).map((file) => [file.path, file]));
  const totalBytes = found.files.reduce((sum, { size }) => sum + size, 0);
  const model = kept?.model ?? new BuiltinModel({ expectedCharacters: Math.max(100_000, totalBytes) });
  options.onModel?.(model);
  const work = new Learning(model, seen, options);

  const dependencies = await work.checkDependencies(open === undefined ? [] : modulesOf(open));
  const wanted = found.files.filter((file) => !work.trusts(file));
  if (found.isComplete) {
    const present = new Set(found.files.map(({ path }) => path));
    for (const path of [...seen.keys()]) {
      if (!present.has(path) && !isDependency(path)) work.forget(path);
    }
  }

  const queue = [...dependencies, ...wanted.map(({ path }) => path)];
  const sizes = new Map(wanted.map(({ path, size }) => [path, size]));
  const queuedBytes = wanted.reduce((sum, { size }) => sum + size, 0);
  let isComplete = found.isComplete;
  let done = 0;
  let bytes = 0;
  for await (const answer of readSources(root, queue, { fileSystem, signal, unknownLanguages: "skip" })) {
    await work.take(answer);
    done += 1;
    bytes += sizes.get(answer.path) ?? 0;
    options.onProgress?.({ phase: "learning", files: done, totalFiles: queue.length, bytes, totalBytes: queuedBytes });
    if (done < queue.length && isLate()) {
      isComplete = false;
      break;
    }
  }
  // What everyone imports is learnt when there is all the time in the world.
  if (open === undefined && isComplete) await work.learnDependencies();

  const tookMs = now() - startMs;
  const learningMs = () => (kept?.index.learningMs ?? 0) + work.learningMs;
  let isKept = kept !== undefined && (!isComplete || kept.index.isComplete);
  return {
    model,
    cache: restored?.kind ?? "off",
    cacheDetail: restored?.kind === "broken" ? restored.detail : undefined,
    learnt: work.learnt,
    known: model.knowledge.files.size - work.learnt,
    forgotten: work.forgotten,
    isComplete,
    files: found.files.length,
    skipped: [...found.skipped, ...skippedByReading(seen)],
    tookMs,
    learningMs: learningMs(),
    outdated(files) {
      const changed = [...files.values()].filter((file) => !work.trusts(file)).map(({ path }) => path);
      const gone = [...seen.keys()].filter((path) => !files.has(path) && !isDependency(path));
      return [...changed, ...gone];
    },
    take: (answer) => work.take(answer),
    async save() {
      const { characters } = model.knowledge;
      const isWorth =
        work.changedCharacters > Math.max(worthSaving.characters, characters * worthSaving.share) ||
        work.restamped > worthSaving.restamped ||
        (!isKept && characters > 0);
      if (cache === undefined || !isWorth) return undefined;
      await options.breathe?.(Number.POSITIVE_INFINITY);
      const record = {
        ...{ files: [...seen.values()], statistics: model.statistics },
        ...{ learningMs: learningMs(), isComplete },
      };
      const snapshot = toSnapshot(model.knowledge);
      // A question hides the file that it is about for as long as it takes, which must not be what is kept.
      const tables = options.breathe === undefined ? snapshot.tables : await copied(snapshot.tables, options.breathe);
      const answer = await cache.save(root, record, { ...snapshot, tables }, { signal });
      isKept = true;
      work.changedCharacters = 0;
      work.restamped = 0;
      return answer;
    },
  };
}

/** Copies of tables, one at a time. */
async function copied(
  tables: readonly Uint8Array[],
  breathe: (bytes: number) => Promise<void>,
): Promise<readonly Uint8Array[]> {
  const copies: Uint8Array[] = [];
  for (const table of tables) {
    await breathe(0);
    copies.push(table.slice());
  }
  return copies;
}

/** The grouping key and message of files that a kept index remembers as refused. */
export function skippedByReading(seen: ReadonlyMap<string, SeenFile>): SkippedPath[] {
  const skipped: SkippedPath[] = [];
  for (const { path, refused } of seen.values()) {
    if (refused !== undefined) skipped.push({ kind: "skipped", path, reason: JSON.parse(refused) as SkipReason });
  }
  return skipped;
}

/** Whether a path lies in the dependencies, which no walk enters. */
export function isDependency(path: string): boolean {
  return /(^|\/)node_modules\//.test(path);
}

interface Found {
  readonly files: readonly WorkspaceFile[];
  readonly skipped: readonly SkippedPath[];
  readonly isComplete: boolean;
}

/** Lists what may be learnt. Stops early when time runs out. */
async function look(
  { root, fileSystem, open, signal, onProgress }: LearnOptions,
  isLate: () => boolean,
): Promise<Found> {
  const files: WorkspaceFile[] = [];
  const skipped: SkippedPath[] = [];
  for await (const item of walkWorkspace(root, { fileSystem, focus: open?.path, signal })) {
    if (item.kind === "skipped") skipped.push(item);
    else {
      files.push(item);
      if (files.length % 64 === 0) {
        onProgress?.({ phase: "looking", files: files.length, totalFiles: 0, bytes: 0, totalBytes: 0 });
        if (isLate()) return { files, skipped, isComplete: false };
      }
    }
  }
  return { files, skipped, isComplete: true };
}

type Restored =
  | { readonly kind: "kept"; readonly model: BuiltinModel; readonly index: KeptIndex }
  | Exclude<CacheAnswer<KeptIndex>, { kind: "kept" }>;

function tryRestore(answer: CacheAnswer<KeptIndex>): Restored {
  if (answer.kind !== "kept") return answer;
  const index = answer.value;
  try {
    const knowledge = fromSnapshot(index.snapshot);
    return { kind: "kept", model: new BuiltinModel({ knowledge }), index };
  } catch (error) {
    if (!(error instanceof EmendError)) throw error;
    return { kind: "broken", detail: error.message };
  }
}

function modulesOf({ path, language, text }: NonNullable<LearnOptions["open"]>): ImportedModule[] {
  if (!importingLanguages.has(language)) return [];
  return importedModules(text).map((specifier) => ({ specifier, folder: folderOf(path) }));
}

/** A model being taught, and what it has seen. `seen` is kept up to date. */
class Learning {
  learnt = 0;
  forgotten = 0;
  /** Characters learnt and forgotten since the index was kept last. */
  changedCharacters = 0;
  /** Files that were touched and not changed. */
  restamped = 0;
  learningMs = 0;
  readonly #model: BuiltinModel;
  readonly #seen: Map<string, SeenFile>;
  readonly #options: LearnOptions;
  readonly #startedAtMs = Date.now();
  readonly #imported = new Map<string, ImportedModule>();
  #breathMs: number;

  constructor(model: BuiltinModel, seen: Map<string, SeenFile>, options: LearnOptions) {
    this.#model = model;
    this.#seen = seen;
    this.#options = options;
    this.#breathMs = options.now();
  }

  /** Whether a file is as it was when it was last seen, as far as its size and time tell. */
  trusts({ path, size, mtimeMs }: Pick<WorkspaceFile, "path" | "size" | "mtimeMs">): boolean {
    const known = this.#seen.get(path);
    if (known === undefined || mtimeMs < 0 || known.size !== size || known.mtimeMs !== mtimeMs) return false;
    return known.refused !== undefined || this.#model.knowledge.files.has(path);
  }

  forget(path: string): void {
    this.#seen.delete(path);
    const file = this.#model.knowledge.files.get(path);
    if (file === undefined) return;
    this.forgotten += 1;
    this.changedCharacters += file.characters;
    this.#model.forget(path);
  }

  /** Takes up what reading a file came to. */
  async take(answer: SourceAnswer): Promise<void> {
    if (answer.kind === "skipped") {
      this.forget(answer.path);
      const { size, mtimeMs } = await this.#statOf(answer.path);
      // What is gone, or closed to us, may be back the next time.
      if (lasts(answer.reason) && size >= 0) {
        const refused = JSON.stringify(answer.reason);
        this.#seen.set(answer.path, { path: answer.path, language: "", size, mtimeMs, hash: "", refused });
      }
      return;
    }
    const { path, language, text, size } = answer;
    await this.#breathe(Math.min(text.length, partCharacters));
    const hash = contentHash(text);
    const mtimeMs = stampOf(answer.mtimeMs, this.#startedAtMs);
    const known = this.#seen.get(path);
    this.#seen.set(path, { path, language, size, mtimeMs, hash });
    const isKnown = known?.hash === hash && known.language === language && this.#model.knowledge.files.has(path);
    if (isKnown) this.restamped += 1;
    else {
      await this.#learn(path, language, text);
      this.learnt += 1;
      this.changedCharacters += text.length;
      if (importingLanguages.has(language) && !isDependency(path)) {
        for (const specifier of importedModules(text)) {
          if (!this.#imported.has(specifier)) this.#imported.set(specifier, { specifier, folder: folderOf(path) });
        }
      }
    }
  }

  async #learn(path: string, language: string, text: string): Promise<void> {
    const { now } = this.#options;
    let start = now();
    if (text.length <= partCharacters) this.#model.learn(path, language, text);
    else {
      for (const _ of this.#model.learnInParts(path, language, text, partCharacters)) {
        this.learningMs += now() - start;
        await this.#breathe(partCharacters);
        start = now();
      }
    }
    this.learningMs += now() - start;
  }

  /** Forgets dependencies that are gone, and tells which are new or changed: of those known and those just imported. */
  async checkDependencies(modules: readonly ImportedModule[]): Promise<string[]> {
    const { root, fileSystem, maxDependencyBytes, signal } = this.#options;
    const wanted = new Set<string>();
    await Promise.all(
      [...this.#seen.keys()].filter(isDependency).map(async (path) => {
        const { size, mtimeMs } = await this.#statOf(path);
        if (size < 0) this.forget(path);
        else if (!this.trusts({ path, size, mtimeMs })) wanted.add(path);
      }),
    );
    const types = await findDependencyTypes(modules, { root, fileSystem, maxBytes: maxDependencyBytes, signal });
    for (const path of types) if (!this.#seen.has(path)) wanted.add(path);
    return [...wanted];
  }

  /** Learns the types of whatever the files learnt this time import. */
  async learnDependencies(): Promise<void> {
    const { root, fileSystem, signal } = this.#options;
    const paths = await this.checkDependencies([...this.#imported.values()]);
    for await (const answer of readSources(root, paths, { fileSystem, signal })) await this.take(answer);
  }

  async #statOf(path: string): Promise<{ readonly size: number; readonly mtimeMs: number }> {
    try {
      const { size, mtimeMs } = await this.#options.fileSystem.stat(joinPath(this.#options.root, path));
      return { size, mtimeMs: stampOf(mtimeMs, this.#startedAtMs) };
    } catch (error) {
      if (error instanceof FileSystemError) return { size: -1, mtimeMs: -1 };
      throw error;
    }
  }

  /** Lets Ctrl-C and the progress bar have their turn. */
  async #breathe(nextCharacters: number): Promise<void> {
    const { now, signal, breathe } = this.#options;
    if (breathe !== undefined) await breathe(nextCharacters);
    else if (now() - this.#breathMs >= breathMs) {
      await setImmediate();
      this.#breathMs = now();
    }
    signal.throwIfAborted();
  }
}

/** Whether a file will be refused again for as long as it stays the same. */
function lasts({ kind }: SkipReason): boolean {
  return kind !== "missing" && kind !== "no-permission" && kind !== "disk-failed" && kind !== "link";
}
