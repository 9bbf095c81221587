import { readFileSync } from "node:fs";
import { expect, test } from "vitest";

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
