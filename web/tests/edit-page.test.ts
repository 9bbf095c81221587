import { afterEach, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { hasBrowser } from "../../src/cli/fixtures/browser.ts";
import { buildPackage } from "../../src/cli/fixtures/run-cli.ts";
import { serveChat } from "../../src/model/node/fixtures/scripted-chat-server.ts";
import { PageVisit, type VisitOptions } from "./fixtures/page-visit.ts";
import { smallShop } from "./fixtures/small-shop.ts";

/** Pages may be slow while many run at the same time. */
const eventually = <Value>(look: () => Value) => expect.poll(look, { timeout: 60_000 });

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

const block = (path: string, search: string, replace: string) =>
  `${path}\n<<<<<<< SEARCH\n${search}\n=======\n${replace}\n>>>>>>> REPLACE\n`;

/** The answer of a chat: two changes of one file, and one of another. */
const pasted = [
  "Here is the change:\n\n",
  block(
    "src/cart.ts",
    "export function total(list: readonly number[]): number {\n  return list.reduce((sum, one) => sum + price(one), 0);",
    "export function total(list: readonly number[], rate = 100): number {\n  return list.reduce((sum, one) => sum + price(one, rate), 0);",
  ),
  block(
    "src/cart.ts",
    "export function isFree(list: readonly number[]): boolean {\n  return total(list) === 0;",
    "export function isFree(list: readonly number[]): boolean {\n  return list.every((one) => one === 0);",
  ),
  block(
    "src/price.ts",
    "export function price(euros: number): number {\n  return Math.round(euros * 100);",
    "export function price(euros: number, rate = 100): number {\n  return Math.round(euros * rate);",
  ),
].join("\n");

/** Opens the Edit panel, and has it read {@link pasted}. */
async function readPasted() {
  const panel = await visit.panel("Edit");
  await panel.getByLabel("Chat (copy and paste)").check();
  await panel.getByLabel("Paste the complete answer").fill(pasted);
  await panel.getByRole("button", { name: "Read answer" }).click();
  return panel;
}

describe.runIf(canTestPage)("the Edit panel of the page", { timeout: 240_000, retry: 2 }, () => {
  test("a chat's answer is pasted, reviewed, applied and undone", async () => {
    const { page } = await open();
    await visit.openFile("src/cart.ts");
    const panel = await visit.panel("Edit");
    await panel.getByLabel("Instruction").fill("Take a rate");
    await panel.getByRole("button", { name: "+ Add file" }).click();
    await panel.getByText("A file of this folder, or a new one.").waitFor();
    await panel.getByRole("combobox").fill("/home/me/price.ts");
    await panel.getByText("Type a path that starts in this folder, such as src/price.ts.").waitFor();
    await visit.checkAccess();
    await panel.getByRole("combobox").fill("scr/price.ts");
    await panel.getByRole("option", { name: "price.ts (new file, new folder scr)" }).waitFor();
    await panel.getByRole("combobox").fill("price");
    await panel.getByRole("option", { name: "src/price.ts" }).waitFor();
    // Enter adds a file of the typed path, also before its list is visible.
    await panel.getByRole("combobox").fill("src/pr");
    await page.keyboard.press("Enter");
    await panel.getByRole("button", { name: "Remove src/price.ts" }).waitFor();
    await page.keyboard.press("Escape");
    await panel.getByLabel("Chat (copy and paste)").check();
    // The key does what the button does.
    const field = panel.getByLabel("Instruction");
    await field.fill("");
    await field.press("Control+Enter");
    const messages = page.getByRole("log");
    await messages.getByText("Enter an instruction.").waitFor();
    await field.fill("Take a rate");
    await field.press("Control+Enter");
    await messages.getByText(/Prompt copied|denied access to the clipboard/).waitFor();
    await panel.getByText("Copied prompt").click();
    const prompt = await panel.getByLabel("Copied prompt").inputValue();
    expect(prompt).toContain("Take a rate");
    expect(prompt).toContain("export function price(euros: number)");
    await panel.getByLabel("Paste the complete answer").fill(pasted);
    await page.keyboard.press("Control+Enter");
    const change = page.getByRole("region", { name: "Proposed change" });
    await change.getByRole("article", { name: "Changes in src/cart.ts" }).waitFor();
    await change.locator(".token-keyword").first().waitFor();
    await visit.screenshot("edit-pasted");
    await visit.checkAccess();
    expect(visit.read("src/price.ts")).toBe(smallShop["src/price.ts"]);
    await panel.getByRole("button", { name: "Accept", exact: true }).click();
    await panel.getByText("Changed 2 files.").waitFor();
    // A closed file is written to disk; an open file is changed in its editor.
    expect(visit.read("src/price.ts")).toContain("rate = 100");
    await eventually(() => visit.editorText()).toContain("rate = 100");
    await panel.getByText("src/cart.ts has unsaved changes.").waitFor();
    await panel.getByRole("button", { name: "Undo" }).click();
    await panel.getByText("The change was undone.").waitFor();
    expect(visit.read("src/price.ts")).toBe(smallShop["src/price.ts"]);
    expect(visit.errors).toEqual([]);
  });

  test("an error message covers no panel, and Escape closes the message unless a field handles the key", async () => {
    const { page } = await open();
    await visit.openFile("src/cart.ts");
    const panel = await visit.panel("Edit");
    const field = panel.getByLabel("Instruction");
    await panel.getByLabel("Model", { exact: true }).check();
    await field.focus();
    await page.keyboard.press("Control+Enter");
    const error = page.getByRole("log").getByText("Enter an instruction.");
    await error.waitFor();
    const [message, panelBox] = [await error.boundingBox(), await panel.boundingBox()];
    expect(message!.x + message!.width).toBeLessThan(panelBox!.x);
    await panel.getByRole("button", { name: "+ Add file" }).click();
    await panel.locator("[role=combobox]:focus").waitFor();
    await page.keyboard.press("Escape");
    await panel.getByRole("combobox").waitFor({ state: "detached" });
    expect(await error.isVisible()).toBe(true);
    await field.focus();
    await page.keyboard.press("Escape");
    await error.waitFor({ state: "detached" });
  });

  test("a model's change is shown while the model writes, accepted, and undone by key", async () => {
    const lines = [
      "@@ 2-4 export function price | }\n",
      "export function price(euros: number, currency: Currency): number {\n",
      "  const cents = Math.round(euros * rates[currency] * 100);\n",
      "  if (!Number.isSafeInteger(cents)) throw new RangeError('No such price: ' + euros);\n",
      "  return cents;\n",
      "}\n",
      "@@ end\n",
    ];
    const deltas = lines.flatMap((line) => [line.slice(0, 9), line.slice(9)]);
    const seen: string[] = [];
    let isOver = false;
    const isNew = (line: string) => !line.startsWith("@@") && !smallShop["src/price.ts"].includes(line);
    const pace = async (delta: number) => {
      // A line is sent after the page shows the previous line.
      const before = lines[(delta >> 1) - 1];
      if (isOver || delta % 2 === 1 || before === undefined || !isNew(before)) return;
      const row = visit.page.locator(".diff-row.insert.writing", { hasText: before.trim() });
      await row.waitFor();
      seen.push(before.trim());
      if (seen.length === 3) {
        await visit.screenshot("edit-live");
        await visit.checkAccess();
      }
    };
    const server = await serveChat("openai", { deltas, pace });
    onTestFinished(() => {
      isOver = true;
      return server[Symbol.asyncDispose]();
    });
    const settings = JSON.stringify({ edit: { model: `openai-compatible:${server.url}#demo` } });
    const { page } = await open({ files: { ...smallShop, "emend.config.json": settings } });
    await visit.openFile("src/price.ts");
    const panel = await visit.panel("Edit");
    await panel.getByRole("radio", { name: "Model", checked: true }).waitFor();
    await panel.getByLabel("Instruction").fill("Take a currency");
    await page.keyboard.press("Control+Enter");
    await page.getByRole("region", { name: "Proposed change" }).waitFor();
    await panel.getByRole("button", { name: "Accept", exact: true }).waitFor();
    expect(seen.length).toBeGreaterThan(3);
    await visit.screenshot("edit-review");
    await page.keyboard.press("Control+Enter");
    await panel.getByText("Changed src/price.ts.").waitFor();
    await page.getByRole("tab", { name: "price.ts" }).click();
    await page
      .locator(".view-lines")
      .first()
      .click({ position: { x: 20, y: 10 } });
    await page.keyboard.press("Control+z");
    await eventually(() => visit.editorText()).not.toContain("currency");
    expect(visit.errors).toEqual([]);
  });

  test("Escape and the Stop button stop a model request without a change and without another request", async () => {
    const server = await serveChat("openai", {
      deltas: ["@@ 3 return\n", "  return 7;\n", "  // and"],
      end: "never",
    });
    onTestFinished(() => server[Symbol.asyncDispose]());
    const settings = JSON.stringify({ edit: { model: `openai-compatible:${server.url}#demo` } });
    const { page } = await open({ files: { ...smallShop, "emend.config.json": settings } });
    await visit.openFile("src/price.ts");
    const panel = await visit.panel("Edit");
    await panel.getByLabel("Instruction").fill("Answer seven");
    await panel.getByRole("button", { name: "Send to model" }).click();
    await page.locator(".diff-row.insert", { hasText: "return 7;" }).waitFor();
    await page.getByRole("region", { name: "Proposed change" }).focus();
    await page.keyboard.press("Escape");
    await panel.getByRole("button", { name: "Send to model" }).waitFor();
    await server.closedEarly;
    await eventually(() => visit.editorText()).toContain("euros * 100");
    await panel.getByRole("button", { name: "Send to model" }).click();
    await page.locator(".diff-row.insert", { hasText: "return 7;" }).waitFor();
    await panel.getByRole("button", { name: "Stop" }).click();
    await page.getByRole("tab", { name: "Edit", exact: true }).nth(1).waitFor({ state: "detached" });
    await panel.getByRole("button", { name: "Send to model" }).waitFor();
    expect(server.calls.length).toBe(2);
  });

  test("a part of a change is deselected and not applied", async () => {
    const { page } = await open();
    await visit.openFile("src/cart.ts");
    const panel = await readPasted();
    await page.getByRole("article", { name: "Changes in src/price.ts" }).getByLabel("Include file").uncheck();
    await panel.getByRole("button", { name: "Accept 1 of 2" }).click();
    await panel.getByText("Changed src/cart.ts.").waitFor();
    expect(visit.read("src/price.ts")).toBe(smallShop["src/price.ts"]);
  });

  test("accepting keeps what was typed in other lines since, and names the file where a line of the change was typed in", async () => {
    const { page } = await open();
    await visit.openFile("src/price.ts");
    const panel = await readPasted();
    await page.getByRole("article", { name: "Changes in src/price.ts" }).waitFor();
    await page.getByRole("tab", { name: "price.ts" }).click();
    await page.locator(".view-lines").first().click();
    await page.keyboard.press("Control+Home");
    await page.keyboard.press("ArrowDown");
    await page.keyboard.type("x");
    await panel.getByRole("button", { name: "Accept", exact: true }).click();
    await panel.getByText("src/price.ts was changed since in the same lines.").waitFor();
    expect(visit.read("src/cart.ts")).toBe(smallShop["src/cart.ts"]);
    await page.locator(".view-lines").first().click();
    await page.keyboard.press("Control+z");
    await page.keyboard.press("Control+End");
    await page.keyboard.type("// Mine.");
    await panel.getByRole("button", { name: "Accept", exact: true }).click();
    await panel.getByText("Changed 2 files.").waitFor();
    await eventually(() => visit.editorText()).toContain("rate = 100");
    expect(await visit.editorText()).toContain("// Mine.");
  });

  test("a change that was saved is undone after a reload of the page, in the editor and on disk", async () => {
    const { page } = await open();
    await visit.openFile("src/cart.ts");
    const panel = await readPasted();
    await panel.getByRole("button", { name: "Accept", exact: true }).click();
    await panel.getByRole("button", { name: "Save" }).click();
    await eventually(() => visit.read("src/cart.ts")).toContain("rate = 100");
    await page.reload();
    await visit.panel("Edit");
    await panel.getByText("Last saved edit in 2 files: an answer of a chat").waitFor();
    await visit.openFile("src/cart.ts");
    await eventually(() => visit.editorText()).toContain("rate = 100");
    await visit.screenshot("edit-last");
    await visit.checkAccess();
    await panel.getByRole("button", { name: "Undo" }).click();
    await panel.getByText("Undone in 2 files: an answer of a chat").waitFor();
    for (const path of ["src/cart.ts", "src/price.ts"] as const) expect(visit.read(path)).toBe(smallShop[path]);
    await eventually(() => visit.editorText()).not.toContain("rate = 100");
    expect(visit.errors).toEqual([]);
  });

  test("the failure of a model disappears when the chat is selected", async () => {
    await open({ files: { ...smallShop, "emend.config.json": '{ "edit": { "model": "builtin" } }' } });
    await visit.openFile("src/cart.ts");
    const panel = await visit.panel("Edit");
    await panel.getByLabel("Instruction").fill("Take a rate");
    await panel.getByLabel("Model", { exact: true }).check();
    await panel.getByRole("button", { name: "Send to model" }).click();
    await panel.getByText("No model is configured for edits.").waitFor();
    await panel.getByLabel("Chat (copy and paste)").check();
    await panel.getByText("No model is configured for edits.").waitFor({ state: "detached" });
  });

  test("without a model the Edit panel selects a chat, names the setting and opens the setup of a model", async () => {
    const { page } = await open({
      files: { ...smallShop, "emend.config.json": '{ "edit": { "model": "builtin" } }' },
      scheme: "dark",
    });
    await visit.openFile("src/cart.ts");
    const panel = await visit.panel("Edit");
    await panel.getByLabel("Instruction").fill("Take a rate");
    await panel.getByText("No chat model is set.").waitFor();
    expect(await panel.getByLabel("Chat (copy and paste)").isChecked()).toBe(true);
    await panel.getByRole("button", { name: "Copy prompt" }).waitFor();
    await visit.checkAccess();
    await panel.getByLabel("Model", { exact: true }).check();
    await panel.getByRole("button", { name: "Send to model" }).click();
    await panel.getByText("No model is configured for edits.").waitFor();
    await panel.getByText('{ "edit": { "model": "ollama:qwen2.5-coder:7b" } }').waitFor();
    await panel.getByText("in your own").waitFor();
    await visit.screenshot("edit-no-model-dark");
    await visit.checkAccess();
    await panel.getByRole("button", { name: "Use a chat instead" }).click();
    await panel.getByRole("button", { name: "Copy prompt" }).waitFor();
    await panel.locator(".edit-no-model").getByRole("button", { name: "Set up a model" }).click();
    await page.getByRole("heading", { name: "Set up a model" }).waitFor();
  });
});
