/**
 * Takes the pictures of the README and of the walkthrough into `images`:
 * `EMEND_VSIX=FILE npx tsx editors/vscode/take-pictures.mts`.
 *
 * Drives the extension in code-server on a copy of `examples/shop`, without a model.
 */
import { execFileSync } from "node:child_process";
import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { CodeServer } from "./fixtures/code-server.ts";

const own = mkdtempSync(join(tmpdir(), "emend-pictures-"));
const shop = join(own, "shop");
cpSync(join(import.meta.dirname, "../../examples/shop"), shop, { recursive: true });
execFileSync("git", ["init", "--quiet"], { cwd: shop });
const code = await CodeServer.open({
  ...{ vsix: process.env["EMEND_VSIX"]!, workspace: shop },
  environment: {
    ...(process.env as Record<string, string>),
    ...{ EMEND_CACHE_DIR: join(own, "cache"), EMEND_STATE_DIR: join(own, "state") },
  },
  settings: {
    "workbench.activityBar.location": "hidden",
    "editor.parameterHints.enabled": false,
    "editor.quickSuggestions": { other: "off" },
  },
});
const { page } = code;
const take = (name: string) => page.screenshot({ path: join(import.meta.dirname, "images", `${name}.png`) });
try {
  await page.setViewportSize({ width: 900, height: 480 });
  await code.run("View: Close Primary Side Bar");
  await code.openAt("invoices.ts", 1, 1);
  await page.keyboard.press("Control+End");
  const typed = "\nexport function total(orders: readonly Order[]): number {\nreturn orders.reduce";
  await page.keyboard.type(typed, { delay: 60 });
  await page.waitForTimeout(2_000);
  await page.keyboard.type("(");
  await code.ghostText.waitFor();
  await page.waitForTimeout(1_000);
  await take("ghost-text");

  await code.openAt("orders.ts", 13, 17);
  await page.keyboard.press("Control+Shift+ArrowRight");
  await page.keyboard.type("sumOf", { delay: 70 });
  await page.locator(".statusbar-item", { hasText: "next edit in" }).first().waitFor();
  await page.waitForTimeout(1_000);
  await take("next-edit");

  await page.keyboard.press("Escape");
  await code.status.click();
  await page.locator(".quick-input-list .monaco-list-row").first().waitFor();
  await page.waitForTimeout(1_000);
  await take("menu");
} finally {
  await code[Symbol.asyncDispose]();
  rmSync(own, { recursive: true, force: true });
}
