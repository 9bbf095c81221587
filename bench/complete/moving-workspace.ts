import { defaultMaxBytes } from "../../src/codebase/index.ts";
import { skipByContent, skipByName } from "../../src/codebase/read-source.ts";
import type { BuiltinModel } from "../../src/model/index.ts";
import { languageOf, plaintext } from "../../src/syntax/index.ts";
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

  /** Moves to the workspace of `one`: its files before the change, without the file that is being written. */
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
    if (text !== undefined && isLearnt(path, text)) this.#model.learn(path, languageIdOf(path, text), text);
    else this.#model.forget(path);
  }
}

/** The id of a file's language, as the walk over a workspace tells it. */
export function languageIdOf(path: string, text: string): string {
  return languageOf(path, /^[^\r\n]{0,300}/.exec(text)?.[0]).id;
}

/** Whether a file is one of those that the tool reads: neither secret, generated, minified, oversized nor unknown. */
function isLearnt(path: string, text: string): boolean {
  return (
    skipByName(path) === undefined &&
    text.length <= defaultMaxBytes &&
    skipByContent(text) === undefined &&
    languageIdOf(path, text) !== plaintext.id
  );
}
