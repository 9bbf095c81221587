import { afterEach, beforeAll, beforeEach, expect, onTestFinished, test } from "vitest";
import { buildPackage } from "../../src/cli/fixtures/run-cli.ts";
import { ServerWorkspace } from "../../src/cli/fixtures/server-workspace.ts";
import { findNeovims, Neovim } from "../neovim/fixtures/neovim.ts";
import { recipeOf } from "./fixtures/recipe.ts";

const able = findNeovims().filter(({ version }) => Number(version.split(".")[1]) >= 12);
if (able.length === 0) {
  console.warn(
    "Neovim 0.12 is not there: what it shows without the plugin is not tested. scripts/install-neovim sid gets one.",
  );
}

let work: ServerWorkspace;
beforeAll(buildPackage);
beforeEach(() => {
  work = new ServerWorkspace();
});
afterEach(() => work[Symbol.dispose]());

test.runIf(able.length > 0)("the recipe without a plugin makes Neovim 0.12 show ghost text automatically", async () => {
  const init = recipeOf("neovim", "lua").replace(
    '{ "emend", "lsp", "--stdio" }',
    `{ ${work.command.map((word) => JSON.stringify(word)).join(", ")} }`,
  );
  const neovim = new Neovim(able[0]!.path, {
    environment: work.environment,
    folder: work.root,
    init,
    args: [work.file],
  });
  onTestFinished(() => neovim[Symbol.asyncDispose]());
  await neovim.until(`
    local client = vim.lsp.get_clients({ name = "emend" })[1]
    local answer = client and client:request_sync("emend/status", vim.empty_dict(), 10000, 0)
    return answer and answer.result.sessions[1].learning.kind == "learnt"
  `);
  await neovim.type("G", "k", "A", ..."ite");
  await neovim.until(`
    vim.cmd.redraw()
    return vim.fn.screenstring(vim.fn.line("."), 14) == "s"
  `);
  expect(await neovim.screen()).toContain("  return ite|ms.at(0) ?? missing(items);");
  await neovim.type("<Tab>");
  expect(`${await neovim.text()}\n`).toBe(work.completed);
});
