import { type AbortOptions, SerialQueue, SharedWork } from "../../async/index.ts";
import { comparePaths, type TextLookup, type TextOverlay, textsWith } from "../../workspace/index.ts";
import type { FileDiagnostic, OverlayTypeChecker } from "../diagnostics/type-checker.ts";
import type { FileReferences, MemberNameSource, MemberNames, ReferenceSource } from "../graph/reference.ts";

/**
 * A checker behind a {@link TypeCheckCache}. It may also resolve references and list members.
 */
export type CachedTypeChecker = OverlayTypeChecker & Partial<Pick<ReferenceSource, "referencesOf"> & MemberNameSource>;

const noTexts: TextOverlay = new Map();

/** The dependencies of {@link TypeCheckCache}. */
export interface TypeCheckCacheParts {
  /** A type checker that no other code updates. Its owner disposes of it. */
  readonly checker: CachedTypeChecker;
  /** The texts that the checker was opened with. */
  readonly texts: Iterable<readonly [path: string, text: string]>;
  /**
   * Whether the checker is given a file at all, such as a script or a configuration file. Absent
   * means all files.
   */
  readonly takes?: (path: string) => boolean;
  /** Waits for each piece of work of the checker, and so sees its failures. */
  readonly watch?: (<T>(work: Promise<T>, about: CheckerWork) => Promise<T>) | undefined;
}

/** The files that work of a checker is about, and whether it only opens them. */
export interface CheckerWork {
  readonly paths: readonly string[];
  readonly isInclusion?: boolean;
}

/**
 * Gives a type checker's diagnostics for the present texts and for hypothetical ones, with a cache.
 *
 * It owns the state of the checker: requests run one after the other, each in its own state, and
 * the checker gets the changed texts only with the next request. The errors of recent states stay
 * cached while the present changes.
 *
 * Law: the answer depends on the present texts and the overlay alone, not on earlier or aborted
 * requests.
 */
export class TypeCheckCache {
  readonly #checker: CachedTypeChecker;
  readonly #takes: (path: string) => boolean;
  readonly #watch: NonNullable<TypeCheckCacheParts["watch"]>;
  readonly #base: ReadonlyMap<string, string>;
  /** The present texts that differ from the initial ones. */
  readonly #present = new Map<string, string | undefined>();
  /** The texts that the checker has and that differ from the initial ones. */
  #checkerTexts: TextOverlay = noTexts;
  /** The most recently requested state is the last. */
  #known: KnownState[] = [];
  #turns = new SerialQueue();
  /** Files that coming requests are about. */
  readonly #expected = new Set<string>();

  /**
   * `texts` are those that `checker` has now. Files that `takes` rejects are ignored; by default
   * none is.
   */
  constructor({ checker, texts, takes = () => true, watch = (work) => work }: TypeCheckCacheParts) {
    this.#checker = checker;
    this.#takes = takes;
    this.#watch = watch;
    this.#base = new Map([...texts].filter(([path]) => takes(path)));
  }

  /**
   * Sets the present text of a file; `undefined` when it is deleted. The checker gets it with the
   * next request.
   */
  update(path: string, text: string | undefined): void {
    if (!this.#takes(path)) return;
    if (this.#base.get(path) === text) this.#present.delete(path);
    else this.#present.set(path, text);
  }

  /**
   * Announces files that coming requests are about. The checker opens them together, which costs
   * less than one by one.
   */
  expect(paths: Iterable<string>): void {
    for (const path of paths) this.#expected.add(path);
  }

  /**
   * Whether the checker checks this file and it exists. Configuration files (`.json`) are not
   * checked.
   */
  knows(path: string): boolean {
    return !path.endsWith(".json") && this.textOf(path) !== undefined;
  }

  /** Returns the present text of a file as it was last set; `undefined` when it does not exist. */
  textOf(path: string): string | undefined {
    return this.#with(this.#present)(path);
  }

  /**
   * Returns all texts with others laid over, for a later comparison by {@link otherFiles}. The
   * value does not change afterwards.
   */
  snapshot(overlay: TextOverlay): TextOverlay {
    return this.#textsWith(overlay);
  }

  /** Yields the files whose texts differ between two snapshots, with the text in each. */
  *otherFiles(one: TextOverlay, other: TextOverlay): Generator<readonly [path: string, ...(string | undefined)[]]> {
    const [inOne, inOther] = [this.#with(one), this.#with(other)];
    for (const path of new Set([...one.keys(), ...other.keys()])) {
      const [left, right] = [inOne(path), inOther(path)];
      if (left !== right) yield [path, left, right];
    }
  }

  /**
   * Returns the errors of these files with the present texts. Rejects as the checker does, and with
   * the signal's reason.
   */
  errorsOf(paths: readonly string[], options: AbortOptions = {}): Promise<readonly FileDiagnostic[]> {
    return this.errorsWith(noTexts, paths, options);
  }

  /**
   * Returns the errors that these files would have with an overlay; files that do not exist have
   * none. Rejects as the checker does, and with the signal's reason.
   */
  async errorsWith(
    overlay: TextOverlay,
    paths: readonly string[],
    { signal }: AbortOptions = {},
  ): Promise<readonly FileDiagnostic[]> {
    signal?.throwIfAborted();
    const texts = this.#textsWith(overlay);
    const checked = paths.filter((path) => this.#with(texts)(path) !== undefined);
    const state = this.#stateOf(texts);
    const missing = checked.filter((path) => state.errors.get(path)?.isAbandoned !== false);
    if (missing.length > 0) {
      const question = new SharedWork((stop) => this.#turns.run(() => this.#requestErrors(state, missing, stop), stop));
      for (const path of missing) state.errors.set(path, question);
      const forget = () => {
        for (const path of missing) if (state.errors.get(path) === question) state.errors.delete(path);
      };
      question.result.catch(forget);
    }
    const answers = [...new Set(checked.map((path) => state.errors.get(path)!))];
    const found = (await Promise.all(answers.map((one) => one.wait(signal)))).flat();
    const wanted = new Set(checked);
    return found.filter(({ path }) => wanted.has(path));
  }

  /**
   * Returns what these names of a file refer to, with an overlay; `undefined` where the checker
   * does not know the file or resolves no references. Rejects as the checker does, and with the
   * signal's reason.
   */
  referencesWith(
    overlay: TextOverlay,
    path: string,
    names: ReadonlySet<string>,
    options: AbortOptions = {},
  ): Promise<FileReferences | undefined> {
    const query = async (signal: AbortSignal) =>
      (await this.#checker.referencesOf?.([path], { onlyNames: names, signal }))?.[0];
    return this.runQuery(overlay, { path, key: `references of ${[...names].sort().join()}` }, query, options);
  }

  /**
   * Returns the names that may be at `offset` (UTF-16 units) of a file, after a dot, with an
   * overlay; `any` where the checker lists no members. Rejects as the checker does, and with the
   * signal's reason.
   */
  membersWith(overlay: TextOverlay, path: string, offset: number, options: AbortOptions = {}): Promise<MemberNames> {
    const query = async (signal: AbortSignal): Promise<MemberNames> =>
      (await this.#checker.membersAt?.(path, offset, { signal })) ?? { kind: "any" };
    return this.runQuery(overlay, { path, key: `members at ${offset}` }, query, options);
  }

  /**
   * Runs any other query about `path` while the checker has the present texts with an overlay. The
   * result is cached by `path`, `key` and state as long as the state is remembered.
   * Rejects as the query does, and with the signal's reason, which is thrown at once where the
   * signal is aborted already.
   */
  runQuery<T>(
    overlay: TextOverlay,
    { path, key }: { readonly path: string; readonly key: string },
    query: (signal: AbortSignal) => Promise<T>,
    { signal }: AbortOptions = {},
  ): Promise<T> {
    signal?.throwIfAborted();
    const state = this.#stateOf(this.#textsWith(overlay));
    const place = `${key} of ${path}`;
    const known = state.others.get(place) as SharedWork<T> | undefined;
    if (known?.isAbandoned === false) return known.wait(signal);
    const question = new SharedWork((stop) =>
      this.#turns.run(async () => {
        await this.#reach(state, [path]);
        stop.throwIfAborted();
        return this.#watch(query(stop), { paths: [path] });
      }, stop),
    );
    state.others.set(place, question);
    question.result.catch(() => {
      if (state.others.get(place) === question) state.others.delete(place);
    });
    return question.wait(signal);
  }

  /**
   * Returns a checker whose updates only its caller sees. It begins with the present texts and an
   * overlay; texts that it does not override follow later changes of the present.
   */
  view(overlay: TextOverlay = noTexts): OverlayTypeChecker {
    const over = new Map(overlay);
    return {
      update: async (texts) => {
        for (const [path, text] of texts) over.set(path, text);
      },
      errorsOf: async (paths, options) => {
        if (paths !== undefined) return this.errorsWith(over, paths, options);
        const all = await this.errorsWith(over, this.#paths(), options);
        return all.toSorted((one, other) => comparePaths(one.path, other.path));
      },
    };
  }

  #paths(): readonly string[] {
    return [...new Set([...this.#base.keys(), ...this.#present.keys()])].filter((path) => this.knows(path));
  }

  /** The present texts with an overlay, as far as they differ from the initial ones. */
  #textsWith(overlay: TextOverlay): TextOverlay {
    const texts = new Map(this.#present);
    for (const [path, text] of overlay) {
      if (!this.#takes(path)) continue;
      if (this.#base.get(path) === text) texts.delete(path);
      else texts.set(path, text);
    }
    return texts;
  }

  /** The texts that differ from the initial ones in this way. */
  #with(texts: TextOverlay): TextLookup {
    return textsWith(texts, (path) => this.#base.get(path));
  }

  #stateOf(texts: TextOverlay): KnownState {
    const state = this.#known.find((one) => isSame(one.texts, texts)) ?? {
      ...{ texts, errors: new Map(), others: new Map() },
    };
    this.#known = [...this.#known.filter((one) => one !== state), state].slice(-maxStates);
    return state;
  }

  async #requestErrors(
    state: KnownState,
    paths: readonly string[],
    signal: AbortSignal,
  ): Promise<readonly FileDiagnostic[]> {
    await this.#reach(state, paths);
    signal.throwIfAborted();
    return this.#watch(this.#checker.errorsOf(paths, { signal }), { paths });
  }

  /**
   * Opens files, also the expected ones, and updates the checker to a state. It is never aborted
   * half-way, because then the checker's texts would be unknown.
   */
  async #reach({ texts }: KnownState, paths: readonly string[]): Promise<void> {
    const wanted = [...this.#expected, ...paths];
    this.#expected.clear();
    const included = this.#checker.include?.(wanted);
    if (included !== undefined) await this.#watch(included, { paths: wanted, isInclusion: true });
    const others = new Map<string, string | undefined>();
    for (const [path, , text] of this.otherFiles(this.#checkerTexts, texts)) others.set(path, text);
    this.#checkerTexts = texts;
    if (others.size > 0) await this.#watch(this.#checker.update(others), { paths: [...others.keys()] });
  }
}

/** The number of states that are remembered: each takes the memory of its results. */
const maxStates = 32;

/** The cached results of a state, with errors by path. */
interface KnownState {
  /** The texts that differ from the initial ones. */
  readonly texts: TextOverlay;
  readonly errors: Map<string, SharedWork<readonly FileDiagnostic[]>>;
  /** Results of other queries, by key. */
  readonly others: Map<string, SharedWork<unknown>>;
}

function isSame(one: TextOverlay, other: TextOverlay): boolean {
  return one.size === other.size && [...one].every(([path, text]) => other.has(path) && other.get(path) === text);
}
