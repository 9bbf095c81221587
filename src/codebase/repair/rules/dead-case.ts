import type { RepairRule } from "../repair.ts";
import { nodesAround, type ScriptNode } from "../script/script-nodes.ts";
import { endsIn, statementsOf } from "./switch-cases.ts";

/**
 * Takes out a `case` for a string that no type lists any more, with what only it does: where the
 * case before it does not run into it, nor it into the next, unless it does nothing of its own.
 * Remarks right above it go, too.
 */
export const deadCase: RepairRule = ({ finding, text, tree, facts }) => {
  if (finding.code !== "2678") return [];
  const path = nodesAround(tree.program, finding.start, finding.end);
  const depth = path.findLastIndex(({ type }) => type === "SwitchCase");
  const clause = path[depth];
  const test = clause?.["test"] as ScriptNode | null | undefined;
  if (
    clause === undefined ||
    typeof test?.["value"] !== "string" ||
    facts.literals?.removed.has(test["value"]) !== true
  )
    return [];
  const cases = path[depth - 1]!["cases"] as readonly ScriptNode[];
  const index = cases.indexOf(clause);
  const [before, next] = [cases[index - 1], cases[index + 1]];
  const isEmpty = statementsOf(clause).length === 0;
  const isAlone = (before === undefined || endsIn(before)) && (next === undefined || endsIn(clause));
  // What runs into the next case is that one's, and a label alone belongs to none.
  if (!isAlone && !(isEmpty && next !== undefined)) return [];
  const lineStart = text.lastIndexOf("\n", clause.start) + 1;
  if (text.slice(lineStart, clause.start).trim() !== "") return [];
  const start = Math.max(before?.end ?? 0, startOfComments(text, lineStart));
  const from = text[start] === "\n" ? start + 1 : start;
  const end = text[clause.end] === "\n" ? clause.end + 1 : clause.end;
  return [{ certainty: "follows", edits: [{ start: from, end, text: "" }] }];
};

/**
 * Where the comment lines begin that stand directly above a line; its own start where there are
 * none.
 */
function startOfComments(text: string, lineStart: number): number {
  let start = lineStart;
  while (start > 0) {
    const above = text.lastIndexOf("\n", start - 2) + 1;
    if (!/^[^\S\n]*\/\//.test(text.slice(above, start))) break;
    start = above;
  }
  return start;
}
