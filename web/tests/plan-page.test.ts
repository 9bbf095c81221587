import type { Page, WebSocketRoute } from "playwright-core";
import { afterEach, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { hasBrowser } from "../../src/cli/fixtures/browser.ts";
import { compiler } from "../../src/cli/fixtures/plan-trial.ts";
import { buildPackage } from "../../src/cli/fixtures/run-cli.ts";
import { type BookPage, fenced, serveBook } from "../../src/cli/fixtures/scripted-book-server.ts";
import type { PlanView } from "../../src/plan/index.ts";
import type { PlanViewParams } from "../../src/server/protocol/plan-protocol.ts";
import { longPlan } from "./fixtures/long-plan.ts";
import { PageVisit, type VisitOptions } from "./fixtures/page-visit.ts";
import { smallShop } from "./fixtures/small-shop.ts";

/** Pages may be slow where many run at once. */
const eventually = <Value>(look: () => Value) => expect.poll(look, { timeout: 60_000 });

/** Has plans be told by the test instead of the server; gives what tells how one stands. */
async function scriptPlans(
  page: Page,
  first: PlanView,
): Promise<(view: Pick<PlanViewParams, "view" | "isRunning">) => void> {
  let socket: WebSocketRoute | undefined;
  const paramsOf = (view: PlanView, isRunning: boolean): PlanViewParams => {
    return { plan: view.plan, view, isRunning, notes: [], isApplied: false };
  };
  const answers: Readonly<Record<string, unknown>> = {
    "emend/plan/start": { plan: first.plan },
    "emend/plan/show": paramsOf(first, true),
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
  return ({ view, isRunning }) =>
    socket!.send(JSON.stringify({ jsonrpc: "2.0", method: "emend/plan/view", params: paramsOf(view, isRunning) }));
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

/** What a model says of a block, once the page shows that it is asked about it. */
function answering(name: string, answer: string, whenAsked: () => Promise<void>): BookPage {
  return { expected: [`Now it is about the ${name}`], answer: { deltas: [answer], pace: whenAsked } };
}

describe.runIf(canTestPage)("plans on the page", { timeout: 240_000 }, () => {
  test("a changed signature is propagated through several files and shown meanwhile, and a step is rejected", async () => {
    let isPictured = false;
    const whenAsked = async () => {
      await visit.page.locator(".step-node.asked").first().waitFor();
      if (isPictured || (await visit.page.locator(".step-node.done").count()) === 0) return;
      isPictured = true;
      await visit.picture("plan-running");
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
        whenAsked,
      ),
      answering(
        "function show",
        fenced(
          "export function show(list: readonly number[]): string {",
          '  return [total(list), price(7, 100)].join(" of ");',
          "}",
        ),
        whenAsked,
      ),
      answering(
        "method Invoice.add",
        fenced("  add(euros: number): this {", "    this.#lines.push(price(euros, 100));", "    return this;", "  }"),
        whenAsked,
      ),
      { expected: ["Now it is about"], answer: "No changes." },
    ]);
    onTestFinished(() => book[Symbol.asyncDispose]());
    const settings = JSON.stringify({ edit: { model: book.model } });
    const { page } = await open({ files: { ...smallShop, "emend.config.json": settings } });
    visit.repository.write({ "src/price.ts": withRate });
    await visit.openFile("src/cart.ts");
    const panel = await visit.panel("Plan");
    await panel.getByLabel("What git says is changed").check();
    await panel.getByLabel("Checks that judge, one command a line").fill(`${compiler} --noEmit`);
    await panel.getByLabel("What it is about, if a model is to know").fill("Prices take a rate");
    await visit.picture("plan-form");
    await visit.checkAccess();
    await panel.getByRole("button", { name: "Begin" }).click();
    await page.locator(".step-node").first().waitFor();
    await panel.getByRole("button", { name: "Apply to the files" }).waitFor();
    await page.getByText("What it comes to").waitFor();
    await visit.picture("plan-done");
    await visit.checkAccess();
    expect(visit.read("src/cart.ts")).toBe(smallShop["src/cart.ts"]);

    // The list and the graph are walked by keyboard, and show the same step.
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
    await detail.getByRole("article", { name: "Change of src/show.ts" }).waitFor();
    await visit.picture("plan-step");
    await visit.checkAccess();
    await detail.getByRole("button", { name: "Reject this step" }).click();
    await detail.getByLabel(/^Why\?/).fill("The shop has another rate");
    await page.keyboard.press("Enter");
    await steps.getByRole("option", { name: /show.*rejected$/ }).waitFor();
    await panel.getByRole("button", { name: "Stop" }).waitFor({ state: "detached" });
    await panel
      .getByRole("button", { name: /^Apply/ })
      .first()
      .waitFor();
    await visit.picture("plan-rejected");
  });

  test("a step without a repair rule is left to the person, and finished with a chat's answer", async () => {
    const { page } = await open();
    visit.repository.write({ "src/price.ts": withRate });
    const panel = await visit.panel("Plan");
    await panel.getByLabel(/Ask the model/).uncheck();
    await panel.getByRole("button", { name: "Begin" }).click();
    const steps = panel.getByRole("listbox", { name: "Steps" });
    await steps.getByRole("option", { name: /show.*left to you$/ }).click();
    const detail = page.getByRole("region", { name: /^Step \d+$/ });
    await detail.getByRole("button", { name: "Have a chat do it" }).click();
    await detail.getByRole("button", { name: "Copy the prompt" }).click();
    await detail.getByText("What was copied").click();
    expect(await detail.getByLabel("What was copied").inputValue()).toContain("function show in src/show.ts");
    await detail
      .getByLabel("Paste all that it said.")
      .fill(
        fenced(
          "export function show(list: readonly number[]): string {",
          "  return [total(list), price(7, 100)].join();",
          "}",
        ),
      );
    await visit.picture("plan-chat");
    await visit.checkAccess();
    await detail.getByRole("button", { name: "Take the answer" }).click();
    await steps.getByRole("option", { name: /show.*done$/ }).waitFor();
    await detail.getByRole("article", { name: "Change of src/show.ts" }).waitFor();
  });

  test("a plan of three hundred steps is shown as it grows, walked by keys and filtered", async () => {
    const { page } = await open({ size: { width: 1600, height: 900 } });
    const tell = await scriptPlans(page, longPlan(1));
    const panel = await visit.panel("Plan");
    await panel.getByRole("button", { name: "Begin" }).click();
    await page.locator(".step-node").first().waitFor();
    for (let count = 10; count <= 300; count += 10) tell({ view: longPlan(count, count - 20), isRunning: true });
    await eventually(() => page.locator(".step-node").count()).toBe(300);
    await visit.picture("plan-long");
    tell({ view: { ...longPlan(300), end: "The open steps are left to you." }, isRunning: false });
    await panel.getByText("left to you").first().waitFor();
    await page.locator('.step-node[tabindex="0"]').focus();
    for (const key of ["ArrowRight", "ArrowDown", "ArrowRight", "ArrowRight"]) await page.keyboard.press(key);
    await page.getByRole("region", { name: /^Step \d+$/ }).waitFor();
    await panel.getByLabel("Filter the steps").fill("src/folder3/ function1");
    await eventually(() => page.locator(".step-node").count()).toBeLessThan(10);
    await visit.picture("plan-long-filtered");
    await visit.checkAccess();
  });

  test("a file of the form that arrives late changes neither the plan nor the focused field", async () => {
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
    await panel.getByRole("button", { name: "Begin" }).click();
    await page.locator(".step-node").first().waitFor();
    await panel.getByLabel("Filter the steps").focus();
    release();
    await page.getByRole("tab", { name: "cart.ts" }).waitFor();
    expect(await page.locator(".step-node").first().isVisible()).toBe(true);
    expect(await panel.getByLabel("Filter the steps").and(page.locator(":focus")).count()).toBe(1);
  });

  test("a rename is carried out without a model, applied, and undone by key and by button", async () => {
    const { page } = await open({ scheme: "dark", size: { width: 1600, height: 900 } });
    visit.repository.write({ "src/price.ts": renamed });
    await visit.openFile("src/cart.ts");
    const panel = await visit.panel("Plan");
    await panel.getByLabel(/Ask the model/).uncheck();
    await panel.getByRole("button", { name: "Begin" }).click();
    await panel.getByRole("button", { name: "Apply to the files" }).waitFor();
    await visit.picture("plan-dark");
    await visit.checkAccess();
    await panel.getByRole("button", { name: "Apply to the files" }).click();
    // The file that is open has it in its editor alone.
    await panel.getByText("src/cart.ts is not saved yet.").waitFor();
    expect(visit.read("src/cart.ts")).toBe(smallShop["src/cart.ts"]);
    await panel.getByRole("button", { name: "Save it" }).click();
    await panel.getByText("Your files have all of it.").waitFor();
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
    await panel.getByRole("button", { name: "Undo" }).click();
    await eventually(() => visit.read("src/show.ts")).toBe(smallShop["src/show.ts"]);
    await eventually(() => visit.editorText()).toContain("price(one)");

    // Once the page is loaded again the plan is still there.
    await page.reload();
    await (await visit.panel("Plan")).getByRole("listbox", { name: "Steps" }).waitFor();
    await panel.getByRole("button", { name: "All plans" }).click();
    await panel.getByText("Plans of before").waitFor();
    expect(visit.errors).toEqual([]);
  });
});
