import { type CodeBlock, printCodeBlock } from "../codebase/index.ts";
import { estimatingCounter } from "../context/index.ts";
import { type RewriteRequest, rewritePrompt } from "../edit/index.ts";
import type { ChatMessage, ContextText, TokenCounter } from "../model/index.ts";
import { languageOf } from "../syntax/index.ts";
import type { TextRange } from "../text/index.ts";
import type { ModelTask } from "./model-task.ts";
import { sayCauses } from "./say-causes.ts";
import { stepContext } from "./step-context.ts";
import type { StepQuestion } from "./step-question.ts";

/** How much of a step's surroundings is shown. */
export interface StepBudget {
  readonly counter: TokenCounter;
  /** The most tokens of the block's file. */
  readonly maxShownTokens: number;
  /** The most tokens of edits and related code. */
  readonly maxContextTokens: number;
}

/** What most models take well, counted by estimate. */
export const usualStepBudget: StepBudget = {
  counter: estimatingCounter("plaintext"),
  maxShownTokens: 3_000,
  maxContextTokens: 6_000,
};

/** Puts together what is to be asked about a step: its block as the region to write anew, why, and what to read for it. */
export async function stepTask(question: StepQuestion, budget: StepBudget = usualStepBudget): Promise<ModelTask> {
  const { counter, maxShownTokens, maxContextTokens } = budget;
  const { block, text, graph } = question;
  const { path } = block;
  const needsSketch = counter.count(text) > maxShownTokens;
  const pieces = await stepContext(question, { needsSketch });
  const context = withinBudget(pieces, maxContextTokens, counter);
  const blocks = graph.blocksOf(path);
  const own = regionOfBlock(text, block, blocks);
  const regions = block.kind === "import" ? [own] : [own, regionOfImports(text, blocks)];
  const language = languageOf(path, text.split("\n", 1)[0]!).id;
  const task = { path, language, regions, instruction: stepInstruction(question), context, tokens: 0 };
  const prompt = stepPrompt(task, text, budget);
  return { ...task, tokens: prompt.reduce((sum, message) => sum + counter.count(message.text), 0) };
}

/** A task as it is asked first, of a model or of any chat. `text` is that of its file. */
export function stepPrompt(
  task: ModelTask,
  text: string,
  budget: Pick<StepBudget, "maxShownTokens"> = usualStepBudget,
): readonly ChatMessage[] {
  return rewritePrompt(rewriteRequest(task, text, budget));
}

/** A task for whoever rewrites regions: the block alone. */
export function rewriteRequest(
  { path, language, regions, instruction, context }: ModelTask,
  text: string,
  { maxShownTokens }: Pick<StepBudget, "maxShownTokens">,
): RewriteRequest {
  return { file: { path, text, language }, ranges: regions.slice(0, 1), instruction, context, maxShownTokens };
}

/** What a model is told to do at a step. */
function stepInstruction({ instruction, step, plan, block }: StepQuestion): string {
  const causes = sayCauses(step, plan);
  const sections = [
    ...(instruction === undefined ? [] : [`The task for the whole repository:\n\n${instruction.trim()}`]),
    `Now it is about the ${printCodeBlock(block)}, which is the region.`,
    ...(step.instruction === undefined ? [] : [step.instruction.trim()]),
    ...(causes.length === 0 ? [] : [`Why it may have to change:\n\n${causes.map((cause) => `- ${cause}`).join("\n")}`]),
    'Change in it what this asks for, and nothing else. If nothing has to be changed in it, answer with the two words "No changes." alone.',
  ];
  return sections.join("\n\n");
}

/** A block with its lines; of what has members its header alone. */
function regionOfBlock(text: string, block: CodeBlock, blocks: readonly CodeBlock[]): TextRange {
  const { range, own } = block;
  const hasMembers = blocks.some(
    (other) => other !== block && range.start <= other.own.start && other.own.end <= range.end,
  );
  return hasMembers ? own : wholeLines(text, range);
}

/** The lines of the first imports that stand together, or the place for them: above the first block. */
function regionOfImports(text: string, blocks: readonly CodeBlock[]): TextRange {
  const imports: CodeBlock[] = [];
  for (const block of blocks) {
    if (block.kind === "import") imports.push(block);
    else if (imports.length > 0) break;
  }
  const [first] = imports;
  if (first !== undefined) return wholeLines(text, { start: first.own.start, end: imports.at(-1)!.own.end });
  const at = blocks[0] === undefined ? 0 : wholeLines(text, blocks[0].range).start;
  return { start: at, end: at };
}

/** A range with what else is on its lines, if that is white space. */
function wholeLines(text: string, { start, end }: TextRange): TextRange {
  const lineStart = text.lastIndexOf("\n", start - 1) + 1;
  const breakAt = text.indexOf("\n", Math.max(end - 1, start));
  const lineEnd = breakAt < 0 ? text.length : breakAt + 1;
  const isAlone = text.slice(lineStart, start).trim() === "" && text.slice(end, lineEnd).trim() === "";
  return isAlone ? { start: lineStart, end: Math.max(end, lineEnd) } : { start, end };
}

/** The most useful pieces that fit, the least useful of them first; a large one is cut. */
function withinBudget(
  pieces: readonly ContextText[],
  maxTokens: number,
  counter: TokenCounter,
): readonly ContextText[] {
  const kept: ContextText[] = [];
  let left = maxTokens;
  for (const { path, text } of pieces) {
    const piece = { path, text: cutTo(text, Math.floor(maxTokens / 2), counter) };
    const tokens = counter.count(`${path}\n${piece.text}`);
    if (tokens > left) continue;
    left -= tokens;
    kept.unshift(piece);
  }
  return kept;
}

/** The first lines of a text that fit, and a word about the others. */
function cutTo(text: string, maxTokens: number, counter: TokenCounter): string {
  if (counter.count(text) <= maxTokens) return text;
  const lines = text.split("\n");
  let tokens = 0;
  const count = lines.findIndex((line) => {
    tokens += counter.count(`${line}\n`);
    return tokens > maxTokens;
  });
  return `${lines.slice(0, count).join("\n")}\n(${lines.length - count} more lines)\n`;
}
