/**
 * Replaces advice for the command line in a message by advice for an editor, which has no flags and
 * commands. Other messages stay as they are.
 */
export function toEditorAdvice(message: string): string {
  return replacements.reduce((text, [typed, instead]) => text.replace(typed, instead), message);
}

const replacements: readonly (readonly [RegExp, string])[] = [
  [
    /Make the first change by hand and run this again, or name a place to start: emend plan "INSTRUCTION" --at FILE:LINE\./,
    "Make the first change by hand and start again, or give an instruction for a line.",
  ],
  [/Go to one, name one with --workspace, or give a change with \S+ FILE\./, "Give an instruction for a line."],
  [/, or give a change with \S+ FILE\./, ", or give an instruction for a line."],
  [/: `emend plan` starts one\./, ". Start one."],
  [/: `emend plan list` lists them\./, ". It may have been removed."],
  [/`emend plan continue` includes that; then/, "Continue the plan, which includes that; then"],
  [/`emend plan continue` includes the change\./, "Continue the plan, which includes the change."],
  [/`emend plan continue` continues it\./, "Continue it."],
  [/write the plan's change first with `emend plan apply`/, "apply the plan first"],
  [
    /Name a chat model with --model, or leave it out: steps that no rule can write are then listed\./,
    "Name a chat model, or none: steps that no rule can write are then listed.",
  ],
];
