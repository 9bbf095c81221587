import { expect, test } from "vitest";
import type { PlanStep } from "../plan-graph.ts";
import { planTitleOf } from "./plan-view.ts";

const labels = { R: "RENAME", S: "MMS", A: "AM", D: "DM", "?": undefined } as const;

/**
 * Steps from words: `R price>cents` renames, `S total` changes a signature, `A`, `D` add and
 * delete, `? x` has no known change, and `. x <1` is a step that the plan found because of step 1.
 */
function stepsOf(written: string): readonly PlanStep[] {
  return written.split(", ").map((step, index) => {
    const [mark, names, from] = step.split(" ") as [string, string, string?];
    const [name, nameAfter = name] = names.split(">");
    const label = labels[mark as keyof typeof labels];
    return {
      id: index + 1,
      causes: from === undefined ? [] : [{ kind: "change", from: Number(from.slice(1)), relation: "called-by" }],
      block: { path: "a.ts", kind: "function", name },
      rewrite: { by: { kind: mark === "." ? "mechanical" : "seed" } },
      ...(label && { changes: [{ label, before: { name }, after: { name: nameAfter } }] }),
    } as unknown as PlanStep;
  });
}

test.each([
  ["R Price.total>Price.sum, . cart", "Price.total → Price.sum"],
  ["S total, R price>cents, A more", "price → cents, 2 more"],
  ["A x, S price, . cart <2, . show <2", "price changed its signature, 1 more"],
  ["S total", "total changed its signature"],
  ["A total", "total was added"],
  ["D total", "total was removed"],
  ["? total, ? price", "total changed, 1 more"],
  [". cart", "Consequences of a change"],
])("a plan that begins with %s is called %s", (written, title) => {
  const seeds = [{ kind: "edits", edit: { changes: [] } }] as const;
  expect(planTitleOf({ seeds, graph: { steps: stepsOf(written) } })).toBe(title);
});

test("an instruction and the source of errors come before the first change", () => {
  const graph = { steps: [] };
  expect(planTitleOf({ instruction: " Take a rate\nin cents", seeds: [], graph })).toBe("Take a rate");
  expect(planTitleOf({ seeds: [{ kind: "findings" }], graph })).toBe("Errors of the verification commands");
  const given = { source: "tsc.log", findings: [] };
  expect(planTitleOf({ seeds: [{ kind: "findings", given }], graph })).toBe("Errors of tsc.log");
});
