import { EmendError } from "../../text/errors.ts";
import type { CodeBlock } from "../graph/code-block.ts";
import type { DependencyGraph } from "../graph/dependency-graph.ts";
import type { TypeFinding } from "../graph/reference.ts";
import { classifyChanges } from "../impact/classify-changes.ts";
import type { ChangedText } from "../impact/impact-analysis.ts";
import type { PythonCoverage } from "../impact/impact-coverage.ts";
import { mayImpact } from "../impact/may-impact.ts";
import type { OverlaidWitness } from "../impact/type-waves.ts";
import { findPyright, type PyrightSearch } from "./pyright-program.ts";
import { PyrightService } from "./pyright-service.ts";
import { PyrightSource, type PyrightSourceOptions, type Settled } from "./pyright-source.ts";

/** What {@link PythonTypes} is made from. */
export interface PythonTypesOptions extends Omit<PyrightSourceOptions, "open"> {
  /** Starts pyright, or `undefined` where there is none. */
  readonly open: PyrightSourceOptions["open"] | undefined;
}

/** A change that pyright is asked about, and the graph before it. */
export interface PythonQuestion {
  /** Its doubtful edges on the ways of the change become exact. */
  readonly graph: DependencyGraph;
  readonly changed: ReadonlyMap<string, ChangedText>;
  readonly blocksOf: (path: string, text: string) => readonly CodeBlock[];
  /** As for the analysis: 3 unless told. */
  readonly maxHops?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** A type checker of the files that a change reaches at once, and what it says of them before the change. */
export interface PythonWitness {
  readonly checker: OverlaidWitness;
  readonly before: readonly TypeFinding[];
}

/** How pyright is started in a workspace, where there is one. */
export function pyrightIn(search: PyrightSearch & { readonly timeoutMs?: number }): PythonTypesOptions["open"] {
  const program = findPyright(search);
  if (program === undefined) return undefined;
  const { root, timeoutMs } = search;
  return (question) => PyrightService.open({ root, program, timeoutMs }, question);
}

/**
 * What pyright adds to an analysis of a change: first it settles the names that are guesses on the ways of the change, step by step, so that
 * what is reached is asked further only where it is reached indeed; then it looks for errors in the files that are reached at once.
 *
 * Where it is not installed, or fails, names tell as before, and {@link coverage} says so.
 */
export class PythonTypes implements AsyncDisposable {
  /** Tells what names mean, with all that was settled since the last update. */
  readonly source: PyrightSource;
  #coverage: PythonCoverage;

  constructor({ open, ...options }: PythonTypesOptions) {
    this.#coverage = { kind: open === undefined ? "missing" : "not-asked" };
    this.source = new PyrightSource({ ...options, open: open ?? missing });
  }

  get coverage(): PythonCoverage {
    return this.#coverage;
  }

  /** Settles what the change may reach, and gives a witness for it; `undefined` where there is none. */
  async look(question: PythonQuestion): Promise<PythonWitness | undefined> {
    if (this.#coverage.kind === "missing" || this.#coverage.kind === "failed") return undefined;
    const { signal, changed } = question;
    if (![...changed.keys()].some((path) => this.source.isPython(path))) return undefined;
    try {
      const settled = await this.#settle(question);
      const files = filesNear(question).filter((path) => this.source.isPython(path));
      const paths = files.slice(0, maxChecked);
      const checker = this.source.witness(paths);
      const before = await checker.errorsOf(undefined, signal === undefined ? {} : { signal });
      const counts = { files: paths.length, unchecked: files.length - paths.length, errorsBefore: before.length };
      this.#coverage = { kind: "asked", ...settled, ...counts };
      return { checker: this.#fenced(checker), before };
    } catch (error) {
      await this.#fail(error, signal);
      return undefined;
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.source[Symbol.asyncDispose]();
  }

  async #settle(question: PythonQuestion): Promise<Omit<Settled, "files">> {
    const { graph, maxHops = 3, signal } = question;
    const counts = { asked: 0, known: 0, left: 0 };
    const settle = async (blocks: readonly CodeBlock[], within: readonly CodeBlock[]) => {
      const names = new Set(blocks.map(({ simpleName }) => simpleName).filter((name) => name !== ""));
      const maxQuestions = maxAsked - counts.asked;
      const found = await this.source.settle({ names, blocks: within, maxQuestions }, { signal });
      for (const file of found.files) graph.setReferences(file);
      counts.asked += found.asked;
      counts.known += found.known;
      counts.left += found.left;
      return found.files.length > 0;
    };
    const changes = changesOf(question);
    const blocks = changes.flatMap(({ before }) => (before === undefined ? [] : [before]));
    // Whom a change calls may be affected too, if it gives it something else.
    await settle(blocks, blocks);
    for (let hops = 1; hops < maxHops && counts.asked < maxAsked; ) {
      const reached = [...mayImpact({ before: graph }, changes, { maxHops: hops }).values()];
      const isOther = await settle(
        reached.map(({ block }) => block),
        [],
      );
      // What was reached by a guess may not be reached at all.
      if (!isOther) hops += 1;
    }
    return counts;
  }

  /** A checker that finds nothing more once it fails: what it found till then holds. */
  #fenced(checker: OverlaidWitness): OverlaidWitness {
    const fence = async <T>(work: () => Promise<T>, instead: T, signal: AbortSignal | undefined): Promise<T> => {
      if (this.#coverage.kind === "failed") return instead;
      try {
        return await work();
      } catch (error) {
        await this.#fail(error, signal);
        return instead;
      }
    };
    return {
      update: (texts, options) => fence(() => checker.update(texts, options), undefined, options?.signal),
      errorsOf: (paths, options) => fence(() => checker.errorsOf(paths, options), [], options?.signal),
    };
  }

  /** Goes on without. Only a signal ends the analysis. */
  async #fail(error: unknown, signal: AbortSignal | undefined): Promise<void> {
    signal?.throwIfAborted();
    if (!(error instanceof EmendError)) throw error;
    this.#coverage = { kind: "failed", message: error.message };
    await this.source[Symbol.asyncDispose]();
  }
}

/** Several type checkers as one. Each leaves files alone that are not its own. */
export function joinWitnesses(witnesses: readonly PythonWitness[]): PythonWitness | undefined {
  if (witnesses.length < 2) return witnesses[0];
  return {
    checker: {
      async update(texts, options) {
        for (const { checker } of witnesses) await checker.update(texts, options);
      },
      async errorsOf(paths, options) {
        const found: TypeFinding[] = [];
        for (const { checker } of witnesses) found.push(...(await checker.errorsOf(paths, options)));
        return found;
      },
    },
    before: witnesses.flatMap(({ before }) => before),
  };
}

/** So many names are settled for one change: a few milliseconds each. */
const maxAsked = 1000;
/** So many files are checked, twice: up to a second each. */
const maxChecked = 40;

function changesOf({ changed, blocksOf }: PythonQuestion) {
  const state = (path: string, text: string) => ({ text, blocks: blocksOf(path, text) });
  return classifyChanges(
    Array.from(changed, ([path, { before, after }]) => ({
      path,
      ...(before !== undefined && { before: state(path, before) }),
      ...(after !== undefined && { after: state(path, after) }),
    })),
  );
}

/**
 * The changed files, and those with blocks that the change reaches in one step. What lies behind them hears of the change only once they are
 * mended, which nobody does here.
 */
function filesNear(question: PythonQuestion): string[] {
  const { graph, changed } = question;
  const reached = [...mayImpact({ before: graph }, changesOf(question), { maxHops: 1 }).values()];
  return [...new Set([...changed.keys(), ...reached.map(({ block }) => block.path)])];
}

function missing(): Promise<never> {
  return Promise.reject(new EmendError("pyright-missing", "Pyright is not installed."));
}
