/**
 * Writes `fixtures/default-keys.json`, the keys that VS Code itself uses on each system:
 * `EMEND_VSIX=FILE npx tsx editors/vscode/export-default-keys.mts`.
 *
 * The list is that of *Preferences: Open Default Keyboard Shortcuts (JSON)* of the installed
 * code-server, opened by browsers of three systems.
 */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parse } from "jsonc-parser";
import { CodeServer } from "./fixtures/code-server.ts";

const systems = {
  linux: "X11; Linux x86_64",
  mac: "Macintosh; Intel Mac OS X 10_15_7",
  windows: "Windows NT 10.0; Win64; x64",
};

const workspace = mkdtempSync(join(tmpdir(), "emend-keys-"));
const code = await CodeServer.open({
  ...{ vsix: process.env["EMEND_VSIX"]!, workspace, settings: {} },
  environment: process.env as Record<string, string>,
});
const lists: Record<string, readonly string[]> = {};
try {
  const address = code.page.url();
  for (const [system, platform] of Object.entries(systems)) {
    const context = await code.page
      .context()
      .browser()!
      .newContext({
        userAgent: `Mozilla/5.0 (${platform}) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36`,
        permissions: ["clipboard-read", "clipboard-write"],
      });
    const page = await context.newPage();
    page.setDefaultTimeout(120_000);
    await page.goto(address);
    await page.locator(".statusbar-item").first().waitFor();
    await page.keyboard.press("F1");
    const input = page.locator(".quick-input-widget input").first();
    await input.waitFor();
    await input.fill(">Preferences: Open Default Keyboard Shortcuts (JSON)");
    await page
      .locator(".quick-input-list .monaco-list-row.focused", { hasText: "Default Keyboard Shortcuts" })
      .waitFor();
    await page.keyboard.press("Enter");
    await page.locator(".view-lines", { hasText: "Override" }).waitFor();
    await page.locator(".view-line").first().click();
    await page.evaluate('navigator.clipboard.writeText("")');
    // The browser runs on Linux, whatever it calls itself: it copies by Ctrl+C.
    await page.keyboard.press(system === "mac" ? "Meta+ArrowUp" : "Control+Home");
    await page.keyboard.press(system === "mac" ? "Meta+Shift+ArrowDown" : "Control+Shift+End");
    await page.waitForTimeout(1_000);
    await page.keyboard.press("Control+c");
    await page.waitForTimeout(3_000);
    const text = await page.evaluate<string>("navigator.clipboard.readText()");
    const bindings = parse(text) as readonly { readonly key: string; readonly command: string }[];
    const own = bindings.filter(({ command }) => !command.startsWith("emend."));
    lists[system] = [...new Set(own.map(({ key }) => key))].toSorted();
    console.log(system, bindings.length, lists[system]!.length);
    await context.close();
  }
} finally {
  await code[Symbol.asyncDispose]();
  rmSync(workspace, { recursive: true, force: true });
}
writeFileSync(join(import.meta.dirname, "fixtures/default-keys.json"), JSON.stringify(lists));
