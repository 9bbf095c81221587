import type { Clock } from "../../src/async/index.ts";
import type { NameTables } from "../../src/names/index.ts";
import {
  defaultNextEditSettings,
  type EditTypeCheck,
  NextEditEngine,
  type NextEditOrigin,
  type NextEditProvider,
  prettierFormatter,
  type TextIndex,
} from "../../src/next/index.ts";
import type { Syntax } from "../../src/syntax/index.ts";
import type { Edit } from "../../src/text/index.ts";
import type { Asker, Suggested } from "./asker.ts";

/** How much time passes with each edit of the replay, in milliseconds. */
const editMs = 10_000;

/** What the engine is made of, for a replay. */
export interface EngineAskerParts {
  readonly sources: readonly NextEditProvider[];
  readonly index: TextIndex;
  readonly syntax: Syntax;
  readonly names?: NameTables | undefined;
  readonly types?: EditTypeCheck | undefined;
  readonly origins: readonly NextEditOrigin[];
  /** The least likelihood of what is offered; default: the engine's own. */
  readonly leastLikelihood?: number | undefined;
}

/** Loaded once for all commits. */
const formatter = prettierFormatter();

/**
 * The engine itself, as an editor's host uses it: what is offered by itself, wherever the cursor
 * is.
 */
export class EngineAsker implements Asker, Disposable {
  readonly #parts: EngineAskerParts;
  readonly #clock = new ReplayClock();
  readonly #engine: NextEditEngine;

  constructor(parts: EngineAskerParts) {
    this.#parts = parts;
    this.#engine = this.#open();
  }

  changed(path: string, before: string, edit: Edit): void {
    this.#clock.pass(editMs);
    this.#engine.changed(path, before, edit);
  }

  renamed(path: string, newPath: string): void {
    this.#engine.renamed(path, newPath);
  }

  [Symbol.dispose](): void {
    this.#engine[Symbol.dispose]();
  }

  async ask(path: string, offset: number): Promise<Suggested | undefined> {
    const { index } = this.#parts;
    const document = {
      uri: `file:///${path}`,
      language: index.languageOf(path),
      version: 1,
      text: index.textOf(path)!,
    };
    const outcome = await this.#engine.suggest({ document, path, offset, trigger: "automatic" });
    if (outcome.kind === "no-suggestion") return undefined;
    const { suggestion } = outcome;
    const { id, edit, origin, place, reason, likelihood = 1 } = suggestion;
    return {
      ...{ origin, path: suggestion.path, place, reason, likelihood, ...(edit && { edit }) },
      accept: () => {
        this.#engine.shown(id);
        this.#engine.accepted(id);
      },
      reject: () => {
        this.#engine.shown(id);
        this.#engine.rejected(id);
      },
    };
  }

  #open(): NextEditEngine {
    const { sources, index, syntax, names, types, origins, leastLikelihood } = this.#parts;
    const settings = { ...defaultNextEditSettings, origins };
    const least = leastLikelihood ?? settings.leastLikelihoodByEagerness.normal;
    return new NextEditEngine({
      ...{
        sources,
        files: index,
        syntax,
        clock: this.#clock,
        formatter,
        ...(names && { names }),
        ...(types && { types }),
      },
      access: () => ({ kind: "allowed" }),
      settings: { ...settings, leastLikelihoodByEagerness: { ...settings.leastLikelihoodByEagerness, normal: least } },
    });
  }
}

/** The real clock, on which more time passes than does. */
class ReplayClock implements Clock {
  #passedMs = 0;

  now(): number {
    return performance.now() + this.#passedMs;
  }

  after(delayMs: number, task: () => void): Disposable {
    const timer = setTimeout(task, delayMs);
    return { [Symbol.dispose]: () => clearTimeout(timer) };
  }

  pass(durationMs: number): void {
    this.#passedMs += durationMs;
  }
}
