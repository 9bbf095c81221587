import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, onTestFinished, test } from "vitest";
import { removeFolder } from "../../text/node/fixtures/remove-folder.ts";
import { recognise } from "../hole/recognise.ts";
import { languageGrammars } from "../languages/language-grammars.ts";
import { packGrammar } from "../tables/pack-grammar.ts";
import { compilerFiles } from "./language-sources.ts";
import { grammarFor, loadGrammar, loadGrammarFile, loadGrammarSource } from "./load-grammar.ts";

const bytes = (text: string) => new TextEncoder().encode(text);

const programs: Readonly<Record<string, string>> = {
  json: '{"a": [1]}',
  javascript: "const a = <b>{c}</b>;",
  typescript: "const a = <T>(b: T): T => b",
  tsx: "const a = <T,>(b: T) => <c>{b}</c>;",
  python: "def a(b):\n    return b\n",
  go: "package a\n\nfunc b() int { return 1 }\n",
  java: "class A { int b() { return 1; } }",
  rust: "fn a(b: &str) -> usize { b.len() }",
  c: "int main(void) { return 0; }",
  csharp: "class A { int B => 1; }",
};

test.each(languageGrammars.map(({ name }) => name))("loadGrammar loads %s", async (name) => {
  const grammar = await loadGrammar(name);
  expect(await loadGrammar(name)).toBe(grammar);
  expect(recognise(grammar, bytes(programs[name]!))).toEqual({ kind: "whole" });
  expect((await loadGrammarSource(name)).rules.length).toBeGreaterThan(3);
});

test("each language has at most one shipped grammar", async () => {
  expect(await grammarFor("javascriptreact")).toBe(await loadGrammar("javascript"));
  expect(await grammarFor("cobol")).toBeUndefined();
  await expect(loadGrammar("cobol")).rejects.toMatchObject({ code: "no-grammar" });
});

test("the cache of compiled grammars depends on every file that the compiler imports", () => {
  const from = (path: string) => fileURLToPath(new URL(path, import.meta.url));
  const imported = new Set([from("../tables/compile-grammar.ts"), from("../tables/pack-grammar.ts")]);
  imported.add(from("../notations/emend-notation.ts")).add(from("../notations/tree-sitter.ts"));
  for (const file of imported) {
    for (const [, path] of readFileSync(file, "utf8").matchAll(/ from "(\.[^"]+)"/g))
      imported.add(join(dirname(file), path!));
  }
  const inGrammar = [...imported].filter((file) => file.startsWith(from("../")));
  expect(inGrammar.length).toBeGreaterThan(20);
  expect(inGrammar.filter((file) => !compilerFiles().includes(file))).toEqual([]);
});

/** A folder with these files, for one test. */
function folderWith(files: Readonly<Record<string, string | Uint8Array>>): string {
  const folder = mkdtempSync(join(tmpdir(), "emend-grammar-"));
  onTestFinished(() => removeFolder(folder));
  for (const [name, content] of Object.entries(files)) writeFileSync(join(folder, name), content);
  return folder;
}

test.each([
  ["zeros.grammar", 'grammar zeros\n\nS = () | "0" S "1"\n'],
  ["zeros.ebnf", 'S ::= "" | "0" S "1"\n'],
  ["zeros.gbnf", 'root ::= "" | "0" root "1"\n'],
  ["zeros.lark", 'start: | "0" start "1"\n'],
])("loadGrammarFile reads %s", (name, text) => {
  const { compiled, issues } = loadGrammarFile(join(folderWith({ [name]: text }), name));
  expect(issues.filter(({ severity }) => severity === "error")).toEqual([]);
  expect(["", "0011", "001"].map((word) => recognise(compiled!, bytes(word)).kind)).toEqual([
    "whole",
    "whole",
    "unfinished",
  ]);
});

test("loadGrammarFile reads a packed grammar, and one that includes another", () => {
  const folder = folderWith({
    "a.grammar": 'grammar a\nA = B\ninclude "b.grammar"\n',
    "b.grammar": 'B = "b" | C\n',
  });
  const file = loadGrammarFile(join(folder, "a.grammar"));
  expect(file.compiled).toBeUndefined();
  expect(file.issues).toMatchObject([{ file: "b.grammar", line: 0 }]);
  expect([...file.texts.keys()]).toEqual(["", "b.grammar"]);
  writeFileSync(join(folder, "b.grammar"), 'B = "b"\n');
  const { compiled } = loadGrammarFile(join(folder, "a.grammar"));
  writeFileSync(join(folder, "a.bin"), packGrammar(compiled!));
  expect(loadGrammarFile(join(folder, "a.bin")).compiled).toEqual(compiled);
});

test.each([
  ["a.txt", "", "grammar-notation"],
  ["a.bin", "", "grammar-unknown"],
  ["a.grammar", Uint8Array.of(0x41, 0xff), "grammar-not-utf-8"],
])("loadGrammarFile refuses %s", (name, content, code) => {
  const folder = folderWith({ [name]: content });
  expect(() => loadGrammarFile(join(folder, name))).toThrow(expect.objectContaining({ code }));
});
