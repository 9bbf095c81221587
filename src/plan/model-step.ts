import { type CodeBlock, printCodeBlock } from "../codebase/index.ts";
import { estimatingCounter } from "../context/index.ts";
import {
  type EditEngineParts,
  explainEdit,
  printNoText,
  type RegionGuides,
  type RewriteOutcome,
  type RewriteRequest,
  rewritePrompt,
  rewriteRegions,
} from "../edit/index.ts";
import { withoutThoughts } from "../formats/index.ts";
import type { ContextText, Model, ModelCallOptions, ModelEnd, TextPart, TokenCounter } from "../model/index.ts";
import { languageOf } from "../syntax/index.ts";
import { type Edit, EmendError, type TextRange, workspaceEdit } from "../text/index.ts";
import type { ModelTask } from "./model-task.ts";
import { neededNames } from "./needed-names.ts";
import { isOnlyImports } from "./only-imports.ts";
import type { ModelRunOptions, ModelStep, ModelStepAnswer } from "./plan-parts.ts";
import { sayCauses } from "./say-causes.ts";
import { stepContext } from "./step-context.ts";
import type { StepQuestion } from "./step-question.ts";

/** What a {@link ChatModelStep} asks with. */
export interface ChatModelStepOptions extends Pick<EditEngineParts, "syntax" | "formatter"> {
  /** Its chat face is used. */
  readonly model: Model;
  /** Holds new texts to their language's grammar, so that no answer breaks the syntax. */
  readonly guides?: Pick<RegionGuides, "open">;
  /** The most tokens of the block's file that are shown; 3,000 unless told, and a quarter of the model's context at most. */
  readonly maxShownTokens?: number;
  /** The most tokens of edits and related code that are shown; 6,000 unless told, and a quarter of the model's context at most. */
  readonly maxContextTokens?: number;
  /** The most requests for one step's block; 3 unless told. */
  readonly maxRequests?: number;
}

/**
 * Has a model write the new text of a step's block, and of its file's imports where the new text needs other names.
 *
 * The model is shown the block in its file (in outline where that is large), the edits that caused the step, related code, and the causes in
 * words. It answers with the block's text, or with "No changes.", which keeps an analysis affordable that says too much.
 * Source: prompt and contexts of CodePlan (Bairi et al. 2024, section 2.3).
 */
export class ChatModelStep implements ModelStep {
  readonly name: string;
  readonly #options: ChatModelStepOptions;
  readonly #counter: TokenCounter;
  readonly #maxShownTokens: number;
  readonly #maxContextTokens: number;

  /** Throws `EmendError` `model-without-chat` where the model cannot be talked to. */
  constructor(options: ChatModelStepOptions) {
    const { model, maxShownTokens = 3_000, maxContextTokens = 6_000 } = options;
    if (model.chat === undefined) {
      throw new EmendError("model-without-chat", `${model.name} only completes text: name a model that chats.`);
    }
    const quarter = model.contextTokens === undefined ? Number.POSITIVE_INFINITY : model.contextTokens >> 2;
    this.name = model.name;
    this.#options = options;
    this.#counter = model.tokenCounter ?? estimatingCounter("plaintext");
    this.#maxShownTokens = Math.min(maxShownTokens, quarter);
    this.#maxContextTokens = Math.min(maxContextTokens, quarter);
  }

  async prepare(question: StepQuestion): Promise<ModelTask> {
    const { block, text, graph } = question;
    const { path } = block;
    const needsSketch = this.#counter.count(text) > this.#maxShownTokens;
    const pieces = await stepContext(question, { needsSketch });
    const context = withinBudget(pieces, this.#maxContextTokens, this.#counter);
    const blocks = graph.blocksOf(path);
    const own = regionOfBlock(text, block, blocks);
    const regions = block.kind === "import" ? [own] : [own, regionOfImports(text, blocks)];
    const task = { path, language: languageOf(path, text.split("\n", 1)[0]!).id, regions, context };
    const instruction = stepInstruction(question);
    const prompt = rewritePrompt(this.#request({ ...task, instruction, tokens: 0 }, text));
    return {
      ...task,
      instruction,
      tokens: prompt.reduce((sum, message) => sum + this.#counter.count(message.text), 0),
    };
  }

  async run(task: ModelTask, text: string, options: ModelRunOptions): Promise<ModelStepAnswer> {
    const { path, regions, instruction, context } = task;
    const [own, imports] = regions as readonly [TextRange, TextRange | undefined];
    const written = await this.#write(this.#request(task, text), options);
    if (written.kind !== "edit") return written;
    const edit = written.edit;
    const after = edit.apply(text);
    const told = [instruction, ...context.map((piece) => piece.text)];
    const newText = after.slice(...bounds(edit.mapRange(own, "include")));
    const names = imports === undefined ? [] : neededNames({ fileBefore: text, newText, told });
    const answer = (whole: Edit, notes: readonly (string | undefined)[]): ModelStepAnswer => {
      const note = notes.filter((one) => one !== undefined).join(" ");
      return { kind: "edit", edit: workspaceEdit([{ kind: "edit", uri: path, edit: whole }]), ...(note && { note }) };
    };
    if (imports === undefined || names.length === 0) return answer(edit, [written.note]);
    const region = edit.mapRange(imports, "exclude");
    const wanted = names.map((name) => `\`${name}\``).join(", ");
    const importing = {
      ...this.#request(task, after),
      ranges: [region],
      instruction: `The file now says ${wanted}, which it did not before. Import what of these has to be imported, and leave all other imports as they are. If nothing has to be imported, answer "No changes."`,
    };
    const imported = confinedToImports(await this.#write(importing, options), after, region);
    if (imported.kind === "edit") return answer(edit.compose(imported.edit), [written.note, imported.note]);
    const reason =
      imported.kind === "refused" ? `The imports of ${wanted} were not written: ${imported.reason}` : undefined;
    return answer(edit, [written.note, reason]);
  }

  #request({ path, language, regions, instruction, context }: ModelTask, text: string): RewriteRequest {
    const { maxRequests = 3 } = this.#options;
    return {
      ...{ file: { path, text, language }, ranges: regions.slice(0, 1), instruction, context },
      ...{ maxRequests, maxShownTokens: this.#maxShownTokens },
    };
  }

  async #write(request: RewriteRequest, { remember, signal }: ModelRunOptions): Promise<Written> {
    const { model, syntax, guides, formatter } = this.#options;
    const parts = { syntax, ...(guides && { guides }), ...(formatter && { formatter }) };
    const run = rewriteRegions(request, { ...parts, model: noticingNoChanges(remember(model)) }, { signal });
    try {
      for (;;) {
        const step = await run.next();
        if (step.done === true) return writtenOf(step.value, request);
      }
    } catch (error) {
      if (error instanceof NoChanges) return { kind: "unchanged" };
      throw error;
    }
  }
}

type Written =
  | { readonly kind: "edit"; readonly edit: Edit; readonly note?: string }
  | { readonly kind: "unchanged" }
  | { readonly kind: "refused"; readonly reason: string };

function writtenOf(result: RewriteOutcome, { file }: RewriteRequest): Written {
  if (result.kind !== "judged") return { kind: "refused", reason: reasonOf(result) };
  const { outcome, regions } = result;
  if (outcome.kind === "unchanged") return { kind: "unchanged" };
  if (outcome.kind !== "offered") return { kind: "refused", reason: oneParagraph(explainEdit(outcome)) };
  const { edit, warnings } = outcome.proposal;
  // What the model did not end itself may be any beginning of what it meant.
  if (regions.some(({ kind }) => kind !== "whole")) return { kind: "refused", reason: warnings.join(" ") };
  const [change] = edit.changes;
  if (change?.kind !== "edit" || change.uri !== file.path) return { kind: "unchanged" };
  return { kind: "edit", edit: change.edit, ...(warnings.length > 0 && { note: warnings.join(" ") }) };
}

/** Refuses what is not imports alone, where imports alone stood there. */
function confinedToImports(written: Written, text: string, region: TextRange): Written {
  if (written.kind !== "edit" || !isOnlyImports(text.slice(region.start, region.end))) return written;
  const { start, end } = written.edit.mapRange(region, "include");
  if (isOnlyImports(written.edit.apply(text).slice(start, end))) return written;
  return { kind: "refused", reason: "The answer holds other code, too." };
}

function reasonOf(result: Exclude<RewriteOutcome, { kind: "judged" }>): string {
  switch (result.kind) {
    case "bad-region":
      return result.problem.message;
    case "not-held":
      return "The new text cannot be held to a grammar.";
    case "no-text": {
      const said = oneParagraph(result.said);
      return `${printNoText(result.reason)}${said === "" ? "" : ` It said: ${said.slice(0, 200)}`}`;
    }
  }
}

function oneParagraph(text: string): string {
  return text.replaceAll(/\s+/g, " ").trim();
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

function bounds({ start, end }: TextRange): [number, number] {
  return [start, end];
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

/** Thrown where a model says that nothing has to change. */
class NoChanges extends Error {}

/** The same model, but that the answer "No changes." ends the question. */
function noticingNoChanges(model: Model): Model {
  async function* chat(
    ...[request, options]: Parameters<NonNullable<Model["chat"]>>
  ): AsyncGenerator<TextPart, ModelEnd> {
    let text = "";
    const parts = model.chat!(request, options as ModelCallOptions);
    try {
      for (;;) {
        const step = await parts.next();
        if (step.done === true) {
          if (isNoChanges(text)) throw new NoChanges();
          return step.value;
        }
        text += step.value.text;
        yield step.value;
      }
    } finally {
      await parts.return({ reason: "finished" });
    }
  }
  return { ...model, name: model.name, chat };
}

function isNoChanges(answer: string): boolean {
  const said = withoutThoughts(answer)
    .replaceAll(/[`*_"'\s]+/g, " ")
    .trim();
  return /^no changes?(?: (?:are |is )?(?:needed|required|necessary))?[.!]?$/i.test(said);
}
