import { type Layouts, suspended } from "../lexing/layouts.ts";
import type { Parser } from "../reading/parser.ts";

/**
 * Equivalence classes of layouts that a suffix does not distinguish: one for the indentation of
 * each of its lines, and one for each gap between them.
 */
export class LayoutClasses {
  readonly #parser: Parser;
  /** From the margin inwards, without the suspended layout. */
  readonly #classes: readonly number[];
  readonly #known: ReadonlySet<number>;
  readonly #gaps: ReadonlySet<number>;

  /** `lines`: the layouts of the lines in the suffix. */
  constructor(parser: Parser, lines: Iterable<number>) {
    this.#parser = parser;
    this.#classes = parser.grammar.layout === undefined ? [] : withGaps(parser.layouts, lines);
    this.#known = new Set([suspended, ...this.#classes]);
    this.#gaps = new Set(this.#classes.filter((_, i) => i % 2 === 1));
  }

  /** The class of a layout, as a representative layout. */
  classOf(layout: number): number {
    if (this.#known.has(layout)) return layout;
    const { layouts } = this.#parser;
    const { columns } = layouts.indentation(layout);
    const deeper = this.#classes.findIndex((each) => layouts.indentation(each).columns >= columns);
    if (deeper < 0) return this.#classes.at(-1)!;
    // Gaps have odd indexes, between the classes of lines.
    return this.#classes[deeper % 2 === 0 ? Math.max(deeper - 1, 0) : deeper]!;
  }

  /** Whether a line compares differently with different blocks of one class. */
  isAmbiguous(line: number, block: number): boolean {
    return line !== block && this.#gaps.has(block) && this.classOf(line) === block;
  }

  /** The layout classes in which an entry is possible. */
  layoutsOf(where: "suspended" | "lines" | number): readonly number[] {
    if (where === "suspended") return [suspended];
    if (where === "lines") return this.#classes;
    return [where];
  }

  /** The layout classes that are possible before a symbol when one of `above` holds after it. */
  below(symbol: number, above: readonly number[]): readonly number[] {
    const { layout } = this.#parser.grammar;
    if (layout === undefined) return above;
    if (layout.bracket[symbol] === 1) return above.includes(suspended) ? [suspended, ...this.#classes] : [];
    if (symbol !== layout.indent) return above;
    const { layouts } = this.#parser;
    return this.#classes.filter((outer) =>
      above.some((inner) => inner !== suspended && layouts.compare(inner, outer) === "deeper"),
    );
  }
}

/** The margin, the layouts of lines, and one layout in each gap and beyond the deepest line. */
function withGaps(layouts: Layouts, lines: Iterable<number>): readonly number[] {
  const margin = layouts.of({ columns: 0, withNarrowTabs: 0 });
  const sorted = [...new Set([margin, ...lines])].sort(
    (a, b) => layouts.indentation(a).columns - layouts.indentation(b).columns,
  );
  return sorted.flatMap((line, i) => {
    const own = layouts.indentation(line);
    const next = sorted[i + 1];
    if (next === undefined) {
      return [line, layouts.of({ columns: own.columns + 1, withNarrowTabs: own.withNarrowTabs + 1 })];
    }
    const after = layouts.indentation(next);
    const columns = (own.columns + after.columns) / 2;
    return [line, layouts.of({ columns, withNarrowTabs: (own.withNarrowTabs + after.withNarrowTabs) / 2 })];
  });
}
