import { setImmediate } from "node:timers/promises";
import type { AbortOptions } from "../../async/index.ts";
import { EmendError } from "../../text/index.ts";
import type { ChangedText } from "../../workspace/index.ts";
import type { AtomicChange } from "../changes/atomic-change.ts";
import { classifiedChanges } from "../changes/classify-changes.ts";
import type { FileDiagnostic, OverlayTypeChecker } from "../diagnostics/type-checker.ts";
import type { CodeBlock } from "../graph/code-block.ts";
import type { DependencyGraph } from "../graph/dependency-graph.ts";
import type { PythonCoverage } from "../impact/impact-coverage.ts";
import { mayImpact } from "../impact/may-impact.ts";
import { findPyright, type PyrightSearch } from "./pyright-program.ts";
import { PyrightService } from "./pyright-service.ts";
import { PyrightSource, type PyrightSourceOptions, type ResolvedMembers } from "./pyright-source.ts";
import { RestartingPyright } from "./restarting-pyright.ts";

/** The options of {@link PythonTypes}. */
export interface PythonTypesOptions extends Omit<PyrightSourceOptions, "open"> {
  /** Starts pyright; `undefined` when there is none. */
  readonly open: PyrightSourceOptions["open"] | undefined;
}

/** The change that pyright is used for, and the graph before it. */
export interface PythonTypesRequest {
  /** Its doubtful edges on the paths of the change become exact. */
  readonly graph: DependencyGraph;
  readonly changed: ReadonlyMap<string, ChangedText>;
  readonly blocksOf: (path: string, text: string) => readonly CodeBlock[];
  /** As for the analysis; default: 3. */
  readonly maxHops?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

/**
 * A type checker of the files that a change reaches directly, and their diagnostics before the
 * change.
 */
export interface PythonTypeChecker {
  readonly checker: OverlayTypeChecker;
  readonly before: readonly FileDiagnostic[];
}

/**
 * A function that starts a {@link RestartingPyright} in a workspace and rejects as that does;
 * `undefined` when no pyright is found.
 */
export function pyrightIn(
  search: PyrightSearch & { readonly timeoutMs?: number; readonly maxMemoryMb?: number | undefined },
): PythonTypesOptions["open"] {
  const program = findPyright(search);
  if (program === undefined) return undefined;
  const { root, timeoutMs, maxMemoryMb } = search;
  const limits = maxMemoryMb === undefined ? undefined : { maxMemoryMb };
  const open = (request: AbortOptions) => PyrightService.open({ root, program, timeoutMs, limits }, request);
  return (request) => RestartingPyright.open({ root, open }, request);
}

/**
 * Pyright's part in the analysis of a change. First it resolves the doubtful names on the paths of
 * the change, one hop at a time, so that only what is really reached is followed further. Then it
 * reports the diagnostics of the files that are reached directly.
 *
 * When pyright is not installed or fails, references by names remain; {@link coverage} reports
 * that.
 */
export class PythonTypes implements AsyncDisposable {
  /** Resolves references, including those that were looked up since the last update. */
  readonly source: PyrightSource;
  #coverage: PythonCoverage;

  constructor({ open, ...options }: PythonTypesOptions) {
    this.#coverage = { kind: open === undefined ? "missing" : "not-queried" };
    this.source = new PyrightSource({ ...options, open: open ?? missing });
  }

  /** How far pyright was used, up to now. */
  get coverage(): PythonCoverage {
    const leftOut = Array.from(this.source.leftOut, ([path, reason]) => ({ path, reason }));
    return this.#coverage.kind === "queried" && leftOut.length > 0 ? { ...this.#coverage, leftOut } : this.#coverage;
  }

  /**
   * Resolves the names that the change may reach, updates `graph` with them, and returns a type
   * checker of at most 40 files near the change; `undefined` when pyright is missing or failed, or
   * when no Python file changes. Rejects with the signal's reason on abort.
   */
  async checkerFor(request: PythonTypesRequest): Promise<PythonTypeChecker | undefined> {
    if (this.#coverage.kind === "missing" || this.#coverage.kind === "failed") return undefined;
    const { signal, changed } = request;
    if (![...changed.keys()].some((path) => this.source.isPython(path))) return undefined;
    try {
      const changes = await classifiedChanges({ ...request, yieldThread: () => setImmediate() });
      const settled = await this.#settle(request, changes);
      const files = filesNear(request, changes).filter((path) => this.source.isPython(path));
      const paths = files.slice(0, maxChecked);
      const checker = this.source.checkerFor(paths);
      const before = await checker.errorsOf(undefined, { signal });
      const counts = { files: paths.length, unchecked: files.length - paths.length, errorsBefore: before.length };
      this.#coverage = { kind: "queried", ...settled, ...counts };
      return { checker: this.#guarded(checker), before };
    } catch (error) {
      await this.#fail(error, signal);
      return undefined;
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.source[Symbol.asyncDispose]();
  }

  async #settle(
    request: PythonTypesRequest,
    changes: readonly AtomicChange[],
  ): Promise<Omit<ResolvedMembers, "files">> {
    const { graph, maxHops = 3, signal } = request;
    const counts = { queried: 0, known: 0, left: 0 };
    const settle = async (blocks: readonly CodeBlock[], within: readonly CodeBlock[]) => {
      const names = new Set(blocks.map(({ simpleName }) => simpleName).filter((name) => name !== ""));
      const maxQuestions = maxLookups - counts.queried;
      const found = await this.source.resolveMembers({ names, blocks: within, maxQuestions }, { signal });
      for (const file of found.files) graph.setReferences(file);
      counts.queried += found.queried;
      counts.known += found.known;
      counts.left += found.left;
      return found.files.length > 0;
    };
    const blocks = changes.flatMap(({ before }) => (before === undefined ? [] : [before]));
    // What the changed code calls may be affected too, if it is now called with something else.
    await settle(blocks, blocks);
    for (let hops = 1; hops < maxHops && counts.queried < maxLookups; ) {
      const reached = [...mayImpact({ before: graph }, changes, { maxHops: hops }).values()];
      const isOther = await settle(
        reached.map(({ block }) => block),
        [],
      );
      // Stay at this distance until no name changes: what was reached by a guess may not be reached
      // at all.
      if (!isOther) hops += 1;
    }
    return counts;
  }

  /**
   * A checker that returns no further diagnostics once pyright has failed; earlier ones stay valid.
   */
  #guarded(checker: OverlayTypeChecker): OverlayTypeChecker {
    const guard = async <T>(work: () => Promise<T>, instead: T, signal: AbortSignal | undefined): Promise<T> => {
      if (this.#coverage.kind === "failed") return instead;
      try {
        return await work();
      } catch (error) {
        await this.#fail(error, signal);
        return instead;
      }
    };
    return {
      update: (texts, options) => guard(() => checker.update(texts, options), undefined, options?.signal),
      errorsOf: (paths, options) => guard(() => checker.errorsOf(paths, options), [], options?.signal),
    };
  }

  /**
   * Continues without pyright. Throws the signal's reason, and any error that is no
   * {@link EmendError}.
   */
  async #fail(error: unknown, signal: AbortSignal | undefined): Promise<void> {
    signal?.throwIfAborted();
    if (!(error instanceof EmendError)) throw error;
    this.#coverage = { kind: "failed", message: error.message };
    await this.source[Symbol.asyncDispose]();
  }
}

/**
 * Several type checkers as one, whose errors come checker by checker; `undefined` for none. Each
 * must ignore files that are not its own.
 */
export function joinTypeCheckers(checkers: readonly PythonTypeChecker[]): PythonTypeChecker | undefined {
  if (checkers.length < 2) return checkers[0];
  return {
    checker: {
      async update(texts, options) {
        for (const { checker } of checkers) await checker.update(texts, options);
      },
      async errorsOf(paths, options) {
        const found: FileDiagnostic[] = [];
        for (const { checker } of checkers) found.push(...(await checker.errorsOf(paths, options)));
        return found;
      },
    },
    before: checkers.flatMap(({ before }) => before),
  };
}

/** The most names that are looked up for one change; each takes a few milliseconds. */
const maxLookups = 1000;
/** The most files that are checked, twice each; a check takes up to a second. */
const maxChecked = 40;

/**
 * The changed files, and the files with blocks that the change reaches in one hop. Files further
 * away get diagnostics only once these are repaired, which is not done here.
 */
function filesNear({ graph, changed }: PythonTypesRequest, changes: readonly AtomicChange[]): string[] {
  const reached = [...mayImpact({ before: graph }, changes, { maxHops: 1 }).values()];
  return [...new Set([...changed.keys(), ...reached.map(({ block }) => block.path)])];
}

function missing(): Promise<never> {
  return Promise.reject(new EmendError("pyright-missing", "Pyright is not installed."));
}
