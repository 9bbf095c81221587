import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { removeFolder } from "../../text/node/fixtures/remove-folder.ts";
import { runAtTerminal } from "../fixtures/test-terminal.ts";
import type { ListedGrammar } from "./grammar.ts";

let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "emend-grammar-"));
});
afterAll(() => removeFolder(folder));

const run = (line: string) => runAtTerminal(line.split(" "), { workingFolder: folder });
const write = (name: string, text: string) => writeFileSync(join(folder, name), text);

test("emend grammar prints errors like a compiler", async () => {
  write("bad.grammar", 'grammar bad\nStart = "a" (\n');
  const { exitCode, out, err } = await run("grammar compile bad.grammar");
  expect({ exitCode, out }).toEqual({ exitCode: 1, out: "" });
  expect(err).toMatch(/^bad\.grammar:2:\d+: error: .+\n {2}2 \| Start = "a" \(\n {4}\| +\^\n/);
  expect(err).toContain("emend: bad.grammar has 2 errors, so that there is no grammar to use.\n");
});

test("emend grammar reports unused rules", async () => {
  write("lost.grammar", 'grammar lost\nStart = "a"\nLost = "b"\nEndless = "c" Endless\n');
  const { exitCode, err } = await run("grammar compile lost.grammar");
  expect(exitCode).toBe(0);
  expect(err).toMatch(/^lost\.grammar:3: warning: .*Lost/m);
  expect(err).toMatch(/^lost\.grammar:4: warning: .*Endless/m);
  write("none.grammar", 'grammar none\nStart = "a" Start\n');
  expect(await run("grammar compile none.grammar")).toMatchObject({ exitCode: 1 });
});

test.each([
  ["zeros.grammar", 'grammar zeros\nS = () | "0" S "1"\n'],
  ["zeros.ebnf", 'S ::= "" | "0" S "1"\n'],
  ["zeros.gbnf", 'root ::= "" | "0" root "1"\n'],
  ["zeros.lark", 'start: | "0" start "1"\n'],
])("emend grammar writes tables of %s, and fill uses them", async (name, text) => {
  write(name, text);
  const { exitCode, out } = await run(`grammar compile ${name} -o zeros.bin`);
  expect(out).toMatch(/^zeros: \d+ states, \d+ of the lexer, 0\.\d kB, written to zeros\.bin\n$/);
  expect(exitCode).toBe(0);
  write("a.txt", "0111");
  expect(await run("check a.txt --at 1:2 --grammar zeros.bin --json")).toMatchObject({
    exitCode: 9,
    out: expect.stringContaining('"ending":"00"'),
  });
  write("a.txt", "000111");
  expect(await run("check a.txt --grammar zeros.bin")).toMatchObject({ exitCode: 0 });
});

// What an export cannot express is in remarks before its rules.
test.each([
  ["gbnf", /^(# .*\n)*root ::= /],
  ["lark", /^(\/\/ .*\n)*start: /],
  ["ebnf", /^(\/\* .* \*\/\n)*\w+ ::= /],
])("emend grammar exports a shipped grammar to %s", async (notation, start) => {
  const { exitCode, out } = await run(`grammar export json --to ${notation}`);
  expect(exitCode).toBe(0);
  expect(out).toMatch(start);
});

test("emend grammar prints on standard error what a notation cannot express", async () => {
  const { exitCode, out, err } = await run("grammar export python --to lark");
  expect(exitCode).toBe(0);
  expect(out).not.toContain("warning");
  expect(err).toMatch(/^python: warning: /);
});

test.each([
  ["grammar export zeros.bin --to gbnf", 2, "is packed"],
  ["grammar export nothing --to gbnf", 3, "There is no file nothing"],
  ["grammar export json --to yacc", 2, "Allowed choices are gbnf, lark, ebnf"],
  ["grammar compile missing.ebnf", 3, "There is no file missing.ebnf"],
  ["grammar compile json.txt", 2, "does not tell its notation"],
])("emend %s is refused", async (line, exitCode, message) => {
  write("json.txt", "");
  expect(await run(line)).toMatchObject({ exitCode, err: expect.stringContaining(message) });
});

test("emend grammar lists all shipped grammars", async () => {
  const { out } = await run("grammar list --json");
  const { grammars } = JSON.parse(out) as { readonly grammars: readonly ListedGrammar[] };
  expect(grammars.map(({ name }) => name)).toEqual(
    expect.arrayContaining(["json", "javascript", "typescript", "tsx", "python", "go", "java", "rust", "c", "csharp"]),
  );
  expect(grammars.every(({ states, bytes }) => states > 10 && bytes > 1000)).toBe(true);
  expect((await run("grammar list")).out).toMatch(
    /^grammar +languages +tables +accepted +source\ntypescript +typescript +[\d,]+ states/,
  );
});
