import { blockId, type CodeBlock, printCodeBlock } from "../codebase/index.ts";
import type { ContextText } from "../model/index.ts";
import type { PlanStep } from "./plan-graph.ts";
import { outlineOf, sketchOf } from "./sketch.ts";
import type { StepQuestion } from "./step-question.ts";

/**
 * What a model should read for a step, the most useful first:
 *
 * 1. the edits that caused it, then those that caused these (temporal context), and earlier edits of the block itself and of what
 *    it depends on; where a check found something, which names no cause, all edits of the file;
 * 2. the outline of its class or file, where that is larger than what is shown anyway;
 * 3. what it depends on, what was changed in this plan first, and then what depends on it (spatial context).
 */
export async function stepContext(
  question: StepQuestion,
  { needsSketch }: { readonly needsSketch: boolean },
): Promise<readonly ContextText[]> {
  const { block, text, graph } = question;
  const edits = editsBehind(question).map((step) => ({
    path: `${printCodeBlock(step.block)}, as it was changed`,
    text: step.rewrite!.diff,
  }));
  const sketch = needsSketch
    ? [{ path: `${block.path}, in outline`, text: sketchOf(text, graph.blocksOf(block.path), block) }]
    : [];
  return [...edits, ...sketch, ...(await relatedCode(question, needsSketch))];
}

/** Steps whose edits lead to this one, the nearest first. */
function editsBehind({ step, plan, block, graph }: StepQuestion): readonly PlanStep[] {
  const near = new Set([blockId(block), ...graph.dependenciesOf(blockId(block)).map(({ to }) => to)]);
  // What used the block and was changed does not depend on it any more: an import that nobody uses is found by itself.
  const isFound = step.causes.some(({ kind }) => kind === "finding");
  const isNear = (other: PlanStep["block"]) => near.has(blockId(other)) || (isFound && other.path === block.path);
  const beside = plan.steps.filter((one) => one.id !== step.id && isNear(one.block));
  const all = [...[...plan.pathTo(step.id)].reverse(), ...[...beside].reverse()];
  return [...new Set(all)].filter(({ rewrite, status }) => rewrite !== undefined && status === "done");
}

async function relatedCode(
  { block, graph, plan, textOf }: StepQuestion,
  isFileHidden: boolean,
): Promise<readonly ContextText[]> {
  const id = blockId(block);
  const changed = new Set(plan.steps.flatMap((step) => (step.status === "done" ? [blockId(step.block)] : [])));
  const used = graph
    .dependenciesOf(id)
    .flatMap(({ to, relation }) => (relation === "child-of" || relation === "constructs" ? [] : [to]));
  const users = [...graph.dependentsOf(id)].flatMap(({ from, relation }) =>
    relation === "child-of" || relation === "constructs" ? [] : [from],
  );
  const inOrder = [...used.filter((one) => changed.has(one)), ...used.filter((one) => !changed.has(one)), ...users];
  const pieces: ContextText[] = [];
  for (const other of new Set(inOrder)) {
    const related = graph.tryBlock(other);
    if (related === undefined || related.kind === "import" || (related.path === block.path && !isFileHidden)) continue;
    const file = await textOf(related.path);
    if (file !== undefined) pieces.push({ path: printCodeBlock(related), text: textOfRelated(file, related) });
  }
  return pieces;
}

function textOfRelated(file: string, related: CodeBlock): string {
  return `${outlineOf(file, related).trimEnd()}\n`;
}
