import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { readMarkup } from "../../analysis/impact/reports/fixtures/read-markup.ts";
import { cart, renamed, Shop, shop, tsconfig } from "../fixtures/plan-shop.ts";

test("a plan's page is written beside its journal, its path is printed, and it can be written again", async () => {
  const work = new Shop();
  work.write({ "src/price.ts": renamed });
  const { err } = await work.run(["plan", "--verify", "tsc:true", "--dry-run"]);
  const [path] = work.pages;
  expect(err).toContain(`The plan as a page: ${path}\n`);
  const page = readFileSync(path!, "utf8");
  expect(page).toContain("cents(one)");
  expect(page).toMatch(/by rule rename[\s\S]*<td>before<\/td><td><code>true<\/code><\/td><td>no findings<\/td>/);
  expect(page).not.toContain("refresh");
  expect((await work.run(["plan", "show", "--html"])).out).toBe(page);
  expect((await work.run(["plan", "show", "--html", "shown.html"])).exitCode).toBe(0);
  expect(work.read("shown.html")).toBe(page);
  const failed = await work.run(["plan", "show", "--html", "no/such/folder.html"]);
  expect([failed.exitCode, failed.err]).toEqual([
    1,
    expect.stringContaining("cannot be written to no/such/folder.html"),
  ]);
});

test("the page of a stopped plan reports this, and the page of its journal has all known steps", async () => {
  const work = new Shop();
  work.write({ "src/price.ts": renamed });
  await work.run(["plan", "--dry-run"]);
  work.cutJournal(2);
  const { out } = await work.run(["plan", "show", "--html"]);
  expect(out).toContain("The plan has not ended yet.");
  expect(out).not.toContain("refresh");
});

test("a block with the name of a tag is text on the page", async () => {
  const tag = 'export const handlers = { "</script><script>alert(1)</script>": 1 };\n';
  const work = new Shop({ "tsconfig.json": tsconfig, "src/price.ts": tag, "src/cart.ts": cart });
  work.write({ "src/price.ts": tag.replace("1 }", "2 }") });
  await work.run(["plan", "Say <b>more</b>.", "--dry-run"]);
  const elements = readMarkup(readFileSync(work.pages[0]!, "utf8"));
  expect(elements.filter(({ name }) => name === "script").length).toBe(1);
  expect(elements.some(({ name, depth }) => name === "b" && depth === 3)).toBe(false);
});

test("the page of a plan that is stopped while it runs reports this", async () => {
  const work = new Shop({ ...shop, "wait.sh": "sleep 60\n" });
  work.write({ "src/price.ts": renamed });
  const stop = new AbortController();
  const running = work.run(["plan", "--verify", "exit:sh wait.sh"], { signal: stop.signal });
  const isShown = () => work.pages.some((path) => readFileSync(path, "utf8").includes("Before round 1"));
  while (!isShown()) await new Promise((resolve) => setTimeout(resolve, 20));
  expect(readFileSync(work.pages[0]!, "utf8")).toContain('http-equiv="refresh"');
  stop.abort();
  const { exitCode, err } = await running;
  expect([exitCode, err]).toEqual([130, expect.stringContaining("`emend plan continue` continues from here.")]);
  const page = readFileSync(work.pages[0]!, "utf8");
  expect(page).toContain("The plan was stopped: <code>emend plan continue</code> continues it.");
  expect(page).not.toContain('http-equiv="refresh"');
});
