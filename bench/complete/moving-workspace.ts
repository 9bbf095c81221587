import { isLearnable, languageIdOf } from "../../scripts/train/learnable.ts";
import type { BuiltinModel } from "../../src/model/index.ts";
import type { CaseRepository, CompletionCase } from "./load-cases.ts";

/** A model of a repository that is moved from one state of its files to another by what differs. */
export class MovingWorkspace {
  readonly #model: BuiltinModel;
  readonly #repository: CaseRepository;
  /** The blob of each file that is learnt, by path. */
  #present = new Map<string, string>();

  constructor(model: BuiltinModel, repository: CaseRepository) {
    this.#model = model;
    this.#repository = repository;
  }

  /**
   * Moves to the workspace of `one`: its files before the change, without the file that is being
   * written.
   */
  moveTo(one: CompletionCase): void {
    const { files } = this.#repository;
    const wanted = new Map(Object.entries(files));
    for (const [path, blob] of Object.entries(one.delta ?? {})) {
      if (blob === null) wanted.delete(path);
      else wanted.set(path, blob);
    }
    wanted.delete(one.file);
    if (one.oldFile) wanted.delete(one.oldFile);
    for (const path of this.#present.keys()) if (!wanted.has(path)) this.#model.forget(path);
    for (const [path, blob] of wanted) if (this.#present.get(path) !== blob) this.#learn(path, blob);
    this.#present = wanted;
  }

  #learn(path: string, blob: string): void {
    const text = this.#repository.texts.get(blob);
    if (text !== undefined && isLearnable(path, text)) this.#model.learn(path, languageIdOf(path, text), text);
    else this.#model.forget(path);
  }
}
