import { isLearnable, languageIdOf } from "../../scripts/train/learnable.ts";
import { CodeIndex } from "../../src/context/index.ts";
import type { CaseRepository, CompletionCase } from "../complete/load-cases.ts";

/**
 * The index of a repository, moved from the workspace of one case to that of the next by what
 * differs.
 */
export class MovingIndex {
  readonly index = new CodeIndex();
  readonly #repository: CaseRepository;
  readonly #isLearnable = new Map<string, boolean>();
  #present = new Map<string, string>();

  constructor(repository: CaseRepository) {
    this.#repository = repository;
  }

  /**
   * Moves to the workspace of `one`: its files before the change, without the file that is being
   * written.
   */
  moveTo(one: CompletionCase): void {
    const wanted = new Map(Object.entries(this.#repository.files));
    for (const [path, blob] of Object.entries(one.delta ?? {})) {
      if (blob === null) wanted.delete(path);
      else wanted.set(path, blob);
    }
    wanted.delete(one.file);
    if (one.oldFile) wanted.delete(one.oldFile);
    for (const path of this.#present.keys()) if (!wanted.has(path)) this.index.delete(path);
    for (const [path, blob] of wanted) if (this.#present.get(path) !== blob) this.#take(path, blob);
    this.#present = wanted;
  }

  #take(path: string, blob: string): void {
    const text = this.#repository.texts.get(blob);
    const key = `${path}\n${blob}`;
    const isKnown = this.#isLearnable.get(key) ?? (text !== undefined && isLearnable(path, text));
    this.#isLearnable.set(key, isKnown);
    if (text !== undefined && isKnown) this.index.set(path, languageIdOf(path, text), text);
    else this.index.delete(path);
  }
}
