import { join } from "node:path";
import { afterEach, beforeAll, beforeEach, expect, onTestFinished, test } from "vitest";
import { buildPackage } from "../../src/cli/fixtures/run-cli.ts";
import { ServerWorkspace } from "../../src/cli/fixtures/server-workspace.ts";
import { canRun, canTest, debianPackage } from "../../src/text/node/fixtures/promised-tools.ts";
import { recipeOf } from "./fixtures/recipe.ts";
import { Vim } from "./fixtures/vim.ts";

const needed = [
  "vim",
  "--clean",
  "-es",
  "-c",
  "if !has('patch-9.0.0185') || !has('channel') | cquit | endif",
  "-c",
  "qall!",
] as const;

let work: ServerWorkspace;
beforeAll(buildPackage);
beforeEach(() => {
  work = new ServerWorkspace();
});
afterEach(() => work[Symbol.dispose]());

const hasVim = canTest({ name: "Vim 9", isInstalled: canRun(...needed), install: debianPackage("vim-nox") });

test.runIf(hasVim)("the recipe for Vim shows ghost text, and accepts it by word and in whole", async () => {
  work.write("emend.vim", recipeOf("vim", "vim"));
  work.write("command.vim", `let g:emend_command = ${JSON.stringify(work.command)}\n`);
  const vim = await Vim.start({
    ...{ environment: work.environment, folder: work.root, file: work.file },
    scripts: [join(work.root, "command.vim"), join(work.root, "emend.vim")],
  });
  onTestFinished(() => vim[Symbol.asyncDispose]());
  await vim.type("G", "k", "A", ..."ite");
  expect(await vim.screen()).toContain("  return ite|");
  await vim.shows("  return ite|ms.at(0) ?? missing(items);");
  await vim.type("<C-Right>");
  await vim.shows("  return items|.at(0) ?? missing(items);");
  await vim.type("<Tab>");
  await vim.shows("  return items.at(0) ?? missing(items);|");
  expect(await vim.evaluate("join(getline(1, '$'), \"\\n\")")).toBe(work.completed.trimEnd());
  expect(await vim.evaluate("g:EmendVisible()")).toBe(false);
  // Without a suggestion the key has its usual meaning in Vim.
  await vim.type("<Tab>");
  expect(await vim.evaluate("getline('.')")).toMatch(/missing\(items\);\s+$/);
});
