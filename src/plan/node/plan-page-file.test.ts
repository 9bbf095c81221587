import { mkdirSync, mkdtempSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { removeFolder } from "../../text/node/fixtures/remove-folder.ts";
import { planViewOf } from "../page/plan-view.ts";
import { noPlan } from "../plan-state.ts";
import { PlanPageFile } from "./plan-page-file.ts";

function makeFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "emend-page-"));
  onTestFinished(() => removeFolder(folder));
  return folder;
}

function viewOf(round: number) {
  return planViewOf({ ...noPlan, plan: "p", round }, []);
}

test("PlanPageFile writes the last view, and leaves no other file", async () => {
  const folder = makeFolder();
  const page = new PlanPageFile(folder, "p");
  let views = 0;
  for (let round = 1; round <= 50; round++) {
    page.show(() => {
      views += 1;
      return viewOf(round);
    });
  }
  expect(await page.close()).toBeUndefined();
  expect(readFileSync(page.path, "utf8")).toContain("Round 50: ");
  // Views that came while another one was written are skipped.
  expect(views).toBe(1);
  expect(readdirSync(join(folder, "p"))).toEqual(["plan.html"]);
  page.show(() => viewOf(51));
  await page.close();
  expect(readFileSync(page.path, "utf8")).toContain("Round 51: ");
});

test.skipIf(process.platform === "win32")("the page of a plan is readable by its owner only", async () => {
  const page = new PlanPageFile(makeFolder(), "p");
  page.show(() => viewOf(1));
  await page.close();
  expect(statSync(page.path).mode & 0o777).toBe(0o600);
});

test("PlanPageFile does not write during its pause, and close ends the pause", async () => {
  const page = new PlanPageFile(makeFolder(), "p");
  const shown: number[] = [];
  const showRound = (round: number) =>
    page.show(() => {
      shown.push(round);
      return viewOf(round);
    });
  showRound(1);
  // The first view is being written, and the others come meanwhile or during the pause.
  while (shown.length === 0) await new Promise((resolve) => setImmediate(resolve));
  for (const round of [2, 3, 4]) showRound(round);
  await page.close();
  expect(shown).toEqual([1, 4]);
});

test("PlanPageFile returns why a page cannot be written, and writes a later one", async () => {
  const folder = makeFolder();
  const page = new PlanPageFile(folder, "p");
  mkdirSync(join(page.path, "in-the-way"), { recursive: true });
  page.show(() => viewOf(1));
  expect(await page.close()).toMatch(/^The page of the plan cannot be written: /);
  removeFolder(page.path);
  writeFileSync(page.path, "old");
  page.show(() => viewOf(2));
  expect(await page.close()).toBeUndefined();
});
