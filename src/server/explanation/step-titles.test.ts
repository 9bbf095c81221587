import { expect, test } from "vitest";
import { stepTitleOf } from "./serve-explanation.ts";

test.each([
  ["gate", "Whether to suggest"],
  ["first-token", "First text of the model"],
  ["a-new-step", "a new step"],
])("the step %s is called %s", (step, title) => expect(stepTitleOf(step)).toBe(title));
