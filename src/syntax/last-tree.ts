import { Edit, sameEnds } from "../text/index.ts";
import type { SyntaxTree } from "./tree.ts";

/**
 * The tree of the text that was parsed last, from which that of a similar text is parsed: the texts
 * before and after an edit, one after the other.
 *
 * It is memory outside of JavaScript, so the owner disposes it.
 */
export class LastTree implements Disposable {
  #tree: SyntaxTree | undefined;

  /**
   * The tree, and the edit that turns its text into `text`; `undefined` without a tree, and for a
   * text of another language or one that has less than half of its characters in common.
   */
  baseOf(language: string, text: string): { readonly tree: SyntaxTree; readonly edit: Edit } | undefined {
    const tree = this.#tree;
    if (tree?.language.id !== language) return undefined;
    const { front, back } = sameEnds(tree.text, text);
    if (front + back < text.length / 2) return undefined;
    const edit = Edit.replace({ start: front, end: tree.text.length - back }, text.slice(front, text.length - back));
    return { tree, edit };
  }

  /** Keeps a tree, and disposes the one before. */
  keep(tree: SyntaxTree): void {
    this.#tree?.[Symbol.dispose]();
    this.#tree = tree;
  }

  [Symbol.dispose](): void {
    this.#tree?.[Symbol.dispose]();
    this.#tree = undefined;
  }
}
