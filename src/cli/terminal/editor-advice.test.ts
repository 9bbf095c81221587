import { expect, test } from "vitest";
import { toEditorAdvice } from "../plan/disk-plan-host.ts";

test.each([
  [
    'Nothing differs between HEAD and the work tree. Make the first change by hand and run this again, or name a place to start: emend plan "INSTRUCTION" --at FILE:LINE.',
    "Nothing differs between HEAD and the work tree. Make the first change by hand and start again, or give an instruction for a line.",
  ],
  [
    "/w is not in a git repository. Go to one, name one with --workspace, or give a change with --seed FILE.",
    "/w is not in a git repository. Give an instruction for a line.",
  ],
  [
    "There is no git on this machine. Install it, or give a change with --seed FILE.",
    "There is no git on this machine. Install it, or give an instruction for a line.",
  ],
  [
    "To start with the instruction itself, name its place with --at FILE:LINE.",
    "To start with the instruction itself, give it for a line.",
  ],
  ["There is no plan x: `emend plan list` lists them.", "There is no plan x. It may have been removed."],
  [
    "a.ts changed since the plan stopped. `emend plan continue` includes that; then the step can be rejected.",
    "a.ts changed since the plan stopped. Continue the plan, which includes that; then the step can be rejected.",
  ],
  ["The plan has not ended. `emend plan continue` continues it.", "The plan has not ended. Continue it."],
  ["Step 1 is done.", "Step 1 is done."],
])("replaces advice for the command line by advice for an editor: %s", (message, advice) =>
  expect(toEditorAdvice(message)).toBe(advice),
);
