import type { Filling, HoleQuestions } from "./filling.ts";
import { type Indentation, suspended } from "./layouts.ts";
import type { StackNode } from "./stack.ts";

/** How many columns deeper a new block is written. */
const newBlockColumns = 4;

/** The indentations that a line behind `filling` can have: those of the blocks that are open, the deepest first, and of a new one. */
export function indentationsOf(
  hole: HoleQuestions,
  filling: Filling,
): { readonly open: readonly Indentation[]; readonly new: Indentation } {
  const { layouts } = hole.reader.parser;
  const open = [...openLayouts(filling)]
    .map((layout) => layouts.indentation(layout))
    .sort((a, b) => b.columns - a.columns);
  const [deepest = { columns: 0, withNarrowTabs: 0 }] = open;
  const { columns, withNarrowTabs } = deepest;
  return {
    open,
    new: { columns: columns + newBlockColumns, withNarrowTabs: withNarrowTabs + newBlockColumns },
  };
}

/** White space that is so deep, tabs first. */
export function writeIndentation({ columns, withNarrowTabs }: Indentation): Uint8Array {
  // With tabs first, each of them takes seven columns more than it has bytes.
  const tabs = Math.floor((columns - withNarrowTabs) / (tabColumns - 1));
  const blanks = new Uint8Array(tabs + Math.max(0, columns - tabs * tabColumns)).fill(space);
  return blanks.fill(tab, 0, tabs);
}

const tabColumns = 8;
const tab = 0x09;
const space = 0x20;

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
