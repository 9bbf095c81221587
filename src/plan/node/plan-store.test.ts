import { mkdtempSync, realpathSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { removeFolder } from "../../text/node/fixtures/remove-folder.ts";
import { obeysPlanStoreLaws } from "./plan-store.laws.ts";
import { FolderPlanStore } from "./plan-store.ts";

obeysPlanStoreLaws("plans in a folder", async () => {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "emend-store-")));
  onTestFinished(() => removeFolder(folder));
  return new FolderPlanStore(folder);
});
