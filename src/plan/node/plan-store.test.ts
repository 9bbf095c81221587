import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { obeysPlanStoreLaws } from "./plan-store.laws.ts";
import { FolderPlanStore } from "./plan-store.ts";

obeysPlanStoreLaws("plans in a folder", async () => {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "emend-store-")));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return new FolderPlanStore(folder);
});
