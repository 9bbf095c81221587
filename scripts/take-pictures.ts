/**
 * Takes the screenshots of the README into `docs/images`: `npx tsx scripts/take-pictures.ts`, after
 * a build of the package.
 *
 * Drives the page in Debian's Chromium on a copy of `examples/shop`, without a model.
 */
import { execFileSync } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type Browser, chromium, type Page } from "playwright-core";
import { startServe } from "../src/cli/fixtures/page-client.ts";
import { browserPath } from "../web/tests/fixtures/page-visit.ts";

const repository = fileURLToPath(new URL("../", import.meta.url));
const own = mkdtempSync(join(tmpdir(), "emend-pictures-"));
const shop = join(own, "shop");
if (browserPath === undefined) throw new Error("No Chromium is installed; Debian has one as chromium-headless-shell");

cpSync(join(repository, "examples/shop"), shop, { recursive: true });
const git = (...args: string[]) => execFileSync("git", args, { cwd: shop });
git("init", "--quiet");
git("add", "--all");
git("-c", "user.name=A", "-c", "user.email=a@example.org", "commit", "--quiet", "--message=shop");
const environment = { ...process.env, EMEND_CACHE_DIR: join(own, "cache"), EMEND_STATE_DIR: join(own, "state") };
const server = await startServe([shop, "--no-open"], {
  folder: own,
  environment: environment as Record<string, string>,
});
const browser = await chromium.launch({ executablePath: browserPath, args: ["--no-sandbox"] });
try {
  await take("page", "light", ghostText);
  await take("next-edit", "dark", nextEdit);
  await take("plan", "light", plan);
} finally {
  await browser.close();
  server.child.kill("SIGINT");
  await server.ended;
  rmSync(own, { recursive: true, force: true });
}

/** Opens the page, runs `show`, and takes a screenshot. */
async function take(name: string, colorScheme: "light" | "dark", show: (page: Page) => Promise<void>): Promise<void> {
  const options: Parameters<Browser["newPage"]>[0] = {
    ...{ viewport: { width: 1280, height: 720 }, deviceScaleFactor: 2, colorScheme },
  };
  const page = await browser.newPage(options);
  await page.goto(server.url);
  await page.locator(".monaco-editor .view-line").first().waitFor();
  const keys = page.getByRole("button", { name: "Hide keys" });
  if (await keys.isVisible()) await keys.click();
  await show(page);
  // Animations have ended.
  await page.waitForTimeout(1_000);
  await page.screenshot({ path: join(repository, "docs/images", `${name}.png`) });
  await page.close();
}

async function openFile(page: Page, name: string): Promise<void> {
  await page.getByRole("treeitem", { name, exact: true }).click();
  await page.getByRole("tab", { name }).waitFor();
  await page.locator(".native-edit-context").first().focus();
}

async function ghostText(page: Page): Promise<void> {
  await openFile(page, "invoices.ts");
  await page.keyboard.press("Control+End");
  const typed = "\nexport function total(orders: readonly Order[]): number {\nreturn orders.reduce";
  await page.keyboard.type(typed, { delay: 60 });
  await page.waitForTimeout(1_500);
  await page.keyboard.type("(");
  await page.locator(".ghost-text-decoration").first().waitFor();
}

async function nextEdit(page: Page): Promise<void> {
  await openFile(page, "orders.ts");
  await page.keyboard.press("Control+g");
  const field = page.locator(".quick-input-widget input").first();
  await field.fill(":13:17");
  await page.keyboard.press("Enter");
  await page.keyboard.press("Control+Shift+ArrowRight");
  await page.keyboard.type("sumOf", { delay: 70 });
  await page.getByRole("button", { name: "Accept all 7" }).waitFor();
  await page.keyboard.press("Alt+n");
}

async function plan(page: Page): Promise<void> {
  const orders = join(shop, "src/orders.ts");
  writeFileSync(orders, readFileSync(orders, "utf8").replace("totalOf", "sumOf"));
  await page.getByRole("tab", { name: "Plan" }).click();
  const panel = page.getByRole("tabpanel", { name: "Plan" });
  await panel.getByLabel("Uncommitted changes (git)").check();
  const check = `${join(repository, "node_modules/.bin/tsc")} --noEmit`;
  await panel.getByLabel("Verification commands, one per line").fill(check);
  await panel.getByRole("button", { name: "Start" }).click();
  await panel.getByRole("button", { name: "Apply to files" }).waitFor();
  await panel.getByRole("option", { name: /done$/ }).filter({ hasText: "report" }).first().click();
}
