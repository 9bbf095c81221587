import { mkdtempSync, realpathSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { removeFolder } from "../text/node/fixtures/remove-folder.ts";
import { DocsPage } from "./fixtures/docs-page.ts";
import { GitRepository } from "./fixtures/git-repository.ts";

test.each(["docs/complete.md", "docs/impact.md", "docs/next.md"])(
  "the session of %s prints what it shows",
  async (path) => {
    const workspace = GitRepository.of({});
    const own = realpathSync(mkdtempSync(join(tmpdir(), "emend-docs-")));
    onTestFinished(() => {
      workspace.remove();
      removeFolder(own);
    });
    expect.hasAssertions();
    await new DocsPage(path).checkSession(workspace, {
      environment: { ...process.env, EMEND_CACHE_DIR: join(own, "cache"), EMEND_STATE_DIR: join(own, "state") },
    });
  },
);
