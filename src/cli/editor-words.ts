/**
 * What the command line says to do, as a person at an editor does it: there are no flags there, and no commands to type. What names none stays as
 * it is.
 */
export function inEditorWords(message: string): string {
  return words.reduce((said, [typed, instead]) => said.replace(typed, instead), message);
}

const words: readonly (readonly [RegExp, string])[] = [
  [
    /Make the first change by hand and run this again, or say where to begin: emend plan "INSTRUCTION" --at FILE:LINE\./,
    "Make the first change by hand and begin again, or say what is to be done at a line.",
  ],
  [/Go to one, name one with --workspace, or give a change with \S+ FILE\./, "Say what is to be done at a line."],
  [/, or give a change with \S+ FILE\./, ", or say what is to be done at a line."],
  [/: `emend plan` begins one\./, ". Begin one."],
  [/: `emend plan list` names them\./, ". It may have been removed."],
  [/`emend plan continue` takes that in(; then| first)/, "Go on with the plan, which takes that in$1"],
  [/`emend plan continue` goes on with it(, and asks what is left)?\./, "Go on with it."],
  [/write the plan's change first with `emend plan apply`/, "apply the plan first"],
  [
    /Name a model that chats with --model, or leave it out: what no rule can write is then listed\./,
    "Name a model that chats, or none: what no rule can write is then listed.",
  ],
];
