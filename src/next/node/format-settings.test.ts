import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { readFormatSettings } from "./format-settings.ts";

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "emend-format-"));
  execFileSync("git", ["init", "-q", root]);
});
afterEach(() => rmSync(root, { recursive: true }));

/** Writes files, the text of each by its path, and reads the style of `src/a.ts`. */
async function styleWith(files: Readonly<Record<string, string>>, isTrusted = false) {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  return await readFormatSettings(join(root, "src/a.ts"), isTrusted);
}

describe("the style that a project configures", () => {
  /** Of a style: its width, its indentation, `;` or `-`, quotes, and its other options. */
  const print = ({ width, indent, semicolons, singleQuotes, options }: Awaited<ReturnType<typeof styleWith>>) =>
    [width, indent, semicolons ? ";" : "-", singleQuotes ? "'" : '"', JSON.stringify(options)].join(" ");

  test.each<[files: Readonly<Record<string, string>>, style: string]>([
    [{ ".prettierrc": '{ "printWidth": 100, "semi": false }' }, '100 2 - " {}'],
    [{ ".prettierrc": "# ours\nprintWidth: 100\nsingleQuote: true\n" }, "100 2 ; ' {}"],
    [{ ".prettierrc": "---\nuseTabs: true\n" }, '80 tab ; " {}'],
    [{ ".prettierrc.json": "{}" }, '80 2 ; " {}'],
    [{ ".prettierrc.json5": "{ quoteProps: 'consistent' }" }, '80 2 ; " {"quoteProps":"consistent"}'],
    [{ ".prettierrc.toml": "tabWidth = 4\n" }, '80 4 ; " {}'],
    [{ "package.json": '{ "prettier": { "semi": false } }' }, '80 2 - " {}'],
    [{ ".prettierrc": "semi: false\n", "src/.prettierrc": "tabWidth: 3\n" }, '80 3 ; " {}'],
    [{ ".prettierrc": "overrides:\n  - files: '*.ts'\n    options: { printWidth: 90 }\n" }, '90 2 ; " {}'],
    [{ ".prettierrc": "plugins: [./gone.js]\n" }, '80 2 ; " {}'],
    [{ ".prettierrc": "semi: false\n", ".editorconfig": "root = true\n[*]\nmax_line_length = 70\n" }, '70 2 - " {}'],
  ])("%j", async (files, style) => {
    expect(print(await styleWith(files))).toBe(style);
  });

  test.each<[files: Readonly<Record<string, string>>, style: object]>([
    [{}, {}],
    [{ ".editorconfig": "root = true\n[*.ts]\nindent_style = space\nindent_size = 4\n" }, { indent: 4 }],
    [
      { ".editorconfig": "root = true\n[*]\nindent_style = tab\nmax_line_length = 110\n" },
      { indent: "tab", width: 110 },
    ],
    [{ ".editorconfig": "root = true\n[*.py]\nindent_size = 4\n" }, {}],
    [{ ".prettierrc": "{ broken" }, {}],
    [{ ".prettierrc": `{${" ".repeat(200_000)}}` }, {}],
    [{ ".editorconfig": `root = true\n[*]\nindent_size = 4\n${"#".repeat(200_000)}` }, {}],
  ])("%j leaves the rest to be detected", async (files, style) => {
    expect(await styleWith(files)).toEqual(style);
  });

  test("a link to a device is not read", async () => {
    symlinkSync("/dev/zero", join(root, ".editorconfig"));
    expect(await styleWith({ ".prettierrc": "{}" })).toMatchObject({ width: 80 });
  });
});

describe("settings that are code", () => {
  const code = 'require("node:fs").writeFileSync(__dirname + "/ran", "");\nmodule.exports = { printWidth: 99 };\n';
  const module = {
    "node_modules/evil/index.js": code,
    "node_modules/evil/package.json": '{ "name": "evil", "main": "index.js" }',
    "node_modules/a: evil/index.js": code,
  };

  test.each<[name: string, files: Readonly<Record<string, string>>, ran: string]>([
    ["a file of code", { ".prettierrc.cjs": code }, "ran"],
    ["a module", { ".prettierrc": "evil\n", ...module }, "node_modules/evil/ran"],
    ["a module in quotes", { ".prettierrc": '# x\n"evil"\n', ...module }, "node_modules/evil/ran"],
    ["a module that looks like a key", { ".prettierrc": '"a: evil"\n', ...module }, "node_modules/a: evil/ran"],
    ["a module in a block", { ".prettierrc": "|-\n  a: evil\n", ...module }, "node_modules/a: evil/ran"],
    ["a module in JSON", { ".prettierrc.json": '"evil"', ...module }, "node_modules/evil/ran"],
    ["a module of the package", { "package.json": '{ "prettier": "evil" }', ...module }, "node_modules/evil/ran"],
    ["a module of package.yaml", { "package.yaml": "prettier: evil\n", ...module }, "node_modules/evil/ran"],
  ])("%s runs only in a trusted folder", async (_, files, ran) => {
    expect(await styleWith(files)).toEqual({});
    expect(existsSync(join(root, ran))).toBe(false);
    expect(await styleWith(files, true)).toMatchObject({ width: 99 });
    expect(existsSync(join(root, ran))).toBe(true);
  });
});
