import { chatThatSaid } from "../edit/index.ts";
import { confineEdit } from "./confine-edit.ts";
import { ChatModelStep, type ChatModelStepOptions } from "./model-step.ts";
import type { ModelStepAnswer, PartOptions } from "./plan-parts.ts";
import type { StepQuestion } from "./step-question.ts";

/**
 * Reads what a person's chat said of a step, just as a model's answer is read: it becomes the block's new text, or else is refused.
 *
 * Nothing outside of the block can be written by it. What the new text seems to want imported is told as a note.
 */
export async function readPastedAnswer(
  question: StepQuestion,
  text: string,
  { signal, ...parts }: Pick<ChatModelStepOptions, "syntax" | "guides" | "formatter"> & PartOptions,
): Promise<ModelStepAnswer> {
  const step = new ChatModelStep({ ...parts, model: chatThatSaid(text), maxRequests: 1, asksForImports: false });
  const task = await step.prepare(question);
  const answer = await step.run(task, question.text, { signal, remember: (model) => model });
  if (answer.kind !== "edit") return answer;
  const { outside, otherFiles } = confineEdit(answer.edit, task.path, task.regions.slice(0, 1));
  if (outside.length === 0 && otherFiles.length === 0) return answer;
  return { kind: "refused", reason: "It writes outside of the block that was asked about." };
}
