import { EditHistory } from "../../src/context/index.ts";
import type { NextEditProvider, Proposal, TextIndex } from "../../src/next/index.ts";
import { addedSyntaxErrors, languageOf, type Syntax } from "../../src/syntax/index.ts";
import type { Edit } from "../../src/text/index.ts";
import type { Asker, Suggested } from "./asker.ts";

/** How many proposals of a source are looked at in one state. */
const maxLooked = 20;

/** How much time passes with each edit of the replay, in milliseconds. */
const editMs = 10_000;

/**
 * Sources alone, without the engine: the likeliest proposal that is likely enough, adds no syntax
 * error and was not rejected before.
 *
 * To see what a source is worth by itself.
 */
export class SourceAsker implements Asker, Disposable {
  readonly #parts: {
    readonly sources: readonly NextEditProvider[];
    readonly index: TextIndex;
    readonly syntax: Syntax;
    readonly leastLikelihood: number;
  };
  readonly #history = new EditHistory();
  readonly #rejected = new Set<string>();
  #nowMs = 0;

  constructor(parts: {
    readonly sources: readonly NextEditProvider[];
    readonly index: TextIndex;
    readonly syntax: Syntax;
    readonly leastLikelihood: number;
  }) {
    this.#parts = parts;
  }

  changed(path: string, before: string, edit: Edit): void {
    this.#nowMs += editMs;
    this.#history.record(path, before, edit, this.#nowMs);
  }

  renamed(path: string, newPath: string): void {
    this.#history.rename(path, newPath);
  }

  async ask(path: string, offset: number): Promise<Suggested | undefined> {
    const { sources, index, leastLikelihood } = this.#parts;
    const text = index.textOf(path) ?? "";
    const history = this.#history.entries(this.#nowMs);
    const moment = { path, language: languageOf(path).id, text, cursor: offset, history, files: index };
    let best: Proposal | undefined;
    for (const source of sources) {
      let looked = 0;
      for await (const proposal of source.propose(moment)) {
        if (++looked > maxLooked) break;
        if (proposal.likelihood < Math.max(leastLikelihood, best?.likelihood ?? 0)) continue;
        if (best !== undefined && proposal.likelihood === best.likelihood) continue;
        if (this.#rejected.has(this.#keyOf(proposal)) || !(await this.#parses(proposal))) continue;
        best = proposal;
        break;
      }
    }
    if (best === undefined) return undefined;
    const key = this.#keyOf(best);
    return { ...best, accept: () => {}, reject: () => void this.#rejected.add(key) };
  }

  [Symbol.dispose](): void {}

  /**
   * What is rejected stays so wherever its place moves, as long as the text around it is the same.
   */
  #keyOf({ path, edit, place }: Proposal): string {
    const text = this.#parts.index.textOf(path) ?? "";
    const from = edit?.edits[0]?.start ?? place.start;
    const around = text.slice(Math.max(0, from - 40), from + 40);
    return `${path}\n${around}\n${edit?.edits.map((one) => one.text).join("\n") ?? "look"}`;
  }

  async #parses({ path, edit }: Proposal): Promise<boolean> {
    const before = this.#parts.index.textOf(path);
    if (before === undefined) return false;
    if (edit === undefined) return true;
    const document = { uri: path, language: languageOf(path).id, text: before };
    const after = { ...document, text: edit.apply(before) };
    return (await addedSyntaxErrors(this.#parts.syntax, { before: document, edit, after })).length === 0;
  }
}
