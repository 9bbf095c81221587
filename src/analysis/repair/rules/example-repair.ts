import { nodesAround } from "../../../names/index.ts";
import { isSite, rewritten } from "../facts/edits-by-example.ts";
import type { RepairRule } from "../repair.ts";

/**
 * Applies the only learnt rewrite that matches at a diagnostic; no repair where none or several do.
 */
export const editByExample: RepairRule = ({ diagnostic, text, tree, facts }) => {
  const rewrites = facts.rewrites ?? [];
  if (rewrites.length === 0) return [];
  for (const node of nodesAround(tree.program, diagnostic.start, diagnostic.end).reverse()) {
    if (!isSite(node)) continue;
    const edits = rewrites.flatMap((one) => rewritten(one, { node, text }) ?? []);
    if (edits.length > 1) return [];
    if (edits.length === 1)
      return [{ certainty: "follows", edits: [{ start: node.start, end: node.end, text: edits[0]! }] }];
  }
  return [];
};
