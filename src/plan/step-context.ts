import { blockId, type CodeBlock, printCodeBlock } from "../analysis/index.ts";
import type { PlanStep } from "./plan-graph.ts";
import type { StepRequest } from "./plan-parts.ts";
import { outlineOf, sketchOf } from "./sketch.ts";

/** A context text for a step, with its secrets not yet redacted. */
export interface StepText {
  /** A description of its origin. */
  readonly title: string;
  /** The path of its file. */
  readonly path: string;
  readonly text: string;
}

/**
 * The context of a step, the most useful first:
 *
 * 1. the edits that caused it, then those that caused these (temporal context), and earlier edits
 *    of the block itself and of its dependencies; for a finding, which names no cause, all edits of
 *    the file;
 * 2. the outline of its class or file, if that is larger than the excerpt in the prompt
 *    (`needsSketch`);
 * 3. its dependencies, those changed in this plan first, and then its dependents (spatial context).
 */
export async function stepContext(
  question: StepRequest,
  { needsSketch }: { readonly needsSketch: boolean },
): Promise<readonly StepText[]> {
  const { block, text, graph } = question;
  const edits = editsBehind(question).map((step) => ({
    title: `${printCodeBlock(step.block)}, as it was changed`,
    path: step.block.path,
    text: step.rewrite!.diff,
  }));
  const sketch = needsSketch
    ? [
        {
          title: `${block.path}, in outline`,
          path: block.path,
          text: sketchOf(text, graph.blocksOf(block.path), block),
        },
      ]
    : [];
  return [...edits, ...sketch, ...(await relatedCode(question, needsSketch))];
}

/** The done steps whose edits lead to this one, the nearest first. */
function editsBehind({ step, plan, block, graph }: StepRequest): readonly PlanStep[] {
  const near = new Set([blockId(block), ...graph.dependenciesOf(blockId(block)).map(({ to }) => to)]);
  // A changed user of the block may no longer depend on it, so for a finding such as an unused
  // import all edits of the file count.
  const isFound = step.causes.some(({ kind }) => kind === "finding");
  const isNear = (other: PlanStep["block"]) => near.has(blockId(other)) || (isFound && other.path === block.path);
  const beside = plan.steps.filter((one) => one.id !== step.id && isNear(one.block));
  const all = [...[...plan.pathTo(step.id)].reverse(), ...[...beside].reverse()];
  return [...new Set(all)].filter(({ rewrite, status }) => rewrite !== undefined && status === "done");
}

async function relatedCode(
  { block, graph, plan, textOf }: StepRequest,
  isFileHidden: boolean,
): Promise<readonly StepText[]> {
  const id = blockId(block);
  const changed = new Set(plan.steps.flatMap((step) => (step.status === "done" ? [blockId(step.block)] : [])));
  const used = graph
    .dependenciesOf(id)
    .flatMap(({ to, relation }) => (relation === "child-of" || relation === "constructs" ? [] : [to]));
  const users = [...graph.dependentsOf(id)].flatMap(({ from, relation }) =>
    relation === "child-of" || relation === "constructs" ? [] : [from],
  );
  const inOrder = [...used.filter((one) => changed.has(one)), ...used.filter((one) => !changed.has(one)), ...users];
  const pieces: StepText[] = [];
  for (const other of new Set(inOrder)) {
    const related = graph.tryBlock(other);
    if (related === undefined || related.kind === "import" || (related.path === block.path && !isFileHidden)) continue;
    const file = await textOf(related.path);
    if (file !== undefined) {
      pieces.push({ title: printCodeBlock(related), path: related.path, text: textOfRelated(file, related) });
    }
  }
  return pieces;
}

function textOfRelated(file: string, related: CodeBlock): string {
  return `${outlineOf(file, related).trimEnd()}\n`;
}
