import { expect, test } from "vitest";
import type { PlanEvent } from "./plan-event.ts";
import { printPlanEvent } from "./print-plan.ts";

test("printPlanEvent keeps a file's name with a line break on one line", () => {
  const block = { path: "new\nline.ts", kind: "function", name: "f" } as const;
  const found = [
    { id: 1, block, status: "pending", causes: [{ kind: "instruction" }], likelihood: 1, round: 1 },
  ] as const;
  const begun: PlanEvent = { kind: "round-started", round: 1, found, causes: [], moved: [] };
  expect(printPlanEvent(begun)).toBe("Round 1:\n  step 1, to do: function f in new␊line.ts");
  const settled: PlanEvent = {
    kind: "step-settled",
    id: 1,
    status: "unchanged",
    note: "a\r\nb",
    found: [],
    causes: [],
    moved: [],
  };
  expect(printPlanEvent(settled)).toBe("Step 1 is unchanged: a␍␊b");
});
