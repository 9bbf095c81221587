/**
 * Layout of a place between brackets, where line breaks mean nothing; also of every place of a
 * grammar without layout.
 */
export const suspended = 0;

/** How deep a line is: its columns with tabs to multiples of 8, and with tabs of one column. */
export interface Indentation {
  readonly columns: number;
  readonly withNarrowTabs: number;
}

/**
 * How one indentation stands to another: as `compare` says it, or not the same way for every width
 * of a tab.
 */
export type IndentationOrder = "same" | "deeper" | "shallower" | "inconsistent";

/** The indentations that occur, counted: a number for each, from 1. */
export class Layouts {
  readonly #indentations: Indentation[] = [{ columns: 0, withNarrowTabs: 0 }];
  readonly #ids = new Map<string, number>();

  /** Blocks at the left margin. */
  static readonly margin = 1;

  constructor() {
    this.#indentations.push({ columns: 0, withNarrowTabs: 0 });
    this.#ids.set("0,0", Layouts.margin);
  }

  /** The layout of a block that is indented so. */
  of({ columns, withNarrowTabs }: Indentation): number {
    const key = `${columns},${withNarrowTabs}`;
    const known = this.#ids.get(key);
    if (known !== undefined) return known;
    const id = this.#indentations.length;
    this.#indentations.push({ columns, withNarrowTabs });
    this.#ids.set(key, id);
    return id;
  }

  /** How the block of `layout` is indented. */
  indentation(layout: number): Indentation {
    return this.#indentations[layout]!;
  }

  /** How a line of `layout` stands to the block of `block`. */
  compare(layout: number, block: number): IndentationOrder {
    if (layout === block) return "same";
    const a = this.#indentations[layout]!;
    const b = this.#indentations[block]!;
    if (a.columns > b.columns && a.withNarrowTabs > b.withNarrowTabs) return "deeper";
    if (a.columns < b.columns && a.withNarrowTabs < b.withNarrowTabs) return "shallower";
    return "inconsistent";
  }
}
