import { type Indentation, suspended } from "../lexing/layouts.ts";
import type { StackNode } from "../reading/stack.ts";
import type { EndingParts } from "./ending-parts.ts";
import type { Filling } from "./filling.ts";

/** How many columns deeper a new block is written. */
const newBlockColumns = 4;

/** The indentations that a line behind `filling` can have. */
export interface LineOpenings {
  /** Those of the blocks that are open, the deepest first. */
  readonly open: readonly Indentation[];
  /**
   * Those of a block that the line opens: one of ours, and those that lines behind the hole ask
   * for.
   */
  readonly opened: readonly Indentation[];
}

/** How a line behind `filling` may begin. */
export function lineOpenings({ hole, behind }: EndingParts, filling: Filling): LineOpenings {
  const { layouts } = hole.reader.parser;
  const open = [...openLayouts(filling)]
    .map((layout) => layouts.indentation(layout))
    .sort((a, b) => b.columns - a.columns);
  const [deepest = { columns: 0, withNarrowTabs: 0 }] = open;
  const own = {
    columns: deepest.columns + newBlockColumns,
    withNarrowTabs: deepest.withNarrowTabs + newBlockColumns,
  };
  return { open, opened: [own, ...behind.indentations.filter(({ columns }) => columns > deepest.columns)] };
}

/**
 * White space that is so deep, with as few tabs as there can be; a tab takes in blanks before it.
 */
export function writeIndentation({ columns, withNarrowTabs }: Indentation): Uint8Array {
  for (let tabs = 0; tabs <= columns / tabColumns; tabs++) {
    const blanks = columns - tabs * tabColumns;
    const takenIn = withNarrowTabs - tabs - blanks;
    if (takenIn < 0 || takenIn > tabs * (tabColumns - 1)) continue;
    const text = Array.from({ length: tabs }, (_, i) => {
      const before = Math.min(tabColumns - 1, Math.max(0, takenIn - i * (tabColumns - 1)));
      return `${" ".repeat(before)}\t`;
    });
    return new TextEncoder().encode(`${text.join("")}${" ".repeat(blanks)}`);
  }
  return new Uint8Array(columns).fill(0x20);
}

const tabColumns = 8;

/** The layouts of all blocks that are open. */
function openLayouts(filling: Filling): ReadonlySet<number> {
  const layouts = new Set<number>();
  const seen = new Set<StackNode>(filling.readings.flatMap(({ front }) => front.nodes));
  for (const node of seen) {
    if (node.layout !== suspended) layouts.add(node.layout);
    for (const under of node.below) seen.add(under);
  }
  return layouts;
}
