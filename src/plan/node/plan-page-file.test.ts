import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { planViewOf } from "../page/plan-view.ts";
import { noPlan } from "../plan-state.ts";
import { PlanPageFile } from "./plan-page-file.ts";

function makeFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "emend-page-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return folder;
}

function viewOf(round: number) {
  return planViewOf({ ...noPlan, plan: "p", round }, []);
}

test("what is shown last is written, for its owner only, and nothing else is left", async () => {
  const folder = makeFolder();
  const page = new PlanPageFile(folder, "p");
  let asked = 0;
  for (let round = 1; round <= 50; round++) {
    page.show(() => {
      asked += 1;
      return viewOf(round);
    });
  }
  expect(await page.close()).toBeUndefined();
  expect(readFileSync(page.path, "utf8")).toContain("Round 50: ");
  // Those that came while another was written are passed over.
  expect(asked).toBe(1);
  expect(readdirSync(join(folder, "p"))).toEqual(["plan.html"]);
  if (process.platform !== "win32") expect(statSync(page.path).mode & 0o777).toBe(0o600);
  page.show(() => viewOf(51));
  await page.close();
  expect(readFileSync(page.path, "utf8")).toContain("Round 51: ");
});

test("while it rests it is not written, and closing ends the rest", async () => {
  const page = new PlanPageFile(makeFolder(), "p");
  const shown: number[] = [];
  const showRound = (round: number) =>
    page.show(() => {
      shown.push(round);
      return viewOf(round);
    });
  showRound(1);
  // The first is on its way, and the others come while it is written or rests.
  while (shown.length === 0) await new Promise((resolve) => setImmediate(resolve));
  for (const round of [2, 3, 4]) showRound(round);
  await page.close();
  expect(shown).toEqual([1, 4]);
});

test("a page that cannot be written says why, and a later one may be", async () => {
  const folder = makeFolder();
  const page = new PlanPageFile(folder, "p");
  mkdirSync(join(page.path, "in-the-way"), { recursive: true });
  page.show(() => viewOf(1));
  expect(await page.close()).toMatch(/^The page of the plan cannot be written: /);
  rmSync(page.path, { recursive: true });
  writeFileSync(page.path, "old");
  page.show(() => viewOf(2));
  expect(await page.close()).toBeUndefined();
});
