import { type Block, blocksOf, enclosingBlocks, type Syntax } from "../../syntax/index.ts";
import type { Place } from "../place.ts";
import { type PlaceWindow, tryPlaceWindow } from "../place-window.ts";

/**
 * Finds the starts of statements in a text at a place, by the tree of the declaration around it. A
 * result is remembered: parsing takes longer than all else that is done with a line.
 */
export class StatementStarts {
  readonly #syntax: Syntax;
  readonly #place: Pick<Place, "prefix" | "suffix" | "language">;
  #window: PlaceWindow | undefined | "unknown" = "unknown";
  #blocks: readonly Block[] | undefined;
  /** By the text that ends with the line. */
  readonly #told = new Map<string, boolean>();

  /** The language's grammar has to be loaded in `syntax`, or all answers are `undefined`. */
  constructor(syntax: Syntax, place: Pick<Place, "prefix" | "suffix" | "language">) {
    this.#syntax = syntax;
    this.#place = place;
  }

  /**
   * The blocks around the place as it is, and where in the text the part begins that their offsets
   * count from.
   */
  blocks(): { readonly blocks: readonly Block[]; readonly from: number } | undefined {
    const window = this.#openWindow();
    if (window === undefined) return undefined;
    this.#blocks ??= this.#parse(window.prefix + window.suffix);
    return this.#blocks && { blocks: this.#blocks, from: window.from };
  }

  /**
   * Whether a statement begins at the line that begins at `lineStart` of `text`, which is written
   * at the place and ends with that line. `undefined` where there is no grammar, or it cannot make
   * anything of the line.
   */
  startsAt(text: string, lineStart: number): boolean | undefined {
    const told = this.#told.get(text);
    if (told !== undefined) return told;
    const starts = this.#find(text, lineStart);
    if (starts !== undefined) this.#told.set(text, starts);
    return starts;
  }

  #find(text: string, lineStart: number): boolean | undefined {
    const window = this.#openWindow();
    if (window === undefined) return undefined;
    const blocks = this.#parse(`${window.prefix}${text}${window.suffix}`);
    if (blocks === undefined) return undefined;
    const from = window.prefix.length;
    const line = from + lineStart;
    const code = line + /^\s*/.exec(text.slice(lineStart))![0].length;
    // The outermost of those that are written at the place: what is around it began before.
    const own = enclosingBlocks(blocks, code).find(({ fullRange }) => fullRange.start >= from);
    return own && own.fullRange.start >= line;
  }

  #openWindow(): PlaceWindow | undefined {
    if (this.#window === "unknown") this.#window = tryPlaceWindow(this.#place);
    return this.#window;
  }

  #parse(text: string): readonly Block[] | undefined {
    const tree = this.#syntax.tryParse({ language: this.#place.language, text });
    if (tree === undefined) return undefined;
    try {
      return blocksOf(tree);
    } finally {
      tree[Symbol.dispose]();
    }
  }
}
