/**
 * Compiles the grammars of `src/grammar/languages` to `dist/grammar/languages/*.bin`, unless what
 * is there is newer than everything it is made of; beside each lies what it was made from, for
 * exporting it. Those under `imported` are laid over the grammar of the tree-sitter package of that
 * name, whose licence goes beside them. Prints what the compiler reports of them, and ends with 1
 * where one has errors.
 */
import { copyFileSync, mkdirSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { languageGrammars } from "../src/grammar/languages/language-grammars.ts";
import { parseLanguage, treeSitterFiles } from "../src/grammar/node/language-sources.ts";
import { compileGrammar } from "../src/grammar/tables/compile-grammar.ts";
import { printGrammarIssue } from "../src/grammar/tables/grammar-issue.ts";
import { printGrammarSource } from "../src/grammar/tables/grammar-source.ts";
import { packGrammar } from "../src/grammar/tables/pack-grammar.ts";

const room = fileURLToPath(new URL("../src/grammar/", import.meta.url));
const target = fileURLToPath(new URL("../dist/grammar/languages/", import.meta.url));

const inputs = readdirSync(room, { recursive: true, encoding: "utf8" })
  .filter((file) => /\.(ts|grammar)$/.test(file) && !/\.test\.ts$|(^|[\\/])fixtures[\\/]/.test(file))
  .map((file) => join(room, file));
const newestInput = Math.max(...inputs.map(changedAt));

mkdirSync(target, { recursive: true });
for (const { name } of languageGrammars) build(name);

/** When a file was last written, in milliseconds; before all time where it is missing. */
function changedAt(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? Number.NEGATIVE_INFINITY;
}

function build(name: string): void {
  const output = join(target, `${name}.bin`);
  if (changedAt(output) > newestInput) return;
  const { grammar, issues } = parseLanguage(name);
  const { compiled, issues: more = [] } = grammar === undefined ? {} : compileGrammar(grammar);
  for (const issue of [...issues, ...more]) console.error(printGrammarIssue(issue, issue.file ?? `${name}.grammar`));
  if (grammar === undefined || compiled === undefined) {
    process.exitCode = 1;
    return;
  }
  const imported = treeSitterFiles(name);
  if (imported !== undefined) copyFileSync(imported.licence, join(target, `${name}.LICENSE`));
  writeFileSync(join(target, `${name}.source.json`), printGrammarSource(grammar));
  writeFileSync(output, packGrammar(compiled));
}
