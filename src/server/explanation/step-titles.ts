/** The titles of the steps of both engines, for every client. */
const stepTitles: Readonly<Record<string, string>> = {
  gate: "Whether to suggest",
  reuse: "Earlier answers",
  sources: "Proposals",
  context: "Context",
  prompt: "Prompt",
  "first-token": "First text of the model",
  model: "Model",
  trim: "End of the text",
  check: "Checks",
  offer: "Suggestion",
};

/** The title of a step of a trace; a step without one keeps its name. */
export function stepTitleOf(step: string): string {
  return stepTitles[step] ?? step.replaceAll("-", " ");
}
