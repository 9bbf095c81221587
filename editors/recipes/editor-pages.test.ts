import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { repository } from "../../src/cli/fixtures/run-cli.ts";
import { recipeOf } from "./fixtures/recipe.ts";

const page = (name: string) => readFileSync(new URL(`../../docs/${name}`, import.meta.url), "utf8");

const rows = [...page("editors.md").matchAll(/^\| \[(.+?)\]\((.+?)\) .*\| (.+?) +\|$/gm)].map(
  ([, editor, file, tried]) => [editor!, file!, tried!] as const,
);

test("eight editors have a page", () => {
  expect(rows.map(([, file]) => file)).toEqual([
    ...["vscode.md", "neovim.md", "emacs.md", "vim.md"],
    ...["helix.md", "zed.md", "sublime.md", "jetbrains.md"],
  ]);
});

test.each(rows)(
  "the page of %s begins with the version that it was tried with, or says that there is none",
  (...row) => {
    const [, file, tried] = row;
    const [, first] = page(file).split("\n\n");
    const versions = tried.match(/\d+(?:\.\d+)+/g) ?? ["**Not tried.**"];
    for (const version of versions) expect(first).toContain(version);
  },
);

test("the pages that no editor runs start the server with the same command", () => {
  const { clients } = JSON.parse(recipeOf("sublime", "json"));
  expect(clients.emend.command).toEqual(["emend", "lsp", "--stdio"]);
  expect(page("jetbrains.md")).toMatch(/^\| command +\| `emend lsp --stdio` +\|$/m);
  // The one that Neovim's page has is run.
  expect(page("lsp.md")).toContain(recipeOf("neovim", "lua"));
});

test("`npx emend` is named for the clone alone, since elsewhere it would run another package", () => {
  const files = execFileSync("git", ["ls-files", "-co", "--exclude-standard"], { cwd: repository, encoding: "utf8" });
  const isRead = (path: string) =>
    /\.(?:md|txt|lua|tsx?|json|html|el|vim)$/.test(path) && !/\.test\.tsx?$|\/fixtures\/|CHANGELOG/.test(path);
  const named = files
    .split("\n")
    .filter(isRead)
    .flatMap((path) => {
      const lines = readFileSync(join(repository, path), "utf8").split("\n");
      return lines.filter((line) => /npx\s+(?:-\S+\s+)*emend\b/.test(line)).map((line) => `${path}: ${line}`);
    });
  expect(named).toEqual([
    "README.md: npx emend serve                  # this folder, in your browser: no key, no server, no account",
    "README.md: npx emend serve examples/shop    # or another folder, such as a project of yours",
    "README.md: `npx emend` is for the built clone alone: the name is not registered at npm, so elsewhere `npx`",
    "examples/shop/README.md: A small project to try Emend on: `npx emend serve examples/shop` in the clone.",
  ]);
});
