/**
 * Compiles the grammars of `src/grammar/languages` to `dist/grammar/languages/*.bin`, unless what is there is newer than
 * everything it is made of. Prints what the compiler says of them, and ends with 1 where one has errors.
 */
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { compileGrammar } from "../src/grammar/compile-grammar.ts";
import { hasErrors, printGrammarIssue } from "../src/grammar/grammar-issue.ts";
import { parseGrammar } from "../src/grammar/notations/emend-notation.ts";
import { packGrammar } from "../src/grammar/pack-grammar.ts";

const room = fileURLToPath(new URL("../src/grammar/", import.meta.url));
const languages = join(room, "languages");
const target = fileURLToPath(new URL("../dist/grammar/languages/", import.meta.url));

const sources = readdirSync(languages).filter((file) => file.endsWith(".grammar"));
const outputs = sources.map((file) => join(target, `${basename(file, ".grammar")}.bin`));
const inputs = readdirSync(room, { recursive: true, encoding: "utf8" })
  .filter((file) => /\.(ts|grammar)$/.test(file) && !/\.test\.ts$|(^|\/)fixtures\//.test(file))
  .map((file) => join(room, file));

const newestInput = Math.max(...inputs.map(changedAt));
mkdirSync(target, { recursive: true });
for (const [i, file] of sources.entries()) {
  if (changedAt(outputs[i]!) > newestInput) continue;
  const bytes = build(file);
  if (bytes === undefined) process.exitCode = 1;
  else writeFileSync(outputs[i]!, bytes);
}

/** When a file was last written, in milliseconds; before all time where it is missing. */
function changedAt(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? Number.NEGATIVE_INFINITY;
}

function build(file: string): Uint8Array | undefined {
  const { grammar, issues } = parseGrammar(readFileSync(join(languages, file), "utf8"), { read: tryRead });
  const compilation = grammar === undefined ? undefined : compileGrammar(grammar);
  const all = [...issues, ...(compilation?.issues ?? [])];
  for (const issue of all) console.error(printGrammarIssue(issue, issue.file ?? file));
  if (compilation?.compiled === undefined || hasErrors(all)) return undefined;
  return packGrammar(compilation.compiled);
}

/** The text of an included file, whose name is relative to the folder of languages. */
function tryRead(file: string): string | undefined {
  const path = join(languages, file);
  return statSync(path, { throwIfNoEntry: false })?.isFile() ? readFileSync(path, "utf8") : undefined;
}
