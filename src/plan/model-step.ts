import { withoutReasoning } from "../answers/index.ts";
import {
  cannedChatModel,
  type EditEngineParts,
  explainEdit,
  printNoText,
  type RegionGuides,
  type RewriteOutcome,
  type RewriteRequest,
  rewriteRegions,
} from "../edit/index.ts";
import { type Model, type ModelCallOptions, type ModelEnd, promptLimits, type TextPart } from "../model/index.ts";
import { type Edit, EmendError, type TextRange, workspaceEdit } from "../text/index.ts";
import { confineEdit } from "./block-rewrite.ts";
import type { ModelTask } from "./plan-event.ts";
import type { ModelRunOptions, ModelStep, ModelStepAnswer, PartOptions, StepRequest } from "./plan-parts.ts";
import { isOnlyImports, neededNames } from "./requested-imports.ts";
import { rewriteRequest, type StepBudget, stepTask, usualStepBudget } from "./step-task.ts";

/** The options of {@link ChatModelStep}. */
export interface ChatModelStepOptions extends Pick<EditEngineParts, "syntax" | "formatter"> {
  /** The model; it must support chat. */
  readonly model: Model;
  /**
   * Guides that keep new text within its language's grammar, so that no answer adds a syntax error.
   */
  readonly guides?: Pick<RegionGuides, "open">;
  /**
   * The most tokens of the block's file in the prompt. Default: 3,000, and at most a quarter of the
   * model's context.
   */
  readonly maxShownTokens?: number;
  /**
   * The most tokens of edits and related code in the prompt. Default: 6,000, and at most a quarter
   * of the model's context.
   */
  readonly maxContextTokens?: number;
  /** The most requests for the block of one step; default: 3. */
  readonly maxRequests?: number;
  /**
   * Whether the model is requested to write the imports that its text seems to need; default:
   * `true`. Otherwise a note names them.
   */
  readonly requestsImports?: boolean;
}

/**
 * Requests from a model the new text of a step's block, and of its file's imports when the new text
 * needs other names.
 *
 * The prompt contains the block in its file (as an outline where that is large), the edits that
 * caused the step, related code, and the causes in words. The answer is the block's text or "No
 * changes.", which limits the cost of an analysis that reports too much. Source: prompt and
 * contexts of CodePlan (Bairi et al. 2024, section 2.3).
 */
export class ChatModelStep implements ModelStep {
  readonly name: string;
  readonly #options: ChatModelStepOptions;

  /**
   * Throws {@link EmendError} with code "model-without-chat" where the model does not support chat.
   */
  constructor(options: ChatModelStepOptions) {
    const { model } = options;
    if (model.chat === undefined) {
      throw new EmendError("model-without-chat", `${model.name} only completes text: name a model that chats.`);
    }
    this.name = model.name;
    this.#options = options;
  }

  /** Builds the task for the model. Rejects as {@link stepTask} does. */
  async prepare(question: StepRequest): Promise<ModelTask> {
    return stepTask(question, await this.#budget());
  }

  /**
   * Sends the task, and a second request where the new text needs imports. Where only these cannot
   * be written, the answer is the edit without them, with a note. Rejects with `ModelError` where
   * the model fails, and with the signal's reason on abort.
   */
  async run(task: ModelTask, text: string, options: ModelRunOptions): Promise<ModelStepAnswer> {
    const { path, regions, instruction, context } = task;
    const [own, imports] = regions as readonly [TextRange, TextRange | undefined];
    const written = await this.#write(await this.#request(task, text), options);
    if (written.kind !== "edit") return written;
    const edit = written.edit;
    const after = edit.apply(text);
    const promptTexts = [instruction, ...context.map((piece) => piece.text)];
    const newText = after.slice(...bounds(edit.mapRange(own, "include")));
    const names = imports === undefined ? [] : neededNames({ fileBefore: text, newText, promptTexts });
    const answer = (fullEdit: Edit, notes: readonly (string | undefined)[]): ModelStepAnswer => {
      const note = notes.filter((one) => one !== undefined).join(" ");
      return {
        kind: "edit",
        edit: workspaceEdit([{ kind: "edit", uri: path, edit: fullEdit }]),
        ...(note && { note }),
      };
    };
    if (imports === undefined || names.length === 0) return answer(edit, [written.note]);
    const region = edit.mapRange(imports, "exclude");
    const wanted = names.map((name) => `\`${name}\``).join(", ");
    if (this.#options.requestsImports === false)
      return answer(edit, [
        written.note,
        `The new text uses ${wanted}, which the file did not contain: check its imports.`,
      ]);
    const importing = {
      ...(await this.#request(task, after)),
      ranges: [region],
      instruction: `The file now says ${wanted}, which it did not before. Import what of these has to be imported, and leave all other imports as they are. If nothing has to be imported, answer "No changes."`,
    };
    const imported = confinedToImports(await this.#write(importing, options), after, region);
    if (imported.kind === "edit") return answer(edit.compose(imported.edit), [written.note, imported.note]);
    const reason =
      imported.kind === "refused" ? `The imports of ${wanted} were not written: ${imported.reason}` : undefined;
    return answer(edit, [written.note, reason]);
  }

  /**
   * The limits of a task. Only the model's own counter is used: one that is learnt would give a
   * plan that continues other tasks than before.
   */
  async #budget(): Promise<StepBudget> {
    const { model, maxShownTokens, maxContextTokens } = this.#options;
    const { counter, ...usual } = usualStepBudget;
    const { contextTokens = Number.POSITIVE_INFINITY } = await promptLimits(model, { language: "plaintext" });
    const quarter = Math.floor(contextTokens / 4);
    return {
      counter: model.tokenCounter ?? counter,
      maxShownTokens: Math.min(maxShownTokens ?? usual.maxShownTokens, quarter),
      maxContextTokens: Math.min(maxContextTokens ?? usual.maxContextTokens, quarter),
    };
  }

  async #request(task: ModelTask, text: string): Promise<RewriteRequest> {
    const { maxRequests = 3 } = this.#options;
    return { ...rewriteRequest(task, text, await this.#budget()), maxRequests };
  }

  async #write(request: RewriteRequest, { remember, signal }: ModelRunOptions): Promise<Written> {
    const { model, syntax, guides, formatter } = this.#options;
    const parts = { syntax, ...(guides && { guides }), ...(formatter && { formatter }) };
    const run = rewriteRegions(request, { ...parts, model: throwingOnNoChanges(remember(model)) }, { signal });
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
  // Text that the model did not end itself may be an incomplete answer.
  if (regions.some(({ kind }) => kind !== "whole")) {
    return {
      kind: "refused",
      reason: `The answer is incomplete and was not used. ${warnings.join(" ")}`.trim(),
    };
  }
  const [change] = edit.changes;
  if (change?.kind !== "edit" || change.uri !== file.path) return { kind: "unchanged" };
  return { kind: "edit", edit: change.edit, ...(warnings.length > 0 && { note: warnings.join(" ") }) };
}

/** Refuses an edit of the imports that adds other code, where there were only imports. */
function confinedToImports(written: Written, text: string, region: TextRange): Written {
  if (written.kind !== "edit" || !isOnlyImports(text.slice(region.start, region.end))) return written;
  const { start, end } = written.edit.mapRange(region, "include");
  if (isOnlyImports(written.edit.apply(text).slice(start, end))) return written;
  return { kind: "refused", reason: "The answer contains other code, too." };
}

function reasonOf(result: Exclude<RewriteOutcome, { kind: "judged" }>): string {
  switch (result.kind) {
    case "bad-region":
      return result.problem.message;
    case "no-grammar":
      return "The new text cannot be held to a grammar.";
    case "no-text": {
      const answerText = oneParagraph(result.answer);
      return `${printNoText(result.reason)}${answerText === "" ? "" : ` The answer was: ${answerText.slice(0, 200)}`}`;
    }
  }
}

function oneParagraph(text: string): string {
  return text.replaceAll(/\s+/g, " ").trim();
}

function bounds({ start, end }: TextRange): [number, number] {
  return [start, end];
}

/** Thrown when the model answers that nothing has to change. */
class NoChanges extends Error {}

/** Wraps a model so that the answer "No changes." throws {@link NoChanges} at its end. */
function throwingOnNoChanges(model: Model): Model {
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
  const answerText = withoutReasoning(answer)
    .replaceAll(/[`*_"'\s]+/g, " ")
    .trim();
  return /^no changes?(?: (?:are |is )?(?:needed|required|necessary))?[.!]?$/i.test(answerText);
}

/**
 * Reads the answer of any chat for a step like that of a model: it becomes the block's new text or
 * is refused.
 *
 * It cannot change anything outside the block; a note names the imports that the new text seems to
 * need. Rejects as {@link stepTask} does, and with the signal's reason.
 */
export async function readPastedAnswer(
  question: StepRequest,
  text: string,
  { signal, ...parts }: Pick<ChatModelStepOptions, "syntax" | "guides" | "formatter"> & PartOptions,
): Promise<ModelStepAnswer> {
  const step = new ChatModelStep({ ...parts, model: cannedChatModel(text), maxRequests: 1, requestsImports: false });
  const task = await step.prepare(question);
  const answer = await step.run(task, question.text, { signal, remember: (model) => model });
  if (answer.kind !== "edit") return answer;
  const { outside, otherFiles } = confineEdit(answer.edit, task.path, task.regions.slice(0, 1));
  if (outside.length === 0 && otherFiles.length === 0) return answer;
  return { kind: "refused", reason: "The answer changes code outside the step's block." };
}
