import { afterEach, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { hasBrowser } from "../../src/cli/fixtures/browser.ts";
import { buildPackage } from "../../src/cli/fixtures/run-cli.ts";
import { serveChat } from "../../src/model/node/fixtures/scripted-chat-server.ts";
import { tooWideElements, widths } from "./fixtures/page-fit.ts";
import { PageVisit } from "./fixtures/page-visit.ts";
import { scriptedRouter } from "./fixtures/scripted-router.ts";
import { smallShop } from "./fixtures/small-shop.ts";

let visit: PageVisit;
const canTestPage = hasBrowser();

beforeAll(async () => {
  if (canTestPage && process.env["EMEND_PAGE"] === undefined) await buildPackage();
}, 300_000);
afterEach(async ({ task }) => {
  if (task.result?.state === "fail") await visit?.screenshot("failed");
  await visit?.[Symbol.asyncDispose]();
});

/** A file whose name has 80 characters. */
const longName = `${"a-name-that-fits-in-no-column-of-the-page-".repeat(2).slice(0, 77)}.ts`;
const longPath = `src/${longName}`;

/** The shop, with 30 more functions that call `price`. */
const files: Readonly<Record<string, string>> = {
  ...smallShop,
  [longPath]: 'import { price } from "./price";\n\nexport const priceOfALongName = () => price(80);\n',
  ...Object.fromEntries(
    Array.from({ length: 15 }, (_, index) => [
      `src/departments/of-the-second-floor/shelf${index}.ts`,
      `import { price } from "../../price";\n
export function cheapestOfAllThingsOnShelf${index}(): number {\n  return price(${index});\n}\n
export function dearestOfShelf${index}(): number {\n  return price(${index + 100});\n}\n`,
    ]),
  ),
};

/** Sizes the window, and shows the files or the panels where they are sheets. */
async function showAt(width: number, part: "Files" | "Panels" | undefined): Promise<void> {
  await visit.page.setViewportSize({ width, height: width === 420 ? 860 : 800 });
  await visit.showSheet(part);
}

/** The texts of the plan's graph that are wider than the box of their step. */
async function textsOutsideNodes(): Promise<readonly string[]> {
  const nodes = visit.page.locator(".graph .step-node");
  expect(await nodes.count()).toBeGreaterThan(30);
  // A relation beside a link would lie on other links.
  expect(await visit.page.locator(".graph-link text").count()).toBe(0);
  return nodes.evaluateAll((all) =>
    all.flatMap((node) => {
      const box = node.querySelector("rect")!.getBoundingClientRect();
      return [...node.querySelectorAll("text")]
        .filter((text) => text.getBoundingClientRect().right > box.right - 2)
        .map(({ textContent }) => textContent ?? "");
    }),
  );
}

/** Resolves when no colour is on its way to that of the other scheme. */
async function endOfTransitions(): Promise<void> {
  // A string, since the types of the browser are not those of tests.
  await visit.page.evaluate(`(async () => {
    const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
    await frame();
    await frame();
    const transitions = document.getAnimations().filter((one) => one instanceof CSSTransition);
    await Promise.allSettled(transitions.map((one) => one.finished));
  })()`);
}

/** Checks what is visible now, in each width and both colour schemes. */
async function checkAll(name: string, part?: "Files" | "Panels"): Promise<void> {
  const found: string[] = [];
  for (const width of widths) {
    await showAt(width, part);
    for (const colorScheme of ["light", "dark"] as const) {
      await visit.page.emulateMedia({ colorScheme });
      await endOfTransitions();
      await visit.screenshot(`${name} ${width} ${colorScheme}`);
      found.push(...(await tooWideElements(visit.page)).map((line) => `${width}: ${line}`));
      found.push(...(await visit.accessViolations()).map((line) => `${width} ${colorScheme}: ${line}`));
    }
  }
  await showAt(1440, undefined);
  expect.soft(found.join("\n"), name).toBe("");
}

describe.runIf(canTestPage)("the page at 1440, 1024 and 420 pixels", { timeout: 300_000, retry: 1 }, () => {
  test("nothing is cut or inaccessible while the page is in use", async () => {
    const server = await serveChat("openai", {
      deltas: [
        "@@ 3 export const priceOfALongName = () => price(80);\n",
        `export const priceOfALongName = () => price(80, ${"1234567890".repeat(20)});\n`,
      ],
      end: "never",
    });
    onTestFinished(() => server[Symbol.asyncDispose]());
    const model = `openai-compatible:${server.url}#a-model-with-a-rather-long-name-q8_0`;
    // The checks run while the model is silent.
    const settings = JSON.stringify({ edit: { model }, models: { [model]: { idleMs: 600_000 } } });
    visit = await PageVisit.open({
      files: { ...files, "emend.config.json": settings },
      size: { width: 1440, height: 800 },
    });
    const { page } = visit;
    await visit.openFile(longPath);
    await checkAll("files and keys", "Files");
    await page.locator(".native-edit-context").first().focus();
    await page.keyboard.press("Control+End");
    await page.keyboard.type("const x = pri", { delay: 40 });
    await page.getByRole("button", { name: /by builtin/ }).waitFor();
    const explain = await visit.panel("Explain");
    await explain.locator(".timeline").waitFor();
    await checkAll("editor");
    await checkAll("explain", "Panels");
    await page.locator(".native-edit-context").first().focus();
    await page.keyboard.press("Control+s");
    await page.locator(".dirty").waitFor({ state: "detached" });

    const edit = await visit.panel("Edit");
    await edit.getByLabel("Instruction").fill("Take a rate");
    await page.keyboard.press("Control+Enter");
    await page.locator(".diff-row.insert").first().waitFor();
    await checkAll("diff", "Panels");
    await edit.getByRole("button", { name: /Stop/ }).click();
    await page.getByRole("button", { name: "Hide keys" }).click();

    const status = await visit.panel("Status");
    await status.getByRole("heading", { name: "Models" }).waitFor();
    await checkAll("status", "Panels");

    visit.repository.write({
      "src/price.ts": smallShop["src/price.ts"].replace("euros: number)", "euros: number, rate: number)"),
    });
    const plan = await visit.panel("Plan");
    await plan.getByLabel("Uncommitted changes (git)").check();
    await checkAll("plan form", "Panels");
    await plan.getByLabel(/Use the model/).uncheck();
    await plan.getByRole("button", { name: "Start" }).click();
    await plan
      .getByRole("option", { name: /left to you$/ })
      .nth(29)
      .waitFor();
    expect(await textsOutsideNodes()).toEqual([]);
    await checkAll("plan", "Panels");
    await plan
      .getByRole("option", { name: /cheapest.*left to you$/ })
      .first()
      .click();
    await page.getByRole("region", { name: /^Step \d+$/ }).waitFor();
    await checkAll("plan step", "Panels");
    expect(visit.errors).toEqual([]);
  });

  test("the whole list of keys is visible at each width, and Escape closes it", async () => {
    visit = await PageVisit.open({ files, size: { width: 1440, height: 800 } });
    const { page } = visit;
    const keys = page.getByRole("complementary", { name: "Keys" });
    const editor = page.locator(".editor");
    for (const width of widths) {
      await showAt(width, undefined);
      await keys.waitFor();
      await visit.screenshot(`keys ${width}`);
      expect.soft(await keys.evaluate((own) => own.scrollHeight - own.clientHeight), `${width}`).toBe(0);
      // The code stays usable above it.
      expect.soft((await editor.boundingBox())!.height, `${width}`).toBeGreaterThan(250);
      await page.locator(".native-edit-context").first().focus();
      await page.keyboard.press("Escape");
      await keys.waitFor({ state: "detached" });
      await page.getByRole("button", { name: "Keys", exact: true }).click();
    }
    // A sheet takes the place of the list, and the button closes the sheet.
    await visit.showSheet("Files");
    await keys.waitFor({ state: "detached" });
    await page.getByRole("button", { name: "Keys", exact: true }).click();
    await keys.waitFor();
    await page.getByRole("button", { name: "Files", exact: true, expanded: false }).waitFor();
    expect(visit.errors).toEqual([]);
  });

  test("nothing is cut or inaccessible while a model is set up", async () => {
    const id = "a-vendor/a-model-with-a-rather-long-name-for-code-of-all-languages-30b-a3b-q8_0";
    const server = await scriptedRouter({ models: [`${id}.gguf`, `${id}-chat.gguf`, "nomic-embed-text-v1.5"] });
    onTestFinished(() => server[Symbol.asyncDispose]());
    visit = await PageVisit.open({
      ...{ files, size: { width: 1440, height: 800 }, environment: { EMEND_MODEL: "builtin" } },
    });
    const status = await visit.panel("Status");
    await status.getByRole("button", { name: "Set up a model" }).click();
    const setup = visit.page.getByRole("region", { name: "Set up a model" });
    await checkAll("set-up");
    await setup.getByLabel("Server address").fill(server.url);
    await setup.getByRole("button", { name: "Look for models" }).click();
    await setup.getByRole("checkbox", { name: /chat/ }).check();
    await checkAll("set-up models");
    await setup.getByRole("button", { name: "Try these 2 models" }).click();
    await setup.getByRole("button", { name: "Use it", exact: true }).click();
    await setup.getByRole("button", { name: "Write", exact: true }).waitFor();
    await checkAll("set-up question");
    await setup.getByRole("button", { name: "Write", exact: true }).click();
    await setup.getByRole("region", { name: "The model is set up" }).waitFor();
    await checkAll("set-up result");
    expect(visit.errors).toEqual([]);
  });
});
