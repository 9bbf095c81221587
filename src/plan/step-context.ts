import { blockId, type CodeBlock, printCodeBlock } from "../analysis/index.ts";
import { isInRange, rangesOverlap, type TextRange } from "../text/index.ts";
import type { PlanStep } from "./plan-graph.ts";
import type { StepRequest } from "./plan-parts.ts";

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

/**
 * The outline of a file: all declarations, with `…` for bodies of more than one line.
 *
 * For a member it is the outline of its class, for anything else that of the whole file. The bodies
 * in `kept` stay.
 */
export function sketchOf(text: string, blocks: readonly CodeBlock[], kept: CodeBlock): string {
  const around = blocks.find(({ name, kind }) => name === kept.owner && kind !== "constructor");
  const range = around?.range ?? { start: 0, end: text.length };
  const holes = blocks
    .filter((block) => block !== kept && isInRange(block.ownRange, range))
    .flatMap((block) => bodiesOf(text, block))
    .filter((hole) => !rangesOverlap(hole, kept.range));
  let sketch = "";
  let at = range.start;
  for (const { start, end } of holes.sort((a, b) => a.start - b.start)) {
    if (start < at) continue;
    sketch += text.slice(at, start) + elided(text.slice(start, end));
    at = end;
  }
  return sketch + text.slice(at, range.end);
}

/**
 * The text of a block for its users: the whole block up to `maxLines` lines, otherwise without its
 * bodies.
 */
export function outlineOf(text: string, block: CodeBlock, maxLines = 12): string {
  const { start, end } = block.ownRange;
  const whole = text.slice(start, end);
  if (whole.split("\n").length <= maxLines) return whole;
  let outline = "";
  let at = start;
  for (const hole of bodiesOf(text, block)) {
    outline += text.slice(at, hole.start) + elided(text.slice(hole.start, hole.end));
    at = hole.end;
  }
  return outline + text.slice(at, end);
}

/** The parts of a block that are not in its signature and have more than one line. */
function bodiesOf(text: string, { ownRange, signature }: CodeBlock): readonly TextRange[] {
  if (signature.length === 0) return [];
  const holes: TextRange[] = [];
  let at = signature[0]!.start;
  for (const { start, end } of [...signature, { start: ownRange.end, end: ownRange.end }]) {
    if (start > at && text.slice(at, start).trim().includes("\n")) holes.push({ start: at, end: start });
    at = Math.max(at, end);
  }
  return holes;
}

/** The text that replaces a body: `…` in the brackets of the body. */
function elided(body: string): string {
  const trimmed = body.trim();
  const lead = body.slice(0, body.length - body.trimStart().length);
  const trail = body.slice(body.trimEnd().length);
  const open = /^(?:=>\s*)?[{[(]/.exec(trimmed)?.[0] ?? "";
  const close = open === "" ? "" : (/[}\])][;,]?$/.exec(trimmed)?.[0] ?? "");
  return `${lead}${open}${open === "" ? "" : " "}…${close === "" ? "" : ` ${close}`}${trail}`;
}
