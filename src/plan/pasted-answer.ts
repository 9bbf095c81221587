import { cannedChatModel } from "../edit/index.ts";
import { confineEdit } from "./confine-edit.ts";
import { ChatModelStep, type ChatModelStepOptions } from "./model-step.ts";
import type { ModelStepAnswer, PartOptions, StepRequest } from "./plan-parts.ts";

/**
 * Reads the answer of any chat for a step like that of a model: it becomes the block's new text or
 * is refused.
 *
 * It cannot change anything outside the block; a note names the imports that the new text seems to
 * need.
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
