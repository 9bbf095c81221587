import { existsSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { removeFolder } from "../../text/node/fixtures/remove-folder.ts";
import { canTakeOutSettings, findSettingsFile, takeOutSettings, trustFolder } from "./settings-file.ts";

test.each([
  ["no file", undefined, '{ "trust": ["/w"] }'],
  ["other settings", '{\n  // Mine.\n  "model": "builtin"\n}\n', '{ // Mine.\n "model": "builtin", "trust": ["/w"] }'],
  ["other folders", '{ "trust": ["~/work"] }', '{ "trust": ["~/work", "/w"] }'],
])("a folder is added to `trust` of the user's own file, and taken out again: %s", async (_, before, after) => {
  const folder = mkdtempSync(join(tmpdir(), "emend-trust-"));
  onTestFinished(() => removeFolder(folder));
  const file = join(folder, "emend.config.json");
  if (before !== undefined) writeFileSync(file, before);
  const setupState = join(folder, "state");
  const canTakeOut = async () => canTakeOutSettings(await findSettingsFile(folder), setupState);
  expect(await canTakeOut()).toBe(false);
  expect(await trustFolder("/w", { userFolder: folder, setupState })).toEqual({ kind: "trusted", file });
  const text = readFileSync(file, "utf8");
  const values = (written: string): unknown => JSON.parse(written.replace(/\/\/ Mine\./, ""));
  expect([values(text), text.includes("// Mine.")]).toEqual([values(after), after.includes("// Mine.")]);
  expect(await canTakeOut()).toBe(true);
  await takeOutSettings(await findSettingsFile(folder), setupState);
  expect(existsSync(file) ? readFileSync(file, "utf8") : undefined).toBe(before);
  expect(await canTakeOut()).toBe(false);
});

/** The `trust` that reset leaves; in the steps `setup` and `page` trust a folder, `file` writes. */
test.each<readonly [steps: string, left: readonly string[] | undefined]>([
  ["setup /a", undefined],
  ["page /a", ["/a"]],
  ["setup /a, page /b", ["/b"]],
  ["page /a, setup /b", ["/a"]],
  ["page /a, setup /b, page /c, setup /d", ["/a", "/c"]],
  ["setup /a, file /x, page /b", ["/x", "/b"]],
])("reset takes out only the folders that setup trusted: %s", async (steps, left) => {
  const folder = mkdtempSync(join(tmpdir(), "emend-trust-"));
  onTestFinished(() => removeFolder(folder));
  const [file, setupState] = [join(folder, "emend.config.json"), join(folder, "state")];
  for (const step of steps.split(", ")) {
    const [who, root] = step.split(" ");
    if (who === "file") writeFileSync(file, JSON.stringify({ trust: [root] }));
    else await trustFolder(root!, { userFolder: folder, ...(who === "setup" && { setupState }) });
  }
  const canTakeOut = async () => canTakeOutSettings(await findSettingsFile(folder), setupState);
  expect(await canTakeOut()).toBe(/setup(?!.*file)/.test(steps));
  await takeOutSettings(await findSettingsFile(folder), setupState);
  expect(existsSync(file) ? JSON.parse(readFileSync(file, "utf8")).trust : undefined).toEqual(left);
  expect(await canTakeOut()).toBe(false);
});

test("a settings file that is code is not edited, and the line to add is reported", async () => {
  const folder = mkdtempSync(join(tmpdir(), "emend-trust-"));
  onTestFinished(() => removeFolder(folder));
  const file = join(folder, "emend.config.mjs");
  writeFileSync(file, "export default {};\n");
  const report = await trustFolder("/w", { userFolder: folder, setupState: join(folder, "state") });
  expect(report).toEqual({ kind: "by-hand", file, line: 'trust: ["/w"]' });
  expect(readFileSync(file, "utf8")).toBe("export default {};\n");
});
