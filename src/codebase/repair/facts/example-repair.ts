import type { RepairRule } from "../repair.ts";
import { nodesAround } from "../script/script-nodes.ts";
import { isSite, rewritten } from "./edits-by-example.ts";

/** Writes again what matches exactly one thing that was learnt. */
export const editByExample: RepairRule = ({ finding, text, tree, facts }) => {
  const rewrites = facts.rewrites ?? [];
  if (rewrites.length === 0) return [];
  for (const node of nodesAround(tree.program, finding.start, finding.end).reverse()) {
    if (!isSite(node)) continue;
    const edits = rewrites.flatMap((one) => rewritten(one, { node, text }) ?? []);
    if (edits.length > 1) return [];
    if (edits.length === 1)
      return [{ certainty: "follows", edits: [{ start: node.start, end: node.end, text: edits[0]! }] }];
  }
  return [];
};
