import type { Parser, Point, Tree, Node as WasmNode } from "web-tree-sitter";
import type { Language } from "../languages/index.ts";
import { type Edit, EmendError, InvariantError } from "../text/index.ts";
import { parseInSlices, type SharedThread } from "./sliced-parse.ts";

/**
 * The parse tree of one text, as a handle. Functions of this layer read it and return plain data.
 *
 * It is memory outside of JavaScript, so the caller disposes it. Disposing twice is harmless.
 */
export interface SyntaxTree extends Disposable {
  readonly language: Language;
  /** The parsed text; all offsets of the tree refer to it. */
  readonly text: string;
  /** Whether the text has syntax errors. */
  readonly hasError: boolean;
  /** The tree as an s-expression. */
  toString(): string;
}

/** A tree with what is needed to parse its text again. Not exported from the package entry. */
export class ParsedTree implements SyntaxTree {
  readonly language: Language;
  readonly text: string;
  readonly hasError: boolean;
  readonly #parser: Parser;
  readonly #onClose: (tree: ParsedTree) => void;
  #tree: Tree | undefined;

  private constructor(language: Language, text: string, parser: Parser, tree: Tree, onClose: (t: ParsedTree) => void) {
    this.language = language;
    this.text = text;
    this.#parser = parser;
    this.#tree = tree;
    this.#onClose = onClose;
    this.hasError = tree.rootNode.hasError;
  }

  /**
   * Wraps the tree that `parser` made of `text`. `onClose` is called once, when the tree is
   * disposed.
   */
  static of(
    language: Language,
    text: string,
    { parser, tree }: { readonly parser: Parser; readonly tree: Tree },
    onClose: (tree: ParsedTree) => void,
  ): ParsedTree {
    return new ParsedTree(language, text, parser, tree, onClose);
  }

  /**
   * Parses `text`, the text after `edit`, reusing unchanged parts. This tree is not changed.
   * Rejects with {@link EmendError} with code "disposed" where it has been disposed.
   *
   * Error recovery depends on the reused parts, so two ways to one broken text would yield two
   * trees. A broken text is therefore parsed from scratch. `undefined` where it takes too long.
   */
  async reparse(edit: Edit, text: string, thread: SharedThread | undefined): Promise<ParsedTree | undefined> {
    const base = this.#open().copy();
    try {
      // From the last to the first, so that the offsets of the remaining ones stay valid.
      for (const step of inputEdits(this.text, edit).reverse()) base.edit(step as Parameters<Tree["edit"]>[0]);
      let isBroken = false;
      const onError = () => {
        isBroken = true;
      };
      let tree = await parseInSlices(this.#parser, text, thread, { base, onError });
      if (isBroken || tree?.rootNode.hasError === true) {
        tree?.delete();
        tree = await parseInSlices(this.#parser, text, thread);
      }
      return tree && new ParsedTree(this.language, text, this.#parser, tree, this.#onClose);
    } finally {
      base.delete();
    }
  }

  /**
   * The root of the tree. Throws {@link EmendError} with code "disposed" where the tree has been
   * disposed.
   */
  get root(): WasmNode {
    return this.#open().rootNode;
  }

  toString(): string {
    return this.root.toString();
  }

  [Symbol.dispose](): void {
    if (this.#tree === undefined) return;
    this.#tree.delete();
    this.#tree = undefined;
    this.#onClose(this);
  }

  #open(): Tree {
    if (this.#tree === undefined) throw new EmendError("disposed", `The ${this.language.name} tree has been disposed.`);
    return this.#tree;
  }
}

/**
 * The root of a tree, for functions of this layer. Throws {@link EmendError} with code "disposed"
 * where the tree has been disposed, and an {@link InvariantError} where it was not made by
 * `Syntax.parse`.
 */
export function rootOf(tree: SyntaxTree): WasmNode {
  if (!(tree instanceof ParsedTree)) throw new InvariantError("This tree was not made by Syntax.parse.");
  return tree.root;
}

interface InputEdit {
  readonly startIndex: number;
  readonly oldEndIndex: number;
  readonly newEndIndex: number;
  readonly startPosition: Point;
  readonly oldEndPosition: Point;
  readonly newEndPosition: Point;
}

/**
 * The replacements with rows and columns as the parser counts them, each in the coordinates of the
 * text before.
 */
function inputEdits(before: string, edit: Edit): InputEdit[] {
  const steps: InputEdit[] = [];
  let at = 0;
  let position: Point = { row: 0, column: 0 };
  for (const { start, end, text } of edit.edits) {
    const startPosition = advance(position, before, at, start);
    const oldEndPosition = advance(startPosition, before, start, end);
    steps.push({
      startIndex: start,
      oldEndIndex: end,
      newEndIndex: start + text.length,
      startPosition,
      oldEndPosition,
      newEndPosition: advance(startPosition, text, 0, text.length),
    });
    at = end;
    position = oldEndPosition;
  }
  return steps;
}

/**
 * The position of `end` when `start` is at `from`. Rows end with a line feed only, as in the
 * parser.
 */
function advance(from: Point, text: string, start: number, end: number): Point {
  let row = from.row;
  let lineStart = start - from.column;
  for (let feed = text.indexOf("\n", start); feed >= 0 && feed < end; feed = text.indexOf("\n", feed + 1)) {
    row++;
    lineStart = feed + 1;
  }
  return { row, column: end - lineStart };
}
