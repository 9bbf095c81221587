import { GitHistory } from "../../scripts/train/git-history.ts";
import { isLearnable, isLearnablePath } from "../../scripts/train/learnable.ts";
import type { TextIndex } from "../../src/next/index.ts";

/** Takes one index of texts from a commit's tree to another's, reading only what differs. */
export class MovingTexts {
  readonly index: TextIndex;
  readonly #history: GitHistory;
  /** The blob that the index has of each file. */
  #tree = new Map<string, string>();

  /** Throws where `folder` is no git repository. */
  constructor(folder: string, index: TextIndex) {
    const history = GitHistory.tryOpen(folder);
    if (history === undefined) throw new Error(`${folder} is no git repository`);
    this.#history = history;
    this.index = index;
  }

  /**
   * Makes the index say what a commit's files do; `touched` are those whose text in it was changed
   * since the last move.
   */
  move(commit: string, touched: Iterable<string>): void {
    for (const path of touched) {
      this.#tree.delete(path);
      this.index.update(path, undefined);
    }
    const tree = new Map([...this.#history.tree(commit)].filter(([path]) => isLearnablePath(path)));
    for (const path of this.#tree.keys()) if (!tree.has(path)) this.index.update(path, undefined);
    const fresh = [...tree].filter(([path, blob]) => this.#tree.get(path) !== blob);
    const texts = this.#history.texts(fresh.map(([, blob]) => blob));
    for (const [path, blob] of fresh) {
      const text = texts.get(blob)?.replace(/^\uFEFF/, "");
      this.index.update(path, text !== undefined && isLearnable(path, text) ? text : undefined);
    }
    this.#tree = tree;
    // The words of all files are counted when they are first requested, which is no part of any
    // answer.
    this.index.containing(["the"]);
  }
}
