/**
 * Compiles the grammars of `src/grammar/languages` to `dist/grammar/languages/*.bin`, unless what is there is newer than
 * everything it is made of. Those under `imported` are laid over the grammar of the tree-sitter package of that name, whose
 * licence goes beside them. Prints what the compiler says of them, and ends with 1 where one has errors.
 */
import { copyFileSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { compileGrammar } from "../src/grammar/compile-grammar.ts";
import { printGrammarIssue } from "../src/grammar/grammar-issue.ts";
import { type ParsedGrammar, parseGrammar } from "../src/grammar/notations/emend-notation.ts";
import { importTreeSitter } from "../src/grammar/notations/tree-sitter.ts";
import { packGrammar } from "../src/grammar/pack-grammar.ts";

const require = createRequire(import.meta.url);
const room = fileURLToPath(new URL("../src/grammar/", import.meta.url));
const languages = join(room, "languages");
const target = fileURLToPath(new URL("../dist/grammar/languages/", import.meta.url));

/** What packages are called after whose name is not the language's. */
const packages: Readonly<Record<string, string>> = { csharp: "c-sharp" };

const inputs = readdirSync(room, { recursive: true, encoding: "utf8" })
  .filter((file) => /\.(ts|grammar)$/.test(file) && !/\.test\.ts$|(^|\/)fixtures\//.test(file))
  .map((file) => join(room, file));
const newestInput = Math.max(...inputs.map(changedAt));

mkdirSync(target, { recursive: true });
for (const file of grammarsIn(languages)) build(file, parseOwn);
for (const file of grammarsIn(join(languages, "imported"))) build(file, parseImported);

function grammarsIn(folder: string): string[] {
  const files = readdirSync(folder).filter((file) => file.endsWith(".grammar"));
  return files.sort().map((file) => join(folder, file));
}

/** When a file was last written, in milliseconds; before all time where it is missing. */
function changedAt(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? Number.NEGATIVE_INFINITY;
}

function build(file: string, parse: (file: string) => ParsedGrammar): void {
  const output = join(target, `${basename(file, ".grammar")}.bin`);
  if (changedAt(output) > newestInput) return;
  const { grammar, issues } = parse(file);
  const { compiled, issues: more = [] } = grammar === undefined ? {} : compileGrammar(grammar);
  for (const issue of [...issues, ...more]) console.error(printGrammarIssue(issue, issue.file ?? basename(file)));
  if (compiled === undefined) process.exitCode = 1;
  else writeFileSync(output, packGrammar(compiled));
}

function parseOwn(file: string): ParsedGrammar {
  const read = (included: string): string | undefined => {
    const path = join(languages, included);
    return statSync(path, { throwIfNoEntry: false })?.isFile() ? readFileSync(path, "utf8") : undefined;
  };
  return parseGrammar(readFileSync(file, "utf8"), { read });
}

function parseImported(file: string): ParsedGrammar {
  const name = basename(file, ".grammar");
  const source = require.resolve(`tree-sitter-${packages[name] ?? name}/src/grammar.json`);
  copyFileSync(join(dirname(source), "../LICENSE"), join(target, `${name}.LICENSE`));
  return importTreeSitter(JSON.parse(readFileSync(source, "utf8")), readFileSync(file, "utf8"));
}
