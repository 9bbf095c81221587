import { expect, test } from "vitest";
import { inEditorWords } from "./editor-words.ts";

test.each([
  [
    'Nothing differs between HEAD and the work tree. Make the first change by hand and run this again, or say where to begin: emend plan "INSTRUCTION" --at FILE:LINE.',
    "Nothing differs between HEAD and the work tree. Make the first change by hand and begin again, or say what is to be done at a line.",
  ],
  [
    "/w does not lie in a git repository. Go to one, name one with --workspace, or give a change with --seed FILE.",
    "/w does not lie in a git repository. Say what is to be done at a line.",
  ],
  [
    "There is no git on this machine. Install it, or give a change with --seed FILE.",
    "There is no git on this machine. Install it, or say what is to be done at a line.",
  ],
  ["There is no plan x: `emend plan list` names them.", "There is no plan x. It may have been removed."],
  [
    "a.ts changed since the plan was there. `emend plan continue` takes that in; then the step can be rejected.",
    "a.ts changed since the plan was there. Go on with the plan, which takes that in; then the step can be rejected.",
  ],
  [
    "The plan did not come to its end. `emend plan continue` goes on with it, and asks what is left.",
    "The plan did not come to its end. Go on with it.",
  ],
  ["Step 1 is done.", "Step 1 is done."],
])("%s", (typed, said) => expect(inEditorWords(typed)).toBe(said));
