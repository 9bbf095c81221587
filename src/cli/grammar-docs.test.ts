import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { beforeAll, expect, onTestFinished, test } from "vitest";
import { type GrammarSource, languageGrammars, writeEbnf, writeGbnf, writeLark } from "../grammar/index.ts";
import { parseLanguage } from "../grammar/node/language-sources.ts";
import { languageById } from "../syntax/index.ts";
import { removeFolder } from "../text/node/fixtures/remove-folder.ts";
import { buildPackage, repository } from "./fixtures/run-cli.ts";
import { runAtTerminal } from "./fixtures/test-terminal.ts";

const page = new URL("../../docs/grammar.md", import.meta.url);
const text = readFileSync(page, "utf8");

beforeAll(buildPackage, 180_000);

const snippets = [...text.matchAll(/<!-- runs -->\n+```js\n([\s\S]*?)```/g)].map(([, code]) => code!);

test.each(snippets.map((code, index) => [index + 1, code] as const))(
  "snippet %i of the page about grammars prints the output at its end",
  async (_, code) => {
    const output = /(?:^\/\/ .*\n)+$/m.exec(code)![0].replace(/^\/\/ /gm, "");
    const args = ["--input-type=module", "--eval", code];
    expect((await promisify(execFile)(process.execPath, args, { cwd: repository })).stdout).toBe(output);
  },
);

test("the commands on the page about grammars print what it shows", async () => {
  const folder = mkdtempSync(join(tmpdir(), "emend-docs-"));
  onTestFinished(() => removeFolder(folder));
  const [, session] = /<!-- console -->\n+```console\n([\s\S]*?)```/.exec(text)!;
  const printed: string[] = [];
  const expected: string[] = [];
  for (const step of session!.split(/^\$ /m).slice(1)) {
    const [command, ...shown] = step.split("\n");
    const [program, ...args] = command!.split(" ");
    if (program === "cat") writeFileSync(join(folder, args[0]!), shown.join("\n"));
    else {
      const { out } = await runAtTerminal(args, { workingFolder: folder });
      printed.push(`$ ${command}\n${out.trimEnd()}`);
      expected.push(`$ ${step.trimEnd()}`);
    }
  }
  expect(printed).toEqual(expected);
  expect(printed.length).toBeGreaterThan(1);
});

test("row 32: the built package exports its grammars like their sources", async () => {
  const built = (await import(pathToFileURL(join(repository, "dist/grammar/node/index.js")).href)) as {
    readonly loadGrammarSource: (name: string) => Promise<GrammarSource>;
  };
  for (const { name } of languageGrammars) {
    const source = parseLanguage(name).grammar!;
    const again = await built.loadGrammarSource(name);
    for (const write of [writeGbnf, writeEbnf, writeLark]) expect(write(again).text, name).toBe(write(source).text);
  }
});

test("the page lists every grammar (UPDATE_DOCS=1 writes the table, biome aligns it)", () => {
  const rows = ["| grammar | reads | made from | takes, of real files |", "| --- | --- | --- | --- |"];
  for (const { name, languages, isImported, accepted } of languageGrammars) {
    const reads = languages.map((id) => languageById(id)!.name).join(", ");
    const measured = accepted === undefined ? "not measured" : `${accepted.files} of ${accepted.of}`;
    rows.push(`| \`${name}\` | ${reads} | ${isImported ? "tree-sitter's" : "our own"} | ${measured} |`);
  }
  const written = text.replace(
    /(<!-- languages -->\n)[\s\S]*?(<!-- \/languages -->)/,
    (_, start, end) => `${start}\n${rows.join("\n")}\n\n${end}`,
  );
  if (process.env["UPDATE_DOCS"] === "1") writeFileSync(page, written);
  expect(withoutAlignment(readFileSync(page, "utf8"))).toBe(withoutAlignment(written));
});

/** The page without what the formatter adds to tables. */
function withoutAlignment(page: string): string {
  return page.replace(/ +/g, " ").replace(/-{3,}/g, "---");
}
