import type { Page, WebSocketRoute } from "playwright-core";
import { afterEach, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { hasBrowser } from "../../src/cli/fixtures/browser.ts";
import { GitRepository } from "../../src/cli/fixtures/git-repository.ts";
import { compiler } from "../../src/cli/fixtures/plan-trial.ts";
import { buildPackage } from "../../src/cli/fixtures/run-cli.ts";
import { type BookPage, fenced, serveBook } from "../../src/cli/fixtures/scripted-book-server.ts";
import type { PlanView } from "../../src/plan/index.ts";
import type { PlanViewParams } from "../../src/server/protocol/plan-protocol.ts";
import { longPlan } from "./fixtures/long-plan.ts";
import { PageVisit, type VisitOptions } from "./fixtures/page-visit.ts";
import { smallShop } from "./fixtures/small-shop.ts";

/** Pages may be slow while many run at the same time. */
const eventually = <Value>(look: () => Value) => expect.poll(look, { timeout: 60_000 });

/**
 * Answers plan requests in place of the server, and returns a function that sends the view of a
 * plan to the page.
 */
async function scriptPlans(
  page: Page,
  first: PlanView,
): Promise<(view: Pick<PlanViewParams, "view" | "isRunning" | "problem" | "doubt" | "diff">) => void> {
  let socket: WebSocketRoute | undefined;
  const paramsOf = (params: Pick<PlanViewParams, "view" | "isRunning">): PlanViewParams => {
    return { plan: params.view.plan, notes: [], isApplied: false, ...params };
  };
  const answers: Readonly<Record<string, unknown>> = {
    "emend/plan/start": { plan: first.plan },
    "emend/plan/show": paramsOf({ view: first, isRunning: true }),
    "emend/plan/list": { plans: [] },
  };
  await page.routeWebSocket(/\/lsp$/, (route) => {
    const server = route.connectToServer();
    socket = route;
    route.onMessage((message) => {
      const { id, method } = JSON.parse(String(message)) as { readonly id?: number; readonly method?: string };
      const answer = answers[method ?? ""];
      if (answer === undefined) server.send(message);
      else route.send(JSON.stringify({ jsonrpc: "2.0", id, result: answer }));
    });
  });
  await page.reload();
  return (params) =>
    socket!.send(JSON.stringify({ jsonrpc: "2.0", method: "emend/plan/view", params: paramsOf(params) }));
}

let visit: PageVisit;
async function open(options: Partial<VisitOptions> = {}): Promise<PageVisit> {
  visit = await PageVisit.open({ files: smallShop, ...options });
  return visit;
}
const canTestPage = hasBrowser();

beforeAll(async () => {
  if (canTestPage && process.env["EMEND_PAGE"] === undefined) await buildPackage();
}, 300_000);
afterEach(async () => visit?.[Symbol.asyncDispose]());

const price = smallShop["src/price.ts"];
const withRate = price.replace("euros: number)", "euros: number, rate: number)").replace("* 100", "* rate");
const renamed = price.replace("price(", "cents(");

/** A model's answer for a block, sent after the page shows the request. */
function answering(name: string, answer: string, whenRequested: () => Promise<void>): BookPage {
  return { expected: [`Now it is about the ${name}`], answer: { deltas: [answer], pace: whenRequested } };
}

describe.runIf(canTestPage)("plans on the page", { timeout: 240_000, retry: 2 }, () => {
  test("a changed signature is propagated through several files with visible progress, and a step is rejected", async () => {
    let hasScreenshot = false;
    const whenRequested = async () => {
      await visit.page.locator(".step-node.requested").first().waitFor();
      if (hasScreenshot || (await visit.page.locator(".step-node.done").count()) === 0) return;
      hasScreenshot = true;
      await visit.screenshot("plan-running");
    };
    const book = await serveBook([
      answering(
        "function total",
        fenced(
          "/** The sum of a cart in cents. */",
          "export function total(list: readonly number[]): number {",
          "  return list.reduce((sum, one) => sum + price(one, 100), 0);",
          "}",
        ),
        whenRequested,
      ),
      answering(
        "function show",
        fenced(
          "export function show(list: readonly number[]): string {",
          '  return [total(list), price(7, 100)].join(" of ");',
          "}",
        ),
        whenRequested,
      ),
      answering(
        "method Invoice.add",
        fenced("  add(euros: number): this {", "    this.#lines.push(price(euros, 100));", "    return this;", "  }"),
        whenRequested,
      ),
      { expected: ["Now it is about"], answer: "No changes." },
    ]);
    onTestFinished(() => book[Symbol.asyncDispose]());
    const settings = JSON.stringify({ edit: { model: book.model } });
    const { page } = await open({ files: { ...smallShop, "emend.config.json": settings } });
    visit.repository.write({ "src/price.ts": withRate });
    await visit.openFile("src/cart.ts");
    const panel = await visit.panel("Plan");
    await panel.getByLabel("Uncommitted changes (git)").check();
    await panel.getByLabel("Verification commands, one per line").fill(`${compiler} --noEmit`);
    await panel.getByLabel("Instruction for the model (optional)").fill("Prices take a rate");
    await visit.screenshot("plan-form");
    await visit.checkAccess();
    await panel.getByRole("button", { name: "Start" }).click();
    await page.locator(".step-node").first().waitFor();
    await panel.getByRole("button", { name: "Apply to files" }).waitFor();
    await page.getByRole("heading", { name: "Changes", exact: true }).waitFor();
    await visit.screenshot("plan-done");
    await visit.checkAccess();
    expect(visit.read("src/cart.ts")).toBe(smallShop["src/cart.ts"]);

    // The list and the graph handle the arrow keys, and select the same step.
    const steps = panel.getByRole("listbox", { name: "Steps" });
    await steps.focus();
    await page.keyboard.press("j");
    await page.keyboard.press("j");
    const chosen = await steps.getByRole("option", { selected: true }).locator(".step-name").textContent();
    await eventually(() => page.locator(".step-node.selected .step-label").textContent()).toBe(chosen);
    await page.locator(".step-node.selected").focus();
    await page.keyboard.press("Home");
    await page.keyboard.press("ArrowRight");
    await eventually(() => page.locator(".step-node:focus").getAttribute("data-step")).not.toBe("1");

    await steps.getByRole("option", { name: /show.*done$/ }).click();
    const detail = page.getByRole("region", { name: /^Step \d+$/ });
    await detail.getByRole("article", { name: "Changes in src/show.ts" }).waitFor();
    await visit.screenshot("plan-step");
    await visit.checkAccess();
    await detail.getByRole("button", { name: "Reject step" }).click();
    await detail.getByLabel(/^Reason \(/).fill("The shop has another rate");
    await page.keyboard.press("Enter");
    // The step is rejected until the type checker has reported that its block has an error then.
    await steps.getByRole("option", { name: /show.*left to you$/ }).waitFor();
    await detail.getByText("Rejected (The shop has another rate); the type checker reports an error here").waitFor();
    await panel.getByRole("button", { name: "Stop" }).waitFor({ state: "detached" });
    await panel
      .getByRole("button", { name: /^Apply/ })
      .first()
      .waitFor();
    await visit.screenshot("plan-rejected");
  });

  test("a step without a repair rule is left to the user, and completed with a chat's answer", async () => {
    const { page } = await open();
    visit.repository.write({ "src/price.ts": withRate });
    const panel = await visit.panel("Plan");
    await panel.getByLabel(/Use the model/).uncheck();
    await panel.getByRole("button", { name: "Start" }).click();
    const steps = panel.getByRole("listbox", { name: "Steps" });
    await steps.getByRole("option", { name: /show.*left to you$/ }).click();
    const detail = page.getByRole("region", { name: /^Step \d+$/ });
    await detail.getByRole("button", { name: "Use a chat" }).click();
    await detail.getByRole("button", { name: "Copy prompt" }).click();
    await detail.getByText("Copied prompt").click();
    expect(await detail.getByLabel("Copied prompt").inputValue()).toContain("function show in src/show.ts");
    await detail
      .getByLabel("Paste the complete answer")
      .fill(
        fenced(
          "export function show(list: readonly number[]): string {",
          "  return [total(list), price(7, 100)].join();",
          "}",
        ),
      );
    await visit.screenshot("plan-chat");
    await visit.checkAccess();
    await detail.getByRole("button", { name: "Use answer" }).click();
    await steps.getByRole("option", { name: /show.*done$/ }).waitFor();
    await detail.getByRole("article", { name: "Changes in src/show.ts" }).waitFor();
  });

  test("a plan of 300 steps is updated while it grows, navigated by keyboard, and filtered", async () => {
    const { page } = await open({ size: { width: 1600, height: 900 } });
    const sendView = await scriptPlans(page, longPlan(1));
    const panel = await visit.panel("Plan");
    await panel.getByRole("button", { name: "Start" }).click();
    await page.locator(".step-node").first().waitFor();
    for (let count = 10; count <= 300; count += 10) sendView({ view: longPlan(count, count - 20), isRunning: true });
    await eventually(() => page.locator(".step-node").count()).toBe(300);
    await visit.screenshot("plan-long");
    sendView({ view: { ...longPlan(300), end: "The open steps are left to you." }, isRunning: false });
    await panel.getByText("left to you").first().waitFor();
    await page.locator('.step-node[tabindex="0"]').focus();
    for (const key of ["ArrowRight", "ArrowDown", "ArrowRight", "ArrowRight"]) await page.keyboard.press(key);
    await page.getByRole("region", { name: /^Step \d+$/ }).waitFor();
    await panel.getByLabel("Filter steps").fill("src/folder3/ function1");
    await eventually(() => page.locator(".step-node").count()).toBeLessThan(10);
    await visit.screenshot("plan-long-filtered");
    await visit.checkAccess();
  });

  test("a plan that failed shows its problem once, within the panel, and that nothing runs", async () => {
    const { page } = await open({ size: { width: 1440, height: 900 } });
    const sendView = await scriptPlans(page, longPlan(8, 4));
    const panel = await visit.panel("Plan");
    await panel.getByRole("button", { name: "Start" }).click();
    await page.locator(".step-node").first().waitFor();
    const problem = `The prompt does not fit. Set \`models["llamacpp:http://127.0.0.1:8080"].contextTokens${"_".repeat(80)}\`.`;
    const diff = "--- a/src/price.ts\n+++ b/src/price.ts\n@@ -1 +1 @@\n-1\n+2\n";
    const view = { ...longPlan(8, 8), end: `The plan failed. ${problem}` };
    sendView({ view, isRunning: false, problem, doubt: `The plan stopped before its end: ${problem}`, diff });
    await panel.getByRole("button", { name: "Apply…" }).click();
    await panel.getByText("The plan stopped before its end.").waitFor();
    expect(await page.getByText("The prompt does not fit.").count()).toBe(1);
    await panel.locator(".notice code").getByText("contextTokens").waitFor();
    await panel.getByText("failed", { exact: true }).waitFor();
    expect(await page.locator(".plan-activity").count()).toBe(0);
    const { scrollWidth, clientWidth } = await panel.evaluate(({ scrollWidth, clientWidth }) => ({
      scrollWidth,
      clientWidth,
    }));
    expect(scrollWidth).toBeLessThanOrEqual(clientWidth);
    const right = (await panel.boundingBox())!.x + clientWidth;
    for (const box of await panel.locator(".notice, .notice code").all()) {
      const { x, width } = (await box.boundingBox())!;
      expect(x + width).toBeLessThanOrEqual(right);
    }
    await visit.screenshot("plan-failed");
    await visit.checkAccess();
  });

  test("a verification command that failed is marked as such, and its reason fits", async () => {
    const { page } = await open();
    const empty = { ...longPlan(0), links: [], verdicts: [] };
    const sendView = await scriptPlans(page, empty);
    const panel = await visit.panel("Plan");
    await panel.getByRole("button", { name: "Start" }).click();
    await panel.getByText("No steps yet.").waitFor();
    expect(await page.getByText("Select a step").count()).toBe(0);
    const summary = `failed: \`nosuchcommand --x\` names a program that was not found. ${"Install the program. ".repeat(20)}`;
    const verdict = {
      round: 0,
      verifier: "nosuchcommand --x",
      verdict: "failed",
      summary,
      findings: [],
      count: 0,
    } as const;
    sendView({ view: { ...empty, verdicts: [verdict] }, isRunning: false });
    const badge = page.locator(".verdict .badge");
    await badge.waitFor();
    expect(await badge.getAttribute("class")).toBe("badge bad");
    const [{ x, width, height }, view] = [
      (await badge.boundingBox())!,
      (await page.locator(".plan-detail").boundingBox())!,
    ];
    expect(x + width).toBeLessThanOrEqual(view.x + view.width);
    expect(height).toBeGreaterThan(30);
    await visit.screenshot("plan-verification-failed");
    await visit.checkAccess();
  });

  test("a plan that runs, and the status, are no longer shown as such when the server has stopped", async () => {
    const { page } = await open();
    await scriptPlans(page, longPlan(8, 4));
    const panel = await visit.panel("Plan");
    await panel.getByRole("button", { name: "Start" }).click();
    await panel.getByRole("button", { name: "Stop" }).waitFor();
    await visit.stopServer();
    await panel.getByText("The plan has stopped, because the connection to the server is lost.").waitFor();
    await panel.getByRole("button", { name: "Continue" }).waitFor();
    expect(await panel.getByRole("button", { name: "Stop" }).count()).toBe(0);
    expect(await page.locator(".plan-activity").count()).toBe(0);
    const status = await visit.panel("Status");
    await status.getByText("Disconnected. Start emend serve again, and open its new address.").waitFor();
    expect(await status.locator(".models").count()).toBe(0);
    await visit.checkAccess();
  });

  test("unsaved files are saved where a plan is started", async () => {
    const { page } = await open();
    await visit.openFile("src/cart.ts");
    const panel = await visit.panel("Plan");
    await page.locator(".native-edit-context").first().focus();
    await page.keyboard.type("// new\n");
    await panel.getByText("src/cart.ts has unsaved changes.").waitFor();
    await panel.getByRole("button", { name: "Save", exact: true }).click();
    await panel.getByText("src/cart.ts has unsaved changes.").waitFor({ state: "detached" });
    expect(visit.read("src/cart.ts")).toMatch(/^\/\/ new\n/);
  });

  test("another folder at the same port has neither the form, nor the plan, nor the switch of the first one", async () => {
    const { page } = await open();
    visit.repository.write({ "src/price.ts": renamed });
    const other = GitRepository.of(smallShop);
    onTestFinished(() => other.remove());
    const turn = async (state: "On" | "Off") => {
      await page.keyboard.press("F1");
      await page.getByRole("combobox", { name: "Name of a command" }).fill(">turn suggestions");
      await page.getByRole("option", { name: `Emend: Turn Suggestions ${state}`, exact: true }).click();
    };
    await visit.openFile("src/show.ts");
    await turn("Off");
    const panel = await visit.panel("Plan");
    await panel.getByLabel("Verification commands, one per line").fill(`${compiler} --noEmit`);
    await panel.getByLabel(/Use the model/).uncheck();
    await panel.getByRole("button", { name: "Start" }).click();
    await panel.getByRole("button", { name: "Apply to files" }).waitFor();

    await visit.serveAnother(other.folder);
    await visit.panel("Plan");
    await panel.getByRole("heading", { name: "New plan" }).waitFor();
    expect(await panel.getByLabel("Verification commands, one per line").inputValue()).toBe("");
    expect(await panel.getByLabel(/Use the model/).isChecked()).toBe(true);
    await panel.getByText("This folder has no plans yet.").waitFor();
    expect(await panel.getByRole("alert").count()).toBe(0);
    await page.getByRole("tab", { name: "cart.ts" }).waitFor();
    await turn("Off");

    // The first folder has its own ones again.
    await visit.serveAnother(visit.repository.folder);
    await visit.panel("Plan");
    await panel.getByRole("button", { name: "Apply to files" }).waitFor();
    await panel.getByRole("button", { name: "All plans" }).click();
    expect(await panel.getByLabel("Verification commands, one per line").inputValue()).toBe(`${compiler} --noEmit`);
    await page.getByRole("tab", { name: "show.ts" }).waitFor();
    await turn("On");
  });

  test("a file that is loaded late changes neither the plan nor the focus", async () => {
    const { page } = await open();
    let release = () => {};
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    await page.route(/\/api\/files?\b/, async (route) => {
      await released;
      await route.continue();
    });
    await scriptPlans(page, longPlan(10));
    const panel = await visit.panel("Plan");
    await panel.getByRole("button", { name: "Start" }).click();
    await page.locator(".step-node").first().waitFor();
    await panel.getByLabel("Filter steps").focus();
    release();
    await page.getByRole("tab", { name: "cart.ts" }).waitFor();
    expect(await page.locator(".step-node").first().isVisible()).toBe(true);
    expect(await panel.getByLabel("Filter steps").and(page.locator(":focus")).count()).toBe(1);
  });

  test("a rename is carried out without a model, applied, and undone by key and by button", async () => {
    const { page } = await open({ scheme: "dark", size: { width: 1600, height: 900 } });
    visit.repository.write({ "src/price.ts": renamed });
    await visit.openFile("src/cart.ts");
    const panel = await visit.panel("Plan");
    await panel.getByLabel(/Use the model/).uncheck();
    await panel.getByRole("button", { name: "Start" }).click();
    await panel.getByRole("button", { name: "Apply to files" }).waitFor();
    await visit.screenshot("plan-dark");
    await visit.checkAccess();
    await panel.getByRole("button", { name: "Apply to files" }).click();
    // An open file is changed in its editor only.
    await panel.getByText("src/cart.ts has unsaved changes.").waitFor();
    expect(visit.read("src/cart.ts")).toBe(smallShop["src/cart.ts"]);
    await panel.getByRole("button", { name: "Save" }).click();
    await panel.getByText("All changes are saved.").waitFor();
    expect(visit.read("src/cart.ts")).toContain("cents(one)");
    expect(visit.read("src/show.ts")).toContain("cents(7)");
    await page.getByRole("tab", { name: "cart.ts" }).click();
    await eventually(() => visit.editorText()).toContain("cents(one)");
    await page
      .locator(".view-lines")
      .first()
      .click({ position: { x: 20, y: 10 } });
    await page.keyboard.press("Control+z");
    await eventually(() => visit.editorText()).toContain("price(one)");
    await page.keyboard.press("Control+y");
    await eventually(() => visit.editorText()).toContain("cents(one)");
    // A file that was closed then, and one that was saved since.
    await visit.openFile("src/invoice.ts");
    await panel.getByRole("button", { name: "Undo" }).click();
    await page.getByText("The changes of the plan were undone.").waitFor();
    for (const path of ["src/show.ts", "src/invoice.ts", "src/cart.ts"] as const)
      expect(visit.read(path)).toBe(smallShop[path]);
    expect(await page.locator(".document-tab .dirty").count()).toBe(0);
    await page.getByRole("tab", { name: "cart.ts" }).click();
    await eventually(() => visit.editorText()).toContain("price(one)");
    // From the view of the plan, each way to a file gives it the focus.
    const inEditor = page.locator(".editor :focus");
    await page.getByRole("tab", { name: "Plan", exact: true }).first().click();
    await page.keyboard.press("Control+p");
    await page.getByRole("combobox", { name: "Path of a file" }).fill("cart");
    await page.keyboard.press("Enter");
    await inEditor.waitFor({ state: "attached" });
    for (const open of ["click", "Enter"] as const) {
      await page.getByRole("tab", { name: "Plan", exact: true }).first().click();
      const item = page.getByRole("treeitem", { name: "cart.ts" });
      if (open === "click") await item.click();
      else await item.press(open);
      await inEditor.waitFor({ state: "attached" });
      // The editor keeps the focus after the frames that follow.
      await page.waitForTimeout(100);
      expect(await inEditor.count()).toBe(1);
      if (open === "click") continue;
      await item.press(open);
      await page.waitForTimeout(100);
      await inEditor.waitFor({ state: "attached" });
    }
    await page.getByRole("tab", { name: "Plan", exact: true }).first().click();

    // The plan is still open after a reload of the page, and undone if it was applied.
    await panel.getByRole("button", { name: "Apply to files" }).click();
    await panel.getByRole("button", { name: "Save" }).click();
    await panel.getByText("All changes are saved.").waitFor();
    await page.reload();
    await (await visit.panel("Plan")).getByRole("listbox", { name: "Steps" }).waitFor();
    await panel.getByRole("button", { name: "Undo" }).click();
    await page.getByText("The changes of the plan were undone.").waitFor();
    for (const path of ["src/show.ts", "src/invoice.ts", "src/cart.ts"] as const)
      expect(visit.read(path)).toBe(smallShop[path]);
    await panel.getByRole("button", { name: "All plans" }).click();
    await page.getByRole("heading", { name: "All plans" }).and(page.locator(":focus")).waitFor();
    const plans = panel.getByRole("region", { name: "All plans" });
    await plans.getByRole("button", { name: /^price → cents\s*4 files, \d+ \w{3}, \d\d:\d\d/ }).waitFor();
    await visit.screenshot("plan-list");
    await visit.checkAccess();

    // Without an open plan, and from another panel.
    await visit.panel("Status");
    await page.keyboard.press("F1");
    await page.keyboard.type("All Plans");
    await page.getByRole("option", { name: "Plan: All Plans" }).waitFor();
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "All plans" }).and(page.locator(":focus")).waitFor();
    expect(visit.errors).toEqual([]);
  });
});
