import {
  type EditEngineParts,
  explainEdit,
  printNoText,
  type RegionGuides,
  type RewriteOutcome,
  type RewriteRequest,
  rewriteRegions,
} from "../edit/index.ts";
import { withoutThoughts } from "../formats/index.ts";
import type { Model, ModelCallOptions, ModelEnd, TextPart } from "../model/index.ts";
import { type Edit, EmendError, type TextRange, workspaceEdit } from "../text/index.ts";
import type { ModelTask } from "./model-task.ts";
import { neededNames } from "./needed-names.ts";
import { isOnlyImports } from "./only-imports.ts";
import type { ModelRunOptions, ModelStep, ModelStepAnswer } from "./plan-parts.ts";
import type { StepQuestion } from "./step-question.ts";
import { rewriteRequest, type StepBudget, stepTask, usualStepBudget } from "./step-task.ts";

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
  /** Whether the model is asked for imports that its text seems to need; it is unless told. Where not, a note tells them. */
  readonly asksForImports?: boolean;
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
  readonly #budget: StepBudget;

  /** Throws `EmendError` `model-without-chat` where the model cannot be talked to. */
  constructor(options: ChatModelStepOptions) {
    const { model, maxShownTokens, maxContextTokens } = options;
    if (model.chat === undefined) {
      throw new EmendError("model-without-chat", `${model.name} only completes text: name a model that chats.`);
    }
    this.name = model.name;
    this.#options = options;
    const quarter = model.contextTokens === undefined ? Number.POSITIVE_INFINITY : model.contextTokens >> 2;
    const { counter, ...usual } = usualStepBudget;
    this.#budget = {
      counter: model.tokenCounter ?? counter,
      maxShownTokens: Math.min(maxShownTokens ?? usual.maxShownTokens, quarter),
      maxContextTokens: Math.min(maxContextTokens ?? usual.maxContextTokens, quarter),
    };
  }

  prepare(question: StepQuestion): Promise<ModelTask> {
    return stepTask(question, this.#budget);
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
    if (this.#options.asksForImports === false)
      return answer(edit, [written.note, `It says ${wanted}, which the file did not: look at its imports.`]);
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

  #request(task: ModelTask, text: string): RewriteRequest {
    const { maxRequests = 3 } = this.#options;
    return { ...rewriteRequest(task, text, this.#budget), maxRequests };
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
  if (regions.some(({ kind }) => kind !== "whole")) {
    return {
      kind: "refused",
      reason: `The answer does not end by itself, so it is not used. ${warnings.join(" ")}`.trim(),
    };
  }
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

function bounds({ start, end }: TextRange): [number, number] {
  return [start, end];
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
