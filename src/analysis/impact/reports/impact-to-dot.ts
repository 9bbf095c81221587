import { type ImpactView, printBlock } from "../impact-view.ts";
import { drawImpact, type ImpactNode } from "./impact-links.ts";

/**
 * The impact as a graph in the DOT language, for `dot -Tsvg` and others: changes on the left,
 * arrows in the direction of the impact. `all` adds possibly affected blocks.
 *
 * Source: Graphviz, "DOT Language".
 */
export function toImpactDot(view: ImpactView, { all = false }: { readonly all?: boolean } = {}): string {
  const { nodes, links } = drawImpact(view, { all });
  const rows = [
    "digraph impact {",
    "  rankdir=LR;",
    '  node [shape=box, style="rounded,filled", fontname="sans-serif", fillcolor=white];',
    '  edge [fontname="sans-serif", fontsize=10];',
    ...nodes.map((node) => `  ${quoted(node.block.id)} [label=${quoted(labelOf(node))}, ${looks[node.status]}];`),
    ...links.map(({ from, to, relation }) => `  ${quoted(from)} -> ${quoted(to)} [label=${quoted(relation)}];`),
    "}",
  ];
  return `${rows.join("\n")}\n`;
}

function labelOf({ block, status, affected }: ImpactNode): string {
  const likelihood = affected === undefined || status !== "to-do" ? "" : `\n${Math.round(affected.likelihood * 100)} %`;
  return `${printBlock(block)}\n${block.path}:${block.line}${likelihood}`;
}

const looks: Readonly<Record<ImpactNode["status"], string>> = {
  changed: 'fillcolor="#cfe2ff", penwidth=2',
  "to-do": 'fillcolor="#ffe0b3"',
  touched: 'fillcolor="#d4edda"',
  possible: 'style="rounded,dashed"',
  passed: 'style="rounded,dotted"',
};

/** A quoted id: quotes and backslashes are escaped, and a line break is written as `\n`. */
function quoted(text: string): string {
  return `"${text.replaceAll("\\", "\\\\").replaceAll('"', '\\"').replaceAll("\n", "\\n")}"`;
}
