import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { GitRepository } from "../../src/cli/fixtures/git-repository.ts";
import { renamed, shop } from "../../src/cli/fixtures/plan-shop.ts";
import { buildPackage } from "../../src/cli/fixtures/run-cli.ts";
import { statusLabels } from "../../src/plan/page/step-words.ts";
import { removeFolder } from "../../src/text/node/fixtures/remove-folder.ts";
import { startNeovim, supportedNeovims } from "./fixtures/start.ts";

beforeAll(buildPackage);

describe.each(supportedNeovims)("Neovim $version", (program) => {
  test("a plan continues an uncommitted change, is shown in a buffer, and is applied by a key", async () => {
    const repository = GitRepository.of(shop);
    onTestFinished(() => repository.remove());
    const own = mkdtempSync(join(tmpdir(), "emend-plan-"));
    onTestFinished(() => removeFolder(own));
    const file = (path: string) => join(repository.folder, path);
    repository.write({ "src/price.ts": renamed });
    const environment = {
      ...(process.env as Readonly<Record<string, string>>),
      ...{ EMEND_STATE_DIR: join(own, "state"), EMEND_CACHE_DIR: join(own, "cache") },
    };
    const init = `require("emend").setup({ settings = { model = "builtin" } })`;
    const neovim = startNeovim(program, { environment, folder: repository.folder, init, args: [file("src/cart.ts")] });
    await neovim.until(`return require("emend.client").of(0)`);

    await neovim.lua(`vim.o.hidden = true vim.cmd("Emend plan start")`);
    await neovim.until(`return vim.api.nvim_buf_get_name(0) == "emend://plan"`);
    await neovim.until(`
      local text = table.concat(vim.api.nvim_buf_get_lines(0, 0, -1, true), "\\n")
      return text:find("The plan is done", 1, true) and not text:find("  running:", 1, true)
    `);
    const plan = await neovim.text();
    expect(plan).toMatch(/^Keys: d diff {2}a apply {2}c continue {2}s stop {2}q close;/);
    expect(plan).toContain("your change    function cents in src/price.ts");
    expect(plan).toContain("done           import ./price in src/cart.ts  by rule rename");
    const words = Object.fromEntries(Object.entries(statusLabels).map(([status, { words }]) => [status, words]));
    expect(await neovim.lua(`return require("emend.plan_lines").status_words`)).toEqual(words);

    await neovim.lua(`vim.fn.search("import ./price in src/cart.ts")`);
    await neovim.type("d");
    expect(await neovim.text()).toMatch(/^\+import \{ cents.*\} from ".\/price";$/m);
    await neovim.type("q", "a");
    await neovim.until(`return messages[1]`);
    expect(await neovim.lua(`return messages`)).toEqual(["Emend: applied to src/cart.ts, src/show.ts, not saved yet."]);
    await neovim.type("q");
    expect(await neovim.text()).toMatch(/^import \{ cents/);

    await neovim.lua(`vim.cmd("Emend plan")`);
    await neovim.until(`return vim.api.nvim_buf_get_name(0) == "emend://plans"`);
    const [name] = /(?<=Plan )\S+/.exec(plan)!;
    expect(await neovim.text()).toContain(name);
  });

  test("a plan for a file without a workspace names what makes one, and the status does not wait", async () => {
    const own = mkdtempSync(join(tmpdir(), "emend-plan-"));
    onTestFinished(() => removeFolder(own));
    const environment = {
      ...(process.env as Readonly<Record<string, string>>),
      ...{ EMEND_STATE_DIR: join(own, "state"), EMEND_CACHE_DIR: join(own, "cache") },
    };
    const init = `require("emend").setup({ root_markers = { ".no-such-marker" } })`;
    const neovim = startNeovim(program, { environment, folder: own, init, args: [join(own, "a.ts")] });
    await neovim.until(`return require("emend.client").of(0)`);
    await neovim.lua(`vim.cmd("Emend plan start rename it")`);
    expect(await neovim.lua(`return messages`)).toEqual([
      expect.stringMatching(
        /^Emend: a plan needs a workspace, and no folder above this file has one of \.no-such-marker\./,
      ),
    ]);
    await neovim.lua(`vim.cmd("Emend status")`);
    await neovim.until(`return vim.api.nvim_buf_get_name(0) == "emend://status"`);
    expect(await neovim.text()).toContain("Workspace: none: no folder above these files has one of `root_markers`");
  });
});
