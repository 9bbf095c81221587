import { expect, test } from "vitest";
import { PlanGraph, type PlanStep } from "../../plan/index.ts";
import { type FleetRow, printFleetTable } from "./review-fleet.ts";

/** Steps by their states. */
function graph(...states: readonly PlanStep["status"][]): Pick<FleetRow, "state"> {
  let steps = PlanGraph.empty;
  for (const [index, status] of states.entries()) {
    const block = { path: "a.ts", kind: "function", name: `f${index}` };
    steps = steps.withStep({ id: index + 1, status, block, causes: [], round: 1 } as unknown as PlanStep);
  }
  return { state: { graph: steps } };
}

const api: FleetRow = { name: "api", end: "done", ...graph("done", "unchanged", "dropped"), tokens: 1204 };
const web: FleetRow = { name: "web-app", end: "steps left", ...graph("done", "obligation", "pending"), tokens: 9 };
const gone: FleetRow = { name: "the-oldest-of-all", end: "failed: There is no folder for it, alas." };

test("the table of a fleet aligns numbers, has totals, and prints reasons in full", () => {
  expect(printFleetTable([api, web, gone])).toBe(
    [
      "repository         end         steps  left to you  tokens",
      "api                done            2            0   1,204",
      "web-app            steps left      3            2       9",
      "the-oldest-of-all  failed: There is no folder for it, alas.",
      "all                                5            2   1,213",
      "",
    ].join("\n"),
  );
});

test("the table of a fleet has no totals for one repository, and costs where a price is known", () => {
  expect(printFleetTable([{ ...api, cost: 0.5 }])).toBe(
    "repository  end   steps  left to you  tokens    cost\napi         done      2            0   1,204  0.5000\n",
  );
});
