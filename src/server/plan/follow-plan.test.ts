import { expect, test } from "vitest";
import { FakeClock } from "../../codebase/fixtures/fake-clock.ts";
import type { PlanEvent } from "../../plan/index.ts";
import { followPlan } from "./follow-plan.ts";
import type { StoredPlanState } from "./plan-host.ts";

/** A plan with so many events, on which somebody works where a `*` follows. */
function stored(sketch: string): StoredPlanState {
  const events = Array.from(
    { length: Number.parseInt(sketch, 10) },
    (_, at): PlanEvent => ({ kind: "plan-resumed", at }),
  );
  return { plan: "p", events, money: {}, isDriven: sketch.endsWith("*"), files: [], left: [] };
}

async function turns(): Promise<void> {
  for (let turn = 0; turn < 20; turn++) await Promise.resolve();
}

/** What is told of a plan that is kept so at each look, and the end; `?` is a look that fails. */
async function told(looks: string, { stopsAfter = Number.POSITIVE_INFINITY } = {}): Promise<string> {
  const clock = new FakeClock();
  const [known, ...rest] = looks.split(" ");
  const said: string[] = [];
  const following = followPlan(stored(known!), {
    clock,
    async read() {
      const next = rest.shift()!;
      if (next === "?") throw new Error("no");
      return stored(next);
    },
    onChange: ({ events, isDriven }) => void said.push(`${events.length}${isDriven ? "*" : ""}`),
    onEnd: (failure) => void said.push(failure === undefined ? "end" : "failed"),
  });
  for (let look = 0; clock.waiting > 0; look++) {
    if (look === stopsAfter) following[Symbol.dispose]();
    clock.advance(500);
    await turns();
  }
  return said.join(" ");
}

test.each([
  ["1* 1* 1* 2* 2 2", "2* 2 end"],
  ["1* 3 3", "3* 3 end"],
  ["1* 1 1", "1 end"],
  ["1* 1 2* 2 2", "2* 2 end"],
  ["1* ?", "failed"],
])("%s", async (looks, said) => expect(await told(looks)).toBe(said));

test("notifies nothing after disposal", async () => {
  expect(await told("1* 2* 3* 4* 4 4", { stopsAfter: 1 })).toBe("2*");
});
