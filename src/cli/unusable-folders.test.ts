import { mkdtempSync, realpathSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { removeFolder } from "../text/node/fixtures/remove-folder.ts";
import { GitRepository } from "./fixtures/git-repository.ts";
import { buildPackage, runCli } from "./fixtures/run-cli.ts";

const own = realpathSync(mkdtempSync(join(tmpdir(), "emend-own-")));
const dangling = join(own, "dangling");
const repository = GitRepository.of({
  "price.ts": "export function price(euros: number): number {\n  return euros * 100;\n}\n",
  "cart.ts": 'import { price } from "./price";\n\nexport const total = price(1) + price(2);\n',
});

beforeAll(async () => {
  await buildPackage();
  if (process.platform === "win32") return;
  symlinkSync(join(own, "gone"), dangling);
  repository.write({ "price.ts": "export function cents(euros: number): number {\n  return euros * 100;\n}\n" });
}, 600_000);
afterAll(() => {
  repository.remove();
  removeFolder(own);
});

const folders: readonly (readonly [what: string, folder: string, path: string, code: string])[] = [
  ["a folder under a link without its target", join(dangling, "inner"), dangling, "EEXIST"],
  ...(process.platform === "linux"
    ? [["a folder in /proc", "/proc/emend/inner", "/proc/emend", "ENOENT"] as const]
    : []),
];

const patch =
  "--- a/cart.ts\n+++ b/cart.ts\n@@ -3 +3 @@\n-export const total = price(1) + price(2);\n+export const total = 3;\n";

describe.skipIf(process.platform === "win32").each(folders)("%s", (_, folder, path, code) => {
  const plan = `emend: The folder ${path} cannot be made (${code}). EMEND_STATE_DIR and EMEND_CACHE_DIR set other folders for Emend's data.\n`;
  const edit = "EMEND_STATE_DIR sets another folder.\n";
  const index = "Use --no-cache, or set EMEND_CACHE_DIR.\n";
  test.each([
    ["EMEND_STATE_DIR", "undo", edit, 1],
    ["EMEND_STATE_DIR", "apply --yes -", edit, 1],
    ["EMEND_STATE_DIR", "plan --yes", plan, 1],
    ["EMEND_CACHE_DIR", "plan --yes", plan, 1],
    ["EMEND_CACHE_DIR", "learn", index, 0],
    ["EMEND_CACHE_DIR", "complete cart.ts:3:1", index, 0],
  ])("%s, with emend %s", async (variable, command, message, exitCode) => {
    const environment = {
      EMEND_STATE_DIR: join(own, "state"),
      EMEND_CACHE_DIR: join(own, "cache"),
      [variable]: folder,
    };
    const run = await runCli(command.split(" "), { folder: repository.folder, environment, input: patch });
    expect(run.err).toContain(message);
    expect(run.err).toContain(path);
    expect(run.exitCode).toBe(exitCode);
  });
});
