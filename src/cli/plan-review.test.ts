import { expect, test } from "vitest";
import { cart, cartRenamed, renamed, Shop, show, showRenamed } from "./fixtures/plan-shop.ts";

/** A shop with a renamed function: a plan with two changes. */
async function reviewed(...answers: readonly string[]) {
  const work = new Shop();
  work.write({ "src/price.ts": renamed });
  const { exitCode, err } = await work.run(["plan"], { answers });
  return { work, exitCode, err };
}

test("a review shows each step, and writes the plan when all are kept", async () => {
  const { work, exitCode, err } = await reviewed("r", "y", "y", "y");
  expect([exitCode, work.texts()]).toEqual([0, [renamed, cartRenamed, showRenamed]]);
  expect(err).toContain("Write these 2 files? [y/n, r to review step by step] r\n");
  const seen = err.slice(err.indexOf(" r\n"));
  expect(seen.match(/^\d of 2\. Step \d, round 1: .*$/gm)).toHaveLength(2);
  expect(seen).toContain("  `cents` in src/price.ts was renamed; this block imports it.\n");
  expect(seen).toContain('+import { cents } from "./price";\n');
});

test("a review keeps all remaining steps or writes nothing on request", async () => {
  expect((await reviewed("r", "a", "y")).exitCode).toBe(0);
  const { work, exitCode, err } = await reviewed("review", "y", "quit");
  expect([exitCode, work.texts(), err.endsWith("`emend plan apply` shows the change again and writes it.\n")]).toEqual([
    8,
    [renamed, cart, show],
    true,
  ]);
  // What was looked at can be written later.
  expect((await work.run(["plan", "apply", "--yes"])).exitCode).toBe(0);
});

test.each([
  ["another word is typed, until it is answered", ["r?", "maybe", "no"], 3],
  ["an empty line is typed", [""], 1],
  ["the input ends", ["\u0004"], 1],
])("the question about the plan: %s", async (_, answers, questions) => {
  const { work, exitCode, err } = await reviewed(...answers);
  expect([exitCode, work.texts()]).toEqual([8, [renamed, cart, show]]);
  expect(err.match(/^Write these 2 files\? /gm)).toHaveLength(questions);
  expect(err).toContain("Nothing is written. `emend plan apply` shows the change again");
});

test("a review undoes a rejected step, plans again, and shows the result", async () => {
  const work = new Shop();
  work.write({ "src/price.ts": renamed });
  const { steps } = JSON.parse((await work.run(["plan", "--json", "--dry-run"])).out);
  const changes = (steps as readonly { readonly block: { readonly path: string }; readonly diff?: string }[]).slice(1);
  const words = changes.flatMap(({ block, diff }) =>
    diff === undefined ? [] : [block.path === "src/show.ts" ? "n" : "y"],
  );
  const { exitCode, err } = await work.run(["plan"], { answers: ["r", "?", ...words, "y"] });
  expect([exitCode, work.texts()]).toEqual([0, [renamed, cartRenamed, show]]);
  expect(err.match(/^step \d rejected$/gm)).toHaveLength(1);
  expect(err.match(/^Write this file\? /gm)).toHaveLength(1);
});

test("a review without a terminal asks once", async () => {
  const work = new Shop();
  work.write({ "src/price.ts": renamed });
  const { exitCode, err } = await work.run(["plan"]);
  expect([exitCode, err]).toEqual([8, expect.stringContaining("there is no terminal to confirm at")]);
});
