import { realpathSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { findFormatter } from "./find-formatter.ts";
import { TemporaryWorkspace, type Tree } from "./fixtures/temporary-workspace.ts";
import { keepLineEndings } from "./keep-line-endings.ts";
import { projectFormatter } from "./project-formatter.ts";

/**
 * A program that prints where it runs and with which arguments, and returns its input in capitals
 * with other line endings.
 */
const shouting = `! #!${process.execPath}
let text = "";
process.stdin.on("data", (data) => (text += data)).on("end", () => {
  process.stdout.write(text.toUpperCase().replaceAll("\\r\\n", "\\n").replace("ARGS", process.argv.slice(2).join(" ")));
});
`;
const failing = `! #!${process.execPath}
process.stderr.write("\\n  error: line 1 is odd\\nmore\\n");
process.exitCode = 2;
`;
const foreign = `! #!${process.execPath}
process.stderr.write("[error] No parser could be inferred for file a.xyz.\\n");
process.exitCode = 2;
`;
const silent = `! #!${process.execPath}\n`;
const endless = `! #!${process.execPath}\nsetInterval(() => undefined, 1_000);\n`;

describe("the formatter that is found", () => {
  const bin = {
    "node_modules/.bin/prettier": silent,
    "node_modules/.bin/biome": silent,
    "node_modules/.bin/oxfmt": silent,
  };
  const cases: readonly (readonly [string, Tree, string])[] = [
    ["none", bin, "none"],
    ["prettier by its file", { ...bin, ".prettierrc": "" }, "prettier at . by node_modules/.bin/prettier"],
    [
      "prettier by its key",
      { ...bin, "package.json": '{"prettier":{}}' },
      "prettier at . by node_modules/.bin/prettier",
    ],
    ["a package without that key", { ...bin, "package.json": '{"name":"x"}' }, "none"],
    ["a package that cannot be read", { ...bin, "package.json": "{" }, "none"],
    ["biome", { ...bin, "biome.jsonc": "{}" }, "biome at . by node_modules/.bin/biome"],
    ["oxfmt", { ...bin, ".oxfmtrc.json": "{}" }, "oxfmt at . by node_modules/.bin/oxfmt"],
    ["one that is not installed", { "dprint.json": "{}", ".prettierrc": "" }, "dprint at . by nothing"],
    [
      "biome that lints only",
      { ...bin, "biome.json": '{ "formatter": { "enabled": false } // so\n}', ".prettierrc": "" },
      "prettier at . by node_modules/.bin/prettier",
    ],
    [
      "the nearest configuration, and the nearest program above it",
      { ...bin, "biome.json": "{}", "src/.prettierrc": "", "src/node_modules/.bin/prettier": silent },
      "prettier at src by src/node_modules/.bin/prettier",
    ],
    [
      "a program that cannot be run",
      { ".prettierrc": "", "node_modules/.bin/prettier": "" },
      "prettier at . by nothing",
    ],
  ];
  for (const [name, tree, expected] of cases) {
    test(name, async () => {
      const workspace = new TemporaryWorkspace(tree);
      const { root } = workspace;
      const found = await findFormatter(root, `${root}/src/a.ts`);
      const inside = (path: string) => path.slice(root.length + 1) || ".";
      const description =
        found && `${found.name} at ${inside(found.folder)} by ${found.program ? inside(found.program) : "nothing"}`;
      expect(description ?? "none").toBe(expected);
    });
  }
});

describe.skipIf(process.platform === "win32")("the result of formatting", () => {
  const prettier = (program: string) => ({ ".prettierrc": "", "node_modules/.bin/prettier": program });
  const cases: readonly (readonly [string, Tree, string, object])[] = [
    ["formatted", prettier(shouting), "a\n", { kind: "formatted", text: "A\n" }],
    ["by its path", prettier(shouting), "args\n", { kind: "formatted", text: "--stdin-filepath=src/a.ts\n" }],
    [
      "from the folder of its configuration",
      { "src/.prettierrc": "", "node_modules/.bin/prettier": shouting },
      "args\n",
      { kind: "formatted", text: "--stdin-filepath=a.ts\n" },
    ],
    [
      "in the text's own line endings",
      prettier(shouting),
      "\uFEFFa\r\nb\r\n",
      { kind: "formatted", text: "\uFEFFA\r\nB\r\n" },
    ],
    ["no formatter", { "node_modules/.bin/prettier": shouting }, "a", { kind: "no-formatter" }],
    ["a failure", prettier(failing), "a", { kind: "failed", message: "prettier failed: error: line 1 is odd" }],
    ["a file of another kind", prettier(foreign), "a", { kind: "no-formatter" }],
    ["nothing", prettier(silent), "a", { kind: "failed", message: "prettier answered with nothing" }],
    [
      "not installed",
      { ".prettierrc": "" },
      "a",
      { kind: "failed", message: "prettier is configured, but not installed" },
    ],
    ["too slow", prettier(endless), "a", { kind: "failed", message: "prettier took longer than 0.3 s" }],
  ];
  for (const [name, tree, text, expected] of cases) {
    test(name, async () => {
      const workspace = new TemporaryWorkspace(tree);
      const timeoutMs = name === "too slow" ? 300 : 10_000;
      const format = projectFormatter({ root: workspace.root, isTrusted: true, timeoutMs });
      expect(await format({ path: "src/a.ts", text, ranges: [] }, {})).toEqual(expected);
    });
  }

  test("no formatter of an untrusted workspace is run", async () => {
    const workspace = new TemporaryWorkspace({
      ".prettierrc": "",
      "node_modules/.bin/prettier": `! #!/bin/sh\ntouch ran\n`,
    });
    const format = projectFormatter({ root: workspace.root, isTrusted: false });
    expect(await format({ path: "a.ts", text: "a", ranges: [] }, {})).toEqual({
      kind: "failed",
      message: "prettier is not run in a workspace that is not trusted",
    });
    expect(Object.keys(workspace.tree())).not.toContain("ran");
  });

  test("an abort stops the formatter", async () => {
    const workspace = new TemporaryWorkspace(prettier(endless));
    const reason = new Error("enough");
    const format = projectFormatter({ root: workspace.root, isTrusted: true });
    const controller = new AbortController();
    const formatting = format({ path: "a.ts", text: "a", ranges: [] }, { signal: controller.signal });
    setTimeout(() => controller.abort(reason), 50);
    await expect(formatting).rejects.toBe(reason);
  });

  test("the biome of this repository formats a file", async () => {
    const here = realpathSync(fileURLToPath(new URL("../../../", import.meta.url)));
    const workspace = new TemporaryWorkspace({ "biome.json": '{ "formatter": { "indentStyle": "space" } }' });
    symlinkSync(join(here, "node_modules"), join(workspace.root, "node_modules"));
    const format = projectFormatter({ root: workspace.root, isTrusted: true, timeoutMs: 60_000 });
    const text = "export  function f( a ){\r\nreturn a}\r\n";
    expect(await format({ path: "src/a.ts", text, ranges: [] }, {})).toEqual({
      kind: "formatted",
      text: "export function f(a) {\r\n  return a;\r\n}\r\n",
    });
    const broken = await format({ path: "src/a.ts", text: "export function (", ranges: [] }, {});
    expect(broken).toMatchObject({ kind: "failed", message: expect.stringMatching(/^biome failed: [a-z]/i) });
    expect(await format({ path: "src/a.xyz", text, ranges: [] }, {})).toEqual({ kind: "no-formatter" });
    expect(Object.keys(workspace.tree())).toEqual(["biome.json", "node_modules"]);
  });

  test("the biome configuration of this repository is found", async () => {
    const here = realpathSync(fileURLToPath(new URL("../../../", import.meta.url))).replace(/\/$/, "");
    expect(await findFormatter(here, `${here}/src/a.ts`)).toMatchObject({ name: "biome", folder: here });
  });
});

describe("line endings after formatting", () => {
  // `n` is \n, `r` is \r\n.
  const read = (text: string) => text.replaceAll("r", "\r\n").replaceAll("n", "\n");
  test.each([
    ["arbr", "AnBn", "ArBr"],
    ["arbncr", "anbnCn", "arbnCr"],
    ["arbn", "anxnbn", "arxrbn"],
    ["ar", "a", "a"],
    ["a", "an", "an"],
    ["anbr", "bn", "br"],
    ["", "an", "an"],
  ])("%s, formatted as %s, is %s", (before, after, expected) => {
    expect(keepLineEndings(read(before), read(after))).toBe(read(expected));
  });
});
