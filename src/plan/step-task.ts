import { type CodeBlock, printCodeBlock } from "../analysis/index.ts";
import { estimatingCounter, hideSecrets, messageLanguage } from "../context/index.ts";
import { type RewriteRequest, rewritePrompt } from "../edit/index.ts";
import type { ChatMessage, ContextText, TokenCounter } from "../model/index.ts";
import { languageOf } from "../syntax/index.ts";
import type { TextRange } from "../text/index.ts";
import { describeCauses, describeErrors } from "./describe-causes.ts";
import type { ModelTask } from "./plan-event.ts";
import type { StepRequest } from "./plan-parts.ts";
import { type StepText, stepContext } from "./step-context.ts";

/** The token limits of a step's prompt. */
export interface StepBudget {
  readonly counter: TokenCounter;
  /** The most tokens of the block's file. */
  readonly maxShownTokens: number;
  /** The most tokens of edits and related code. */
  readonly maxContextTokens: number;
}

/** Limits that fit most models, with estimated token counts. */
export const usualStepBudget: StepBudget = {
  counter: estimatingCounter("plaintext"),
  maxShownTokens: 3_000,
  maxContextTokens: 6_000,
};

/**
 * Builds the model's task for a step: its block as the editable region, the reasons, and the
 * context. Rejects with `EmendError` with code "bad-region" where the block is not within the text.
 */
export async function stepTask(question: StepRequest, budget: StepBudget = usualStepBudget): Promise<ModelTask> {
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

/**
 * The first prompt of a task, for a model or any chat. `text` is the text of its file. Throws
 * `EmendError` with code "bad-region" where the regions of the task are not within `text`.
 */
export function stepPrompt(
  task: ModelTask,
  text: string,
  budget: Pick<StepBudget, "maxShownTokens"> = usualStepBudget,
): readonly ChatMessage[] {
  return rewritePrompt(rewriteRequest(task, text, budget));
}

/**
 * A task as a request to rewrite the block, without the imports.
 *
 * The task may come from a journal of a version without redaction, so it is redacted here, too.
 */
export function rewriteRequest(
  task: ModelTask,
  text: string,
  { maxShownTokens }: Pick<StepBudget, "maxShownTokens">,
): RewriteRequest {
  const { path, language, regions, instruction, context } = redactedTask(task);
  return { file: { path, text, language }, ranges: regions.slice(0, 1), instruction, context, maxShownTokens };
}

const causesTitle = "Why it may have to change:";

/** The instruction for a model. */
function stepInstruction({ instruction, step, plan, block }: StepRequest): string {
  // Messages of tools and names of statements are other code and are redacted.
  const causes = [...describeCauses(step, plan), ...describeErrors(step)].map(
    (cause) => hideSecrets(cause, messageLanguage).text,
  );
  const sections = [
    ...(instruction === undefined ? [] : [`The task for the whole repository:\n\n${instruction.trim()}`]),
    `Now it is about the ${printCodeBlock(block)}, which is the region.`,
    ...(step.instruction === undefined ? [] : [step.instruction.trim()]),
    ...(causes.length === 0 ? [] : [`${causesTitle}\n\n${causes.map((cause) => `- ${cause}`).join("\n")}`]),
    'Change in it what this asks for, and nothing else. If nothing has to be changed in it, answer with the two words "No changes." alone.',
  ];
  return sections.join("\n\n");
}

/** The region of a block with its lines; for a block with members, its header only. */
function regionOfBlock(text: string, block: CodeBlock, blocks: readonly CodeBlock[]): TextRange {
  const { range, ownRange } = block;
  const hasMembers = blocks.some(
    (other) => other !== block && range.start <= other.ownRange.start && other.ownRange.end <= range.end,
  );
  return hasMembers ? ownRange : wholeLines(text, range);
}

/** The lines of the first group of imports, or an empty range before the first block. */
function regionOfImports(text: string, blocks: readonly CodeBlock[]): TextRange {
  const imports: CodeBlock[] = [];
  for (const block of blocks) {
    if (block.kind === "import") imports.push(block);
    else if (imports.length > 0) break;
  }
  const [first] = imports;
  if (first !== undefined) return wholeLines(text, { start: first.ownRange.start, end: imports.at(-1)!.ownRange.end });
  const at = blocks[0] === undefined ? 0 : wholeLines(text, blocks[0].range).start;
  return { start: at, end: at };
}

/** A range extended to whole lines, if the rest of the lines is white space. */
function wholeLines(text: string, { start, end }: TextRange): TextRange {
  const lineStart = text.lastIndexOf("\n", start - 1) + 1;
  const breakAt = text.indexOf("\n", Math.max(end - 1, start));
  const lineEnd = breakAt < 0 ? text.length : breakAt + 1;
  const isAlone = text.slice(lineStart, start).trim() === "" && text.slice(end, lineEnd).trim() === "";
  return isAlone ? { start: lineStart, end: Math.max(end, lineEnd) } : { start, end };
}

/** The most useful pieces that fit, least useful first; a large piece is cut. */
function withinBudget(pieces: readonly StepText[], maxTokens: number, counter: TokenCounter): readonly ContextText[] {
  const kept: ContextText[] = [];
  let left = maxTokens;
  for (const piece of pieces) {
    const { path, text } = redacted({ ...piece, text: cutTo(piece.text, Math.floor(maxTokens / 2), counter) });
    const tokens = counter.count(`${path}\n${text}`);
    if (tokens > left) continue;
    left -= tokens;
    kept.unshift({ path, text });
  }
  return kept;
}

/**
 * A task with the secrets of other code redacted: in its context, and in the causes of its
 * instruction.
 */
function redactedTask(task: ModelTask): ModelTask {
  const at = task.instruction.lastIndexOf(causesTitle);
  const causes = at < 0 ? "" : hideSecrets(task.instruction.slice(at), messageLanguage).text;
  const instruction = at < 0 ? task.instruction : task.instruction.slice(0, at) + causes;
  const context = task.context.map(({ path: title, text }) => {
    return redacted({ title, path: pathInTitle(title), text });
  });
  return { ...task, instruction, context };
}

/** The path in a title such as `function total in src/cart.ts, as it was changed`. */
function pathInTitle(title: string): string {
  const ending = [", in outline", ", as it was changed"].find((one) => title.endsWith(one)) ?? "";
  const named = title.slice(0, title.length - ending.length);
  const behind = named.lastIndexOf(" in ");
  return behind < 0 ? named : named.slice(behind + " in ".length);
}

/**
 * A text with its secrets redacted; the title may contain the code of a statement and is redacted
 * too.
 */
function redacted({ title, path, text }: StepText): ContextText {
  return { path: hideSecrets(title, messageLanguage).text, text: hideSecrets(text, languageOf(path).id).text };
}

/** The first lines of a text that fit, followed by the number of lines that were cut. */
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
