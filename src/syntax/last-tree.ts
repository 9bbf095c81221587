import { Edit, sameEnds } from "../text/index.ts";
import type { SyntaxDiagnostic } from "./syntax-diagnostic.ts";
import type { SyntaxTree } from "./tree.ts";

/**
 * The tree of the text that was parsed last, from which that of a similar text is parsed: the texts
 * before and after an edit, one after the other.
 *
 * It is memory outside of JavaScript, so the owner disposes it.
 */
export class LastTree implements Disposable {
  #tree: SyntaxTree | undefined;
  #errors: readonly SyntaxDiagnostic[] = [];

  /**
   * The tree, and the edit that turns its text into `text`; `undefined` without a tree, and for a
   * text of another language or one that has less than half of its characters in common. Also where
   * the tree has an error elsewhere: `text` has probably errors too, and a text with errors is
   * parsed from scratch in any case.
   */
  baseOf(language: string, text: string): { readonly tree: SyntaxTree; readonly edit: Edit } | undefined {
    const tree = this.#tree;
    if (tree?.language.id !== language) return undefined;
    const { front, back } = sameEnds(tree.text, text);
    if (front + back < text.length / 2) return undefined;
    const changed = { start: front, end: tree.text.length - back };
    if (this.#errors.some(({ start, end }) => end < changed.start || start > changed.end)) return undefined;
    return { tree, edit: Edit.replace(changed, text.slice(front, text.length - back)) };
  }

  /** Keeps a tree with its errors, and disposes the one before. */
  keep(tree: SyntaxTree, errors: readonly SyntaxDiagnostic[]): void {
    this.#tree?.[Symbol.dispose]();
    this.#tree = tree;
    this.#errors = errors;
  }

  [Symbol.dispose](): void {
    this.#tree?.[Symbol.dispose]();
    this.#tree = undefined;
  }
}
